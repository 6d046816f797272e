"""`qe_predict`: one line in, one line out - a score, an interval that holds the label, and what moved the score."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet import label_inputs
from tercet.data import Texts
from tercet.data.quality_answers import MovingFeature, QualityPredictions, SegmentQuality
from tercet.engines import engine
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.quality_training import QePredictOptions
from tercet.quality.model import QualityModel, load
from tercet.signing import Seen, signature

if TYPE_CHECKING:
    from tercet.quality.tagging.model import WordModel

PART = 2048  # segments: what goes into a pipe soon comes out of it


@verb(QePredictOptions)
def qe_predict(asked: QePredictOptions) -> QualityPredictions:
    """Predict the quality of translations, with intervals that hold the true label as often as `coverage` says.

    Intervals hold for segments like those of the training data; what is of another kind is not covered by any promise.
    """
    model, seen = load(asked.model), Seen()
    segments = tuple(itertools.chain.from_iterable(predicted_parts(asked, seen)))
    notes = []
    if np.isinf(model.calibration.half_widths(model.calibration.lengths, asked.coverage)).any():
        notes.append("Too few labels were held out for intervals of this coverage: they hold any label that can be.")
    return QualityPredictions(segments, model.higher, asked.coverage, signed(asked, model, seen), tuple(notes))


def signed(asked: QePredictOptions, model: QualityModel, seen: Seen) -> str:
    """Which model, which coverage, which texts."""
    facts = {"model": model.signature[:23], "coverage": plain(asked.coverage)}
    return signature("qe-predict", facts, seen.fingerprints())


def predicted_parts(asked: QePredictOptions, seen: Seen | None = None) -> Iterator[list[SegmentQuality]]:
    """Part after part, in memory that does not grow, by the engine that is asked for."""
    others = tuple(asked.others or {})
    how = engine(asked.engine, trusted_network=asked.trusted_network)
    threads = how.threads(asked.workers)
    predictor = _PartPredictor(asked.model, asked.words, others, asked.coverage, asked.why, threads)
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


def _kinds(others: Sequence[str]) -> list[tuple[str, str]]:
    """What columns are called in a signature."""
    return [("source", ""), ("target", ""), *(("others", name) for name in others)]


@dataclasses.dataclass(frozen=True)
class _PartPredictor:
    """What is predicted of a part; can be sent to another process, which reads the models itself."""

    model: Any
    words: Any
    others: tuple[str, ...]
    coverage: float
    why: int
    threads: int

    def __getstate__(self) -> dict[str, Any]:
        files = {name: _whole_path(getattr(self, name)) for name in ("model", "words")}
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)} | files

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def models(self) -> tuple[QualityModel, WordModel | None]:
        """That of sentences, and that of words, if there is one; both are kept for the process."""
        if self.words is None:
            return load(self.model), None
        from tercet.quality.tagging.model import load_words

        return load(self.model), load_words(self.words)

    def __call__(self, part: tuple[int, list[Texts]]) -> list[SegmentQuality]:
        start, (sources, targets, *rest) = part
        model, tagger = self.models()
        pairs = model.pairs(sources, targets, dict(zip(self.others, rest, strict=True)), self.threads)
        rows = model.rows(pairs)
        scores = model.predict(rows, self.threads)
        ends = model.intervals(scores, pairs.source.lengths.astype(np.float64), self.coverage)
        moved = _moved(model, rows, scores, self.why, self.threads)
        tags, gaps = _tagged(tagger, sources, targets, self.threads)
        columns = zip(scores.tolist(), ends.tolist(), sources.strings, targets.strings, moved, tags, gaps, strict=True)
        return [
            SegmentQuality(number, score, low, high, source, target, why, words, between, tagged=tagger is not None)
            for number, (score, (low, high), source, target, why, words, between) in enumerate(columns, start)
        ]


def _whole_path(given: Any) -> Any:
    """The name of a file that a process in another folder finds as well."""
    return pathlib.Path(given).absolute() if isinstance(given, str | os.PathLike) else given


def _tagged(tagger: WordModel | None, sources: Texts, targets: Texts, threads: int) -> tuple[list[Any], list[Any]]:
    """Of each segment its words with tags, and the tags of its gaps; nothing without a model of them."""
    nothing: list[Any] = [()] * len(targets)
    if tagger is None:
        return nothing, nothing
    tagged = tagger.tagged(sources, targets, threads)
    words = [
        tuple((word, *mark) for word, mark in zip(text.split(), row, strict=True))
        for text, row in zip(targets.strings, tagged.words, strict=True)
    ]
    return words, [tuple(row) for row in tagged.gaps] or nothing


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


def feature_name(spec: str) -> str:
    """A feature for a reader: without the files that it reads.

    >>> feature_name("frequency-quartile(frequencies=model/frequencies.gz, n=2, quartile=4)")
    'frequency-quartile(n=2, quartile=4)'
    """
    from tercet.quality.features import FEATURES
    from tercet.spec import read, write

    name, given = read(spec)
    files = FEATURES.load(name).files
    if name == "metric":
        return read(given["metric"])[0]
    return write(name, {option: value for option, value in given.items() if option not in files})
