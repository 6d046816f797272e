"""Frequencies of n-grams as a file: `tercet train frequencies` writes it, features of quality estimation read it.

The first line says how the file was made, the second how often an n-gram must occur at the least to be more than
unseen, the next one an order gives its four cut-offs between quartiles. Each further line has an n-gram, its words
separated by blanks, a tab and how often it occurs; words have a line however rare they are:

    # tercet frequencies|order:3|...
    # above 2
    # cutoffs 3 5 9 120
    # cutoffs 3 3 4 40
    the cat<TAB>12
"""

from __future__ import annotations

import dataclasses
import functools

from tercet import contents, kernels, limits
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.formats.models import MAGIC
from tercet.text.base import pack

ABOVE, CUTOFFS = "# above ", "# cutoffs "
MOST_ENTRIES = 1 << 27
_HINT = "Make one with `tercet train frequencies`."

Quartiles = tuple[tuple[int, ...], ...]  # four cut-offs an order


@dataclasses.dataclass(frozen=True, eq=False)
class Frequencies:
    """A table of frequencies, and the cut-offs between quartiles of each order, above a minimum."""

    table: kernels.NgramFrequencies
    minimum: int
    quartiles: Quartiles


def header(signature: str, minimum: int, quartiles: Quartiles) -> str:
    """The lines before the n-grams."""
    cuts = "".join(f"{CUTOFFS}{' '.join(map(str, row))}\n" for row in quartiles)
    return f"{MAGIC}{signature}\n{ABOVE}{minimum}\n{cuts}"


def read(path: File) -> Frequencies:
    """The table of a file, kept for the process."""
    return _read(str(path), contents.state(path))


@functools.lru_cache(maxsize=4)
def _read(path: str, _state: contents.State) -> Frequencies:
    table = kernels.NgramFrequencies()
    numbers: list[tuple[int, ...]] = []
    before = 0
    for block in lines.blocks(path):
        head = 0 if before else _head(path, block, numbers)
        n_read, wrong = table.read(pack(block[head:]))
        if not wrong and len(table) > MOST_ENTRIES:
            wrong = f"more than {MOST_ENTRIES} entries are not read"
        if wrong:
            raise InputError(f"{lines.shown(path)}, line {before + head + n_read + 1}: {wrong}.", hint=_HINT)
        before += len(block)
    if len(numbers) < 2:
        raise InputError(f"{lines.shown(path)} has no cut-offs between quartiles.", hint=_HINT)
    return Frequencies(table, numbers[0][0], tuple(numbers[1:]))


def _head(path: str, block: list[str], numbers: list[tuple[int, ...]]) -> int:
    """How many lines stand before the first n-gram; their numbers are added: the minimum, and the cut-offs."""
    at = 1 if block[0].startswith(MAGIC) else 0
    while at < len(block) and block[at].startswith(CUTOFFS if numbers else ABOVE):
        words = block[at].split()[2:]
        if len(words) != (4 if numbers else 1) or not all(map(limits.is_whole, words)):
            raise InputError(f"{lines.shown(path)}, line {at + 1}: there must be whole numbers.", hint=_HINT)
        numbers.append(tuple(map(int, words)))
        at += 1
    return at
