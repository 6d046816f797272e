"""Measures of sentence-level predictions (Callison-Burch et al. 2012, Bojar et al. 2014), on bare arrays.

DeltaAvg of a ranking is linear in the labels in the order of the ranking: for k = 2..n/2 quantiles it averages the
means of the first 1..k-1 of them, and averages that over k, less the mean of all. So each place has a weight that
depends on n alone, and a ranking scores the weighted sum of its labels. Of a resample, too: an item drawn c times takes
c places.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tercet.stats.correlation import correlations

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEWEST = 4  # items that DeltaAvg needs: two quantiles of two
_CHUNK = 1 << 18  # numbers that are held at once: they fit a cache
DECIMALS = 2  # of an error in the official script


def absolute_errors(predicted: Array, gold: Array, *, compat: bool = False) -> Array:
    """|p - g| of each segment; with `compat` rounded as the official script rounds them."""
    errors: Array = np.abs(predicted - gold)
    return errors.round(DECIMALS) if compat else errors


def mae(predicted: Array, gold: Array, *, compat: bool = False) -> float:
    """Mean absolute error.

    >>> mae(np.array([1.0, 2.0]), np.array([1.5, 2.0]))
    0.25
    """
    return float(absolute_errors(predicted, gold, compat=compat).mean())


def rmse(predicted: Array, gold: Array, *, compat: bool = False) -> float:
    """Root of the mean squared error.

    >>> rmse(np.array([1.0, 2.0]), np.array([4.0, 5.0]))
    3.0
    """
    return float(np.sqrt((absolute_errors(predicted, gold, compat=compat) ** 2).mean()))


@functools.lru_cache(maxsize=8)
def deltaavg_weights(n: int) -> Array:
    """The weight of each place of a ranking of n items; all 0 for fewer than four.

    >>> deltaavg_weights(4).round(3).tolist()
    [0.25, 0.25, -0.25, -0.25]
    """
    weights = np.zeros(n)
    if n < FEWEST:
        return weights
    quantiles = range(2, n // 2 + 1)
    for k in quantiles:
        heads = (n // k) * np.arange(1, k)
        weights[heads - 1] += 1 / heads / (k - 1)
    # a head of m items gives 1/m to each of its places: sums from behind
    weights = np.cumsum(weights[::-1])[::-1] / len(quantiles) - 1 / n
    weights.setflags(write=False)
    return weights


def deltaavg(gold: Array, order: Ints, *, higher: bool = False, compat: bool = False) -> float:
    """DeltaAvg of segments in an order, the best first; positive if the order is better than chance.

    Labels are better the lower they are, unless `higher`. With `compat` the sign is dropped, as later ports do, so that
    an order from worst to best looks as good as its opposite.

    >>> gold = np.array([0.1, 0.2, 0.5, 0.8])
    >>> round(deltaavg(gold, np.array([0, 1, 2, 3])), 4), round(deltaavg(gold, np.array([3, 2, 1, 0])), 4)
    (0.25, -0.25)
    """
    raw = float(deltaavg_weights(len(gold)) @ gold[order])
    return abs(raw) if compat else raw if higher else -raw + 0.0


def best_first(scores: Array, *, higher: bool = False) -> Ints:
    """Places of segments by their scores, the best first; equal scores in the order of the file.

    >>> best_first(np.array([0.3, 0.1, 0.3])).tolist(), best_first(np.array([0.3, 0.1, 0.3]), higher=True).tolist()
    ([1, 0, 2], [0, 2, 1])
    """
    return np.argsort(-scores if higher else scores, kind="stable").astype(np.int64)


def ranks_of(order: Ints) -> Ints:
    """The rank of each segment, from 1, of an order.

    >>> ranks_of(np.array([1, 0, 2])).tolist()
    [2, 1, 3]
    """
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


def spearman_of_ranks(ranks: Ints, gold_ranks: Ints) -> float:
    """Spearman's coefficient of ranks without ties, as the official script computes it; NaN for one segment.

    >>> spearman_of_ranks(np.array([1, 2, 3]), np.array([1, 3, 2]))
    0.5
    """
    n = len(ranks)
    squares = float(((ranks - gold_ranks).astype(np.float64) ** 2).sum())
    return 1 - 6 * squares / (n * (n * n - 1)) if n > 1 else float("nan")


def pearson(predicted: Array, gold: Array) -> float:
    """Pearson's r; NaN if either is constant."""
    return float(correlations("pearson", gold[None], predicted[None])[0, 0])


def spearman(predicted: Array, gold: Array) -> float:
    """Spearman's rho, ties with their mean rank; NaN if either is constant."""
    return float(correlations("spearman", gold[None], predicted[None])[0, 0])


def kendall(predicted: Array, gold: Array) -> float:
    """Kendall's tau-b; NaN if either is constant."""
    return float(correlations("tau-b", gold[None], predicted[None])[0, 0])


def resampled_deltaavg(
    gold: Array,
    orders: Sequence[Ints],
    samples: int,
    seed: int,
    *,
    higher: bool = False,
    compat: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """DeltaAvg of several orders on the same resamples of the segments: (orders, samples).

    A resample keeps the order of each system. With W the running sums of the weights and C those of how often segments
    were drawn, in the order of a system, its score is the sum of g[i] (W[C[i]] - W[C[i-1]]); by parts, one product.
    """
    n = len(gold)
    running = np.concatenate([[0.0], np.cumsum(deltaavg_weights(n))])
    steps = []
    for order in orders:
        labels = gold[order]
        steps.append(labels - np.append(labels[1:], 0.0))
    rng = np.random.default_rng(seed)
    out = np.empty((len(orders), samples))
    size = max(1, _CHUNK // max(n, 1))
    for start in range(0, samples, size):
        many = min(size, samples - start)
        draws = rng.integers(n, size=(many, n), dtype=np.int64) * many + np.arange(many)[:, None]
        # segments in rows, so that the sums below run over all resamples at once
        counts = np.bincount(draws.reshape(-1), minlength=many * n).reshape(n, many).astype(np.int32)
        for o, order in enumerate(orders):
            places = np.cumsum(counts[order], axis=0, dtype=np.int32)
            out[o, start : start + many] = steps[o] @ running[places]
        if progress:
            progress(many)
    return np.abs(out) if compat else out if higher else -out
