"""One direction by one measure: values, intervals, tests, and whether they hold without outliers and among the best."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np

from tercet import stats
from tercet.agreeing.base import (
    Draws,
    Flags,
    Found,
    Measure,
    checked_found,
    checked_intervals,
    checked_resampled,
    value_of,
)
from tercet.agreeing.correlation import Pearson
from tercet.agreeing.gold import Gold
from tercet.agreeing.machines import Machines, aligned
from tercet.agreeing.people import People, chosen_systems
from tercet.agreeing.places import placed
from tercet.agreeing.significance import Compared, p_values
from tercet.data import (
    Array,
    Calibration,
    MetricAgreement,
    MetricScores,
    MetricTests,
    Scatter,
    SegmentScores,
    TopCurve,
    is_reference,
)
from tercet.data.meta import FEW
from tercet.errors import InputError
from tercet.options.agreeing import Certainty, Interval, MetaLevel
from tercet.stats.correlation import correlation, correlations
from tercet.stats.dependent import fisher_interval
from tercet.stats.hybrids import HYBRIDS, hybrid_means, hybrid_scores
from tercet.stats.ranks import significance_ranks
from tercet.stats.resampling import few_drawn, interval_of_drawn
from tercet.stats.robust import top_n, top_sizes
from tercet.stats.spreads import density, histogram

MANY = 500  # segments that are drawn as density
CELLS = 32  # across
BINS = 30  # of a histogram


@dataclasses.dataclass(frozen=True, eq=False)
class Evaluated:
    """What one measure found in one direction."""

    records: tuple[MetricAgreement, ...]
    tests: MetricTests | None
    calibrations: tuple[Calibration, ...]
    notes: tuple[str, ...]
    used: Used


@dataclasses.dataclass(frozen=True)
class Used:
    """What made the numbers of a part, for the signature."""

    gold: str
    interval: Interval
    test: str
    unit: str | None  # what one draw of judgements was, where the gold has resamples of them


def evaluate(people: People, machines: Machines, level: MetaLevel, measure: Measure, how: Certainty) -> Evaluated:
    """Every metric of one direction by one measure."""
    require_level(measure, level)
    gold = people.gold(measure.looks_at or level, measure.takes)
    scores = machines.scores(measure.looks_at or level, common=how.common)
    values = np.stack([aligned(s, gold) for s in scores])
    unscored = () if how.common else _unscored(gold, values)
    if how.common:
        values = np.where(np.isnan(values).any(axis=0), np.nan, values)
    agreements = tuple(checked_found(measure, gold, v) for v in values)
    plain = [f.value for f in agreements]
    if measure.strength:
        plain = [value_of(measure.with_sign(), gold, v) for v in values]
    drawn = _interval(measure, gold, how)
    sampled, bounds = _intervals(drawn, measure, gold, values, agreements, how)
    names = tuple(s.metric for s in scores)
    hybrids = _hybrids(people, machines, level, how)
    over_hybrids = None if hybrids is None else _over_hybrids(measure, *hybrids)
    compared = Compared(gold, values, agreements, sampled, drawn, hybrids, plain)
    tests = None
    if how.test != "none" and len(names) > 1:
        values_tested = [f.value for f in agreements] if over_hybrids is None else over_hybrids
        tests = _tests(measure, level, names, values_tested, compared, how)
    ranks = _ranks(tests) if tests else {}
    winners = set(tests.winners()) if tests else set()
    without = _without_outliers(measure, level, gold, values, plain)
    most = max(f.n for f in agreements)
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
            half_width=None if low is None or high is None or drawn == "fisher" else (high - low) / 2,
            rank=None if np.isnan(f.value) else ranks.get(name),
            winner=name in winners and not np.isnan(f.value) if tests else None,
            over_hybrids=None if over_hybrids is None else over_hybrids[i],
            epsilon=f.epsilon,
            without_outliers=None if without is None else without[i].value,
            n_without_outliers=None if without is None else without[i].n,
            reference_free=scores[i].reference_free or None,
            fewer=f.n < most or None,
            in_words=measure.in_words,
        )
        for i, (name, f, (low, high)) in enumerate(zip(names, agreements, bounds, strict=True))
    )
    records = tuple(dataclasses.replace(r, rank=None, winner=False) if r.scarce and tests else r for r in records)
    notes = (
        *gold.notes,
        *(note for f in agreements for note in f.notes),
        *unscored,
        *_uneven(measure, gold, names, agreements),
        *_all_tied(measure, names, agreements),
        *_reversed(measure, machines, names, plain),
        *(few_drawn("Intervals", len(gold.items), gold.level) if drawn in ("items", "both") else ()),
    )
    used = Used(gold.spec, drawn, tests.test.partition(",")[0] if tests else "none", gold.unit)
    return Evaluated(placed(records), tests, _calibrations(names, agreements), tuple(dict.fromkeys(notes)), used)


def _calibrations(names: tuple[str, ...], agreements: tuple[Found, ...]) -> tuple[Calibration, ...]:
    """The curves of measures that look for the best epsilon, under the names of the metrics."""
    return tuple(
        dataclasses.replace(f.calibration, metric=name)
        for name, f in zip(names, agreements, strict=True)
        if f.calibration is not None
    )


def _unscored(gold: Gold, values: Array) -> tuple[str, ...]:
    """Notes on systems, and on segments or documents, that people judged and no metric has a score of."""
    nowhere = np.logical_and.reduce(np.isnan(values))  # (systems, items)
    machines = [i for i, system in enumerate(gold.systems) if not is_reference(system)]
    lacking: dict[str, tuple[list[str], Flags]] = {
        "systems": ([gold.systems[i] for i in machines], np.logical_and.reduce(nowhere[machines], axis=1))
    }
    if gold.level != "system":
        lacking[f"{gold.level}s"] = (list(gold.items), np.logical_and.reduce(nowhere))
    of, notes = f" of {gold.direction}" if gold.direction else "", []
    for what, (names, missing) in lacking.items():
        none = [names[i] for i in np.flatnonzero(missing).tolist()]
        if none:
            some = ", ".join(none[:3]) + (f" and {len(none) - 3} more" if len(none) > 3 else "")
            count = f"{len(none)} of {len(names)}"
            notes.append(f"No metric has a score of {count} {what}{of} that people judged: {some}.")
    return tuple(notes)


def _uneven(measure: Measure, gold: Gold, names: tuple[str, ...], agreements: tuple[Found, ...]) -> tuple[str, ...]:
    """A note on metrics that were held against less of people's side than others."""
    most = max((f.n for f in agreements), default=0)
    fewer = [f"{name} {f.n}" for name, f in zip(names, agreements, strict=True) if f.n < most]
    if not fewer:
        return ()
    where = f"{gold.direction}, {measure}" if gold.direction else str(measure)
    return (f"{where}: not all metrics have the same {measure.counts}, which are {most} at most: {', '.join(fewer)}.",)


