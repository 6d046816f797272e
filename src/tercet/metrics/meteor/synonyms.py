"""Words that share a synset: WordNet 3.0, from METEOR's own files or from a folder of the user's.

A word has the synsets of its form, and those of its base form: the one that WordNet's list of irregular forms gives,
or else the first that WordNet's rules of inflection lead to and that is in WordNet. Synsets of nouns, verbs, adjectives
and adverbs are numbered by their places in four files, and METEOR takes equal numbers for equal synsets.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import pathlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tercet import contents
from tercet.data import Ints
from tercet.errors import InputError
from tercet.formats import lines
from tercet.limits import is_whole
from tercet.text.meteor_files import Files

_RULES = {  # what a word's end may stand for, by its last letter
    "s": (
        *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
        *(("ies", "y"), ("es", "e"), ("es", "")),
    ),
    "n": (("men", "man"),),
    "d": (("ed", "e"), ("ed", "")),
    "g": (("ing", "e"), ("ing", "")),
    "r": (("er", ""), ("er", "e")),
    "t": (("est", ""), ("est", "e")),
}
PARTS = ("noun", "verb", "adj", "adv")
_LIMIT = 1 << 26  # bytes of one file
_ANY_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)
_INSTALL_AGAIN = "Copy or install METEOR's files again."


@dataclasses.dataclass(frozen=True, eq=False)
class Synonyms:
    """Synsets by lemma, as the text of their numbers, and the base forms of irregular words."""

    synsets: Mapping[str, str]
    bases: Mapping[str, Sequence[str]]
    known: dict[str, tuple[int, ...]] = dataclasses.field(default_factory=dict, repr=False)

    def ids(self, word: str) -> tuple[int, ...]:
        """The synsets of a word and of its base forms, in rising order."""
        sets = self.known.get(word)
        if sets is None:
            text = " ".join(self.synsets.get(form, "") for form in (word, *self._bases(word)))
            sets = self.known[word] = tuple(sorted(set(map(int, text.split()))))
        return sets

    def batch(self, words: Sequence[str]) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The synsets of many words, end to end: where those of each start, and one more; their numbers."""
        return packed(list(map(self.ids, words)))

    def _bases(self, word: str) -> Sequence[str]:
        irregular = self.bases.get(word)
        if irregular is not None:
            return irregular
        if len(word) <= 2 or word.endswith("ss"):
            return ()
        for end, base in _RULES.get(word[-1], ()):
            if word.endswith(end) and (form := word[: -len(end)] + base) in self.synsets:
                return (form,)
        return ()


def packed(sets: Sequence[Sequence[int]]) -> tuple[Ints, npt.NDArray[np.int32]]:
    """The synsets of words end to end, for kernels: where those of each start, and one more; their numbers."""
    starts = np.zeros(len(sets) + 1, dtype=np.int64)
    np.cumsum(list(map(len, sets)), out=starts[1:])
    return starts, np.fromiter(itertools.chain.from_iterable(sets), np.int32, int(starts[-1]))


def of_meteor(files: Files) -> Synonyms:
    """METEOR's own files: a lemma and its synsets, a base form and its irregular forms, in turn."""
    return _of_meteor(files, contents.state(files.root))


@functools.lru_cache(maxsize=2)
def _of_meteor(files: Files, _state: contents.State) -> Synonyms:
    bases: dict[str, list[str]] = defaultdict(list)
    for base, forms in zip(*_in_turn(files, "synonym/english.exceptions"), strict=True):
        for form in forms.split():
            bases[form].append(base)
    name = "synonym/english.synsets"
    lemmas, synsets = _in_turn(files, name)
    if not _are_numbers(" ".join(synsets)):
        wrong = next(i for i, numbers in enumerate(synsets) if not _are_numbers(numbers))
        raise InputError(f"{files.root}: {name}, line {2 * wrong + 2} is no list of synsets.", hint=_INSTALL_AGAIN)
    return Synonyms(dict(zip(lemmas, synsets, strict=True)), dict(bases))


def _are_numbers(text: str) -> bool:
    """Whether there is nothing but numbers of up to nine digits; a regular expression would take 0.1 s."""
    digits = text.encode().translate(_ANY_DIGIT)
    return not digits.translate(None, b"0 ") and b"0" * 10 not in digits


def _in_turn(files: Files, name: str) -> tuple[list[str], list[str]]:
    rows = files.read(name).removesuffix("\n").split("\n")
    if len(rows) % 2:
        raise InputError(f"{files.root}: {name} breaks off after line {len(rows)}.", hint=_INSTALL_AGAIN)
    return rows[::2], rows[1::2]


def of_wordnet(folder: pathlib.Path) -> Synonyms:
    """The database of WordNet: index.noun, noun.exc and so on (Debian: wordnet-base, in /usr/share/wordnet)."""
    return _wordnet(os.path.realpath(folder), contents.state(folder))


@functools.lru_cache(maxsize=2)
def _wordnet(folder: str, _state: contents.State) -> Synonyms:
    synsets: dict[str, list[str]] = defaultdict(list)
    bases: dict[str, list[str]] = defaultdict(list)
    for part in PARTS:
        for lemma, numbers in index(folder, part):
            synsets[lemma] += numbers
        for form, base in irregular(folder, part):
            bases[form] += base
    return Synonyms({lemma: " ".join(numbers) for lemma, numbers in synsets.items()}, dict(bases))


def _file(folder: str, name: str) -> pathlib.Path:
    path = pathlib.Path(folder, name)
    if not path.is_file():
        raise InputError(
            f"{folder} is no WordNet folder: {name} is not there.",
            hint="Name the folder with index.noun and noun.exc; Debian's package wordnet-base has it in "
            "/usr/share/wordnet.",
        )
    return path


def index(folder: str, part: str) -> Iterator[tuple[str, list[str]]]:
    """The lemmas of a part of speech in WordNet's folder, each with its synsets."""
    path = _file(folder, f"index.{part}")
    # lemma, part of speech, n, p, p pointers, senses, tagged senses, n synsets; the licence is indented
    for number, line in enumerate(lines.whole(path, _LIMIT).split("\n"), start=1):
        if not line or line.startswith(" "):
            continue
        fields = line.split()
        count = int(fields[2]) if len(fields) > 2 and is_whole(fields[2]) else 0
        synsets = fields[len(fields) - count :]
        if not 1 <= count <= len(fields) - 6 or not _are_numbers(" ".join(synsets)):
            raise InputError(
                f"{path}, line {number}: {line[:60]!r} is no entry of WordNet's index.",
                hint="Copy or install WordNet again.",
            )
        yield fields[0], synsets


def irregular(folder: str, part: str) -> Iterator[tuple[str, list[str]]]:
    """The irregular forms of a part of speech in WordNet's folder, each with its base forms."""
    path = _file(folder, f"{part}.exc")
    for line in lines.whole(path, _LIMIT).split("\n"):
        form, *bases = line.split() or [""]
        if bases:
            yield form, bases
