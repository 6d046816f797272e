"""Where results go: a file written whole or not at all, or standard output; progress on a terminal's stderr."""

from __future__ import annotations

import contextlib
import pathlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tercet.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from tercet.report import Format, Table


def require_folder(output: pathlib.Path | None) -> None:
    """Refuse an output whose folder is not there before hours of work, not after."""
    if output is not None and not output.parent.is_dir():
        raise InputError(f"The folder of {output} is not there.", hint=f"Make it first: mkdir -p {output.parent}")


def require_figure(figure: pathlib.Path | None) -> None:
    """The same for a figure, which must also end as a figure does."""
    require_folder(figure)
    if figure is not None:
        from tercet.plots.canvas import require_suffix

        require_suffix(figure)


def emit(text: str, output: pathlib.Path | None) -> None:
    """Write to a file beside and rename, or to standard output."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        from tercet.formats.lines import write

        write(output, [text])


def deliver(
    records: Sequence[Mapping[str, Any]],
    signature: str,
    table: Table,
    style: Format,
    output: pathlib.Path | None,
    notes: Sequence[str] = (),
    further: Sequence[Table] = (),
) -> None:
    """A result in the style that was asked for. Programs get records, and what was left out is said on stderr."""
    from tercet.report import render, render_records

    if style == "json" or style == "jsonl" or style == "csv" or style == "tsv":
        emit(render_records(records, signature, style), output)
        for note in notes:
            print(f"tercet: {note}", file=sys.stderr)  # noqa: T201
    elif style == "table" and output is None:
        for i, each in enumerate((table, *further)):
            emit("\n" if i else "", None)
            show_table(each)
    else:
        emit("\n".join(render(each, style) for each in (table, *further)), output)


def show_table(table: Table) -> None:
    """A table with colour on a terminal, plain text in a pipe."""
    if not sys.stdout.isatty():
        from tercet.report import render

        emit(render(table, "table"), None)
        return
    import rich.console

    print_table(table, rich.console.Console(highlight=False))


def print_table(table: Table, console: Console) -> None:
    """A table in colour: the best of each column in green, notes dimmed."""
    import rich.box
    import rich.table
    import rich.text

    grid = rich.table.Table(box=rich.box.SIMPLE_HEAD, header_style="bold")
    for c, title in enumerate(table.header):
        grid.add_column(title, justify="left" if c == 0 else "right", overflow="fold")
    for r, row in enumerate(table.rows):
        cells = (rich.text.Text(cell, style="bold green" if (r, c) in table.best else "") for c, cell in enumerate(row))
        grid.add_row(*cells, end_section=r in table.rules)
    console.print(grid)
    for note in table.notes:
        console.print(note, style="dim", markup=False)


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[str, int], None] | None]:
    """A line of progress on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    import rich.console
    import rich.progress

    console = rich.console.Console(stderr=True)
    columns = (
        rich.progress.SpinnerColumn(),
        rich.progress.TextColumn("{task.description}"),
        rich.progress.TextColumn("{task.completed:,.0f}"),
        rich.progress.TimeElapsedColumn(),
    )
    with rich.progress.Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, rich.progress.TaskID] = {}

        def report(what: str, done: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=None)
            bar.advance(tasks[what], done)

        yield report


def paragraphs(records: Sequence[Mapping[str, str]], columns: Sequence[str]) -> str:
    """Left-aligned columns whose last one is wrapped to the terminal."""
    import shutil
    import textwrap

    from rich.cells import cell_len

    *heads, last = columns
    widths = [max(cell_len(r[c]) for r in records) + 2 for c in heads]
    indent = sum(widths)
    room = max(30, min(shutil.get_terminal_size((100, 24)).columns, 110) - indent)
    lines = []
    for r in records:
        head = "".join(r[c] + " " * (w - cell_len(r[c])) for c, w in zip(heads, widths, strict=True))
        body = textwrap.wrap(r[last], room) or [""]
        lines += [head + body[0], *(" " * indent + rest for rest in body[1:])]
    return "\n".join(line.rstrip() for line in lines) + "\n"
