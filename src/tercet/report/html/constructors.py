"""Blocks and sections from the nouns of meta-evaluation and from tables of text."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence

from tercet.data.meta import Calibration, MetaEvaluation, MetricAgreement, MetricTests, Scatter, TopCurve
from tercet.data.table import Table
from tercet.numbers import ABSENT, FEWER, REFERENCE_FREE, UNDEFINED, UNORDERED, bounded
from tercet.report.html.blocks import (
    Block,
    CalibrationBlock,
    Cell,
    FoldBlock,
    MatrixBlock,
    ScatterBlock,
    Section,
    TableBlock,
    TopCurveBlock,
)

_NUMBER = re.compile(r"\s*([+−-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])")


def sort_value(text: str) -> float | None:
    """The number that a printed figure starts with, behind a mark if it has one; None for `n/a`, `–` and words.

    >>> [sort_value(t) for t in (".977 ± .009", "−.5", "12–14", "n/a", "3rd", "0.95†", "≀ .3")]
    [0.977, -0.5, 12.0, None, None, 0.95, 0.3]
    """
    match = _NUMBER.match(text.removeprefix(UNORDERED))
    return float(match[1].replace("−", "-")) if match else None


def table_block(
    table: Table, caption: str, *, sorted_by: int | None = None, apart: Collection[int] = frozenset()
) -> TableBlock:
    """A table of text with numbers to sort by. The notes and bold cells come along.

    In the columns `apart`, figures below the first line cannot be compared with those above it (averages over fewer
    directions), so that sorting leaves them below.
    """
    first_rule = min(table.rules, default=len(table.rows))
    numeric = [_is_column_of_numbers([row[c] for row in table.rows]) for c in range(len(table.header))]

    def cell(r: int, c: int, text: str) -> Cell:
        if not numeric[c]:
            return Cell(text, text, (r, c) in table.best)
        value = None if c in apart and r > first_rule else sort_value(text)
        return Cell(text, value, (r, c) in table.best)

    rows = tuple(tuple(cell(r, c, text) for c, text in enumerate(row)) for r, row in enumerate(table.rows))
    return TableBlock(caption, table.header, rows, table.rules, table.notes, sorted_by, table.subheader)


def _is_column_of_numbers(texts: Sequence[str]) -> bool:
    """Whether every cell is a number or says that there is none."""
    words = {text for text in texts if sort_value(text) is None}
    return words < set(texts) and {word.strip().lower() for word in words} <= {"", UNDEFINED, ABSENT}


def agreement_block(records: Sequence[MetricAgreement], caption: str) -> TableBlock:
    """Metrics by level, measure and direction: one column each, in the order of the first, the best in bold."""
    several = len({r.direction for r in records}) > 1
    columns = list(dict.fromkeys((r.level, r.measure, r.direction) for r in records))
    agreements = {(r.metric, (r.level, r.measure, r.direction)): r for r in records}
    metrics = list(dict.fromkeys(r.metric for r in records))

    def place(metric: str) -> float:
        record = agreements.get((metric, columns[0]))
        return math.inf if record is None or record.place is None else record.place

    def cells(metric: str) -> tuple[Cell, ...]:
        there = [agreements.get((metric, column)) for column in columns]
        name = f"{metric} {REFERENCE_FREE}" if any(record and record.reference_free for record in there) else metric
        return (Cell(name, metric), *map(_agreement_cell, there))

    titles = {(r.level, r.measure, r.direction): _titled(r) for r in records}
    header = ("metric", *(f"{titles[column]}{f' {column[-1]}' if several else ''}" for column in columns))
    rows = tuple(cells(metric) for metric in sorted(metrics, key=place))
    return TableBlock(caption, header, rows, sorted_by=1 if columns else None, notes=_notes(records))


def _agreement_cell(record: MetricAgreement | None) -> Cell:
    if record is None:
        return Cell(UNDEFINED)
    text = bounded(record.value, record.low, record.high) + (FEWER if record.fewer else "")
    return Cell(text, None if math.isnan(record.value) else record.value, record.best)


def _notes(records: Sequence[MetricAgreement]) -> tuple[str, ...]:
    sizes: dict[str, set[int]] = {}
    for r in records:
        sizes.setdefault(_titled(r), set()).add(r.n)
    told = (f"{title}: n = {_range(n)}" for title, n in sizes.items())
    said = {
        "Bold: no other metric is significantly better.": any(r.winner is not None for r in records),
        f"{FEWER} held against less than other metrics.": any(r.fewer for r in records),
        f"{REFERENCE_FREE} without references.": any(r.reference_free for r in records),
    }
    return ("; ".join(told) + ".", *(note for note, applies in said.items() if applies))


def _titled(record: MetricAgreement) -> str:
    return f"{record.level}, {record.measure_title}"


def _range(numbers: Collection[int]) -> str:
    return str(min(numbers)) if len(numbers) == 1 else f"{min(numbers)} to {max(numbers)}"


def scatter_block(scatters: Sequence[Scatter], caption: str = "Metric score against human score") -> ScatterBlock:
    """The scatter plots of one direction, the metric that agrees best first."""

    def rank(scatter: Scatter) -> float:
        return -scatter.agreement if math.isfinite(scatter.agreement) else math.inf

    return ScatterBlock(caption, tuple(sorted(scatters, key=rank)))


def top_curve_block(
    curves: Sequence[TopCurve], highlight: Collection[str] = (), caption: str = "Agreement among the best N systems"
) -> TopCurveBlock:
    """The top-N curves of one direction."""
    return TopCurveBlock(caption, tuple(curves), frozenset(highlight))


def matrix_block(tests: MetricTests, caption: str = "") -> MatrixBlock:
    """The significance matrix of one direction, level and measure."""
    return MatrixBlock(caption or f"Which metric is better, {tests.level} level, {tests.measure_title}", tests)


def calibration_block(
    calibrations: Sequence[Calibration], caption: str = "Accuracy by the difference that counts as a tie"
) -> CalibrationBlock:
    """The tie calibrations of one direction."""
    return CalibrationBlock(caption, tuple(calibrations))


def fold_block(title: str, text: str | Sequence[str]) -> FoldBlock:
    """Text, or one line a note, to be opened on demand."""
    return FoldBlock(title, text if isinstance(text, str) else "\n".join(text))


def direction_section(
    evaluation: MetaEvaluation, direction: str, *, title: str = "", intro: str = "", extra: Sequence[Block] = ()
) -> Section:
    """All that an evaluation says of one direction; `extra` blocks stand after the table of agreement."""
    blocks: list[Block] = []
    records = [r for r in evaluation if r.direction == direction]
    if records:
        blocks.append(agreement_block(records, "Agreement with people"))
    blocks += extra
    if scatters := [s for s in evaluation.scatters if s.direction == direction]:
        blocks.append(scatter_block(scatters))
    for measure in dict.fromkeys(c.measure for c in evaluation.curves if c.direction == direction):
        curves = [c for c in evaluation.curves if c.direction == direction and c.measure == measure]
        blocks.append(top_curve_block(curves))
    blocks += [matrix_block(t) for t in evaluation.tests if t.direction == direction]
    if calibrations := [c for c in evaluation.calibrations if c.direction == direction]:
        blocks.append(calibration_block(calibrations))
    return Section(title or direction or "All", direction, intro, tuple(blocks))
