"""Results of Appraise: a CSV without header, of direct assessment or of error spans (ESA).

    user,system,segment,type,source language,target language,score
        [,document,isCompleteDocument][,spans],start,end[,batch,item]

The type is TGT, CHK (a repeat), REF or BAD; times are seconds since 1970. Which of the parts in brackets there are is
seen in the first row. `assessments` says what becomes of the columns; rows that score a whole document are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from tercet.data import Assessments
from tercet.formats import cells
from tercet.formats.assessments import KINDS, read_table
from tercet.formats.cells import TableFile
from tercet.formats.lines import File

_FIRST = ("user", "system", "segment", "type", "srclang", "trglang", "score")
_LAST = {0: (), 2: ("start", "end"), 4: ("start", "end", "batch", "item")}


def read(path: File, pair: str | None = None) -> Assessments:
    """The assessments of one language pair, which may be left out if the file has only one."""
    return read_table(_table(path), pair)


def pairs(path: File) -> list[str]:
    """The language pairs of a file."""
    return cells.table_pairs(_table(path))


def _table(path: File) -> TableFile:
    table = TableFile(path, naming)
    if not table.names:
        raise table.fault(
            table.line,
            "it is no row of Appraise's results",
            "It must be user,system,segment,type,source language,target language,score and so on, without a header.",
        )
    return table


def naming(row: Sequence[str]) -> tuple[str, ...]:
    """The columns that a row of results has, none if it is no such row.

    >>> naming("ann,A,7,TGT,ces,eng,80,1500000000.1,1500000009.2".split(","))[6:]
    ('score', 'start', 'end')
    """
    if len(row) < len(_FIRST) or row[3].strip().upper() not in KINDS:
        return ()
    rest = list(row[len(_FIRST) :])
    names = list(_FIRST)
    if len(rest) > 1 and rest[1].strip().lower() in ("true", "false"):
        names += ["document", "isCompleteDocument"]
        del rest[:2]
    if rest and rest[0].lstrip()[:1] in ("[", ""):
        names.append("spans")
        del rest[0]
    return (*names, *_LAST[len(rest)]) if len(rest) in _LAST else ()
