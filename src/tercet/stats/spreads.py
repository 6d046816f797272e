"""Numbers as they spread: what histograms and densities hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tercet.data.spreads import Density, Histogram

if TYPE_CHECKING:
    from tercet.data.statistics import Array

FEWEST = 5  # points that a mean is drawn of


def histogram(values: Array, edges: Array | int) -> Histogram:
    """Counts between edges, or in so many bins from the least number to the largest.

    >>> histogram(np.array([1.0, 1.5, 3.0]), 2)
    Histogram(edges=array([1., 2., 3.]), counts=array([2, 1]), median=1.5)
    """
    counts, ends = np.histogram(values, edges)
    return Histogram(ends.astype(np.float64), counts, float(np.median(values)) if len(values) else float("nan"))


def density(across: Array, up: Array, cells: int) -> Density:
    """Points in cells, as many in either direction.

    >>> density(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), 2).counts.tolist()
    [[1, 1], [0, 1]]
    """
    counts, columns, rows = np.histogram2d(across, up, bins=cells)
    place = np.clip(np.digitize(across, columns) - 1, 0, cells - 1)
    total, n = np.bincount(place, up, cells), np.bincount(place, minlength=cells)
    means = np.divide(total, n, out=np.full(cells, np.nan), where=n >= FEWEST)
    return Density(columns, rows, counts.astype(np.int64), means)
