"""Linear combinations of metrics: equal shares, weights of the user's, or a model that `tercet train combine` learnt.

The recipe of many participants of the metrics tasks: RATATOUILLE, DPMFcomb and DiscoTK-party-tuned are weighted sums of
the scores that other metrics give a segment.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation
from tercet.data.testset import References
from tercet.errors import InputError
from tercet.metric_base import Card, MeanMetric, Metric
from tercet.metrics import METRICS, explained, models
from tercet.spec import from_file, option, read_several

KIND: Final = "combine"


@dataclasses.dataclass(frozen=True)
class Mixture:
    """The parts, and how their scores are added up."""

    parts: tuple[Metric, ...]
    linear: models.Linear
    intercept: float = 0.0
    signature: str | None = None

    @classmethod
    def read(cls, path: str) -> Mixture:
        """From a signed model file, whose parts must be what they were when it was trained."""
        content = models.read(path, signed=True)
        fields = models.Fields(path, content)
        if content.get("kind") != KIND:
            raise InputError(f"{path} is no model of combine.", hint="Train one with tercet train combine.")
        rows = fields.each("parts")
        with from_file(path):
            parts = made([row.text("metric") for row in rows])
        for row, part in zip(rows, parts, strict=True):
            if _lasting(row.inside("facts").content) != _lasting(part.facts()):
                raise InputError(
                    f"{path}: {part} is not what the model was trained with.",
                    hint="Its files have changed; train it again.",
                )
        numbers = {name: tuple(row.number(name) for row in rows) for name in ("weight", "mean", "deviation")}
        if min(numbers["deviation"]) <= 0:
            raise InputError(f"{path}: a deviation must be above 0.", hint="Train the model again.")
        return cls(
            parts,
            models.Linear(numbers["weight"], numbers["mean"], numbers["deviation"]),
            fields.number("intercept"),
            models.checksum(content),
        )

    def known(self, scores: Array) -> Array:
        """Scores of the parts; where one is not defined for a segment, a trained model takes its mean in training."""
        return scores if self.signature is None else np.where(np.isnan(scores), self.linear.shifts, scores)

    @classmethod
    def plain(cls, parts: Sequence[Metric], weights: Sequence[float]) -> Mixture:
        """Scores as they are; without weights all count alike, and against it where lower is better."""
        even = 1 / len(parts)
        signed = tuple(weights) or tuple(even if part.higher_is_better else -even for part in parts)
        return cls(tuple(parts), models.Linear(signed, (0.0,) * len(signed), (1.0,) * len(signed)))


def _lasting(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same where a model is used: all but the program that runs an encoder."""
    return {key: value for key, value in facts.items() if key != "engine"}


def made(parts: Sequence[str]) -> tuple[Metric, ...]:
    """The parts by their specs; there is at least one, and none is itself a combination."""
    metrics = tuple(METRICS.make(part) for part in parts)
    if not metrics:
        raise InputError("There is nothing to combine.", hint="Name metrics: bleu, chrf, ...")
    for part in metrics:
        if part.name == KIND:
            raise InputError(f"{part} is itself a combination.", hint="Name the parts of it instead.")
    return metrics


def part_scores(parts: Sequence[Metric], batch: Batch) -> Array:
    """The score of each segment by each part, (segments, parts)."""
    learnt: Sequence[Any] = batch.learnt or [None] * len(parts)
    columns = [
        part.score(part.statistics(dataclasses.replace(batch, learnt=state)))
        for part, state in zip(parts, learnt, strict=True)
    ]
    return np.stack(columns, axis=-1)


def part_learnt(parts: Sequence[Metric], references: Iterable[References], threads: int) -> list[Any]:
    """What each part takes from all references."""
    kept = list(references)
    return [part.learn(kept, threads) if part.learns else None for part in parts]


