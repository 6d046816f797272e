"""CoNLL-U: dependency trees, a word a line, as UDPipe, Stanza, spaCy and the Universal Dependencies write them.

A sentence is a block of lines with ten columns between tabs, ended by an empty line; `#` begins a comment. Of multiword
tokens (`1-2`) the words count, and empty nodes (`8.1`) do not. The text of a sentence is its comment `# text = ...`, or
without one its forms, with a space wherever `SpaceAfter=No` does not forbid it.

    read     sentences, one after the other
    write    sentences into a file
    parses   all sentences of a file, or of the .conllu files of a folder, by their text
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.formats.parses import blocks, by_text, wrong

MOST_WORDS = 10_000  # of a sentence
_COLUMNS = 10
_SUFFIXES = (".conllu", ".conllu.gz")
_TEXT = "# text ="
_CHUNK = "Chunk="
_CLUE = "A word has ten columns, between tabs: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC."


class Word(NamedTuple):
    """A word of a tree; `head` is the place of its head from 0, or -1 for a root."""

    form: str
    lemma: str
    pos: str
    features: str
    head: int
    relation: str
    tag: str = "_"  # of the language's own set, where it has one
    chunk: str = "O"  # as B-NP, where the column MISC says so


Tree = tuple[Word, ...]


@dataclasses.dataclass(frozen=True)
class Sentence:
    """A tree, its text, and the line on which it begins."""

    text: str
    words: Tree
    line: int = dataclasses.field(compare=False)


def read(path: File) -> Iterator[Sentence]:
    """The sentences of a file."""
    for block in blocks(path, 4 * MOST_WORDS, MOST_WORDS):
        yield from _sentence(path, block)


def write(path: File, sentences: Iterable[Sentence]) -> None:
    """A file with these sentences; packed if its name ends in .gz."""
    lines.write(path, map(_rendered, sentences))


def _rendered(sentence: Sentence) -> str:
    rows = (
        "\t".join((str(i), w.form, w.lemma, w.pos, w.tag, w.features, str(w.head + 1), w.relation, "_", _misc(w)))
        for i, w in enumerate(sentence.words, start=1)
    )
    return "\n".join([f"{_TEXT} {sentence.text}", *rows, "", ""])


def _misc(word: Word) -> str:
    return "_" if word.chunk == "O" else _CHUNK + word.chunk


def parses(path: File) -> Mapping[str, Sentence]:
    """The sentences of a file, or of the .conllu files of a folder, by their squeezed text."""
    return by_text(path, _SUFFIXES, read)


def _wrong(path: File, number: int, what: str, hint: str = _CLUE) -> InputError:
    return wrong(path, number, what, hint)


def _sentence(path: File, block: Sequence[tuple[int, str]]) -> Iterator[Sentence]:
    """One sentence, or none for a block of comments."""
    text: str | None = None
    words: list[Word] = []
    surface: list[str] = []
    covered = 0  # the last word that a multiword token stands for
    for number, line in block:
        if line.startswith("#"):
            if line.replace("#text", "# text", 1).startswith(_TEXT):
                text = line.partition("=")[2].strip()
            continue
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise _wrong(path, number, f"{len(columns)} columns, not {_COLUMNS}")
        space = "" if "SpaceAfter=No" in columns[9].split("|") else " "
        first, dash, last = columns[0].partition("-")
        if dash and _is_number(first) and _is_number(last):
            covered = int(last)
            surface.append(columns[1] + space)
        elif "." not in columns[0]:
            words.append(_word(path, number, columns, len(words) + 1))
            if len(words) > covered:
                surface.append(columns[1] + space)
    if words:
        start = block[0][0]
        _check_tree(path, start, words)
        yield Sentence("".join(surface).strip() if text is None else text, tuple(words), start)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _word(path: File, number: int, columns: Sequence[str], place: int) -> Word:
    name, form, lemma, pos, tag, features, head, relation = columns[:8]
    if name != str(place):
        raise _wrong(path, number, f"the word is numbered {name!r} where {place} is next")
    if not form:
        raise _wrong(path, number, "a word without a form")
    if not _is_number(head):
        raise _wrong(path, number, f"the head is {head!r}, no number", "Parse the text: every word needs a head.")
    lemma = form if lemma in ("_", "") else lemma
    marks = [mark.removeprefix(_CHUNK) for mark in columns[9].split("|") if mark.startswith(_CHUNK)]
    return Word(form, lemma, pos, features, int(head) - 1, relation, tag, marks[0] if marks else "O")


def _check_tree(path: File, start: int, words: Sequence[Word]) -> None:
    """Every head is a word, and every word leads to a root."""
    rooted: set[int] = set()
    for at in range(len(words)):
        trail: set[int] = set()
        while at not in rooted and at >= 0:
            if at in trail:
                raise _wrong(path, start, f"the heads of {words[at].form!r} go round in a circle", "Parse it anew.")
            trail.add(at)
            at = words[at].head
            if at >= len(words):
                what = f"a head is word {at + 1}, and there are {len(words)}"
                raise _wrong(path, start, what, "Check that no line is missing.")
        rooted |= trail
