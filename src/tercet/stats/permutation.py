"""Does one metric agree better with people than another? Permutation and bootstrap tests of every two metrics.

PERM-BOTH, PERM-SYS and PERM-INPUT of Deutsch, Dror and Roth (2021) as mt-metrics-eval runs them: both metrics are
standardised over the entries that people and both metrics have, swapped in every entry, system or item with
probability 1/2, and compared again; p is the share of draws in which the difference is as large as it is.
`pairs_tests` is its cheaper test for accuracy with calibrated ties, which swaps the outcomes of pairs. BOOT-SYS,
BOOT-INPUT and BOOT-BOTH draw systems, items or both with replacement. `sums_tests` swaps the sums of items, from which
some agreements are made, and `found_tests` the scores for any agreement at all.

p[i, j] speaks for metric i being better than j. All pairs of metrics share the draws, which depend on the seed alone.
A draw in which an agreement is not defined speaks against significance; where that of the whole is not defined, p is
NaN. Differences that are equal but for rounding are equal.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.errors import InputError
from tercet.stats.calibration import Variant, entry_pairs
from tercet.stats.correlation import Grouping, Kind, Packed, averaged, check_kind, pack
from tercet.stats.rounding import reaches

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Unit = Literal["both", "system", "input"]
Progress = Callable[[int], None]

_GIANT, _LESS = 1e150, 2.0**-600
_TOGETHER = 100  # draws whose swaps are held at once
_BLOCK, _SURELY, _HARDLY = 100, 0.02, 0.5  # mt-metrics-eval stops after a block with p below or above these


@dataclasses.dataclass(frozen=True)
class _How:
    """What is tested, and with which draws."""

    kind: Kind
    threshold: float
    zero_nans: bool
    draws: int
    seed: int
    early_stop: bool
    threads: int

    def agreement(self, packed: Packed, scores: Array) -> float:
        values, weights = kernels.correlate_groups(
            self.kind, packed.gold, scores, packed.starts, 0.0, self.threshold, self.threads
        )
        return averaged(values, weights, len(scores), zero_nans=self.zero_nans).value


def permutation_tests(
    kind: Kind,
    gold: Array,
    metrics: Array,
    group: Grouping = "none",
    *,
    unit: Unit = "both",
    draws: int,
    seed: int,
    epsilons: Sequence[float] | None = None,
    threshold: float = 0.0,
    zero_nans: bool = False,
    early_stop: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> Array:
    """p[i, j] that metric i agrees better than j: people (systems, items), metrics (metrics, systems, items).

    With `epsilons` outcomes of pairs are swapped (`pairs_tests`), as scores that were swapped have no epsilon. With
    `early_stop` draws end as in mt-metrics-eval, when after a hundred more p is below .02 or above .5. `progress` is
    told of every two metrics done.

    >>> gold = np.arange(12.0).reshape(4, 3)
    >>> p = permutation_tests("pearson", gold, np.stack([gold, np.sin(gold)]), draws=500, seed=1)
    >>> p.round(2).tolist()
    [[nan, 0.02], [0.99, nan]]
    """
    check_kind(kind)
    _check(unit, draws)
    if epsilons is not None:
        if kind not in get_args(Variant) or unit != "both":
            raise InputError(
                f"There is no test of {kind} with epsilons that swaps {unit}.",
                hint=f"Give one of {', '.join(get_args(Variant))} and the unit both.",
            )
        return pairs_tests(
            gold, metrics, group, epsilons, draws=draws, seed=seed, early_stop=early_stop, threads=threads,
            progress=progress,
        )  # fmt: skip
    how = _How(kind, threshold, zero_nans, draws, seed, early_stop, threads)
    p = _square(len(metrics))
    for i, j in itertools.combinations(range(len(metrics)), 2):
        packed = pack(group, gold, metrics[[i, j]])
        p[i, j], p[j, i] = _swap_test(packed, *_units(packed, gold.shape, unit), how)
        if progress:
            progress(1)
    return p


def pairs_tests(
    gold: Array,
    metrics: Array,
    group: Grouping,
    epsilons: Sequence[float] | Array,
    *,
    unit: Unit = "both",
    draws: int,
    seed: int,
    early_stop: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> Array:
    """p[i, j] of accuracy with ties (acc-23 or tau-23), where each metric keeps its own epsilon.

    Of two outcomes of a pair, right or wrong, the swap matters only where they differ, and then it is the toss of a
    coin: a group is known by how many differ. With the unit `input` all pairs of an item, which must be the groups, are
    swapped together: those of one item hang together, and one by one they promise too much.

    >>> gold = np.arange(30.0).reshape(6, 5) % 7
    >>> pairs_tests(gold, np.stack([gold, -gold]), "item", [0.0, 0.0], draws=500, seed=1)[0, 1] < 0.05
    np.True_
    """
    _check(unit, draws)
    if unit == "system" or (unit == "input" and group != "item"):
        raise InputError(
            f"Outcomes of pairs within each {group} are not swapped by {unit}.", hint="Give the unit both."
        )
    if len(epsilons) != len(metrics):
        raise InputError(f"{len(metrics)} metrics have {len(epsilons)} epsilons.", hint="Give one a metric.")
    for epsilon in epsilons:
        check_kind("acc-23", float(epsilon))
    packed = pack(group, gold, metrics[:0])
    pairs = entry_pairs(packed)
    people = np.sign(packed.gold[pairs.first] - packed.gold[pairs.second])
    right = np.zeros((len(metrics), len(people)), dtype=bool)
    known = np.zeros_like(right)
    for m, scores in enumerate(metrics.reshape(len(metrics), -1)[:, packed.cell]):
        gap = scores[pairs.first] - scores[pairs.second]
        known[m] = ~np.isnan(gap)
        right[m] = np.where(np.abs(gap) <= epsilons[m], 0.0, np.sign(gap)) == people
    how = _How("acc-23", 0.0, False, draws, seed, early_stop, threads)
    p = _square(len(metrics))
    for i, j in itertools.combinations(range(len(metrics)), 2):
        used = known[i] & known[j]
        p[i, j], p[j, i] = _coin_test(right[i, used], right[j, used], pairs.group[used], how, together=unit == "input")
        if progress:
            progress(1)
    return p


def bootstrap_values(
    kind: Kind,
    gold: Array,
    metrics: Array,
    group: Grouping,
    unit: Unit,
    samples: int,
    seed: int,
    *,
    epsilons: Sequence[float] | Array | None = None,
    threshold: float = 0.0,
    zero_nans: bool = False,
    threads: int = 1,
) -> Array:
    """Agreements over systems, items or both drawn with replacement: (metrics, samples), NaN where undefined.

    >>> gold = np.arange(12.0).reshape(4, 3)
    >>> bootstrap_values("pearson", gold, gold[None], "none", "both", samples=3, seed=1).round(6).tolist()
    [[1.0, 1.0, 1.0]]
    """
    tie = np.zeros(len(metrics)) if epsilons is None else np.asarray(epsilons, dtype=np.float64)
    for epsilon in tie:
        check_kind(kind, float(epsilon))
    check_kind(kind)
    _check(unit, samples)
    pack(group, gold, metrics[:0])  # refuses what does not fit
    agreements = kernels.bootstrap_agreements(
        kind, np.ascontiguousarray(gold), np.ascontiguousarray(metrics), tie, group, unit, threshold, zero_nans,
        samples, 0, seed, threads,
    )  # fmt: skip
    return agreements.T


def bootstrap_p(sampled: Array) -> Array:
    """p[i, j] that metric i agrees better than j: the share of samples (metrics, samples) in which it does not.

    The whole counts as one sample more, so that no p is 0. A sample that is not defined speaks against a difference.

    >>> bootstrap_p(np.array([[0.5, 0.6, 0.7, 0.8], [0.4, 0.6, 0.6, 0.5]])).tolist()
    [[nan, 0.4], [1.0, nan]]
    """
    p = _square(len(sampled))
    for i, j in itertools.permutations(range(len(sampled)), 2):
        gaps = sampled[i] - sampled[j]
        if np.isfinite(gaps).any():
            p[i, j] = (int(reaches(-gaps, 0.0).sum()) + 1) / (len(gaps) + 1)
    return p


def sums_tests(
    sums: Callable[[Ints], Array], n: int, score: Callable[[Array], Array], *, draws: int, seed: int
) -> Array:
    """p[i, j] of n metrics whose agreement is a function of sums over items, which are exchanged.

    `sums` gives the rows (2, items, k) of two metrics over what both have; `score` is (..., k) -> (...).

    >>> rows = np.array([[[1.0, 1.0]] * 8, [[0.0, 1.0]] * 8])
    >>> sums_tests(lambda two: rows[two], 2, lambda s: s[..., 0] / s[..., 1], draws=500, seed=1)[0, 1] < 0.03
    np.True_
    """
    _check("input", draws)
    p = _square(n)
    for i, j in itertools.combinations(range(n), 2):
        rows = sums(np.array([i, j]))
        if not rows.shape[1]:
            continue
        first, second = score(rows.sum(axis=1)).tolist()
        better, worse = rows if first >= second else rows[::-1]

        def differences(start: int, count: int, better: Array = better, worse: Array = worse) -> Array:
            rng = np.random.default_rng([seed, start])
            gap, whole = better - worse, better.sum(axis=0) + worse.sum(axis=0)
            out = []
            for done in range(0, count, _TOGETHER):
                kept = rng.integers(2, size=(min(_TOGETHER, count - done), len(gap)))
                one = worse.sum(axis=0) + kept @ gap
                out.append(score(one) - score(whole - one))
            return np.concatenate(out)

        both = _p_values(differences, abs(first - second), draws)
        p[i, j], p[j, i] = both if first >= second else both[::-1]
    return p


def found_tests(agreement: Callable[[Array], float], metrics: Array, unit: Unit, *, draws: int, seed: int) -> Array:
    """p[i, j] by any function from scores (systems, items) to agreement: slow, and nothing need be known of it.

    >>> gold = np.arange(12.0).reshape(4, 3)
    >>> def r(scores):
    ...     return float(np.corrcoef(gold.ravel(), scores.ravel())[0, 1])
    >>> found_tests(r, np.stack([gold, np.sin(gold)]), "both", draws=200, seed=1).round(2).tolist()
    [[nan, 0.02], [0.99, nan]]
    """
    _check(unit, draws)
    systems, items = metrics.shape[1:]
    shape = {"both": (systems, items), "system": (systems, 1), "input": (1, items)}[unit]
    p = _square(len(metrics))
    for i, j in itertools.combinations(range(len(metrics)), 2):
        there = np.isfinite(metrics[[i, j]]).all(axis=0)
        scores = np.full((2, systems, items), np.nan)
        scores[:, there] = _standardized(metrics[[i, j]][:, there])
        first, second = (agreement(x) for x in scores)
        better, worse = scores if first >= second else scores[::-1]

        def differences(start: int, count: int, better: Array = better, worse: Array = worse) -> Array:
            rng = np.random.default_rng([seed, start])
            kept = [rng.random(shape) < 0.5 for _ in range(count)]
            return np.array(
                [agreement(np.where(k, better, worse)) - agreement(np.where(k, worse, better)) for k in kept]
            )

        both = _p_values(differences, abs(first - second), draws)
        p[i, j], p[j, i] = both if first >= second else both[::-1]
    return p


def _swap_test(packed: Packed, units: Ints, n_units: int, how: _How) -> tuple[float, float]:
    """p that the first of two metrics is better, and that the second is."""
    scores = _standardized(packed.metrics)
    first, second = (how.agreement(packed, x) for x in scores)
    better, worse = scores if first >= second else scores[::-1]

    def differences(start: int, count: int) -> Array:
        return kernels.permutation_differences(
            how.kind, packed.gold, worse, better, packed.starts, units, n_units,
            how.threshold, how.zero_nans, count, start, how.seed, how.threads,
        )  # fmt: skip

    both = _p_values(differences, abs(first - second), how.draws, early_stop=how.early_stop)
    return both if first >= second else both[::-1]


def _coin_test(
    first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_], group: Ints, how: _How, *, together: bool = False
) -> tuple[float, float]:
    """The same for two metrics that are right or wrong about pairs."""
    if not len(group):
        return float("nan"), float("nan")
    gain = first.astype(np.int64) - second
    n = np.bincount(group)
    weights = 1 / (np.maximum(n, 1) * np.count_nonzero(n))
    gains = np.bincount(group, gain) * weights
    delta = float(gains.sum())
    differ = np.bincount(group, np.abs(gain)).astype(np.int64)

    def differences(start: int, count: int) -> Array:
        if together:
            signs = np.random.default_rng([how.seed, start]).integers(2, size=(count, len(gains))) * 2 - 1
            return signs @ gains
        return kernels.coin_sums(differ, weights, count, start, how.seed, how.threads)

    both = _p_values(differences, abs(delta), how.draws, early_stop=how.early_stop)
    return both if delta >= 0 else both[::-1]


def _p_values(
    differences: Callable[[int, int], Array], delta: float, draws: int, *, early_stop: bool = False
) -> tuple[float, float]:
    """Shares of draws whose difference, of the better metric less the worse, is at least and at most what it is.

    What was found counts as one draw more, so that no p is 0; not so where draws stop early, as mt-metrics-eval's do.
    """
    if np.isnan(delta):
        return float("nan"), float("nan")
    chance, end, p = np.empty(0), 0, 1.0
    while end < draws and (end == 0 or _SURELY <= p <= _HARDLY):
        end = min(end + _BLOCK, draws) if early_stop else draws
        if end > len(chance):
            # draws are made so many at a time: some that are not needed now come with the next block
            whole = -(-end // kernels.DRAWS_TOGETHER) * kernels.DRAWS_TOGETHER
            chance = np.concatenate([chance, differences(len(chance), whole - len(chance))])
        p = float(np.mean(reaches(chance[:end], delta)))
    if early_stop:
        return p, float(np.mean(reaches(-chance[:end], -delta)))
    high, low = (int(reaches(side * chance[:end], side * delta).sum()) for side in (1, -1))
    return (high + 1) / (end + 1), (low + 1) / (end + 1)


def _standardized(scores: Array) -> Array:
    """Each metric less its mean, over its standard deviation; one that does not vary stays so."""
    if not scores.shape[1]:
        return scores
    giant = np.abs(scores).max(axis=1, keepdims=True) > _GIANT
    scores = scores * np.where(giant, _LESS, 1.0)  # the same figures, whose squares can be added
    moved = scores - scores[:, :1]  # a metric that does not vary is exactly 0, whatever rounding makes of its mean
    centred = moved - moved.mean(axis=1, keepdims=True)
    spread = centred.std(axis=1, keepdims=True)
    out: Array = centred / np.where(spread > 0, spread, 1.0)
    return out


def _units(packed: Packed, shape: tuple[int, ...], unit: Unit) -> tuple[Ints, int]:
    """What swaps together, entry by entry, and how many such there are."""
    if unit == "both":
        return np.arange(len(packed.cell), dtype=np.int64), len(packed.cell)
    return (packed.cell // shape[1], shape[0]) if unit == "system" else (packed.cell % shape[1], shape[1])


def _square(n: int) -> Array:
    return np.full((n, n), np.nan)


def _check(unit: str, draws: int) -> None:
    if unit not in get_args(Unit):
        raise InputError(f"Nobody draws {unit!r}.", hint=f"Give one of {', '.join(get_args(Unit))}.")
    if draws < 1:
        raise InputError(f"{draws} draws say nothing.", hint="Give 1 or more.")
