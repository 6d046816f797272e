"""Statistics: the hinge. Additive numbers for every system and segment, with the function that reads them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BLOCK = 65_536  # segments


def total(rows: Array, places: Ints | None = None) -> Array:
    """The sum over segments, (..., n, k) -> (..., k): within blocks in their order, and then over blocks in theirs.

    The order is part of the result. Blocks are fixed, 65 536 segments from the first one of the test set on, so that
    they can be summed anywhere, and the sum of the sums has the same bits. `places` says where in the test set the rows
    stand, in order; one after the other from its beginning otherwise.
    """
    n = rows.shape[-2]
    if n == 0:
        return np.zeros((*rows.shape[:-2], rows.shape[-1]))
    cuts = list(range(BLOCK, n, BLOCK)) if places is None else _changes(places // BLOCK)
    sums, *more = (_in_order(rows[..., a:b, :]) for a, b in zip([0, *cuts], [*cuts, n], strict=True))
    for block in more:
        sums = sums + block
    return sums


def _changes(blocks: Ints) -> list[int]:
    """Where another block begins."""
    changes: list[int] = (np.flatnonzero(np.diff(blocks)) + 1).tolist()
    return changes


def block_cuts(at: int, n: int) -> Iterator[tuple[int, int, int]]:
    """What `n` segments from place `at` of a test set have of each block: its number, the first of them, the end.

    >>> list(block_cuts(65_000, 1000))
    [(0, 0, 536), (1, 536, 1000)]
    """
    edges = [at, *range(at // BLOCK * BLOCK + BLOCK, at + n, BLOCK), at + n]
    return ((start // BLOCK, start - at, stop - at) for start, stop in itertools.pairwise(edges))


def _in_order(rows: Array) -> Array:
    """The sum of rows, one after the other."""
    # rows of several columns, one after the other in memory, are added row by row; of others numpy might add pairs
    plain = rows.flags.c_contiguous and rows.shape[-1] > 1
    sums: Array = np.add.reduce(rows, axis=-2) if plain else np.add.accumulate(rows, axis=-2)[..., -1, :]
    return sums


@dataclasses.dataclass(frozen=True, eq=False)
class Statistics:
    """One metric's statistics, (systems, segments, k), from which every level and every resample is scored."""

    systems: tuple[str, ...]
    rows: Array  # (systems, segments, k)
    score: Callable[[Array], Array]
    places: Ints | None = None  # of the segments in the test set, where these are some of them

    def __post_init__(self) -> None:
        if self.rows.ndim != 3 or len(self.rows) != len(self.systems):
            raise InputError(
                f"Statistics of {len(self.systems)} systems need that many tables, got {self.rows.shape}.",
                hint="Stack one table of rows a system.",
            )

    def segments(self) -> Array:
        """One score a system and segment, (systems, segments)."""
        return self.score(self.rows)

    def total(self) -> Array:
        """The sum of each system, (systems, k)."""
        return total(self.rows, self.places)

    def corpus(self) -> Array:
        """One score a system."""
        return self.score(self.total())

    def part(self, segments: Ints) -> Statistics:
        """The statistics of some of the segments, in their order."""
        places = segments if self.places is None else self.places[segments]
        return dataclasses.replace(self, rows=self.rows[:, segments], places=places)
