"""Sentence similarity: the cosine of two pooled vectors of an encoder, as sentence-transformers compares texts."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation
from tercet.encoders.memory import Vectors
from tercet.encoders.reading import TokenRow
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.metrics.neural.base import READING, EncoderMetric, count_cut, parts
from tercet.metrics.several import best_rows
from tercet.spec import option

_PAPER = "Reimers and Gurevych 2019, *Sentence-BERT: sentence embeddings using Siamese BERT-networks*"
_REFERENCE = "mean pooling over all tokens and the cosine, as sentence-transformers does; held to 1e-5 for two encoders"


@dataclasses.dataclass(frozen=True)
class Cosine(EncoderMetric, MeanMetric):
    """Statistics: [cosine, 1], against the most similar reference."""

    pool: Literal["mean", "max", "cls"] = option(
        "mean", "a text's vector: mean or maximum of its tokens, marks among them, or the vector of its first mark"
    )

    name = "cosine"
    card = Card(
        title="Sentence similarity",
        year=2019,
        kind="embeddings",
        resources="encoder",
        definition=(
            "The cosine of the vectors of translation and reference: of each text the mean of its tokens' vectors in "
            "one layer of an encoder. A system's score is the mean of its segments; of several references the most "
            "similar counts."
        ),
        paper=_PAPER,
        scale="-1 to 1",
        reference=_REFERENCE,
        differences=(READING, "The number depends on the encoder: those of two encoders are not comparable."),
    )

    def pooled(self, _row: TokenRow, vectors: Vectors) -> Array:
        """The vector of a text, from those of its tokens."""
        layer = vectors[0].astype(np.float64)
        whole: Array = layer[0] if self.pool == "cls" else layer.max(0) if self.pool == "max" else layer.mean(0)
        return whole

    def vectors(self, texts: Texts, some: slice, threads: int) -> Array:
        """The vectors of some texts, at length 1; (texts, dimensions)."""
        rows = self.reader.encoder.tokens(texts.strings[some])
        count_cut(texts, rows, some.start, self.reader.stamp)
        asked = [TokenRow(tokens.ids) for tokens in rows]
        made = self.reader.encoder.read(
            asked, self.reader.layers, finish=self.pooled, how=f" {self.pool}", threads=threads
        )
        table = np.array(made, dtype=np.float64).reshape(len(made), -1)
        lengths: Array = np.sqrt((table * table).sum(axis=1, keepdims=True))
        scaled: Array = table / np.maximum(lengths, 1e-300)
        return scaled

    def values(self, batch: Batch) -> Array:
        """The cosine with the most similar reference."""
        references = batch.required_references()
        rows = np.ones(len(batch))
        for some in parts(batch):
            groups = references.groups[some.start : some.stop + 1]
            theirs = self.vectors(references.texts, slice(int(groups[0]), int(groups[-1])), batch.threads)
            ours = np.repeat(self.vectors(batch.hypotheses, some, batch.threads), np.diff(groups), axis=0)
            cosines = (ours * theirs).sum(axis=1)
            rows[some] = best_rows(cosines, cosines, groups - groups[0])
        return rows

    def statistic_names(self) -> tuple[str, ...]:
        return "cosine", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """How many tokens of each side were read."""
        read = self.reader.encoder.tokens([batch.hypotheses[0]])[0]
        cut = ", the rest of it was not" if read.cut else ""
        note = f"One vector a text: {len(read)} tokens of the translation were read{cut}."
        return dataclasses.replace(plain, formula=explained.given("score", plain.score), notes=(note,))


@dataclasses.dataclass(frozen=True)
class CosineSource(Cosine):
    """Statistics: [cosine, 1], against the source."""

    name = "cosine-source"
    needs = frozenset({"sources"})
    card = Card(
        title="Sentence similarity with the source",
        year=2019,
        kind="no reference",
        resources="crosslingual encoder",
        definition=(
            "The cosine of the vectors of translation and source: of each text the mean of its tokens' vectors in one "
            "layer of an encoder that knows both languages, as LASIM of WMT19 did it with LASER. It needs no reference."
        ),
        paper=f"{_PAPER}; Fonseca et al. 2019, *Findings of the WMT 2019 shared tasks on quality estimation*",
        scale="-1 to 1",
        reference=_REFERENCE,
        differences=(
            "The encoder that is taken without `model` knows English alone: name one that knows both languages.",
            READING,
        ),
    )

    def values(self, batch: Batch) -> Array:
        """The cosine with the source."""
        sources = batch.required_sources()
        rows = np.ones(len(batch))
        for some in parts(batch):
            ours, theirs = (self.vectors(t, some, batch.threads) for t in (batch.hypotheses, sources))
            rows[some] = (ours * theirs).sum(axis=1)
        return rows
