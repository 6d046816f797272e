"""One direction by one measure: values, intervals, tests, and whether they hold without outliers and among the best."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np

from tercet import stats
from tercet.data import (
    Array,
    Calibration,
    MetaLevel,
    MetricAgreement,
    MetricTests,
    Scatter,
    TopCurve,
)
from tercet.errors import InputError
from tercet.meta.base import Draws, Found, Measure, Unit
from tercet.meta.gold import Gold
from tercet.meta.machines import Computed, Machines, aligned
from tercet.meta.people import People, chosen_systems
from tercet.meta.significance import Compared, Correction, Test, Testing, p_values
from tercet.stats.correlation import correlation, correlations
from tercet.stats.dependent import fisher_interval
from tercet.stats.hybrids import HYBRIDS, hybrid_means, hybrid_scores
from tercet.stats.ranks import significance_ranks
from tercet.stats.robust import mad_outliers, top_n, top_sizes

DRAWS = 1000
Interval = Literal["auto", "none", "judgements", "systems", "items", "both", "fisher"]


@dataclasses.dataclass(frozen=True)
class How:
    """How sure: intervals and tests."""

    interval: Interval = "auto"
    samples: int = 1000
    seed: int = 12345
    test: Test = "auto"
    draws: int | None = None  # 1000 if none, or 10 000 hybrids
    alpha: float = 0.05
    correction: Correction = "none"
    threads: int = 1


@dataclasses.dataclass(frozen=True, eq=False)
class Part:
    """What one measure found in one direction."""

    records: tuple[MetricAgreement, ...]
    tests: MetricTests | None
    calibrations: tuple[Calibration, ...]
    notes: tuple[str, ...]


def evaluate(people: People, machines: Machines, level: MetaLevel, measure: Measure, how: How) -> Part:
    """Every metric of one direction by one measure."""
    require_level(measure, level)
    gold = people.gold(measure.looks_at or level, measure.takes)
    scores = machines.scores(measure.looks_at or level)
    values = np.stack([aligned(s, gold) for s in scores])
    found = tuple(measure.found(gold, v) for v in values)
    drawn = _usual(measure, gold) if how.interval == "auto" else how.interval
    sampled, bounds = _intervals(drawn, measure, gold, values, found, how)
    names = tuple(s.metric for s in scores)
    hybrids = _hybrids(people, machines, level, how)
    over_hybrids = None if hybrids is None else _over_hybrids(measure, *hybrids)
    compared = Compared(gold, values, found, sampled, drawn, hybrids)
    tests = None
    if how.test != "none" and len(names) > 1:
        values_tested = [f.value for f in found] if over_hybrids is None else over_hybrids
        tests = _tests(measure, level, names, values_tested, compared, how)
    ranks = _ranks(tests) if tests else {}
    winners = set(tests.winners()) if tests else set()
    without = _without_outliers(measure, level, gold, values)
    records = tuple(
        MetricAgreement(
            name,
            level,
            str(measure),
            gold.direction,
            f.value,
            low=low,
            high=high,
            n=f.n,
            half_width=None if low is None or high is None else (high - low) / 2,
            rank=None if np.isnan(f.value) else ranks.get(name),
            winner=name in winners and not np.isnan(f.value) if tests else None,
            over_hybrids=None if over_hybrids is None else over_hybrids[i],
            epsilon=f.epsilon,
            without_outliers=None if without is None else without[i].value,
            n_without_outliers=None if without is None else without[i].n,
        )
        for i, (name, f, (low, high)) in enumerate(zip(names, found, bounds, strict=True))
    )
    curves = tuple(
        dataclasses.replace(f.calibration, metric=name)
        for name, f in zip(names, found, strict=True)
        if f.calibration is not None
    )
    notes = (
        *gold.notes,
        *(note for f in found for note in f.notes),
        *_reversed(measure, machines, gold, names, values),
    )
    return Part(records, tests, curves, tuple(dict.fromkeys(notes)))


REVERSED = -0.3  # what is lower than this looks like a score for which lower is better


def _reversed(
    measure: Measure, machines: Machines, gold: Gold, names: tuple[str, ...], values: Array
) -> tuple[str, ...]:
    """A note on metrics that run against people: turned around by `abs`, or perhaps scores to be read with `lower`."""
    if measure.strength:
        plain = measure.with_sign()
        against = [n for n, v in zip(names, values, strict=True) if plain.found(gold, v).value < 0]
        return (f"Metrics that run against people, turned around by abs: {', '.join(against)}.",) if against else ()
    if isinstance(machines, Computed) or measure.takes == "pairs":
        return ()
    against = [n for n, v in zip(names, values, strict=True) if measure.found(gold, v).value < REVERSED]
    if not against:
        return ()
    return (f"Metrics that run against people: {', '.join(against)}. If lower is better, say so with --lower.",)


def require_level(measure: Measure, level: MetaLevel) -> None:
    """Refuse a measure that says nothing of a level."""
    if level not in measure.levels:
        raise InputError(
            f"{measure.name} is not a measure of the {level} level.", hint=f"It is for {', '.join(measure.levels)}."
        )
    if measure.takes == "pairs" and level != "segment":
        raise InputError(
            f"{measure} compares systems on segments, not at the {level} level.",
            hint="Use --level segment, or another measure.",
        )
    if level == "system" and not measure.looks_at and measure.grouping != "none":
        raise InputError(
            f"{measure} groups scores, and there is one score a system.", hint="Leave out the group, or use segments."
        )


Bounds = tuple[float | None, float | None]


def _intervals(
    drawn: Interval, measure: Measure, gold: Gold, values: Array, found: tuple[Found, ...], how: How
) -> tuple[Array | None, list[Bounds]]:
    """Values of every resample, and the bounds of each metric."""
    if drawn == "none" or drawn == "auto":
        return None, [(None, None)] * len(found)
    if drawn == "fisher":
        if measure.name not in ("pearson", "spearman") or measure.grouping != "none":
            raise InputError(
                f"Fisher's interval does not fit {measure}.",
                hint="It is for pearson and spearman without groups; use another --interval.",
            )
        bounds = [fisher_interval(f.value, f.n) for f in found]
        return None, [(None, None) if np.isnan(low) else (low, high) for low, high in bounds]
    if drawn in ("items", "both") and gold.level == "system":
        raise InputError(
            f"There are no items to draw at the system level for {measure}: a system has one score.",
            hint="Use --interval judgements or systems.",
        )
    sampled = measure.resampled(gold, values, Draws(drawn, how.samples, how.seed, how.threads))
    return sampled, [_bounds(row) for row in sampled]


def _usual(measure: Measure, gold: Gold) -> Unit | Literal["none"]:
    """What is drawn if nothing is said: judgements where there are some, systems or items of scores otherwise."""
    if measure.looks_at:
        return "none"
    if gold.pairs is not None or gold.sampled is not None:
        return "judgements"
    return "systems" if gold.level == "system" else "items"


def _bounds(sampled: Array) -> Bounds:
    there = sampled[np.isfinite(sampled)]
    if not len(there):
        return None, None
    found = stats.interval(there)
    return found.low, found.high


def _tests(
    measure: Measure,
    level: MetaLevel,
    names: tuple[str, ...],
    values: Sequence[float],
    compared: Compared,
    how: How,
) -> MetricTests | None:
    """Tests of every two metrics, the one of the highest value first."""
    testing = Testing(how.test, how.draws or DRAWS, how.seed, how.threads, how.correction)
    made = p_values(measure, compared, testing)
    if made is None:
        return None
    test, p = made
    order = np.argsort([-v if np.isfinite(v) else np.inf for v in values], kind="stable")
    return MetricTests(
        compared.gold.direction,
        level,
        str(measure),
        test if how.correction == "none" else f"{test}, {how.correction}",
        tuple(names[i] for i in order),
        p[np.ix_(order, order)],
        how.alpha,
    )


def _ranks(tests: MetricTests) -> dict[str, int]:
    return dict(zip(tests.metrics, significance_ranks(tests.p, tests.alpha).tolist(), strict=True))


def _without_outliers(measure: Measure, level: MetaLevel, gold: Gold, values: Array) -> list[Found] | None:
    """The same without systems that people put far off; None where that says nothing."""
    if level != "system" or measure.looks_at:
        return None
    out = mad_outliers(gold.scores[:, 0]).mask
    kept = chosen_systems(gold, np.flatnonzero(~out).tolist())
    if not measure.strength:
        return [measure.found(kept, v[~out]) for v in values]
    plain = measure.with_sign()
    found = []
    for v in values:  # turned around by the sign of the whole, so that a change of sign shows
        rest = plain.found(kept, v[~out])
        found.append(dataclasses.replace(rest, value=rest.value * measure.signed(plain.found(gold, v).value)))
    return found


def _hybrids(people: People, machines: Machines, level: MetaLevel, how: How) -> tuple[Array, Array] | None:
    """Scores of hybrid systems: people's, and the metrics', from statistics of texts or from scores of segments."""
    if how.test != "hybrids" or level != "system":
        return None
    gold = people.gold("segment", "scores")
    count = how.draws or HYBRIDS
    if not isinstance(machines, Computed):
        human = hybrid_means(gold.scores, count, how.seed, threads=how.threads)
        given = [aligned(s, gold) for s in machines.scores("segment")]
        return human, np.stack([hybrid_means(v, count, how.seed, threads=how.threads) for v in given])
    texts = machines.testset
    systems = [s for s in gold.systems if s in texts.systems]
    place = {s: i for i, s in enumerate(gold.items)}
    column = np.array([place.get(s, -1) for s in texts.segments], dtype=np.int64)
    table = gold.scores[[gold.systems.index(s) for s in systems]]
    judged = np.where(column >= 0, table[:, column], np.nan)  # (systems, segments of the test set)
    human = hybrid_means(judged, count, how.seed, threads=how.threads)
    rows = []
    for name, metric in machines.metrics.items():
        found = machines.statistics(name)
        own = found.rows[[found.systems.index(s) for s in systems]]
        scores = hybrid_scores(own, found.score, count, how.seed, threads=how.threads)
        rows.append(scores if metric.higher_is_better else -scores)
    return human, np.stack(rows)


def _over_hybrids(measure: Measure, human: Array, metrics: Array) -> list[float]:
    """r of each metric over the hybrids."""
    found: list[float] = correlations("pearson", human[None], metrics)[0].tolist()
    return [abs(r) for r in found] if measure.strength else found


def curves(people: People, machines: Machines, *, absolute: bool = False) -> tuple[TopCurve, ...]:
    """Pearson's r of every metric among the best N systems; `absolute` turns metrics that are reversed over all."""
    gold = people.gold("system", "scores")
    scores = machines.scores("system")
    there = int(np.isfinite(gold.scores[:, 0]).sum())
    sizes = top_sizes(there)
    values = top_n(gold.scores[:, 0], np.stack([aligned(s, gold)[:, 0] for s in scores]), sizes)
    if absolute:
        values = np.where(values[:, -1:] < 0, -values, values)
    return tuple(
        TopCurve(gold.direction, "pearson", s.metric, sizes, tuple(row.tolist()))
        for s, row in zip(scores, values, strict=True)
    )


