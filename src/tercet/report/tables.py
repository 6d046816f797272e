"""Tables and records as text: one renderer for each of the formats that every command offers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from tercet.data.table import Table
from tercet.errors import InputError
from tercet.escaping import json_text, latex, markdown, one_line, spreadsheet
from tercet.options.groups import Form

FORMATS: tuple[str, ...] = get_args(Form)


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
        return json_text({"signature": signature, "records": body}, indent=1) + "\n"
    if style == "jsonl":
        lines = ({key: _finite(value) for key, value in record.items()} for record in records)
        return "".join(json_text(line) + "\n" for line in lines)
    if style == "tsv":
        return _tsv(records)
    header = [[*map(spreadsheet, records[0])]] if records else []
    return _csv([*header, *([_plain_value(v) for v in record.values()] for record in records)])


def _csv(rows: Sequence[Sequence[str]]) -> str:
    """Rows of a CSV. Python's own writer does not quote a carriage return, where readers begin a new row."""

    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if any(char in cell for char in ',"\r\n') else cell

    return "".join(",".join(map(quoted, row)) + "\n" for row in rows)


def _tsv(records: Sequence[Mapping[str, Any]]) -> str:
    """Without quoting, as every TSV here; a tab or a line break inside a name cannot be written."""
    lines = [[*map(spreadsheet, records[0])]] if records else []
    lines += [[_plain_value(v) for v in record.values()] for record in records]
    for line in lines:
        for cell in line:
            if "\t" in cell or "\n" in cell or "\r" in cell:
                raise InputError(f"{cell!r} cannot stand in a TSV.", hint="Use -f csv or -f json.")
    return "".join("\t".join(line) + "\n" for line in lines)


def _finite(value: Any) -> Any:
    """JSON has no NaN: what is not defined is null, never 0."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain_value(value: Any) -> str:
    return "" if value is None else spreadsheet(value) if isinstance(value, str) else str(value)


def _plain(table: Table) -> str:
    from rich.cells import cell_len

    headers, rows = _cells(table.headers, one_line), _cells(table.rows, one_line)
    lines = [*headers, *rows]
    widths = [max(cell_len(line[c]) for line in lines) for c in range(len(table.header))]

    def aligned(line: tuple[str, ...]) -> str:
        cells = (
            cell + " " * (width - cell_len(cell)) if c == 0 else " " * (width - cell_len(cell)) + cell
            for c, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    text = [*map(aligned, headers), rule]
    for r, row in enumerate(rows):
        text.append(aligned(row))
        if r in table.rules:
            text.append(rule)
    if table.notes:
        text += ["", *map(one_line, table.notes)]
    return "\n".join(text) + "\n"


def paragraphs(table: Table, width: int) -> str:
    """Left-aligned columns whose last one is wrapped; the header is left out."""
    from rich.cells import cell_len

    rows = _cells(table.rows, one_line)
    widths = [max(map(cell_len, column)) + 2 for column in list(zip(*rows, strict=True))[:-1]]
    indent = sum(widths)
    lines: list[str] = []
    for *heads, last in rows:
        head = "".join(cell + " " * (w - cell_len(cell)) for cell, w in zip(heads, widths, strict=True))
        body = textwrap.wrap(last, max(30, width - indent), break_long_words=False, break_on_hyphens=False) or [""]
        lines += [head + body[0], *(" " * indent + rest for rest in body[1:])]
    if table.notes:
        lines += ["", *map(one_line, table.notes)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cells(lines: Sequence[Sequence[str]], escaped: Callable[[str], str]) -> list[tuple[str, ...]]:
    return [tuple(escaped(cell) for cell in line) for line in lines]


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def cell_of(text: str) -> str:
        return markdown(text).replace("|", "\\|")

    def bold(r: int, c: int, cell: str) -> str:
        return f"**{cell}**" if (r, c) in table.best else cell

    header, *more = _cells(table.headers, cell_of)
    rows: list[Sequence[str]] = [*more]  # a header has one line there: a second one is the first row
    rows += [[bold(r, c, cell) for c, cell in enumerate(row)] for r, row in enumerate(_cells(table.rows, cell_of))]
    text = [line(header), line(["---", *["---:"] * (len(header) - 1)]), *map(line, rows)]
    if table.notes:
        text += ["", *(f"- {markdown(note)}" for note in table.notes)]
    return "\n".join(text) + "\n"


def _latex(table: Table) -> str:
    def cell(r: int, c: int, text: str) -> str:
        return f"\\textbf{{{latex(text)}}}" if (r, c) in table.best else latex(text)

    lines = [f"\\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}", "\\hline"]
    lines += [" & ".join(map(latex, header)) + r" \\" for header in table.headers]
    lines.append("\\hline")
    for r, row in enumerate(table.rows):
        lines.append(" & ".join(cell(r, c, t) for c, t in enumerate(row)) + r" \\")
        if r in table.rules:
            lines.append("\\hline")
    lines += ["\\hline", "\\end{tabular}", *(f"% {one_line(note, ' ')}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def table_csv(table: Table) -> str:
    """The cells of a table as they are printed, for a spreadsheet."""
    return _csv(_cells([*table.headers, *table.rows], spreadsheet))
