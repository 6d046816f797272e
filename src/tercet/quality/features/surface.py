"""What is seen of a translation without any resource, and what metrics say of it."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from tercet.data import Array, Batch, References
from tercet.metric_base import Card
from tercet.metrics import METRICS
from tercet.quality.features.base import Feature, Translations, quotients
from tercet.spec import option

_NUMBER = re.compile(r"\d+")
_BRACKETS = ("()", "[]", "{}", "«»", "“”", "（）", "「」")


def _card(title: str, definition: str, scale: str, reference: str = "none: defined here") -> Card:
    return Card(title=title, definition=definition, paper="none", scale=scale, reference=reference, exact=False)


@dataclasses.dataclass(frozen=True)
class TokenRatio(Feature):
    """How long the translation is for its source."""

    unit: Literal["tokens", "characters"] = option("tokens", "what is counted")
    form: Literal["ratio", "log", "difference"] = option("ratio", "target / source; its logarithm; or the difference")

    name = "token-ratio"
    card = _card(
        "Ratio of lengths",
        "Tokens or characters of the translation a token or character of the source, each counted with one more, so "
        "that nothing is divided by 0.",
        "above 0",
    )

    def values(self, pairs: Translations) -> Array:
        if self.unit == "tokens":
            source, target = pairs.source.lengths + 1.0, pairs.target.lengths + 1.0
        else:
            source, target = (side.sums(side.characters) + 1 for side in (pairs.source, pairs.target))
        if self.form == "difference":
            return target - source
        return target / source if self.form == "ratio" else np.log(target / source)


@dataclasses.dataclass(frozen=True)
class NumberMismatch(Feature):
    """Numbers that one side has and the other has not."""

    name = "number-mismatch"
    card = _card(
        "Numbers that differ",
        "How many rows of digits stand in only one of source and translation, each as often as it does.",
        "0 and up",
    )

    def values(self, pairs: Translations) -> Array:
        both = zip(pairs.sources.strings, pairs.targets.strings, strict=True)
        return np.array([_difference(_NUMBER.findall(s), _NUMBER.findall(t)) for s, t in both], dtype=np.float64)


def _difference(one: list[str], other: list[str]) -> int:
    if one == other:
        return 0
    left, right = Counter(one), Counter(other)
    return (left - right).total() + (right - left).total()


@dataclasses.dataclass(frozen=True)
class CopiedWords(Feature):
    """Words that were not translated."""

    least: int = option(4, "characters that a word has at least")

    name = "copied-words"
    card = _card(
        "Copied words",
        "The share of the longer tokens of the translation, lower-cased, that stand in the source as they are; 0 "
        "without such tokens.",
        "0 to 1",
    )

    def values(self, pairs: Translations) -> Array:
        from tercet import kernels

        source, target = pairs.source, pairs.target
        sources, targets, vocabulary = kernels.number_words(source.lowered, target.lowered)
        size = len(vocabulary[1])
        copied = np.isin(target.rows * size + targets, source.rows * size + sources)
        long = target.characters >= self.least
        return quotients(target.sums(copied & long), target.sums(long))


@dataclasses.dataclass(frozen=True)
class BracketMismatch(Feature):
    """Brackets and quotes that do not fit each other, or those of the source."""

    name = "bracket-mismatch"
    card = _card(
        "Brackets that differ",
        "Differences in the numbers of brackets and quotation marks: opened and closed in the translation, and between "
        "it and the source.",
        "0 and up",
    )

    def values(self, pairs: Translations) -> Array:
        both = zip(pairs.sources.strings, pairs.targets.strings, strict=True)
        return np.array([_unbalanced(s, t) for s, t in both], dtype=np.float64)


def _unbalanced(source: str, target: str) -> int:
    total = abs(source.count('"') - target.count('"'))
    for pair in _BRACKETS:
        opening, closing = pair[0], pair[1]
        if opening in target or closing in target or opening in source:
            total += abs(target.count(opening) - target.count(closing))
            total += abs(target.count(opening) - source.count(opening))
    return total


@dataclasses.dataclass(frozen=True)
class MetricFeature(Feature):
    """What a metric without references says."""

    metric: str = option("length-ratio", "spec of a metric that needs no references")

    name = "metric"
    within: ClassVar[Mapping[str, str]] = {"metric": "metric"}
    card = _card(
        "A metric without references",
        "The score that a metric gives the translation, with the source where it needs one: `lm`, `ibm1`, "
        "`length-ratio`, encoders' similarities, or another package's. Where it is not defined, as of no text, it "
        "counts as usual: as the mean over the segments of the training.",
        "as the metric's",
        "the metric",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        made = METRICS.make(self.metric)
        object.__setattr__(self, "metric", str(made))
        self.require("references" not in made.needs, "metric", "one that needs no references")
        self.require(made.name != "qe", "metric", "no model of quality estimation itself")

    def values(self, pairs: Translations) -> Array:
        made = METRICS.make(self.metric)
        batch = Batch(pairs.targets, None, pairs.sources, threads=pairs.threads)
        return defined(made.score(made.checked_statistics(batch)))

    def facts(self) -> dict[str, str]:
        return METRICS.make(self.metric).facts()


@dataclasses.dataclass(frozen=True)
class Consensus(Feature):
    """What a metric says against other systems' translations."""

    metric: str = option("chrf", "spec of a metric, whose references are the other systems' translations")
    form: Literal["mean", "best", "together"] = option(
        "mean", "mean or best score against each of them; or one score with all as references"
    )

    name = "consensus"
    within: ClassVar[Mapping[str, str]] = {"metric": "metric"}
    needs_others = True
    card = Card(
        title="Consensus with other systems",
        definition="The score of the translation against what other systems made of the source: pseudo-references. "
        "Those against which it is not defined are passed over; where it is defined against none, it counts as usual: "
        "as the mean over the segments of the training.",
        paper="Albrecht and Hwa 2008, *The role of pseudo references in MT evaluation*; Soricut et al. 2012, *The SDL "
        "Language Weaver systems in the WMT12 quality estimation shared task*",
        scale="as the metric's",
        reference="the metric",
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "metric", str(METRICS.make(self.metric)))

    def values(self, pairs: Translations) -> Array:
        made = METRICS.make(self.metric)
        columns = [texts.strings for texts in pairs.others.values()]
        self.require(bool(columns), "metric", "given other systems' translations")
        if self.form == "together":
            return self._against(pairs, list(zip(*columns, strict=True)))
        scores = np.stack([self._against(pairs, [(line,) for line in column]) for column in columns])
        there = ~np.isnan(scores)
        if self.form == "mean":
            return quotients(np.where(there, scores, 0).sum(axis=0), there.sum(axis=0), nothing=np.nan)
        worst = -np.inf if made.higher_is_better else np.inf
        best = np.where(there, scores, worst)
        return defined(best.max(axis=0) if made.higher_is_better else best.min(axis=0))

    def _against(self, pairs: Translations, references: list[tuple[str, ...]]) -> Array:
        made = METRICS.make(self.metric)
        refs = References.of(references)
        learnt = made.learn([refs], pairs.threads) if made.learns else None
        batch = Batch(pairs.targets, refs, pairs.sources, learnt=learnt, threads=pairs.threads)
        return defined(made.score(made.checked_statistics(batch)))

    def facts(self) -> dict[str, str]:
        return METRICS.make(self.metric).facts()


def defined(scores: Array) -> Array:
    """Scores, NaN where there is no finite one."""
    return np.where(np.isfinite(scores), scores, np.nan)
