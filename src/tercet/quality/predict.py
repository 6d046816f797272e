"""`qe_predict`: one line in, one line out.

A model of sentences gives a score, an interval that holds the label, and what moved the score; one of words gives tags;
both together give both.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet import label_inputs
from tercet.data import Texts
from tercet.data.quality_answers import MovingFeature, QualityPredictions, SegmentQuality, TaggedSegment
from tercet.engines import engine
from tercet.errors import InputError
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.quality import Granularity
from tercet.options.quality_training import QePredictOptions
from tercet.quality.features.sets import feature_name
from tercet.quality.model import QualityModel, is_of_words, load, model_signature
from tercet.quality.typologies import Typology, read_typology, wmt14
from tercet.signing import Seen, signature

if TYPE_CHECKING:
    from tercet.quality.tagging.model import WordModel

PART = 2048  # segments: what goes into a pipe soon comes out of it


@verb(QePredictOptions)
def qe_predict(asked: QePredictOptions) -> QualityPredictions:
    """Predict the quality of translations, with intervals that hold the true label as often as `coverage` says.

    Intervals hold for segments like those of the training data; what is of another kind is not covered by any promise.
    A model of words gives tags, and the share of words that are likely to be wrong.
    """
    seen = Seen()
    segments = tuple(itertools.chain.from_iterable(predicted_parts(asked, seen)))
    words = is_of_words(asked.model)
    facts = {"model": model_signature(asked.model)[:23]}
    facts |= {} if words else {"coverage": plain(asked.coverage)}
    facts |= {"word-model": model_signature(asked.words)[:23]} if asked.words is not None else {}
    facts |= {} if asked.granularity == "given" else {"granularity": asked.granularity, "typology": _tree(asked).name}
    signed, notes = signature("qe-predict", facts, seen.fingerprints()), predicted_notes(asked)
    if words:
        return QualityPredictions(segments, False, None, signed, notes)
    notes += outside_notes([(entry.segment, entry.outside) for entry in segments])
    return QualityPredictions(segments, load(asked.model).higher, asked.coverage, signed, notes)


def predicted_notes(asked: QePredictOptions) -> tuple[str, ...]:
    """What must be known of all predictions of a model."""
    if is_of_words(asked.model):
        return ()
    calibration = load(asked.model).calibration
    if np.isinf(calibration.half_widths(calibration.lengths, asked.coverage)).any():
        return ("Too few labels were held out for intervals of this coverage: they hold any label that can be.",)
    return ()


def outside_notes(segments: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    """What must be said of segments that cannot be judged, which come with their reasons."""
    strange = [f"{segment} ({why})" for segment, why in segments if why]
    if not strange:
        return ()
    named = "; ".join(strange[:5]) + (f"; and {len(strange) - 5} others" if len(strange) > 5 else "")
    return (f"Unlike anything of the training, so that their scores and intervals mean nothing: {named}.",)


def predicted_parts(asked: QePredictOptions, seen: Seen | None = None) -> Iterator[list[SegmentQuality]]:
    """Part after part, in memory that does not grow, by the engine that is asked for."""
    others = tuple(asked.others or {})
    how = engine(asked.engine, trusted_network=asked.trusted_network)
    threads = how.threads(asked.workers)
    sentences, words = _models_of(asked)
    tree = None if asked.granularity == "given" else _tree(asked)
    predictor = _PartPredictor(sentences, words, others, asked.coverage, asked.why, threads, asked.granularity, tree)
    predictor.models()  # refused at once where they are not there

    def parts() -> Iterator[tuple[int, list[Texts]]]:
        given = [asked.source, asked.target, *(asked.others or {}).values()]
        for start, blocks in label_inputs.lines_together(given, PART):
            if not blocks[0]:
                return
            columns = [Texts.of(block) for block in blocks]
            if seen is not None:
                for (kind, name), texts in zip(_kinds(others), columns, strict=True):
                    seen.texts(kind, name, texts)
            yield start, columns

    for part in how.map(predictor, parts()):
        if asked.progress:
            asked.progress("segments", len(part))
        yield part


def _models_of(asked: QePredictOptions) -> tuple[Any, Any]:
    """The models of sentences and of words, one of which there may not be."""
    if not is_of_words(asked.model):
        if asked.words is None:
            asked.refuse_idle(dict.fromkeys(("granularity", "typology"), "without a model of words: --words"))
        return asked.model, asked.words
    if asked.words is not None:
        raise InputError(
            f"{asked.model} is a model of words itself, and words names another.",
            hint="Leave --words out, or name a model of sentences first.",
        )
    asked.refuse_idle(dict.fromkeys(("coverage", "why", "others"), "with a model of words, which gives tags"))
    return None, asked.model


def _tree(asked: QePredictOptions) -> Typology:
    return wmt14() if asked.typology is None else read_typology(asked.typology)


def _kinds(others: Sequence[str]) -> list[tuple[str, str]]:
    """What columns are called in a signature."""
    return [("source", ""), ("target", ""), *(("others", name) for name in others)]


@dataclasses.dataclass(frozen=True)
class _PartPredictor:
    """What is predicted of a part; can be sent to another process, which reads the models itself."""

    model: Any  # of sentences, or none
    words: Any
    others: tuple[str, ...]
    coverage: float
    why: int
    threads: int
    granularity: Granularity = "given"
    typology: Typology | None = None

    def __getstate__(self) -> dict[str, Any]:
        files = {name: _whole_path(getattr(self, name)) for name in ("model", "words")}
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)} | files

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def models(self) -> tuple[QualityModel | None, WordModel | None]:
        """That of sentences, and that of words, one of which there may not be; both are kept for the process."""
        sentences = None if self.model is None else load(self.model)
        if self.words is None:
            return sentences, None
        from tercet.quality.tagging.model import load_words

        return sentences, load_words(self.words)

    def __call__(self, part: tuple[int, list[Texts]]) -> list[SegmentQuality]:
        start, (sources, targets, *rest) = part
        model, tagger = self.models()
        tags, gaps = self._tagged(tagger, sources, targets, start)
        if model is None:
            rows = zip(sources.strings, targets.strings, tags, gaps, strict=True)
            return [
                TaggedSegment(number, _share(words), math.nan, math.nan, source, target, (), words, between, (), True)
                for number, (source, target, words, between) in enumerate(rows, start)
            ]
        pairs = model.pairs(sources, targets, dict(zip(self.others, rest, strict=True)), self.threads)
        features = model.rows(pairs)
        scores = model.predict(features, self.threads)
        ends = model.intervals(scores, pairs.source.lengths.astype(np.float64), self.coverage)
        moved = _moved(model, features, scores, self.why, self.threads)
        lacking = _undefined(model, features)
        texts, strange = (sources.strings, targets.strings), model.outside(pairs, features, scores)
        columns = zip(scores.tolist(), ends.tolist(), *texts, moved, tags, gaps, lacking, strange, strict=True)
        seen = tagger is not None
        return [
            SegmentQuality(number, score, low, high, source, target, why, words, between, gone, seen, out)
            for number, (score, (low, high), source, target, why, words, between, gone, out) in enumerate(
                columns, start
            )
        ]

    def _tagged(
        self, tagger: WordModel | None, sources: Texts, targets: Texts, start: int
    ) -> tuple[list[Any], list[Any]]:
        """Of each segment its words with tags, and the tags of its gaps; nothing without a model of them."""
        nothing: list[Any] = [()] * len(targets)
        if tagger is None:
            return nothing, nothing
        tagged = tagger.tagged(sources, targets, self.threads)
        words = []
        for number, (text, row) in enumerate(zip(targets.strings, tagged.words, strict=True), start):
            named = [(self._named(tag, number), wrong) for tag, wrong in row]
            words.append(tuple((word, *mark) for word, mark in zip(text.split(), named, strict=True)))
        return words, [tuple(row) for row in tagged.gaps] or nothing

    def _named(self, tag: str, segment: int) -> str:
        """A tag as it was learnt, or the coarser one that it belongs to."""
        return tag if self.typology is None else self.typology.coarse(tag, self.granularity, f"Segment {segment}")


def _share(words: Sequence[tuple[str, str, float]]) -> float:
    """The share of words that are expected to be wrong; NaN without any."""
    return math.fsum(wrong for _, _, wrong in words) / len(words) if words else math.nan


def _whole_path(given: Any) -> Any:
    """The name of a file that a process in another folder finds as well."""
    return pathlib.Path(given).absolute() if isinstance(given, str | os.PathLike) else given


def _undefined(model: QualityModel, rows: np.ndarray[Any, Any]) -> list[tuple[str, ...]]:
    """Of each segment, the features that are not defined for it."""
    lacking = np.isnan(rows)
    if not lacking.any():
        return [()] * len(rows)
    names = [feature_name(str(feature)) for feature in model.features]
    return [tuple(itertools.compress(names, row)) for row in lacking.tolist()]


def _moved(
    model: QualityModel, rows: np.ndarray[Any, Any], scores: np.ndarray[Any, Any], why: int, threads: int
) -> list[tuple[MovingFeature, ...]]:
    if not why:
        return [()] * len(rows)
    names = [feature_name(str(feature)) for feature in model.features]
    changes = model.moved(rows, scores, threads)
    order = np.argsort(-np.abs(changes), axis=1, kind="stable")[:, :why]
    return [
        tuple(MovingFeature(names[i], float(row[i])) for i in best if row[i] != 0)
        for row, best in zip(changes.tolist(), order.tolist(), strict=True)
    ]
