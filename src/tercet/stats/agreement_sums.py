"""Coefficients of agreement as functions of sums over segments: segments are drawn anew, and nothing is counted again.

What was said of a segment becomes entries: a segment, a column, an amount. A draw adds up the entries of its segments,
as often as each was drawn, and a coefficient is computed from the sums of its columns: (draws, columns) -> (draws,).
It is the coefficient of `tercet.stats.agreement` for the same judgements, NaN where that is not defined.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet.options.judging import Weighting
from tercet.stats.agreement import Array, Ints, groups, pairs_within, sizes

Numbers = npt.NDArray[np.number]

_CELLS = 1 << 22  # sums that are held at once
_NOTHING = 1e-12  # what rounding leaves where nothing is left


class AgreementSums(NamedTuple):
    """Entries, the number of their columns, and the coefficient of the sums of all columns.

    `compared` is how many segments have something that can be compared, which may be few.
    """

    compared: int
    segment: Ints
    column: Ints
    amount: Array
    columns: int
    coefficient: Callable[[Array], Array]


def drawn(
    coefficients: Sequence[AgreementSums], segments: Ints, samples: int, seed: int
) -> Iterator[npt.NDArray[np.float64]]:
    """Blocks (coefficients, draws) of the coefficients of draws: as many segments as there are, with replacement."""
    from scipy.sparse import coo_array

    if not len(segments) or not coefficients:
        return
    last = np.cumsum([0, *(sums.columns for sums in coefficients)])
    column = np.concatenate([sums.column + start for sums, start in zip(coefficients, last, strict=False)])
    segment = np.concatenate([sums.segment for sums in coefficients])
    amount = np.concatenate([sums.amount for sums in coefficients])
    shape = (int(last[-1]), int(segments.max()) + 1)
    entries = coo_array((amount, (column, segment)), shape=shape).tocsr()
    block = max(1, _CELLS // max(shape))
    for first in range(0, samples, block):
        counts = np.stack([_counts(segments, shape[1], seed, s) for s in range(first, min(first + block, samples))])
        sums = np.asarray(entries @ counts.T).T
        with np.errstate(divide="ignore", invalid="ignore"):
            of_each = [c.coefficient(sums[:, i:j]) for c, i, j in zip(coefficients, last, last[1:], strict=False)]
        yield np.stack(of_each)


def _counts(segments: Ints, most: int, seed: int, sample: int) -> Array:
    """How often each segment is drawn."""
    chosen = np.random.default_rng([seed, sample]).integers(len(segments), size=len(segments))
    return np.bincount(segments[chosen], minlength=most).astype(np.float64)


def of_rows(segment: Ints, rows: Array, coefficient: Callable[[Array], Array]) -> AgreementSums:
    """A row (rows, columns) for each judgement, whose columns are added up; the second counts what is compared."""
    n, columns = rows.shape
    column = np.tile(np.arange(columns), n)
    compared = _n(segment[rows[:, 1] > 0])
    return AgreementSums(compared, np.repeat(segment, columns), column, rows.ravel(), columns, coefficient)


def _n(segment: Ints) -> int:
    return len(np.unique(segment))


def pairs_of_rows(group: Ints) -> Array:
    """What each row adds to the number of pairs of rows of the same group: half of those that it is in.

    >>> pairs_of_rows(np.array([0, 0, 0, 1])).tolist()
    [1.0, 1.0, 1.0, 0.0]
    """
    return (sizes(group) - 1) / 2


def wmt_kappa(sums: Array) -> Array:
    """Kappa of the WMT findings from pairs that agree, pairs, ties and labels.

    >>> wmt_kappa(np.array([[1995.0, 2970.0, 3215.0, 24473.0]])).round(3).tolist()
    [0.458]
    """
    agree, comparable, ties, total = sums.T
    share = ties / total
    return _left_of_chance(agree / comparable, share * share + (1 - share) ** 2 / 2)


def _left_of_chance(agree: Array, expected: Array) -> Array:
    return np.where(expected > 1 - _NOTHING, np.nan, (agree - expected) / (1 - expected))


def wmt_kappa_of_two(
    segment: Ints,
    agree: npt.NDArray[np.bool_],
    first: Ints,
    second: Ints,
    label: tuple[Ints, Ints, npt.NDArray[np.bool_]],
) -> AgreementSums:
    """Kappa of WMT whose chance knows the ties of either side, in all that the judges of that side said.

    Of every pair of labels: its segment, whether they agree, who gave the first and the second. Of every label that
    these judges gave: segment, judge, and whether it is a tie.
    """
    judges = np.unique(np.concatenate([first, second]))
    of, who, tie = label
    mine = np.isin(who, judges)
    of, place, tie = of[mine], np.searchsorted(judges, who[mine]), tie[mine]
    n, k = len(segment), len(judges)
    starts = 2 + k * np.arange(4)  # columns: pairs that agree, pairs; of each judge: first, second, labels, ties
    parts = [
        (segment[agree], np.zeros(int(agree.sum()), dtype=np.int64)),
        (segment, np.ones(n, dtype=np.int64)),
        (segment, starts[0] + np.searchsorted(judges, first)),
        (segment, starts[1] + np.searchsorted(judges, second)),
        (of, starts[2] + place),
        (of[tie], starts[3] + place[tie]),
    ]
    segments, columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return AgreementSums(_n(segment), segments, columns, np.ones(len(segments)), 2 + 4 * k, _wmt_kappa_of_two)


def _wmt_kappa_of_two(sums: Array) -> Array:
    agree, comparable = sums[:, 0], sums[:, 1]
    first, second, total, ties = np.split(sums[:, 2:], 4, axis=1)
    one, other = (np.where(side > 0, ties, 0).sum(axis=1) / np.where(side > 0, total, 0).sum(axis=1)
                  for side in (first, second))  # fmt: skip
    return _left_of_chance(agree / comparable, one * other + (1 - one) * (1 - other) / 2)


def table_kappa(
    segment: Ints,
    table: Ints,
    labels: tuple[Numbers, Numbers],
    weights: Weighting,
    *,
    pooled: bool,
    mirror: float | None = None,
) -> AgreementSums:
    """Cohen's kappa from tables of the labels of two judges, or Fleiss', whose chance does not ask who gave a label.

    Of every pair of labels: its segment, its table, and both. Several tables give means, weighted by their pairs. With
    `mirror`, every label stands for `mirror` less itself, too.
    """
    values, place = np.unique(np.concatenate(labels), return_inverse=True)
    first, second = np.split(place, 2)
    column = groups(table, first, second)
    start = np.unique(column, return_index=True)[1]
    cells = _Cells(table[start], values[first[start]], values[second[start]], mirror)
    coefficient = functools.partial(_kappa_of_tables, cells=cells, weights=weights, pooled=pooled)
    return AgreementSums(_n(segment), segment, column, np.ones(len(column)), len(start), coefficient)


class _Cells(NamedTuple):
    """What the columns of tables stand for: a table, and the labels of either side."""

    table: Ints
    first: Numbers
    second: Numbers
    mirror: float | None


def _kappa_of_tables(sums: Array, *, cells: _Cells, weights: Weighting, pooled: bool) -> Array:
    agree, expected = np.zeros(len(sums)), np.zeros(len(sums))
    whole = sums.sum(axis=1)
    for table in np.unique(cells.table):
        mine = cells.table == table
        counts, first, second = sums[:, mine], cells.first[mine], cells.second[mine]
        n = counts.sum(axis=1)
        if cells.mirror is not None:
            counts = np.concatenate([counts, counts], axis=1)
            first, second = (np.concatenate([side, cells.mirror - side]) for side in (first, second))
        observed, chance = _agreements(counts, first, second, weights, pooled)
        agree += np.where(n > 0, observed * n / whole, 0)
        expected += np.where(n > 0, chance * n / whole, 0)
    return np.where(whole > 0, _left_of_chance(agree, expected), np.nan)


def _agreements(
    counts: Array, first: Numbers, second: Numbers, weights: Weighting, pooled: bool
) -> tuple[Array, Array]:
    """Agreement and that of chance of one table, (draws, cells)."""
    values = np.unique(np.concatenate([first, second]))
    n = counts.sum(axis=1, keepdims=True)
    sides = [counts @ (side[:, None] == values) / n for side in (first, second)]
    if pooled:
        sides = [(sides[0] + sides[1]) / 2] * 2
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]
    apart = np.abs(np.subtract.outer(values, values)).astype(np.float64)
    gap = np.abs(first - second).astype(np.float64)
    # the largest distance between labels that were given in a draw
    given = (sides[0] + sides[1]) > 0
    span = np.where(given, values, -np.inf).max(axis=1) - np.where(given, values, np.inf).min(axis=1)
    largest = np.where(span > 0, span, 1.0) ** power
    apart, gap = (np.where(distance > 0, distance**power, 0.0) for distance in (apart, gap))
    observed = (counts @ gap) / n[:, 0]
    chance = ((sides[0] @ apart) * sides[1]).sum(axis=1)
    return 1 - observed / largest, 1 - chance / largest


def interval_alpha(segment: Ints, unit: Ints, value: Array) -> AgreementSums:
    """Krippendorff's alpha of values of units whose distance is the square of their difference."""
    segment, unit, paired = _pairable(segment, unit, value)
    m, value = sizes(unit), paired.astype(np.float64)
    value = value - value.mean() if len(value) else value
    mean = np.bincount(unit, value)[unit] / m if len(value) else value
    rows = np.stack([(value - mean) ** 2 * m / (m - 1), np.ones(len(value)), value, value**2], axis=1)
    least = _NOTHING * float((value**2).mean()) if len(value) else 0.0
    return of_rows(segment, rows, functools.partial(_interval_alpha, least=least))


