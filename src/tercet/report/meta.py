"""The tables of meta-evaluation: metrics by their agreement with people, and the published ones around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tercet.data import MetaEvaluation, MetricAgreement, MetricTests, TopCurve
from tercet.meta.published import AVERAGE, AmongCell, AmongRow, Group, PublishedTable, among, place, published
from tercet.report.tables import Table

DIGITS = 3
Record = dict[str, Any]


def meta_table(found: MetaEvaluation, digits: int | None = None) -> Table:
    """One row a metric, measure and direction, in the order asked; the best of each column block in bold."""
    places = DIGITS if digits is None else digits
    records = found.records
    several_measures = len({r.measure for r in records}) > 1
    several_directions = len({r.direction for r in records}) > 1
    ranked = any(r.rank is not None for r in records)
    outliers = any(r.without_outliers is not None and r.n_without_outliers != r.n for r in records)
    epsilon = any(r.epsilon is not None for r in records)
    header = (
        "metric",
        *(("direction",) if several_directions else ()),
        *(("measure",) if several_measures else ()),
        records[0].measure if records and not several_measures else "value",
        "n",
        *(("rank",) if ranked else ()),
        *(("without outliers",) if outliers else ()),
        *(("epsilon",) if epsilon else ()),
    )

    def row(r: MetricAgreement) -> tuple[str, ...]:
        return (
            r.metric,
            *((r.direction,) if several_directions else ()),
            *((r.measure,) if several_measures else ()),
            figure(r.value, r.half_width, places),
            str(r.n),
            *(("–" if r.rank is None else str(r.rank),) if ranked else ()),
            *((_without(r, places),) if outliers else ()),
            *(("–" if r.epsilon is None else f"{r.epsilon:.4g}",) if epsilon else ()),
        )

    column = 1 + several_directions + several_measures
    best = frozenset((i, column) for i in _best(records, places))
    blocks = [(r.direction, r.measure) for r in records]
    rules = frozenset(i for i in range(len(blocks) - 1) if blocks[i] != blocks[i + 1])
    notes = (*found.answers, *found.notes, found.signature)
    return Table(header, tuple(map(row, records)), notes, best, rules)


def figure(value: float, half_width: float | None = None, digits: int = DIGITS) -> str:
    """A coefficient as the papers print it: no leading zero, and its ±.

    >>> figure(0.977, 0.009), figure(-0.5), figure(float("nan"))
    ('.977 ± .009', '-.500', 'nan')
    """
    if math.isnan(value):
        return "nan"
    shown = round(value, digits) + 0.0  # no minus before a zero
    text = f"{shown:.{digits}f}"
    text = text.replace("0.", ".", 1) if abs(shown) < 1 else text
    return text if half_width is None or math.isnan(half_width) else f"{text} ± {figure(half_width, None, digits)}"


def p_table(tests: MetricTests, digits: int | None = None) -> Table:
    """p-values that the row's metric is better than the column's, significant ones in bold."""
    places = DIGITS if digits is None else digits
    n = range(len(tests.metrics))
    rows = tuple(
        (name, *("–" if i == j or math.isnan(tests.p[i, j]) else figure(float(tests.p[i, j]), None, places) for j in n))
        for i, name in enumerate(tests.metrics)
    )
    best = frozenset((i, j + 1) for i in n for j in n if i != j and tests.p[i, j] <= tests.alpha)
    where = ", ".join(filter(None, (tests.direction, f"{tests.level} level", tests.measure, tests.test)))
    note = f"{where}: p that the metric of the row agrees better with people than that of the column."
    return Table(("", *tests.metrics), rows, (note,), best)


def p_records(tests: Sequence[MetricTests]) -> list[Record]:
    """The same for programs: p that `metric` agrees better with people than `other`."""
    return [
        {
            "metric": one,
            "other": other,
            "level": each.level,
            "measure": each.measure,
            "direction": each.direction,
            "test": each.test,
            "p": float(each.p[i, j]),
        }
        for each in tests
        for i, one in enumerate(each.metrics)
        for j, other in enumerate(each.metrics)
        if i != j
    ]


def curves_table(curves: Sequence[TopCurve], digits: int | None = None) -> Table:
    """Agreement among the best N systems, one column an N."""
    places = DIGITS if digits is None else digits
    sizes = sorted({size for c in curves for size in c.sizes})
    several = len({c.direction for c in curves}) > 1

    def cell(curve: TopCurve, size: int) -> str:
        return figure(curve.values[curve.sizes.index(size)], None, places) if size in curve.sizes else ""

    rows = tuple(
        (c.metric, *((c.direction,) if several else ()), *(cell(c, size) for size in reversed(sizes))) for c in curves
    )
    header = ("metric", *(("direction",) if several else ()), *(f"best {size}" for size in reversed(sizes)))
    return Table(header, rows, ("Pearson's r over the systems that people put first.",))


def curve_records(curves: Sequence[TopCurve]) -> list[Record]:
    """The same for programs."""
    return [
        {"metric": c.metric, "measure": c.measure, "direction": c.direction, "best": size, "value": value}
        for c in curves
        for size, value in zip(c.sizes, c.values, strict=True)
    ]


def among_records(found: MetaEvaluation, name: str) -> list[Record]:
    """The metrics in a published table, for programs: a record for each metric and direction, and the average."""
    return [
        {
            "metric": row.metric,
            "own": row.own,
            "group": group,
            "direction": direction,
            "value": cell.value,
            "half_width": cell.half_width,
            "place": cell.place,
        }
        for group, rows in among(published(name), found.records[0].level, found.records).items()
        for row in rows
        for direction, cell in row.cells.items()
    ]


def among_tables(found: MetaEvaluation, name: str) -> list[Table]:
    """The metrics in a published table, one a group of directions; `→` marks the user's.

    With one direction only, the table is sorted by that one; otherwise by the average.
    """
    table = published(name)
    level = found.records[0].level
    tables = []
    for group, rows in among(table, level, found.records).items():
        own = {d for row in rows if row.own for d in row.cells} - {AVERAGE}
        columns = [d for d in table.directions(level, group) if d in own]
        key = AVERAGE if len(columns) > 1 else columns[0]
        shown = sorted(rows, key=lambda row: _order(row, key)) if key != AVERAGE else rows
        shown = [row for row in shown if any(d in row.cells and row.cells[d].value is not None for d in columns)]
        if key == AVERAGE:
            columns.append(AVERAGE)
        best = frozenset((i, 0) for i, row in enumerate(shown) if row.own)
        note = (
            f"{table.title}, {level} level, {group}, as printed: figures of {table.testset} and its judgements. → are "
            f"yours, placed among the others: figures of what was given, which compare if that is {table.testset}, too."
        )
        lines = tuple(
            (
                f"→ {row.metric}" if row.own else row.metric,
                *_among_cells(row, columns),
                _place(table, level, group, row, key),
            )
            for row in shown
        )
        tables.append(Table(("metric", *columns, "place"), lines, (note, found.signature), best))
    return tables


def _order(row: AmongRow, direction: str) -> tuple[bool, float, bool]:
    value = row.cells[direction].value if direction in row.cells else None
    missing = value is None or math.isnan(value)
    return missing, 0.0 if value is None or missing else -round(value, DIGITS), row.own


def _among_cells(row: AmongRow, columns: Sequence[str]) -> list[str]:
    cells = [row.cells.get(d, AmongCell(None)) for d in columns]
    return ["n/a" if c.value is None else figure(c.value, c.half_width) for c in cells]


def _place(table: PublishedTable, level: str, group: Group, row: AmongRow, key: str) -> str:
    """Where a row stands among the published ones; averages of rows with gaps have no place."""
    value = row.cells[key].value if key in row.cells else None
    if value is None or math.isnan(value) or (key == AVERAGE and not row.complete):
        return "–"
    return str(place(table, level, key, value, group))


def _best(records: Sequence[MetricAgreement], digits: int) -> list[int]:
    """Rows whose value is the highest of their direction and measure, as printed."""
    found = []
    for i, r in enumerate(records):
        own = [o.value for o in records if (o.direction, o.measure) == (r.direction, r.measure)]
        known = [round(v, digits) for v in own if not math.isnan(v)]
        if not math.isnan(r.value) and round(r.value, digits) == max(known):
            found.append(i)
    return found


def _without(record: MetricAgreement, digits: int) -> str:
    if record.without_outliers is None:
        return "–"
    return f"{figure(record.without_outliers, None, digits)} ({record.n_without_outliers})"