def _all_tied(measure: Measure, names: tuple[str, ...], agreements: tuple[Found, ...]) -> tuple[str, ...]:
    """A note on metrics whose epsilon leaves nothing to tell apart."""
    tied = [n for n, f in zip(names, agreements, strict=True) if f.calibration is not None and f.calibration.ties_all]
    if not tied:
        return ()
    said = "epsilon calls every pair a tie, and the value is the share of people's ties, for"
    return (f"{measure}: {said} {', '.join(tied)}.",)


REVERSED = -0.3  # what is lower than this looks like a score for which lower is better


def _reversed(measure: Measure, machines: Machines, names: tuple[str, ...], plain: Sequence[float]) -> tuple[str, ...]:
    """A note on metrics that run against people: turned around by `abs`, or perhaps scores to be read with `lower`."""
    if measure.strength:
        against = [name for name, value in zip(names, plain, strict=True) if value < 0]
        return (f"Metrics that run against people, turned around by abs: {', '.join(against)}.",) if against else ()
    if measure.takes == "pairs":
        return ()
    of_files = [(n, v) for n, v in zip(names, plain, strict=True) if n not in machines.metrics]
    against = [name for name, value in of_files if value < REVERSED]
    if not against:
        return ()
    return (
        f"Metrics that run against people: {', '.join(against)}. If lower is better, say so with the option lower.",
    )


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
    drawn: Interval, measure: Measure, gold: Gold, values: Array, agreements: tuple[Found, ...], how: Certainty
) -> tuple[Array | None, list[Bounds]]:
    """Values of every resample, and the bounds of each metric."""
    if drawn == "none" or drawn == "auto":
        return None, [(None, None)] * len(agreements)
    if drawn == "fisher":
        bounds = [fisher_interval(f.value, f.n) for f in agreements]
        return None, [(None, None) if np.isnan(low) else (low, high) for low, high in bounds]
    sampled = checked_resampled(measure, gold, values, Draws(drawn, how.samples, how.seed, how.workers))
    # two systems lie on a line whenever they are drawn, and three are in one of few orders
    few = [drawn == "systems" and f.n < FEW for f in agreements]
    unit = gold.level if drawn == "items" else ""
    drawn_bounds = (_bounds(row, unit, len(gold.items)) for row in sampled)
    return sampled, [(None, None) if none else ends for ends, none in zip(drawn_bounds, few, strict=True)]


