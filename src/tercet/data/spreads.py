"""Numbers as they spread: histograms, and two columns of numbers as cells that hold points."""

from __future__ import annotations

import dataclasses
import math
import sys

import numpy as np

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


def rising_edges(values: Array, bins: int) -> Array:
    """Edges of bins of one width, from the least value to the largest, or around them where they are too close.

    >>> rising_edges(np.array([2.0, 2.0]), 2).tolist()
    [1.5, 2.0, 2.5]
    """
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("what is counted in bins is a row of finite numbers")
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    apart = 4 * bins * math.ulp(max(-low, high))  # so that no two edges are one number
    if high - low < apart:
        low, high = max(low - apart, -sys.float_info.max), min(high + apart, sys.float_info.max)
    scale = 1.0 if high - low < sys.float_info.max / 4 else 0.25  # no width is infinite
    return np.asarray(np.linspace(low * scale, high * scale, bins + 1) / scale)
