"""MQM as Google publishes it: tabs, a header, no quoting, a row for each error that a rater marked.

    system doc doc_id seg_id rater source target category severity ...

`seg_id` counts through the test set, `doc_id` inside the document. The error is marked by <v> and </v> in the target,
or in the source if it is an omission. A segment without errors has one row whose category or severity is No-error. All
rows of a rater, system and segment are one assessment, without a score: weights are chosen later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tercet.data import UNKNOWN, Assessments, Errors, Ints, Kind
from tercet.errors import InputError
from tercet.escaping import spreadsheet
from tercet.formats import cells, lines
from tercet.formats.assessments import named_segments
from tercet.formats.cells import Rows, TableFile
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.names import Names, combined, without_empty
from tercet.formats.spans import NOWHERE

pairs = cells.pairs

_OPEN, _CLOSE = "<v>", "</v>"
_ONE_LINE = re.compile(r"[\t\n\r\v\f]")
_NO_ERROR = ("no-error", "no error")


def read(path: File, pair: str | None = None) -> Assessments:
    """The assessments of a file; as it does not say its language pair, `pair` only names it."""
    table = TableFile(path)
    choice = PairChoice(table.file, pair)
    reader = _ErrorReader(table)
    for rows in table.chosen(reader.columns, choice):
        reader.take(rows)
    chosen, others = choice.result()
    return reader.assessments(chosen, [*table.unused(), *others])


Texts = Callable[[int, int], tuple[str, str]]  # source and translation, by system and segment


def write(judged: Assessments, path: File, texts: Texts) -> None:
    """Assessments by error spans, with the texts that they are of; controls, times and batches have no place."""
    rows = ([spreadsheet(_ONE_LINE.sub(" ", cell)) for cell in row] for row in _rows(judged, texts))
    lines.write(path, ("\t".join(row) + "\n" for row in rows))


def _rows(x: Assessments, texts: Texts) -> Iterator[Sequence[str]]:
    yield "system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"
    errors, marks = x.errors, dict[int, list[int]]()
    for e, row in enumerate([] if errors is None else errors.row.tolist()):
        marks.setdefault(row, []).append(e)
    documents = x.documents or ("all",) * len(x.segments)
    number = [documents[: i + 1].count(name) for i, name in enumerate(documents)]
    for row in np.flatnonzero(x.kind == Kind.SYSTEM).tolist():
        system, segment = int(x.system[row]), int(x.segment[row])
        source, target = texts(system, segment)
        rater = "" if x.judge[row] == UNKNOWN else x.judges[x.judge[row]]
        start = (x.systems[system], documents[segment], str(number[segment]), x.segments[segment], rater, source)
        if errors is None or row not in marks:
            yield *start, target, "No-error", "no-error"
            continue
        for e in marks[row]:
            category = int(errors.category[e])
            name = errors.categories[category] if category >= 0 else "Other"
            yield *start, _marked(target, errors, e), name, errors.severities[int(errors.severity[e])]


def _marked(target: str, errors: Errors, e: int) -> str:
    if _OPEN in target or _CLOSE in target:
        raise InputError(f"A translation has {_OPEN} in it, which marks errors here.", hint="Export as records.")
    if errors.start is None or errors.end is None or errors.start[e] < 0:
        return target
    start, end = int(errors.start[e]), int(errors.end[e])
    return f"{target[:start]}{_OPEN}{target[start:end]}{_CLOSE}{target[end:]}"


class _ErrorReader:
    """The columns of a table, and what has been read of them."""

    def __init__(self, table: TableFile) -> None:
        self.table = table
        needed = ("system", "rater", "category", "severity", "target")
        self.columns = [table.need(name) for name in needed]
        self.columns.append(table.need("seg_id", "globalSegId", "segment"))
        document = table.find("doc", "document")
        self.columns += [] if document is None else [document]
        for known in ("doc_id", "docSegId", "source"):
            table.find(known)
        self.names: list[Names[str]] = [Names() for _ in range(4)]  # systems, raters, categories, severities
        self.segments: Names[tuple[str, str]] = Names()
        self.parts: list[tuple[Ints, ...]] = [(np.zeros(0, dtype=np.int64),) * 8]

    def take(self, rows: Rows) -> None:
        """Check and keep the next rows of the file."""
        segments = rows.columns[5]
        documents = rows.columns[6] if len(rows.columns) > 6 else [""] * len(rows)
        for what, column in (("system", rows.columns[0]), ("segment", segments)):
            if "" in column:
                line = int(rows.lines[column.index("")])
                raise self.table.fault(line, f"the {what} is not named", "Fill the cell, or drop the row.")
        numbers = [names.numbers(column) for names, column in zip(self.names, rows.columns, strict=False)]
        places = [_place(target) for target in rows.columns[4]]
        start, end = np.array(places, dtype=np.int64).reshape(-1, 2).T
        segment = self.segments.numbers(list(zip(segments, documents, strict=True)))
        self.parts.append((*numbers, segment, rows.lines, start, end))

    def assessments(self, pair: str, notes: list[str]) -> Assessments:
        """Rows put together by rater, system and segment."""
        columns = [np.concatenate(column) for column in zip(*self.parts, strict=True)]
        system, rater, category, severity, segment, line, start, end = columns
        row, first = combined(rater, system, segment)
        judges, judge = without_empty(self.names[1], rater[first])
        marked = ~(_without(self.names[2], category) | _without(self.names[3], severity))
        order = np.flatnonzero(marked)[np.argsort(row[marked], kind="stable")]
        errors = Errors(
            row[order],
            *_used(self.names[2], category[order]),
            *_used(self.names[3], severity[order]),
            start[order],
            end[order],
        )
        both = len(np.intersect1d(row[marked], row[~marked]))
        if both:
            notes.append(f"Assessments with errors and a row that says No-error, errors kept: {both}.")
        segments, documents, renamed = named_segments(self.segments, len(self.columns) > 6)
        kind = np.full(len(first), Kind.SYSTEM, dtype=np.int64)
        return Assessments(
            pair,
            tuple(self.names[0]),
            segments,
            judges,
            judge,
            system[first],
            segment[first],
            kind,
            np.full(len(first), np.nan),
            line=line[first],
            errors=errors,
            documents=documents,
            notes=(*notes, *renamed),
            file=self.table.file,
        )


def _place(target: str) -> tuple[int, int]:
    """Where the error is in the translation without its marks; nowhere if it is not marked once."""
    start, stop = target.find(_OPEN), target.find(_CLOSE)
    once = target.count(_OPEN) == 1 and target.count(_CLOSE) == 1
    return (start, stop - len(_OPEN)) if once and 0 <= start < stop else (NOWHERE, NOWHERE)


def _without(names: Names[str], column: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows say that there is no error."""
    table = np.array([name.strip().lower() in _NO_ERROR for name in names], dtype=np.bool_)
    return np.asarray(table[column]) if len(column) else np.zeros(0, dtype=np.bool_)


def _used(names: Names[str], column: Ints) -> tuple[tuple[str, ...], Ints]:
    """The names that errors refer to, in the order of the file, and the numbers that go with them."""
    known, place = np.unique(column, return_inverse=True)
    all_names = list(names)
    return tuple(all_names[i] for i in known.tolist()), place.reshape(-1).astype(np.int64)
