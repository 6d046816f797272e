"""Scores of segments to that of a system in other ways than a metric's own (USAAR-ZWICKEL, UPF-COBALT at WMT15).

    mean        the arithmetic mean
    median      the middle one, or the mean of both
    rms         the root of the mean square
    harmonic    the harmonic mean; what is below a millionth counts as that, as in the figures of WMT15
    agm         the arithmetic-geometric mean of the arithmetic and the geometric mean, with the same least score
    best        the share of segments on which no other system scores better

All but the median are functions of sums, so that they have intervals and tests like every metric.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tercet.data import Array
from tercet.data.statistics import Statistics
from tercet.errors import InputError
from tercet.options.groups import Aggregate

LEAST = 1e-6  # what a segment counts at least where 0 would decide everything
_ROUNDS = 64  # of an arithmetic-geometric mean, which needs six or seven


def aggregated(statistics: Statistics, by: Aggregate, *, higher_is_better: bool) -> Statistics:
    """Statistics whose corpus score is made of the scores of segments.

    >>> rows = np.array([[[1.0], [4.0]], [[2.0], [2.0]]])
    >>> two = Statistics(("a", "b"), rows, lambda stats: stats[..., 0])
    >>> [aggregated(two, by, higher_is_better=True).corpus().tolist() for by in ("harmonic", "median", "best")]
    [[1.6, 2.0], [2.5, 2.0], [0.5, 0.5]]
    """
    scores = statistics.segments()
    if by == "median":
        return _Medians(statistics.systems, _with_ones(scores), _no_sums, statistics.places)
    columns, score = _ADDITIVE[by](scores if higher_is_better or by != "best" else -scores)
    return Statistics(statistics.systems, _with_ones(*columns), score, statistics.places)


class _Medians(Statistics):
    """[score, 1] of each segment."""

    def corpus(self) -> Array:
        """The median of each system."""
        medians: Array = np.median(self.rows[..., 0], axis=1)
        return medians


def _no_sums(stats: Array) -> Array:
    """A segment's score; sums have no median."""
    if (stats[..., -1] > 1).any():
        raise InputError(
            "A median is not made of sums, so that it cannot be drawn again.",
            hint="Leave out what draws segments, or aggregate by another mean.",
        )
    values: Array = stats[..., 0]
    return values


def _with_ones(*columns: Array) -> Array:
    return np.stack([*columns, np.ones_like(columns[0])], axis=-1)


Additive = tuple[list[Array], Callable[[Array], Array]]


def _mean(scores: Array) -> Additive:
    return [scores], lambda stats: _over(stats[..., 0], stats)


def _rms(scores: Array) -> Additive:
    return [scores**2], lambda stats: np.sqrt(_over(stats[..., 0], stats))


def _harmonic(scores: Array) -> Additive:
    return [1 / np.maximum(scores, LEAST)], lambda stats: 1 / _over(stats[..., 0], stats)


def _agm(scores: Array) -> Additive:
    def score(stats: Array) -> Array:
        return arithmetic_geometric(_over(stats[..., 0], stats), np.exp(_over(stats[..., 1], stats)))

    least = np.maximum(scores, LEAST)
    return [least, np.log(least)], score


def _best(scores: Array) -> Additive:
    with np.errstate(invalid="ignore"):
        best = scores >= np.fmax.reduce(scores, axis=0)
    return [best.astype(np.float64)], lambda stats: _over(stats[..., 0], stats)


_ADDITIVE: dict[Aggregate, Callable[[Array], Additive]] = {
    "mean": _mean,
    "rms": _rms,
    "harmonic": _harmonic,
    "agm": _agm,
    "best": _best,
}


def _over(sums: Array, stats: Array) -> Array:
    """A mean; NaN of nothing."""
    with np.errstate(invalid="ignore"):
        mean: Array = sums / stats[..., -1]
    return mean


def arithmetic_geometric(one: Array, other: Array) -> Array:
    """What both become when they are again and again replaced by their two means.

    >>> arithmetic_geometric(np.array(24.0), np.array(6.0)).round(7).item()
    13.4581715
    """
    for _ in range(_ROUNDS):
        one, other = (one + other) / 2, np.sqrt(one * other)
    return one
