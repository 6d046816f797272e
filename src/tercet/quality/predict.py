"""`qe_predict`: one line in, one line out - a score, an interval that holds the label, and what moved the score."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet import label_inputs, numbers
from tercet.data import Texts
from tercet.data.answer import Answer
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

    def as_record(self) -> dict[str, Any]:
        """A record without anything nested, for tables and JSON."""
        why = "; ".join(f"{entry.feature} {numbers.difference(entry.by, 4)}" for entry in self.moved)
        words = " ".join(word for word, tag, _ in self.tags if tag != "OK")
        record = {"segment": self.segment, "score": self.score, "low": self.low, "high": self.high, "why": why}
        record |= {"suspicious": words} if self.tags else {}
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
    """Part after part, in memory that does not grow."""
    model = load(asked.model)
    tagger = None
    if asked.words is not None:
        from tercet.quality.tagging.model import load_words

        tagger = load_words(asked.words)
    others = dict(asked.others or {})
    for start, blocks in label_inputs.lines_together([asked.source, asked.target, *others.values()], PART):
        if not blocks[0]:
            return
        sources, targets, *rest = (Texts.of(block) for block in blocks)
        pairs = model.pairs(sources, targets, dict(zip(others, rest, strict=True)), asked.workers)
        rows = model.rows(pairs)
        scores = model.predict(rows, asked.workers)
        ends = model.intervals(scores, pairs.source.lengths.astype(np.float64), asked.coverage)
        moved = _moved(model, rows, scores, asked)
        tags, gaps = _tagged(tagger, sources, targets, asked.workers)
        if seen is not None:
            seen.texts("source", "", sources)
            seen.texts("target", "", targets)
            for name, texts in zip(others, rest, strict=True):
                seen.texts("others", name, texts)
        if asked.progress:
            asked.progress("segments", len(scores))
        columns = zip(scores.tolist(), ends.tolist(), sources.strings, targets.strings, moved, tags, gaps, strict=True)
        yield [
            SegmentQuality(number, score, low, high, source, target, *marks)
            for number, (score, (low, high), source, target, *marks) in enumerate(columns, start)
        ]


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
    model: QualityModel, rows: np.ndarray[Any, Any], scores: np.ndarray[Any, Any], asked: QePredictOptions
) -> list[tuple[MovingFeature, ...]]:
    if not asked.why:
        return [()] * len(rows)
    names = [feature_name(str(feature)) for feature in model.features]
    changes = model.moved(rows, scores, asked.workers)
    order = np.argsort(-np.abs(changes), axis=1, kind="stable")[:, : asked.why]
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
