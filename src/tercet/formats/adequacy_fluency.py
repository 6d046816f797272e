"""Adequacy and fluency, each from 1 to 5, as WMT06 and WMT07 asked for them: a table with an output a row.

    system      sys, ...             judge       judgeId, annotator, ...: may be absent
    segment     segmentId, sid, ...  adequacy    how much of the meaning is there, from 1 to 5
                                     fluency     how good the language is, from 1 to 5

One of the two scales may be absent. The score of a row is the mean of its scales; a cell without a value leaves it
without a score. An output that systems share ("a+b") is a row of each.
"""

from __future__ import annotations

import numpy as np

from tercet.data import Array, Assessments, Ints, Kind
from tercet.formats import cells
from tercet.formats.assessments import NAMES, expanded
from tercet.formats.cells import Rows, TableFile, first_bad
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.names import Names, without_empty

pairs = cells.pairs

SCALES = ("adequacy", "fluency")
LEAST, MOST = 1, 5


def read(path: File, pair: str | None = None) -> Assessments:
    """The assessments of one language pair, which may be left out if the table has only one.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.csv")
    ...     _ = file.write_text("system,segment,judge,adequacy,fluency\\nA,7,ann,4,3\\n")
    ...     assessments = read(file)
    >>> assessments.score.tolist(), assessments.scales["adequacy"].tolist()
    ([3.5], [4.0])
    """
    table = TableFile(path)
    columns = [table.need(*NAMES["system"]), table.need(*NAMES["segment"])]
    judge = table.find(*NAMES["judge"])
    there = {scale: column for scale in SCALES if (column := table.find(scale)) is not None}
    if not there:
        table.need(*SCALES)
    choice = PairChoice(table.file, pair)
    systems, segments, judges = Names[str](), Names[str](), Names[str]()
    parts: list[tuple[Ints, Ints, Ints, Ints]] = []
    values: list[Array] = []
    for rows in table.chosen([*columns, *there.values(), *(() if judge is None else (judge,))], choice):
        _require_names(table, rows)
        who = rows.columns[-1] if judge is not None else [""] * len(rows)
        numbered = (systems.numbers(rows.columns[0]), segments.numbers(rows.columns[1]), judges.numbers(who))
        parts.append((*numbered, rows.lines))
        values.append(np.array([_values(table, rows, 2 + i, scale) for i, scale in enumerate(there)]))
    chosen, others = choice.result()
    empty = np.zeros((4, 0), dtype=np.int64)
    system, segment, whose, line = np.concatenate([empty, *map(np.array, parts)], axis=1)
    every = np.concatenate([np.zeros((len(there), 0)), *values], axis=1)  # (scales, rows)
    names, system, source = expanded(systems, system, line, table.file)
    known, whose = without_empty(judges, whose)
    scales = dict(zip(there, every[:, source], strict=True))
    return Assessments(
        chosen,
        names,
        tuple(segments),
        known,
        whose[source],
        system,
        segment[source],
        np.full(len(source), Kind.SYSTEM, dtype=np.int64),
        every[:, source].mean(axis=0),
        line=line[source],
        scales=scales,
        notes=(*table.unused(), *others),
        file=table.file,
    )


def _require_names(table: TableFile, rows: Rows) -> None:
    for what, column in zip(("system", "segment"), rows.columns, strict=False):
        if "" in column:
            line = int(rows.lines[column.index("")])
            raise table.fault(line, f"the {what} is not named", "Fill the cell, or drop the row.")


def _values(table: TableFile, rows: Rows, column: int, scale: str) -> Array:
    values = cells.reals(table, rows, column, scale, missing=True)
    if (at := first_bad((values < LEAST) | (values > MOST))) is not None:
        raise table.fault(
            int(rows.lines[at]),
            f"the {scale} {rows.columns[column][at]} is outside {LEAST} to {MOST}",
            "Scores on other scales are read as direct assessments: call their column score.",
        )
    return values
