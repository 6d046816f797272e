"""Gapped paraphrases for Meteor++ (Guo and Hu 2019): phrases with room for other words, as `protect [X] from`.

A table has three lines an entry, as METEOR's own: a probability, which is not used, a phrase and its paraphrase. A word
in square brackets is a gap of one to five words; the two phrases have as many parts, and parts match in their order.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tercet import contents, kernels
from tercet.data import Ints
from tercet.errors import InputError
from tercet.formats import lines
from tercet.metrics.meteor.matching import Given
from tercet.text.base import Tokens

WIDEST = 5  # words in a gap
MOST_ENTRIES = 10_000_000

Pattern = tuple[tuple[str, ...], ...]  # the parts between gaps
Words = Sequence[str]


@dataclasses.dataclass(frozen=True, eq=False)
class GappedTable:
    """Patterns, each with those that may stand for it, by the first word."""

    patterns: Mapping[str, Sequence[tuple[Pattern, Pattern]]]

    def matches(self, hyps: Tokens, refs: Tokens, groups: Ints) -> Given:
        """The matched parts of every reference, each once."""
        hyp_rows, ref_rows = rows(hyps), rows(refs)
        starts, matches = [0], []
        for hyp, first, end in zip(hyp_rows, groups[:-1].tolist(), groups[1:].tolist(), strict=True):
            for ref in ref_rows[first:end]:
                matches += sorted(dict.fromkeys(self.pair(hyp, ref)), key=lambda match: match[0])
                starts.append(len(matches))
        return np.array(starts, dtype=np.int64), np.array(matches, dtype=np.int32).reshape(-1, 4)

    def pair(self, hyp: Words, ref: Words) -> Iterator[tuple[int, int, int, int]]:
        """(start, length) in the reference and in the hypothesis of parts that match."""
        for at, word in enumerate(ref):
            for pattern, other in self.patterns.get(word, ()):
                theirs = [places for i in range(len(hyp)) for places in occurrences(other, hyp, i)]
                for mine in occurrences(pattern, ref, at) if theirs else ():
                    for place in theirs:
                        for r, part, h, paraphrase in zip(mine, pattern, place, other, strict=True):
                            yield r, len(part), h, len(paraphrase)


def occurrences(pattern: Pattern, text: Words, at: int) -> Iterator[tuple[int, ...]]:
    """Where the parts of a pattern that starts at `at` begin, in every way.

    >>> list(occurrences((("a",), ("b",)), "a x b b".split(), 0))
    [(0, 2), (0, 3)]
    """
    part, *rest = pattern
    end = at + len(part)
    if tuple(text[at:end]) != part:
        return
    if not rest:
        yield (at,)
    for gap in range(1, WIDEST + 1 if rest else 1):
        for places in occurrences(tuple(rest), text, end + gap):
            yield at, *places


def rows(tokens: Tokens) -> list[list[str]]:
    """Packed tokens as lists of words."""
    data, offsets, starts = tokens
    words = kernels.unpack((data, offsets))
    return [words[a:b] for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def read(path: str) -> GappedTable:
    """The table of a file, kept for as long as the file stays as it is."""
    return _read(path, contents.state(path))


@functools.lru_cache(maxsize=4)
def _read(path: str, _state: contents.State) -> GappedTable:
    patterns: dict[str, list[tuple[Pattern, Pattern]]] = defaultdict(list)
    for one, other in _entries(path):
        patterns[one[0][0]].append((one, other))
        patterns[other[0][0]].append((other, one))
    return GappedTable(patterns)


def _entries(path: str) -> Iterator[tuple[Pattern, Pattern]]:
    phrase: Pattern = ()
    number = 0
    for number, line in enumerate(itertools.chain.from_iterable(lines.blocks(path)), start=1):
        if number > 3 * MOST_ENTRIES:
            raise InputError(
                f"{path} has more than {MOST_ENTRIES} entries.", hint="Leave out what does not occur in the texts."
            )
        if number % 3 == 2:
            phrase = _pattern(line, path, number)
        elif number % 3 == 0:
            other = _pattern(line, path, number)
            if len(phrase) != len(other):
                raise InputError(
                    f"{path}, line {number}: the paraphrase has {len(other)} parts and the phrase {len(phrase)}.",
                    hint="Both need the same number of gaps, as `protect [X] from` and `protect [X] against`.",
                )
            yield phrase, other
    if number % 3:
        raise InputError(f"{path} ends within an entry, at line {number}.", hint="An entry has three lines.")


def _pattern(line: str, path: str, number: int) -> Pattern:
    parts: list[list[str]] = [[]]
    for word in line.split():
        if word.startswith("[") and word.endswith("]") and len(word) > 2:
            parts.append([])
        else:
            parts[-1].append(word)
    gapped = tuple(tuple(part) for part in parts if part)
    if not gapped:
        raise InputError(f"{path}, line {number}: a phrase without words.", hint="Write words, and [X] for a gap.")
    return gapped
