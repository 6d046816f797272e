"""Numbers as they spread: what histograms and densities hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tercet.data.spreads import Density, Histogram, rising_edges

if TYPE_CHECKING:
    from tercet.data.statistics import Array

FEWEST = 5  # points that a mean is drawn of


def histogram(values: Array, bins: int) -> Histogram:
    """Counts in so many bins from the least number to the largest, all of them finite.

    >>> histogram(np.array([1.0, 1.5, 3.0]), 2)
    Histogram(edges=array([1., 2., 3.]), counts=array([2, 1]), median=1.5)
    """
    edges = rising_edges(values, bins)
    counts, _ = np.histogram(values, edges)
    return Histogram(edges, counts, 4 * float(np.median(values / 4)) if len(values) else float("nan"))


def density(across: Array, up: Array, cells: int) -> Density:
    """Points in cells, as many in either direction.

    >>> density(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), 2).counts.tolist()
    [[1, 1], [0, 1]]
    """
    if across.shape != up.shape:
        raise ValueError("points have two coordinates each")
    columns, rows = rising_edges(across, cells), rising_edges(up, cells)
    place, height = (np.clip(np.digitize(v, e) - 1, 0, cells - 1) for v, e in ((across, columns), (up, rows)))
    counts = np.bincount(place * cells + height, minlength=cells**2).reshape(cells, cells)
    total, n = np.bincount(place, up, cells), np.bincount(place, minlength=cells)
    means = np.divide(total, n, out=np.full(cells, np.nan), where=n >= FEWEST)
    return Density(columns, rows, counts, means)
