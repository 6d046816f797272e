"""The tables of meta-evaluation: metrics by their agreement with people, and the published ones around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tercet import numbers
from tercet.data import MetaEvaluation, MetricAgreement, MetricTests, TopCurve
from tercet.data.published import AmongCell, AmongRow, AmongTable
from tercet.data.table import Table
from tercet.numbers import DIGITS, FEWER, REFERENCE_FREE

if TYPE_CHECKING:
    from tercet.agreeing.beside import AgreementColumn

Record = dict[str, Any]


def meta_table(evaluation: MetaEvaluation, digits: int | None = None) -> Table:
    """One row a metric, measure and direction, the first of each block on top, the best in bold."""
    places = DIGITS if digits is None else digits
    records = _highest_first(evaluation.records)
    several_measures = len({r.measure for r in records}) > 1
    several_directions = len({r.direction for r in records}) > 1
    ranked = any(r.rank is not None for r in records)
    outliers = any(r.without_outliers is not None and r.n_without_outliers != r.n for r in records)
    epsilon = any(r.epsilon is not None for r in records)
    header = (
        "metric",
        *(("direction",) if several_directions else ()),
        *(("measure",) if several_measures else ()),
        records[0].measure_title if records and not several_measures else "value",
        "n",
        *(("rank",) if ranked else ()),
        *(("without outliers",) if outliers else ()),
        *(("epsilon",) if epsilon else ()),
    )

    def row(r: MetricAgreement) -> tuple[str, ...]:
        return (
            f"{r.metric} {REFERENCE_FREE}" if r.reference_free else r.metric,
            *((r.direction,) if several_directions else ()),
            *((r.measure_title,) if several_measures else ()),
            numbers.bounded(r.value, r.low, r.high, places),
            f"{r.n}{FEWER}" if r.fewer else str(r.n),
            *((numbers.ABSENT if r.rank is None else str(r.rank),) if ranked else ()),
            *((_without(r, places),) if outliers else ()),
            *((numbers.epsilon(r.epsilon),) if epsilon else ()),
        )

    column = 1 + several_directions + several_measures
    best = frozenset((i, column) for i, r in enumerate(records) if r.best)
    blocks = [(r.direction, r.measure) for r in records]
    rules = frozenset(i for i in range(len(blocks) - 1) if blocks[i] != blocks[i + 1])
    signs = {
        f"{REFERENCE_FREE} without references.": any(r.reference_free for r in records),
        f"{FEWER} held against less than other metrics: --common restricts all to what all have.": any(
            r.fewer for r in records
        ),
    }
    legend = [sign for sign, used in signs.items() if used]
    notes = (*evaluation.answers, *legend, *evaluation.notes, evaluation.signature)
    return Table(header, tuple(map(row, records)), notes, best, rules)


def _highest_first(records: Sequence[MetricAgreement]) -> list[MetricAgreement]:
    """The blocks of directions and measures in their order, each by place."""
    blocks = list(dict.fromkeys((r.direction, r.measure) for r in records))

    def order(r: MetricAgreement) -> tuple[int, float]:
        return blocks.index((r.direction, r.measure)), math.inf if r.place is None else r.place

    return sorted(records, key=order)


def p_table(tests: MetricTests, digits: int | None = None) -> Table:
    """p-values that the row's metric is better than the column's, significant ones in bold."""
    places = DIGITS if digits is None else digits
    n = range(len(tests.metrics))

    def cell(i: int, j: int) -> str:
        return numbers.ABSENT if i == j else numbers.p_value(float(tests.p[i, j]), (tests.alpha,), places)

    rows = tuple((name, *(cell(i, j) for j in n)) for i, name in enumerate(tests.metrics))
    best = frozenset((i, j + 1) for i in n for j in n if i != j and tests.p[i, j] <= tests.alpha)
    where = ", ".join(filter(None, (tests.direction, f"{tests.level} level", tests.measure_title)))
    told = "p that the metric of the row agrees better with people than that of the column"
    note = f"{where}: {told} ({tests.decided_by})."
    return Table(("", *tests.metrics), rows, (note,), best)


def p_records(tests: Sequence[MetricTests]) -> list[Record]:
    """The same for programs: p that `metric` agrees better with people than `other`."""
    return [
        {
            "metric": one,
            "other": other,
            "level": test.level,
            "measure": test.measure,
            "direction": test.direction,
            "test": test.test,
            "p": float(test.p[i, j]),
        }
        for test in tests
        for i, one in enumerate(test.metrics)
        for j, other in enumerate(test.metrics)
        if i != j
    ]


def curves_table(curves: Sequence[TopCurve], digits: int | None = None) -> Table:
    """Agreement among the best N systems, one column an N."""
    places = DIGITS if digits is None else digits
    sizes = sorted({size for c in curves for size in c.sizes})
    several = len({c.direction for c in curves}) > 1

    def cell(curve: TopCurve, size: int) -> str:
        return numbers.coefficient(curve.values[curve.sizes.index(size)], places) if size in curve.sizes else ""

    rows = tuple(
        (c.metric, *((c.direction,) if several else ()), *(cell(c, size) for size in reversed(sizes))) for c in curves
    )
    header = ("metric", *(("direction",) if several else ()), *(f"best {size}" for size in reversed(sizes)))
    return Table(header, rows, ("Pearson's r over the systems that people put first.",))


def curve_records(curves: Sequence[TopCurve]) -> list[Record]:
    """The curves as flat records, one a size."""
    return [
        {"metric": c.metric, "measure": c.measure, "direction": c.direction, "best": size, "value": value}
        for c in curves
        for size, value in zip(c.sizes, c.values, strict=True)
    ]


def beside_records(columns: Sequence[AgreementColumn]) -> list[Record]:
    """One record a column and metric, with its place in the column."""
    return [
        {
            "column": column.name,
            **{f: getattr(r, f) for f in ("metric", "level", "measure", "direction", "value", "low", "high", "n")},
            "place": column.places.get(r.metric),
        }
        for column in columns
        for r in column.records
    ]


def beside_table(columns: Sequence[AgreementColumn], notes: Sequence[str], digits: int | None = None) -> Table:
    """One row a metric, in the order of the last column; of each column the agreement and the place."""
    order = dict.fromkeys(r.metric for column in reversed(columns) for r in _highest_first(column.records))
    places = DIGITS if digits is None else digits

    def cells(column: AgreementColumn, metric: str) -> tuple[str, str]:
        if (record := column.by_metric.get(metric)) is None:
            return numbers.ABSENT, numbers.ABSENT
        value = numbers.bounded(record.value, record.low, record.high, places)
        return value, str(column.places.get(metric, numbers.ABSENT))

    rows = [(metric, *(cell for column in columns for cell in cells(column, metric))) for metric in order]
    header = ("metric", *(name for column in columns for name in (column.name, "place")))
    told = f"{columns[-1].records[0].measure_title}. Texts and judges differ: compare places, not figures."
    return Table(header, tuple(rows), (told, *notes))


def among_records(tables: Sequence[AmongTable]) -> list[Record]:
    """The metrics in a published table, for programs: a record for each metric and direction, and the average."""
    return [
        {
            "metric": row.metric,
            "own": row.own,
            "group": table.group,
            "direction": direction,
            "value": cell.value,
            "half_width": cell.half_width,
            "low": cell.low,
            "high": cell.high,
            "place": cell.place,
        }
        for table in tables
        for row in table.rows
        for direction, cell in row.cells.items()
    ]


def among_table(table: AmongTable, signature: str) -> Table:
    """The metrics in one group of a published table; `→` marks the user's."""
    lines = tuple(
        (
            f"→ {row.metric}" if row.own else row.metric,
            *_among_cells(row, table.columns),
            numbers.ABSENT if place is None else str(place),
        )
        for row, place in table.shown
    )
    note = (
        f"{table.title}, {table.level} level, {table.group}, as printed: figures of {table.testset} and its "
        "judgements. → are yours, placed among the others: figures of what was given, which compare if that is "
        f"{table.testset}, too."
    )
    best = frozenset((i, 0) for i, (row, _) in enumerate(table.shown) if row.own)
    return Table(("metric", *table.columns, "place"), lines, (note, signature), best)


def _among_cells(row: AmongRow, columns: Sequence[str]) -> list[str]:
    cells = [row.cells.get(d, AmongCell(None)) for d in columns]
    return [
        numbers.UNDEFINED if c.value is None else numbers.bounded(c.value, c.low, c.high, half_width=c.half_width)
        for c in cells
    ]


def _without(record: MetricAgreement, digits: int) -> str:
    if record.without_outliers is None:
        return numbers.ABSENT
    return f"{numbers.coefficient(record.without_outliers, digits)} ({record.n_without_outliers})"
