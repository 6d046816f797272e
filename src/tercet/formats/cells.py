"""Tables of judgements: a header, then a row a line; tabs, commas or blanks between the cells.

The separator is what the header has: a tab, else a comma, else blanks. Any number of blanks is one separator, unless
rows then lack cells and have them all if every single blank is one: the tables of WMT20 have such empty cells. Quotes
mean something only between commas. Column names are looked up without regard to case. A line without anything is no
row; every other row has as many cells as the header. Tables are read in blocks, a list a column.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from tercet.data import Array, Ints
from tercet.errors import InputError
from tercet.escaping import from_spreadsheet, spreadsheet
from tercet.formats import lines
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File

_BLANKS = re.compile(r"[ \t]+")
_DURATION = re.compile(r"(?:([0-9]{1,6}):([0-9]{1,2}):)?([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_MISSING = ("", "na", "nan", "n/a", "none", "null")
_BAD = -(1 << 62)
_PAIR = ("lp", "langpair", "language_pair")
_SOURCE = ("srclang", "source_language", "src_lang")
_TARGET = ("trglang", "tgtlang", "target_language", "trg_lang", "tgt_lang")


@dataclasses.dataclass(frozen=True)
class Rows:
    """Some rows: the cells of each column that was asked for, and the line on which each row begins."""

    columns: list[list[str]]
    lines: Ints

    def __len__(self) -> int:
        return len(self.lines)

    def kept(self, keep: npt.NDArray[np.bool_]) -> Rows:
        """The rows that are to be kept, with the lines that they stand in."""
        if keep.all():
            return self
        mask = keep.tolist()
        return Rows([list(itertools.compress(column, mask)) for column in self.columns], self.lines[keep])


class TableFile:
    """A table whose header is read and whose rows are still to come."""

    def __init__(self, path: File, naming: Callable[[Sequence[str]], Sequence[str]] | None = None) -> None:
        """Open it; `naming` gives the names of the columns of a table without header, from its first row."""
        self.file = lines.shown(path)
        self._used: set[int] = set()
        self._blocks: Iterator[tuple[int, list[str]]] = _numbered(path)
        start, block = next(self._blocks, (1, []))
        skipped = next((i for i, line in enumerate(block) if line.strip()), None)
        if skipped is None:
            raise InputError(f"{self.file} is empty.", hint="Check that it is the right file.")
        block = block[skipped:]
        self.separator = "," if naming else separator(block[0])
        self.line = start + skipped  # of the header
        self._padded = "  " in block[0]
        self._end = " " if block[0].endswith(" ") else ""  # of every row
        first = next(_quoted(block, self.file, self.line))[1] if self.separator == "," else self._split(block[0])
        self.header = tuple(from_spreadsheet(cell.strip()) for cell in (naming(first) if naming else first))
        self.names = tuple(name.lower() for name in self.header)
        rest = (self.line, block) if naming else (self.line + 1, block[1:])
        self._blocks = itertools.chain([rest], self._blocks)

    def fault(self, line: int, what: str, hint: str) -> InputError:
        """An error that names the file and a line."""
        return InputError(f"{self.file}, line {line}: {shortened(what)}.", hint=hint)

    def find(self, *names: str) -> int | None:
        """The column that has one of these names, the first of them that is there."""
        places = [i for name in names for i, column in enumerate(self.names) if column == name.lower()]
        if not places:
            return None
        if self.names.count(self.names[places[0]]) > 1:
            name = self.header[places[0]]
            raise self.fault(self.line, f"two columns are called {name!r}", "Give one of them another name.")
        self._used.add(places[0])
        return places[0]

    def need(self, *names: str) -> int:
        """The same of a column that must be there."""
        place = self.find(*names)
        if place is None:
            others = f" (or {', '.join(names[1:])})" if names[1:] else ""
            raise self.fault(
                self.line,
                f"there is no column {names[0]}{others} among {', '.join(self.header)}",
                "Add it; or name the format, if the file is of another one.",
            )
        return place

    def pair_columns(self) -> list[int]:
        """The column, or the two columns, that say the language pair; none if there is none."""
        one = self.find(*_PAIR)
        if one is not None:
            return [one]
        source, target = self.find(*_SOURCE), self.find(*_TARGET)
        if source is None and target is None:
            return []
        return [self.need(*_SOURCE), self.need(*_TARGET)]

    def unused(self) -> list[str]:
        """A note on the columns that nobody asked for, if there are any."""
        rest = [name or "(no name)" for i, name in enumerate(self.header) if i not in self._used]
        shown = ", ".join(rest[:8]) + (" and so on" if len(rest) > 8 else "")
        return [f"Columns left out: {len(rest)} ({shown})."] if rest else []

    def rows(self, columns: Sequence[int]) -> Iterator[Rows]:
        """The cells of some columns, block by block."""
        for start, block in self._blocks:
            text = self.separator.join(block)
            if self.separator == "," and '"' in text:
                rest = (line for _, lines_ in self._blocks for line in lines_)
                yield from self._quoted_rows(itertools.chain(block, rest), start, columns)
                return
            numbers = np.arange(start, start + len(block), dtype=np.int64)
            if self.separator == " ":
                block = self._without_padding(block)
            if "" in block:
                numbers = numbers[[bool(line) for line in block]]
                block = [line for line in block if line]
            if block:
                cut = self._cut(block, numbers, columns)
                yield Rows([*map(_plain, cut)] if "'" in text else cut, numbers)

    def chosen(self, columns: Sequence[int], choice: PairChoice) -> Iterator[Rows]:
        """The same, of the rows of one language pair."""
        where = self.pair_columns()
        for rows in self.rows([*columns, *where]):
            mine = Rows(rows.columns[: len(columns)], rows.lines)
            yield mine.kept(choice.rows(_written(rows.columns[len(columns) :]), rows.lines)) if where else mine

    def _without_padding(self, block: list[str]) -> list[str]:
        """Lines with one blank between two cells: any number of blanks is one, or every blank is, whichever fits."""
        collapsed = [_BLANKS.sub(" ", line.strip(" \t")) for line in block]
        if self._padded:
            return collapsed
        single = [line.removesuffix(self._end) if line.strip() else "" for line in block]
        return max(collapsed, single, key=self._n_fitting)

    def _n_fitting(self, block: Sequence[str]) -> int:
        """How many lines have as many cells as the header, before the first that has not."""
        gaps = len(self.names) - 1
        return next((i for i, line in enumerate(block) if line and line.count(" ") != gaps), len(block))

    def _split(self, line: str) -> list[str]:
        return _BLANKS.split(line.strip(" \t")) if self.separator == " " else line.split(self.separator)

    def _cut(self, block: list[str], numbers: Ints, columns: Sequence[int]) -> list[list[str]]:
        wanted = len(self.names)
        n_fields = [line.count(self.separator) + 1 for line in block]
        if set(n_fields) != {wanted}:
            self._ragged(n_fields, numbers)
        # One cut for all rows: with a list for each, a large table took twice as long.
        cells = self.separator.join(block).split(self.separator)
        return [cells[i::wanted] for i in columns]

    def _quoted_rows(self, text: Iterable[str], start: int, columns: Sequence[int]) -> Iterator[Rows]:
        rows = ((line, row) for line, row in _quoted(text, self.file, start) if row)
        while some := list(itertools.islice(rows, lines.BLOCK)):
            numbers = np.array([line for line, _ in some], dtype=np.int64)
            n_fields = [len(row) for _, row in some]
            if set(n_fields) != {len(self.names)}:
                self._ragged(n_fields, numbers)
            yield Rows([_plain([row[i] for _, row in some]) for i in columns], numbers)

    def _ragged(self, n_fields: Sequence[int], numbers: Ints) -> NoReturn:
        wanted = len(self.names)
        at = next(i for i, n in enumerate(n_fields) if n != wanted)
        kind = {"\t": "tabs", ",": "commas", " ": "blanks"}[self.separator]
        empty = " An empty cell is seen only where one single blank stands between any two." * (kind == "blanks")
        raise self.fault(
            int(numbers[at]),
            f"{n_fields[at]} cells where line {self.line} has {wanted}",
            f"Cells are separated by {kind}: look for a stray or missing one, or for a line break inside a row.{empty}",
        )


def separator(line: str) -> str:
    """What stands between the cells of a table with this header.

    >>> separator("lp\\tsegment"), separator("srclang,trglang"), separator("SYS SID")
    ('\\t', ',', ' ')
    """
    return "\t" if "\t" in line.strip() else "," if "," in line else " "


def _plain(column: list[str]) -> list[str]:
    """Cells as they were before a writer of ours kept a spreadsheet from computing them.

    >>> _plain(["a", "'=x", "'tis"])
    ['a', '=x', "'tis"]
    """
    changed = {cell: from_spreadsheet(cell) for cell in set(column) if cell.startswith("'")}
    return [changed.get(cell, cell) for cell in column] if changed else column


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Rows as lines of a csv; no text in them is a formula to a spreadsheet, and `TableFile` has them as they were.

    >>> list(csv_lines([("=x", -1), ("a,b", "c")]))
    ["'=x,-1\\n", '"a,b",c\\n']
    """
    for row in rows:
        line = io.StringIO()
        kept = [spreadsheet(cell) if isinstance(cell, str) else cell for cell in row]
        csv.writer(line, lineterminator="\r\n").writerow(kept)  # so that a cell with either is quoted
        yield line.getvalue().removesuffix("\r\n") + "\n"