def _interval(measure: Measure, gold: Gold, how: Certainty) -> Interval:
    """The interval that was asked for, or the usual one of the measure."""
    fitting = checked_intervals(measure, gold)
    if how.interval == "auto":
        drawn = [interval for interval in fitting if interval != "fisher"]
        return drawn[0] if how.test == "overlap" else fitting[0]  # intervals lie apart by their resamples
    if how.interval not in fitting:
        raise InputError(
            f"There is no interval by {how.interval} for {measure} at the {gold.level} level.",
            hint=f"Use --interval {' or '.join(dict.fromkeys(fitting))}.",
        )
    return how.interval


def _bounds(sampled: Array, unit: str = "", units: int = 0) -> Bounds:
    """The ends, if draws differ at all: where they are all alike, they tell nothing of how far others would lie."""
    there = sampled[np.isfinite(sampled)]
    low, high = interval_of_drawn(there, unit, units) if len(there) else (None, None)
    return (None, None) if low == high else (low, high)


def _tests(
    measure: Measure,
    level: MetaLevel,
    names: tuple[str, ...],
    values: Sequence[float],
    compared: Compared,
    how: Certainty,
) -> MetricTests | None:
    """Tests of every two metrics, the one of the highest value first."""
    made = p_values(measure, compared, how)
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
        measure.in_words,
    )


def _ranks(tests: MetricTests) -> dict[str, int]:
    return dict(zip(tests.metrics, significance_ranks(tests.p, tests.alpha).tolist(), strict=True))


def _without_outliers(
    measure: Measure, level: MetaLevel, gold: Gold, values: Array, plain: Sequence[float]
) -> list[Found] | None:
    """The same without systems that people put far off; None where that says nothing.

    Turned around by the sign of the whole, so that a change of sign shows.
    """
    if level != "system" or measure.looks_at:
        return None
    out = gold.outliers()
    kept = chosen_systems(gold, np.flatnonzero(~out).tolist())
    rest = [checked_found(measure.with_sign(), kept, v[~out]) for v in values]
    return [dataclasses.replace(f, value=f.value * measure.signed(p)) for f, p in zip(rest, plain, strict=True)]


def _hybrids(people: People, machines: Machines, level: MetaLevel, how: Certainty) -> tuple[Array, Array] | None:
    """Scores of hybrid systems: people's, and the metrics', from statistics of texts or from scores of segments."""
    if how.test != "hybrids" or level != "system":
        return None
    gold, texts = people.gold("segment", "scores"), machines.testset
    count = how.draws or HYBRIDS
    if texts is not None:  # hybrids are put together of all segments, not only of those that were judged
        systems = [s for s in gold.systems if s in texts.systems]
        place = {s: i for i, s in enumerate(gold.items)}
        column = np.array([place.get(s, -1) for s in texts.segments], dtype=np.int64)
        table = gold.scores[[gold.systems.index(s) for s in systems]]
        judged = np.where(column >= 0, table[:, column], np.nan)
        gold = dataclasses.replace(gold, systems=tuple(systems), items=texts.segments, values=judged)
    human = hybrid_means(gold.scores, count, how.seed, threads=how.workers)
    rows = []
    segments: dict[str, MetricScores] = {}
    if any(s.metric not in machines.metrics for s in machines.scores("system")):
        segments = {s.metric: s for s in machines.scores("segment")}
    for scores in machines.scores("system"):
        statistics = machines.statistics(scores.metric)
        if statistics is None:
            if scores.metric not in segments:
                raise InputError(
                    f"{scores.metric} has no scores of segments to make hybrid systems of.",
                    hint="Give them, or choose another --test.",
                )
            rows.append(hybrid_means(aligned(segments[scores.metric], gold), count, how.seed, threads=how.workers))
            continue
        counted = statistics.rows[[statistics.systems.index(s) for s in gold.systems]]
        made = hybrid_scores(counted, statistics.score, count, how.seed, threads=how.workers)
        rows.append(made if scores.higher_is_better else -made)
    return human, np.stack(rows)


