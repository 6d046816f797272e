"""The tables of `retrieval`: systems down, measures across; shares of the ceiling, differences, predictions."""

from __future__ import annotations

from tercet import numbers
from tercet.data.retrieval import Retrieval, RetrievalRecord
from tercet.data.table import Table
from tercet.numbers import ALPHA
from tercet.options.searching import RetrievalLevel

_CEILING = "ceiling"
_COUNT = "rel"  # a number of documents

Rows = dict[str, dict[str, RetrievalRecord]]


def retrieval_tables(retrieval: Retrieval, level: RetrievalLevel = "system") -> list[Table]:
    """What a person reads: the measures, and what they are against the ceiling and the baseline; or one other level."""
    if level == "query":
        return [_queries(retrieval)]
    predictions = [_predictions(retrieval)] if retrieval.predictions else []
    if level == "metric":
        return predictions or [Table(("metric",), (), ("No metrics were asked for: give some with -m.",))]
    rows: Rows = {}
    for record in retrieval:
        rows.setdefault(record.system, {})[record.measure] = record
    tables = [_values(rows, retrieval)]
    if _CEILING in rows:
        tables.append(_shares(rows))
    if retrieval.baseline is not None:
        tables.append(_differences(rows, retrieval.baseline))
    return [*tables, *predictions]


def _values(rows: Rows, retrieval: Retrieval) -> Table:
    measures = list(next(iter(rows.values())))
    systems = [name for name in rows if name != _CEILING]
    best = set()
    for c, measure in enumerate(measures, 1):
        top = max(rows[name][measure].value for name in systems)
        best |= (
            {(r, c) for r, name in enumerate(systems) if rows[name][measure].value == top}
            if len(systems) > 1
            else set()
        )
    rules = frozenset({len(systems) - 1}) if len(systems) < len(rows) else frozenset()
    cells = tuple((name, *(numbers.score(rows[name][m].value, _digits(m)) for m in measures)) for name in rows)
    counts = {record.n for row in rows.values() for record in row.values()}
    note = f"Means over {'-'.join(str(n) for n in sorted({min(counts), max(counts)}))} queries; rel: their sum."
    return Table(("system", *measures), cells, (note, *retrieval.notes, retrieval.signature), frozenset(best), rules)


def _shares(rows: Rows) -> Table:
    measures = list(next(iter(rows.values())))
    cells = tuple(
        (name, *(_percent(row[m].of_ceiling) for m in measures)) for name, row in rows.items() if name != _CEILING
    )
    return Table(("% of ceiling", *measures), cells)


def _differences(rows: Rows, baseline: str) -> Table:
    measures = list(next(iter(rows.values())))
    cells = tuple((name, *(_difference(row[m]) for m in measures)) for name, row in rows.items() if name != baseline)
    n_tests = sum(r.p_value is not None for row in rows.values() for r in row.values())
    uncorrected = f"; {n_tests} tests, not corrected for their number" if n_tests > 1 else ""
    note = f"Differences from {baseline} with p over queries; * p < {numbers.level(ALPHA)}{uncorrected}."
    return Table((f"less {baseline}", *measures), cells, (note,))


def _difference(record: RetrievalRecord) -> str:
    if record.delta is None:
        return ""
    delta = numbers.difference(record.delta, _digits(record.measure))
    if record.p_value is None:
        return delta
    return f"{delta} {numbers.p_told(record.p_value)}{'*' if record.p_value < ALPHA else ' '}"


def _queries(retrieval: Retrieval) -> Table:
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for r in retrieval.queries:
        delta = "" if r.delta is None else f" ({numbers.difference(r.delta, _digits(r.measure))})"
        rows.setdefault((r.system, r.query), {})[r.measure] = numbers.score(r.value, _digits(r.measure)) + delta
    measures = list(next(iter(rows.values()), {}))
    notes = () if retrieval.baseline is None else (f"In brackets: the difference from {retrieval.baseline}.",)
    cells = tuple((*key, *(row[m] for m in measures)) for key, row in rows.items())
    return Table(("system", "query", *measures), cells, (*notes, *retrieval.notes, retrieval.signature))


def _predictions(retrieval: Retrieval) -> Table:
    rows: dict[str, dict[str, str]] = {}
    for r in retrieval.predictions:
        rows.setdefault(r.metric, {})[r.measure] = numbers.coefficient(r.pearson)
    measures = list(next(iter(rows.values())))
    note = (
        f"Pearson's r over {retrieval.predictions[0].n} systems, of a metric's score of the queries with what they "
        "find; error rates with their sign turned."
    )
    cells = tuple((name, *(row[m] for m in measures)) for name, row in rows.items())
    return Table(("metric", *measures), cells, (note,))


def _digits(measure: str) -> int:
    """As many as trec_eval prints."""
    return 0 if measure == _COUNT else 4


def _percent(share: float | None) -> str:
    return numbers.UNDEFINED if share is None else numbers.score(100 * share, 1)
