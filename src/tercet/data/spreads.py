"""Numbers as they spread: histograms, and two columns of numbers as cells that hold points."""

from __future__ import annotations

import dataclasses

from tercet.data.statistics import Array, Ints


@dataclasses.dataclass(frozen=True, eq=False)
class Histogram:
    """How many numbers lie between each two of the edges, and the median of them all."""

    edges: Array  # (bins + 1,)
    counts: Ints  # (bins,)
    median: float


@dataclasses.dataclass(frozen=True, eq=False)
class Density:
    """How many points lie in each cell, and the mean height of those in a column (NaN for few)."""

    across: Array  # (cells + 1,): edges of the columns
    up: Array  # (cells + 1,): edges of the rows
    counts: Ints  # (columns, rows)
    means: Array  # (columns,)
