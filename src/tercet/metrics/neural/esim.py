"""ESIM (Mathur et al. 2019), the trained metric of WMT19 that reads with BERT: a head over a frozen encoder."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation
from tercet.encoders import Encoder, encoder
from tercet.encoders.architecture import LARGEST, json_object
from tercet.encoders.memory import Vectors
from tercet.encoders.reading import TokenRow
from tercet.encoders.tokens import TextTokens
from tercet.encoders.weights import checksum, read_weights
from tercet.errors import InputError, extra
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.neural.base import NamesEncoders, count_cut, cut_counts, is_encoder, is_folder, parts
from tercet.metrics.neural.comet_model import softmax
from tercet.metrics.neural.esim_model import MIX, esim_graph, needed, untrained_weights
from tercet.metrics.several import best_rows
from tercet.spec import option

UNTRAINED = "minilm"
PIECES = 100  # of a text that are read
_HINT = "An ESIM folder holds config.json and model.safetensors."


class EsimModel:
    """A trained head and the encoder below it."""

    def __init__(self, weights: Mapping[str, Any], reader: Encoder, most: int, where: str, stamp: str) -> None:
        self.weights, self.reader, self.where, self.stamp = weights, reader, where, stamp
        if reader.shape is None or reader.is_graph:
            raise InputError(
                f"The encoder {reader.model} gives its last layer alone, and ESIM mixes all of them.",
                hint="Name the folder of its weights.",
            )
        self.layers = reader.shape.layers
        self.longest = min(most + 2, reader.longest)
        logits = [needed(weights, f"{MIX}scalar_parameters.{i}", where)[0] for i in range(self.layers)]
        self.shares = softmax(np.array(logits, dtype=np.float64)) * float(needed(weights, f"{MIX}gamma", where)[0])
        wide = needed(weights, "_encoder._module.weight_ih_l0", where).shape[1]
        if wide != reader.shape.hidden:
            raise InputError(
                f"{where} was trained over vectors of {wide} numbers, and the encoder {reader.model} gives "
                f"{reader.shape.hidden}.",
                hint="Name the encoder that it was trained with.",
            )

    @functools.cached_property
    def session(self) -> Any:
        """The network, on one thread: segments are shared out."""
        runtime = extra("onnxruntime", "onnxruntime", "neural", "ESIM")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return runtime.InferenceSession(esim_graph(self.weights, self.where), options, ["CPUExecutionProvider"])

    def _mixed(self, _row: TokenRow, vectors: Vectors) -> Array:
        """All layers but the embeddings, without the marks of beginning and end."""
        mixed = np.zeros(vectors.shape[1:])
        for share, layer in zip(self.shares, vectors, strict=True):
            mixed += share * layer.astype(np.float64)
        return mixed[1:-1]

    def vectors(self, rows: Sequence[TextTokens], threads: int) -> list[Vectors]:
        """The mixed vectors of the pieces of each text; a literal padding mark is not attended to."""
        pad = 0 if self.reader.shape is None else self.reader.shape.pad
        asked = [TokenRow(t.ids, None, tuple(int(i != pad) for i in t.ids) if pad in t.ids else None) for t in rows]
        every = range(1, self.layers + 1)
        return self.reader.read(asked, every, finish=self._mixed, how=f" mixed {self.stamp}", threads=threads)

    def score(self, pair: tuple[Vectors, Vectors]) -> float:
        """The number of a reference and a translation; NaN where one has no pieces."""
        reference, translation = pair
        if not len(reference) or not len(translation):
            return float("nan")
        return float(self.session.run(["score"], {"a": reference, "b": translation})[0][0, 0])


@dataclasses.dataclass(frozen=True)
class Esim(NamesEncoders, Metric):
    """Statistics: [score, 1], of the best reference; [0, 0] where there is nothing to read."""

    model: str | None = option(None, "folder of a trained ESIM; none: an untrained one, for trying out")
    encoder: str | None = option(None, "encoder that it was trained over; none: the one that its config.json names")

    name = "esim"
    files = ("model", "encoder")
    digits = 4
    card = Card(
        title="ESIM",
        year=2019,
        group="University of Melbourne",
        kind="trained",
        resources="model",
        definition=(
            "The enhanced sequential inference model, trained to predict the judgement of a translation from its "
            "reference: a learnt mix of the layers of a frozen encoder, a bidirectional LSTM over both texts, "
            "attention of each to the other, a second LSTM, and two linear layers over the mean and maximum of each "
            "side. A system's score is the mean of its segments; of several references the best counts."
        ),
        paper="Mathur, Baldwin and Cohn 2019, *Putting evaluation in context: contextual embeddings improve machine "
        "translation evaluation*; Chen et al. 2017, *Enhanced LSTM for natural language inference*",
        scale="that of the judgements which it was trained on: standard scores, about -2 to 2",
        reference="nitikam/mteval-in-context with its published classes, held to 2e-5 on random weights",
        differences=(
            "A folder of the paper's attention baseline, which has no second LSTM, is read as well.",
            "No trained weights are published with the program: name a folder of your own, which `tercet train esim` "
            "writes: its mix of layers is even and not learnt, a state has 64 numbers, nothing is dropped out.",
            "Without a model the weights are random, and the last layer compares the two sides: good for nothing but "
            "trying it out.",
            "A segment without a piece on one side has no score, as the program's NaN; it does not count.",
            "Read are the first 100 pieces of a text, or as many as the encoder has positions for.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.model is None or os.path.isdir(self.model), "model", "a folder that is there")
        self.require(self.encoder is None or is_encoder(self.encoder), "encoder", "a folder that is there, or a name")

    @property
    def trained(self) -> EsimModel:
        """The model, read once."""
        if self.model is None:
            return _untrained_esim(encoder(self.encoder or UNTRAINED))
        path = pathlib.Path(self.model)
        return _esim_model(self.model, checksum(path), encoder(self.encoder or named_encoder(path)))

    def facts(self) -> dict[str, str]:
        """Weights of head and encoder, tokenizer, precision and engine."""
        head = {} if self.model is None else {"model-sha256": self.trained.stamp}
        return head | self.trained.reader.facts()

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """How many texts were cut."""
        return cut_counts(texts, str(self), self.trained.longest)

    def scores(self, batch: Batch, some: slice) -> Array:
        """Of some segments against each of their references."""
        references = batch.required_references()
        groups = references.groups[some.start : some.stop + 1]
        ours = self.read(batch.hypotheses, some, batch.threads)
        theirs = self.read(references.texts, slice(int(groups[0]), int(groups[-1])), batch.threads)
        segment = np.repeat(np.arange(len(ours)), np.diff(groups)).tolist()
        pairs = [(theirs[r], ours[i]) for r, i in enumerate(segment)]
        model = self.trained
        if batch.threads == 1 or len(pairs) < 2:
            return np.array([model.score(pair) for pair in pairs])
        _ = model.session  # made once, before several threads ask for it
        with concurrent.futures.ThreadPoolExecutor(batch.threads) as pool:
            return np.array(list(pool.map(model.score, pairs)))

    def read(self, texts: Texts, some: slice, threads: int) -> list[Vectors]:
        """The mixed vectors of some texts."""
        rows = self.trained.reader.tokens(texts.strings[some], longest=self.trained.longest)
        count_cut(texts, rows, some.start, str(self))
        return self.trained.vectors(rows, threads)

    def statistics(self, batch: Batch) -> Array:
        """The score against the best reference."""
        rows = np.zeros((len(batch), 2))
        groups = batch.required_references().groups
        for some in parts(batch):
            scores = self.scores(batch, some)
            best = best_rows(scores, scores, groups[some.start : some.stop + 1] - groups[some.start])
            there = ~np.isnan(best)
            rows[some] = np.column_stack([np.where(there, best, 0.0), there])
        return rows

    def score(self, stats: Array) -> Array:
        """The mean of the segments that have a score."""
        with np.errstate(invalid="ignore"):
            mean: Array = stats[..., 0] / stats[..., 1]
        return mean

    def statistic_names(self) -> tuple[str, ...]:
        return "score", "segments with a score"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Which reference counts; a trained network says no more of itself."""
        scores = self.scores(batch, slice(0, 1))
        number = 0 if np.isnan(scores).all() else int(np.nanargmax(scores))
        notes = explained.references_note(batch.required_references()[0], number)
        return dataclasses.replace(plain, notes=notes)


