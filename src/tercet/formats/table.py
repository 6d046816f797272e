"""A test set as one table: TSV (.tsv; one header line, tabs, no quoting) or Parquet (.parquet), packed or not.

    segment           the name of the segment; without this column, segments are numbered
    document          the document that it belongs to
    source            the text that was translated
    reference         a translation by hand; further ones are reference:NAME
    facet:NAME        something else that is known of the segment, such as its domain
    anything else     what the system of that name made of the source

An empty cell in one of several reference columns means that this reference lacks the segment. A byte order mark is
dropped at the start of the file and of the cells of the first row, as it is from plain text. In Parquet,
`segment`, `document` and facets may be whole numbers; everything else is text, and nothing is null.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from tercet import limits
from tercet.data import TestSet
from tercet.errors import InputError, polars
from tercet.formats import columns, lines, packing, places, shares
from tercet.formats.columns import FACET
from tercet.formats.lines import File
from tercet.formats.parquet import Parquet, seekable, strings
from tercet.formats.shares import Share, Unread
from tercet.limits import Budget

if TYPE_CHECKING:
    import polars as pl

_KNOWN = ("segment", "document", "source", "reference")
_REFERENCE = "reference:"


def read(path: File) -> TestSet:
    """A whole table.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.tsv")
    ...     _ = file.write_text("reference\\tmine\\nthe cat\\ta cat\\n")
    ...     testset = read(file)
    >>> testset.systems["mine"][0], testset.references[0]
    ('a cat', ('the cat',))
    """
    return next(read_parts(path, columns.EVERYTHING))


def read_parts(path: File, size: int = lines.BLOCK) -> Iterator[TestSet]:
    """A table in parts of at most `size` segments, at least one part."""
    return parquet_parts(path, size) if is_parquet(path) else tsv_parts(path, size)


def is_parquet(path: File) -> bool:
    """Whether a name says Parquet; every other table is TSV."""
    return packing.unpacked_name(path).endswith(".parquet")


@dataclasses.dataclass(frozen=True)
class _Layout:
    """Which column holds what, and where the table stands: `file` for messages."""

    file: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for i, name in enumerate(self.names, 1):
            if not name or name in (_REFERENCE, FACET):
                raise self.fault(
                    f"column {i} has no name", "Give every column one, and every reference: and facet: a NAME."
                )
            if name in seen:
                raise self.fault(f"two columns are called {name!r}", "Give one of them another name.")
            seen.add(name)
            plain = name.lower().removesuffix("s")
            if name not in _KNOWN and plain in _KNOWN:
                raise self.fault(
                    f"column {name!r} is nearly, but not quite, {plain!r}",
                    f"Call it {plain!r}, or something else if it is a system.",
                )
        if not self.systems:
            raise self.fault(
                f"there is no system among the columns {', '.join(self.names)}",
                f"Every column but {', '.join(_KNOWN)}, reference:NAME and facet:NAME is a system; add one.",
            )

    def fault(self, what: str, hint: str) -> InputError:
        return InputError(f"{self.file}, line 1: {what}.", hint=hint)

    @property
    def references(self) -> list[str]:
        return [name for name in self.names if name == "reference" or name.startswith(_REFERENCE)]

    @property
    def systems(self) -> list[str]:
        return [name for name in self.names if name not in _KNOWN and not name.startswith((_REFERENCE, FACET))]

    def testset(self, cells: Sequence[Sequence[str]], start: int) -> TestSet:
        """The part whose columns are `cells` and whose first row is number `start`."""
        column = dict(zip(self.names, cells, strict=True))
        names = column.get("segment") or columns.numbers(start, len(cells[0]))
        refs = self.references
        named = refs != ["reference"]
        return TestSet(
            segments=tuple(names),
            systems={name: columns.texts(column[name]) for name in self.systems},
            references=columns.references([column[name] for name in refs]) if refs else None,
            sources=columns.texts(column["source"]) if "source" in column else None,
            documents=tuple(column["document"]) if "document" in column else None,
            reference_names=tuple(name.partition(":")[2] for name in refs) if named else (),
            facets={name.removeprefix(FACET): tuple(column[name]) for name in self.names if name.startswith(FACET)},
        )


class _Names:
    """Finds a segment's name that comes twice in the whole table.

    As long as every name is its own number, as in most tables, nothing needs to be kept.
    """

    def __init__(self, file: str, row: str, first: int) -> None:
        self.file, self.row, self.first = file, row, first
        self.seen: set[str] | None = None
        self.budget = Budget(f"The names of the segments of {file}", "Drop the column to have them numbered.")

    def add(self, names: Sequence[str], start: int) -> None:
        if self.seen is None:
            if tuple(names) == columns.numbers(start, len(names)):
                return
            self.seen = set(columns.numbers(1, start - 1))
        if len(set(names)) < len(names) or not self.seen.isdisjoint(names):
            for number, name in enumerate(names, start - 1 + self.first):
                if name in self.seen:
                    raise InputError(
                        f"{self.file}, {self.row} {number}: segment {name!r} is there twice.",
                        hint="Segment names must be unique; drop the column to have them numbered.",
                    )
                self.seen.add(name)
        self.seen.update(names)
        self.budget.take(sum(map(len, names)) + 2 * limits.TEXT * len(names))


def tsv_parts(path: File, size: int) -> Iterator[TestSet]:
    """A TSV table in parts, whatever its name."""
    columns.check_size(size)
    name = lines.shown(path)
    layout: _Layout | None = None
    names = _Names(name, "line", first=2)
    start = 1
    budget = _whole_table(name) if size == columns.EVERYTHING else None
    for lot in _after_header(path, size, budget):
        if layout is None:
            layout = _Layout(name, tuple(lot[0].split("\t")))
            continue
        for block in _affordable(lot, layout, budget):
            yield _rows(block, layout, start, names)
            start += len(block)
    if layout is None:
        raise _empty(name)
    if start == 1:
        yield layout.testset([()] * len(layout.names), 1)


def tsv_share(path: File, size: int, share: Share) -> Iterator[TestSet | Unread]:
    """A share of a TSV table; of other rows no more is read than their names, of which none may come twice."""
    name = lines.shown(path)
    header = next((block[0] for block in lines.blocks(path, 1)), None)
    if header is None:
        raise _empty(name)
    layout = _Layout(name, tuple(header.split("\t")))
    names = _Names(name, "line", first=2)
    column = layout.names.index("segment") if "segment" in layout.names else None
    start = 1

    def passed(at: int, data: bytes) -> None:
        if column is not None:
            rows = data.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n")
            cells = b"\n".join(cell for row in rows for cell in row.split(b"\t", column + 1)[column : column + 1])
            names.add(cells.decode("utf-8", "surrogateescape").split("\n"), at + 1)

    for lot in shares.blocks(path, size, share, header=header, passed=passed):
        if isinstance(lot, range):
            yield Unread(tuple(layout.systems), len(lot))
            start += len(lot)
            continue
        for block in _affordable(lot, layout, None):
            yield _rows(block, layout, start, names)
            start += len(block)
    if start == 1:
        yield layout.testset([()] * len(layout.names), 1)


def _rows(block: Sequence[str], layout: _Layout, start: int, names: _Names) -> TestSet:
    """Lines as a part."""
    cells = _cells(block, layout, start)
    if "segment" in layout.names:
        names.add(cells[layout.names.index("segment")], start)
    return layout.testset(cells, start)


def _empty(name: str) -> InputError:
    return InputError(f"{name} is empty.", hint="A table begins with a line of column names.")


def tsv_size(path: File) -> int | None:
    """How many segments there are: lines below the header, which each of several files has."""
    return max(0, lines.count(path) - len(places.files(path)))


def parquet_size(path: File) -> int | None:
    """How many segments there are, as the files say; None where one is packed, or says nothing that can be read."""
    if packing.is_packed(path):
        return None
    try:
        return sum(_parquet_rows(file) for file in places.files(path))
    except (InputError, OSError):
        return None  # who reads it says what is wrong with it


def _parquet_rows(file: File) -> int:
    with Parquet(file, lines.shown(file)) as parquet:
        return parquet.rows


def _whole_table(name: str) -> Budget:
    return Budget(f"The whole of {name}", "Take fewer segments or systems.")


def _affordable(block: list[str], layout: _Layout, budget: Budget | None) -> Iterator[list[str]]:
    """The lines as they are, or fewer at a time where their cells would take too much."""
    n_bytes = sum(map(len, block)) + limits.TEXT * len(block) * len(layout.names)
    if budget is not None:
        budget.take(n_bytes)
    rows = len(block) if budget is not None else _rows_at_once(len(block), n_bytes)
    for at in range(0, len(block), rows):
        yield block[at : at + rows]


def _rows_at_once(n_rows: int, n_bytes: int) -> int:
    return max(1, n_rows if n_bytes <= limits.PART else n_rows * limits.PART // n_bytes)


def _after_header(path: File, size: int, budget: Budget | None) -> Iterator[list[str]]:
    """The header line by itself, then blocks of `size` lines, or fewer long ones."""
    pending: list[str] = []
    header = True
    for block in lines.blocks(path, min(size, lines.BLOCK), budget=budget, header=True):
        if header:
            yield block[:1]
            header = False
            del block[:1]
        full = len(block) >= min(size, lines.BLOCK) - 1
        pending += block
        if pending and (len(pending) >= size or not full):
            yield pending[:size]
            del pending[:size]
    if pending:
        yield pending


def _cells(block: Sequence[str], layout: _Layout, start: int) -> list[list[str]]:
    wanted = len(layout.names)
    n_fields = [line.count("\t") + 1 for line in block]
    if set(n_fields) != {wanted}:
        number, n_given = next((i, n) for i, n in enumerate(n_fields, start + 1) if n != wanted)
        raise InputError(
            f"{layout.file}, line {number}: {n_given} fields where the header has {wanted} columns.",
            hint="Fields are separated by tabs, and quotes mean nothing: look for a stray tab or line break.",
        )
    # One cut for all rows: with a list for each, a large table took twice as long.
    cells = "\t".join(block).split("\t")
    if start == 1:  # a column that was pasted here from a file begins as that file did
        cells[:wanted] = [cell.removeprefix("\ufeff") for cell in cells[:wanted]]
    return [cells[i::wanted] for i in range(wanted)]


def parquet_parts(path: File, size: int) -> Iterator[TestSet]:
    """A Parquet table in parts, whatever its name; row groups that are not wanted yet are not read."""
    return cast(Iterator[TestSet], parquet_share(path, size, shares.WHOLE))


def parquet_share(path: File, size: int, share: Share) -> Iterator[TestSet | Unread]:
    """A share of a Parquet table; of other rows no more is read than their names, of which none may come twice."""
    polars("Parquet")
    columns.check_size(size)
    table: _Rows | None = None
    for file in places.files(path):
        name = lines.shown(file)
        if lines.head(file, 4) != b"PAR1":
            raise InputError(f"{name} is not Parquet.", hint="Call it .tsv if it is text; otherwise write it again.")
        with seekable(file) as there, Parquet(there, name) as parquet:
            table = table or _Rows(_Layout(name, parquet.names), lines.shown(path), size, share)
            yield from table.parts(parquet)
    if table is not None and (table.budget is not None or not table.done):
        yield table.layout.testset(table.kept, 1)


class _Rows:
    """Rows of a table's files, one file after the other: in parts, or kept to be one part."""

    def __init__(self, layout: _Layout, name: str, size: int, share: Share) -> None:
        self.layout, self.size, self.done = layout, size, 0
        self.share = share
        self.names = _Names(name, "row", first=1)
        self.budget = _whole_table(name) if size == columns.EVERYTHING else None
        self.kept: list[list[str]] = [[] for _ in layout.names]

    def parts(self, parquet: Parquet) -> Iterator[TestSet | Unread]:
        """The parts of the next file."""
        self._require_same(parquet)
        begin = 0
        while begin < parquet.rows:
            mine, n = self.share.stretch(self.done)
            end = min(parquet.rows, begin + n)
            if mine:
                yield from self._read(parquet, begin, end)
            else:
                self._pass_over(parquet, begin, end)
                yield Unread(tuple(self.layout.systems), end - begin)
            begin = end

    def _pass_over(self, parquet: Parquet, begin: int, end: int) -> None:
        """Rows of a file that are another's."""
        before = self.done - begin
        for frame in parquet.frames(lines.BLOCK, begin, end, ["segment"]) if "segment" in self.layout.names else ():
            self.names.add(strings(frame["segment"], parquet.name, self.done - before), self.done + 1)
            self.done += len(frame)
        self.done = before + end

    def _require_same(self, parquet: Parquet) -> None:
        if parquet.names != self.layout.names:
            raise InputError(
                f"{parquet.name}: the columns are other ones than those of {self.layout.file}.",
                hint="Files of one pattern have the same columns, in the same order.",
            )

    def _read(self, parquet: Parquet, begin: int, end: int) -> Iterator[TestSet]:
        """Rows of a file that are wanted."""
        least = limits.TEXT * len(self.layout.names)  # bytes of a row
        if self.budget is not None:
            self.budget.take(least * parquet.rows)
        before = self.done - begin
        for frame in parquet.frames(max(1, min(self.size, limits.PART // least)), begin, end):
            n_bytes = sum(int(series.str.len_bytes().sum()) for series in frame if series.dtype == parquet.string)
            if self.budget is not None:
                self.budget.take(n_bytes)
            rows = len(frame) if self.budget is not None else _rows_at_once(len(frame), n_bytes)
            for at in range(0, len(frame), rows):
                cells = [strings(series, parquet.name, self.done - before) for series in frame.slice(at, rows)]
                if "segment" in self.layout.names:
                    self.names.add(cells[self.layout.names.index("segment")], self.done + 1)
                if self.budget is None:
                    yield self.layout.testset(cells, self.done + 1)
                else:
                    for column, more in zip(self.kept, cells, strict=True):
                        column += more
                self.done += len(cells[0])


def write(testset: TestSet, path: File) -> None:
    """The table of a test set, TSV or Parquet by the name of the file. `read` gives the same test set back.

    References without names are called reference, reference:2, reference:3 and so on.
    """
    table = _table(testset, os.fspath(path))
    _Layout(os.fspath(path), tuple(table))
    if is_parquet(path):
        pl = polars("Parquet")
        write_frame(pl.DataFrame(table, schema=dict.fromkeys(table, pl.String)), path, row_group_size=lines.BLOCK)
    else:
        lines.write(path, _tsv(table, os.fspath(path)))


def write_frame(frame: pl.DataFrame, path: File, **how: Any) -> None:
    """A frame as Parquet, all there or not there; Polars hides in an error of its own what the disk said."""
    import polars as pl

    with lines.replacing(path) as file:
        try:
            frame.write_parquet(file, **how)
        except pl.exceptions.PolarsError as error:
            raise OSError(str(error).rpartition("error: ")[2]) from error


def _table(testset: TestSet, file: str) -> dict[str, Sequence[str]]:
    table: dict[str, Sequence[str]] = {"segment": testset.segments}
    if testset.documents is not None:
        table["document"] = testset.documents
    if testset.sources is not None:
        table["source"] = testset.sources.strings
    table.update({f"{FACET}{name}": values for name, values in testset.facets.items()})
    table.update(_reference_columns(testset, file))
    for name, output in testset.systems.items():
        if name in _KNOWN or name.startswith((_REFERENCE, FACET)):
            raise InputError(
                f"{file} cannot have a system called {name!r}: that column means something else.",
                hint="Give the system another name.",
            )
        table[name] = output.strings
    return table


def _reference_columns(testset: TestSet, file: str) -> dict[str, list[str]]:
    refs = testset.references
    if refs is None:
        return {}
    names = testset.reference_names or ("", *map(str, range(2, refs.counts[1] + 1)))
    if refs.counts[1] > len(names):
        raise InputError(
            f"{file} cannot be written: a segment has {refs.counts[1]} references and {len(names)} names.",
            hint="Give reference_names one name a reference, or none at all.",
        )
    table: dict[str, list[str]] = {f"{_REFERENCE}{name}" if name else "reference": [] for name in names}
    if len(table) < len(names):
        raise InputError(f"{file} cannot be written: two references share a name.", hint="Rename one of them.")
    for i, segment in enumerate(testset.segments):
        texts = refs[i]
        if len(texts) > 1 and not all(texts):
            raise InputError(
                f"{file} cannot be written: one of several references of segment {segment!r} is empty.",
                hint="Leave it out: an empty cell means that there is none.",
            )
        for column, text in zip(table.values(), (*texts, *[""] * (len(names) - len(texts))), strict=True):
            column.append(text)
    return table


def _tsv(table: dict[str, Sequence[str]], file: str) -> Iterator[str]:
    yield _row(tuple(table), file, 1)
    pending = []
    for number, cells in enumerate(zip(*table.values(), strict=True), 2):
        pending.append(_row(cells, file, number))
        if len(pending) == lines.BLOCK:
            yield "".join(pending)
            pending = []
    yield "".join(pending)


def _row(cells: Sequence[str], file: str, number: int) -> str:
    row = "\t".join(cells)
    # A reader takes a carriage return at the end of a line for half of the line's end.
    if row.count("\t") >= len(cells) or "\n" in row or row.endswith("\r"):
        cell = next(c for c in cells if "\t" in c or "\n" in c or c.endswith("\r"))
        raise InputError(
            f"{file}, line {number}: the cell {cell[:60]!r} holds a tab or a line break, which TSV cannot.",
            hint="Write Parquet instead: give the file a name that ends in .parquet.",
        )
    return row + "\n"
