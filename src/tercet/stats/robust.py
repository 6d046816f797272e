"""Does agreement hold without systems that stand far off (Mathur et al. 2020), and among the best (Ma et al. 2019)?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError
from tercet.stats.correlation import correlations

Array = npt.NDArray[np.float64]

TO_DEVIATION = 1.483  # a MAD times this is the standard deviation of normal data; three digits, as published
CUTOFF = 2.5
SMALLEST_TOP = 4  # systems


class Outliers(NamedTuple):
    """Which scores stand far off, and from what: the median, and the median absolute deviation times 1.483."""

    mask: npt.NDArray[np.bool_]
    median: float
    mad: float


def mad_outliers(scores: Array, cutoff: float = CUTOFF, *, beside: Array | None = None) -> Outliers:
    """Scores that lie more than `cutoff` deviations from the median; none where the deviation is 0.

    A missing score (NaN) is no outlier and decides about none. Scores `beside` them, such as those of human
    translations, have a part in the median and the deviation.

    >>> mad_outliers(np.array([0.3, 0.28, 0.25, 0.22, 0.2, -0.9])).mask.tolist()
    [False, False, False, False, False, True]
    """
    if np.isnan(scores).all():
        return Outliers(np.zeros(len(scores), dtype=bool), float("nan"), float("nan"))
    every = scores if beside is None else np.concatenate([scores, beside])
    median = float(np.nanmedian(every))
    mad = TO_DEVIATION * float(np.nanmedian(np.abs(every - median)))
    distances = np.abs(scores - median)
    mask = distances / mad > cutoff if mad > 0 else np.zeros(len(scores), dtype=bool)
    return Outliers(mask, median, mad)


def top_sizes(n: int) -> tuple[int, ...]:
    """How many of n systems to look at: every number from 4 to all of them; all of them if there are fewer.

    >>> top_sizes(6)
    (4, 5, 6)
    """
    return tuple(range(max(1, min(SMALLEST_TOP, n)), n + 1))


def top_n(gold: Array, metrics: Array, sizes: Sequence[int]) -> Array:
    """Pearson's r over the N systems that gold (n,) puts first: (metrics, n) -> (metrics, sizes).

    Of equal gold scores the one that comes first goes first. Systems without gold (NaN) do not take part; a metric
    that lacks a score of some of the N is correlated over the others.

    >>> gold, metric = np.array([5.0, 4.0, 3.0, 2.0, -9.0]), np.array([[2.0, 3.0, 4.0, 5.0, -20.0]])
    >>> top_n(gold, metric, [4, 5]).round(2).tolist()
    [[-1.0, 0.95]]
    """
    if metrics.ndim != 2 or metrics.shape[1:] != gold.shape:
        raise InputError(
            f"Scores of metrics of the shape {metrics.shape} do not fit gold of the shape {gold.shape}.",
            hint="Give one row a metric, and one gold score a column.",
        )
    order = np.argsort(-gold, kind="stable")  # NaN goes last
    there = int((~np.isnan(gold)).sum())
    for size in sizes:
        if not 1 <= size <= there:
            raise InputError(f"The best {size} of {there} systems are asked for.", hint=f"Ask for 1 to {there}.")
    columns = [correlations("pearson", gold[None, order[:size]], metrics[:, order[:size]])[0] for size in sizes]
    return np.stack(columns, axis=1) if columns else np.empty((len(metrics), 0))
