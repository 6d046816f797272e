"""Parses by file, whatever their format: sentences by their text, of a file or of all files of a folder.

A format says which names its files have and how one is read; a sentence has a `text`, the `line` on which it begins,
and is equal to another with the same tree. `conllu`, `corenlp`, `brackets`, `roles` and `senses` are such formats.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, cast

from tercet import contents
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File

MOST_SENTENCES = 2_000_000
_TEXT = "# text ="
_COMMENT = re.compile(r"#\s*\w+ =")
Row = tuple[int, list[str]]  # the number of a line, and its cells


class Parsed(Protocol):
    """A sentence with its tree."""

    @property
    def text(self) -> str:
        """What was parsed."""
        ...

    @property
    def line(self) -> int:
        """Where it begins in its file."""
        ...


P = TypeVar("P", bound=Parsed)


def squeezed(text: str) -> str:
    """A text with one space for any white space: by this, texts are compared.

    >>> squeezed(" a  b\\t")
    'a b'
    """
    return " ".join(text.split())


def by_text(path: File, suffixes: tuple[str, ...], read: Callable[[File], Iterator[P]]) -> Mapping[str, P]:
    """The sentences of a file, or of the files of a folder, by their squeezed text."""
    where = Path(path)
    files = sorted(f for f in where.iterdir() if f.name.endswith(suffixes)) if where.is_dir() else [where]
    if not files:
        raise InputError(
            f"The folder {path} has no file that ends on {', '.join(suffixes)}.",
            hint="Name a file, or a folder that has some.",
        )
    known = _by_text(tuple((str(file), contents.state(file)) for file in files), read)
    return cast(Mapping[str, P], known)


@functools.lru_cache(maxsize=4)
def _by_text(
    files: tuple[tuple[str, contents.State], ...], read: Callable[[File], Iterator[Parsed]]
) -> Mapping[str, Parsed]:
    known: dict[str, Parsed] = {}
    for path, _ in files:
        for sentence in read(path):
            if known.setdefault(squeezed(sentence.text), sentence) != sentence:
                what = f"{sentence.text[:60]!r} has another parse than before"
                raise wrong(path, sentence.line, what, "Leave one of the two out.")
            if len(known) > MOST_SENTENCES:
                raise wrong(path, sentence.line, f"more than {MOST_SENTENCES} sentences", "Leave some out.")
    return known


def blocks(path: File, most_lines: int, most_words: int) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence with their numbers, where empty lines part sentences."""
    block: list[tuple[int, str]] = []
    number = 0
    for lot in lines.kept(path):
        for line in lot:
            number += 1
            if line.strip():
                block.append((number, line))
                if len(block) > most_lines:
                    raise wrong(path, number, f"a sentence of more than {most_words} words", "Split the text.")
            elif block:
                yield block
                block = []
    if block:
        yield block


def columns(path: File, block: Sequence[tuple[int, str]], fewest: int, hint: str) -> tuple[str | None, list[Row]]:
    """The text that a comment `# text = ...` above a block tells, and its rows of cells between blanks, all alike."""
    text: str | None = None
    rows: list[Row] = []
    for number, line in block:
        if not rows and _COMMENT.match(line):
            if line.replace("#text", "# text", 1).startswith(_TEXT):
                text = line.partition("=")[2].strip()
            continue
        cells = line.split()
        if len(cells) < fewest or (rows and len(cells) != len(rows[0][1])):
            raise wrong(path, number, f"{len(cells)} columns", hint)
        rows.append((number, cells))
    return text, rows


def looked_up(known: Mapping[str, P], text: str, path: File) -> P | None:
    """The sentence of a text, none of an empty one; an error where the file has it not."""
    wanted = squeezed(text)
    if not wanted:
        return None
    if wanted not in known:
        raise InputError(
            f"{path} has no tree of the text {wanted[:80]!r}.",
            hint="Parse each segment as one sentence, without splitting it, and keep its text as `# text = ...`.",
        )
    return known[wanted]


def wrong(path: File, number: int, what: str, hint: str) -> InputError:
    """What is wrong with a line of a file."""
    return InputError(f"{lines.shown(path)}, line {number}: {what}.", hint=hint)
