"""What METEOR knows of languages: function words, abbreviations, synonyms, paraphrases.

    find             all of it, from one folder, jar or the extra `meteor`
    function_words   a list by its language, or the user's own
    synonyms         METEOR's synsets, or those of the user's WordNet
    paraphrases      METEOR's table of a language, or the user's own

What is read is kept for as long as the process lives.
"""

from __future__ import annotations

import dataclasses
import pathlib

from tercet.errors import InputError
from tercet.formats import lines
from tercet.metrics.meteor import paraphrases as tables
from tercet.metrics.meteor import synonyms as synsets
from tercet.metrics.meteor.paraphrases import ParaphraseTable
from tercet.metrics.meteor.synonyms import Synonyms
from tercet.text import meteor_files

_MOST_WORDS = 1_000_000


@dataclasses.dataclass(frozen=True)
class Resources:
    """METEOR's files in one place, each read when it is asked for."""

    files: meteor_files.Files

    def function_words(self, language: str) -> frozenset[str]:
        """The function words of a language; METEOR has none for some."""
        return self.files.words(language)

    def synonyms(self) -> Synonyms:
        """Synsets of English words."""
        return synsets.of_meteor(self.files)

    def paraphrases(self, language: str) -> ParaphraseTable:
        """The paraphrase table of a language."""
        return tables.load(self.files.table(language))


def find(path: str | None = None) -> Resources:
    """METEOR's files in a folder or jar, or without one in the installed extra."""
    return Resources(meteor_files.locate(path))


def function_words(which: str | None, resources: str | None = None) -> frozenset[str]:
    """Function words by language code, of a file with one a line, or none."""
    if which is None:
        return frozenset()
    if which in meteor_files.NAMES:
        return find(resources).function_words(which)
    words: set[str] = set()
    for block in lines.blocks(which):
        words.update(block)
        if len(words) > _MOST_WORDS:
            raise InputError(f"{which} has more than {_MOST_WORDS} words.", hint="A list of function words is short.")
    return frozenset(words - {""})


def synonyms(wordnet: str | None = None, resources: str | None = None) -> Synonyms:
    """Synsets of English words: of a WordNet folder, or METEOR's own."""
    return find(resources).synonyms() if wordnet is None else synsets.of_wordnet(pathlib.Path(wordnet))


def paraphrases(path: str | None, language: str, resources: str | None = None) -> ParaphraseTable:
    """A paraphrase table: of a file, or METEOR's own for the language."""
    return find(resources).paraphrases(language) if path is None else tables.load(path)