def scatters(people: People, machines: Machines, how: How, *, intervals: bool = False) -> tuple[Scatter, ...]:
    """Every metric's scores of the systems beside people's; `intervals` draws segments for those of the metric."""
    gold = people.gold("system", "scores")
    human = gold.scores[:, 0]
    out = mad_outliers(human).mask
    people_bounds = [_bounds(column) for column in gold.sampled.T] if gold.sampled is not None else []
    found = []
    for scores in machines.scores("system"):
        values = aligned(scores, gold)[:, 0]
        shown = values if scores.higher_is_better else -values
        bounds: list[Bounds] = []
        if intervals and isinstance(machines, Computed):
            statistics = machines.statistics(scores.metric)
            sampled = stats.bootstrap(statistics.rows, statistics.score, how.samples, how.seed, threads=how.threads)
            place = {s: i for i, s in enumerate(statistics.systems)}
            bounds = [_bounds(sampled[place[s]]) if s in place else (None, None) for s in gold.systems]
        found.append(
            Scatter(
                gold.direction,
                scores.metric,
                gold.systems,
                tuple(human.tolist()),
                tuple(shown.tolist()),
                tuple(out.tolist()),
                _side(people_bounds, 0),
                _side(people_bounds, 1),
                _side(bounds, 0),
                _side(bounds, 1),
                scores.higher_is_better,
                correlation("pearson", human[:, None], values[:, None]).value,
            )
        )
    return tuple(found)


def _side(bounds: list[Bounds], side: Literal[0, 1]) -> tuple[float, ...]:
    return tuple(float("nan") if b[side] is None else float(b[side] or 0.0) for b in bounds)
