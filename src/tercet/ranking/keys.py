"""Which judgements of two systems the reference code of TrueSkill finds, by the keys under which it keeps them.

It keeps a judgement under `tuple(set(pair))`, the pair in the order of display, and looks for those of a system and
its opponent under the same expression again. In Python 2 the order of such a tuple is that of a hash table of eight
places. Where two names fall on the same place, the one that is put in second goes to another, and the tuple depends on
who was shown first: the judgements of these two lie under two keys, and only one of them is looked up. The rankings of
WMT15 were made that way.
"""

from __future__ import annotations

import numpy as np

from tercet.data import Ints, Pairs
from tercet.human.pairs import OUTCOMES
from tercet.ranking.base import Bools

_PLACES = 8
_WORD = (1 << 64) - 1


def string_hash(text: str) -> int:
    """The hash of a byte string in Python 2 on machines of 64 bits, as a number without a sign.

    >>> string_hash("a"), string_hash("abc")
    (12416037344, 1453079729188098211)
    """
    value = 0
    data = text.encode("utf-8")
    if data:
        value = data[0] << 7
        for byte in data:
            value = (1000003 * value & _WORD) ^ byte
        value ^= len(data)
    return _WORD - 1 if value == _WORD else value  # -1 stands for an error


def key(one: str, other: str) -> tuple[str, str]:
    """`tuple(set((one, other)))` in Python 2; the names differ.

    >>> key("a", "b"), key("b", "a")
    (('a', 'b'), ('a', 'b'))
    >>> key("a", "i"), key("i", "a")
    (('a', 'i'), ('i', 'a'))
    """
    taken = string_hash(one) % _PLACES
    rest = place = string_hash(other)
    while place % _PLACES == taken:
        place = 5 * place + rest + 1
        rest >>= 5
    return (one, other) if taken < place % _PLACES else (other, one)


class KeyedCounts:
    """Judgements as cells to be counted, and what two systems that meet find in the counts by these keys."""

    def __init__(self, pairs: Pairs) -> None:
        n = len(pairs.systems)
        self.systems = pairs.systems
        self.cell: Ints = OUTCOMES * (n * pairs.left + pairs.right) + pairs.outcome  # who was shown first, and second
        self.n_cells = OUTCOMES * n * n
        self.shown_first, self.shown_second = found_keys(pairs.systems)

    def found(self, counted: Ints) -> Ints:
        """How many judgements found the first (row) better, both alike, its opponent (column) better.

        Where the reference would find none and stop, these are all that there are.
        """
        n = len(self.systems)
        shown = counted.reshape(n, n, OUTCOMES)
        turned = shown.transpose(1, 0, 2)[..., ::-1]
        some = shown * self.shown_first[..., None] + turned * self.shown_second[..., None]
        return np.where(some.any(axis=2, keepdims=True), some, shown + turned)


def found_keys(systems: tuple[str, ...]) -> tuple[Bools, Bools]:
    """For a system (row) and its opponent (column): whether judgements are found that show it first, and second."""
    n = len(systems)
    shown_first, shown_second = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    for i, one in enumerate(systems):
        for j, other in enumerate(systems):
            if i != j:
                wanted = key(*key(one, other))  # the reference makes a list of the set, and a set of the list
                shown_first[i, j] = key(one, other) == wanted
                shown_second[i, j] = key(other, one) == wanted
    return shown_first, shown_second
