"""Scores, intervals, tests of every two systems, and clusters: each number is that of `tercet score`.

One set of draws serves all systems, so that a p-value is the same whichever of the two is called the baseline. p and
interval of the bootstrap are those of `stats.significance`; the interval of a difference is that of the differences
over the same resamples.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np
import numpy.typing as npt

from tercet import scoring, stats
from tercet.data import Array, ComparedMetric, PairTests, Statistics, SystemScore, TestSet, total
from tercet.errors import InputError
from tercet.metric import Metric
from tercet.ranking.clusters import by_tests
from tercet.scoring import Progress
from tercet.stats.resampling import all_pairs_randomization


@dataclasses.dataclass(frozen=True)
class Testing:
    """How systems are tested; the names are those of `score`."""

    paired: Literal["bootstrap", "randomization"] = "bootstrap"
    samples: int = 1000
    trials: int = 10_000
    seed: int = 12345
    unit: Literal["segment", "document"] = "segment"
    correction: Literal["none", "holm"] = "none"
    threads: int = 1

    __test__ = False  # not a test, whatever pytest thinks of the name


@dataclasses.dataclass(frozen=True, eq=False)
class Scored:
    """One metric on all systems: statistics for the buckets, and what is told of it."""

    metric: Metric
    statistics: Statistics
    segments: Array  # (systems, segments)
    scores: tuple[SystemScore, ...]
    tests: PairTests


def scored(testset: TestSet, metric: Metric, how: Testing, progress: Progress | None = None) -> Scored:
    """Score every system and test every two of them."""
    found = scoring.statistics(testset, metric, threads=how.threads)
    if progress:
        progress(f"{metric}", len(testset) * len(testset.systems))
    rows = units(found.rows, testset, how)
    note = None if progress is None else (lambda n: progress(f"{metric} resampling", n))
    sampled = stats.bootstrap(rows, metric.score, how.samples, how.seed, threads=how.threads, progress=note)
    values, segments = found.corpus(), found.segments()
    tests = _tests(metric, found.systems, values, sampled, segments, _p_values(metric, rows, values, sampled, how))
    return Scored(metric, found, segments, _system_scores(tests, values, sampled), tests)


def described(metric: Metric, facts: str) -> ComparedMetric:
    """A metric as it was used."""
    sign = scoring.signature(metric, facts)
    return ComparedMetric(str(metric), metric.card.title, metric.higher_is_better, metric.digits, sign)


def units(rows: Array, testset: TestSet, how: Testing) -> Array:
    """(systems, units, k): what is drawn or exchanged, segments or documents."""
    if how.unit == "document":
        if testset.documents is None:
            raise InputError("There are no documents to draw by.", hint="Name their file with --documents.")
        rows = np.stack([total(rows[:, document.rows]) for document in testset.document_rows()], axis=1)
    if rows.shape[1] < 2:
        raise InputError(
            f"A comparison needs two {how.unit}s or more, and there is {rows.shape[1]}.", hint="Use a larger test set."
        )
    return rows


def _p_values(metric: Metric, rows: Array, values: Array, sampled: Array, how: Testing) -> Array:
    n = len(rows)
    p = np.full((n, n), np.nan)
    i, j = np.triu_indices(n, 1)
    if how.paired == "randomization":
        rng = np.random.default_rng(how.seed)
        found = all_pairs_randomization(rows, metric.score, how.trials, rng, threads=how.threads)[i, j]
    else:
        two = [stats.paired_bootstrap(sampled[a], sampled[b], values[b] - values[a]) for a, b in zip(i, j, strict=True)]
        found = np.array([p_value for p_value, _ in two])
    p[i, j] = p[j, i] = stats.holm(found) if how.correction == "holm" else found
    return p


def _tests(
    metric: Metric, systems: tuple[str, ...], values: Array, sampled: Array, segments: Array, p: Array
) -> PairTests:
    n = len(systems)
    low, high, share = np.zeros((n, n)), np.zeros((n, n)), np.full((n, n), 0.5)
    wins, ties = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    sign = 1 if metric.higher_is_better else -1
    for a in range(n):
        gain = sign * (segments[a] - segments)
        wins[a], ties[a] = (gain > 0).sum(axis=1), (gain == 0).sum(axis=1)
        for b in range(n):
            if a != b:
                bounds = stats.interval(sampled[a] - sampled[b])
                low[a, b], high[a, b] = bounds.low, bounds.high
                over = sign * (sampled[a] - sampled[b])
                share[a, b] = np.mean(over > 0) + 0.5 * np.mean(over == 0)
    return PairTests(
        metric=str(metric),
        higher_is_better=metric.higher_is_better,
        systems=systems,
        difference=values[:, None] - values[None],
        low=low,
        high=high,
        p=p,
        win_share=share,
        wins=wins,
        ties=ties,
    )


def _system_scores(tests: PairTests, values: Array, sampled: Array) -> tuple[SystemScore, ...]:
    gains = values if tests.higher_is_better else -values
    order = np.argsort(-gains, kind="stable")  # what is not defined comes last
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = by_tests(tests.better()[np.ix_(order, order)])
    ranks: npt.NDArray[np.int64] = 1 + (gains[None] > gains[:, None]).sum(axis=1)
    bounds = [stats.interval(row) for row in sampled]
    return tuple(
        SystemScore(
            name, tests.metric, float(values[i]), bounds[i].low, bounds[i].high, int(ranks[i]), int(clusters[i])
        )
        for i, name in enumerate(tests.systems)
    )
