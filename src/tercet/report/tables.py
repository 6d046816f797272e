"""Tables and records as text: one renderer for each of the formats that every command offers."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from tercet.errors import InputError

Format = Literal["table", "json", "jsonl", "csv", "tsv", "markdown", "latex"]
FORMATS: tuple[str, ...] = get_args(Format)

_LATEX = {
    "\\": r"\textbackslash{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "±": r"$\pm$",
    "–": "--",
    "⋆": r"$\star$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "≥": r"$\geq$",
    "≀": r"$\wr$",
}
_MINUS = re.compile(r"(?<!\S)-(?=\.\d)")  # of a coefficient, -.5


@dataclasses.dataclass(frozen=True)
class Table:
    """What a person reads: a header, rows of text, notes below.

    `best` are the cells to set in bold, `rules` the rows under which a line is drawn, `subheader` is a second line of
    the header.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()
    rules: frozenset[int] = frozenset()
    subheader: tuple[str, ...] = ()

    @property
    def headers(self) -> list[tuple[str, ...]]:
        """The one or two lines of the header."""
        return [self.header, self.subheader] if self.subheader else [self.header]


def render(table: Table, style: Literal["table", "markdown", "latex"]) -> str:
    """A table as aligned text, Markdown or LaTeX."""
    renderers: dict[str, Callable[[Table], str]] = {"table": _plain, "markdown": _markdown, "latex": _latex}
    return renderers[style](table)


def render_records(
    records: Sequence[Mapping[str, Any]], signature: str, style: Literal["json", "jsonl", "csv", "tsv"]
) -> str:
    """Flat records for programs. The keys of the JSON are the columns of the CSV."""
    if style == "json":
        body = [{key: _finite(value) for key, value in record.items()} for record in records]
        return json.dumps({"signature": signature, "records": body}, ensure_ascii=False, indent=1) + "\n"
    if style == "jsonl":
        lines = ({key: _finite(value) for key, value in record.items()} for record in records)
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    if style == "tsv":
        return _tsv(records)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if records:
        writer.writerow(records[0])
        writer.writerows([_cell(v) for v in record.values()] for record in records)
    return out.getvalue()


def _tsv(records: Sequence[Mapping[str, Any]]) -> str:
    """Without quoting, as every TSV here; a tab or a line break inside a name cannot be written."""
    lines = [list(records[0])] if records else []
    lines += [[_cell(v) for v in record.values()] for record in records]
    for line in lines:
        for cell in line:
            if "\t" in cell or "\n" in cell:
                raise InputError(f"{cell!r} cannot stand in a TSV.", hint="Use -f csv or -f json.")
    return "".join("\t".join(line) + "\n" for line in lines)


def _finite(value: Any) -> Any:
    """JSON has no NaN: what is not defined is null, never 0."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _plain(table: Table) -> str:
    from rich.cells import cell_len

    lines = [*table.headers, *table.rows]
    widths = [max(cell_len(line[c]) for line in lines) for c in range(len(table.header))]

    def aligned(line: tuple[str, ...]) -> str:
        cells = (
            cell + " " * (width - cell_len(cell)) if c == 0 else " " * (width - cell_len(cell)) + cell
            for c, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    text = [*map(aligned, table.headers), rule]
    for r, row in enumerate(table.rows):
        text.append(aligned(row))
        if r in table.rules:
            text.append(rule)
    if table.notes:
        text += ["", *table.notes]
    return "\n".join(text) + "\n"


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"

    def bold(r: int, c: int, cell: str) -> str:
        return f"**{cell}**" if (r, c) in table.best else cell

    rows: list[Sequence[str]] = [*table.headers[1:]]  # a header has one line there: a second one is the first row
    rows += [[bold(r, c, cell) for c, cell in enumerate(row)] for r, row in enumerate(table.rows)]
    text = [line(table.header), line(["---", *["---:"] * (len(table.header) - 1)]), *map(line, rows)]
    if table.notes:
        text += ["", *(f"- {note}" for note in table.notes)]
    return "\n".join(text) + "\n"


def _latex(table: Table) -> str:
    def escaped(cell: str) -> str:
        return _MINUS.sub("$-$", "".join(_LATEX.get(char, char) for char in cell))

    def cell(r: int, c: int, text: str) -> str:
        return f"\\textbf{{{escaped(text)}}}" if (r, c) in table.best else escaped(text)

    lines = [f"\\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}", "\\hline"]
    lines += [" & ".join(map(escaped, header)) + r" \\" for header in table.headers]
    lines.append("\\hline")
    for r, row in enumerate(table.rows):
        lines.append(" & ".join(cell(r, c, t) for c, t in enumerate(row)) + r" \\")
        if r in table.rules:
            lines.append("\\hline")
    lines += ["\\hline", "\\end{tabular}", *(f"% {note}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def table_csv(table: Table) -> str:
    """The cells of a table as they are printed, for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([*table.headers, *table.rows])
    return out.getvalue()
