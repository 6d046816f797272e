"""Tables of a page: those one can sort, and the matrix of significance, which is a table, too.

Each lies in a box of its own that scrolls sideways where the screen is narrow, while the first column stays. Without a
script the rows stand in the order given.
"""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Sequence

from tercet.report.html.blocks import Cell, MatrixBlock, TableBlock
from tercet.report.html.context import Context
from tercet.report.html.text import attributes, clipped, escape, figure, name, prose

LEVELS = (0.01, 0.001)  # of significance, besides that of the tests
SHADES = len(LEVELS) + 1
FEW = 5  # metrics whose matrix is no wider than a plot


def table(block: TableBlock, context: Context, systems: Collection[str]) -> str:
    """A table; rows named after one of `systems` are lit when the reader follows that system."""
    numeric = [_is_numeric([row[c] for row in block.rows]) for c in range(len(block.header))]
    head = "".join(
        f"<th{attributes(scope='col', class_='n' if numeric[c] else None, aria_sort=_order(block, c, numeric[c]))}>"
        f"{_heading(title, block.subheader[c] if block.subheader else '')}</th>"
        for c, title in enumerate(block.header)
    )
    rows = "".join(
        _row(row, numeric, context.number(row[0].text) if row[0].text in systems else None, number in block.rules)
        for number, row in enumerate(block.rows)
    )
    body = f'<table class="sortable"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<figure class="table">{boxed(block.caption, body, context)}{notes_list(block.notes)}</figure>'


def _heading(title: str, second: str) -> str:
    return f"<span>{name(title)}<small>{name(second)}</small></span>" if second else name(title)


def _order(block: TableBlock, column: int, numeric: bool) -> str | None:
    """For readers that do not see the table: which column it is sorted by."""
    if block.sorted_by != column:
        return None
    return "descending" if numeric else "ascending"


def _is_numeric(cells: Sequence[Cell]) -> bool:
    kinds = {type(cell.sort) for cell in cells if cell.sort is not None}
    return bool(kinds) and str not in kinds


def _row(row: Sequence[Cell], numeric: Sequence[bool], system: int | None, rule: bool) -> str:
    cells = "".join(_cell(cell, c == 0, numeric[c]) for c, cell in enumerate(row))
    return f"<tr{attributes(class_='rule' if rule else None, data_s=system)}>{cells}</tr>"


def _cell(cell: Cell, first: bool, numeric: bool) -> str:
    shown = name(cell.text) if first or not numeric else html.escape(clipped(cell.text))
    if cell.bold:
        shown = f"<b>{shown}</b>"
    if cell.mark:
        shown += f'<span class="mark">{html.escape(clipped(cell.mark, 12))}</span>'
    key = cell.sort
    if isinstance(key, float | int):
        key = f"{key:.9g}" if math.isfinite(key) else None
    elif key is not None:
        key = None if key == cell.text else clipped(key)
    given = attributes(class_="n" if numeric else None, data_v=key)
    return f'<th scope="row"{given}>{shown}</th>' if first else f"<td{given}>{shown}</td>"


def matrix(block: MatrixBlock, context: Context) -> str:
    """Metrics against metrics, the best first. The p-value stands in each shaded cell: no colour is needed to read."""
    tests = block.tests
    levels = (tests.alpha, *(level for level in LEVELS if level < tests.alpha))
    head = "".join(f'<th scope="col"><span>{name(m)}</span></th>' for m in tests.metrics)
    rows = "".join(
        f'<tr><th scope="row">{name(m)}</th>'
        + "".join(_p_cell(float(p), i == j, levels) for j, p in enumerate(tests.p[i]))
        + "</tr>"
        for i, m in enumerate(tests.metrics)
    )
    body = f'<table class="matrix"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>'
    keys = "".join(
        f'<span class="key p{shade(0.999 * level, levels)}">p ≤ {f"{level:g}".removeprefix("0")}</span>'
        for level in levels
    )
    told = f"Shaded: the row’s metric agrees better with people than the column’s ({tests.measure}, {tests.test})."
    return (
        f'<figure class="table{" half" if len(tests.metrics) <= FEW else ""}">{boxed(block.caption, body, context)}'
        f'<p class="told">{prose(told)} <span class="keys">{keys}</span></p></figure>'
    )


def shade(p: float, levels: Sequence[float]) -> int:
    """0 where p is above the first level; 3 is the darkest shade, for p not above the last.

    >>> [shade(p, (0.05, 0.01, 0.001)) for p in (0.5, 0.03, 0.004, 0.0, float("nan"))]
    [0, 1, 2, 3, 0]
    """
    passed = sum(p <= level for level in levels)
    return passed and SHADES - len(levels) + passed


def _p_cell(p: float, diagonal: bool, levels: Sequence[float]) -> str:
    if diagonal:
        return '<td class="self"></td>'
    if math.isnan(p):
        return '<td data-p="nan" title="p is not defined">nan</td>'
    dark = shade(p, levels)
    # A fourth digit where the third would round p to the other side of a level.
    text = "&lt;.001" if p < 0.001 else figure(p, 3 if shade(round(p, 3), levels) == dark else 4)
    if not dark:
        return f'<td data-p="{text}" title="p = {text}">·</td>'
    return f'<td class="p{dark}" data-p="{text}">{text}</td>'


def boxed(caption: str, body: str, context: Context) -> str:
    """A table in a box that scrolls and can be reached by keyboard to be scrolled; the caption does not scroll away."""
    anchor = context.anchor("table")
    titled = body.replace(">", f'><caption id="{anchor}"><span>{prose(caption)}</span></caption>', 1)
    return f'<div class="scroll" role="group" tabindex="0" aria-labelledby="{anchor}">{titled}</div>'


def notes_list(notes: Sequence[str]) -> str:
    """What is to be said below a table, if anything."""
    if not notes:
        return ""
    return f'<ul class="notes">{"".join(f"<li>{escape(note)}</li>" for note in notes)}</ul>'
