"""Pairs: a row says that the output of one system is better than another's. Tabs, commas or blanks; a header.

    lp, segment, better, worse       of the language pair and the segment, which may also be called SID
    judge                            who says so; may be absent or empty
    tie                              true or false, 1 or 0: with a tie, neither is better

Only `better`, `worse` and the segment must be there: files of daRR have just `SID BETTER WORSE` and how metrics did.
Each row is a task of two outputs, with the ranks 1 and 2, or 1 and 1.
"""

from __future__ import annotations

import numpy as np

from tercet.data import Ints, Rankings
from tercet.formats import cells
from tercet.formats.cells import Rows, TableFile, first_bad
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.names import Names
from tercet.formats.tasks import Tasks, split_outputs

pairs = cells.pairs

_TIE = {"true": 1, "yes": 1, "1": 1, "false": 0, "no": 0, "0": 0, "": 0}
_NONE = np.zeros(0, dtype=np.int64)


def read(path: File, pair: str | None = None) -> Rankings:
    """The pairs of one language pair, which may be left out if the file has only one.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.tsv")
    ...     _ = file.write_text("lp\\tsegment\\tbetter\\tworse\\ncs-en\\t7\\ta\\tb\\n")
    ...     found = read(file)
    >>> found.pair, found.systems, found.rank.tolist()
    ('cs-en', ('a', 'b'), [1, 2])
    """
    table = TableFile(path)
    choice = PairChoice(table.file, pair)
    columns = [table.need("segment", "segmentId", "seg_id", "segid", "sid"), table.need("better"), table.need("worse")]
    judge, tie = table.find("judge", "judgeId"), table.find("tie")
    columns += [column for column in (judge, tie) if column is not None]
    segments: Names[str] = Names()
    judges: Names[str] = Names()
    outputs: Names[str] = Names()
    parts = [(_NONE, _NONE, _NONE, _NONE, _NONE)]
    for rows in table.chosen(columns, choice):
        both = [""] * (2 * len(rows))
        both[0::2], both[1::2] = rows.columns[1], rows.columns[2]
        _check_names(table, rows)
        rank = np.tile([1, 2], len(rows))
        if tie is not None:
            rank[1::2] -= _ties(table, rows)
        who = rows.columns[3] if judge is not None else [""] * len(rows)
        parts.append((segments.numbers(rows.columns[0]), judges.numbers(who), outputs.numbers(both), rank, rows.lines))
    segment, judged, output, rank, line = (np.concatenate(column) for column in zip(*parts, strict=True))
    chosen, others = choice.result()
    return Tasks(
        table.file,
        chosen,
        [*table.unused(), *others],
        segments,
        judges,
        split_outputs(list(outputs), table.file, np.repeat(line, 2), output),
        segment,
        judged,
        np.full(len(segment), 2, dtype=np.int64),
        output,
        rank,
        line,
    ).rankings()


def _check_names(table: TableFile, rows: Rows) -> None:
    for what, column in zip(("segment", "better", "worse"), rows.columns, strict=False):
        if "" in column:
            line = int(rows.lines[column.index("")])
            raise table.fault(line, f"the cell {what} is empty", "Each row names a segment and two systems.")


def _ties(table: TableFile, rows: Rows) -> Ints:
    column = rows.columns[-1]
    values = np.fromiter((_TIE.get(cell.strip().lower(), -1) for cell in column), np.int64, len(column))
    if (at := first_bad(values < 0)) is not None:
        raise table.fault(int(rows.lines[at]), f"tie is {column[at]!r}", "Write true or false, 1 or 0.")
    return values
