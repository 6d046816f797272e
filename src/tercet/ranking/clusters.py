"""Ranks, rank ranges and clusters, the same for every ranker.

A rank range is where a system falls in the given share of resamples. Clusters are the largest number of groups such
that the ranges of two systems in different groups do not touch (Bojar et al. 2014, footnote in section 3.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tercet.data import Array, Ints
from tercet.ranking.base import Bools


def ranks(scores: Array, names: Ints, variance: Array | None = None) -> Ints:
    """The rank of each system in every sample, (..., systems): 1 is best, and no rank is shared.

    Equal scores are ordered by larger variance, then by `names`, the larger one first, as in the reference code. NaN is
    last.

    >>> ranks(np.array([[0.1, 0.5, 0.1]]), np.array([0, 1, 2])).tolist()
    [[3, 1, 2]]
    """
    spread = np.zeros_like(scores) if variance is None else variance
    keys = np.stack([-np.broadcast_to(names, scores.shape).astype(np.float64), -spread, -scores])
    order = np.lexsort(keys, axis=-1)
    out = np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(out, order, np.broadcast_to(np.arange(1, scores.shape[-1] + 1), scores.shape), axis=-1)
    return out


def name_order(systems: tuple[str, ...]) -> Ints:
    """The place of each system in the order of names, which decides between equals."""
    order = np.empty(len(systems), dtype=np.int64)
    order[sorted(range(len(systems)), key=systems.__getitem__)] = np.arange(len(systems))
    return order


def rank_range(sampled: npt.ArrayLike, confidence: float = 0.95) -> tuple[int, int]:
    """The ranks between which a system falls: as many samples are cut off at either end as confidence leaves out.

    >>> rank_range([1] * 60 + [2] * 38 + [3] * 2)
    (1, 2)
    """
    ordered = np.sort(np.asarray(sampled))
    cut = clipped(len(ordered), confidence)
    return int(ordered[cut]), int(ordered[len(ordered) - 1 - cut])


def clipped(samples: int, confidence: float) -> int:
    """How many samples are cut off at either end, never all of them."""
    # without rounding, 1000 * .95 and the like might be a hair off a whole number
    return min(math.ceil(round((samples - samples * confidence) / 2, 9)), (samples - 1) // 2)


def by_range(low: Sequence[int], high: Sequence[int], *, compat: bool = False) -> list[int]:
    """The cluster of each system, 1 the best; systems and their ranges are given in order, the best first.

    `compat` draws lines as the reference script does: it looks at a system's own range only, and can cut through a
    wider range above.

    >>> by_range([1, 1, 3, 5], [4, 2, 4, 5]), by_range([1, 1, 3, 5], [4, 2, 4, 5], compat=True)
    ([1, 1, 1, 2], [1, 1, 2, 3])
    """
    clusters: list[int] = []
    worst = 0
    for i, best in enumerate(low):
        reach = (high[i - 1] if compat else worst) if i else 0
        new = i > 0 and min(low[i:]) > reach
        clusters.append(1 if not clusters else clusters[-1] + new)
        worst = max(worst, high[i], best)
    return clusters


def by_tests(better: Bools) -> list[int]:
    """The cluster of each system, the best first: one ends where all above are better than all below.

    >>> by_tests(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))
    [1, 1, 2]
    """
    clusters: list[int] = []
    for i in range(len(better)):
        new = i > 0 and bool(better[:i, i:].all())
        clusters.append(1 if not clusters else clusters[-1] + new)
    return clusters
