"""Tests of paired differences on bare arrays: are means of differences, query by query, more than chance?

Smucker et al. (2007) compare them for retrieval: randomisation and Student's t agree, sign and rank tests mislead.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_TOGETHER = 1 << 22  # numbers held at once
_ROUNDING = 1e-9  # sums that differ by less are equal: precisions at 5 are full of ties


def sign_flips(differences: Array, trials: int, seed: int) -> Array:
    """Two-sided p-values (rows,) of differences (rows, n): how often do random signs give as large a sum?

    >>> sign_flips(np.array([[1.0, 2, 1, 3, 2, 1, 2, 1], [1, -1, 2, -2, 0, 0, 1, -1]]), 9999, 1).round(2).tolist()
    [0.01, 1.0]
    """
    rows, n = differences.shape
    rng = np.random.default_rng(seed)
    observed = np.abs(differences.sum(axis=1)) - _ROUNDING
    extreme = np.zeros(rows, dtype=np.int64)
    step = max(1, _TOGETHER // max(1, n + rows))
    for done in range(0, trials, step):
        signs = 2.0 * rng.integers(2, size=(min(step, trials - done), n)) - 1
        extreme += (np.abs(signs @ differences.T) >= observed).sum(axis=0)
    p: Array = (extreme + 1) / (trials + 1)
    return p


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
    spread = np.where(np.ptp(differences, axis=1) > _ROUNDING, spread, np.nan)
    t = differences.mean(axis=1) / (spread / np.sqrt(n))
    p: Array = 2 * stdtr(n - 1, -np.abs(t))
    return p