def shortened(text: str, limit: int = 500) -> str:
    """What a message can hold of a text: a hostile line may be of any length."""
    return text if len(text) <= limit else f"{text[:limit]} ..."


def pairs(path: File) -> list[str]:
    """The language pairs of a table, none if it does not say."""
    return table_pairs(TableFile(path))


def table_pairs(table: TableFile) -> list[str]:
    """The same of a table that is open."""
    choice = PairChoice(table.file, None)
    where = table.pair_columns()
    for rows in table.rows(where) if where else ():
        choice.rows(_written(rows.columns), rows.lines)
    return list(choice.pairs)


def _written(columns: Sequence[list[str]]) -> Sequence[str | tuple[str, str]]:
    return columns[0] if len(columns) == 1 else list(zip(columns[0], columns[1], strict=True))


def _numbered(path: File) -> Iterator[tuple[int, list[str]]]:
    start = 1
    for block in lines.kept(path):
        yield start, block
        start += len(block)


def _quoted(text: Iterable[str], file: str, start: int) -> Iterator[tuple[int, list[str]]]:
    """Rows in which cells may be quoted, each with the line on which it begins."""
    reader = csv.reader((line + "\n" for line in text), strict=True)
    line = start
    try:
        for row in reader:
            yield line, row
            line = start + reader.line_num
    except csv.Error as error:
        raise InputError(
            f"{file}, line {line}: a row that begins here is not sound CSV ({error}).",
            hint="Look for a quote that is not closed; a quote inside a quoted cell is written twice.",
        ) from None


