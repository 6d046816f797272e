"""N-way rankings, the csv of WMT since 2008: a row is a task, with `system1Id`, `system1rank`, `system2Id` and so on.

    srclang,trglang      the language pair, as names or codes (or one column lp)
    segmentId            the segment; srcIndex where there is no such column
    judgeId              who ranked; empty: unknown
    system{k}Id          what was shown; several systems that share an output are joined by "+"; empty: nothing
    system{k}rank        1 is the best, ties are allowed, -1 was shown and not judged
    rankingId, duration  of the task; may be absent

Columns come in any order and any case. Rows of two systems with a rankingId are pairs that a longer ranking was cut
into (WMT15, WMT16): they are put together again. `write_two_way` cuts a ranking in this way.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tercet.data import SKIPPED, UNKNOWN, Ints, Rankings, is_reference
from tercet.errors import InputError
from tercet.formats import cells, languages, lines
from tercet.formats.cells import Rows, TableFile, Whole, durations, first_bad
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.names import Names, combined, without_empty
from tercet.formats.tasks import Tasks, split_outputs

pairs = cells.pairs

TWO_WAY = (
    *("srclang", "trglang", "srcIndex", "segmentId", "judgeID"),
    *("system1Id", "system1rank", "system2Id", "system2rank", "rankingID"),
)
_SYSTEM = re.compile(r"system([1-9][0-9]{0,3})(id|rank)")
_NO_RANK = 0
_NONE = np.zeros(0, dtype=np.int64)


def read(path: File, pair: str | None = None) -> Rankings:
    """The rankings of one language pair, which may be left out if the file has only one.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.csv")
    ...     _ = file.write_text("segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\\n7,j,a+b,c,2,1\\n")
    ...     found = read(file)
    >>> found.systems, found.outputs, found.rank.tolist()
    (('a', 'b', 'c'), ((0, 1), (2,)), [2, 1])
    """
    table = TableFile(path)
    choice = PairChoice(table.file, pair)
    reader = _RankingReader(table)
    for rows in table.chosen(reader.columns, choice):
        reader.take(rows)
    chosen, others = choice.result()
    return reader.tasks(chosen, [*table.unused(), *others]).rankings()


class _RankingReader:
    """The columns of a table, and what has been read of them."""

    def __init__(self, table: TableFile) -> None:
        self.table = table
        self.ways = ways = self._ways()
        numbers = range(1, ways + 1)
        self.columns = [table.need("segmentId", "segment", "srcIndex"), table.need("judgeId", "judge")]
        self.columns += [table.need(f"system{k}Id") for k in numbers]
        self.columns += [table.need(f"system{k}rank") for k in numbers]
        table.find("srcIndex")  # says the same as segmentId
        self.ranking, self.duration = table.find("rankingId"), table.find("duration")
        self.columns += [column for column in (self.ranking, self.duration) if column is not None]
        self.segments: Names[str] = Names()
        self.judges: Names[str] = Names()
        self.outputs: Names[str] = Names()
        self.rankings: Names[str] = Names()
        self.parts = [(_NONE, _NONE, _NONE, _NONE, np.zeros(0))]
        self.cells = [(np.zeros((0, ways), dtype=np.int64), np.zeros((0, ways), dtype=np.int64))]

    def _ways(self) -> int:
        numbers = {int(match[1]) for name in self.table.names if (match := _SYSTEM.fullmatch(name))}
        if len(numbers) < 2 or max(numbers) != len(numbers):
            raise self.table.fault(
                self.table.line,
                f"the columns {', '.join(self.table.header)} are not those of a ranking",
                "There must be system1Id, system2Id, ... and system1rank, system2rank, ..., none left out.",
            )
        return len(numbers)

    def take(self, rows: Rows) -> None:
        """Check and keep the next rows of the file."""
        n, ways = len(rows), self.ways
        self._check_segments(rows)
        names, ranks = (_by_row(rows.columns[at : at + ways], n) for at in (2, 2 + ways))
        output = self.outputs.numbers(names).reshape(n, ways)
        rank = Whole(_NO_RANK).numbers(ranks).reshape(n, ways)
        self._check_ranks(rows, output != self.outputs.get("", UNKNOWN), rank)
        ids = [""] * n if self.ranking is None else rows.columns[2 + 2 * ways]
        seconds = np.full(n, np.nan) if self.duration is None else durations(self.table, rows, len(rows.columns) - 1)
        segment, judge = self.segments.numbers(rows.columns[0]), self.judges.numbers(rows.columns[1])
        self.parts.append((segment, judge, self.rankings.numbers(ids), rows.lines, seconds))
        self.cells.append((output, rank))

    def _check_segments(self, rows: Rows) -> None:
        column = rows.columns[0]
        for wrong in ("", "-1"):
            if wrong in column:
                hint = "Give its number; where segmentId is unknown, drop that column, and srcIndex counts."
                raise self.table.fault(int(rows.lines[column.index(wrong)]), f"the segment is {wrong!r}", hint)

    def _check_ranks(self, rows: Rows, shown: npt.NDArray[np.bool_], rank: Ints) -> None:
        bad = np.where(shown, (rank < 1) & (rank != SKIPPED), (rank != _NO_RANK) & (rank != SKIPPED))
        if (at := first_bad(bad.any(axis=1))) is None:
            return
        k = int(np.argmax(bad[at]))
        name, given = rows.columns[2 + k][at], rows.columns[2 + self.ways + k][at]
        what = f"the rank of {name!r} (system{k + 1}rank) is {given!r}"
        if not name:
            what = f"system{k + 1}rank is {given!r}, but system{k + 1}Id is empty"
        elif not given.strip():
            what = f"{name!r} has no rank (system{k + 1}rank)"
        hint = "Ranks are whole numbers from 1 (best), or -1 for what was not judged."
        raise self.table.fault(int(rows.lines[at]), what, hint)

    def tasks(self, pair: str, notes: list[str]) -> Tasks:
        """All rows as tasks."""
        segment, judge, ranking, line, seconds = (np.concatenate(c) for c in zip(*self.parts, strict=True))
        output, rank = (np.concatenate(c) for c in zip(*self.cells, strict=True))
        names, output = without_empty(self.outputs, output)
        shown = output != UNKNOWN
        made = Tasks(
            self.table.file,
            pair,
            notes,
            self.segments,
            self.judges,
            split_outputs(names, self.table.file, np.repeat(line, self.ways), output.reshape(-1)),
            segment,
            judge,
            shown.sum(axis=1).astype(np.int64),
            output[shown],
            rank[shown],
            line,
            seconds if self.duration is not None else None,
        )
        known, ranking = without_empty(self.rankings, ranking)
        if self.ways == 2:
            return _joined(made, ranking, names) if known else made
        _check_unique(self.table, known, ranking, line)
        return made


def _check_unique(table: TableFile, names: Sequence[str], ranking: Ints, line: Ints) -> None:
    order = np.argsort(ranking, kind="stable")
    ids = ranking[order]
    if (at := first_bad((ids[1:] == ids[:-1]) & (ids[1:] != UNKNOWN))) is not None:
        first, second = (int(line[order[i]]) for i in (at, at + 1))
        raise table.fault(
            second,
            f"rankingId {names[int(ids[at])]!r} is there already, on line {first}",
            "Give every ranking an id of its own, or drop the row that is there twice.",
        )


def _joined(rows: Tasks, ranking: Ints, names: Sequence[str]) -> Tasks:
    """Rows of two systems put together by judge, segment and rankingId; those without an id stay alone."""
    rows.check()
    fresh = int(ranking.max(initial=UNKNOWN)) + 1 + np.arange(len(ranking))
    task, first = combined(rows.judge, rows.segment, np.where(ranking == UNKNOWN, fresh, ranking))
    of_item, line = np.repeat(task, rows.count), np.repeat(rows.line, rows.count)
    item, kept = combined(of_item, rows.output)
    rank = rows.rank[kept][item]
    if (at := first_bad(rank != rows.rank)) is not None:
        raise InputError(
            f"{rows.file}, line {int(line[at])}: {names[int(rows.output[at])]!r} has rank {int(rows.rank[at])}, but "
            f"{int(rank[at])} on line {int(line[kept[item[at]]])} of the same judge, segment and rankingId.",
            hint="Pairs of one ranking must agree; give different rankings different ids.",
        )
    notes = list(rows.notes)
    at = (np.cumsum(rows.count) - rows.count)[full := rows.count == 2]
    left, right = np.sort([rows.output[at], rows.output[at + 1]], axis=0)
    distinct = len(combined(task[full], left, right)[1])
    if n := len(at) - distinct:
        notes.append(f"Rows that repeat a pair of their ranking, counted once: {n}.")
    kept = kept[np.argsort(of_item[kept], kind="stable")]
    items = np.bincount(of_item[kept], minlength=len(first))
    if n := int((items * (items - 1) // 2).sum()) - distinct:
        notes.append(f"Pairs without a row that follow from the ranks of their ranking, added: {n}.")
    return dataclasses.replace(
        rows,
        notes=notes,
        segment=rows.segment[first],
        judge=rows.judge[first],
        count=items.astype(np.int64),
        output=rows.output[kept],
        rank=rows.rank[kept],
        line=rows.line[first],
        seconds=None if rows.seconds is None else rows.seconds[first],
    )


def _by_row(columns: list[list[str]], n: int) -> list[str]:
    """The cells of several columns, row after row."""
    flat = [""] * (n * len(columns))
    for k, column in enumerate(columns):
        flat[k :: len(columns)] = column
    return flat


def two_way(rankings: Rankings, *, expand: bool = False, include_ref: bool = False) -> Iterator[dict[str, str]]:
    """The rows of WMT15's csv: every two outputs of a task, judges called judge1, judge2, ... as they come.

    `expand` gives each system of a shared output a row of its own; without `include_ref`, systems whose names begin
    with "ref" are left out. rankingID is the number of the task.
    """
    source, _, target = rankings.pair.partition("-")
    if not target:
        raise InputError(
            f"{rankings.file} does not say its language pair, which these rows must.", hint="Read it with pair=..."
        )
    names = [
        [s for s in map(rankings.systems.__getitem__, o) if include_ref or not is_reference(s)]
        for o in rankings.outputs
    ]
    judges: Names[int] = Names()
    languages_ = languages.three_letters(source), languages.three_letters(target)
    for task, (segment, judge) in enumerate(zip(rankings.segment.tolist(), rankings.judge.tolist(), strict=True)):
        who = f"judge{judges[judge] + 1}" if judge != UNKNOWN else ""
        where = rankings.segments[segment]
        start, stop = rankings.starts[task : task + 2]
        items = [
            (name, str(rank))
            for output, rank in zip(
                rankings.output[start:stop].tolist(), rankings.rank[start:stop].tolist(), strict=True
            )
            for name in (names[output] if expand else ["+".join(names[output])] if names[output] else [])
        ]
        for left, right in itertools.combinations(items, 2):
            row = (*languages_, where, where, who, *left, *right, str(task + 1))
            yield dict(zip(TWO_WAY, row, strict=True))


def write_two_way(rankings: Rankings, path: File, *, expand: bool = False, include_ref: bool = False) -> None:
    """These rows as a file."""
    rows = two_way(rankings, expand=expand, include_ref=include_ref)
    lines.write(path, cells.csv_lines(itertools.chain([TWO_WAY], (tuple(row.values()) for row in rows))))
