"""Parses as Stanford's CoreNLP prints them (`-outputFormat text`): words with lemma and tag, and typed dependencies.

Sentence #1 (3 tokens):
She sings.
[Text=She ... PartOfSpeech=PRP Lemma=she NamedEntityTag=O] [Text=sings ... Lemma=sing ...] [Text=. ...]
(ROOT ...)                       a tree of phrases, which is not read

root(ROOT-0, sings-2)
nsubj(sings-2, She-1)

read     sentences, one after the other
parses   all sentences of a file, or of the files of a folder (`.parse`, `.out`, perhaps packed), by their text
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.conllu import MOST_WORDS
from tercet.formats.lines import File
from tercet.formats.parses import by_text, wrong

_SUFFIXES = (".parse", ".parse.gz", ".out", ".out.gz")
_START = "Sentence #"
_WORD = re.compile(r"\[Text=(\S+) ([^\]]*)\]")
_ARC = re.compile(r"(\S+?)\((.+)-(\d+)('*), (.+)-(\d+)('*)\)")
_CLUE = "Write parses with CoreNLP's text output, of collapsed dependencies, a segment a sentence."


class Token(NamedTuple):
    """A word of a parse, with its lemma and part of speech."""

    form: str
    lemma: str
    tag: str


class Arc(NamedTuple):
    """A dependency between two words, by their places from 1; 0 is the root.

    A word that stands for several has copies, which CoreNLP marks by primes.
    """

    relation: str
    head: int
    dependent: int
    copied: bool


@dataclasses.dataclass(frozen=True)
class Parse:
    """A sentence with the dependencies between its words, in the order of the file."""

    text: str
    words: tuple[Token, ...]
    arcs: tuple[Arc, ...]
    line: int = dataclasses.field(compare=False)


def read(path: File) -> Iterator[Parse]:
    """The sentences of a file."""
    block: list[str] = []
    start = number = 0
    for lot in lines.kept(path):
        for line in lot:
            number += 1
            if line.startswith(_START):
                if block:
                    yield _parse(path, start, block)
                block, start = [line], number
            elif block:
                block.append(line)
                if len(block) > 20 * MOST_WORDS:
                    raise _wrong(path, start, f"a sentence of more than {20 * MOST_WORDS} lines", "Split the text.")
            elif line.strip():
                raise _wrong(path, number, f"{line[:40]!r} stands before the first `{_START}1 ...`")
    if block:
        yield _parse(path, start, block)


def parses(path: File) -> Mapping[str, Parse]:
    """The parses of a file, or of the files of a folder, by their squeezed text."""
    return by_text(path, _SUFFIXES, read)


def _wrong(path: File, number: int, what: str, hint: str = _CLUE) -> InputError:
    return wrong(path, number, what, hint)


def _parse(path: File, start: int, block: Sequence[str]) -> Parse:
    """One sentence from the lines that tell of it."""
    filled = [(start + k, line.strip()) for k, line in enumerate(block) if line.strip()]
    if len(filled) < 3:
        raise _wrong(path, start, "a sentence without text or words")
    (_, text), (place, annotated) = filled[1], filled[2]
    words = tuple(_token(path, place, *match.groups()) for match in _WORD.finditer(annotated))
    if not words or len(words) > MOST_WORDS:
        raise _wrong(path, place, f"{len(words)} words `[Text=... Lemma=... PartOfSpeech=...]` in a sentence")
    arcs: list[Arc] = []
    for number, line in filled[3:]:
        match = _ARC.fullmatch(line)
        if match is None:
            continue  # a line of the tree of phrases
        relation, _, head, once, _, dependent, twice = match.groups()
        arc = Arc(relation, int(head), int(dependent), bool(once or twice))
        if not (0 <= arc.head <= len(words) and 1 <= arc.dependent <= len(words)):
            raise _wrong(path, number, f"{line[:60]!r} names a word after the last, {len(words)}")
        arcs.append(arc)
    return Parse(text, words, tuple(arcs), start)


def _token(path: File, number: int, form: str, rest: str) -> Token:
    fields = dict(field.partition("=")[::2] for field in rest.split())
    if not fields.get("Lemma") or not fields.get("PartOfSpeech"):
        raise _wrong(path, number, f"the word {form[:40]!r} has no lemma or no part of speech")
    return Token(form, fields["Lemma"], fields["PartOfSpeech"])
