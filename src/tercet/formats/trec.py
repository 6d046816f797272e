"""The files of a retrieval experiment: runs and relevance judgements (qrels) of TREC, and texts by id.

    run      query  Q0  document  rank  score  tag     the order is that of the scores: the rank is not looked at
    qrels    query  iteration  document  level         1 and more is relevant, 0 is not
    texts    id <tab> text                             queries or documents

Columns of runs and qrels are parted by blanks or tabs; empty lines are passed over; `.gz` is welcome.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from tercet.data.retrieval import Qrels, Run
from tercet.errors import InputError
from tercet.formats.lines import File, kept, shown

_BLANKS = re.compile(r"[ \t\v\f\r]+")  # what C takes for white space: an id may hold any other
_RUN = ("query", "Q0", "document", "rank", "score", "tag")
_QRELS = ("query", "iteration", "document", "level")
_LEVEL = re.compile(r"[+-]?[0-9]{1,3}")
_SCORE = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def read_run(path: File) -> Run:
    """The scores of the documents that were found, by query.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.run")
    ...     _ = file.write_text("q1 Q0 d7 1 12.5 bm25\\nq1 Q0 d2 2 9 bm25\\n")
    ...     read_run(file)
    {'q1': {'d7': 12.5, 'd2': 9.0}}
    """
    run: dict[str, dict[str, float]] = {}
    for line, (query, _, document, _, score, _) in _rows(path, _RUN, "a run", _QRELS):
        value = float(score) if _SCORE.fullmatch(score) else math.nan
        if not math.isfinite(value):
            raise _fault(path, line, f"the score is {score!r}", "It must be a finite number.")
        if document in run.setdefault(query, {}):
            raise _fault(path, line, f"document {document!r} is there twice for query {query!r}", "Keep one of them.")
        run[query][document] = value
    if not run:
        raise InputError(f"{shown(path)} holds no document.", hint=f"A run has the columns {' '.join(_RUN)}.")
    return run


def read_qrels(path: File) -> Qrels:
    """The levels of the documents that were judged, by query."""
    qrels: dict[str, dict[str, int]] = {}
    for line, (query, _, document, level) in _rows(path, _QRELS, "relevance judgements", _RUN):
        if not _LEVEL.fullmatch(level):
            raise _fault(
                path, line, f"the level is {level!r}", "It must be a whole number below 1000: 0 is not relevant."
            )
        if document in qrels.setdefault(query, {}):
            raise _fault(
                path, line, f"document {document!r} is judged twice for query {query!r}", "Keep one judgement."
            )
        qrels[query][document] = int(level)
    if not qrels:
        raise InputError(f"{shown(path)} holds no judgement.", hint=f"The columns are {' '.join(_QRELS)}.")
    return qrels


def read_texts(path: File) -> dict[str, str]:
    """Queries or documents by their ids; further tabs belong to the text.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "queries.tsv")
    ...     _ = file.write_text("q1\\tcoronary artery disease\\n")
    ...     read_texts(file)
    {'q1': 'coronary artery disease'}
    """
    texts: dict[str, str] = {}
    for line, text in _lines(path):
        name, tab, rest = text.partition("\t")
        if not tab or not name or _BLANKS.search(name):
            raise _fault(path, line, "there is no id before a tab", "Write one text a line: id, tab, text.")
        if name in texts:
            raise _fault(path, line, f"the id {name!r} is there twice", "Ids must be unique.")
        texts[name] = rest
    if not texts:
        raise InputError(f"{shown(path)} holds no text.", hint="Write one text a line: id, tab, text.")
    return texts


def _rows(path: File, columns: tuple[str, ...], what: str, other: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """The cells of every line, as many as there are columns."""
    for line, text in _lines(path):
        cells = _BLANKS.split(text.strip(" \t\v\f\r"))
        if len(cells) != len(columns):
            swapped = f" It has the {len(other)} columns of {'a run' if other is _RUN else 'relevance judgements'}."
            raise _fault(
                path,
                line,
                f"{len(cells)} columns where {what} of {len(columns)} should stand",
                f"The columns are {' '.join(columns)}." + (swapped if len(cells) == len(other) else ""),
            )
        yield line, cells


def _lines(path: File) -> Iterator[tuple[int, str]]:
    number = 0
    for block in kept(path):
        for text in block:
            number += 1
            if "\0" in text:
                raise _fault(path, number, "there is a NUL", "Check that it is a text file.")
            if text.strip(" \t\v\f\r"):
                yield number, text


def _fault(path: File, line: int, what: str, hint: str) -> InputError:
    return InputError(f"{shown(path)}, line {line}: {what}.", hint=hint)
