"""Tables of `qe train`, `qe predict` and `qe decide`."""

from __future__ import annotations

import math
from typing import Any

from tercet import numbers
from tercet.data.quality_answers import QualityDecision, QualityPredictions, TrainedQuality
from tercet.data.table import Table

DIGITS = 4
MOST_CANDIDATES = 8


def training_tables(training: TrainedQuality, digits: int | None = None) -> tuple[Table, ...]:
    """Learners by error where there was a choice, then features by importance, or tags."""
    places = DIGITS if digits is None else digits
    learners = tuple(
        (
            entry.learner,
            ", ".join(f"{name} {numbers.plain(value)}" for name, value in entry.setting.items()),
            numbers.score(entry.error, places),
        )
        for entry in training.candidates[:MOST_CANDIDATES]
    )
    rows = [[_cell(value, places) for value in record.values()] for record in training.records]
    for row, name in zip(rows, training.names, strict=bool(training.names)):
        row[0] = name
    heads = tuple(training.records[0])
    told = Table(heads, tuple(map(tuple, rows)), (*training.notes, training.signature))
    if not learners:
        return (told,)
    return Table(("learner", "settings", "error"), learners, ("Mean absolute error in cross-validation.",)), told


def predictions_table(answer: QualityPredictions, digits: int | None = None) -> Table:
    """A row a segment."""
    places = DIGITS if digits is None else digits
    gaps = any(entry.gaps for entry in answer.segments)
    if answer.coverage is None:
        return _tags_table(answer, places, gaps)
    tagged = any(entry.tagged for entry in answer.segments)
    strange = any(entry.outside for entry in answer.segments)
    rows = []
    for entry in answer.segments:
        rows.append(
            (
                str(entry.segment),
                numbers.score(entry.score, places),
                f"[{_cell(entry.low, places)}, {_cell(entry.high, places)}]",
                entry.why(places),
                *((entry.suspicious(),) if tagged else ()),
                *(("; ".join(entry.missing()),) if gaps else ()),
                *((entry.outside,) if strange else ()),
            )
        )
    heads = (
        "segment",
        f"score {'↑' if answer.higher else '↓'}",
        f"{numbers.percent(answer.coverage)} interval",
        "moved by",
    )
    further = (
        *(("suspicious",) if tagged else ()),
        *(("missing",) if gaps else ()),
        *(("outside",) if strange else ()),
    )
    return Table((*heads, *further), tuple(rows), (*answer.notes, answer.signature))


def _tags_table(answer: QualityPredictions, places: int, gaps: bool) -> Table:
    """What a model of words alone says."""
    rows = [
        (
            str(entry.segment),
            str(len(entry.tags)),
            numbers.score(entry.score, places),
            entry.suspicious(),
            *(("; ".join(entry.missing()),) if gaps else ()),
        )
        for entry in answer.segments
    ]
    heads = ("segment", "words", "likely wrong ↓", "suspicious", *(("missing",) if gaps else ()))
    note = "Likely wrong: the share of words that are expected to be. The tags themselves: -f lines."
    return Table(heads, tuple(rows), (*answer.notes, note, answer.signature))


def decisions_table(answer: QualityDecision, digits: int | None = None) -> Table:
    """A row a segment if there are some, else one a decision."""
    if not answer.segments:
        return thresholds_table(answer, digits)
    places = DIGITS if digits is None else digits
    heads = ("segment", "decision", "score", *(("outside",) if any(e.outside for e in answer.segments) else ()))
    rows = [tuple(_cell(record[head], places) for head in heads) for record in answer.as_records()]
    return Table(heads, tuple(rows), (*answer.notes, answer.signature))


def thresholds_table(answer: QualityDecision, digits: int | None = None) -> Table:
    """A row a decision."""
    places = DIGITS if digits is None else digits
    rows = [tuple(_cell(value, places) for value in record.values()) for record in answer.threshold_records()]
    heads = ("decision", f"score {'from' if answer.higher else 'up to'}", "share of segments", "decided wrongly")
    return Table(heads, tuple(rows), (*answer.notes, answer.signature))


def curve_table(answer: QualityDecision, digits: int | None = None) -> Table:
    """A row a threshold."""
    places = DIGITS if digits is None else digits
    rows = [tuple(_cell(value, places) for value in record.values()) for record in answer.curve_records()]
    heads = ("publish from" if answer.higher else "publish up to", "published", "wrong", "wrong of these", "cost")
    return Table(heads, tuple(rows), (*answer.notes, answer.signature))


def _cell(value: Any, places: int) -> str:
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return numbers.score(value, places)
