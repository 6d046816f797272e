"""Parsers of installed packages, which make the trees that metrics read from files. This table lists them.

Parser    a spec that turns texts into trees
parse     the verb: texts of files, each once, into one CoNLL-U file (`parses.parse`)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from tercet.formats.conllu import Tree
from tercet.spec import Registry, Spec


class Parser(Spec):
    """Base of parsers: frozen dataclasses whose fields are their options."""

    summary: ClassVar[str]  # one line of what it is

    def trees(self, texts: Sequence[str]) -> Iterator[Tree]:
        """A tree a text, which is one sentence whatever stands in it: what has several roots stays together."""
        raise NotImplementedError


PARSERS: Registry[Parser] = Registry(
    kind="parser",
    group="tercet.parsers",
    base=Parser,
    table={
        "spacy": "tercet.parses.pipelines:SpacyParser",
        "chain": "tercet.parses.pipelines:ChainParser",
    },
)

__all__ = ["PARSERS", "Parser"]
