"""A COMET model of a folder: hparams.yaml, model.safetensors, and the encoder that it was trained with.

sentences   regression_metric, referenceless_regression_metric, ranking_metric: a vector of each text, from all
            layers mixed, pooled over its tokens; then a head of linear layers, or distances
joint       unified_metric, xcomet_metric: translation, source and reference as one sequence; a head on its first
            token, and perhaps tags of the translation's tokens
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tercet import contents
from tercet.data import Array
from tercet.encoders import Encoder, encoder
from tercet.encoders.architecture import Architecture
from tercet.encoders.memory import Vectors
from tercet.encoders.reading import TokenRow
from tercet.encoders.tokens import TextTokens
from tercet.encoders.weights import read_weights
from tercet.errors import InputError, extra
from tercet.formats import lines
from tercet.metrics.elementary import exp, log

SENTENCES = ("regression_metric", "referenceless_regression_metric", "ranking_metric")
JOINT = ("unified_metric", "xcomet_metric")
_LARGEST_HPARAMS = 1 << 20  # bytes
_HINT = "A COMET folder holds hparams.yaml and model.safetensors, all weights under the names that COMET gives them."
_EPSILON = 1e-12
_POOLS = ("avg", "cls", "max")


def sparsemax(logits: Array) -> Array:
    """The nearest distribution (Martins and Astudillo 2016), with zeros where softmax has small shares.

    >>> sparsemax(np.array([2.0, 1.5, -1.0])).tolist()
    [0.75, 0.25, 0.0]
    """
    falling = np.sort(logits)[::-1]
    sums, counts = np.cumsum(falling), np.arange(1, len(logits) + 1)
    support = int(counts[1 + counts * falling > sums][-1])
    shares: Array = np.maximum(logits - (sums[support - 1] - 1) / support, 0.0)
    return shares


def softmax(logits: Array) -> Array:
    """Shares over the last axis."""
    powers = exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Array = powers / powers.sum(axis=-1, keepdims=True)
    return shares


_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + exp(-x)),
    "relu": lambda x: np.maximum(x, 0.0),
    "softplus": lambda x: np.maximum(x, 0.0) + log(1 + exp(-np.abs(x))),
    "identity": lambda x: x,
}


@dataclasses.dataclass(frozen=True, eq=False)
class Head:
    """Linear layers with an activation between them, and perhaps one after the last."""

    layers: tuple[tuple[Array, Array], ...]
    between: Callable[[Array], Array]
    after: Callable[[Array], Array]

    def __call__(self, features: Array) -> float:
        """The number of one row. Sums are numpy's own: those of a linear-algebra library vary with its threads."""
        x = features
        for i, (weight, bias) in enumerate(self.layers):
            x = np.einsum("ij,j->i", weight, x) + bias
            if i + 1 < len(self.layers):
                x = self.between(x)
        return float(self.after(x)[0])


@dataclasses.dataclass(frozen=True)
class MarkedError:
    """An error that a model marks: characters of the translation, how severe, how sure."""

    text: str
    start: int
    end: int
    severity: str
    confidence: float


@dataclasses.dataclass(frozen=True)
class Joint:
    """What a model says of one joint sequence: its score, and the probabilities of tags of the translation's tokens."""

    score: float
    tags: Array | None


