"""Does one metric agree better with people than another? Permutation and bootstrap tests of every two metrics.

PERM-BOTH, PERM-SYS and PERM-INPUT of Deutsch, Dror and Roth (2021) as mt-metrics-eval runs them: both metrics are
standardised over the entries that people and both metrics have, swapped in every entry, system or item with
probability 1/2, and compared again; p is the share of draws in which the difference is as large as it is.
`pairs_tests` is its cheaper test for accuracy with calibrated ties, which swaps the outcomes of pairs. BOOT-SYS,
BOOT-INPUT and BOOT-BOTH draw systems, items or both with replacement.

p[i, j] speaks for metric i being better than j. All pairs of metrics share the draws, which depend on the seed alone.
A draw in which an agreement is not defined speaks against significance; where that of the whole is not defined, p is
NaN. Differences that are equal but for rounding are equal.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.errors import InputError
from tercet.stats.calibration import Variant, entry_pairs
from tercet.stats.correlation import Grouping, Kind, Packed, averaged, check_kind, pack

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Unit = Literal["both", "system", "input"]
Progress = Callable[[int], None]

_ROUNDING = 1e-12
_BLOCK, _SURELY, _HARDLY = 100, 0.02, 0.5  # mt-metrics-eval stops after a block with p below or above these


class BootstrapTests(NamedTuple):
    """p-values, and 95 % intervals of the differences (row less column); (metrics, metrics) each."""

    p: Array
    low: Array
    high: Array


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
    draws: int = 1000,
    seed: int = 12345,
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
    >>> p = permutation_tests("pearson", gold, np.stack([gold, np.sin(gold)]), draws=500)
    >>> p.round(2).tolist()
    [[nan, 0.0], [1.0, nan]]
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
    draws: int = 1000,
    seed: int = 12345,
    early_stop: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> Array:
    """p[i, j] of accuracy with ties (acc-23 or tau-23), where each metric keeps its own epsilon.

    Of two outcomes of a pair, right or wrong, the swap matters only where they differ, and then it is the toss of a
    coin: a group is known by how many differ.

    >>> gold = np.arange(30.0).reshape(6, 5) % 7
    >>> pairs_tests(gold, np.stack([gold, -gold]), "item", [0.0, 0.0])[0, 1] < 0.05
    np.True_
    """
    _check("both", draws)
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
        p[i, j], p[j, i] = _coin_test(right[i, used], right[j, used], pairs.group[used], how)
        if progress:
            progress(1)
    return p


def bootstrap_values(
    kind: Kind,
    gold: Array,
    metrics: Array,
    group: Grouping = "none",
    unit: Unit = "both",
    samples: int = 1000,
    seed: int = 12345,
    *,
    epsilons: Sequence[float] | Array | None = None,
    threshold: float = 0.0,
    zero_nans: bool = False,
    threads: int = 1,
) -> Array:
    """Agreements over systems, items or both drawn with replacement: (metrics, samples), NaN where undefined.

    >>> gold = np.arange(12.0).reshape(4, 3)
    >>> bootstrap_values("pearson", gold, gold[None], samples=3).round(6).tolist()
    [[1.0, 1.0, 1.0]]
    """
    tie = np.zeros(len(metrics)) if epsilons is None else np.asarray(epsilons, dtype=np.float64)
    for epsilon in tie:
        check_kind(kind, float(epsilon))
    check_kind(kind)
    _check(unit, samples)
    pack(group, gold, metrics[:0])  # refuses what does not fit
    found = kernels.bootstrap_agreements(
        kind, np.ascontiguousarray(gold), np.ascontiguousarray(metrics), tie, group, unit, threshold, zero_nans,
        samples, 0, seed, threads,
    )  # fmt: skip
    return found.T


def bootstrap_tests(
    kind: Kind,
    gold: Array,
    metrics: Array,
    group: Grouping = "none",
    *,
    unit: Unit = "both",
    samples: int = 1000,
    seed: int = 12345,
    epsilons: Sequence[float] | Array | None = None,
    threshold: float = 0.0,
    zero_nans: bool = False,
    threads: int = 1,
) -> BootstrapTests:
    """p[i, j] that metric i agrees better than j: the share of samples in which it does not; and intervals.

    Two metrics are compared over the entries that both have.
    """
    tie = np.zeros(len(metrics)) if epsilons is None else np.asarray(epsilons, dtype=np.float64)

    def values(which: list[int], tables: Array) -> Array:
        return bootstrap_values(
            kind, gold, tables, group, unit, samples, seed,
            epsilons=tie[which], threshold=threshold, zero_nans=zero_nans, threads=threads,
        )  # fmt: skip

    missing = np.isnan(metrics) | np.isnan(gold)
    alike = bool((missing == missing[:1]).all())
    whole = values(list(range(len(metrics))), metrics) if alike else None
    found = BootstrapTests(*(_square(len(metrics)) for _ in range(3)))
    for i, j in itertools.combinations(range(len(metrics)), 2):
        if whole is not None:
            both = whole[[i, j]]
        else:
            both = values([i, j], np.where(missing[i] | missing[j], np.nan, metrics[[i, j]]))
        for a, b, gaps in ((i, j, both[0] - both[1]), (j, i, both[1] - both[0])):
            found.p[a, b], found.low[a, b], found.high[a, b] = _bootstrap_test(gaps)
    return found


def _bootstrap_test(gaps: Array) -> tuple[float, float, float]:
    """p, and the bounds of the central 95 %; samples that are not defined speak against a difference."""
    defined = np.sort(gaps[~np.isnan(gaps)])
    n = len(defined)
    if not n:
        return float("nan"), float("nan"), float("nan")
    not_better = int((defined <= _ROUNDING).sum()) + len(gaps) - n
    low, high = defined[int(0.025 * n)], defined[int(np.ceil(0.975 * n)) - 1]
    return not_better / len(gaps), float(low), float(high)


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

    found = _p_values(differences, abs(first - second), how)
    return found if first >= second else found[::-1]


def _coin_test(
    first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_], group: Ints, how: _How
) -> tuple[float, float]:
    """The same for two metrics that are right or wrong about pairs."""
    if not len(group):
        return float("nan"), float("nan")
    gain = first.astype(np.int64) - second
    n = np.bincount(group)
    weights = 1 / (np.maximum(n, 1) * np.count_nonzero(n))
    delta = float((np.bincount(group, gain) * weights).sum())
    differ = np.bincount(group, np.abs(gain)).astype(np.int64)

    def differences(start: int, count: int) -> Array:
        return kernels.coin_sums(differ, weights, count, start, how.seed, how.threads)

    found = _p_values(differences, abs(delta), how)
    return found if delta >= 0 else found[::-1]


def _p_values(differences: Callable[[int, int], Array], delta: float, how: _How) -> tuple[float, float]:
    """Shares of draws whose difference, of the better metric less the worse, is at least and at most what it is."""
    if np.isnan(delta):
        return float("nan"), float("nan")
    found, end, p = np.empty(0), 0, 1.0
    while end < how.draws and (end == 0 or _SURELY <= p <= _HARDLY):
        end = min(end + _BLOCK, how.draws) if how.early_stop else how.draws
        if end > len(found):
            # draws are made so many at a time: some that are not needed now come with the next block
            whole = -(-end // kernels.DRAWS_TOGETHER) * kernels.DRAWS_TOGETHER
            found = np.concatenate([found, differences(len(found), whole - len(found))])
        p = float(np.mean(~(found[:end] < delta - _ROUNDING)))  # so that NaN counts
    return p, float(np.mean(~(found[:end] > delta + _ROUNDING)))


def _standardized(scores: Array) -> Array:
    """Each metric less its mean, over its standard deviation; one that does not vary stays so."""
    if not scores.shape[1]:
        return scores
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
