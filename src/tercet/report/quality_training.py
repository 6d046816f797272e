"""Tables of `qe train`, `qe predict` and `qe decide`."""

from __future__ import annotations

import math
from typing import Any

from tercet import numbers
from tercet.data.table import Table
from tercet.quality.decide import QualityDecision
from tercet.quality.predict import QualityPredictions, feature_name

DIGITS = 4
MOST_CANDIDATES = 8


def training_tables(training: Any, digits: int | None = None) -> tuple[Table, ...]:
    """Features by importance, then learners by error; a model of words has its own."""
    places = DIGITS if digits is None else digits
    if not hasattr(training, "candidates"):
        rows = [tuple(_cell(value, places) for value in record.values()) for record in training.as_records()]
        heads = tuple(training.as_records()[0])
        return (Table(heads, tuple(rows), (*training.notes, training.signature)),)
    rows = [
        (feature_name(record["feature"]), numbers.score(record["importance"], places))
        for record in training.as_records()
    ]
    learners = [
        (
            entry.learner,
            ", ".join(f"{name} {value:g}" for name, value in entry.setting.items()),
            numbers.score(entry.error, places),
        )
        for entry in training.candidates[:MOST_CANDIDATES]
    ]
    return (
        Table(("learner", "settings", "error"), tuple(learners), ("Mean absolute error in cross-validation.",)),
        Table(("feature", "importance"), tuple(rows), (*training.notes, training.signature)),
    )


def predictions_table(answer: QualityPredictions, digits: int | None = None) -> Table:
    """A row a segment."""
    places = DIGITS if digits is None else digits
    tagged = any(entry.tagged for entry in answer.segments)
    gaps = any(entry.gaps for entry in answer.segments)
    rows = []
    for entry in answer.segments:
        why = "; ".join(f"{moved.feature} {numbers.difference(moved.by, places)}" for moved in entry.moved)
        words = (" ".join(word for word, tag, _ in entry.tags if tag != "OK"),) if tagged else ()
        rows.append(
            (
                str(entry.segment),
                numbers.score(entry.score, places),
                f"[{_cell(entry.low, places)}, {_cell(entry.high, places)}]",
                why,
                *words,
                *(("; ".join(entry.missing()),) if gaps else ()),
            )
        )
    heads = (
        "segment",
        f"score {'↑' if answer.higher else '↓'}",
        f"{numbers.percent(answer.coverage)} interval",
        "moved by",
    )
    further = (*(("suspicious",) if tagged else ()), *(("missing",) if gaps else ()))
    return Table((*heads, *further), tuple(rows), (*answer.notes, answer.signature))


def decisions_table(answer: QualityDecision, digits: int | None = None) -> Table:
    """A row a segment if there are some, else one a decision."""
    if not answer.segments:
        return thresholds_table(answer, digits)
    places = DIGITS if digits is None else digits
    rows = [tuple(_cell(value, places) for value in record.values()) for record in answer.as_records()]
    return Table(("segment", "decision", "score"), tuple(rows), (*answer.notes, answer.signature))


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
