"""The tables of `retrieval`: systems down, measures across; shares of the ceiling, differences, predictions."""

from __future__ import annotations

import math

from tercet.data.retrieval import Level, Retrieval, RetrievalRecord
from tercet.report.tables import Table

_SIGNIFICANT = 0.05
_CEILING = "ceiling"
_COUNT = "rel"  # a number of documents

Rows = dict[str, dict[str, RetrievalRecord]]


def retrieval_tables(found: Retrieval, level: Level = "system") -> list[Table]:
    """What a person reads: the measures, and what they are against the ceiling and the baseline; or one other level."""
    if level == "query":
        return [_queries(found)]
    predictions = [_predictions(found)] if found.predictions else []
    if level == "metric":
        return predictions or [Table(("metric",), (), ("No metrics were asked for: give some with -m.",))]
    rows: Rows = {}
    for record in found:
        rows.setdefault(record.system, {})[record.measure] = record
    tables = [_values(rows, found)]
    if _CEILING in rows:
        tables.append(_shares(rows))
    if found.baseline is not None:
        tables.append(_differences(rows, found.baseline))
    return [*tables, *predictions]


def _values(rows: Rows, found: Retrieval) -> Table:
    measures = list(next(iter(rows.values())))
    own = [name for name in rows if name != _CEILING]
    best = set()
    for c, measure in enumerate(measures, 1):
        top = max(rows[name][measure].value for name in own)
        best |= {(r, c) for r, name in enumerate(own) if rows[name][measure].value == top} if len(own) > 1 else set()
    rules = frozenset({len(own) - 1}) if len(own) < len(rows) else frozenset()
    cells = tuple((name, *(_number(rows[name][m].value, m) for m in measures)) for name in rows)
    counts = {record.n for row in rows.values() for record in row.values()}
    note = f"Means over {'-'.join(str(n) for n in sorted({min(counts), max(counts)}))} queries; rel: their sum."
    return Table(("system", *measures), cells, (note, *found.notes, found.signature), frozenset(best), rules)


def _shares(rows: Rows) -> Table:
    measures = list(next(iter(rows.values())))
    cells = tuple(
        (name, *(_percent(row[m].of_ceiling) for m in measures)) for name, row in rows.items() if name != _CEILING
    )
    return Table(("% of ceiling", *measures), cells)


def _differences(rows: Rows, baseline: str) -> Table:
    measures = list(next(iter(rows.values())))
    cells = tuple((name, *(_difference(row[m]) for m in measures)) for name, row in rows.items() if name != baseline)
    note = f"Differences from {baseline} with p over queries; * p < {_SIGNIFICANT}."
    return Table((f"less {baseline}", *measures), cells, (note,))


def _difference(record: RetrievalRecord) -> str:
    if record.delta is None:
        return ""
    delta = _signed(record.delta, record.measure)
    if record.p_value is None:
        return delta
    return f"{delta} p={record.p_value:.3f}{'*' if record.p_value < _SIGNIFICANT else ' '}"


def _queries(found: Retrieval) -> Table:
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for r in found.queries:
        delta = "" if r.delta is None else f" ({_signed(r.delta, r.measure)})"
        rows.setdefault((r.system, r.query), {})[r.measure] = _number(r.value, r.measure) + delta
    measures = list(next(iter(rows.values()), {}))
    notes = () if found.baseline is None else (f"In brackets: the difference from {found.baseline}.",)
    cells = tuple((*key, *(row[m] for m in measures)) for key, row in rows.items())
    return Table(("system", "query", *measures), cells, (*notes, *found.notes, found.signature))


def _predictions(found: Retrieval) -> Table:
    rows: dict[str, dict[str, str]] = {}
    for r in found.predictions:
        rows.setdefault(r.metric, {})[r.measure] = "n/a" if math.isnan(r.pearson) else f"{r.pearson:.3f}"
    measures = list(next(iter(rows.values())))
    note = (
        f"Pearson's r over {found.predictions[0].n} systems, of a metric's score of the queries with what they find; "
        "error rates with their sign turned."
    )
    cells = tuple((name, *(row[m] for m in measures)) for name, row in rows.items())
    return Table(("metric", *measures), cells, (note,))


def _number(value: float, measure: str) -> str:
    return "n/a" if math.isnan(value) else f"{value:.0f}" if measure == _COUNT else f"{value:.4f}"


def _signed(delta: float, measure: str) -> str:
    """A difference with its sign; what rounds to nothing has a plus.

    >>> _signed(-0.00001, "MAP"), _signed(-0.5, "MAP"), _signed(3.0, "rel")
    ('+0.0000', '-0.5000', '+3')
    """
    return f"{delta:+.0f}" if measure == _COUNT else f"{round(delta, 4) + 0.0:+.4f}"


def _percent(share: float | None) -> str:
    return "n/a" if share is None or math.isnan(share) else f"{100 * share:.1f}"
