"""Semantic roles in columns, a word a line, as the CoNLL tasks of 2004 and 2005 had them and SwiRL prints them.

The first column is the word, the second the predicate that it is, or `-`; each further one has the arguments of one
predicate, the first of the first: `(A0*` begins one, `*)` ends it, `*` is between or outside. An empty line ends a
sentence. Its text is the comment `# text = ...` above it, or without one its words with a space between them.

    read     sentences, one after the other
    parses   all sentences of a file, or of the files of a folder, by their text
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.formats.parses import Row, blocks, by_text, columns, wrong

MOST_WORDS = 10_000  # of a sentence
MOST_PREDICATES = 1_000
_SUFFIXES = tuple(name + packed for name in (".roles", ".props", ".srl") for packed in ("", ".gz"))
_CELL = re.compile(r"(?:\(([^()*\s]+))?\*(?:[^()*\s]*(\)))?")
_CLUE = "A word has columns between blanks: word, predicate or -, and for each predicate (ROLE* or * or *)."


class Argument(NamedTuple):
    """The words from one place to the one before another, by their role."""

    role: str
    start: int
    end: int


class Predicate(NamedTuple):
    """A predicate, as the file calls it, its arguments, and the place of its word."""

    name: str
    arguments: tuple[Argument, ...]
    place: int = 0


@dataclasses.dataclass(frozen=True)
class RoleSentence:
    """The words of a sentence, its predicates, its text, and the line on which it begins."""

    text: str
    words: tuple[str, ...]
    predicates: tuple[Predicate, ...]
    line: int = dataclasses.field(compare=False)


def parses(path: File) -> Mapping[str, RoleSentence]:
    """The sentences of a file, or of the files of a folder, by their squeezed text."""
    return by_text(path, _SUFFIXES, read)


def read(path: File) -> Iterator[RoleSentence]:
    """The sentences of a file."""
    for block in blocks(path, MOST_WORDS, MOST_WORDS):
        yield from _sentence(path, block)


def _wrong(path: File, number: int, what: str) -> InputError:
    return wrong(path, number, what, _CLUE)


def _sentence(path: File, block: Sequence[tuple[int, str]]) -> Iterator[RoleSentence]:
    """One sentence, or none for a block of comments."""
    text, rows = columns(path, block, 2, _CLUE)
    if not rows:
        return
    start = rows[0][0]
    names = [(place, cells[1]) for place, (_, cells) in enumerate(rows) if cells[1] != "-"]
    frames = len(rows[0][1]) - 2
    if frames != len(names):
        raise _wrong(path, start, f"{len(names)} predicates and columns of arguments for {frames}")
    if frames > MOST_PREDICATES:
        raise _wrong(path, start, f"a sentence of more than {MOST_PREDICATES} predicates")
    predicates = tuple(Predicate(name, _arguments(path, rows, 2 + i), place) for i, (place, name) in enumerate(names))
    words = tuple(cells[0] for _, cells in rows)
    yield RoleSentence(" ".join(words) if text is None else text, words, predicates, block[0][0])


def _arguments(path: File, rows: Sequence[Row], column: int) -> tuple[Argument, ...]:
    """What stands in one column."""
    out: list[Argument] = []
    role, start = "", 0
    for place, (number, cells) in enumerate(rows):
        cell = _CELL.fullmatch(cells[column])
        if cell is None or (cell[1] and role) or (cell[2] and not (cell[1] or role)):
            raise _wrong(path, number, f"{cells[column][:40]!r} cannot stand here")
        if cell[1]:
            role, start = cell[1], place
        if cell[2]:
            out.append(Argument(role, start, place + 1))
            role = ""
    if role:
        raise _wrong(path, rows[-1][0], f"{role[:40]!r} is never closed")
    return tuple(out)
