"""Where results go: a file written whole or not at all, or standard output; progress on a terminal's stderr."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import io
import os
import pathlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tercet.errors import InputError
from tercet.escaping import one_line, terminal
from tercet.numbers import thousands
from tercet.options.groups import PICTURES, suffix_of

if TYPE_CHECKING:
    import rich.progress
    from rich.console import Console

    from tercet.cli.shared import Delivery, Styled
    from tercet.data.answer import Answer
    from tercet.data.table import Table


def emit(text: str, output: pathlib.Path | None) -> None:
    """Write to a file beside and rename, or to standard output: a program gets it as it is, a terminal harmless."""
    if output is None:
        _print(terminal(text) if sys.stdout.isatty() else text)
    else:
        from tercet.formats.lines import write

        write(output, [text])


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{text[error.start]!r} cannot be written: it is half a character.", hint="Repair the names or texts."
        ) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        raise InputError(
            f"Standard output cannot be written: {error.strerror}.", hint="Check that there is room where it goes."
        ) from None


class Closed(io.TextIOBase):
    """Standard output where there is none, as after `>&-`: whoever writes to it hears so."""

    def write(self, text: str) -> int:
        """Refuse the text."""
        raise OSError(errno.EBADF, "it is closed")


def forget_output() -> None:
    """What is left of the output goes nowhere: else Python complains again at the end."""
    if isinstance(sys.stdout, Closed):
        return
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def tell(text: str) -> None:
    """A sentence for a person, on a line of its own; a terminal gets lines that end between words."""
    shown = terminal(text)
    if not sys.stdout.isatty():
        _print(f"{shown}\n")
        return
    import rich.console

    from tercet.report.fitting import is_signature

    console = rich.console.Console(highlight=False)
    for line in shown.split("\n"):
        style = "dim" if is_signature(line) else ""
        console.print(_in_lines(line), style=style, markup=False, soft_wrap=True)


def tell_command(command: str) -> None:
    """A command to paste: a terminal gets it in lines that the shell takes for one."""
    lines = terminal(command)
    if sys.stdout.isatty():
        lines = _in_lines(f"  {lines}", behind=" \\")
    _print(f"{lines}\n" if sys.stdout.isatty() else f"  {lines}\n")


def _in_lines(line: str, behind: str = "") -> str:
    """A line as lines of the terminal, what follows set in a little; `behind` stands at all ends but the last."""
    import shutil

    from tercet.report.fitting import wrapped

    words = line.lstrip(" ")
    indent = len(line) - len(words)
    room = shutil.get_terminal_size().columns - indent - len(behind)
    return f"{behind}\n".join(" " * indent + row for row in wrapped(words, room, 2 if indent else 0))


def warn(text: str) -> None:
    """A sentence for a person, on standard error."""
    said = f"tercet: {terminal(text)}"
    if sys.stderr.isatty():
        said = "\n".join(map(_in_lines, said.split("\n")))
    try:
        print(said, file=sys.stderr, flush=True)  # noqa: T201
    except OSError:  # a full disk, or nobody there: the exit code still tells
        sys.stderr = io.StringIO()


def deliver(
    records: Sequence[Mapping[str, Any]],
    signature: str,
    tables: Sequence[Table],
    shown: Delivery | Styled,
    notes: Sequence[str] = (),
    *,
    draw: Callable[[pathlib.Path], None] | None = None,
) -> None:
    """A result in the format that was asked for. Programs get records, and what was left out is said on stderr."""
    from tercet.report.tables import render, render_records

    form, path = shown.form, shown.path
    if draw is not None and path is not None and suffix_of(path) in PICTURES:
        draw(path)
    elif form == "json" or form == "jsonl" or form == "csv" or form == "tsv":
        emit(render_records(records, signature, form), path)
        for note in notes:
            warn(note)
    elif form == "html":
        from tercet.report.html.sheet import sheet

        emit(sheet(signature, tables), path)
    elif form == "table" and path is None:
        for i, table in enumerate(tables):
            emit("\n" if i else "", None)
            show_table(table)
    else:
        emit("\n".join(render(table, form) for table in tables), path)


def draw_answer(answer: Answer, path: pathlib.Path) -> None:
    """The picture of an answer, in a file."""
    from tercet.plots.canvas import save

    save(answer.plot(), path)


def show_table(table: Table) -> None:
    """A table with colour on a terminal, plain text in a pipe."""
    if not sys.stdout.isatty():
        from tercet.report.tables import render

        emit(render(table, "table"), None)
        return
    import rich.console

    print_table(table, rich.console.Console(highlight=False))


def print_table(table: Table, console: Console) -> None:
    """A table in colour, as wide as the terminal: the best of each column in green, signatures dimmed."""
    from tercet.report.fitting import fitted, is_signature, wrapped

    for part in fitted(_harmless(table), console.width):
        _print_part(part, console)
    for note in table.notes:
        style = "dim" if is_signature(note) else ""
        for line in wrapped(one_line(note), console.width):
            console.print(line, style=style, markup=False, soft_wrap=True)


def _harmless(table: Table) -> Table:
    """Names of strangers on their way to a terminal."""

    def line(cells: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(one_line, cells))

    header, *more = map(line, table.headers)
    return dataclasses.replace(
        table, header=header, subheader=more[0] if more else (), rows=tuple(map(line, table.rows)), notes=()
    )


def _print_part(table: Table, console: Console) -> None:
    """A table whose cells are broken already, and the key of its columns."""
    from rich.cells import cell_len
    from rich.text import Text

    from tercet.report.fitting import GAP, wrapped

    rows = [*table.headers, *table.rows]
    widths = [max(cell_len(line) for row in rows for line in row[c].split("\n")) for c in range(len(table.header))]
    n_headers = len(table.headers)
    for r, row in enumerate(rows, -n_headers):
        cells = [cell.split("\n") for cell in row]
        for i in range(max(map(len, cells))):
            text = Text(end="")
            for c, (lines, width) in enumerate(zip(cells, widths, strict=True)):
                word = lines[i] if i < len(lines) else ""
                space = " " * (width - cell_len(word))
                style = "bold" if r < 0 else "bold green" if (r, c) in table.best else ""
                text.append("" if c == 0 else " " * GAP + space)
                text.append(word, style)
                text.append(space if c == 0 else "")
            text.rstrip()
            console.print(text, soft_wrap=True)
        if r == -1 or (r in table.rules and r < len(table.rows) - 1):
            console.print("─" * (sum(widths) + GAP * (len(widths) - 1)), style="dim", soft_wrap=True)
    for note in table.notes:
        for line in wrapped(note, console.width):
            console.print(line, markup=False, soft_wrap=True)
    console.print()


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[str, int], None] | None]:
    """Lines of progress on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    import rich.console
    import rich.progress

    console = rich.console.Console(stderr=True)
    columns = (
        rich.progress.SpinnerColumn(),
        rich.progress.TextColumn("{task.description}", markup=False),
        rich.progress.BarColumn(20),
        rich.progress.TextColumn("{task.fields[counted]}", markup=False),
        rich.progress.TimeElapsedColumn(),
        rich.progress.TextColumn("left:"),
        rich.progress.TimeRemainingColumn(),
    )
    with rich.progress.Progress(*columns, console=console, transient=True) as bar:
        yield ProgressLines(bar)


