"""Scores, intervals, tests of every two systems, and clusters: each number is that of `tercet score`.

One set of draws serves all systems, so that a p-value is the same whichever of the two is called the baseline. p and
interval of a difference are one decision (`stats.decision`): stars, verdicts, clusters and sentences read the p, and
the interval leaves out 0 exactly where p says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tercet import scoring, stats
from tercet.data import Array, ComparedMetric, PairTests, Statistics, SystemScore, TestSet, total
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.numbers import ALPHA
from tercet.options.groups import Engined, Testing, expect
from tercet.ranking.clusters import by_tests
from tercet.stats.correction import require_draws
from tercet.stats.decision import Decisions, decide
from tercet.stats.resampling import all_pairs_chance, bootstrap_chance, interval_of_drawn, size_of, stretch
from tercet.stats.rounding import signs


@dataclasses.dataclass(frozen=True, eq=False)
class Scored:
    """One metric on all systems: statistics for the buckets, and what is told of it."""

    metric: Metric
    statistics: Statistics
    segments: Array  # (systems, segments)
    scores: tuple[SystemScore, ...]
    tests: PairTests


def scored(testset: TestSet, metric: Metric, how: Testing) -> Scored:
    """Score every system and test every two of them."""
    where = how if isinstance(how, Engined) else None
    elsewhere = None if where is None else scoring.elsewhere(where)
    statistics = scoring.statistics(testset, metric, threads=how.workers, where=where)
    progress = how.progress
    if progress:
        expect(progress, f"{metric}", len(testset) * len(testset.systems))
        progress(f"{metric}", len(testset) * len(testset.systems))
    rows = units(statistics.rows, testset, how)
    note = None if progress is None else (lambda n: progress(f"{metric} resampling", n))
    expect(progress, f"{metric} resampling", how.samples)
    sampled = stats.bootstrap(
        rows, metric.score, how.samples, how.seed, threads=how.workers, progress=note, where=elsewhere
    )
    values, segments = statistics.corpus(), statistics.segments()
    tests = _tests(
        metric, statistics.systems, values, sampled, segments, _decisions(metric, rows, values, sampled, how)
    )
    bounds = [interval_of_drawn(row, how.unit, rows.shape[1]) for row in sampled]
    return Scored(metric, statistics, segments, _system_scores(tests, values, bounds), tests)


def described(metric: Metric, facts: Mapping[str, object]) -> ComparedMetric:
    """The name, direction, digits and signature of a metric, as the answer keeps them."""
    sign = scoring.metric_signature(metric, facts)
    return ComparedMetric(str(metric), metric.card.title, metric.higher_is_better, metric.digits, sign)


def units(rows: Array, testset: TestSet, how: Testing) -> Array:
    """(systems, units, k): what is drawn or exchanged, segments or documents."""
    if how.unit == "document":
        if testset.documents is None:
            raise InputError("There are no documents to draw by.", hint="Name their file with --documents.")
        rows = np.stack([total(rows[:, d.rows], d.rows) for d in testset.document_rows()], axis=1)
    if rows.shape[1] < 2:
        raise InputError(
            f"A comparison needs two {how.unit}s or more, and there is {rows.shape[1]}.", hint="Use a larger test set."
        )
    return rows


def _decisions(metric: Metric, rows: Array, values: Array, sampled: Array, how: Testing) -> Decisions:
    """p-values and intervals of every two systems, the second less the first, in the order of `triu_indices`."""
    i, j = np.triu_indices(len(rows), 1)
    gaps = values[j] - values[i]
    require_draws(len(gaps), *how.drawn, how.adjusts, ALPHA)
    if how.paired == "randomization":
        rng = np.random.default_rng(how.seed)
        chance = all_pairs_chance(rows, metric.score, how.trials, rng, threads=how.workers)
        scale = np.maximum(np.abs(values[i]), np.abs(values[j]))
    else:
        pairs = [(sampled[a], sampled[b]) for a, b in zip(i, j, strict=True)]
        chance = np.stack([bootstrap_chance(*pair, gap) for pair, gap in zip(pairs, gaps.tolist(), strict=True)])
        chance *= stretch(how.unit, rows.shape[1])
        scale = np.array([size_of(*pair) for pair in pairs])
    return decide(gaps, chance, scale, how.adjusts, ALPHA)


def _tests(
    metric: Metric, systems: tuple[str, ...], values: Array, sampled: Array, segments: Array, decisions: Decisions
) -> PairTests:
    n = len(systems)
    p, low, high, share = np.full((n, n), np.nan), np.zeros((n, n)), np.zeros((n, n)), np.full((n, n), 0.5)
    wins, ties = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    i, j = np.triu_indices(n, 1)
    p[i, j] = p[j, i] = decisions.p
    low[j, i], high[j, i] = decisions.low, decisions.high
    low[i, j], high[i, j] = 0.0 - decisions.high, 0.0 - decisions.low  # not -0
    sign = 1 if metric.higher_is_better else -1
    for a in range(n):
        gain = signs(sign * (segments[a] - segments), np.abs(segments[a]) + np.abs(segments))
        wins[a], ties[a] = (gain > 0).sum(axis=1), (gain == 0).sum(axis=1)
        over = signs(sign * (sampled[a] - sampled), np.abs(sampled[a]) + np.abs(sampled))
        share[a] = np.mean(over > 0, axis=1) + 0.5 * np.mean(over == 0, axis=1)
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


def _system_scores(tests: PairTests, values: Array, bounds: Sequence[tuple[float, float]]) -> tuple[SystemScore, ...]:
    gains = values if tests.higher_is_better else -values
    order = np.argsort(-gains, kind="stable")  # what is not defined comes last
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = by_tests(tests.better()[np.ix_(order, order)])
    above = signs(gains[None] - gains[:, None], np.abs(gains[None]) + np.abs(gains[:, None])) > 0
    ranks: npt.NDArray[np.int64] = 1 + above.sum(axis=1)
    return tuple(
        SystemScore(name, tests.metric, float(values[i]), *bounds[i], int(ranks[i]), int(clusters[i]))
        for i, name in enumerate(tests.systems)
    )
