"""Assessments from a table: direct assessment (DA) with or without error spans (ESA), one judgement or one mean a row.

    judge       worker, user, annotator, rater, ...      kind     type: SYSTEM, REPEAT, REF, BAD_REF; or
    system      sys, model                                        TGT, CHK, REF, BAD; without it, all SYSTEM
    segment     segid, sid, ...                          hit      task, batch: what was judged in one sitting
    score       raw, RAW.SCR, ...: from 0 to 100         n        how many judgements a mean is of
    z           Z.SCR: standardised by the judge         spans    error_spans: JSON, see `spans`
    document    doc, ...                                 seconds  or start and end

Only system, segment and score must be there. Where several columns could be meant, the one that comes first in `NAMES`
is taken. A system that shares its output with others ("a+b") gets a row like theirs. Where the numbers of segments
start again in every document, a segment is called "document:segment".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Set

import numpy as np

from tercet.data import UNKNOWN, Array, Assessments, Errors, Ints, Kind
from tercet.formats import cells
from tercet.formats.cells import Rows, TableFile, Whole, first_bad
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.names import Names, combined, without_empty
from tercet.formats.spans import ErrorList, Span, parse
from tercet.formats.tasks import split_outputs

pairs = cells.pairs

KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("SYSTEM", "TGT"), Kind.SYSTEM),
    **dict.fromkeys(("REPEAT", "CHK"), Kind.REPEAT),
    "REF": Kind.REFERENCE,
    **dict.fromkeys(("BAD_REF", "BAD"), Kind.BAD_REFERENCE),
}
NAMES: Mapping[str, tuple[str, ...]] = {
    "system": ("system", "sys", "model", "systemId", "system_id"),
    "segment": ("segment", "segmentId", "segment_id", "seg_id", "segid", "sid"),
    "score": ("raw", "raw.scr", "rawScore", "raw_score", "score", "esa_score", "esa"),
    "judge": (
        *("worker", "user", "judge", "annotator", "rater", "workerId", "worker_id", "HITWorker", "judgeId"),
        *("annotator_id", "rater_id", "userId", "user_id"),
    ),
    "kind": ("type", "itemType", "item_type", "kind"),
    "z": ("z", "z.scr", "z_score", "zscore"),
    "n": ("n", "n.raw"),
    "task": ("hit", "hitId", "hit_id", "task", "batch", "batchNo"),
    "document": ("document", "doc", "docid", "doc_id", "documentId"),
    "complete": ("isCompleteDocument",),
    "spans": ("spans", "error_spans", "esa_spans", "mqm"),
    "seconds": ("seconds", "duration"),
    "start": ("start", "start_time", "startTime"),
    "end": ("end", "end_time", "endTime"),
}
_NEEDED = ("system", "segment", "score")


def read(path: File, pair: str | None = None) -> Assessments:
    """The assessments of one language pair, which may be left out if the table has only one.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.tsv")
    ...     _ = file.write_text("worker\\tsystem\\tsid\\traw\\nw1\\tA\\t7\\t80\\n")
    ...     found = read(file)
    >>> found.judges, found.systems, found.score.tolist()
    (('w1',), ('A',), [80.0])
    """
    return read_table(TableFile(path), pair)


def read_table(table: TableFile, pair: str | None) -> Assessments:
    """The same of a table that is open."""
    choice = PairChoice(table.file, pair)
    reader = _AssessmentReader(table)
    for rows in table.chosen(list(reader.columns.values()), choice):
        reader.take(rows)
    chosen, others = choice.result()
    return reader.assessments(chosen, [*table.unused(), *others])


@dataclasses.dataclass
class _Part:
    """Rows as they were read, columns of numbers; the score is what the file has."""

    judge: Ints
    system: Ints
    segment: Ints  # with its document
    kind: Ints
    score: Array
    z: Array
    n: Ints
    seconds: Array
    task: Ints
    line: Ints


def is_header(names: Set[str]) -> bool:
    """Whether columns of these names, in small letters, could be those of assessments."""
    return all(not names.isdisjoint(map(str.lower, NAMES[what])) for what in ("system", "score"))


class _AssessmentReader:
    """The columns of a table, and what has been read of them."""

    def __init__(self, table: TableFile) -> None:
        self.table = table
        self.columns: dict[str, int] = {}
        for what, names in NAMES.items():
            column = table.need(*names) if what in _NEEDED else table.find(*names)
            if column is not None:
                self.columns[what] = column
        if ("start" in self.columns) != ("end" in self.columns):
            raise table.fault(table.line, "only one of the columns start and end is there", "Add or drop one.")
        self.place = {what: i for i, what in enumerate(self.columns)}
        self.judges: Names[str] = Names()
        self.systems: Names[str] = Names()  # as they are written, "a+b"
        self.segments: Names[tuple[str, str]] = Names()
        self.hits: Names[str] = Names()
        self.parts: list[_Part] = []
        self.spans: dict[int, list[Span]] = {}  # of the rows that have some
        self.n_rows = self.n_documents = 0

    def cells(self, rows: Rows, what: str) -> list[str] | None:
        """The cells of a column, None if there is no such column."""
        return rows.columns[self.place[what]] if what in self.place else None

    def take(self, rows: Rows) -> None:
        """Some rows more; those that score a whole document are left out."""
        rows = self._of_segments(rows)
        for what in ("system", "segment", "document"):
            column = self.cells(rows, what)
            if column is not None and "" in column:
                line = int(rows.lines[column.index("")])
                raise self.table.fault(line, f"the {what} is not named", "Fill the cell, or drop the row.")
        n = len(rows)
        segments = rows.columns[self.place["segment"]]
        documents = self.cells(rows, "document") or [""] * n
        self.parts.append(
            _Part(
                self.judges.numbers(self.cells(rows, "judge") or [""] * n),
                self.systems.numbers(rows.columns[self.place["system"]]),
                self.segments.numbers(list(zip(segments, documents, strict=True))),
                self._kinds(rows),
                self._scores(rows),
                self._reals(rows, "z"),
                self._counts(rows),
                self._seconds(rows),
                self.hits.numbers(self.cells(rows, "task") or [""] * n),
                rows.lines,
            )
        )
        for row, text in enumerate(self.cells(rows, "spans") or ()):
            spans = parse(text, f"{self.table.file}, line {int(rows.lines[row])}") if text not in ("", "[]") else []
            if spans:
                self.spans[self.n_rows + row] = spans
        self.n_rows += n

    def _of_segments(self, rows: Rows) -> Rows:
        column = self.cells(rows, "complete")
        if column is None:
            return rows
        whole = np.fromiter((_true(cell) for cell in column), np.int64, len(column))
        if (at := first_bad(whole < 0)) is not None:
            line = int(rows.lines[at])
            raise self.table.fault(line, f"isCompleteDocument is {column[at]!r}", "Write True or False.")
        self.n_documents += int(whole.sum())
        return rows.kept(whole == 0)

    def _kinds(self, rows: Rows) -> Ints:
        column = self.cells(rows, "kind")
        if column is None:
            return np.full(len(rows), Kind.SYSTEM, dtype=np.int64)
        kinds = np.fromiter((KINDS.get(cell.strip().upper(), -1) for cell in column), np.int64, len(column))
        if (at := first_bad(kinds < 0)) is not None:
            line, known = int(rows.lines[at]), ", ".join(KINDS)
            raise self.table.fault(line, f"the type {column[at]!r} is not known", f"The types are {known}.")
        return kinds

    def _scores(self, rows: Rows) -> Array:
        scores = cells.reals(self.table, rows, self.place["score"], "score")
        if (at := first_bad((scores < 0) | (scores > 100))) is not None:
            given = rows.columns[self.place["score"]][at]
            raise self.table.fault(
                int(rows.lines[at]),
                f"the score {given} is outside 0 to 100",
                "Scores of direct assessment are from 0 to 100; rescale them, or name the column that holds them raw.",
            )
        return np.asarray(scores + 0.0)  # no minus zero

    def _reals(self, rows: Rows, what: str) -> Array:
        if what not in self.place:
            return np.full(len(rows), np.nan)
        return cells.reals(self.table, rows, self.place[what], what, missing=True)

    def _counts(self, rows: Rows) -> Ints:
        column = self.cells(rows, "n")
        if column is None:
            return np.ones(len(rows), dtype=np.int64)
        counts = Whole().numbers(column)
        if (at := first_bad(counts < 1)) is not None:
            raise self.table.fault(int(rows.lines[at]), f"n is {column[at]!r}", "It must be 1 or more.")
        return counts

    def _seconds(self, rows: Rows) -> Array:
        if "seconds" in self.place:
            return cells.durations(self.table, rows, self.place["seconds"])
        seconds = self._reals(rows, "end") - self._reals(rows, "start")
        if (at := first_bad(seconds < 0)) is not None:
            raise self.table.fault(int(rows.lines[at]), "it ends before it starts", "Check start and end.")
        return np.asarray(seconds)

    def assessments(self, pair: str, notes: list[str]) -> Assessments:
        """All rows, a system each."""
        names = [field.name for field in dataclasses.fields(_Part)]
        empty = {
            name: np.zeros(0, dtype=np.int64 if name not in ("score", "z", "seconds") else float) for name in names
        }
        columns = {name: np.concatenate([empty[name], *(getattr(p, name) for p in self.parts)]) for name in names}
        systems, system, source = expanded(self.systems, columns["system"], columns["line"], self.table.file)
        columns = {name: column[source] for name, column in columns.items()}
        segments, documents, renamed = named_segments(self.segments, "document" in self.columns)
        judges, judge = without_empty(self.judges, columns["judge"])
        task = combined(judge, columns["task"])[0] if "task" in self.columns else None
        timed = "seconds" in self.columns or "start" in self.columns
        return Assessments(
            pair,
            systems,
            segments,
            judges,
            judge,
            system,
            columns["segment"],
            columns["kind"],
            columns["score"],
            columns["z"] if "z" in self.columns else None,
            columns["n"] if "n" in self.columns else None,
            columns["seconds"] if timed else None,
            task,
            columns["line"],
            self._errors(source),
            documents,
            notes=(*notes, *renamed, *self._remarks(judge, system, columns, len(source))),
            file=self.table.file,
        )

    def _errors(self, source: Ints) -> Errors | None:
        if "spans" not in self.columns:
            return None
        errors = ErrorList()
        first, last = (np.searchsorted(source, list(self.spans), side=side) for side in ("left", "right"))
        for spans, start, stop in zip(self.spans.values(), first.tolist(), last.tolist(), strict=True):
            for row in range(start, stop):
                for span in spans:
                    errors.add(row, span)
        return errors.errors()

    def _remarks(self, judge: Ints, system: Ints, columns: Mapping[str, Ints], n: int) -> list[str]:
        notes = []
        if self.n_documents:
            notes.append(f"Rows that score a whole document, left out: {self.n_documents}.")
        if n > self.n_rows:
            notes.append(f"Rows, after those of outputs that systems share became one a system: {n} for {self.n_rows}.")
        same = judge != UNKNOWN
        keys = [column[same] for column in (judge, system, columns["segment"], columns["kind"])]
        twice = len(keys[0]) - len(combined(*keys)[1])
        if twice:
            notes.append(f"Rows of a judge, system, segment and type that came before, kept: {twice}.")
        return notes


def _true(cell: str) -> int:
    return {"true": 1, "1": 1, "false": 0, "0": 0}.get(cell.strip().lower(), -1)


def expanded(names: Names[str], system: Ints, line: Ints, file: str) -> tuple[tuple[str, ...], Ints, Ints]:
    """The systems, the system of each row when a row of "a+b" becomes two, and the row that each comes from."""
    members = split_outputs(list(names), file, line, system)
    known: Names[str] = Names()
    flat = np.array([known[name] for names in members for name in names], dtype=np.int64)
    sizes = np.array([len(names) for names in members], dtype=np.int64)
    starts, counts = (np.cumsum(sizes) - sizes)[system], sizes[system]
    source = np.repeat(np.arange(len(system)), counts)
    within = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
    return tuple(known), flat[np.repeat(starts, counts) + within], source


def named_segments(
    segments: Names[tuple[str, str]], documented: bool
) -> tuple[tuple[str, ...], tuple[str, ...] | None, list[str]]:
    """The names of segments that come with their documents, the documents, and a note if they had to be renamed."""
    if not documented:
        return tuple(name for name, _ in segments), None, []
    documents = tuple(document for _, document in segments)
    alone = {name for name, _ in segments}
    if len(alone) == len(segments):
        return tuple(name for name, _ in segments), documents, []
    note = "Segments are called document:segment, as their numbers start again in another document."
    return tuple(f"{document}:{name}" for name, document in segments), documents, [note]
