"""What can be trained: features of an output, how they are scaled, and the model file that comes of their weights.

BeerRecipe       BEER's 62 features, divided by the largest that was seen
Beer11Recipe     BEER 1.1's 45 features, less those of the reference with itself, over their standard deviation
CombineRecipe    the scores of some metrics, less their mean, over their standard deviation
LinearRecipe     what these three are; `tree_lstm` and `esim` have others, over `pairs`
Candidate        a metric whose statistics are features and whose score is linear in them, to be measured
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tercet.data import Array, Batch
from tercet.data.testset import References
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.learning.directions import Flags
from tercet.learning.examples import Examples
from tercet.learning.learners import STRENGTHS, Weights, learn
from tercet.metric_base import Metric, Need
from tercet.metrics import beer, beer11, models
from tercet.metrics.combine import KIND, made, part_learnt, part_scores
from tercet.metrics.models import Linear
from tercet.metrics.several import best_rows
from tercet.options.learning import Kind, Learner, TrainOptions
from tercet.spec import from_file

Resource = Literal["parses", "vectors", "encoder"]  # options that only some kinds have a use for
Scaling = tuple[Array, Array]  # what is taken from each feature, and what it is then divided by
DIGITS = 9  # significant ones of a weight: what is beyond depends on the machine
ENDLESS = 1e5  # how far the lengths differ, to BEER, where one text is empty


@dataclasses.dataclass(frozen=True)
class FittedModel:
    """Weights as they stand in a model file, and the line that turns their sum into a score."""

    linear: Linear
    intercept: float = 0.0
    slope: float = 1.0


class Recipe(abc.ABC):
    """A kind of metric that is trained."""

    name: Kind
    title: str  # of the trained metric, in tables
    learner: Learner = "svm"  # where comparisons are learnt from
    strengths: tuple[float, ...] = STRENGTHS
    names: tuple[str, ...] = ()  # of the features; () where they are the metrics that were named
    of_references: str = ""  # what is to be said where segments have several of them
    needs: frozenset[Need] = frozenset({"references"})
    learns = False
    takes: tuple[Resource, ...] = ()

    @classmethod
    @abc.abstractmethod
    def of(cls, asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
        """The recipe as it was asked for; `metrics` are what is combined, where something is."""

    def learn(self, references: Iterable[References], threads: int) -> Any:
        """What features need of all references."""
        return None

    @abc.abstractmethod
    def features(self, batch: Batch) -> Array:
        """What is weighed: k numbers of each segment."""

    def usable(self, features: Array) -> Flags:
        """Whether an output can be learnt from: all its features are numbers."""
        return np.asarray(np.isfinite(features).all(axis=-1))

    @abc.abstractmethod
    def trained(self, examples: Examples, strength: float, learner: Learner, seed: int) -> FittedModel:
        """What is learnt from examples."""

    @abc.abstractmethod
    def score(self, fitted: FittedModel, features: Array) -> Array:
        """Scores of segments from their features."""

    def alone(self, part: Metric) -> FittedModel | None:
        """A metric that is not trained by weights of this recipe, if its scores are among the features."""
        return None

    def facts(self) -> dict[str, str]:
        """What the signature of a training says of files that features are made with."""
        return {}

    @abc.abstractmethod
    def content(self, fitted: FittedModel) -> dict[str, Any]:
        """The model file, without what is said of the training."""

    def write(self, path: File, content: Mapping[str, Any]) -> None:
        """The model, where it is to be."""
        models.write(path, content)


class LinearRecipe(Recipe):
    """A kind of metric whose features are weighed."""

    def trained(self, examples: Examples, strength: float, learner: Learner, seed: int) -> FittedModel:
        """Weights that a learner found."""
        scaling = self.scaling(examples)
        return self.fitted(examples, scaling, learn(learner, examples, *scaling, strength, seed), learner)

    @abc.abstractmethod
    def scaling(self, examples: Examples) -> Scaling:
        """What is taken from each feature, and what it is then divided by."""

    @abc.abstractmethod
    def fitted(self, examples: Examples, scaling: Scaling, weights: Weights, learner: Learner) -> FittedModel:
        """The weights as the model file has them."""


class BeerRecipe(LinearRecipe):
    """BEER 2.0, with a score from 0 for the worst output that was learnt from to 1 for the best."""

    name = "beer"
    title = "trained beer"
    names = beer.FEATURES
    of_references = "Some segments have several references: features are those of the one that an output is most like."

    @classmethod
    def of(cls, asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
        return cls()

    def features(self, batch: Batch) -> Array:
        """Those of the reference that the output has most in common with."""
        if not len(batch):
            return np.zeros((0, len(beer.FEATURES)))
        rows, groups = beer.features(batch), batch.required_references().groups
        common = rows.sum(axis=1) - rows[:, _LENGTHS].sum(axis=1)
        return best_rows(rows, common, groups)

    def usable(self, features: Array) -> Flags:
        """Whether neither text is empty."""
        return np.asarray((features < ENDLESS).all(axis=-1))

    def scaling(self, examples: Examples) -> Scaling:
        """From 0 to the largest."""
        most = examples.rows.max(axis=0)
        return np.zeros_like(most), np.where(most > 0, most, 1.0)

    def fitted(self, examples: Examples, scaling: Scaling, weights: Weights, learner: Learner) -> FittedModel:
        """The line leads from 0 for the worst output that was judged to 100 for the best."""
        linear = _linear(weights.values, scaling)
        sums = linear(examples.rows)
        low, high = float(sums.min()), float(sums.max())
        if low == high:
            raise _nothing()
        slope = 100 / (high - low)
        return FittedModel(linear, *_rounded(np.array([-slope * low, slope])))

    def score(self, fitted: FittedModel, features: Array) -> Array:
        """The features' sum, on its line and cut off."""
        return beer.Model(fitted.linear, fitted.intercept, fitted.slope, "").score(features)

    def content(self, fitted: FittedModel) -> dict[str, Any]:
        """In the layout of the model that BEER 2.0 came with."""
        linear = fitted.linear
        rows = zip(beer.FEATURES, linear.weights, linear.shifts, linear.scales, strict=True)
        return {
            "source": "tercet train beer",
            "features": [{"name": n, "weight": w, "min": low, "max": low + wide} for n, w, low, wide in rows],
            "output_scaling": {"intercept": fitted.intercept, "slope": fitted.slope},
        }


