"""The gate of input for labels of quality, and for texts that come alone: as they are, or as files.

    lines_of, lines_together   texts, a line a segment: whole, or several beside each other in parts
    sentence_labels, word_tags, span_labels, times     labels, by system
    is_campaign                whether a file is a campaign, whose labels are made of what people did

Apart from `inputs`, since only `qe` needs it, and scoring should not wait for its readers.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

import numpy as np

from tercet.data import Array, Texts
from tercet.data.quality import SentenceLabels, SpanLabels, WordTags
from tercet.errors import InputError
from tercet.formats import lines, qe_files, qe_rows, qe_sentences, qe_spans, qe_words, text
from tercet.formats.judgements import DATABASE, SQLITE
from tercet.formats.lines import File
from tercet.options.quality import QualityLevel

L = TypeVar("L", SentenceLabels, WordTags, SpanLabels)


def lines_of(given: File | Sequence[str], what: str) -> list[str]:
    """Texts as they are, or the lines of their file."""
    if isinstance(given, str | os.PathLike):
        return [line for block in lines.blocks(given) for line in block]
    return list(Texts.of(given, what).strings)


def lines_together(given: Sequence[File | Sequence[str]], size: int) -> Iterator[tuple[int, list[list[str]]]]:
    """The first line's number and the next `size` lines of each of some texts, which are as long as each other.

    Lines that come in slowly, through a pipe, are given as they come.
    """
    files = [texts for texts in given if _is_file(texts)]
    if len(files) == len(given):
        if sum(map(lines.is_stdin, files)) > 1:
            raise InputError("Standard input (-) is named twice.", hint="It can be read as one file only.")
        yield from text.aligned(files, size, live=True)
        return
    columns = [lines_of(texts, "text") for texts in given]
    if len({len(column) for column in columns}) != 1:
        counts = ", ".join(str(len(column)) for column in columns)
        raise InputError(f"There are {counts} texts, and as many of each are needed.", hint="Give one a segment.")
    for at in range(0, max(len(columns[0]), 1), size):
        yield at + 1, [column[at : at + size] for column in columns]


def is_campaign(given: Any) -> TypeGuard[File]:
    """Whether labels are those of a campaign, which people gave."""
    if not _is_file(given) or lines.is_stdin(given):
        return False
    if DATABASE.match(str(given)):
        return True
    return os.path.isfile(given) and lines.head(given, len(SQLITE)) == SQLITE


def quality_level(given: Any) -> QualityLevel:
    """What labels are of: sentences, words or spans."""
    if is_campaign(given):
        return "sentence"
    if _is_file(given):
        return qe_files.detect_level(given)
    return "word" if isinstance(given, WordTags) else "span" if isinstance(given, SpanLabels) else "sentence"


def sentence_labels(
    given: Any, name: str, *, gold: bool = False, pair: str | None = None
) -> Mapping[str, SentenceLabels]:
    """Labels of sentences by system, as they are, as numbers, or from their file; true ones may lack (NaN)."""
    if _is_file(given):
        return _called_as_given(qe_sentences.read_sentences(given, gold=gold, pair=pair), name)
    if isinstance(given, SentenceLabels):
        return {name: given}
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.zeros((0, 0))
    if values.ndim != 1 or not (np.isfinite(values) | (np.isnan(values) & gold)).all():
        raise InputError(f"{name} is no list of finite numbers.", hint="Give one number a segment, or a file.")
    return {name: SentenceLabels(tuple(str(i) for i in range(1, len(values) + 1)), values)}


def word_tags(given: Any, name: str, *, gaps: bool = False, pair: str | None = None) -> Mapping[str, WordTags]:
    """Tags of words by system, as they are or from their file; with `gaps`, its lines hold those of gaps as well."""
    if _is_file(given):
        return _called_as_given(qe_words.read_words(given, gaps=gaps, pair=pair), name)
    if isinstance(given, WordTags):
        return {name: given}
    raise InputError(f"{name} is {type(given).__name__} where tags of words are needed.", hint="Give a file.")


def word_a_line(given: File) -> bool:
    """Whether a file of tags has a word a line, in which gaps are said to be gaps."""
    begun = itertools.islice(itertools.chain.from_iterable(lines.blocks(given)), 10)
    return any("\t" in line for line in begun)


def span_labels(given: Any, name: str, *, pair: str | None = None) -> Mapping[str, SpanLabels]:
    """Error spans by system, as they are or from their file."""
    if _is_file(given):
        return _called_as_given(qe_spans.read_spans(given, pair=pair), name)
    if isinstance(given, SpanLabels):
        return {name: given}
    raise InputError(f"{name} is {type(given).__name__} where error spans are needed.", hint="Give a file.")


def _called_as_given(labels: Mapping[str, L], name: str) -> Mapping[str, L]:
    """A file with one system is called as it was given, one with several as it calls them."""
    return {name: next(iter(labels.values()))} if len(labels) == 1 else labels


def times(given: Any) -> Array:
    """Seconds, as they are or from their file, a number a line."""
    if not _is_file(given):
        return np.asarray(given, dtype=np.float64)
    rows = qe_rows.read_numbered(given)
    rows.require_no_gap()
    for number, cell in zip(rows.numbers, rows.texts, strict=True):
        if not qe_rows.is_number(cell.strip()) or not 0 <= float(cell) < math.inf:
            raise rows.fault(number, f"the time is {cell.strip()[:30]!r}", "It must be a number, 0 or more.")
    return np.array([float(cell) for cell in rows.texts])


def _is_file(given: Any) -> TypeGuard[File]:
    return isinstance(given, str | os.PathLike)
