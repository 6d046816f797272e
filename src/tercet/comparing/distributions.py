"""How the segment scores of a metric spread, for a page to draw."""

from __future__ import annotations

import math

import numpy as np

from tercet.data import Array, Distribution
from tercet.data.spreads import rising_edges

BINS = (5, 20)  # at least, at most
OUTERMOST = (0.005, 0.995)


def distribution(metric: str, values: Array) -> Distribution:
    """How many segments score how much, as shares, from (systems, segments); infinite scores are in the outer bins.

    There are as many bins as the root of the number of segments, within limits.
    """
    bins = min(max(BINS[0], math.isqrt(values.shape[1])), BINS[1])
    finite = values[np.isfinite(values)]
    ends = 4 * np.quantile(finite / 4, OUTERMOST) if len(finite) else np.zeros(2)  # also of giant ones
    edges = rising_edges(ends, bins)
    counts = np.stack([np.histogram(np.clip(row, edges[0], edges[-1]), edges)[0] for row in values])
    return Distribution(metric, edges, counts / np.maximum(1, counts.sum(axis=1, keepdims=True)))
