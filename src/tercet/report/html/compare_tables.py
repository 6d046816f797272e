"""A table that can be sorted and whose cells are HTML: links to segments, or figures in two lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tercet.report.html.context import Context
from tercet.report.html.tables import boxed, notes_list
from tercet.report.html.text import attributes, escape, name

Cells = Sequence[tuple[str, float | None]]  # HTML, and what it is sorted by


def linked_table(
    caption: str,
    header: Sequence[tuple[str, str]],
    rows: Sequence[tuple[str, Cells]],
    notes: Sequence[str],
    context: Context,
    first: str = "system",
    rules: Collection[int] = (),
    sorted_by: int | None = None,
) -> str:
    """Rows are named by HTML and hold figures; `rules` are those under which a line is drawn.

    `header` names the columns of figures, in one line or two; `sorted_by` is the one that gave the rows their order.
    """
    head = "".join(
        f"<th{attributes(scope='col', class_='n', aria_sort='descending' if c == sorted_by else None)}>"
        f"<span>{name(title)}{f'<small>{escape(more)}</small>' if more else ''}</span></th>"
        for c, (title, more) in enumerate(header)
    )
    body = "".join(
        f'<tr{attributes(class_="rule" if number in rules else None)}><th scope="row">{label}</th>'
        + "".join(f"<td{attributes(class_='n', data_v=None if v is None else f'{v:.9g}')}>{t}</td>" for t, v in cells)
        + "</tr>"
        for number, (label, cells) in enumerate(rows)
    )
    table = (
        f'<table class="sortable"><thead><tr><th scope="col">{name(first)}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )
    return f'<figure class="table">{boxed(caption, table, context)}{notes_list(notes)}</figure>'
