"""Agreement of people with each other, on bare arrays.

Kappa is that of the WMT findings (Callison-Burch et al. 2011, Bojar et al. 2015): labels are better, tie and worse,
and chance knows the share of ties and nothing else. Chance of Cohen's and Fleiss' kappa knows how often every label was
given. Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability") needs no table of units
and coders: a list of values with their units will do.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError
from tercet.options.judging import Weighting
from tercet.stats.ranks import mean_ranks

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Metric = Literal["nominal", "ordinal", "interval"]

BANDS = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"), (1.0, "almost perfect"))


class Kappa(NamedTuple):
    """How often judgements agree, how often they would by chance, and what is left of it; NaN where undefined."""

    p_agree: float
    p_expected: float
    kappa: float


class PairCounts(NamedTuple):
    """Unordered pairs of judgements of the same item: those of the same label, and all."""

    agree: int
    comparable: int


def kappa_from_counts(agree: int, comparable: int, ties: int, total: int) -> Kappa:
    """Kappa of `agree` of `comparable` pairs of judgements, where `ties` of all `total` judgements are ties.

    >>> ["%.3f" % x for x in kappa_from_counts(1995, 2970, 3215, 24473)]  # WMT15, Czech-English
    ['0.672', '0.395', '0.458']
    """
    share = ratio(ties, total)
    return kappa_of(ratio(agree, comparable), expected_agreement(share, share))


def ratio(part: int, whole: int) -> float:
    """A share, NaN of nothing."""
    return part / whole if whole else float("nan")


def expected_agreement(ties: float, other_ties: float) -> float:
    """The chance that two who answer tie so often, and better or worse equally often, say the same.

    >>> expected_agreement(0.5, 0.25)
    0.3125
    """
    return ties * other_ties + (1 - ties) * (1 - other_ties) / 2


def kappa_of(p_agree: float, p_expected: float) -> Kappa:
    """The share of what chance leaves open; undefined where chance leaves nothing open."""
    kappa = float("nan") if p_expected == 1 else (p_agree - p_expected) / (1 - p_expected)
    return Kappa(p_agree, p_expected, kappa)


def cohen_kappa(first: npt.NDArray[np.number], second: npt.NDArray[np.number], weights: Weighting = "none") -> Kappa:
    """Cohen's kappa (1960) of two judges' labels of the same items; weighted (1968) by how far labels lie apart.

    Weighted, `p_agree` is the mean share of the largest distance that two labels leave free. NaN without items.

    >>> ["%.3f" % x for x in cohen_kappa(np.array([1, 2, 3, 3]), np.array([1, 2, 2, 3]))]
    ['0.750', '0.312', '0.636']
    """
    if not len(first):
        return Kappa(float("nan"), float("nan"), float("nan"))
    values = np.unique(np.concatenate([first, second]))
    alike = closeness(values, weights)
    one, other = np.searchsorted(values, first), np.searchsorted(values, second)
    shares = [np.bincount(labels, minlength=len(values)) / len(labels) for labels in (one, other)]
    return kappa_of(float(alike[one, other].mean()), float(shares[0] @ alike @ shares[1]))


def fleiss_kappa(unit: Ints, label: npt.NDArray[np.number], weights: Weighting = "none") -> Kappa:
    """Fleiss' kappa (1971) of labels of units by several judges each; units with one label are left out.

    Every unit counts the same, however many judges it had; chance knows how often each label was given.

    >>> ["%.3f" % x for x in fleiss_kappa(np.array([0, 0, 1, 1, 2, 2]), np.array([1, 1, 2, 2, 1, 2]))]
    ['0.667', '0.500', '0.333']
    """
    several = sizes(groups(unit)) > 1
    unit, label = groups(unit[several]), label[several]
    if not len(unit):
        return Kappa(float("nan"), float("nan"), float("nan"))
    values, place = np.unique(label, return_inverse=True)
    alike = closeness(values, weights)
    table = np.zeros((int(unit.max()) + 1, len(values)))
    np.add.at(table, (unit, place), 1)
    m = table.sum(axis=1)
    same = np.einsum("uk,kl,ul->u", table, alike, table) - m  # a label agrees with itself
    share = table.sum(axis=0) / table.sum()
    return kappa_of(float((same / (m * (m - 1))).mean()), float(share @ alike @ share))


def closeness(values: npt.NDArray[np.number], weights: Weighting) -> Array:
    """How far every two of some labels agree: 1 if they are the same, 0 if they lie farthest apart, or if not the same.

    >>> closeness(np.array([0, 1, 2]), "linear").tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    gap = np.abs(np.subtract.outer(values, values)).astype(np.float64)
    if weights == "none" or not gap.any():
        same: Array = (gap == 0).astype(np.float64)
        return same
    close: Array = 1 - (gap / gap.max()) ** (1 if weights == "linear" else 2)
    return close


