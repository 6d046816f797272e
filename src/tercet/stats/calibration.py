"""Tie calibration (Deutsch, Foster and Freitag 2023): the difference up to which a metric's scores best count as a tie.

Metrics hardly ever give two translations the same score, people often do. Two scores of the metric are a tie if they
differ by epsilon or less; of every epsilon that changes anything, the first one with the highest mean accuracy over
groups is taken, as in mt-metrics-eval. Beyond that, epsilon can be chosen on other items than those that count.

A pair is won once (people's tie becomes the metric's) or lost once (an order that was right becomes a tie) as epsilon
grows, so that sorting the pairs by their difference gives the whole curve.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.errors import InputError
from tercet.numbers import plain
from tercet.options.groups import Seeded
from tercet.stats.correlation import Grouping, Packed, correlation, pack

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Variant = Literal["acc-23", "tau-23"]

MOST_PAIRS = 1 << 25  # sorting them takes about 2 GB
_EXACT = 1 << 53  # whole numbers up to here are exact as floats


@dataclasses.dataclass(frozen=True, eq=False)
class Calibrated:
    """The best value with its epsilon, and the value at every epsilon that changes something."""

    value: float  # NaN if there is no pair
    epsilon: float
    epsilons: Array  # rising, from 0
    values: Array


@dataclasses.dataclass(frozen=True, eq=False)
class HeldOut:
    """The value over items that had no say in epsilon: one epsilon and value a fold, and the mean over groups."""

    value: float
    epsilons: Array  # (folds,)
    values: Array  # (folds,)

    @property
    def epsilon(self) -> float:
        """The mean of those of the folds."""
        return float(self.epsilons.mean())


class EntryPairs(NamedTuple):
    """Two packed entries of the same group, the earlier one first."""

    first: Ints
    second: Ints
    group: Ints


def calibrate(
    gold: Array,
    metric: Array,
    group: Grouping = "item",
    *,
    sample_rate: float = 1.0,
    seed: int = Seeded.seed,
    variant: Variant = "acc-23",
) -> Calibrated:
    """The epsilon that serves the metric best, on the scores themselves; (systems, items) each, NaN is missing.

    `sample_rate` is the share of pairs to look at, drawn at random.

    >>> gold, metric = np.array([[1.0, 2.0], [1.0, 1.0], [0.0, 0.0]]), np.array([[0.9, 0.8], [0.8, 0.5], [0.1, 0.2]])
    >>> found = calibrate(gold, metric)
    >>> round(found.value, 3), round(found.epsilon, 3), found.values.round(3).tolist()
    (1.0, 0.1, [0.833, 1.0, 0.833, 0.667, 0.5, 0.333, 0.167])
    """
    if not 0 < sample_rate <= 1:
        raise InputError(f"The sample rate is {sample_rate}.", hint="Give a share of more than 0 and at most 1.")
    packed = pack(group, gold, metric[None])
    pairs = entry_pairs(packed, sample_rate, seed)
    if not len(pairs.first):
        return Calibrated(float("nan"), 0.0, np.zeros(1), np.full(1, np.nan))
    epsilons, values = _curve(packed, pairs)
    if variant == "tau-23":
        values = 2 * values - 1
    best = int(np.argmax(values))
    return Calibrated(float(values[best]), float(epsilons[best]), epsilons, values)


def calibrated_values(golds: Array, metrics: Array, group: Grouping = "item", *, threads: int = 1) -> Array | None:
    """The value of `calibrate` of many metrics (metrics, systems, items) with versions of the gold, (golds, metrics).

    The first version is the whole, of which the others lack some scores; the metrics lack the same scores if any. None
    where there are too many pairs to keep, or too many to add up in whole numbers.

    >>> gold, metric = np.array([[1.0, 2.0], [1.0, 1.0], [0.0, 0.0]]), np.array([[0.9, 0.8], [0.8, 0.5], [0.1, 0.2]])
    >>> found = calibrated_values(gold[None], metric[None])
    >>> found is not None and round(found.item(), 3)
    1.0
    """
    parts = [pack(group, gold, metrics[:1]) for gold in golds]
    sizes = np.diff(parts[0].starts)
    if int((sizes * (sizes - 1) // 2).sum()) * len(parts) > MOST_PAIRS:
        return None
    cells = golds[0].size
    pairs = [entry_pairs(packed) for packed in parts]
    keys = [packed.cell[p.first] * cells + packed.cell[p.second] for packed, p in zip(parts, pairs, strict=True)]
    order = np.argsort(keys[0])
    weights, whole = np.zeros((len(keys[0]), len(parts)), dtype=np.int64), np.zeros(len(parts))
    for i, (packed, p, key) in enumerate(zip(parts, pairs, keys, strict=True)):
        if not len(key):
            continue
        counts, whole[i] = _weights(p.group, len(packed.starts) - 1)
        if not np.array_equal(counts, np.round(counts)):
            return None
        place = np.searchsorted(keys[0], key, sorter=order)
        if place.max() >= len(order) or not np.array_equal(keys[0][order[place]], key):
            raise ValueError("the first version of the gold lacks scores that another one has")
        weights[order[place], i] = counts
    first, second = (parts[0].cell[end] for end in pairs[0][:2])
    people = np.sign(golds[0].reshape(-1)[first] - golds[0].reshape(-1)[second]).astype(np.int64)
    flat = np.ascontiguousarray(metrics.reshape(len(metrics), -1))
    with np.errstate(invalid="ignore"):
        return (kernels.calibrated_sums(flat, first, second, people, weights, threads) / whole).T


def calibrate_held_out(
    gold: Array,
    metric: Array,
    group: Grouping = "item",
    *,
    folds: int = 2,
    seed: int = Seeded.seed,
    sample_rate: float = 1.0,
    variant: Variant = "acc-23",
) -> HeldOut:
    """Each fold of the items is scored with the epsilon of the other items; folds are drawn at random."""
    n = gold.shape[1]
    if not 2 <= folds <= n:
        raise InputError(
            f"{n} items cannot be held out in {folds} folds.", hint="Give two folds, or up to one an item."
        )
    part = np.random.default_rng(seed).permutation(np.arange(n) % folds)
    epsilons, answers = np.zeros(folds), []
    for fold in range(folds):
        held = part == fold
        others = calibrate(gold[:, ~held], metric[:, ~held], group, sample_rate=sample_rate, seed=seed, variant=variant)
        epsilons[fold] = others.epsilon
        answers.append(correlation(variant, gold[:, held], metric[:, held], group, epsilon=others.epsilon))
    weights = np.array([f.groups for f in answers], dtype=np.float64)
    values = np.array([f.value for f in answers])
    total = weights.sum()
    value = float((weights * np.nan_to_num(values)).sum() / total) if total else float("nan")
    return HeldOut(value, epsilons, values)


def entry_pairs(packed: Packed, sample_rate: float = 1.0, seed: int = Seeded.seed) -> EntryPairs:
    """Every two entries of a group, or each pair with some probability; more than fit in memory are refused."""
    sizes = np.diff(packed.starts)
    group = np.repeat(np.arange(len(sizes)), sizes)
    after = packed.starts[1:][group] - 1 - np.arange(len(group))  # partners that come later
    ends = np.cumsum(after)
    total = int(ends[-1]) if len(ends) else 0
    if total * sample_rate > MOST_PAIRS:
        raise InputError(
            f"{total} pairs of scores at a sample rate of {plain(sample_rate)} do not fit in memory.",
            hint=f"Give a sample rate of {plain(0.9 * MOST_PAIRS / total, 2)} or less, or group by item.",
        )
    if sample_rate == 1:
        number = np.arange(total)
        first = np.repeat(np.arange(len(group)), after)
    else:
        number = _chosen(total, sample_rate, seed)
        first = np.searchsorted(ends, number, side="right")
    second = first + 1 + number - (ends - after)[first]
    return EntryPairs(first, second, group[first])


def _chosen(total: int, share: float, seed: int) -> Ints:
    """Numbers below the total, each with the same probability: the steps between them are geometric."""
    rng = np.random.default_rng(seed)
    parts, at = [], -1
    while at < total:
        steps = rng.geometric(share, max(1000, int(1.01 * share * (total - at))))
        steps = at + np.cumsum(np.minimum(steps, total + 1))  # farther is as far, and sums of giants overflow
        parts.append(steps[steps < total])
        at = int(steps[-1])
    return np.concatenate(parts)


def _curve(packed: Packed, pairs: EntryPairs) -> tuple[Array, Array]:
    gold, metric = packed.gold, packed.metrics[0]
    people = np.sign(gold[pairs.first] - gold[pairs.second])
    said = metric[pairs.first] - metric[pairs.second]
    tied, right = people == 0, (people != 0) & (people == np.sign(said))
    weight, whole = _weights(pairs.group, len(packed.starts) - 1)
    start = float(weight[right | (tied & (said == 0))].sum())
    change = np.where(tied & (said != 0), weight, np.where(right, -weight, 0.0))
    # epsilon 0 is looked at even if no two scores are equal
    epsilons, place = np.unique(np.concatenate([[0.0], np.abs(said)]), return_inverse=True)
    steps = np.bincount(place, np.concatenate([[0.0], change])).astype(np.float64)
    return epsilons, (start + np.cumsum(steps)) / whole


def _weights(group: Ints, n_groups: int) -> tuple[Array, float]:
    """What each pair adds to the sum over groups, and what the sum is divided by.

    Whole numbers if they are small enough: sums are exact then, and equal values are seen to be equal.
    """
    sizes = np.bincount(group, minlength=n_groups)
    used = int(np.count_nonzero(sizes))
    common = math.lcm(*np.unique(sizes[sizes > 0]).tolist())
    if common * used >= _EXACT:
        common = 1
    return common / sizes[group], float(common * used)
