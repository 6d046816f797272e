"""What a study says: the table of each level and group of directions, and its answers in words."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from tercet.agreeing import MEASURES, Measure
from tercet.agreeing.answers import fails, is_carried, listed, tested_together
from tercet.data import MetaEvaluation, MetricAgreement
from tercet.data.meta import HOW_TO_CORRECT, UNLIKE_RANKS
from tercet.data.table import Table
from tercet.numbers import coefficient
from tercet.options.agreeing import MetaLevel
from tercet.study.metrics_task import Column, Entry, average, metrics_table
from tercet.study.run import StudyResult

BOLD: Mapping[str, Literal["best", "winners"]] = {"wmt14": "best", "wmt15": "best", "wmt19": "winners"}
Tables = Mapping[tuple[MetaLevel, str], Table]  # by level and group of directions


@dataclasses.dataclass(frozen=True, eq=False)
class StudyAnswers:
    """What a page and a terminal show of a study."""

    tables: Tables
    intros: Mapping[MetaLevel, str]  # what the figures of a level are
    told: Mapping[str, tuple[str, ...]]  # what is said of each direction
    summary: tuple[str, ...]


def study_answers(result: StudyResult) -> StudyAnswers:
    """Tables and sentences of a study."""
    intros = {level: _intro(result.study.levels[level].measure) for level in result.main}
    return StudyAnswers(task_tables(result), intros, said_once(result), summary(result))


def _intro(measure: Measure) -> str:
    name = measure.in_words
    return " ".join([f"{name[:1].upper()}{name[1:]} with people, by direction.", *strength(measure)])


def task_tables(result: StudyResult) -> Tables:
    """Every table of a study."""
    return {
        (level, group): task_table(result, level, directions)
        for level in result.main
        for group, directions in result.study.groups.items()
    }


def summary(result: StudyResult) -> tuple[str, ...]:
    """The answers in words, level by level."""
    return tuple(
        said
        for level in result.main
        for said in (*(overall(result, level, group) for group in result.study.groups), *holds(result, level))
    )


def task_table(result: StudyResult, level: MetaLevel, directions: tuple[str, ...]) -> Table:
    """The table of one level and group of directions, with secondary columns as averages."""
    study, main = result.study, result.main[level]
    records = [r for r in main if r.direction in directions]
    counts = {d: max((r.n for r in records if r.direction == d), default=0) for d in directions}
    free = {r.metric for r in records if r.reference_free}
    apart = study.layout == "wmt19"
    winners = _winners(main, free) if apart and free else {(r.metric, r.direction) for r in records if r.winner}
    cells = {
        (r.metric, r.direction): Entry(
            r.value,
            r.half_width,
            (r.metric, r.direction) in winners,
            _weight(r),
            bool(r.fewer),
            r.low,
            r.high,
            r.scarce,
        )
        for r in records
    }
    averaged = [d for d in directions if d not in study.exclude] or list(directions)
    secondary: dict[str, dict[str, Entry]] = {}
    for measure in dict.fromkeys(r.measure for r in result.secondary.get(level, ())):
        of_measure = [r for r in result.secondary[level] if r.measure == measure]
        secondary[f"{of_measure[0].measure_title} average"] = _averages(of_measure, averaged)
    if level in result.other_gold:
        title = f"{study.levels[level].secondary_gold} average"
        secondary[title] = _averages(result.other_gold[level].records, averaged)
    table = metrics_table(
        cells,
        directions,
        counts=counts,
        counted=_counted(study.levels[level].measure, level),
        exclude=[d for d in study.exclude if d in directions and 1 < len(averaged) < len(directions)],
        secondary=secondary,
        bold=BOLD[study.layout],
        reference_free=free,
        apart=apart,
    )
    return dataclasses.replace(table, notes=(*table.notes, *strength(study.levels[level].measure), main.signature))


def _winners(evaluation: MetaEvaluation, free: Collection[str]) -> set[tuple[str, str]]:
    """Metrics, by direction, than which no other one of their section is significantly better."""
    scored = {(r.metric, r.direction) for r in evaluation if not math.isnan(r.value) and not r.scarce}
    return {
        (metric, tests.direction)
        for tests in evaluation.tests
        for section in ({*free}, {*tests.metrics} - {*free})
        for metric in tests.winners(section)
    } & scored


def _counted(measure: Measure, level: MetaLevel) -> str:
    """What the second line of the header counts: at the system level a score is a system."""
    return "systems" if level == "system" and measure.counts == "scores" else measure.counts


def _weight(record: MetricAgreement) -> float:
    """Of a direction in the average; one that has nothing to pool has no value either."""
    return float(record.n or 1) if MEASURES.make(record.measure).pooled else 1.0


def _averages(records: tuple[MetricAgreement, ...] | list[MetricAgreement], directions: list[str]) -> dict[str, Entry]:
    means: dict[str, Entry] = {}
    for metric in dict.fromkeys(r.metric for r in records):
        column: Column = [
            Entry(r.value, weight=_weight(r)) for r in records if r.metric == metric and r.direction in directions
        ]
        mean = average(column)
        if mean is not None:
            means[metric] = mean
    return means


def overall(result: StudyResult, level: MetaLevel, group: str) -> str:
    """One sentence on a level and a group of directions: who agrees best on average, and where nobody is better."""
    study = result.study
    directions = [d for d in study.groups[group] if d not in study.exclude] or list(study.groups[group])
    records = [r for r in result.main[level] if r.direction in directions]
    means = _averages(records, directions)
    full = [m for m in means if sum(r.metric == m and not r.scarce for r in records) == len(directions)]
    known = sorted((m for m in full if not math.isnan(means[m].value)), key=lambda m: -means[m].value)
    where = f"{level.capitalize()} level, {group}"
    if not known:
        return f"{where}: no metric has a figure for every direction."
    best = known[0]
    mean = coefficient(means[best].value)
    measure = study.levels[level].measure.in_words
    how = "best with people" if len(known) > 1 else "with people"
    over = (
        f"on average over {_averaged(directions, study.groups[group])}"
        if len(directions) > 1
        else f"in {directions[0]}"
    )
    said = f"{where}: {best} agrees {how}, {measure} {mean} {over}."
    fewer = [r.direction for r in records if r.metric == best and r.fewer]
    if fewer:
        said += f" In {listed(fewer)} it was held against less than other metrics."
    wins = {m: sum(bool(r.winner) for r in records if r.metric == m) for m in known}
    if len(known) > 1 and any(wins.values()):
        said += f" Not significantly beaten by any other metric: {_often(wins, len(directions))}."
    return said


def _averaged(directions: Sequence[str], group: Sequence[str]) -> str:
    """Directions that are averaged: by name where some are left out or there are few, else by number.

    >>> _averaged(["a", "b"], ["a", "b"]), _averaged([*"abcde"], [*"abcde"]), _averaged([*"abc"], [*"abcd"])
    ('a and b', 'all 5 directions', '3 directions, without d')
    """
    if len(directions) <= 2:
        return listed(directions)
    left_out = [direction for direction in group if direction not in directions]
    return f"{len(directions)} directions, without {listed(left_out)}" if left_out else f"all {len(group)} directions"


def said_once(result: StudyResult) -> dict[str, tuple[str, ...]]:
    """What is said of each direction; how metrics are told apart, of the first of a level alone; without flags."""
    told: dict[str, tuple[str, ...]] = {}
    for evaluation in result.main.values():
        tests = {f" ({how})" for t in evaluation.tests for how in (t.decided_by, tested_together(t))}
        heard: set[str] = set()
        for answer in evaluation.answers:
            for how in tests & heard:
                answer = answer.replace(how, "")
            heard |= {how for how in tests if how in answer}
            pair = answer.partition(", ")[0]
            told[pair] = (*told.get(pair, ()), answer.replace(UNLIKE_RANKS, "").replace(HOW_TO_CORRECT, ""))
    return told


def _often(times: Mapping[str, int], n: int) -> str:
    """Metrics with the number of directions, those with most of them first.

    >>> _often({"a": 1, "b": 3, "c": 0}, 3), _often({"a": 1, "b": 1}, 2), _often({"a": 1, "b": 1}, 1)
    ('b in all 3 directions, and a in 1', 'a in 1 and b in 1 of 2 directions', 'a and b')
    >>> _often({"a": 1, "b": 4, "c": 2}, 4)
    'b in all 4 directions, c in 2 and a in 1'
    """
    most = sorted((m for m, count in times.items() if count), key=lambda m: -times[m])
    if n == 1:
        return listed(most)
    everywhere, some = [m for m in most if times[m] == n], [m for m in most if times[m] < n]
    rest = [f"{m} in {times[m]}" for m in some]
    if not everywhere:
        return f"{listed(rest)} of {n} directions"
    told = f"{listed(everywhere)} in {'both' if n == 2 else f'all {n}'} directions"
    return ", and ".join([told, *rest]) if len(rest) < 2 else f"{told}, {listed(rest)}"


def holds(result: StudyResult, level: MetaLevel) -> list[str]:
    """In how many directions metrics fail among the best systems, or owe their agreement to outliers, if in any."""
    evaluation, n = result.main[level], len(result.study.directions)
    where = f"{level.capitalize()} level"
    failing = Counter(c.metric for c in evaluation.curves if fails(c))
    carried = Counter(r.metric for r in evaluation if is_carried(r))
    said = []
    if failing:
        said.append(f"among the better half of the systems, agreement fails for {_often(failing, n)}")
    if carried:
        said.append(f"outliers carry the agreement of {_often(carried, n)}")
    return [f"{where}: {told}." for told in said]


def strength(measure: Measure) -> list[str]:
    """What it means that only the strength of a correlation is looked at, if it is."""
    if not measure.strength:
        return []
    return ["Correlations are without their sign (abs), as in WMT19: a metric that is truly reversed looks as good."]
