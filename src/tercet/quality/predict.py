"""`qe_predict`: one line in, one line out - a score, an interval that holds the label, and what moved the score."""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import pathlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet import label_inputs, numbers
from tercet.data import Texts
from tercet.data.answer import Answer
from tercet.engines import engine
from tercet.options import verb
from tercet.options.quality_training import QePredictOptions
from tercet.quality.model import QualityModel, load
from tercet.signing import Seen, signature

if TYPE_CHECKING:
    from tercet.quality.tagging.model import WordModel

PART = 2048  # segments: what goes into a pipe soon comes out of it


@dataclasses.dataclass(frozen=True)
class MovingFeature:
    """A feature that moved a score, and by how much."""

    feature: str
    by: float


@dataclasses.dataclass(frozen=True)
class SegmentQuality:
    """What is predicted of a segment."""

    segment: int
    score: float
    low: float
    high: float
    source: str
    target: str
    moved: tuple[MovingFeature, ...] = ()
    tags: tuple[tuple[str, str, float], ...] = ()  # words of the translation with their tags and probabilities of BAD
    gaps: tuple[tuple[str, float], ...] = ()  # before, between and after them: tags, and how likely a word is missing
    tagged: bool = False  # whether a model of words has seen it, also where there is no word

    def as_record(self) -> dict[str, Any]:
        """A record without anything nested, for tables and JSON."""
        why = "; ".join(f"{entry.feature} {numbers.difference(entry.by, 4)}" for entry in self.moved)
        words = " ".join(word for word, tag, _ in self.tags if tag != "OK")
        record = {"segment": self.segment, "score": self.score, "low": self.low, "high": self.high, "why": why}
        record |= {"suspicious": words} if self.tagged else {}
        return record | ({"missing": "; ".join(self.missing())} if self.gaps else {})

    def missing(self) -> list[str]:
        """Where words seem to be missing, each as the words on either side of the gap.

        >>> tags = (("a", "OK", 0.1), ("guest", "OK", 0.1))
        >>> gaps = (("OK", 0.1), ("BAD", 0.8), ("BAD", 0.7))
        >>> SegmentQuality(1, 0.5, 0.1, 0.9, "ein Gast", "a guest", (), tags, gaps).missing()
        ['a _ guest', 'guest _']
        """
        words = ["", *(word for word, _, _ in self.tags), ""]
        return [f"{words[i]} _ {words[i + 1]}".strip() for i, (tag, _) in enumerate(self.gaps) if tag != "OK"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QualityPredictions(Answer):
    """All segments of a document, and how they were predicted."""

    segments: tuple[SegmentQuality, ...]
    higher: bool
    coverage: float
    signature: str
    notes: tuple[str, ...] = ()

    def as_records(self) -> list[dict[str, Any]]:
        """One record a segment, in the order of the text."""
        return [entry.as_record() for entry in self.segments]

    @property
    def mean(self) -> float:
        """The predicted quality of a segment on average; NaN without any."""
        return math.fsum(entry.score for entry in self.segments) / len(self.segments) if self.segments else math.nan

    def by_need(self) -> list[SegmentQuality]:
        """Those that need a person most first."""
        return sorted(self.segments, key=lambda entry: entry.score if self.higher else -entry.score)


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
    facts = {"model": model.signature[:23], "coverage": f"{asked.coverage:g}"}
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
