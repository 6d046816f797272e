"""The tables of `qe evaluate`, as in the findings of WMT14: ranking and scoring of sentences, words, spans."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from tercet import numbers
from tercet.data.quality import QualityEvaluation, QualityRecord
from tercet.data.table import Table

WINNER, LIKE_BASELINE = "•", "°"  # before the name of a system
LAST = ("oracle", "all ")  # rows of no system: what the true order reaches, and one tag for all words
# measures of a table, the primary one first, and whether less of it is better
SENTENCES = (
    ("ranking", ("deltaavg", "spearman-ranks"), False),
    ("scoring", ("mae", "rmse", "pearson", "spearman", "kendall", "coverage", "width"), True),
)
WORDS = ("f1-err", "f1-all", "mcc-err", "mcc-all", "accuracy", "f1-multi", "consistency")
SPANS = ("mpp-f1", "mpp-precision", "mpp-recall", "wmt25-f1", "wmt25-precision", "wmt25-recall")
_COEFFICIENTS = frozenset({"spearman-ranks", "pearson", "spearman", "kendall"})
_SHARES = frozenset({*WORDS, *SPANS, "f1", "coverage"})
Column = tuple[str, str | None]  # measure and label
Rows = dict[str, dict[Column, QualityRecord]]


def quality_tables(answer: QualityEvaluation, digits: int | None = None) -> list[Table]:
    """What a person reads."""
    tables = [_table(title, rows, columns, lower, digits) for title, rows, columns, lower in _parts(answer)]
    first, *rest = tables
    return [dataclasses.replace(first, notes=(*_marks(answer), *answer.notes, answer.signature)), *rest]


def _parts(answer: QualityEvaluation) -> list[tuple[str, Rows, list[Column], bool]]:
    """Each table: its title, its rows, its columns, and whether less of the first one is better."""
    if answer.level == "sentence":
        rows = _rows(answer.records)
        return [
            (title, _with(rows, (shown[0], None)), [(m, None) for m in shown if _with(rows, (m, None))], lower)
            for title, shown, lower in SENTENCES
            if _with(rows, (shown[0], None))
        ]
    if answer.level == "span":
        return [("system", _rows(answer.records), [(m, None) for m in SPANS], False)]
    out = []
    for task, grain in dict.fromkeys((r.task, r.granularity) for r in answer if r.measure == WORDS[0]):
        rows = _rows([r for r in answer if (r.task, r.granularity) == (task, grain)])
        there = {column for row in rows.values() for column in row}
        labels = [label for measure, label in next(iter(rows.values())) if measure == "f1"]
        columns: list[Column] = [(m, None) for m in WORDS if (m, None) in there]
        title = task if grain == "given" else f"{task}, {grain}"
        out.append((title, rows, [*columns, *(("f1", label) for label in labels)], False))
    return out


def _rows(records: Sequence[QualityRecord]) -> Rows:
    rows: Rows = {}
    for record in records:
        rows.setdefault(record.system, {})[record.measure, record.label] = record
    return rows


def _with(rows: Rows, column: Column) -> Rows:
    return {name: row for name, row in rows.items() if column in row and row[column].value is not None}


def _marks(answer: QualityEvaluation) -> list[str]:
    notes = [f"{WINNER} the best system, and those that are not significantly worse."]
    if answer.baseline is not None:
        notes.append(f"{LIKE_BASELINE} does not differ significantly from {answer.baseline}.")
    return notes


def _table(title: str, rows: Rows, columns: Sequence[Column], lower: bool, digits: int | None) -> Table:
    def key(name: str) -> tuple[float, ...]:
        values = (rows[name][c].value if c in rows[name] else None for c in columns[:2])
        return tuple(math.inf if v is None or math.isnan(v) else v if lower else -v for v in values)

    systems = sorted((name for name in rows if not name.startswith(LAST)), key=key)
    trivial = [name for name in rows if name.startswith(LAST)]
    cells = tuple(
        (_named(name, rows[name].get(columns[0])), *(_cell(rows[name].get(c), digits) for c in columns))
        for name in (*systems, *trivial)
    )
    rules = frozenset({len(systems) - 1}) if systems and trivial else frozenset()
    return Table((title, *(_titled(c) for c in columns)), cells, rules=rules)


def _titled(column: Column) -> str:
    measure, label = column
    return measure if label is None else f"{measure} {label}"


def _named(name: str, primary: QualityRecord | None) -> str:
    if primary is None:
        return name
    marks = (WINNER if primary.winner else "") + (LIKE_BASELINE if primary.like_baseline else "")
    return f"{marks} {name}" if marks else name


def _cell(record: QualityRecord | None, digits: int | None) -> str:
    if record is None:
        return ""
    if record.measure in _COEFFICIENTS:
        return numbers.coefficient(record.value, numbers.DIGITS if digits is None else digits)
    value = record.value if record.measure not in _SHARES or record.value is None else 100 * record.value
    return numbers.score(value, 2 if digits is None else digits)
