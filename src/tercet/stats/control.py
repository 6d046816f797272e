"""Quality control of judges who score items: do they see a degraded output, and do they repeat themselves?

Direct assessment shows some outputs twice, and some degraded (Graham et al. 2017): a judge is kept if the degraded
ones score lower. The published program used a paired t-test, the papers of WMT17 to WMT20 describe a rank-sum test.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet.stats.classical import rank_sum

Array = npt.NDArray[np.float64]


class BadReferenceTest(NamedTuple):
    """One-sided p-values that bad references score lower, and the t of the paired test; NaN where undefined."""

    p_ranksum: float
    p_paired_t: float
    t: float


def bad_reference_test(original: Array, bad: Array) -> BadReferenceTest:
    """Both tests on the scores of outputs and of the same outputs degraded, pair by pair.

    The rank-sum test is the normal approximation, corrected for ties and continuity. It is undefined where all
    scores are equal; the paired test where there are fewer than two pairs, or all scores are equal.

    >>> test = bad_reference_test(np.array([80.0, 90.0, 70.0]), np.array([20.0, 45.0, 30.0]))
    >>> round(test.p_ranksum, 3), round(test.p_paired_t, 3)
    (0.04, 0.008)
    """
    t, p_less = paired_t(bad - original, np.zeros(len(bad), dtype=np.int64), 1, two_sided=False)
    both = np.concatenate([original, bad])
    differ = len(original) > 0 and bool((both != both[0]).any())
    return BadReferenceTest(rank_sum(original, bad) if differ else float("nan"), float(p_less[0]), float(t[0]))


def paired_t(
    differences: Array, group: npt.NDArray[np.int64], n_groups: int, *, two_sided: bool = True
) -> tuple[Array, Array]:
    """t and p of each group of differences, (n_groups,) each: that their mean is not 0, or that it is less.

    NaN for a group of fewer than two. Differences that are all the same give p = 0; all zero, NaN.

    >>> paired_t(np.array([1.0, 2.0, 3.0, 0.0]), np.array([0, 0, 0, 1]), 2)[1].round(3).tolist()
    [0.074, nan]
    """
    n = np.bincount(group, minlength=n_groups).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(group, differences, n_groups) / n
        spread = np.bincount(group, (differences - mean[group]) ** 2, n_groups) / (n - 1)
        t = mean / np.sqrt(spread / n)
    t[n < 2] = np.nan
    from scipy.special import stdtr

    p = stdtr(np.maximum(n - 1, 1), -np.abs(t) if two_sided else t)
    return t, np.where(np.isnan(t), np.nan, 2 * p if two_sided else p)


def longest_run(values: npt.NDArray[np.generic]) -> int:
    """How many equal values stand one after the other, at most.

    >>> longest_run(np.array([3, 5, 5, 5, 3, 3]))
    3
    """
    edges = np.flatnonzero(values[1:] != values[:-1]) + 1
    return int(np.diff(edges, prepend=0, append=len(values)).max())