_LENGTHS = [i for i, name in enumerate(beer.FEATURES) if name in beer.GROUPS["lengths"]]


class Beer11Recipe(LinearRecipe):
    """BEER 1.1, whose score is a probability: 1 for a copy of the reference."""

    name: Kind = "beer-1.1"
    title = "trained beer-1.1"
    learner = "logistic"
    of_references = "Some segments have several references: features are those of the one that an output is most like."

    takes = ("parses",)

    @classmethod
    def of(cls, asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
        return cls(None if asked.parses is None else str(asked.parses))

    def __init__(self, parses: str | None = None) -> None:
        self.metric = beer11.Beer11(modules=beer11.STAGES, parses=parses)
        self.names = self.metric.feature_names

    def features(self, batch: Batch) -> Array:
        """Those of the reference that the output differs from least, in all features together."""
        if not len(batch):
            return np.zeros((0, len(self.names)))
        rows = self.metric.differences(batch)
        return best_rows(rows, -np.abs(rows).sum(axis=1), batch.required_references().groups)

    def scaling(self, examples: Examples) -> Scaling:
        """The standard deviation over the outputs that were judged; nothing is taken away."""
        deviation = examples.rows.std(axis=0)
        return np.zeros_like(deviation), np.array(_rounded(np.where(deviation > 0, deviation, 1)))

    def fitted(self, examples: Examples, scaling: Scaling, weights: Weights, learner: Learner) -> FittedModel:
        """Weights of the features as they are: the higher their sum, the worse."""
        if not np.abs(weights.values).sum():
            raise _nothing()
        return FittedModel(_linear(-weights.values / scaling[1], (scaling[0], np.ones_like(scaling[1]))))

    def score(self, fitted: FittedModel, features: Array) -> Array:
        """Twice the probability of being better than the reference."""
        return beer11.score(fitted.linear(features))

    def facts(self) -> dict[str, str]:
        """The trees; what the shipped model weighs is not learnt from."""
        return {name: value for name, value in self.metric.facts().items() if name == "parses-sha256"}

    def content(self, fitted: FittedModel) -> dict[str, Any]:
        """The weights by name, with the signs that the program has."""
        weights = dict(zip(self.names, fitted.linear.weights, strict=True))
        return {"source": "tercet train beer-1.1", "intercept": 0.0, "weights": weights}


class CombineRecipe(LinearRecipe):
    """A linear combination of metrics."""

    name: Kind = KIND
    title = "combination"

    @classmethod
    def of(cls, asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
        return cls(metrics, asked.kind)

    def __init__(self, metrics: Sequence[str], kind: Kind = KIND) -> None:
        self.name = kind
        with from_file("A model"):  # it is going to be one
            self.parts = made(metrics)
        if len(set(self.parts)) < len(self.parts):
            raise InputError("A metric is there twice among the parts.", hint="Name each once.")
        self.needs = frozenset().union(*(part.needs for part in self.parts))
        self.learns = any(part.learns for part in self.parts)

    def learn(self, references: Iterable[References], threads: int) -> Any:
        """What the parts need of all references."""
        return part_learnt(self.parts, references, threads)

    def features(self, batch: Batch) -> Array:
        return part_scores(self.parts, batch)

    def scaling(self, examples: Examples) -> Scaling:
        """Mean and standard deviation over the outputs that were judged."""
        deviation = examples.rows.std(axis=0)
        return np.array(_rounded(examples.rows.mean(axis=0))), np.array(_rounded(np.where(deviation > 0, deviation, 1)))

    def fitted(self, examples: Examples, scaling: Scaling, weights: Weights, learner: Learner) -> FittedModel:
        """Shares that add up to 1, whatever their signs, unless they predict people's scores."""
        values, size = weights.values, float(np.abs(weights.values).sum())
        if size == 0:
            raise _nothing()
        if learner != "ridge":
            values = values / size
        return FittedModel(_linear(values, scaling), *_rounded(np.array([weights.intercept])))

    def score(self, fitted: FittedModel, features: Array) -> Array:
        return fitted.intercept + fitted.linear(features)

    def alone(self, part: Metric) -> FittedModel:
        """One part by itself, higher is better."""
        weights = [float(part == other) * (1 if part.higher_is_better else -1) for other in self.parts]
        return FittedModel(Linear(tuple(weights), (0.0,) * len(weights), (1.0,) * len(weights)))

    def content(self, fitted: FittedModel) -> dict[str, Any]:
        linear = fitted.linear
        rows = zip(self.parts, linear.weights, linear.shifts, linear.scales, strict=True)
        return {
            "kind": KIND,
            "parts": [
                {
                    "metric": str(part),
                    "higher_is_better": part.higher_is_better,
                    "facts": part.facts(),
                    "weight": weight,
                    "mean": mean,
                    "deviation": deviation,
                }
                for part, weight, mean, deviation in rows
            ],
            "intercept": fitted.intercept,
        }


class Candidate(Metric):
    """A recipe with weights, as a metric of segments."""

    name = "candidate"

    def __init__(self, recipe: Recipe, fitted: FittedModel | None = None) -> None:
        self.recipe, self.fitted = recipe, fitted

    def __str__(self) -> str:
        return self.recipe.title

    @property
    def needs(self) -> frozenset[Need]:  # type: ignore[override]
        """What the features need."""
        return self.recipe.needs

    @property
    def learns(self) -> bool:  # type: ignore[override]
        """Whether the features need to see all references."""
        return self.recipe.learns

    def learn(self, references: Iterable[References], threads: int) -> Any:
        """What the features need of all references."""
        return self.recipe.learn(references, threads)

    def statistics(self, batch: Batch) -> Array:
        """Features, which are not to be added up."""
        return self.recipe.features(batch)

    def score(self, stats: Array) -> Array:
        """Scores of segments from their features."""
        if self.fitted is None:
            raise InputError("This metric has no weights yet.", hint="Train it.")
        return self.recipe.score(self.fitted, stats)


def _linear(weights: Array, scaling: Scaling) -> Linear:
    return Linear(_rounded(weights), *(tuple(column.tolist()) for column in scaling))


def _nothing() -> InputError:
    return InputError("Nothing was learnt: every weight is 0.", hint="Bring more judgements.")


def _rounded(values: Array) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in values.tolist())
