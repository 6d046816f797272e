"""How far the scores of a metric agree with those of people: correlations, grouped or not.

Scores are tables (systems, items) in which higher is better; NaN is a score that is not there, and an entry counts
only where both have one. Groups follow mt-metrics-eval: all entries at once (`none`), the systems of each item
(`item`) or the items of each system (`system`), averaged over the groups that are defined. Where it returns 0 because
nothing is defined, the value here is NaN.

Ties follow Deutsch et al. (2023): of C concordant, D discordant and N pairs in all, of which people tie T_h, the metric
T_m and both T_hm, acc-23 (acc_eq) is (C + T_hm) / N, and tau-23 twice that less 1.
"""

from __future__ import annotations

import dataclasses
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.errors import InputError

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Kind = Literal["pearson", "spearman", "tau-b", "tau-c", "tau-23", "acc-23", "kendall-like"]
Grouping = Literal["none", "item", "system"]


@dataclasses.dataclass(frozen=True)
class Grouped:
    """An agreement, averaged over groups."""

    value: float  # NaN where no group is defined
    n: int  # entries that both people and the metric have scored
    groups: int  # that went into the average
    values: Array  # one a group, NaN where it is not defined
    weights: Array  # of the groups in the average; 0 for those that did not go in


class Packed(NamedTuple):
    """The entries that nobody lacks, group after group."""

    gold: Array  # (entries,)
    metrics: Array  # (metrics, entries)
    starts: Ints  # (groups + 1,)
    cell: Ints  # where each entry stands in the table of systems and items, row by row


class Relations(NamedTuple):
    """What a metric says of comparisons: 1 the left one is better, 0 a tie, -1 the right one; and where it says it."""

    relation: npt.NDArray[np.int8]
    known: npt.NDArray[np.bool_]  # False where a score is missing


def correlation(
    kind: Kind,
    gold: Array,
    metric: Array,
    group: Grouping = "none",
    *,
    epsilon: float = 0.0,
    threshold: float = 0.0,
    zero_nans: bool = False,
    threads: int = 1,
) -> Grouped:
    """The agreement of a metric with people, (systems, items) each; `zero_nans` counts undefined groups as 0.

    `epsilon` is the difference up to which two scores of the metric are a tie, `threshold` that from which people
    decide a pair (kendall-like: metric ties are wrong, and groups weigh as much as they have pairs).

    >>> gold, metric = np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 1.0]]), np.array([[0.1, 0.5], [0.4, 0.2], [0.3, 0.1]])
    >>> found = correlation("tau-b", gold, metric, "item")
    >>> [round(x, 4) for x in found.values.tolist()], round(found.value, 4), found.n, found.groups
    ([0.3333, 0.8165], 0.5749, 6, 2)
    """
    check_kind(kind, epsilon)
    packed = pack(group, gold, metric[None])
    values, weights = kernels.correlate_groups(
        kind, packed.gold, packed.metrics[0], packed.starts, epsilon, threshold, threads
    )
    return averaged(values, weights, len(packed.gold), zero_nans=zero_nans)


def averaged(values: Array, weights: Array, n: int, *, zero_nans: bool) -> Grouped:
    """The weighted mean over the groups that are defined, or all that could be."""
    used = np.where(np.isnan(values), 0.0, values) if zero_nans else values
    weights = np.where(np.isnan(used), 0.0, weights)
    total = float(weights.sum())
    value = float((np.nan_to_num(used) * weights).sum()) / total if total else float("nan")
    return Grouped(value, n, int(np.count_nonzero(weights)), values, weights)


def correlations(
    kind: Kind, gold: Array, metrics: Array, *, epsilon: float = 0.0, threshold: float = 0.0, threads: int = 1
) -> Array:
    """Many versions of the human scores (versions, n) with many metrics (metrics, n): (versions, metrics).

    >>> correlations("pearson", np.array([[1.0, 2.0, 3.0], [1.0, np.nan, 0.0]]), np.array([[2.0, 4.0, 6.0]])).tolist()
    [[1.0], [-1.0]]
    """
    check_kind(kind, epsilon)
    if gold.ndim != 2 or metrics.ndim != 2 or gold.shape[1] != metrics.shape[1]:
        raise InputError(
            f"Human scores {gold.shape} and metrics {metrics.shape} are not about the same systems.",
            hint="Give tables with one column a system.",
        )
    _check_finite(gold, metrics)
    return kernels.correlate_versions(kind, _floats(gold), _floats(metrics), epsilon, threshold, threads)