@functools.lru_cache(maxsize=2)
def _untrained_esim(reader: Encoder) -> EsimModel:
    shape = reader.shape
    weights = untrained_weights(1 if shape is None else shape.hidden, 1 if shape is None else shape.layers)
    return EsimModel(weights, reader, PIECES, "an untrained ESIM", "untrained")


@functools.lru_cache(maxsize=2)
def _esim_model(folder: str, stamp: str, reader: Encoder) -> EsimModel:
    path = pathlib.Path(folder)
    most = json_object(path / "config.json", _HINT).get("max_wordpieces") or PIECES
    if type(most) is not int or not 1 <= most <= LARGEST:
        raise InputError(f"{path / 'config.json'}: max_wordpieces is {most!r:.60}.", hint=_HINT)
    return EsimModel(read_weights(path), reader, most, folder, stamp)


def named_encoder(folder: pathlib.Path) -> str:
    """The encoder that a model's config.json names: beside it, or anywhere."""
    named = str(json_object(folder / "config.json", _HINT).get("encoder", ""))
    beside = [str(home / named) for home in (folder, *folder.parents[:2]) if named and is_folder(home / named)]
    if not beside and not is_encoder(named):
        raise InputError(
            f"{folder} was trained over the encoder {named!r}, which is not there.",
            hint=f'Name its folder: esim(model="{folder}", encoder="FOLDER").',
        )
    return (beside or [named])[0]