def first_bad(bad: npt.NDArray[np.bool_]) -> int | None:
    """The first row that is marked, if any."""
    return int(np.argmax(bad)) if bad.any() else None


def reals(table: TableFile, rows: Rows, column: int, what: str, *, missing: bool = False) -> Array:
    """Numbers from cells, finite ones; NaN where a cell says that there is none, if that may be."""
    cells = rows.columns[column]
    values = np.fromiter(map(_real, cells), np.float64, len(cells))
    if missing:
        empty = np.fromiter((c.strip().lower() in _MISSING for c in cells), np.bool_, len(cells))
        bad = ~np.isfinite(values) & ~empty
        values[empty] = np.nan
    else:
        bad = ~np.isfinite(values)
    if (at := first_bad(bad)) is not None:
        raise table.fault(int(rows.lines[at]), f"the {what} is {cells[at]!r}", "It must be a number.")
    return values


def _real(cell: str) -> float:
    try:
        return float(cell) if "_" not in cell else np.nan
    except ValueError:
        return np.nan


def clock(seconds: float) -> str:
    """Hours, minutes and seconds; nothing where they are not known.

    >>> clock(3661.5)
    '01:01:01.500000'
    """
    if math.isnan(seconds):
        return ""
    return f"{int(seconds // 3600):02d}:{int(seconds // 60) % 60:02d}:{seconds % 60:09.6f}"


def durations(table: TableFile, rows: Rows, column: int) -> Array:
    """Seconds from cells, NaN where they are empty."""
    cells = rows.columns[column]
    seconds = np.fromiter(map(duration, cells), np.float64, len(cells))
    odd = np.isnan(seconds) & np.fromiter((bool(cell.strip()) for cell in cells), np.bool_, len(cells))
    if (at := first_bad(odd)) is not None:
        hint = "Write seconds, or hours:minutes:seconds."
        raise table.fault(int(rows.lines[at]), f"the duration is {cells[at]!r}", hint)
    return seconds


def duration(text: str) -> float:
    """Seconds from "HH:MM:SS.ffffff" or from a number of seconds; NaN for anything else.

    >>> duration("00:01:21.5"), duration("9"), duration("")
    (81.5, 9.0, nan)
    """
    match = _DURATION.fullmatch(text.strip())
    if not match:
        return float("nan")
    hours, minutes, seconds = match.groups()
    return float(seconds) + (60 * int(minutes) + 3600 * int(hours) if hours else 0)


class Whole(dict[str, int]):
    """Whole numbers from cells, each spelling read once; `BAD` for what is none, `empty` for nothing."""

    BAD = _BAD

    def __init__(self, empty: int = _BAD) -> None:
        super().__init__({"": empty})

    def __missing__(self, cell: str) -> int:
        plain = cell.strip()
        sound = re.fullmatch(r"-?[0-9]{1,18}", plain)
        number = self[cell] = int(plain) if sound else self[""] if not plain else _BAD
        return number

    def numbers(self, cells: Sequence[str]) -> Ints:
        """The number in each cell."""
        return np.fromiter(map(self.__getitem__, cells), np.int64, len(cells))
