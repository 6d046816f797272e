"""What metrics over vectors of words share: a file of them, or a layer of an encoder in its place."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from tercet import contents
from tercet.data import Array, Texts
from tercet.encoders import Encoded
from tercet.formats.vectors import VectorFile
from tercet.metric_base import Metric
from tercet.metrics.neural.base import LAYER, MODEL, LayerReader, NamesEncoders, shown
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class VectorMetric(NamesEncoders, Metric):
    """Base of metrics for which words are as similar as their vectors: those of a file, or contextual ones."""

    vectors: str | None = option(None, "file with word vectors, .vec or .vec.gz; none: words match but themselves")
    model: str | None = option(None, f"{MODEL}; instead of `vectors`, and of `tokenize`")
    layer: int | None = option(None, LAYER)

    files: ClassVar[tuple[str, ...]] = ("vectors", "model")

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = self.vectors is None or os.path.exists(self.vectors)
        self.require(fine, "vectors", "a file that is there")
        self.require(self.vectors is None or self.model is None, "vectors", "none beside a model")
        self.require(self.model is not None or self.layer is None, "layer", "none without a model")
        if self.reader is not None:
            self.reader.check(self)

    @property
    def reader(self) -> LayerReader | None:
        """What reads the texts, where vectors are contextual."""
        return None if self.model is None else LayerReader(self.model, self.layer, str(self))

    def facts(self) -> dict[str, str]:
        return super().facts() if self.reader is None else self.reader.facts()

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """How many texts were cut."""
        return {} if self.reader is None else self.reader.remarks(texts)


def vector_file(path: str) -> VectorFile:
    """The file at a path, which remembers the words that it was asked for, for as long as it stays as it is."""
    return _vector_file(path, contents.state(path))


@functools.lru_cache(maxsize=8)
def _vector_file(path: str, _state: contents.State) -> VectorFile:
    return VectorFile(path)


def placed(path: str | None, words: list[str]) -> tuple[Any, Array]:
    """Each word's row in a table of vectors, -1 for none, and the table."""
    places = np.full(len(words), -1, dtype=np.int64)
    if path is None:
        return places, np.zeros((0, 1))
    known = vector_file(path).read(words)
    vectors = [known.of(word) for word in words]
    there = [i for i, vector in enumerate(vectors) if vector is not None]
    places[there] = np.arange(len(there))
    rows = [vector for vector in vectors if vector is not None]
    return places, np.array(rows, dtype=np.float64).reshape(len(rows), known.dimension)


def inner_pieces(read: Encoded) -> tuple[str, ...]:
    """The pieces of a text between its marks."""
    return shown(read.tokens.pieces[read.tokens.inner])