class CometModel:
    """A model that scores one segment after another; texts are read before, many at once."""

    def __init__(self, hparams: Mapping[str, Any], weights: Mapping[str, Any], reader: Encoder, where: str) -> None:
        self.where, self.reader = where, reader
        self.kind = hparams.get("class_identifier")
        if self.kind not in (*SENTENCES, *JOINT):
            raise InputError(
                f"{where} is a COMET model of the class {self.kind!r}, which is not known here.",
                hint=f"There are {', '.join((*SENTENCES, *JOINT))}.",
            )
        self.weights = weights
        self.is_bert = hparams.get("encoder_model") == "BERT"
        self.layer = hparams.get("sent_layer" if self.kind in JOINT else "layer", "mix")
        self.normalises = bool(hparams.get("layer_norm"))
        self.pool = str(hparams.get("pool", "avg"))
        if self.kind in SENTENCES and self.pool not in _POOLS:
            raise InputError(f"{where} pools by {self.pool!r}.", hint=f"There are {', '.join(_POOLS)}.")
        self.labels = [str(label) for label in hparams.get("error_labels") or ()]
        self.segments = [str(name) for name in hparams.get("input_segments") or ("mt", "src", "ref")]
        self.word_layer = int(hparams.get("word_layer") or 0)
        self.tags_words = self.kind in JOINT and "hidden2tag.weight" in weights
        self.shares = self._shares(str(hparams.get("layer_transformation", "softmax")))
        self.head = None if self.kind == "ranking_metric" else self._head(hparams)

    @property
    def shape(self) -> Architecture:
        """The encoder's, which is never a graph without a configuration."""
        if self.reader.shape is None:
            raise InputError(f"{self.where} has no config.json.", hint=_HINT)
        return self.reader.shape

    @property
    def most(self) -> int:
        """Positions that COMET uses."""
        return self.shape.positions - 2

    def _weight(self, name: str) -> Array:
        if name not in self.weights:
            raise InputError(f"The weights of {self.where} lack {name}.", hint=_HINT)
        return np.asarray(self.weights[name], dtype=np.float64)

    def _shares(self, transformation: str) -> Array | None:
        """The share of each layer in the mix."""
        if self.layer != "mix":
            if type(self.layer) is not int or not 0 <= self.layer <= self.shape.layers:
                raise InputError(f"{self.where} asks for the layer {self.layer!r}.", hint=_HINT)
            return None
        names = [f"layerwise_attention.scalar_parameters.{i}" for i in range(self.shape.layers + 1)]
        logits = np.array([self._weight(name)[0] for name in names])
        mixed = sparsemax(logits) if transformation == "sparsemax" else softmax(logits)
        return mixed * float(self._weight("layerwise_attention.gamma")[0])

    def _head(self, hparams: Mapping[str, Any]) -> Head:
        names = [name for name in self.weights if name.startswith("estimator.ff.") and name.endswith(".weight")]
        places = sorted(int(name.split(".")[2]) for name in names)
        if not places:
            raise InputError(f"The weights of {self.where} have no estimator.", hint=_HINT)
        layers = tuple(
            (self._weight(f"estimator.ff.{i}.weight"), self._weight(f"estimator.ff.{i}.bias")) for i in places
        )
        kinds = [str(hparams.get(name) or "identity").lower() for name in ("activations", "final_activation")]
        for kind in kinds:
            if kind not in _ACTIVATIONS:
                raise InputError(
                    f"{self.where} has the activation {kind!r}.", hint=f"There are {', '.join(_ACTIVATIONS)}."
                )
        return Head(layers, _ACTIVATIONS[kinds[0]], _ACTIVATIONS[kinds[1]])

    def tokens(self, texts: Sequence[str]) -> list[TextTokens]:
        """The tokens of texts, cut as COMET cuts them."""
        return self.reader.tokens(texts, longest=self.most - 2)

    def _mixed(self, layers: Array) -> Array:
        """(tokens, dimensions) of all layers, (layers, tokens, dimensions)."""
        if self.shares is None:
            only: Array = layers[self.layer]
            return only
        if self.normalises:
            means, spreads = layers.mean(axis=(1, 2), keepdims=True), layers.var(axis=(1, 2), keepdims=True)
            layers = (layers - means) / np.sqrt(spreads + _EPSILON)
        mixed = np.zeros(layers.shape[1:])
        for share, layer in zip(self.shares, layers, strict=True):
            mixed += share * layer
        return mixed

    def _how(self, what: str) -> str:
        """What is made of the layers, as a name for the vectors that are kept."""
        shares = None if self.shares is None else self.shares.tolist()
        return f" {what} {self.layer} {shares} {self.normalises} {self.pool} {self.tags_words} {self.word_layer}"

    def _pooled(self, row: TokenRow, vectors: Vectors) -> Array:
        mixed = self._mixed(vectors.astype(np.float64))
        if self.pool == "cls":
            first: Array = mixed[0]
            return first
        kept = mixed[np.array(row.ids) != self.shape.pad]
        whole: Array = kept.max(axis=0) if self.pool == "max" else kept.sum(axis=0) / len(row.ids)
        return whole

    def sentence_vectors(self, rows: Sequence[TextTokens], threads: int) -> list[Array]:
        """A vector of each text."""
        asked, every = [TokenRow(tokens.ids) for tokens in rows], range(self.shape.layers + 1)
        read = self.reader.read(asked, every, finish=self._pooled, how=self._how("pooled"), threads=threads)
        return [vector.astype(np.float64) for vector in read]

    def from_sentences(self, mt: Array, src: Array, ref: Array | None) -> float:
        """The score of one segment, from the vectors of its texts."""
        if self.kind == "ranking_metric" and ref is not None:
            far, near = (float(np.sqrt(((mt - other + 1e-6) ** 2).sum())) for other in (src, ref))
            return 1 / (1 + 2 * far * near / (far + near))
        if self.head is None or (ref is None and self.kind == "regression_metric"):
            raise self.lacks_references()
        if self.kind == "regression_metric" and ref is not None:
            return self.head(np.concatenate([mt, ref, mt * ref, abs(mt - ref), mt * src, abs(mt - src)]))
        return self.head(np.concatenate([mt, src, mt * src, abs(mt - src)]))

    def lacks_references(self) -> InputError:
        """What is said where a model needs references."""
        return InputError(
            f"The COMET model {self.where} needs references, and there are none.", hint="Name them with -r."
        )

    def joined(self, texts: Sequence[TextTokens]) -> TokenRow:
        """Translation and others as one sequence, whose end is lost where it is too long."""
        tokenizer, pad = self.reader.tokenizer, self.shape.pad
        inner = [[i for i in tokens.ids if i != pad] for tokens in texts]
        between = [tokenizer.end[-1]] * (1 if self.is_bert else 2)
        ids = [tokenizer.begin[0], *inner[0][1:-1]]
        for other in inner[1:]:
            ids += [*between, *other[1:-1]]
        ids.append(tokenizer.end[-1])
        if sum(len(one) - 2 for one in inner) > self.most - (1 + len(inner) * len(between)):
            ids = ids[: self.most]
        types = ([0] * len(inner[0]) + [1] * len(ids))[: len(ids)] if self.is_bert else None
        return TokenRow(tuple(ids), None if types is None else tuple(types))

    def _first_and_tags(self, _row: TokenRow, vectors: Vectors) -> Array:
        """The mixed first token, and below it what the tags are made of."""
        layers = vectors.astype(np.float64)
        first = self._mixed(layers)[:1]
        return np.concatenate([first, layers[self.word_layer]]) if self.tags_words else first

    def joint(self, rows: Sequence[TokenRow], n_words: Sequence[int], threads: int) -> list[Joint]:
        """Scores and tags of joint sequences, whose first `n_words` tokens are the translation's."""
        every = range(self.shape.layers + 1)
        read = self.reader.read(rows, every, finish=self._first_and_tags, how=self._how("joint"), threads=threads)
        return [self._said(vectors.astype(np.float64), n) for vectors, n in zip(read, n_words, strict=True)]

    def _said(self, vectors: Array, n_words: int) -> Joint:
        if self.head is None:
            raise InputError(f"{self.where} has no estimator.", hint=_HINT)
        score = self.head(vectors[0])
        if not self.tags_words:
            return Joint(score, None)
        logits = np.einsum("td,kd->tk", vectors[1 : n_words + 1], self._weight("hidden2tag.weight"))
        tags = softmax(logits + self._weight("hidden2tag.bias"))
        return Joint(score, np.pad(tags, ((0, n_words - len(tags)), (0, 0))))

    def spans(self, tags: Array, mt: TextTokens, row: TokenRow) -> tuple[MarkedError, ...]:
        """Runs of tokens with an error tag. One that is still open at the last token is dropped, as COMET does.

        Their text is that of the joint sequence, which lacks literal padding marks of the translation.
        """
        runs: list[tuple[int, int]] = []
        start: int | None = None
        labels = tags.argmax(axis=1)
        for i, label in enumerate(labels[: len(mt)].tolist()):
            if label and start is None:
                start = i
            elif not label and start is not None:
                runs.append((start, i))
                start = None
        return tuple(
            MarkedError(
                text=self.reader.tokenizer.decoded(row.ids[a:b]),
                start=mt.offsets[a][0],
                end=mt.offsets[b - 1][1],
                severity=self.labels[labels[a] - 1],
                confidence=float(tags[a:b].max(axis=1).mean()),
            )
            for a, b in runs
        )


