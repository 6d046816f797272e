"""Is one metric really better than another? Tests of every two metrics, and the ranks that follow from them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from typing import Literal

import numpy as np

from tercet.data import Array
from tercet.errors import InputError
from tercet.meta.accuracy import Accuracy, AccuracyWithTies
from tercet.meta.base import Draws, Found, Measure, ScoreMeasure, Unit
from tercet.meta.correlation import Pearson
from tercet.meta.gold import Gold
from tercet.stats import holm
from tercet.stats.dependent import williams_tests
from tercet.stats.permutation import bootstrap_tests, pairs_tests, permutation_tests

Test = Literal[
    "auto",
    "none",
    "williams",
    "perm-both",
    "perm-system",
    "perm-item",
    "boot-both",
    "boot-system",
    "boot-item",
    "judgements",
    "overlap",
    "hybrids",
]
Correction = Literal["none", "holm"]


@dataclasses.dataclass(frozen=True)
class Testing:
    """Which test, with how many draws."""

    test: Test = "auto"
    draws: int = 1000
    seed: int = 12345
    threads: int = 1
    correction: Correction = "none"

    __test__ = False  # not a test, whatever pytest thinks of the name


@dataclasses.dataclass(frozen=True, eq=False)
class Compared:
    """What the tests look at: gold, metrics (metrics, systems, items), what was found, and resamples if there are."""

    gold: Gold
    values: Array
    found: tuple[Found, ...]
    sampled: Array | None = None  # (metrics, samples): values over resamples
    drawn: str = "none"  # what was resampled
    hybrids: tuple[Array, Array] | None = None  # people's (hybrids,) and the metrics' (metrics, hybrids) scores


def p_values(measure: Measure, compared: Compared, how: Testing) -> tuple[str, Array] | None:
    """The name of the test, and p[i, j] that metric i agrees better with people than j; None if there is no test."""
    name = usual(measure, compared.drawn) if how.test == "auto" else how.test
    if name == "none":
        return None
    p = _run(name, measure, compared, how)
    if how.correction == "holm":
        p = _corrected(p)
    return name, p


def usual(measure: Measure, drawn: str = "judgements") -> Test:
    """The test that fits, if none is named: Williams for Pearson, the resamples of the interval for comparisons."""
    if isinstance(measure, Pearson) and measure.group == "none":
        return "williams"
    if measure.takes == "pairs" and drawn == "items":
        return "boot-item"
    if measure.takes == "pairs" or (isinstance(measure, Accuracy) and measure.alpha is not None):
        return "judgements" if drawn == "judgements" else "none"
    return "perm-both" if isinstance(measure, AccuracyWithTies) or _permutes(measure) else "none"


def _permutes(measure: Measure) -> bool:
    """Whether the kernels know it; they do not know which pairs of systems people tell apart."""
    known = isinstance(measure, ScoreMeasure) and measure.takes == "scores"
    return known and getattr(measure, "alpha", None) is None


def _run(name: Test, measure: Measure, compared: Compared, how: Testing) -> Array:
    gold, values = compared.gold, compared.values
    if name == "williams":
        if not isinstance(measure, Pearson) or measure.group != "none":
            raise _unfit(name, measure, "--measure pearson")
        return williams_tests(gold.scores.ravel(), values.reshape(len(values), -1), absolute=measure.abs)
    if name == "hybrids":
        if compared.hybrids is None or not isinstance(measure, Pearson):
            raise _unfit(name, measure, "--measure pearson at the system level, and people's scores of segments")
        return williams_tests(*compared.hybrids, absolute=measure.abs)
    if name == "overlap":
        if compared.sampled is None:
            raise _unfit(name, measure, "an interval over resamples, such as --interval judgements")
        return _apart(compared.sampled)
    if name == "judgements" or (name.startswith("boot-") and not _permutes(measure)):
        return _resampled(name, measure, compared, how)
    kind, _, what = name.partition("-")
    unit: Literal["system", "input", "both"] = "input" if what == "item" else what  # type: ignore[assignment]
    if unit == "input" and gold.level == "system":
        raise _unfit(name, measure, f"items, and a system has one score: use {kind}-system")
    if isinstance(measure, AccuracyWithTies):
        if name != "perm-both":
            raise _unfit(name, measure, "--test perm-both or boot-item")
        epsilons = [found.epsilon or 0.0 for found in compared.found]
        return pairs_tests(
            gold.scores, values, measure.group, epsilons, draws=how.draws, seed=how.seed, threads=how.threads
        )
    if not isinstance(measure, ScoreMeasure) or not _permutes(measure):
        other = "judgements" if measure.takes == "pairs" or isinstance(measure, Accuracy) else "boot-item"
        raise InputError(f"The test {name} does not fit {measure}.", hint=f"Use --test {other}.")
    zeros = measure.zeros
    oriented = values * np.array([measure.signed(v) for v in _plain(measure, compared)])[:, None, None]
    if kind == "perm":
        return permutation_tests(
            measure.kind,
            gold.scores,
            oriented,
            measure.grouping,
            unit=unit,
            draws=how.draws,
            seed=how.seed,
            zero_nans=zeros,
            threads=how.threads,
        )
    return bootstrap_tests(
        measure.kind,
        gold.scores,
        oriented,
        measure.grouping,
        unit=unit,
        samples=how.draws,
        seed=how.seed,
        zero_nans=zeros,
        threads=how.threads,
    )[0]


def _resampled(name: str, measure: Measure, compared: Compared, how: Testing) -> Array:
    """Paired bootstrap of every two metrics, over what both of them have scored."""
    unit = _DRAWN[name]
    draws = Draws(unit, how.draws, how.seed, how.threads)
    missing = np.isnan(compared.values)
    if (missing == missing[0]).all():
        made = compared.sampled if compared.drawn == unit else None
        return _paired(measure.resampled(compared.gold, compared.values, draws) if made is None else made)
    p = np.full((len(missing), len(missing)), np.nan)
    for i, j in itertools.combinations(range(len(missing)), 2):
        both = np.where(missing[i] | missing[j], np.nan, compared.values[[i, j]])
        two = _paired(measure.resampled(compared.gold, both, draws))
        p[i, j], p[j, i] = two[0, 1], two[1, 0]
    return p


_DRAWN: Mapping[str, Unit] = {
    "judgements": "judgements",
    "boot-item": "items",
    "boot-system": "systems",
    "boot-both": "both",
}


def _plain(measure: Measure, compared: Compared) -> list[float]:
    """Values before `abs`, whose signs say how metrics are turned."""
    if not measure.strength:
        return [found.value for found in compared.found]
    whole = measure.with_sign()
    return [whole.found(compared.gold, v).value for v in compared.values]


def _paired(sampled: Array) -> Array:
    """Paired bootstrap: the share of resamples in which i is not better than j, itself counted as one."""
    n = len(sampled)
    p = np.full((n, n), np.nan)
    for i in range(n):
        for j in range(n):
            both = np.isfinite(sampled[i]) & np.isfinite(sampled[j])
            if i != j and both.any():
                p[i, j] = (int((sampled[i, both] <= sampled[j, both]).sum()) + 1) / (int(both.sum()) + 1)
    return p


def _apart(sampled: Array) -> Array:
    """0 where the interval of i lies above that of j, 1 elsewhere: the rule of WMT17 to WMT19."""
    from tercet.stats import interval

    n = len(sampled)
    bounds = [interval(row[np.isfinite(row)]) if np.isfinite(row).any() else None for row in sampled]
    p = np.full((n, n), np.nan)
    for i, mine in enumerate(bounds):
        for j, other in enumerate(bounds):
            if i != j and mine is not None and other is not None:
                p[i, j] = 0.0 if mine.low > other.high else 1.0
    return p


def _corrected(p: Array) -> Array:
    """Holm's adjustment over the tests that were made, one of every two metrics: that of the better one."""
    out = p.copy()
    i, j = np.triu_indices(len(p), 1)
    first = np.minimum(p[i, j], p[j, i])
    tested = np.isfinite(first)
    adjusted = holm(first[tested])
    for a, b, value in zip(i[tested], j[tested], adjusted, strict=True):
        better, worse = (a, b) if p[a, b] <= p[b, a] else (b, a)
        out[better, worse] = value
    return out


def _unfit(name: str, measure: Measure, what: str) -> InputError:
    return InputError(f"The test {name} does not fit {measure}.", hint=f"It needs {what}.")
