"""Texts with what an explanation says of their parts, for every way of showing them.

A text is a row of marks: a word, or a run of characters that fare alike, with a level from 0 (missed) to 4 (as good as
can be). Characters that are drawn as one (a letter and its signs) stay together.
"""

from __future__ import annotations

import dataclasses
import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from tercet.data.explanation import RELATED, Explanation, NgramTable, Shift

BEST = 4
_JOINERS = "\u200c\u200d"
_VIRAMA = 9  # the combining class of the signs that make one letter of two
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


@dataclasses.dataclass(frozen=True)
class Mark:
    """A part of a text. `level` is None where nothing is known of it; `glued`: no space stands before it."""

    text: str
    level: int | None = None
    kind: str = ""
    glued: bool = False


@dataclasses.dataclass(frozen=True)
class MarkedText:
    """A text under its name."""

    label: str
    marks: tuple[Mark, ...]


def marked_texts(explanation: Explanation) -> list[MarkedText]:
    """The hypothesis, and the references that count."""
    hypothesis = "hypothesis"
    if explanation.ngrams:
        table = explanation.ngrams[0]
        several = len(table.references) > 1
        return [
            MarkedText(hypothesis, _ngram_marks(table, None)),
            *(
                MarkedText(f"reference {i + 1}" if several else "reference", _ngram_marks(table, i))
                for i in range(len(table.references))
            ),
        ]
    if not explanation.hypothesis and not explanation.reference:
        return []
    return [MarkedText(hypothesis, _word_marks(explanation, 0)), MarkedText("reference", _word_marks(explanation, 1))]


def letter(kind: str) -> str:
    """One letter for a kind of match.

    >>> letter("exact"), letter("synonym"), letter("gapped")
    ('x', 'y', 'g')
    """
    return {"exact": "x", "synonym": "y"}.get(kind, kind[:1])


SIGNS = {"match": "", "substitution": "~", "insertion": "+", "deletion": "−", "jump": "↷"} | {
    kind: letter(kind) for kind in RELATED
}  # of edits


def shift_told(shift: Shift) -> str:
    """Where a block goes, in words that hold for every direction of writing."""
    by = abs(shift.place - shift.start)
    return f"{by} word{'s' if by > 1 else ''} {'earlier' if shift.place < shift.start else 'later'}"


def is_right_to_left(text: str) -> bool:
    """Whether a text holds letters that are written from right to left.

    >>> is_right_to_left("abc"), is_right_to_left("نص abc")
    (False, True)
    """
    return any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text)


def direction(words: Iterable[str]) -> str:
    """Which way a text runs: as its first letter does."""
    for word in words:
        for char in word:
            if unicodedata.bidirectional(char) in ("L", "R", "AL"):
                return "rtl" if is_right_to_left(char) else "ltr"
    return "ltr"


def clusters(text: str) -> list[str]:
    """Characters with the signs that belong to them, and with what a joiner or a virama ties to them.

    >>> [len(c) for c in clusters("हिन्दी")]
    [2, 4]
    """
    pieces: list[str] = []
    for char in text:
        tied = bool(pieces) and (pieces[-1][-1] == "\u200d" or unicodedata.combining(pieces[-1][-1]) == _VIRAMA)
        if pieces and (tied or char in _JOINERS or unicodedata.category(char).startswith("M")):
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def _ngram_marks(table: NgramTable, reference: int | None) -> tuple[Mark, ...]:
    pieces = table.hypothesis if reference is None else table.references[reference]
    if not table.orders:
        return tuple(Mark(piece) for piece in pieces)
    if table.unit == "word":
        return tuple(Mark(w, min(BEST, n)) for w, n in zip(pieces, table.longest(reference), strict=True))
    shares = iter(table.shares(reference))
    return tuple(mark for piece in pieces for mark in _character_marks(piece, shares))


def _character_marks(piece: str, shares: Iterator[float]) -> Iterator[Mark]:
    """Runs of characters of one level; the level of a cluster is that of the mean of its characters."""
    levelled = []
    for cluster in clusters(piece):
        part = list(itertools.islice(shares, len(cluster)))
        levelled.append((cluster, min(BEST, int(5 * sum(part) / len(part)))))
    for number, (level, run) in enumerate(itertools.groupby(levelled, key=lambda pair: pair[1])):
        yield Mark("".join(cluster for cluster, _ in run), level, glued=number > 0)


def _word_marks(explanation: Explanation, side: int) -> tuple[Mark, ...]:
    words = explanation.reference if side else explanation.hypothesis
    kinds = _kinds(explanation, side, len(words))
    known = bool(explanation.matches) or explanation.edits is not None or explanation.formula is not None
    return tuple(
        Mark(w, (BEST if k in ("exact", "match") else 2 if k and k not in _MISSES else 0) if known else None, k)
        for w, k in zip(words, kinds, strict=True)
    )


_MISSES = ("substitution", "insertion", "deletion")


def _kinds(explanation: Explanation, side: int, n_words: int) -> Sequence[str]:
    kinds = [""] * n_words
    if explanation.edits is not None:
        for edit in explanation.edits.edits:
            place = edit.reference if side else edit.hypothesis
            if place is not None and edit.kind != "jump":
                kinds[place] = edit.kind
        return kinds
    for match in explanation.matches:
        for place in range(*(match.reference if side else match.hypothesis)):
            kinds[place] = kinds[place] if kinds[place] == "exact" else match.kind  # it may be beside several
    return kinds
