"""Senses of words in two columns, a word a line: what it means in its place, as a program of disambiguation chose it.

The second column has, with `|` between them, words that mean the same or numbers of WordNet's synsets, or `-` for
nothing. An empty line ends a sentence. Its text is the comment `# text = ...` above it, or without one its words with a
space between them.

    read     sentences, one after the other
    parses   all sentences of a file, or of the files of a folder, by their text
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from tercet.formats.lines import File
from tercet.formats.parses import blocks, by_text, columns, wrong

MOST_WORDS = 10_000  # of a sentence
_SUFFIXES = (".senses", ".senses.gz")
_CLUE = "A word has two columns between blanks: the word, and its synonyms with | between them, or -."


@dataclasses.dataclass(frozen=True)
class SenseSentence:
    """Words with what means the same in their places, the text, and the line on which it begins."""

    text: str
    words: tuple[tuple[str, tuple[str, ...]], ...]
    line: int = dataclasses.field(compare=False)


def parses(path: File) -> Mapping[str, SenseSentence]:
    """The sentences of a file, or of the files of a folder, by their squeezed text."""
    return by_text(path, _SUFFIXES, read)


def read(path: File) -> Iterator[SenseSentence]:
    """The sentences of a file."""
    for block in blocks(path, MOST_WORDS, MOST_WORDS):
        text, rows = columns(path, block, 2, _CLUE)
        if rows and len(rows[0][1]) != 2:
            raise wrong(path, rows[0][0], f"{len(rows[0][1])} columns", _CLUE)
        words = tuple((word, () if cell == "-" else tuple(filter(None, cell.split("|")))) for _, (word, cell) in rows)
        if words:
            yield SenseSentence(" ".join(word for word, _ in words) if text is None else text, words, block[0][0])
