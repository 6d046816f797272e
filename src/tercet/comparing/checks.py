"""Faults that need no metric to be seen, counted in every segment of every system, and tested against the baseline.

The test is the sign test over segments: in how many does the system make more such faults than the baseline, in how
many fewer? p-values are corrected for all checks and systems (Holm), and for the kinds of findings. Nothing is said of
a fault that cannot occur: without a source there are no copies of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tercet.comparing import surface
from tercet.comparing.kinds import among_kinds
from tercet.comparing.language import foreign_words, usual_scripts, wrong_language
from tercet.comparing.words import Column, Words
from tercet.data import Check, Ints, TestSet
from tercet.stats.classical import sign_test
from tercet.stats.correction import holm

SHORT, LONG = 0.7, 1.5  # words for those of the reference
LONGEST_REPEAT = 4


@dataclasses.dataclass(frozen=True, eq=False)
class Counted:
    """Faults of one kind before they are tested."""

    kind: str
    title: str
    unit: str
    counts: Ints  # (systems, segments)
    possible: Ints  # (segments,), or (systems, segments)


def checks(testset: TestSet, words: Words, baseline: int) -> tuple[Check, ...]:
    """All checks that the test set allows."""
    counted = [*_in_texts(testset), *_in_words(words), *_against_source(testset, words)]
    p = np.full((len(counted), len(testset.systems)), np.nan)
    others = [i for i in range(len(testset.systems)) if i != baseline]
    if others:
        gains = np.stack([np.sign(c.counts - c.counts[baseline]) for c in counted])[:, others]
        raw = sign_test((gains > 0).sum(axis=2), (gains < 0).sum(axis=2))
        p[:, others] = among_kinds(holm(raw.ravel())).reshape(raw.shape)
    return tuple(
        Check(c.kind, c.title, c.unit, c.counts, c.possible, p_values) for c, p_values in zip(counted, p, strict=True)
    )


def _in_texts(testset: TestSet) -> Iterator[Counted]:
    refs = testset.references
    references = [] if refs is None else list(refs)
    sources = None if testset.sources is None else testset.sources.strings
    outputs = [texts.strings for texts in testset.systems.values()]

    def count(rule: Callable[[int, str], int]) -> Ints:
        return np.array([[rule(i, text) for i, text in enumerate(strings)] for strings in outputs], dtype=np.int64)

    there = np.array([not all(map(surface.is_empty, group)) for group in references], dtype=np.int64)
    yield Counted("empty", "Empty outputs", "segment", count(lambda i, t: int(surface.is_empty(t) and there[i])), there)
    expected = expected_numbers(references, sources)
    yield Counted(
        "numbers",
        "Numbers lost",
        "number",
        count(lambda i, t: len(expected[i] - surface.numbers(t)) if expected[i] else 0),
        _sizes(expected),
    )
    names = surface.expected_names(references, sources)
    both = np.array([[surface.lost_names(n, t) for n, t in zip(names, strings, strict=True)] for strings in outputs])
    yield Counted("names", "Names lost", "name", both[..., 0].astype(np.int64), _sizes(names))
    yield Counted("case", "Names in another case", "name", both[..., 1].astype(np.int64), _sizes(names))
    ends = np.array([all(map(surface.ends_a_sentence, group)) for group in references], dtype=np.int64)
    unended = count(lambda i, t: int(ends[i] and not surface.ends_a_sentence(t) and not surface.is_empty(t)))
    yield Counted("ending", "Ends without the mark that ends a sentence", "segment", unended, ends)
    usual = usual_scripts(text for group in references for text in group)
    strange = count(lambda i, t: len(foreign_words(t, usual, references[i])))
    yield Counted("script", "Words in another script", "word", strange, count(lambda _, t: len(surface.words(t))))


def expected_numbers(references: Sequence[Sequence[str]], sources: Sequence[str] | None) -> list[frozenset[str]]:
    """Numbers that every reference writes in digits, and the source as well where there is one."""
    shared = [frozenset.intersection(*map(surface.numbers, group)) for group in references]
    if sources is None:
        return shared
    return [written & surface.numbers(source) for written, source in zip(shared, sources, strict=True)]


def _sizes(sets: Sequence[frozenset[str]]) -> Ints:
    return np.array([len(members) for members in sets], dtype=np.int64)


def _in_words(words: Words) -> Iterator[Counted]:
    lengths = np.stack([column.lengths for column in words.systems.values()])
    refs = np.stack([column.lengths for column in words.references])
    shortest = np.where(refs > 0, refs, refs.max(axis=0)).min(axis=0)
    ones = (refs.max(axis=0) > 0).astype(np.int64)
    short = (lengths > 0) & (lengths < SHORT * shortest) & (shortest - lengths > 2)
    yield Counted("short", "Much shorter than the reference", "segment", short.astype(np.int64), ones)
    long = (lengths > LONG * refs.max(axis=0)) & (lengths - refs.max(axis=0) > 2)
    yield Counted("long", "Much longer than the reference", "segment", long.astype(np.int64), ones)
    allowed = np.max([repeats(column, words) for column in words.references], axis=0)
    repeated = np.stack([repeats(column, words) for column in words.systems.values()])
    title = f"{words.unit.capitalize()}s repeated"
    yield Counted("repetition", title, words.unit, np.maximum(repeated - allowed, 0), _said(words))


def _said(words: Words) -> Ints:
    """(systems, segments): how many words are said, without marks and numbers."""
    return np.stack([column.keep(words.is_word[column.ids]).lengths for column in words.systems.values()])


def repeats(column: Column, words: Words) -> Ints:
    """(segments,): words that repeat at once what stands before them, up to four words long; marks do not count."""
    ids, segment = column.ids, column.segment
    again = np.zeros(len(ids), dtype=bool)
    for n in range(1, LONGEST_REPEAT + 1):
        if len(ids) < 2 * n:
            break
        same = np.zeros(len(ids), dtype=bool)
        same[n:] = (ids[n:] == ids[:-n]) & (segment[n:] == segment[:-n])
        run = same.copy()  # the last word of n that all repeat
        for back in range(1, n):
            run[back:] &= same[:-back]
            run[:back] = False
        if n == 1:
            run &= words.is_word[ids]
        for back in range(n):
            again[: len(ids) - back] |= run[back:]
    again &= words.is_word[ids]
    return np.bincount(segment[again], minlength=column.n_segments).astype(np.int64)


def _against_source(testset: TestSet, words: Words) -> Iterator[Counted]:
    refs, sources = testset.references, testset.sources
    if refs is None or sources is None or words.source is None:
        return
    outputs = [texts.strings for texts in testset.systems.values()]
    references = list(refs)
    copies = np.array(
        [
            [surface.is_copy(t, s, r) for t, s, r in zip(strings, sources.strings, references, strict=True)]
            for strings in outputs
        ],
        dtype=np.int64,
    )
    ones = np.ones(len(testset), dtype=np.int64)
    yield Counted("copy", "Copies of the source", "segment", copies, ones)
    left = np.stack([_untranslated(column, words) for column in words.systems.values()])
    title = f"{words.unit.capitalize()}s of the source left as they are"
    yield Counted("untranslated", title, words.unit, left, _said(words))
    strange = wrong_language(outputs, refs.texts.strings, sources.strings)
    yield Counted("language", "In the source's language", "segment", strange, ones)


def _untranslated(column: Column, words: Words) -> Ints:
    """(segments,): words that are in the source and in no reference."""
    size = max(1, len(words))
    keys, counts = column.counted(size)
    source = np.zeros(0, dtype=np.int64) if words.source is None else words.source.counted(size)[0]
    left = np.isin(keys, source, assume_unique=True) & words.is_word[keys % size]
    for reference in words.references:
        left &= ~np.isin(keys, reference.counted(size)[0], assume_unique=True)
    return np.bincount(keys[left] // size, counts[left], minlength=column.n_segments).astype(np.int64)
