"""What metrics over an encoder share: which encoder and layer, reading in parts, counting what was cut."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from tercet import numbers
from tercet.data import Array, Batch, Texts
from tercet.data.explanation import PICTURED, Match
from tercet.encoders import Encoded, Encoder, encoder
from tercet.encoders.architecture import read_architecture
from tercet.encoders.packages import FLOAT_COMMAND, PACKAGED, packaged
from tercet.encoders.tokens import TextTokens, TokenizerKind
from tercet.metric_base import Metric
from tercet.spec import Spec, option

PART = 256  # segments whose vectors are held at once
MODEL = "encoder: a folder, an ONNX file, or the name of one that a package carries: minilm (English)"
LAYER = "layer of the encoder, 0 for its embeddings; none: the last one"
_LISTED = 50  # pairs of tokens
READING = "A text longer than the encoder reads is cut, and a note counts how many were."


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a folder; a name that no file can have, such as one that is too long, is none."""
    return os.path.isdir(path)


class NamesEncoders(Spec):
    """Base of metrics whose `model` or `encoder` may be an encoder of a package, which is no file of the user's."""

    @classmethod
    def names_file(cls, option: str, value: str) -> bool:
        """Whether it is the name of a file or folder."""
        return super().names_file(option, value) and value not in PACKAGED


def is_encoder(where: str) -> bool:
    """Whether there is such a folder or ONNX file, or such a name."""
    is_file = os.path.isfile(where)
    return is_folder(where) or (is_file and pathlib.Path(where).suffix == ".onnx") or where in PACKAGED


def has_layer(where: str, layer: int) -> bool:
    """Whether the encoder has this layer, as far as that can be told without reading its weights."""
    path = pathlib.Path(where)
    if os.path.isdir(path):
        return 0 <= layer <= read_architecture(path).layers
    if not os.path.exists(path) and where in PACKAGED:
        return layer in packaged(where).layers
    return (path.parent / "config.json").is_file() and layer == read_architecture(path.parent).layers


def parts(batch: Batch) -> Iterator[slice]:
    """The segments, some at a time."""
    for start in range(0, len(batch), PART):
        yield slice(start, min(start + PART, len(batch)))


def count_cut(texts: Texts, rows: Sequence[TextTokens], start: int, stamp: str) -> None:
    """Remember, beside the texts, how many of them were cut: each part of them once."""
    texts.memo[("cut", stamp, start)] = sum(tokens.cut for tokens in rows)


def cut_counts(texts: Texts, stamp: str, longest: int) -> dict[str, int]:
    """What `remarks` says of texts that were cut."""
    cut = sum(n for key, n in texts.memo.items() if isinstance(key, tuple) and key[:2] == ("cut", stamp))
    return {f"longer than {longest} tokens, and cut": cut} if cut else {}


@dataclasses.dataclass(frozen=True)
class LayerReader:
    """A layer of an encoder, and the name of the metric that reads with it."""

    model: str
    layer: int | None
    stamp: str

    def check(self, metric: Metric) -> None:
        """Refuse an encoder or a layer that is not there."""
        names = " or ".join(PACKAGED)
        metric.require(is_encoder(self.model), "model", f"a folder or an ONNX file that is there, or {names}")
        if self.layer is not None:
            metric.require(has_layer(self.model, self.layer), "layer", f"a layer of the encoder{self._lacking()}")

    def _lacking(self) -> str:
        """How to get the layers that another package would have."""
        if self.model not in PACKAGED or packaged(self.model) is PACKAGED[self.model]:
            return ""
        told = " or ".join(map(str, packaged(self.model).layers))
        return f", {told} (for the others, `{FLOAT_COMMAND}`)"

    @property
    def encoder(self) -> Encoder:
        """The encoder, read once."""
        return encoder(self.model)

    @property
    def layers(self) -> tuple[int, ...] | None:
        """The layers that are asked for."""
        return None if self.layer is None else (self.layer,)

    def facts(self) -> dict[str, str]:
        """Weights, tokenizer, layer, precision and engine."""
        layer = self.encoder.last if self.layer is None else self.layer
        return self.encoder.facts() | {"read-layer": "last" if layer is None else str(layer)}

    def encoded(
        self, texts: Texts, some: slice, threads: int, *, kind: TokenizerKind = "fast", strip: bool = False
    ) -> list[Encoded]:
        """Some of the texts with their vectors, (1, tokens, dimensions) each."""
        strings = [text.strip() if strip else text for text in texts.strings[some]]
        read = self.encoder.layers(strings, self.layers, tokenizer=kind, threads=threads)
        count_cut(texts, [e.tokens for e in read], some.start, self.stamp)
        return read

    def both(
        self, batch: Batch, some: slice, *, kind: TokenizerKind = "fast", strip: bool = False
    ) -> tuple[list[Encoded], list[Encoded]]:
        """Translations and references of some segments, read."""
        references = batch.required_references()
        group = slice(int(references.groups[some.start]), int(references.groups[some.stop]))
        hyps = self.encoded(batch.hypotheses, some, batch.threads, kind=kind, strip=strip)
        return hyps, self.encoded(references.texts, group, batch.threads, kind=kind, strip=strip)

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """How many texts were cut."""
        return cut_counts(texts, self.stamp, self.encoder.longest)


