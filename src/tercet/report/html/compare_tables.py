"""A table that can be sorted and whose cells are HTML: links to segments, or figures in two lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tercet.report.html.context import Context
from tercet.report.html.markup import Html, element, name
from tercet.report.html.tables import data_cell, framed_table, notes_list

Cells = Sequence[tuple[str, float | None]]  # text or HTML, and what it is sorted by


def linked_table(
    caption: str,
    header: Sequence[tuple[str | Html, str]],
    rows: Sequence[tuple[str, Cells]],
    notes: Sequence[str],
    context: Context,
    first: str = "system",
    rules: Collection[int] = (),
    sorted_by: int | None = None,
) -> Html:
    """Rows are named by HTML and hold figures; `rules` are those under which a line is drawn.

    `header` names the columns of figures, by text or HTML, in one line or two; `sorted_by` is the one that gave the
    rows their order.
    """
    head = [element("th", name(first), scope="col")]
    for c, (title, more) in enumerate(header):
        named = title if isinstance(title, Html) else name(title)
        shown = element("span", named, element("small", more) if more else "")
        head.append(element("th", shown, scope="col", class_="n", aria_sort="descending" if c == sorted_by else None))
    body = [
        element(
            "tr",
            element("th", label, scope="row"),
            *(data_cell(text, "n", None if value is None else f"{value:.9g}") for text, value in cells),
            class_="rule" if number in rules else None,
        )
        for number, (label, cells) in enumerate(rows)
    ]
    return framed_table(caption, "sortable", head, body, context, notes_list(notes))
