"""COMET (Rei et al. 2020) and its kin, CometKiwi and xCOMET, from a folder of the user's."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from collections.abc import Mapping

import numpy as np

from tercet import contents, numbers
from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation, Factor
from tercet.encoders import Encoder, encoder
from tercet.encoders.reading import TokenRow
from tercet.encoders.tokens import TextTokens
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.metrics.neural.base import READING, NamesEncoders, count_cut, cut_counts, is_encoder, parts
from tercet.metrics.neural.comet_model import JOINT, CometModel, Joint, MarkedError, comet_model
from tercet.spec import option

_UNTRAINED = "minilm"  # the encoder of the model that is taken where none is named
_TAG_SHARES = (0.1667, 0.3333, 0.5)  # of translation with source, with reference, with both
_XCOMET_SHARES = (0.12, 0.33, 0.33, 0.22)  # of these three, and of the marked errors
_PENALTIES = {"minor": 1, "major": 5, "critical": 10}
_WORST = 25


@dataclasses.dataclass(frozen=True)
class CometVerdict:
    """What a model says of one segment: its score, the parts of it, and the errors that it marks."""

    score: float
    parts: tuple[float, ...] = ()
    errors: float | None = None  # 1 for none, 0 for the worst
    spans: tuple[MarkedError, ...] = ()


@dataclasses.dataclass(frozen=True)
class Comet(NamesEncoders, MeanMetric):
    """Statistics: [score, 1]; of several references the mean."""

    model: str | None = option(None, "folder of a COMET model; none: an untrained one, for trying out")
    encoder: str | None = option(None, "folder of the encoder that it was trained with, for its tokenizer")

    name = "comet"
    files = ("model", "encoder")
    needs = frozenset({"sources"})
    digits = 4
    card = Card(
        title="COMET",
        year=2020,
        group="Unbabel",
        kind="trained",
        resources="model",
        definition=(
            "A network that was trained on judgements reads translation, source and perhaps reference. The kind of "
            "model, in its hparams.yaml, says how: `regression_metric` and `referenceless_regression_metric` compare "
            "pooled vectors of the texts, `ranking_metric` their distances; `unified_metric` (UniTE, CometKiwi) and "
            "`xcomet_metric` read them as one text, and may mark errors, which xCOMET's score counts. A system's score "
            "is the mean of its segments."
        ),
        paper="Rei et al. 2020, *COMET: a neural framework for MT evaluation*; Rei et al. 2022, *CometKiwi*; Guerreiro "
        "et al. 2024, *xCOMET: transparent machine translation evaluation through fine-grained error detection*",
        scale="that of the judgements which the model was trained on; often about 0 to 1",
        reference="PyPI unbabel-comet 2.2.7, held to 2e-5 for eight models of all kinds; marked errors are equal",
        differences=(
            "The model is a folder: hparams.yaml, model.safetensors with all weights, config.json of the encoder. "
            "Checkpoints (.ckpt) are pickled and not read.",
            "References are used where they are given; a model that cannot do without them says so.",
            "Of several references the score is the mean of the scores; COMET takes one.",
            "Without a model it is minus the distance of MiniLM's sentence vectors, which is good for trying it out.",
            "Reproduced: a marked error that is still open at the last token is dropped.",
            READING,
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = self.model is None or os.path.isdir(self.model)
        self.require(fine, "model", "a folder that is there")
        self.require(self.encoder is None or is_encoder(self.encoder), "encoder", "a folder that is there")

    @property
    def trained(self) -> CometModel:
        """The model, read once."""
        if self.model is not None:
            return comet_model(self.model, self.encoder)
        return _untrained(encoder(self.encoder or _UNTRAINED))

    def facts(self) -> dict[str, str]:
        """Weights, tokenizer, settings, precision and engine."""
        hparams = None if self.model is None else str(pathlib.Path(self.model) / "hparams.yaml")
        settings = {} if hparams is None else {"hparams-sha256": contents.checksum(hparams)}
        return self.trained.reader.facts() | settings

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """How many texts were cut."""
        return cut_counts(texts, str(self), self.trained.most - 2)

    def values(self, batch: Batch) -> Array:
        """One score a segment."""
        return np.array([verdict.score for verdict in self.verdicts(batch)], dtype=np.float64)

    def verdicts(self, batch: Batch) -> list[CometVerdict]:
        """What the model says of each segment, with its first reference where there are several."""
        model = self.trained
        verdicts: list[CometVerdict] = []
        for some in parts(batch):
            mts = self._tokens(batch, "mt", some)
            sources = self._tokens(batch, "src", some)
            if batch.references is None:
                verdicts += self._judged(model, mts, sources, None, batch.threads)
                continue
            groups = batch.references.groups[some.start : some.stop + 1]
            references = self._tokens(batch, "ref", slice(int(groups[0]), int(groups[-1])))
            segment = np.repeat(np.arange(len(mts)), np.diff(groups)).tolist()
            alone = self._judged(
                model, [mts[i] for i in segment], [sources[i] for i in segment], references, batch.threads
            )
            for start, stop in zip(groups[:-1] - groups[0], groups[1:] - groups[0], strict=True):
                mean = sum(verdict.score for verdict in alone[start:stop]) / (stop - start)
                verdicts.append(alone[start] if stop == start + 1 else dataclasses.replace(alone[start], score=mean))
        return verdicts

    def _tokens(self, batch: Batch, side: str, some: slice) -> list[TextTokens]:
        texts = batch.hypotheses if side == "mt" else batch.required_sources()
        if side == "ref":
            texts = batch.required_references().texts
        rows = self.trained.tokens(texts.strings[some])
        count_cut(texts, rows, some.start, str(self))
        return rows

    def _judged(
        self,
        model: CometModel,
        mts: list[TextTokens],
        sources: list[TextTokens],
        refs: list[TextTokens] | None,
        threads: int,
    ) -> list[CometVerdict]:
        if model.kind in JOINT:
            return _read_jointly(model, mts, sources, refs, threads)
        if refs is None and model.kind != "referenceless_regression_metric":
            raise model.lacks_references()
        n = len(mts)
        vectors = model.sentence_vectors([*mts, *sources, *(refs or ())], threads)
        others: list[Array | None] = [*vectors[2 * n :]] or [None] * n
        return [
            CometVerdict(model.from_sentences(*texts))
            for texts in zip(vectors[:n], vectors[n : 2 * n], others, strict=True)
        ]

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """What the score is made of, and the errors that the model marks."""
        verdict = self.verdicts(batch)[0]
        told = tuple(
            f"{s.severity}: {s.text.strip()!r}, characters {s.start} to {s.end}, sure by {numbers.score(s.confidence)}"
            for s in verdict.spans
        )
        several = batch.references is not None and len(batch.references[0]) > 1
        formula = explained.given("score", plain.score)
        if not several and verdict.score == plain.score:
            formula = _formula(plain.score, verdict)
        return dataclasses.replace(plain, formula=formula, notes=told)


def _formula(score: float, verdict: CometVerdict) -> Factor:
    names = ("with the source", "with the reference", "with both")
    given = [explained.given(name, value) for name, value in zip(names, verdict.parts, strict=False)]
    if len(given) < 2 and verdict.errors is None:
        return explained.given("score", score)
    if verdict.errors is None:
        return Factor("score", score, "mean", tuple(given))
    shares = _XCOMET_SHARES if len(given) == len(names) else (1 - _XCOMET_SHARES[-1], _XCOMET_SHARES[-1])
    capped = [explained.given(f.name, min(f.value, 1.0), "at most 1") for f in given]
    every = [*capped, explained.given("errors marked", verdict.errors, "1 for none, 0 for the worst")]
    return Factor("score", score, "mean", tuple(explained.weighted(f, s) for f, s in zip(every, shares, strict=True)))


def _read_jointly(
    model: CometModel, mts: list[TextTokens], sources: list[TextTokens], refs: list[TextTokens] | None, threads: int
) -> list[CometVerdict]:
    """Translation with source, and where there are references with each and with both."""
    three = refs is not None and "ref" in model.segments
    rows, sizes = [], []
    for i, mt in enumerate(mts):
        groups = [(mt, sources[i])]
        if three and refs is not None:
            groups += [(mt, refs[i]), (mt, sources[i], refs[i])]  # type: ignore[list-item]
        rows += [model.joined(group) for group in groups]
        sizes += [len(mt)] * len(groups)
    said = model.joint(rows, sizes, threads)
    width = 3 if three else 1
    return [_summed(model, mt, rows[i * width], said[i * width : (i + 1) * width]) for i, mt in enumerate(mts)]


def _summed(model: CometModel, mt: TextTokens, row: TokenRow, said: list[Joint]) -> CometVerdict:
    scores = tuple(one.score for one in said)
    spans: tuple[MarkedError, ...] = ()
    if model.tags_words:
        shares = _TAG_SHARES if len(said) > 1 else (1.0,)
        tags = sum(share * one.tags for share, one in zip(shares, said, strict=True) if one.tags is not None)
        spans = model.spans(np.asarray(tags), mt, row)
    if model.kind == "unified_metric":
        return CometVerdict(sum(scores) / len(scores), scores, None, spans)
    penalty = sum(_PENALTIES.get(span.severity, 0) for span in spans)
    errors = (_WORST - min(_WORST, penalty)) / _WORST
    shares = _XCOMET_SHARES[:-1] if len(said) > 1 else (1 - _XCOMET_SHARES[-1],)
    total = sum(share * min(score, 1.0) for share, score in zip(shares, scores, strict=True))
    return CometVerdict(total + _XCOMET_SHARES[-1] * errors, scores, errors, spans)


@functools.lru_cache(maxsize=2)
def _untrained(reader: Encoder) -> CometModel:
    """A reference-less model whose head is minus the distance of the two vectors."""
    hidden = 1 if reader.shape is None else reader.shape.hidden
    distance = np.concatenate([np.zeros(3 * hidden), np.full(hidden, -1.0)])
    weights = {"estimator.ff.0.weight": distance[None], "estimator.ff.0.bias": np.zeros(1)}
    last = 0 if reader.shape is None else reader.shape.layers
    hparams = {"class_identifier": "referenceless_regression_metric", "encoder_model": "BERT", "layer": last}
    return CometModel(hparams, weights, reader, f"of the encoder {reader.model}")