class MixedMetric(MeanMetric):
    """Base of metrics that are a mixture of others. Statistics: [value, 1]."""

    digits = 4

    @functools.cached_property
    def mixture(self) -> Mixture:
        """The parts with their weights."""
        raise NotImplementedError

    def learn(self, references: Iterable[References], threads: int) -> Any:
        """What the parts take from all references."""
        return part_learnt(self.mixture.parts, references, threads)

    def values(self, batch: Batch) -> Array:
        """The weighted sum of what the parts give each segment."""
        if not len(batch):
            return np.zeros(0)
        scores = self.mixture.known(part_scores(self.mixture.parts, batch))
        return self.mixture.intercept + self.mixture.linear(scores)

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """What befell the texts in any part: of two that say the same, the one that says it of more."""
        remarks: dict[str, int] = {}
        for part in self.mixture.parts:
            for what, number in part.remarks(texts).items():
                remarks[what] = max(number, remarks.get(what, 0))
        return remarks

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """What each part adds."""
        if not np.isfinite(plain.score):
            return plain
        mixture = self.mixture
        scores = mixture.known(part_scores(mixture.parts, batch))[0].tolist()
        linear, added = mixture.linear, []
        for i, (part, score) in enumerate(zip(mixture.parts, scores, strict=True)):
            name, weight = str(part), explained.given("weight", linear.weights[i])
            scaled = explained.given("score", score)
            if mixture.signature is not None:
                above = explained.made(
                    "above the mean", "difference", [scaled, explained.given("mean", linear.shifts[i])]
                )
                deviation = explained.given("standard deviation", linear.scales[i])
                scaled = explained.made("scaled score", "quotient", [above, deviation])
            added.append(explained.made(name, "product", [weight, scaled]))
        if mixture.intercept:
            added.append(explained.given("intercept", mixture.intercept))
        formula = dataclasses.replace(explained.made("score", "sum", added), value=plain.score)
        return dataclasses.replace(plain, formula=formula)


@dataclasses.dataclass(frozen=True)
class Combine(MixedMetric):
    """Specs and weights, or a model."""

    parts: str = option("bleu(effective_order=true)|chrf", "metrics to combine, specs with | between them, in quotes")
    weights: tuple[float, ...] = option((), "of each part's score, as 0.5+0.3+0.2; without: all count alike")
    model: str | None = option(None, "file that tercet train combine wrote, in place of parts and weights")

    name = KIND
    files = ("model",)
    within: ClassVar[Mapping[str, str]] = {"parts": "metric"}
    card = Card(
        title="A combination of metrics",
        kind="trained",
        definition=(
            "The weighted sum of the scores that other metrics give a segment; the score of a system is the mean over "
            "its segments. A model from `tercet train combine` has the parts, the mean and the standard deviation by "
            "which the scores of each are scaled first, and weights learnt from judgements. Without a model, scores "
            "are taken as they are: each counts alike, negatively where lower is better, or as `weights` say."
        ),
        paper="Marie and Apidianaki 2015, *Alignment-based sense selection in METEOR and the RATATOUILLE recipe*; Joty "
        "et al. 2014, *DiscoTK*; Yu et al. 2015, *CASICT-DCU participation in WMT2015 metrics task*",
        scale="any; higher is better",
        reference="the scores of the parts",
        differences=("The participants' own parts are not all here: what is kept is the recipe.",),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model is None:
            self._settle_parts()
        else:
            self.require(os.path.isfile(self.model), "model", "a file that is there")
            for field in dataclasses.fields(self)[:2]:
                self.require(getattr(self, field.name) == field.default, field.name, "left out where there is a model")
        parts = self.mixture.parts
        object.__setattr__(self, "needs", frozenset().union(*(part.needs for part in parts)))
        object.__setattr__(self, "learns", any(part.learns for part in parts))

    def _settle_parts(self) -> None:
        specs = [METRICS.make(part) for part in read_several(self.parts)]
        object.__setattr__(self, "parts", "|".join(map(str, specs)))
        self.require(all(part.name != KIND for part in specs), "parts", "metrics that are no combinations")
        self.require(len(self.weights) in (0, len(specs)), "weights", f"as many as the parts, {len(specs)}")

    def parameters(self) -> dict[str, Any]:
        """Options with their values; a model leaves no others."""
        return super().parameters() if self.model is None else {"model": self.model}

    @functools.cached_property
    def mixture(self) -> Mixture:
        """The parts with their weights, from the model file or from the options."""
        if self.model is not None:
            return Mixture.read(self.model)
        return Mixture.plain(made(read_several(self.parts)), self.weights)

    def facts(self) -> dict[str, str]:
        """Which model it is, or which models the parts have."""
        if self.mixture.signature is not None:
            return {"model-signature": self.mixture.signature}
        return {f"{part}:{key}": value for part in self.mixture.parts for key, value in part.facts().items()}
