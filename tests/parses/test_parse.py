"""`parse`: trees of texts in a file that metrics read; parsers that are there, and those that are not."""

from __future__ import annotations

import itertools
import pathlib
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest

import tercet
from tercet.errors import InputError, MissingExtraError, SpecError
from tercet.formats import conllu
from tercet.formats.conllu import Sentence, Word
from tercet.parses import PARSERS
from tercet.parses.pipelines import PIPELINES, SpacyParser, _loaded


@pytest.fixture
def files(tmp_path: pathlib.Path) -> list[pathlib.Path]:
    """Two texts, some lines of which are alike."""
    one, other = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text("A cat  sat.\n\nहिन्दी में\n", encoding="utf-8")
    other.write_text("A cat sat.\nDogs ran\n", encoding="utf-8")
    return [one, other]


def test_what_is_written_is_read_again(files: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    found = tercet.parse(files, parser="chain")
    assert found.as_records() == [{"lines": 5, "trees": 3, "words": 8}]
    assert found.notes == ("Texts that are there again, or empty, were parsed once or not at all: 2.",)
    assert "parser:chain(tokenize:13a)" in found.signature
    path = tmp_path / "trees.conllu.gz"
    found.write(path)
    assert tuple(conllu.read(path)) == found.sentences
    metric = tercet.metric(f'dp(parses="{path}")')
    assert metric.segments(["A cat sat.", ""], ["A  cat sat.", "Dogs ran"]).tolist() == [1.0, 0.0]


def test_a_tag_goes_round(tmp_path: pathlib.Path) -> None:
    tree = (
        Word("Cats", "cat", "NOUN", "Number=Plur", 1, "nsubj", "NNS"),
        Word("sit", "sit", "VERB", "_", -1, "root", "VBP"),
    )
    conllu.write(tmp_path / "a.conllu", [Sentence("Cats sit", tree, 1)])
    assert conllu.parses(tmp_path / "a.conllu")["Cats sit"].words == tree


def test_what_cannot_be_is_said(files: list[pathlib.Path], tmp_path: pathlib.Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n \n", encoding="utf-8")
    with pytest.raises(InputError, match="There is not one text to parse"):
        tercet.parse([empty], parser="chain")
    with pytest.raises(SpecError, match="There is no parser called 'nobody'"):
        tercet.parse(files, parser="nobody")


class Token:
    """As spaCy has them."""

    def __init__(self, i: int, text: str) -> None:
        self.i, self.text, self.lemma_, self.pos_, self.tag_, self.dep_, self.morph = (
            i,
            text,
            text.lower(),
            "X",
            "XX",
            "dep",
            "",
        )
        self.head: Token = self


class Pipeline:
    """One that hangs each word on the one before it."""

    pipe_names: Sequence[str] = ("tagger", "parser")
    meta: ClassVar = {"lang": "en", "name": "toy", "version": "1"}

    def pipe(self, texts: Sequence[str], batch_size: int) -> Iterator[list[Token]]:
        for text in texts:
            tokens = [Token(i, word) for i, word in enumerate(text.split())]
            for before, after in itertools.pairwise(tokens):
                after.head = before
            yield tokens


@pytest.fixture
def spacy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A package that looks like spaCy."""
    module: Any = types.ModuleType("spacy")
    pipeline = Pipeline()

    def load(name: str) -> Pipeline:
        if name not in ("toy", PIPELINES[1]):
            raise OSError(name)
        return pipeline

    module.load, module.pipeline = load, pipeline
    monkeypatch.setitem(sys.modules, "spacy", module)
    monkeypatch.setattr("tercet.parses.pipelines._version", lambda package: "3.8")
    _loaded.cache_clear()
    yield module
    _loaded.cache_clear()


def test_pipelines_of_spacy(spacy: Any, files: list[pathlib.Path]) -> None:
    found = tercet.parse(files)
    assert "pipeline:en_toy-1" in found.signature
    first = found.sentences[0]
    assert [(w.form, w.head, w.relation, w.tag) for w in first.words] == [
        ("A", -1, "root", "XX"),
        ("cat", 0, "dep", "XX"),
        ("sat.", 1, "dep", "XX"),
    ]
    assert tercet.parse(files, parser="spacy(model=toy)").sentences == found.sentences
    with pytest.raises(InputError, match="spaCy has no pipeline nowhere"):
        tercet.parse(files, parser="spacy(model=nowhere)")
    _loaded.cache_clear()
    spacy.pipeline.pipe_names = ("tagger",)
    with pytest.raises(InputError, match="has no parser"):
        tercet.parse(files, parser="spacy(model=toy)")


def test_without_spacy_it_says_what_to_install(files: list[pathlib.Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    _loaded.cache_clear()
    with pytest.raises(MissingExtraError, match="needs the package spacy") as caught:
        tercet.parse(files)
    assert "tercet[parses]" in caught.value.hint


def test_parsers_are_specs() -> None:
    assert str(PARSERS.make("spacy(model=xx_yy)")) == "spacy(model=xx_yy)"
    assert PARSERS.make("spacy") == SpacyParser()
