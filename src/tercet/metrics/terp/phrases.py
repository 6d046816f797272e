"""TERp's phrase tables: lines `0.5 <p>phrase of a reference</p> <p>what may stand for it</p>`, perhaps packed (.gz).

Words are cut at white space and nothing else: they must look as texts do once they are normalised. A line may begin
with two probabilities. TERp's help says that the second is that of the other direction, but its program takes it for
one of the same, and so is it here.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet import contents
from tercet.data import Array
from tercet.errors import InputError
from tercet.formats import lines
from tercet.metrics.elementary import log

_LINE = re.compile(r"([0-9.eE-]+)\s+(?:([0-9.eE-]+)\s+)?<p>(.*)</p>\s+<p>(.*)</p>", re.ASCII)
_MOST = 1e6  # that a phrase may cost

Numbered = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]  # words by their numbers, and where each text begins


class Phrase(NamedTuple):
    """A phrase of a reference, and what may stand for it in a translation."""

    reference: tuple[str, ...]
    translation: tuple[str, ...]
    probability: float


@dataclasses.dataclass(frozen=True, eq=False)
class PhraseTable:
    """Phrases by the words of the reference's side, joined by blanks."""

    phrases: Mapping[str, Sequence[Phrase]]
    lengths: Mapping[str, int]  # of the longest phrase that begins with a word

    def occurring(self, texts: Iterable[Sequence[str]], words: Mapping[str, int]) -> list[Phrase]:
        """The phrases of some references whose other side is made of these words."""
        keys = dict.fromkeys(key for text in texts for key in self._keys(text))
        return [
            phrase
            for key in keys
            for phrase in self.phrases.get(key, ())
            if all(w in words for w in phrase.translation)
        ]

    def _keys(self, text: Sequence[str]) -> Iterator[str]:
        for start, word in enumerate(text):
            longest = min(self.lengths.get(word, 0), len(text) - start)
            for end in range(start + 1, start + longest + 1):
                yield " ".join(text[start:end])


def costs(phrases: Sequence[Phrase], edits: Array, parameters: Sequence[float]) -> Array:
    """What each phrase costs, by its probability and the edits between its sides; what is beyond all bounds, a million.

    A probability of 0 has no logarithm, so that its phrase is as dear as can be, or costs nothing.
    """
    p0, p1, p2, p3 = parameters
    probability = np.array([phrase.probability for phrase in phrases], dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = log(probability) / math.log(10)
        cost = p0 + p1 * logarithm * edits + p2 * probability * edits + p3 * edits
    return np.clip(np.nan_to_num(cost, nan=0.0), 0.0, _MOST)


def numbered(sides: Sequence[Sequence[str]], words: Mapping[str, int]) -> Numbered:
    """Phrases as numbers of words, end to end, and where each begins."""
    rows = np.cumsum([0, *map(len, sides)], dtype=np.int64)
    return np.fromiter((words[word] for side in sides for word in side), np.int32, int(rows[-1])), rows


def load(path: str) -> PhraseTable:
    """The table of a file."""
    lines.head(path, 1)  # which says what is wrong with the file, if anything is
    return _load(os.path.realpath(path), contents.state(path))


@functools.lru_cache(maxsize=2)
def _load(path: str, _state: contents.State) -> PhraseTable:
    phrases: dict[str, list[Phrase]] = {}
    lengths: dict[str, int] = {}
    for phrase in _read(path):
        key = " ".join(phrase.reference)
        phrases.setdefault(key, []).append(phrase)
        first = phrase.reference[0]
        lengths[first] = max(lengths.get(first, 0), len(phrase.reference))
    return PhraseTable(phrases, lengths)


def _read(path: str) -> Iterator[Phrase]:
    number = 0
    for block in lines.kept(path):
        for line in block:
            number += 1
            if not line.strip():
                continue
            match = _LINE.fullmatch(line.strip())
            try:
                probabilities = [float(p) for p in match.group(1, 2) if p] if match else []
            except ValueError:
                probabilities = []
            if match is None or not probabilities:
                raise InputError(
                    f"{path}, line {number}: {line[:60]!r} is no entry of a phrase table.",
                    hint="A line is: 0.5 <p>phrase of a reference</p> <p>what may stand for it</p>",
                )
            reference, translation = tuple(match[3].split()), tuple(match[4].split())
            if reference and translation and reference != translation:
                yield from (Phrase(reference, translation, p) for p in probabilities)
