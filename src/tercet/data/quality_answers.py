"""What training a model of quality tells, what the model predicts, and what is decided by it."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from tercet import numbers
from tercet.data.answer import Answer
from tercet.data.quality import LabelDistribution

Decision = Literal["publish", "light edit", "full edit"]
DECISIONS: tuple[Decision, ...] = ("publish", "light edit", "full edit")


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
    undefined: tuple[str, ...] = ()  # features that are not defined for it, and count as usual
    tagged: bool = False  # whether a model of words has seen it, also where there is no word
    outside: str = ""  # why it cannot be judged, being unlike all of the training

    def as_record(self) -> dict[str, Any]:
        """A record without anything nested, for tables and JSON."""
        scored = {"segment": self.segment, "score": self.score, "low": self.low, "high": self.high, "why": self.why(4)}
        return scored | (self.word_record() if self.tagged else {}) | {"outside": self.outside}

    def why(self, digits: int) -> str:
        """What moved the score, and which features are not defined."""
        told = [f"{entry.feature} {numbers.difference(entry.by, digits)}" for entry in self.moved]
        return "; ".join([*told, *(f"{name} {numbers.UNDEFINED}" for name in self.undefined)])

    def word_record(self) -> dict[str, Any]:
        """What a model of words says."""
        record = {"tags": self.tag_line(), "suspicious": self.suspicious()}
        return record | ({"missing": "; ".join(self.missing())} if self.gaps else {})

    def line(self) -> str:
        """The prediction alone, as files of labels have it: a number."""
        return str(self.score)

    def tag_line(self) -> str:
        """Tags with blanks between: a word each, or gap, word, gap, ..., gap; a tag of several words is one here.

        >>> tags = (("a", "OK", 0.1), ("guest", "Word order", 0.9))
        >>> SegmentQuality(1, 0.5, 0.1, 0.9, "ein Gast", "a guest", (), tags).tag_line()
        'OK Word_order'
        """
        words = [tag for _, tag, _ in self.tags]
        between = [tag for tag, _ in self.gaps]
        both = itertools.chain.from_iterable(itertools.zip_longest(between, words)) if between else words
        return " ".join("_".join(tag.split()) for tag in both if tag is not None)

    def suspicious(self) -> str:
        """The words that are not OK."""
        return " ".join(word for word, tag, _ in self.tags if tag != "OK")

    def missing(self) -> list[str]:
        """Where words seem to be missing, each as the words on either side of the gap.

        >>> tags = (("a", "OK", 0.1), ("guest", "OK", 0.1))
        >>> gaps = (("OK", 0.1), ("BAD", 0.8), ("BAD", 0.7))
        >>> SegmentQuality(1, 0.5, 0.1, 0.9, "ein Gast", "a guest", (), tags, gaps).missing()
        ['a _ guest', 'guest _']
        """
        words = ["", *(word for word, _, _ in self.tags), ""]
        return [f"{words[i]} _ {words[i + 1]}".strip() for i, (tag, _) in enumerate(self.gaps) if tag != "OK"]


@dataclasses.dataclass(frozen=True)
class TaggedSegment(SegmentQuality):
    """What a model of words alone says: the score is the share of words expected to be wrong, NaN without a word.

    There is no interval: nothing calibrates it.
    """

    def as_record(self) -> dict[str, Any]:
        """A record without anything nested, for tables and JSON."""
        wrong = None if math.isnan(self.score) else self.score
        return {"segment": self.segment, "words": len(self.tags), "wrong": wrong} | self.word_record()

    def line(self) -> str:
        """The tags alone, as files of tags have them."""
        return self.tag_line()


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QualityPredictions(Answer):
    """All segments of a document, and how they were predicted."""

    segments: tuple[SegmentQuality, ...]
    higher: bool
    coverage: float | None  # None: tags of words alone, which have no interval
    signature: str
    notes: tuple[str, ...] = ()

    def as_records(self) -> list[dict[str, Any]]:
        """One record a segment, in the order of the text."""
        return [entry.as_record() for entry in self.segments]

    @property
    def mean(self) -> float:
        """The predicted quality of a segment on average, of those that have one; NaN without any."""
        scores = [entry.score for entry in self.segments if not math.isnan(entry.score)]
        return math.fsum(scores) / len(scores) if scores else math.nan

    @functools.cached_property
    def distribution(self) -> LabelDistribution:
        """How the predicted scores are spread."""
        scores = np.array([entry.score for entry in self.segments if not math.isnan(entry.score)])
        (spread,) = LabelDistribution.of_numbers({"predicted quality": scores})
        return spread

    def by_need(self) -> list[SegmentQuality]:
        """Those that need a person most first; before them those of which nothing can be said."""
        sign = 1 if self.higher else -1
        return sorted(self.segments, key=lambda e: -math.inf if e.outside or math.isnan(e.score) else sign * e.score)


@dataclasses.dataclass(frozen=True)
class CostPoint:
    """What follows from publishing up to a score, on the labels that were held out."""

    threshold: float
    published: float  # share of all
    wrong: float  # share of all that is published and not good
    wrong_published: float  # share of those published; NaN for none
    cost: float  # mean a segment


@dataclasses.dataclass(frozen=True)
class Decided:
    """What is done with a segment."""

    segment: int
    decision: Decision
    score: float
    outside: str = ""  # why it cannot be judged, and is edited fully


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QualityDecision(Answer):
    """Thresholds, what they promise, what they cost, and what they say of segments."""

    publish: float  # scores up to it (from it on, where higher is better) are published; inf as below: none or all
    light: float
    good_label: float
    light_label: float
    risk: float
    among: str
    shares: tuple[tuple[str, float], ...]  # of held-out segments, by decision
    wrong: tuple[tuple[str, float], ...]  # of held-out segments that were decided wrongly, by decision
    curve: tuple[CostPoint, ...]
    segments: tuple[Decided, ...]
    higher: bool
    signature: str
    notes: tuple[str, ...]

    def counts(self) -> dict[str, int]:
        """How many of the segments are decided in which way."""
        return {name: sum(entry.decision == name for entry in self.segments) for name in DECISIONS}

    def as_records(self) -> list[dict[str, Any]]:
        """One record a segment if there are some; else one a decision."""
        if self.segments:
            return [dataclasses.asdict(entry) for entry in self.segments]
        return self.threshold_records()

    def threshold_records(self) -> list[dict[str, Any]]:
        """One record a decision: its threshold, how often it is taken, and how often wrongly."""
        limits = {"publish": self.publish, "light edit": self.light}
        wrong = dict(self.wrong)
        return [
            {"decision": name, "threshold": limits.get(name), "share": share, "wrong": wrong.get(name)}
            for name, share in self.shares
        ]

    def curve_records(self) -> list[dict[str, Any]]:
        """One record a point of the cost curve."""
        return [dataclasses.asdict(point) for point in self.curve]


@dataclasses.dataclass(frozen=True)
class LearnerChoice:
    """A learner with settings, and its mean absolute error in cross-validation, in units of the labels."""

    learner: str
    setting: Mapping[str, float]
    error: float


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class TrainedQuality(Answer):
    """How a model came about: its features by importance, or how well it gives each tag, and what else was tried."""

    records: tuple[dict[str, Any], ...]
    names: tuple[str, ...]  # of the records, for a reader; () if they are called so themselves
    candidates: tuple[LearnerChoice, ...]  # of which the first was taken; () if there was no choice
    signature: str
    notes: tuple[str, ...]

    def as_records(self) -> list[dict[str, Any]]:
        """One record a feature, the most important one first; or one a tag: precision, recall and F1, held out."""
        return list(self.records)
