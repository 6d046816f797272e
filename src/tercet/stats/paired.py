"""Tests of paired differences on bare arrays: are means of differences, query by query, more than chance?

Smucker et al. (2007) compare them for retrieval: randomisation and Student's t agree, sign and rank tests mislead.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tercet.stats.rounding import reaches, signs

Array = npt.NDArray[np.float64]

_TOGETHER = 1 << 22  # numbers held at once
_DIGITS = 10


def sign_flips(differences: Array, trials: int, seed: int) -> Array:
    """Two-sided p-values (rows,) of differences (rows, n): how often do random signs give as large a sum?

    >>> sign_flips(np.array([[1.0, 2, 1, 3, 2, 1, 2, 1], [1, -1, 2, -2, 0, 0, 1, -1]]), 9999, 1).round(2).tolist()
    [0.01, 1.0]
    """
    rows, n = differences.shape
    rng = np.random.default_rng(seed)
    observed, scale = np.abs(differences.sum(axis=1)), np.abs(differences).sum(axis=1)
    extreme = np.zeros(rows, dtype=np.int64)
    step = max(1, _TOGETHER // max(1, n + rows))
    for done in range(0, trials, step):
        flips = 2.0 * rng.integers(2, size=(min(step, trials - done), n)) - 1
        extreme += reaches(np.abs(flips @ differences.T), observed, scale).sum(axis=0)
    p: Array = (extreme + 1) / (trials + 1)
    return p


def signed_rank(differences: Array) -> Array:
    """Two-sided p-values (rows,) of Wilcoxon's signed-rank test on differences (rows, n), exact for few without ties.

    Differences of 0 are left out, as in Wilcoxon (1945); where nothing else is there, p is 1. Sizes that are equal but
    for rounding share a rank: scipy on the bare differences ranks them by the noise of their last bits, which moves p
    in the fourth digit.

    >>> signed_rank(np.array([[1.0, 2, 3, 4, 5, -6], [0, 0, 0, 0, 0, 0]])).round(4).tolist()
    [0.4375, 1.0]
    """
    from scipy.stats import wilcoxon

    changed = [row[signs(row) != 0] for row in differences]
    return np.array([wilcoxon(np.round(row, _DIGITS)).pvalue if len(row) else 1.0 for row in changed])


def paired_t(differences: Array) -> Array:
    """Two-sided p-values (rows,) of Student's t-test on differences (rows, n); NaN where they do not vary.

    >>> paired_t(np.array([[1.0, 2, 1, 3], [1, -1, 2, -2], [1, 1, 1, 1]])).round(4).tolist()
    [0.0354, 1.0, nan]
    """
    from scipy.special import stdtr

    n = differences.shape[1]
    if n < 2:
        return np.full(len(differences), np.nan)
    spread = differences.std(axis=1, ddof=1)
    spread = np.where(signs(np.ptp(differences, axis=1)) > 0, spread, np.nan)
    t = differences.mean(axis=1) / (spread / np.sqrt(n))
    p: Array = 2 * stdtr(n - 1, -np.abs(t))
    return p