@dataclasses.dataclass(frozen=True)
class EncoderMetric(NamesEncoders, Metric):
    """Base of metrics that look at the vectors of one layer."""

    model: str = option("minilm", MODEL)
    layer: int | None = option(None, LAYER)

    files: ClassVar[tuple[str, ...]] = ("model",)
    digits = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self.reader.check(self)

    @property
    def reader(self) -> LayerReader:
        """What reads the texts."""
        return LayerReader(self.model, self.layer, str(self))

    def facts(self) -> dict[str, str]:
        """Weights, tokenizer, layer, precision and engine."""
        return self.reader.facts()

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """How many texts were cut."""
        return self.reader.remarks(texts)


def packed(read: Sequence[Encoded], places: Sequence[Any], weights: Sequence[Array]) -> tuple[Any, Any, Array]:
    """Vectors, ends of texts and weights as the kernel takes them; of each text the tokens at its `places`."""
    vectors = [e.vectors[0][place] for e, place in zip(read, places, strict=True)]
    dimension = read[0].vectors.shape[-1] if read else 1
    rows = np.concatenate([np.zeros((0, dimension), dtype=np.float32), *vectors])
    ends = np.cumsum([0, *(len(v) for v in vectors)], dtype=np.int64)
    return rows, ends, np.concatenate([np.zeros(0), *weights])


def shown(pieces: Sequence[str]) -> tuple[str, ...]:
    """Pieces as a reader knows them: a space is where a word begins."""
    return tuple(piece.replace("Ġ", "▁") or "▁" for piece in pieces)


def similarities(one: Encoded, other: Encoded, place: slice, other_place: slice) -> Array:
    """The cosines of tokens of two texts."""
    a, b = one.vectors[0][place].astype(np.float64), other.vectors[0][other_place].astype(np.float64)
    lengths = [np.maximum(np.sqrt((v * v).sum(axis=1)), 1e-300) for v in (a, b)]
    cosines: Array = np.einsum("id,jd->ij", a / lengths[0][:, None], b / lengths[1][:, None])
    return cosines


def pictured(cosines: Array) -> tuple[tuple[float, ...], ...]:
    """Cosines as an explanation has them; none of texts that are too long for a picture."""
    return tuple(map(tuple, cosines.round(4).tolist())) if cosines.size <= PICTURED else ()


def soft_alignment(
    cosines: Array, hyp: Sequence[str], ref: Sequence[str], *, from_reference: bool
) -> tuple[tuple[Match, ...], tuple[str, ...]]:
    """Each token beside the most similar one of the other side, and the pairs that are not alike in words."""
    if not cosines.size:
        return (), ()
    axis = 0 if from_reference else 1
    best = cosines.argmax(axis=axis).tolist()
    pairs = [(i, j) for j, i in enumerate(best)] if from_reference else list(enumerate(best))
    matches = tuple(Match((i, i + 1), (j, j + 1), "exact" if hyp[i] == ref[j] else "similar") for i, j in pairs)
    told = tuple(f"{hyp[i]} ~ {ref[j]}: {numbers.score(cosines[i, j])}" for i, j in pairs if hyp[i] != ref[j])
    return matches, told[:_LISTED]
