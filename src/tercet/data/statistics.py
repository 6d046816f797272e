"""Statistics: the hinge. Additive numbers for every system and segment, with the function that reads them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError

Array = npt.NDArray[np.float64]


def total(rows: Array) -> Array:
    """The sum over segments, (..., n, k) -> (..., k), taken in their order.

    The order is part of the result: adding a later part to an earlier sum gives the same bits as one sum
    over all, so that a file read in pieces scores as it does in one.
    """
    if rows.shape[-2] == 0:
        return np.zeros((*rows.shape[:-2], rows.shape[-1]))
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

    def __post_init__(self) -> None:
        if self.rows.ndim != 3 or len(self.rows) != len(self.systems):
            raise InputError(
                f"Statistics of {len(self.systems)} systems need that many tables, got {self.rows.shape}.",
                hint="Stack one table of rows a system.",
            )

    def segments(self) -> Array:
        """One score a system and segment, (systems, segments)."""
        return self.score(self.rows)

    def total(self, earlier: Array | None = None) -> Array:
        """The sum of each system, (systems, k), taken on from that of an earlier part."""
        return total(self.rows if earlier is None else np.concatenate([earlier[:, None], self.rows], axis=1))

    def corpus(self) -> Array:
        """One score a system."""
        return self.score(self.total())

    def part(self, segments: npt.NDArray[np.int64]) -> Statistics:
        """The statistics of some of the segments."""
        return dataclasses.replace(self, rows=self.rows[:, segments])
