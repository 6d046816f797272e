"""Intervals and thresholds that hold with a stated probability, whatever the model: conformal prediction.

Labels that the model was not trained on say how far off it is. If new segments are exchangeable with these, then

    conformal_quantile      the error that a new segment exceeds with a probability of at most alpha (Vovk et al. 2005)
    group_quantiles         the same within each group, such as segments of a length (Mondrian)
    risk_threshold          the threshold at which the expected loss of a decision is at most alpha (Angelopoulos 2024)
    selective_threshold     the threshold at which the share of bad ones among those taken is at most alpha, but for a
                            probability delta over the calibration labels (fixed-sequence testing, Angelopoulos 2021)

Several translations of one sentence are not independent of each other: a hundred of them say less than a hundred
sentences do. Where `sources` says which belong together, it is the sentences that are exchangeable. Each then counts
as one, its translations sharing that, and a new translation is one of a sentence that calibration has not seen
(hierarchical conformal prediction, Lee, Barber and Willett 2023).

All of them on bare arrays. What cannot be promised from so few labels is said as inf, or as a threshold that takes
nothing, never as a guess.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError
from tercet.numbers import plain

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_STEPS = 20  # of a fixed sequence: at each one it may end by bad luck


def conformal_quantile(errors: Array, alpha: float, sources: Ints | None = None) -> float:
    """The value that the error of a new segment exceeds with a probability of at most alpha; inf if n is too small.

    It is the k-th smallest of n errors, k = ceil((n + 1)(1 - alpha)); with sources, the smallest that has a share
    1 - alpha of the weight up to it, where each of K sources has 1 / (K + 1), and as much is beyond all errors.

    >>> conformal_quantile(np.arange(1.0, 20.0), 0.1), conformal_quantile(np.arange(5.0), 0.1)
    (18.0, inf)
    >>> conformal_quantile(np.array([1.0, 2.0, 3.0, 4.0]), 0.25, np.array([0, 0, 1, 2]))
    4.0
    """
    _check_level(alpha)
    if not np.isfinite(errors).all():
        raise InputError("An error of calibration is not finite.", hint="Leave out segments without a label.")
    weights, n_sources = _weights(len(errors), sources)
    order = np.argsort(errors, kind="stable")
    # (n + 1)(1 - alpha) is a whole number more often than its rounding says
    place = int(np.searchsorted(np.cumsum(weights[order]), (n_sources + 1) * (1 - alpha) - 1e-9))
    return float(errors[order[place]]) if place < len(errors) else math.inf


def _weights(n: int, sources: Ints | None) -> tuple[Array, int]:
    """What each segment counts, its source counting 1; and how many sources there are."""
    if sources is None:
        return np.ones(n), n
    if len(sources) != n:
        raise InputError(f"There are {n} segments and {len(sources)} sources.", hint="Give each segment its source.")
    _, which, sizes = np.unique(sources, return_inverse=True, return_counts=True)
    return 1 / sizes[which], len(sizes)


def group_quantiles(
    errors: Array, groups: Sequence[str] | Ints, alpha: float, sources: Ints | None = None
) -> dict[str | int, float]:
    """A quantile for each group by its own errors, so that coverage holds within it; inf for one that is too small.

    >>> group_quantiles(np.array([1.0, 2.0, 3.0, 10.0, 20.0, 30.0]), ["a", "a", "a", "b", "b", "b"], 0.25)
    {'a': 3.0, 'b': 30.0}
    """
    names = np.asarray(groups)
    if len(names) != len(errors):
        raise InputError(f"There are {len(errors)} errors and {len(names)} groups.", hint="Give each error a group.")
    return {
        name: conformal_quantile(errors[names == name], alpha, None if sources is None else sources[names == name])
        for name in np.unique(names).tolist()
    }


def length_edges(lengths: Array, groups: int, least: int) -> Array:
    """Inner edges that part lengths into so many groups of about one size, or fewer if one had fewer than `least`.

    >>> length_edges(np.arange(1.0, 101.0), 4, 20).tolist()
    [26.0, 51.0, 76.0]
    """
    while groups > 1:
        edges = np.unique(np.quantile(lengths, np.arange(1, groups) / groups, method="higher"))
        counts = np.bincount(length_groups(lengths, edges), minlength=len(edges) + 1)
        if counts.min() >= least:
            return edges.astype(np.float64)
        groups -= 1
    return np.zeros(0)


def length_groups(lengths: Array, edges: Array) -> Ints:
    """The group of each length: 0 below the first edge, and so on.

    >>> length_groups(np.array([1.0, 26.0, 200.0]), np.array([26.0, 51.0, 76.0])).tolist()
    [0, 1, 3]
    """
    return np.searchsorted(edges, lengths, side="right").astype(np.int64)


def intervals(predicted: Array, half_width: Array | float, low: float = -math.inf, high: float = math.inf) -> Array:
    """Lower and upper ends around predictions, kept within what a label can be: (n, 2).

    >>> intervals(np.array([0.1, 0.5]), 0.2, 0.0, 1.0).round(3).tolist()
    [[0.0, 0.3], [0.3, 0.7]]
    """
    ends = np.stack([predicted - half_width, predicted + half_width], axis=1)
    return np.clip(ends, low, high)


def by_group(groups: Sequence[str] | Ints, quantiles: Mapping[str | int, float]) -> Array:
    """The quantile of each segment by its group; inf for a group that calibration did not see."""
    return np.array([quantiles.get(group, math.inf) for group in np.asarray(groups).tolist()], dtype=np.float64)


def risk_threshold(
    scores: Array, losses: Array, alpha: float, *, bound: float = 1.0, sources: Ints | None = None
) -> float:
    """The largest t such that taking every segment with a score of at most t has an expected loss of at most alpha.

    A segment that is not taken costs nothing; one that is taken costs its loss, from 0 to `bound`. What is promised is
    the mean over all segments, taken or not. -inf where nothing may be taken.

    >>> scores, bad = np.arange(1.0, 100.0), np.arange(1.0, 100.0) > 80
    >>> risk_threshold(scores, bad.astype(float), 0.1)
    89.0
    """
    _check_level(alpha)
    _check_losses(scores, losses, bound)
    weights, n_sources = _weights(len(scores), sources)
    values, risk = _taken(scores, losses * weights)
    allowed = np.flatnonzero(risk + bound <= alpha * (n_sources + 1) + 1e-9)
    return float(values[allowed[-1]]) if len(allowed) else -math.inf


def selective_threshold(
    scores: Array, bad: Bools, alpha: float, delta: float = 0.1, sources: Ints | None = None
) -> float:
    """The largest t such that of segments with a score of at most t no more than a share alpha is bad, with 1 - delta.

    Thresholds are tested one after the other, from few segments to many, by the exact binomial test; the last one
    before a test fails is the answer. -inf where not even the first can be promised. The test wants independent
    segments: of those with one source, one is drawn by lot.

    >>> scores = np.arange(1.0, 401.0)
    >>> selective_threshold(scores, scores > 300, 0.1, 0.1) > 300
    True
    """
    from scipy.special import bdtr

    _check_level(alpha)
    _check_level(delta)
    if sources is not None:
        lot = np.random.default_rng(len(scores)).permutation(len(scores))
        drawn = lot[np.unique(sources[lot], return_index=True)[1]]
        scores, bad = scores[drawn], bad[drawn]
    values, failures = _taken(scores, bad.astype(np.float64))
    counts = np.searchsorted(np.sort(scores), values, side="right")
    # a third of these pass only with no failure at all: one bad segment among the best would end the sequence
    fewest = 3 * math.ceil(math.log(delta) / math.log1p(-alpha))
    steps = np.flatnonzero(counts >= fewest)
    if len(steps) > _STEPS:
        steps = steps[np.linspace(0, len(steps) - 1, _STEPS).astype(np.int64)]
    answer = -math.inf
    for step in steps:
        if bdtr(float(failures[step]), int(counts[step]), alpha) > delta:
            break
        answer = float(values[step])
    return answer


def _taken(scores: Array, losses: Array) -> tuple[Array, Array]:
    """The distinct scores, and the sum of losses of segments up to each."""
    order = np.argsort(scores, kind="stable")
    values, last = np.unique(scores[order][::-1], return_index=True)
    return values, np.cumsum(losses[order])[len(scores) - 1 - last] if len(scores) else np.zeros(0)


def _check_losses(scores: Array, losses: Array, bound: float) -> None:
    if len(scores) != len(losses):
        raise InputError(f"There are {len(scores)} scores and {len(losses)} losses.", hint="Give each score a loss.")
    if not ((losses >= 0) & (losses <= bound)).all():
        raise InputError(f"Losses must be from 0 to {plain(bound)}.", hint="Divide them, or give another bound.")


def _check_level(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"A probability of {plain(alpha)} was asked for.", hint="It lies between 0 and 1, as .05.")
