"""Correlations that share a variable: is one metric's with people higher than another's (Williams 1959)?

The test is the one that Graham and Baldwin (2014) brought to the metrics tasks, with n - 3 degrees of freedom. The
interval of a single correlation is Fisher's, by the normal approximation of artanh r.

scipy is imported where it is needed: it takes long, which other commands should not wait.
"""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError
from tercet.numbers import plain
from tercet.stats.correlation import correlations
from tercet.stats.rounding import ROUNDING

Array = npt.NDArray[np.float64]

FEWEST = 4  # items, for n - 3 degrees of freedom


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """t and its one-sided p-value for r12 > r13, from n items; r23 is the correlation of 2 and 3.

    Equal correlations, hence a metric and itself, have t = 0 and p = .5. NaN where the test is not defined: for three
    items or fewer, and for a metric and its own negative.

    >>> t, p = williams(0.65, 0.55, 0.3, 50)
    >>> round(t, 4), round(p, 4)
    (0.8161, 0.2093)
    """
    for r in (r12, r13, r23):
        if abs(r) > 1 + 1e-9:
            raise InputError(f"{plain(r)} is no correlation.", hint="Correlations are from -1 to 1.")
    t = _t(r12, r13, r23, n)
    return t, _exceeding(t, n)


def williams_tests(gold: Array, metrics: Array, *, absolute: bool = False) -> Array:
    """p[i, j] that metric i correlates better with gold (n,) than j, one-sided: (metrics, n) -> (metrics, metrics).

    p[j, i] is 1 - p[i, j], the diagonal NaN. Two metrics are compared on the items that both of them and gold have
    (NaN: missing). With `absolute`, correlations count without their sign, as in WMT19: each metric is turned so that
    its own is positive.

    >>> gold = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> good, bad = np.array([1.0, 2.0, 3.5, 4.0, 5.0, 6.5]), np.array([2.0, 5.0, 1.0, 6.0, 3.0, 4.0])
    >>> williams_tests(gold, np.stack([good, bad])).round(3).tolist()
    [[nan, 0.017], [0.983, nan]]
    """
    if metrics.ndim != 2 or metrics.shape[1:] != gold.shape:
        raise InputError(
            f"Scores of metrics of the shape {metrics.shape} do not fit gold of the shape {gold.shape}.",
            hint="Give one row a metric, and one gold score a column.",
        )
    p = np.full((len(metrics), len(metrics)), np.nan)
    for i, j in itertools.combinations(range(len(metrics)), 2):
        three = np.stack([gold, metrics[i], metrics[j]])
        three = three[:, ~np.isnan(three).any(axis=0)]
        (r12, r13), (_, r23) = correlations("pearson", three[:2], three[1:]).tolist()
        if absolute:
            r12, r13, r23 = abs(r12), abs(r13), r23 * math.copysign(1, r12) * math.copysign(1, r13)
        n = three.shape[1]
        t, p[i, j] = williams(r12, r13, r23, n)
        p[j, i] = _exceeding(-t, n)
    return p


def fisher_interval(r: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a correlation from n items; NaN for three items or fewer.

    >>> low, high = fisher_interval(0.8221, 89)
    >>> round(low, 4), round(high, 4)
    (0.7406, 0.8797)
    """
    if not 0 < level < 1:
        raise InputError(
            f"The level of an interval is given as {plain(level)}.", hint="It lies between 0 and 1, as .95."
        )
    if abs(r) > 1 + ROUNDING:
        raise InputError(f"A correlation is given as {plain(r)}.", hint="Correlations are from -1 to 1.")
    if n < FEWEST or math.isnan(r):
        return math.nan, math.nan
    if abs(r) >= 1:
        return r, r
    width = statistics.NormalDist().inv_cdf((1 + level) / 2) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - width), math.tanh(math.atanh(r) + width)


def _t(r12: float, r13: float, r23: float, n: int) -> float:
    """Williams's t. Rounding is kept from deciding: it would be divided by next to nothing where r23 is 1 or -1."""
    if n < FEWEST or math.isnan(r12 + r13 + r23):
        return math.nan
    if abs(r12 - r13) < ROUNDING:
        return 0.0
    if 1 + r23 < ROUNDING:
        return math.nan
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    spread = 2 * determinant * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * max(0.0, 1 - r23) ** 3
    return (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / spread) if spread > 0 else math.nan


def _exceeding(t: float, n: int) -> float:
    """The probability of a larger t, with n - 3 degrees of freedom."""
    from scipy.special import stdtr

    return math.nan if math.isnan(t) else float(stdtr(n - 3, -t))