class ProgressLines:
    """A line for each thing that is done, with how much there is of it where that is known."""

    def __init__(self, bar: rich.progress.Progress) -> None:
        self.bar = bar
        self.tasks: dict[str, rich.progress.TaskID] = {}

    def __call__(self, what: str, done: int) -> None:
        """So much more is done."""
        task = self._line(what)
        completed = task.completed + done
        if task.total is not None and completed > task.total:
            task.total = None  # more than was expected: then nobody knows how much there is
        counted = " of ".join(thousands(round(n)) for n in (completed, task.total) if n is not None)
        self.bar.update(task.id, completed=completed, counted=counted)

    def expect(self, what: str, total: int) -> None:
        """So much more there will be."""
        task = self._line(what)
        self.bar.update(task.id, total=(task.total or 0) + total)

    def say(self, sentence: str) -> None:
        """A line that stays."""
        self.bar.console.print(one_line(sentence), markup=False, highlight=False)

    def _line(self, what: str) -> rich.progress.Task:
        if what not in self.tasks:
            self.tasks[what] = self.bar.add_task(one_line(what), total=None, counted="")
        return self.bar.tasks[self.bar.task_ids.index(self.tasks[what])]


def emit_paragraphs(table: Table, path: pathlib.Path | None) -> None:
    """A table of sentences, wrapped to the terminal."""
    import shutil

    from tercet.report.tables import paragraphs

    emit(paragraphs(table, min(shutil.get_terminal_size((100, 24)).columns, 110)), path)
