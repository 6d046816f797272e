"""`parse`: texts of files, each once, as trees in one CoNLL-U file that metrics over trees read."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from tercet.errors import InputError
from tercet.formats import conllu, lines
from tercet.formats.conllu import Sentence
from tercet.formats.lines import File
from tercet.formats.parses import squeezed
from tercet.options import verb
from tercet.options.parsing import ParseOptions
from tercet.parses import PARSERS
from tercet.signing import facts_text, fingerprint, signature
from tercet.spec import show


@dataclasses.dataclass(frozen=True, eq=False)
class Parsing:
    """Trees of texts, which `write` makes a CoNLL-U file of."""

    sentences: tuple[Sentence, ...]
    lines: int  # that were read
    signature: str

    @property
    def words(self) -> int:
        """How many words the trees have."""
        return sum(len(sentence.words) for sentence in self.sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader may wonder about."""
        rest = self.lines - len(self.sentences)
        return (f"Texts that are there again, or empty, were parsed once or not at all: {rest}.",) if rest else ()

    def as_records(self) -> list[dict[str, Any]]:
        """What was parsed, in one record: lines, trees, words."""
        return [{"lines": self.lines, "trees": len(self.sentences), "words": self.words}]

    def write(self, path: File) -> None:
        """The trees as a CoNLL-U file; packed if its name ends in .gz."""
        conllu.write(path, self.sentences)


@verb(ParseOptions)
def parse(asked: ParseOptions) -> Parsing:
    """Parse texts, a segment a line, each different one once: trees that `red`, `verta`, `sp` and their like read.

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "a.txt")
    >>> _ = path.write_text("A cat sat.\\nA cat sat.\\n")
    >>> parse([path], parser="chain").as_records()
    [{'lines': 2, 'trees': 1, 'words': 4}]
    >>> folder.cleanup()
    """
    parser = PARSERS.make(asked.parser)
    texts = [line for path in asked.texts for block in lines.blocks(path) for line in block]
    different = [text for text in dict.fromkeys(map(squeezed, texts)) if text]
    if not different:
        raise InputError("There is not one text to parse.", hint="Check that the files are not empty.")
    sentences = tuple(_told(different, parser.trees(different), asked))
    facts = facts_text({key: show(parser.effective(key)) for key in parser.parameters()} | parser.facts())
    data = {"texts": fingerprint(different)}
    return Parsing(sentences, len(texts), signature("parse", {"parser": f"{parser.name}({facts})"}, data))


def _told(texts: list[str], trees: Iterator[conllu.Tree], asked: ParseOptions) -> Iterator[Sentence]:
    for number, (text, tree) in enumerate(zip(texts, trees, strict=True), start=1):
        if asked.progress:
            asked.progress("trees", 1)
        yield Sentence(text, tree, number)
