"""Classical tests on bare arrays: the sign test and Wilcoxon's rank-sum test, by way of scipy.

scipy is imported where it is needed: `scipy.stats` takes half a second, which other commands should not wait.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def sign_test(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
    """Two-sided p-values of the exact sign test, ties dropped; 1 where nothing was decided.

    >>> sign_test([30, 7, 0], [10, 0, 0]).round(4).tolist()
    [0.0022, 0.0156, 1.0]
    """
    from scipy.special import bdtr

    fewer = np.minimum(wins, losses)
    p: Array = np.minimum(1.0, 2 * bdtr(fewer, np.asarray(wins) + np.asarray(losses), 0.5))
    return p


def rank_sum(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """One-sided p-value of Wilcoxon's rank-sum test (Mann-Whitney U) that a is greater than b.

    The normal approximation with corrections for ties and continuity, whatever the size; NaN without data.

    >>> round(rank_sum([3, 4, 5], [1, 2, 3]), 4)
    0.0606
    """
    from scipy.stats import mannwhitneyu

    if not len(np.atleast_1d(a)) or not len(np.atleast_1d(b)):
        return float("nan")
    return float(mannwhitneyu(a, b, alternative="greater", method="asymptotic", use_continuity=True).pvalue)
