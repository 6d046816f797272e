"""Soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah 2024): do people and metric agree on how sure it is?

For every two systems, a paired permutation test over the items gives the p-value that the first one is better, once
from the scores of people and once from those of the metric. The accuracy is 1 less their mean absolute difference.
As in mt-metrics-eval, random signs come from numpy's `default_rng(4)`, all pairs share them, and sums are in 32 bits:
with complete tables the figures are the same to the last digit. Only pairs (i, j) with i before j are looked at, and
the test is one-sided, so that the order of the systems matters a little.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError

Array = npt.NDArray[np.float64]
_Singles = npt.NDArray[np.float32]

_KEPT = 1 << 24  # signs that are worth keeping for the next metric
_CHUNK = 1 << 26


class SoftPairwiseAccuracy(NamedTuple):
    """The accuracy with the p-values behind it, and what was left out because a score is missing."""

    value: float  # NaN for fewer than two systems, or no item
    gold_p: Array  # (systems, systems), NaN on and below the diagonal, and for systems that were left out
    metric_p: Array
    items: int  # that every system has
    items_left_out: int
    systems_left_out: int  # that have no item at all


def soft_pairwise_accuracy(gold: Array, metric: Array, draws: int, seed: int) -> SoftPairwiseAccuracy:
    """The accuracy of a metric's scores beside people's, (systems, items) each.

    An item that one of the systems lacks is left out for all: the tests are paired.

    >>> gold = np.array([[3.0, 2.0, 4.0, 3.0, 5.0], [1.0, 2.0, 1.0, 2.0, 1.0]])
    >>> found = soft_pairwise_accuracy(gold, gold[::-1].copy(), draws=1000, seed=4)
    >>> round(found.value, 3), found.gold_p.tolist(), found.metric_p.tolist()
    (0.074, [[nan, 0.074], [nan, nan]], [[nan, 1.0], [nan, nan]])
    """
    if gold.ndim != 2 or gold.shape != metric.shape:
        raise InputError(
            f"Human scores {gold.shape} and those of a metric {metric.shape} do not fit together.",
            hint="Give tables with one row a system and one column an item.",
        )
    there = ~(np.isnan(gold) | np.isnan(metric))
    systems = np.flatnonzero(there.any(axis=1))
    items = np.flatnonzero(there[systems].all(axis=0))
    kept = np.ix_(systems, systems)
    human, said = np.full((2, len(gold), len(gold)), np.nan)
    value = float("nan")
    if len(systems) > 1 and len(items):
        for p, scores in ((human, gold), (said, metric)):
            p[kept] = paired_permutation_p(scores[np.ix_(systems, items)], draws, seed)
        pairs = np.triu_indices(len(systems), 1)
        value = 1.0 - float(np.mean(np.abs(human - said)[kept][pairs]))
    return SoftPairwiseAccuracy(value, human, said, len(items), gold.shape[1] - len(items), len(gold) - len(systems))


def paired_permutation_p(scores: Array, draws: int, seed: int) -> Array:
    """p[i, j], i < j: the share of random signs under which system i is as far above j as it is; (systems, items)."""
    if draws < 1:
        raise InputError(f"{draws} permutations give no p-value.", hint="Draw 1 or more; 1000 are usual.")
    systems, n = scores.shape
    single = scores.astype(np.float32)
    totals = np.sum(single, axis=1)
    p = np.full((systems, systems), np.nan)
    upper = np.triu_indices(systems, 1)
    count = np.zeros(len(upper[0]), dtype=np.int64)
    gaps = totals[upper[0]] - totals[upper[1]]
    for signs in _signs(draws, n, seed):
        sums = np.matmul(signs, single.T)
        for first in range(systems - 1):
            pairs = upper[0] == first
            count[pairs] += (sums[:, [first]] - sums[:, first + 1 :] >= gaps[pairs]).sum(axis=0)
    p[upper] = count / draws
    return p


def _signs(draws: int, n: int, seed: int) -> Iterable[_Singles]:
    return [_kept_signs(draws, n, seed)] if draws * n <= _KEPT else _new_signs(draws, n, seed)


@functools.lru_cache(maxsize=1)
def _kept_signs(draws: int, n: int, seed: int) -> _Singles:
    return next(_new_signs(draws, n, seed))


def _new_signs(draws: int, n: int, seed: int) -> Iterator[_Singles]:
    rng = np.random.default_rng(seed)
    step = max(1, _CHUNK // max(n, 1))
    for done in range(0, draws, step):
        drawn = rng.random((min(step, draws - done), n), dtype=np.float32)
        yield np.where(drawn > 0.5, np.float32(1), np.float32(-1))