def _over_hybrids(measure: Measure, human: Array, metrics: Array) -> list[float]:
    """r of each metric over the hybrids."""
    values: list[float] = correlations("pearson", human[None], metrics)[0].tolist()
    return [abs(r) for r in values] if measure.strength else values


def curves(people: People, machines: Machines, *, absolute: bool = False) -> tuple[TopCurve, ...]:
    """Pearson's r of every metric among the best N systems; `absolute` turns metrics that are reversed over all."""
    gold = people.gold("system", "scores")
    scores = machines.scores("system")
    there = int(np.isfinite(gold.scores[:, 0]).sum())
    sizes = top_sizes(there)
    values = top_n(gold.scores[:, 0], np.stack([aligned(s, gold)[:, 0] for s in scores]), sizes)
    if absolute:
        values = np.where(values[:, -1:] < 0, -values, values)
    r = Pearson()
    return tuple(
        TopCurve(gold.direction, str(r), s.metric, sizes, tuple(row.tolist()), in_words=r.in_words)
        for s, row in zip(scores, values, strict=True)
    )


def scatters(people: People, machines: Machines, how: Certainty, *, intervals: bool = False) -> tuple[Scatter, ...]:
    """Every metric's scores of the systems beside people's; `intervals` draws segments for those of the metric."""
    gold = people.gold("system", "scores")
    human = gold.scores[:, 0]
    out = gold.outliers()
    people_bounds = [_bounds(column) for column in gold.sampled.T] if gold.sampled is not None else []
    plots = []
    for scores in machines.scores("system"):
        values = aligned(scores, gold)[:, 0]
        shown = values if scores.higher_is_better else -values
        bounds: list[Bounds] = []
        statistics = machines.statistics(scores.metric) if intervals else None
        if statistics is not None:
            sampled = stats.bootstrap(statistics.rows, statistics.score, how.samples, how.seed, threads=how.workers)
            place = {s: i for i, s in enumerate(statistics.systems)}
            bounds = [_bounds(sampled[place[s]]) if s in place else (None, None) for s in gold.systems]
        plots.append(
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
    return tuple(plots)


def segment_scores(people: People, machines: Machines) -> tuple[SegmentScores, ...]:
    """Every metric's scores of the segments that people scored, beside theirs."""
    gold = people.gold("segment", "scores")
    pairs = []
    for scores in machines.scores("segment"):
        values = aligned(scores, gold)
        known = np.isfinite(gold.scores) & np.isfinite(values)
        human, metric = gold.scores[known], values[known]
        agreement = correlation("pearson", human[:, None], metric[:, None]).value if len(metric) else float("nan")
        shown = metric if scores.higher_is_better else -metric
        pairs.append(beside_people(gold.direction, scores.metric, human, shown, scores.higher_is_better, agreement))
    return tuple(pairs)


def beside_people(
    direction: str, metric: str, gold: Array, scores: Array, higher_is_better: bool, agreement: float
) -> SegmentScores:
    """Scores of segments beside people's, with how they spread; many points as cells that hold them."""
    spreads = histogram(scores, BINS), histogram(gold, BINS)
    cells = density(scores, gold, CELLS) if len(scores) > MANY else None
    return SegmentScores(direction, metric, gold, scores, spreads, cells, higher_is_better, agreement)


def _side(bounds: list[Bounds], side: Literal[0, 1]) -> tuple[float, ...]:
    return tuple(float("nan") if b[side] is None else float(b[side] or 0.0) for b in bounds)
