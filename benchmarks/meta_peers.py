"""The methods of mt-metrics-eval as its documentation states them, with numpy and scipy.

The package is not on PyPI (what has its name there is something else), so its loops are written here: permutation of
two metrics' scores with a correlation by scipy for every draw, calibration of ties pair by pair, and permutation of
segments pair by pair of systems. They are what our kernels are timed against, and what their results must equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.stats

Array = npt.NDArray[np.float64]
Correlation = Callable[[Array, Array], float]


def pearson(gold: Array, metric: Array) -> float:
    """Over all scores at once."""
    return float(scipy.stats.pearsonr(gold.ravel(), metric.ravel()).statistic)


def tau_by_item(gold: Array, metric: Array) -> float:
    """Kendall's tau-b of the systems of each segment, averaged over those where it is defined."""
    values = [scipy.stats.kendalltau(gold[:, i], metric[:, i]).statistic for i in range(gold.shape[1])]
    return float(np.nanmean(values))


def standardised(first: Array, second: Array) -> tuple[Array, Array]:
    """Scores of two metrics, over all entries."""
    return (first - first.mean()) / first.std(), (second - second.mean()) / second.std()


def difference(gold: Array, first: Array, second: Array, correlation: Correlation) -> float:
    """How much better the second metric correlates with people."""
    one, two = standardised(first, second)
    return correlation(gold, two) - correlation(gold, one)


def perm_both(gold: Array, first: Array, second: Array, correlation: Correlation, draws: int, seed: int) -> float:
    """The share of swaps of standardised scores whose difference is as large as the observed one."""
    rng = np.random.default_rng(seed)
    one, two = standardised(first, second)
    delta = difference(gold, first, second, correlation)
    larger = 0
    for _ in range(draws):
        swap = rng.random(gold.shape) < 0.5
        gap = correlation(gold, np.where(swap, one, two)) - correlation(gold, np.where(swap, two, one))
        larger += gap >= delta
    return larger / draws


def hybrid_bleu(rows: Array, choices: list[int]) -> float:
    """BLEU of a hybrid, segment by segment: the lengths of both sides, then matches and totals of 1 to 4 words."""
    hypothesis, reference, *counts = (
        sum(float(rows[system, segment, column]) for segment, system in enumerate(choices)) for column in range(10)
    )
    logs = [math.log(right / total) for right, total in zip(counts[:4], counts[4:], strict=True)]
    brevity = min(0.0, 1 - reference / hypothesis)
    return 100 * math.exp(brevity + sum(logs) / 4)


def calibrate(gold: Array, metric: Array) -> tuple[float, float]:
    """Epsilon of the best mean accuracy over segments: pairs become ties one after the other, the nearest first."""
    systems, items = gold.shape
    total = systems * (systems - 1) // 2 * items
    right, moves = 0, []
    for human, said in zip(gold.T.tolist(), metric.T.tolist(), strict=True):
        for a in range(systems):
            for b in range(a + 1, systems):
                gap, difference = human[a] - human[b], said[a] - said[b]
                agrees = (gap > 0) - (gap < 0) == (difference > 0) - (difference < 0)
                right += agrees
                if difference != 0:
                    moves.append((abs(difference), (gap == 0) - agrees))
    moves.sort(key=lambda move: move[0])
    best, epsilon = right, 0.0
    for k, (difference, change) in enumerate(moves):
        right += change
        last = k + 1 == len(moves) or moves[k + 1][0] != difference
        if last and right > best:
            best, epsilon = right, difference
    return best / total, epsilon


def soft_pairwise_accuracy(gold: Array, metric: Array, draws: int = 1000, seed: int = 4) -> float:
    """1 less the mean difference of two p-values over pairs of systems, each with the same signs of segments."""
    upper = np.triu_indices(len(gold), 1)
    return 1 - float(np.mean(np.abs(p_values(gold, draws, seed) - p_values(metric, draws, seed))[upper]))


def p_values(scores: Array, draws: int, seed: int) -> Array:
    """p that a system is better than a later one; signs are drawn anew for every table, sums are in 32 bits."""
    signs = np.rint(np.random.default_rng(seed).random((draws, scores.shape[1]), dtype=np.float32)) * 2 - 1
    single = scores.astype(np.float32)
    sums, totals = signs @ single.T, single.sum(axis=1)
    p = np.full((len(scores), len(scores)), np.nan)
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            p[i, j] = (sums[:, i] - sums[:, j] >= totals[i] - totals[j]).mean()
    return p
