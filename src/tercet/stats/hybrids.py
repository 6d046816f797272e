"""Hybrid systems: many systems made of a few, so that small differences between metrics show (Graham and Liu 2016).

A hybrid is made of two systems, drawn at random; for each segment it takes the output of one or the other, at random,
too. No text is put together: as statistics are additive, a hybrid's are the sums of the rows that it took. Hybrid
number h of a seed is always the same, so that the scores of metrics and of people, asked for one by one, are of the
same hybrids.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.errors import InputError
from tercet.stats.resampling import Array, ScoreFunction

HYBRIDS = 10_000


def choose(n_systems: int, n_items: int, hybrids: int, seed: int, *, threads: int = 1) -> npt.NDArray[np.int32]:
    """The system whose output each hybrid takes for each item, (hybrids, items).

    >>> chosen = choose(3, 8, hybrids=2, seed=1)
    >>> chosen.shape, [len(set(row)) for row in chosen.tolist()]
    ((2, 8), [2, 2])
    """
    _check(n_systems, hybrids)
    return kernels.hybrid_choices(n_systems, n_items, hybrids, 0, seed, threads)


def hybrid_scores(rows: Array, score: ScoreFunction, hybrids: int, seed: int, *, threads: int = 1) -> Array:
    """The corpus score of every hybrid, from statistics of the systems: (systems, items, k) -> (hybrids,).

    >>> rows = np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 5.0], [0.0, 1.0]]])
    >>> hybrid_scores(rows, lambda s: s[..., 0] / s[..., 1], hybrids=4, seed=1).shape
    (4,)
    """
    _check(len(rows), hybrids)
    return score(kernels.hybrid_sums(np.ascontiguousarray(rows, dtype=np.float64), hybrids, 0, seed, threads))


def hybrid_means(values: Array, hybrids: int, seed: int, *, threads: int = 1) -> Array:
    """The mean score of every hybrid over the outputs that have one: (systems, items) -> (hybrids,).

    For scores of people, who have not seen every output (NaN), and metrics that are means of segment scores. NaN for a
    hybrid of which nothing was scored.

    >>> hybrid_means(np.array([[1.0, np.nan], [1.0, np.nan]]), hybrids=2, seed=1).tolist()
    [1.0, 1.0]
    """
    there = ~np.isnan(values)
    rows = np.stack([np.where(there, values, 0.0), there], axis=2)
    return hybrid_scores(rows, _mean, hybrids, seed, threads=threads)


def _mean(sums: Array) -> Array:
    with np.errstate(invalid="ignore"):
        mean: Array = sums[..., 0] / sums[..., 1]
    return mean


def _check(n_systems: int, hybrids: int) -> None:
    if n_systems < 2:
        raise InputError(f"A hybrid needs two systems, and there are {n_systems}.", hint="Give more systems.")
    if hybrids < 0:
        raise InputError(f"{hybrids} hybrids are asked for.", hint="Ask for 0 or more.")
