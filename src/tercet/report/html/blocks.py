"""What a page is made of: plain frozen nouns, which `page` turns into HTML.

Report            title, answers in words, sections, signature, notes
└── Section       a heading with an anchor, and blocks
    ├── TableBlock        a table whose columns can be sorted
    ├── ScatterBlock      systems by metric and human score, one view a metric
    ├── TopCurveBlock     agreement among the best N systems, one line a metric
    ├── MatrixBlock       which metric is significantly better than which
    ├── CalibrationBlock  accuracy by the difference that counts as a tie, one view a metric
    ├── ExplanationBlock  one part of why a segment scores as it does
    ├── AlignmentBlock    words of the hypotheses against words of the reference
    └── FoldBlock         text that opens on demand: signatures, notes, the study file
"""

from __future__ import annotations

import dataclasses
from typing import Literal

from tercet.data.explanation import Explanation
from tercet.data.meta import Calibration, MetricTests, Scatter, TopCurve
from tercet.errors import InputError


@dataclasses.dataclass(frozen=True)
class Cell:
    """A cell of a table. Rows are sorted by `sort`; those where it is None stay last whichever way one sorts."""

    text: str
    sort: float | str | None = None
    bold: bool = False
    mark: str = ""  # a sign behind the text, such as that of a figure out of sequence


@dataclasses.dataclass(frozen=True)
class TableBlock:
    """A table. The first column names the rows; `rules` are the rows under which a line is drawn.

    Rows are shown in the order given; `sorted_by` is the column that this is the order of, best first. `subheader` is
    a second line of the headings.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rules: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    sorted_by: int | None = None
    subheader: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.subheader and len(self.subheader) != len(self.header):
            raise InputError(
                f"The second line of headings of the table {self.caption!r} has {len(self.subheader)} cells.",
                hint=f"Give {len(self.header)}, one a column.",
            )
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.header):
                raise InputError(
                    f"Row {number} of the table {self.caption!r} has {len(row)} cells.",
                    hint=f"Give {len(self.header)}, one a column.",
                )
        if self.sorted_by is not None and not 0 <= self.sorted_by < len(self.header):
            raise InputError(
                f"The table {self.caption!r} has no column {self.sorted_by} to be sorted by.",
                hint=f"Columns are numbered from 0 to {len(self.header) - 1}.",
            )


@dataclasses.dataclass(frozen=True)
class ScatterBlock:
    """Systems by metric score (across) and human score (up); the reader chooses the metric, the first is shown."""

    caption: str
    scatters: tuple[Scatter, ...]

    def __post_init__(self) -> None:
        _require(self.caption, "scatter plot", len(self.scatters))


@dataclasses.dataclass(frozen=True)
class TopCurveBlock:
    """Agreement over the best N systems. Lines of the metrics in `highlight` are in colour, all others grey."""

    caption: str
    curves: tuple[TopCurve, ...]
    highlight: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _require(self.caption, "curve", len(self.curves))


@dataclasses.dataclass(frozen=True, eq=False)
class MatrixBlock:
    """Which metric agrees better than which: a cell is shaded where the row's metric beats the column's."""

    caption: str
    tests: MetricTests

    def __post_init__(self) -> None:
        _require(self.caption, "metric", len(self.tests.metrics))
        n = len(self.tests.metrics)
        if self.tests.p.shape != (n, n):
            raise InputError(
                f"The p-values of {self.caption!r} are {self.tests.p.shape} for {n} metrics.",
                hint="Give one row and one column a metric.",
            )


@dataclasses.dataclass(frozen=True, eq=False)
class CalibrationBlock:
    """Accuracy by the difference that counts as a tie; the reader chooses the metric, the first is shown."""

    caption: str
    calibrations: tuple[Calibration, ...]

    def __post_init__(self) -> None:
        _require(self.caption, "calibration", len(self.calibrations))


@dataclasses.dataclass(frozen=True)
class FoldBlock:
    """Text behind its title, opened by a click; shown as it stands, line by line."""

    title: str
    text: str


Part = Literal["texts", "formula", "ngrams", "edits"]


@dataclasses.dataclass(frozen=True)
class ExplanationBlock:
    """One part of an explanation. Parts of two explanations stand side by side, `wide` ones alone."""

    caption: str
    explanation: Explanation
    part: Part
    wide: bool = False


@dataclasses.dataclass(frozen=True)
class AlignmentBlock:
    """Reference words down, the words of each hypothesis across, and how they match."""

    caption: str
    explanations: tuple[Explanation, ...]

    def __post_init__(self) -> None:
        _require(self.caption, "alignment", len(self.explanations))


Block = (
    TableBlock
    | ScatterBlock
    | TopCurveBlock
    | MatrixBlock
    | CalibrationBlock
    | ExplanationBlock
    | AlignmentBlock
    | FoldBlock
)


@dataclasses.dataclass(frozen=True)
class Section:
    """A part of the page under its own heading. `id` is its anchor."""

    title: str
    id: str
    intro: str = ""
    blocks: tuple[Block, ...] = ()


@dataclasses.dataclass(frozen=True)
class Report:
    """A whole page. `summary` is the answer in plain words and comes first; `metrics` have their colours in order."""

    title: str
    summary: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    signature: str = ""
    notes: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()


def block_names(block: Block) -> set[str]:
    """Every name of a block, and every word of its cells, as it was given."""
    match block:
        case TableBlock():
            words = (word for row in block.rows for cell in row[1:] for word in cell.text.split())
            return {*block.header, *block.subheader, *(row[0].text for row in block.rows), *words}
        case ScatterBlock():
            return {n for s in block.scatters for n in (s.metric, *s.systems)}
        case TopCurveBlock():
            return {c.metric for c in block.curves}
        case MatrixBlock():
            return set(block.tests.metrics)
        case CalibrationBlock():
            return {c.metric for c in block.calibrations}
        case ExplanationBlock():
            return {*block.explanation.hypothesis, *block.explanation.reference}
        case AlignmentBlock():
            return {w for e in block.explanations for w in (*e.hypothesis, *e.reference)}
        case FoldBlock():
            return set()


def _require(caption: str, what: str, count: int) -> None:
    if not count:
        raise InputError(f"There is no {what} to show in {caption!r}.", hint="Leave the block out.")