def _interval_alpha(sums: Array, *, least: float) -> Array:
    apart, n, total, squares = sums.T
    spread = squares - total**2 / n
    return np.where(spread > least * n, 1 - (apart / n) / (spread / (n - 1)), np.nan)


def ordinal_alpha(segment: Ints, unit: Ints, value: Numbers) -> AgreementSums:
    """Krippendorff's alpha of values that are only ordered: their distance is that of their mean positions."""
    segment, unit, value = _pairable(segment, unit, value)
    values, place = np.unique(value, return_inverse=True)
    order = np.argsort(unit, kind="stable")
    first, second = (order[side] for side in pairs_within(unit[order]))
    weight = 1 / (sizes(unit)[first] - 1)
    low, high = np.minimum(place[first], place[second]), np.maximum(place[first], place[second])
    unlike = low < high
    first, weight, low, high = first[unlike], weight[unlike], low[unlike], high[unlike]
    pair = groups(low, high)
    start = np.unique(pair, return_index=True)[1]
    k = len(values)
    coefficient = functools.partial(_ordinal_alpha, values=k, low=low[start], high=high[start])
    return AgreementSums(
        _n(segment),
        np.concatenate([segment, segment[first]]),
        np.concatenate([place, k + pair]),
        np.concatenate([np.ones(len(place)), weight]),
        k + len(start),
        coefficient,
    )


def _ordinal_alpha(sums: Array, *, values: int, low: Ints, high: Ints) -> Array:
    counts, coincidences = sums[:, :values], sums[:, values:]
    n = counts.sum(axis=1)
    position = np.cumsum(counts, axis=1) - counts / 2  # but for a half, which all have
    observed = (coincidences * (position[:, low] - position[:, high]) ** 2).sum(axis=1) / n
    spread = (counts * (position - n[:, None] / 2) ** 2).sum(axis=1)  # n / 2 is the mean position
    several = (counts > 0).sum(axis=1) > 1
    return np.where(several, 1 - observed / (spread / (n - 1)), np.nan)


def _pairable(segment: Ints, unit: Ints, value: Numbers) -> tuple[Ints, Ints, Numbers]:
    """Units with one value are left out."""
    unit = groups(unit)
    keep = sizes(unit) > 1
    return segment[keep], groups(unit[keep]), value[keep]