def comet_model(folder: str, tokenizer: str | None) -> CometModel:
    """The model of a folder, read once. `tokenizer` is the folder of the encoder that it was trained with."""
    path = pathlib.Path(folder)
    hparams = read_hparams(path)
    if tokenizer is None and not (path / "tokenizer.json").is_file():
        named = str(hparams.get("pretrained_model", ""))
        raise InputError(
            f"{folder} has no tokenizer.json; it was trained with the encoder {named!r}.",
            hint=f'Name the folder of {named}: comet(model="{folder}", encoder="FOLDER").',
        )
    reader = encoder(path, path if tokenizer is None else tokenizer)
    return _comet_model(folder, contents.state(folder), reader)


@functools.lru_cache(maxsize=2)
def _comet_model(folder: str, _state: contents.State, reader: Encoder) -> CometModel:
    path = pathlib.Path(folder)
    weights = {name: tensor for name, tensor in read_weights(path).items() if not name.startswith("encoder.")}
    try:
        return CometModel(read_hparams(path), weights, reader, folder)
    except (ValueError, TypeError, LookupError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{folder}: settings and weights do not fit together: {error}.", hint=_HINT) from None


def read_hparams(folder: pathlib.Path) -> dict[str, Any]:
    """The content of hparams.yaml."""
    yaml = extra("yaml", "PyYAML", "neural", "A COMET model")
    path = folder / "hparams.yaml"
    if not path.is_file():
        raise InputError(f"{folder} has no hparams.yaml.", hint=_HINT)
    text = lines.whole(path, _LARGEST_HPARAMS)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise ValueError("it refers to parts of itself, so that it would have no end when it is shown")
        content = yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}.", hint=_HINT) from None
    if not isinstance(content, dict):
        raise InputError(f"{path} is no table of names and values.", hint=_HINT)
    return content
