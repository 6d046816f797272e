"""Synsets of words in WordNet, as TERp's program looks them up: part of speech by part of speech.

A word has the synsets of its form and of its base forms, which are those of the list of irregular forms and whatever
the rules of inflection lead to. The library that the program takes lacks two of WordNet's rules: `wider` is no `wide`.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tercet import contents
from tercet.data import Ints
from tercet.metrics.meteor import synonyms

_RULES = {  # ends of words, and what they may stand for
    "noun": (
        *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
        *(("men", "man"), ("ies", "y")),
    ),
    "verb": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
        *(("ing", "e"), ("ing", "")),
    ),
    "adj": (("er", ""), ("est", "")),
    "adv": (),
}
_OFFSETS = 10**8  # places in a file of WordNet have eight digits


@dataclasses.dataclass(frozen=True, eq=False)
class _PartOfSpeech:
    """A part of speech: synsets by lemma, base forms of irregular words."""

    name: str
    synsets: Mapping[str, Sequence[str]]
    bases: Mapping[str, Sequence[str]]

    def of(self, word: str) -> list[str]:
        forms = [word, *self.bases.get(word, ())]
        forms += [word[: -len(end)] + base for end, base in _RULES[self.name] if word.endswith(end)]
        return [synset for form in forms for synset in self.synsets.get(form, ())]


@dataclasses.dataclass(frozen=True, eq=False)
class WordNet:
    """The four parts of speech; what was looked up is kept."""

    parts: tuple[_PartOfSpeech, ...]
    known: dict[str, tuple[int, ...]] = dataclasses.field(default_factory=dict, repr=False)

    def ids(self, word: str) -> tuple[int, ...]:
        """Numbers of the synsets of a word and of its base forms, in rising order."""
        sets = self.known.get(word)
        if sets is None:
            numbers = {n * _OFFSETS + int(synset) for n, part in enumerate(self.parts) for synset in part.of(word)}
            sets = self.known[word] = tuple(sorted(numbers))
        return sets

    def batch(self, words: Sequence[str]) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The synsets of many words, end to end."""
        return synonyms.packed(list(map(self.ids, words)))


def load(folder: str) -> WordNet:
    """WordNet's own files: index.noun, noun.exc and so on."""
    return _load(os.path.realpath(folder), contents.state(folder))


@functools.lru_cache(maxsize=2)
def _load(folder: str, _state: contents.State) -> WordNet:
    return WordNet(
        tuple(
            _PartOfSpeech(part, dict(synonyms.index(folder, part)), dict(synonyms.irregular(folder, part)))
            for part in synonyms.PARTS
        )
    )
