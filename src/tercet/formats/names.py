"""Names to numbers: rows of judgements refer to judges, systems and segments by the order of their first appearance."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

import numpy as np

from tercet.data import UNKNOWN, Ints

K = TypeVar("K", bound=Hashable)


class Names(dict[K, int], Generic[K]):
    """Numbers things from 0 in the order in which they first come.

    >>> names = Names()
    >>> names.numbers(["b", "a", "b"]).tolist(), list(names)
    ([0, 1, 0], ['b', 'a'])
    """

    def __missing__(self, name: K) -> int:
        number = self[name] = len(self)
        return number

    def numbers(self, names: Collection[K]) -> Ints:
        """The number of each name; new ones are added."""
        return np.fromiter(map(self.__getitem__, names), np.int64, len(names))


def without_empty(names: Names[str], ids: Ints) -> tuple[tuple[str, ...], Ints]:
    """The names but for the empty one, which becomes UNKNOWN, and the numbers that go with them.

    >>> names = Names()
    >>> known, ids = without_empty(names, names.numbers(["b", "", "a"]))
    >>> known, ids.tolist()
    (('b', 'a'), [0, -1, 1])
    """
    hole = names.get("")
    if hole is None:
        return tuple(names), ids
    shifted = np.where(ids > hole, ids - 1, ids)
    return tuple(name for name in names if name), np.where(ids == hole, UNKNOWN, shifted)


def combined(*columns: Ints) -> tuple[Ints, Ints]:
    """Rows that agree in all columns as one number, in the order of first appearance, and where each came first.

    Numbers may be from -1.

    >>> rows, first = combined(np.array([4, 2, 4]), np.array([0, 0, 0]))
    >>> rows.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        # Numbered again after each column, so that the product stays small.
        keys = keys * (int(column.max(initial=-1)) + 2) + column + 1
        keys = np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)
    _, first, rows = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[rows.reshape(-1)].astype(np.int64), first[order].astype(np.int64)