def pack(group: Grouping, gold: Array, metrics: Array) -> Packed:
    """The entries that people (systems, items) and all metrics (metrics, systems, items) have, in their groups.

    >>> packed = pack("item", np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([[[5.0, 6.0], [7.0, 8.0]]]))
    >>> packed.gold.tolist(), packed.metrics.tolist(), packed.starts.tolist()
    ([1.0, 3.0, 2.0], [[5.0, 7.0, 6.0]], [0, 2, 3])
    """
    if group not in get_args(Grouping):
        raise InputError(f"There is no grouping called {group!r}.", hint=f"There are {', '.join(get_args(Grouping))}.")
    if gold.ndim != 2 or metrics.shape[1:] != gold.shape:
        raise InputError(
            f"Human scores {gold.shape} and those of a metric {metrics.shape[1:]} do not fit together.",
            hint="Give tables with one row a system and one column an item.",
        )
    _check_finite(gold, metrics)
    there = ~(np.isnan(gold) | np.isnan(metrics).any(axis=0))
    cells: Ints = np.arange(gold.size, dtype=np.int64).reshape(gold.shape)
    if group == "item":
        there, cells = there.T, cells.T
    cell = cells[there]
    sizes = there.sum(axis=1) if group != "none" else there.sum(keepdims=True).reshape(1)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    flat = metrics.reshape(len(metrics), gold.size)
    return Packed(_floats(gold.reshape(-1)[cell]), _floats(flat[:, cell]), starts, cell)


def check_kind(kind: str, epsilon: float = 0.0) -> None:
    """Refuse an agreement that is not there, or an epsilon that it cannot have."""
    if kind not in get_args(Kind):
        raise InputError(f"There is no agreement called {kind!r}.", hint=f"There are {', '.join(get_args(Kind))}.")
    if not 0 <= epsilon < np.inf:
        raise InputError(f"epsilon is {epsilon}.", hint="Give 0 or a positive number.")
    if kind == "tau-c" and epsilon > 0:
        raise InputError(
            "tau-c counts distinct scores, of which an epsilon leaves none.", hint="Give tau-b, or no epsilon."
        )


def pair_relations(values: Array, left: Ints, right: Ints, item: Ints, epsilon: float = 0.0) -> Relations:
    """What scores (systems, items) say of comparisons of two systems on an item.

    >>> pair_relations(np.array([[3.0], [1.0], [np.nan]]), *np.array([[0, 1, 0], [1, 0, 2], [0, 0, 0]]))
    Relations(relation=array([ 1, -1,  0], dtype=int8), known=array([ True,  True, False]))
    """
    first, second = values[left, item], values[right, item]
    known = ~(np.isnan(first) | np.isnan(second))
    difference = np.where(known, first, 0.0) - np.where(known, second, 0.0)
    relation = np.where(np.abs(difference) <= epsilon, 0, np.sign(difference)).astype(np.int8)
    return Relations(relation, known)


def difference_pearson(gold: Array, metric: Array, group: Grouping = "item") -> float:
    """Pearson's r over the differences of all two scores of a group, all groups together (PDP); (systems, items) each.

    Over all scores at once (`none`) it is Pearson's r of the scores themselves.

    >>> gold = np.array([[1.0, 50.0], [2.0, 70.0]])
    >>> difference_pearson(gold, np.array([[0.5, 0.0], [0.75, 5.0]])), difference_pearson(gold, np.zeros((2, 2)))
    (1.0, nan)
    """
    return float(pearson_of_sums(difference_sums(gold, metric[None], group)[0].sum(axis=0)))


def difference_sums(gold: Array, metrics: Array, group: Grouping = "item") -> Array:
    """What each group adds to PDP, over what all have: (metrics, systems, items) -> (metrics, groups, 3).

    The products of all differences of n values are those of their deviations from the mean, n times each.
    """
    packed = pack(group, gold, metrics)
    sizes = np.diff(packed.starts)
    place = np.repeat(np.arange(len(sizes)), sizes)
    weight = sizes[place].astype(np.float64)
    human = _deviations(packed.gold, packed.starts, place)
    out = np.zeros((len(metrics), len(sizes), 3))
    for m, scores in enumerate(packed.metrics):
        said = _deviations(scores, packed.starts, place)
        for k, product in enumerate((human * said, human**2, said**2)):
            out[m, :, k] = np.bincount(place, weight * product, len(sizes))
    return out


def pearson_of_sums(sums: Array) -> Array:
    """r of sums [xy, xx, yy] of deviations, (..., 3) -> (...); NaN where one of the two does not vary."""
    spread = sums[..., 1] * sums[..., 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        r: Array = np.where(spread > 0, np.clip(sums[..., 0] / np.sqrt(spread), -1, 1), np.nan)
    return r


def _deviations(values: Array, starts: Ints, group: Ints) -> Array:
    """Less the mean of the group; the first value goes first, so that a constant group is exactly 0."""
    if not len(values):
        return values
    moved = values - values[starts[:-1].clip(max=len(values) - 1)][group]
    sizes = np.maximum(np.diff(starts), 1)
    out: Array = moved - (np.bincount(group, moved, len(sizes)) / sizes)[group]
    return out


def _floats(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=np.float64)


def _check_finite(*tables: Array) -> None:
    if any(np.isinf(table).any() for table in tables):
        raise InputError("A score is infinite.", hint="Give finite scores, and NaN for those that are not there.")