def band(kappa: float) -> str:
    """What Landis and Koch (1977) call such a kappa; "" where there is none.

    >>> band(0.458), band(-0.1)
    ('moderate', 'poor')
    """
    if np.isnan(kappa):
        return ""
    if kappa < 0:
        return "poor"
    return next(name for high, name in BANDS if kappa <= high or high == 1.0)


def groups(*columns: npt.NDArray[np.integer]) -> Ints:
    """A number for each row, 0, 1, ..., that rows share if all their columns are equal.

    >>> groups(np.array([7, 3, 7, 7]), np.array([-1, 0, -1, 0])).tolist()
    [1, 0, 1, 2]
    """
    numbers = np.zeros(len(columns[0]), dtype=np.int64)
    if not len(numbers):
        return numbers
    for column in columns:
        low, high = int(column.min()), int(column.max())
        keys = numbers * (high - low + 1) + (column - low)
        numbers = np.unique(keys, return_inverse=True)[1].astype(np.int64, copy=False)
    return numbers


def sizes(group: Ints) -> Ints:
    """For each row, how many rows its group has."""
    return np.bincount(group)[group] if len(group) else group


def pairs_within(group: Ints) -> tuple[Ints, Ints]:
    """Indices of every pair of rows of the same group, the earlier row first; groups do not fall.

    >>> [x.tolist() for x in pairs_within(np.array([0, 0, 0, 1]))]
    [[0, 0, 1], [1, 2, 2]]
    """
    rows = np.arange(len(group))
    after = np.searchsorted(group, group, side="right") - 1 - rows
    first = np.repeat(rows, after)
    return first, first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)


def count_pairs(item: Ints, label: npt.NDArray[np.integer]) -> PairCounts:
    """Pairs of judgements of the same item, and how many of them have the same label.

    >>> count_pairs(np.array([0, 0, 0, 1]), np.array([2, 2, 1, 2]))
    PairCounts(agree=1, comparable=3)
    """
    return PairCounts(_n_pairs(groups(item, label)), _n_pairs(groups(item)))


def _n_pairs(group: Ints) -> int:
    n = np.bincount(group)
    return int((n * (n - 1) // 2).sum())


def krippendorff_alpha(unit: npt.NDArray[np.integer], value: npt.NDArray[np.number], metric: Metric) -> float:
    """Krippendorff's alpha of values of units, one a coder; NaN if nothing can be compared or all values are alike.

    Units with one value are left out, as his definition has it.

    >>> krippendorff_alpha(np.array([0, 0, 1, 1]), np.array([1, 1, 2, 2]), "nominal")
    1.0
    """
    if metric not in get_args(Metric):
        raise InputError(
            f"There is no distance called {metric!r} for alpha.", hint=f"There are {', '.join(get_args(Metric))}."
        )
    unit = groups(unit)
    pairable = sizes(unit) > 1
    unit, value = groups(unit[pairable]), value[pairable]
    if len(np.unique(value)) < 2:
        return float("nan")
    if metric == "nominal":
        return _alpha_nominal(unit, value)
    # the ordinal distance of two ranks is the difference of their mean positions among all values
    if metric == "interval":
        return _alpha_interval(unit, value.astype(np.float64))
    return _alpha_interval(unit, mean_ranks(value))


def _alpha_nominal(unit: Ints, value: npt.NDArray[np.number]) -> float:
    n, kinds = len(value), np.unique(value, return_inverse=True)[1]
    alike = sizes(groups(unit, kinds)) - 1  # others of the same unit and value
    observed = float((1 - alike / (sizes(unit) - 1)).sum()) / n
    counts = np.bincount(kinds).astype(np.float64)
    return 1 - observed / (1 - float((counts * (counts - 1)).sum()) / (n * (n - 1)))


def _alpha_interval(unit: Ints, value: Array) -> float:
    """The squared differences of all pairs of m values sum to m times those from their mean: no pair is looked at."""
    m = np.bincount(unit)
    value = value - value.mean()
    deviations = value - (np.bincount(unit, value) / m)[unit]
    observed = float((np.bincount(unit, deviations**2) * m / (m - 1)).sum()) / len(value)
    return 1 - observed / (float((value**2).sum()) / (len(value) - 1))
