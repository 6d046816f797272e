"""Tables of a page: those one can sort, and the matrix of significance, which is a table, too.

Each lies in a box of its own that scrolls sideways where the screen is narrow, while the first column stays. Without a
script the rows stand in the order given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from tercet import numbers
from tercet.data.meta import HOW_TO_CORRECT
from tercet.plots.layout import MatrixCell, matrix_layout, shade
from tercet.report.fitting import is_signature
from tercet.report.html.blocks import Cell, MatrixBlock, TableBlock
from tercet.report.html.context import Context
from tercet.report.html.markup import Html, element, name, prose
from tercet.report.html.text import clipped

FEW = 5  # metrics whose matrix is no wider than a plot
SENTENCE = 40  # characters; a longer cell is no name and no figure, and wraps


def table(block: TableBlock, context: Context, systems: Collection[str]) -> Html:
    """A table; rows named after one of `systems` are lit when the reader follows that system."""
    numeric = [_is_numeric([row[c] for row in block.rows]) for c in range(len(block.header))]
    head = [
        element(
            "th",
            _heading(title, block.subheader[c] if block.subheader else ""),
            scope="col",
            class_="n" if numeric[c] else None,
            aria_sort=_order(block, c, numeric[c]),
        )
        for c, title in enumerate(block.header)
    ]
    rows = [
        _row(row, numeric, context.number(row[0].text) if row[0].text in systems else None, number in block.rules)
        for number, row in enumerate(block.rows)
    ]
    return framed_table(block.caption, "sortable", head, rows, context, notes_list(block.notes))


def _heading(title: str, second: str) -> Html:
    return element("span", name(title), element("small", name(second))) if second else name(title)


def _order(block: TableBlock, column: int, numeric: bool) -> str | None:
    """For readers that do not see the table: which column it is sorted by."""
    if block.sorted_by != column:
        return None
    return "descending" if numeric else "ascending"


def _is_numeric(cells: Sequence[Cell]) -> bool:
    kinds = {type(cell.sort) for cell in cells if cell.sort is not None}
    return bool(kinds) and str not in kinds


def _row(row: Sequence[Cell], numeric: Sequence[bool], system: int | None, rule: bool) -> Html:
    cells = [_sortable_cell(cell, c == 0, numeric[c]) for c, cell in enumerate(row)]
    return element("tr", *cells, class_="rule" if rule else None, data_s=system)


def _sortable_cell(cell: Cell, first: bool, numeric: bool) -> Html:
    sentence = not first and not numeric and len(cell.text) > SENTENCE
    if sentence:
        shown = element("bdi", prose(cell.text))
    else:
        shown = name(cell.text) if first or not numeric else Html.escape(numbers.typeset(clipped(cell.text)))
    if cell.bold:
        shown = element("b", shown)
    if cell.mark:
        shown += element("span", clipped(cell.mark, 12), class_="mark")
    key = cell.sort
    if isinstance(key, float | int):
        key = f"{key:.9g}" if math.isfinite(key) else None
    elif key is not None:
        key = None if key == cell.text else clipped(key)
    kind = "n" if numeric else "sentence" if sentence else None
    return element("th", shown, scope="row", class_=kind, data_v=key) if first else data_cell(shown, kind, key)


def data_cell(shown: Html | str, kind: str | None, key: str | None) -> Html:
    """A cell that is sorted by its key, where it has one."""
    return element("td", shown, class_=kind, data_v=key)


def matrix(block: MatrixBlock, context: Context) -> Html:
    """Metrics against metrics, the best first. The p-value stands in each shaded cell: no colour is needed to read."""
    layout = matrix_layout(block.tests)
    winners = {metric for metric, winner in zip(layout.names, layout.winner, strict=True) if winner}
    cells = [[_p_cell(cell, layout.steps) for cell in row] for row in layout.cells]
    how = block.tests.decided_by.removesuffix(HOW_TO_CORRECT)
    told = f"Shaded: the row’s metric agrees better with people than the column’s ({how}). Bold: beaten by no other."

    def named(metric: str) -> Html:
        return element("b", name(metric)) if metric in winners else name(metric)

    more = (element("span", "not defined", class_="key hatched"),) if layout.undefined else ()
    return square(block.caption, layout.names, cells, prose(told), layout.steps, context, named, more)


def square(
    caption: str,
    names: Sequence[str],
    cells: Sequence[Sequence[Html]],
    told: Html | str,
    steps: Sequence[float],
    context: Context,
    named: Callable[[str], Html] = name,
    more: Sequence[Html] = (),
) -> Html:
    """The same names down and across, with what the shades of the cells between them mean; `named` draws a name.

    `more` keys follow those of the shades.
    """
    head = [element("td"), *(element("th", element("span", named(n)), scope="col") for n in names)]
    rows = [element("tr", element("th", named(n), scope="row"), *row) for n, row in zip(names, cells, strict=True)]
    keys = [element("span", f"p ≤ {numbers.level(level)}", class_=f"key p{shade(level, steps)}") for level in steps]
    below = element("p", told, " ", element("span", *keys, *more, class_="keys"), class_="told")
    return framed_table(caption, "matrix", head, rows, context, below, half=len(names) <= FEW)


def _p_cell(cell: MatrixCell, steps: Sequence[float]) -> Html:
    if cell.kind == "self":
        return element("td", class_="self")
    return p_cell(cell.p, cell.shade, numbers.p_value(cell.p, steps), numbers.p_told(cell.p, steps))


def p_cell(p: float, dark: int, text: str, told: str) -> Html:
    """A cell with the p-value in it, where it is dark; elsewhere one may ask for it."""
    if math.isnan(p):
        return element("td", numbers.UNDEFINED, class_="hatched", data_p=numbers.UNDEFINED, title=numbers.p_told(p))
    if not dark:
        return element("td", "·", data_p=text, title=told)
    return element("td", text, class_=f"p{dark}", data_p=text)


def framed_table(
    caption: str,
    kind: str,
    head: Sequence[Html],
    rows: Sequence[Html],
    context: Context,
    below: Html,
    *,
    half: bool = False,
) -> Html:
    """A table in a box that scrolls and can be reached by keyboard to be scrolled; the caption does not scroll away."""
    anchor = context.anchor("table")
    body = element(
        "table",
        element("caption", element("span", prose(caption)), id=anchor),
        element("thead", element("tr", *head)),
        element("tbody", *rows),
        class_=kind,
    )
    box = element("div", body, class_="scroll", role="group", tabindex=0, aria_labelledby=anchor)
    return element("figure", box, below, class_="table half" if half else "table")


def notes_list(notes: Sequence[str]) -> Html:
    """What is to be said below a table, if anything."""
    items = [element("li", note, class_="signature" if is_signature(note) else None) for note in notes]
    return element("ul", *items, class_="notes") if notes else Html()
