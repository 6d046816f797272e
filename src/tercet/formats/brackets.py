"""Bracketed trees, `(S (NP (PRP She)) (VP (VBZ sings)))`: phrases of the Penn Treebank's kind, or discourse of RST's.

A tree may run over several lines; the next one begins where the brackets of the one before are closed. The text of a
tree is the comment `# text = ...` above it, or without one its leaves with a space between them. An outer bracket
without a label, as in the Treebank's files, is left out.

    read     trees, one after the other
    parses   all trees of a file, or of the files of a folder, by their text
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping

from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.formats.parses import by_text, wrong

MOST_NODES = 50_000  # of a tree
DEEPEST = 500
_SUFFIXES = tuple(name + packed for name in (".mrg", ".ptb", ".brackets", ".rst") for packed in ("", ".gz"))
_PIECE = re.compile(r"[()]|[^\s()]+")
_TEXT = "# text ="
_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_CLUE = "A tree is written in brackets, as (S (NP (PRP She)) (VP (VBZ sings)))."


@dataclasses.dataclass(frozen=True)
class PhraseNode:
    """A node: its label, and what is below it; a word has nothing below."""

    label: str
    children: tuple[PhraseNode, ...] = ()

    @property
    def is_word(self) -> bool:
        """Whether it is a leaf."""
        return not self.children

    def leaves(self) -> Iterator[str]:
        """The words below, from left to right.

        >>> list(PhraseNode("S", (PhraseNode("PRP", (PhraseNode("it"),)), PhraseNode("rains"))).leaves())
        ['it', 'rains']
        """
        if self.is_word:
            yield self.label
        for child in self.children:
            yield from child.leaves()


@dataclasses.dataclass(frozen=True)
class BracketedTree:
    """A tree, its text, and the line on which it begins."""

    text: str
    root: PhraseNode
    line: int = dataclasses.field(compare=False)


def parses(path: File) -> Mapping[str, BracketedTree]:
    """The trees of a file, or of the files of a folder, by their squeezed text."""
    return by_text(path, _SUFFIXES, read)


def read(path: File) -> Iterator[BracketedTree]:
    """The trees of a file."""
    text: str | None = None
    reader = _Reader(path)
    number = 0
    for lot in lines.kept(path):
        for line in lot:
            number += 1
            if not reader.stack and line.lstrip().startswith("#"):
                if line.lstrip().replace("#text", "# text", 1).startswith(_TEXT):
                    text = line.partition("=")[2].strip()
                continue
            for root, start in reader.pieces(line, number):
                yield BracketedTree(" ".join(root.leaves()) if text is None else text, root, start)
                text = None
    if reader.stack:
        raise _wrong(path, reader.start, "a bracket that is never closed")


def _wrong(path: File, number: int, what: str) -> InputError:
    return wrong(path, number, what, _CLUE)


class _Reader:
    """Open brackets, with what they hold so far."""

    def __init__(self, path: File) -> None:
        self.path = path
        self.stack: list[tuple[str, list[PhraseNode]]] = []
        self.start = self.nodes = 0

    def pieces(self, line: str, number: int) -> Iterator[tuple[PhraseNode, int]]:
        """The trees that end on a line, and where each began."""
        for piece in _PIECE.findall(line):
            if piece == "(":
                if not self.stack:
                    self.start, self.nodes = number, 0
                self.stack.append(("", []))
                if len(self.stack) > DEEPEST:
                    raise _wrong(self.path, number, f"a tree of more than {DEEPEST} levels")
            elif not self.stack:
                raise _wrong(self.path, number, f"{piece[:40]!r} stands outside of brackets")
            elif piece == ")":
                root = self._closed(number)
                if root is not None:
                    yield root, self.start
            else:
                label, below = self.stack[-1]
                if not label and not below:
                    self.stack[-1] = (_ESCAPES.get(piece, piece), below)
                else:
                    below.append(PhraseNode(_ESCAPES.get(piece, piece)))
            self.nodes += 1
            if self.nodes > MOST_NODES:
                raise _wrong(self.path, number, f"a tree of more than {MOST_NODES} nodes")

    def _closed(self, number: int) -> PhraseNode | None:
        """What a closing bracket makes: a child of the bracket around it, or a whole tree."""
        label, below = self.stack.pop()
        if not label and not below:
            raise _wrong(self.path, number, "brackets with nothing in them")
        node = below[0] if not label and len(below) == 1 else PhraseNode(label, tuple(below))
        if not self.stack:
            return node
        self.stack[-1][1].append(node)
        return None
