"""Answers as pictures, whichever they are: what `.plot()` gives."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tercet.data import (
    Agreement,
    Annotators,
    Comparison,
    Explanations,
    MetaEvaluation,
    QualityEvaluation,
    QualityLabels,
    Ranking,
    RankingsByMethod,
    Retrieval,
    Scores,
)
from tercet.data.answer import Answer
from tercet.data.head_to_head import HeadToHead
from tercet.data.planning import Choice, Plan
from tercet.data.quality_answers import QualityDecision, QualityPredictions
from tercet.data.tuning import TrainedMetric, Tuning
from tercet.errors import InputError
from tercet.plots.colours import system_colours
from tercet.plots.costs import cost_curve
from tercet.plots.explanations import explanations_figure
from tercet.plots.intervals import IntervalRow, score_intervals
from tercet.plots.planning import plan_figure
from tercet.plots.quality import label_distributions, quality_figure
from tercet.plots.results import (
    agreement_figure,
    head_to_head_figure,
    judges_figure,
    meta_figure,
    ranges_figure,
    rankings_figure,
)
from tercet.plots.tuning import tuning_profiles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = 4  # columns of numbers that are drawn


@functools.singledispatch
def picture(answer: Answer) -> Figure:
    """The picture of an answer: dots, a panel a column of numbers, unless there is a better one."""
    return _dots(answer.as_records(), type(answer).__name__)


picture.register(Ranking, ranges_figure)
picture.register(RankingsByMethod, lambda answer: rankings_figure(answer.rankings))
picture.register(Tuning, tuning_profiles)
picture.register(Annotators, judges_figure)
picture.register(MetaEvaluation, meta_figure)
picture.register(Agreement, agreement_figure)
picture.register(HeadToHead, head_to_head_figure)
picture.register(Plan, plan_figure)
picture.register(Explanations, explanations_figure)
picture.register(QualityEvaluation, quality_figure)
picture.register(QualityDecision, cost_curve)
picture.register(QualityLabels, lambda answer: label_distributions([answer.distribution]))
picture.register(QualityPredictions, lambda answer: label_distributions([answer.distribution]))


@picture.register(Scores)
def _of_scores(answer: Scores) -> Figure:
    colours = system_colours([r.system for r in answer])
    rows = [IntervalRow(r.metric, r.segment or r.system, r.score, r.low, r.high, colours[r.system]) for r in answer]
    if all(r.segment is None for r in answer):
        rows = _best_first(rows, {metric: higher for metric, (higher, _) in answer.scales.items()})
    return score_intervals(rows)


@picture.register(Comparison)
def _of_comparison(answer: Comparison) -> Figure:
    rows = [(metric.metric, answer.score(metric.metric, name)) for metric in answer.metrics for name in answer.systems]
    colours = system_colours(answer.systems, [answer.focus, answer.baseline])
    drawn = [IntervalRow(metric, s.system, s.score, s.low, s.high, colours[s.system]) for metric, s in rows]
    return score_intervals(_best_first(drawn, {m.metric: m.higher_is_better for m in answer.metrics}))


def _best_first(rows: Sequence[IntervalRow], higher: Mapping[str, bool]) -> list[IntervalRow]:
    """The first panel by value, whose order the others follow; what is not defined comes last."""
    first = rows[0].panel if rows else ""
    sign = -1 if higher.get(first, True) else 1

    def place(row: IntervalRow) -> float:
        return math.inf if math.isnan(row.value) else sign * row.value

    return [*sorted((r for r in rows if r.panel == first), key=place), *(r for r in rows if r.panel != first)]


@picture.register(Choice)
def _of_choice(answer: Choice) -> Figure:
    return score_intervals([IntervalRow("accuracy", r["method"], r["accuracy"]) for r in answer.records])


@picture.register(Retrieval)
def _of_retrieval(answer: Retrieval) -> Figure:
    return score_intervals([IntervalRow(r.measure, r.system, r.value) for r in answer])


@picture.register(TrainedMetric)
def _of_training(answer: TrainedMetric) -> Figure:
    held_out = [r for r in answer if not r.part.startswith("fold")]
    return score_intervals([IntervalRow(r.part, f"{r.metric} {r.direction}".strip(), r.value) for r in held_out])


def _dots(records: Sequence[Mapping[str, Any]], what: str) -> Figure:
    """Columns of numbers, the first of them, over the names that tell the records apart."""
    columns = list(records[0]) if records else []
    numbers = [c for c in columns if any(_is_number(r[c]) for r in records)][:PANELS]
    words = [c for c in columns if all(isinstance(r[c], str) for r in records)]
    if not numbers or not words:
        raise InputError(f"There is no number in {what} to draw.", hint="What it says is in .as_records().")
    names = [" ".join(r[c] for c in words) for r in records]
    rows = [
        IntervalRow(column, name, float(record[column]))
        for column in numbers
        for name, record in zip(names, records, strict=True)
        if _is_number(record[column])
    ]
    return score_intervals(rows)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
