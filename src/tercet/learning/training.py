"""`train`: metrics that are learnt from judgements, checked on segments that were held out, and kept in a model file.

test sets + judgements ──> features of every output; examples of what people prefer
    for every strength and fold: weights from all but the fold, measured on it
    the strength that agrees best on held-out segments ──> weights from everything ──> the model

The figure of a fold is that of weights which never saw it, at the strength that did best on the *other* folds.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from tercet.agreeing import gold as golds
from tercet.agreeing.evaluation import named
from tercet.agreeing.gold import Comparing
from tercet.agreeing.people import People
from tercet.data import Array
from tercet.data.tuning import ALL, HELD_OUT, TrainedMetric, TrainingRecord
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.learning.directions import LearningDirection
from tercet.learning.esim import EsimRecipe
from tercet.learning.examples import Examples, compared, scored
from tercet.learning.given import directions as read_directions
from tercet.learning.given import facts as learnt_from
from tercet.learning.objectives import agreement_of
from tercet.learning.recipes import Beer11Recipe, BeerRecipe, Candidate, CombineRecipe, FittedModel, Recipe, Resource
from tercet.learning.tree_lstm import UowRecipe
from tercet.metric_base import Metric
from tercet.metrics import METRICS, models
from tercet.metrics.neural.mixture import PARTS
from tercet.numbers import coefficient, plain
from tercet.options import part, verb
from tercet.options.agreeing import GoldOptions
from tercet.options.learning import Kind, Learner, TrainOptions
from tercet.ranking import Ranker
from tercet.signing import signature, together

RECIPES: dict[Kind, type[Recipe]] = {
    "beer": BeerRecipe,
    "beer-1.1": Beer11Recipe,
    "combine": CombineRecipe,
    "neural": CombineRecipe,
    "esim": EsimRecipe,
    "uow-lstm": UowRecipe,
}
_LACKS: dict[Resource, str] = {
    "parses": "has no features of trees",
    "vectors": "has no vectors of words",
    "encoder": "takes no encoder: a metric names its own",
}
Figures = list[tuple[str, float, int]]  # direction, value, n


@dataclasses.dataclass(frozen=True, repr=False)
class Training(TrainedMetric):
    """The answer of `train`, whose model can be written."""

    writer: Callable[[File, Mapping[str, Any]], None] = models.write

    def write(self, model: File) -> None:
        """Writes the model file, which `combine` or `beer` reads, or the folder that `esim` reads."""
        self.writer(model, self.content)


@verb(TrainOptions)
def train(asked: TrainOptions) -> Training:
    """Train a metric on judgements of segments: a model file, and how far it agrees with people on held-out segments.

    `beer` and `beer-1.1` learn the weights of their features, and `metrics` are shown beside them; `combine` learns a
    linear combination of `metrics`: specs, or names for them, {"ours": "beer(model=ours.json)"}. The strength that
    agrees best on held-out segments is taken. `neural` is such a combination with an encoder among its parts.
    `uow-lstm` learns a Tree-LSTM over `parses` and `vectors` from people's scores of outputs, and `esim` a network over
    the vectors of an `encoder`; its `model` is a folder.

    >>> from tercet.sample import campaign, judgements
    >>> given = {"testset": campaign("en-de"), "judgements": judgements("en-de")}
    >>> found = train("combine", metrics=["chrf", "ter"], strengths=[0.01, 1], **given)
    >>> found.metrics, found.record().part
    (('combination', 'chrf', 'ter'), 'held-out')
    """
    parts = asked.metrics or (PARTS if asked.kind == "neural" else ())
    metrics = {name: str(metric) for name, metric in named(parts).items()} if parts else {}
    recipe = _recipe_of(asked, list(metrics.values()))
    gold = None if asked.gold is None else golds.make(cast(str | Ranker | Comparing, asked.gold))
    people = People(how=gold, asked=part(asked, GoldOptions))
    directions = read_directions(asked, Candidate(recipe), people, "segment")
    learner: Learner = asked.learner or (recipe.learner if directions[0].measure.takes == "pairs" else "ridge")
    strengths = tuple(asked.strengths) or recipe.strengths
    answer = _Trainer(asked, recipe, directions, learner, strengths).trained(metrics)
    if asked.model is not None:
        answer.write(asked.model)
    return answer


def _recipe_of(asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
    """The recipe of a kind, given no file that it does not read."""
    recipe = RECIPES[asked.kind]
    for resource, lacks in _LACKS.items():
        if getattr(asked, resource) is not None and resource not in recipe.takes:
            others = " or ".join(kind for kind, other in RECIPES.items() if resource in other.takes)
            raise InputError(f"{asked.kind} {lacks}.", hint=f"Leave --{resource} out, or train {others}.")
    return recipe.of(asked, metrics)


@dataclasses.dataclass(frozen=True, eq=False)
class _Trainer:
    asked: TrainOptions
    recipe: Recipe
    directions: Sequence[LearningDirection]
    learner: Learner
    strengths: tuple[float, ...]

    @property
    def folds(self) -> range:
        return range(1, self.directions[0].folds + 1)

    @functools.cached_property
    def examples(self) -> Examples:
        made = scored if self.learner == "ridge" else compared
        return made(self.directions, self.recipe.usable)

    def fitted(self, strength: float, held_out: int) -> FittedModel:
        """Weights from all but one fold, or from everything."""
        part = self.examples.part(held_out)
        if not part.n:
            raise InputError(f"All that can be learnt from is in fold {held_out}.", hint="Bring more judgements.")
        fitted = self.recipe.trained(part, strength, self.learner, self.asked.seed)
        if self.asked.progress:
            self.asked.progress("models", 1)
        return fitted

    def figures(self, metric: Metric, part: int) -> Figures:
        """Agreement on a part, of each direction and of their average."""
        return agreement_of(self.directions, metric, part, anew=False)

    def trained(self, asked: Mapping[str, str]) -> Training:
        """Everything, from the choice of the strength to the answer."""
        tried = [
            [self.figures(Candidate(self.recipe, self.fitted(c, k)), -k) for k in self.folds] for c in self.strengths
        ]
        values = np.array([[figures[-1][1] for figures in row] for row in tried])  # (strengths, folds)
        folds = [tried[_best(np.delete(values, k, axis=1))][k] for k in range(values.shape[1])]
        strength = self.strengths[_best(values)]
        answer = self.fitted(strength, 0)
        title = self.recipe.title
        rows = [(title, self.figures(Candidate(self.recipe, answer), 0), folds)]
        rows += [(name, *self._beside(METRICS.make(spec))) for name, spec in asked.items()]
        return self._told(strength, answer, rows)

    def _beside(self, metric: Metric) -> tuple[Figures, list[Figures]]:
        """The same figures of a metric that is not trained."""
        weights = self.recipe.alone(metric)
        if weights is not None:
            alone = Candidate(self.recipe, weights)
            return self.figures(alone, 0), [self.figures(alone, -k) for k in self.folds]
        directions = [dataclasses.replace(d, metric=metric) for d in self.directions]
        return agreement_of(directions, metric, 0), [agreement_of(directions, metric, -k) for k in self.folds]

    def _told(
        self, strength: float, answer: FittedModel, entrants: list[tuple[str, Figures, list[Figures]]]
    ) -> Training:
        measure = str(self.directions[0].measure)
        means = [_means(folds) for _, _, folds in entrants]
        parts = [(ALL, [whole for _, whole, _ in entrants])]
        parts += [(f"fold {k}", [folds[k - 1] for _, _, folds in entrants]) for k in self.folds]
        records = tuple(
            TrainingRecord(part, direction, name, measure, value, n)
            for part, figures in [*parts, (HELD_OUT, means)]
            for (name, _, _), agreements in zip(entrants, figures, strict=True)
            for direction, value, n in agreements
        )
        facts = {
            "kind": self.recipe.name,
            "learner": self.learner,
            "strength": plain(strength),
            "metrics": "+".join(name for name, _, _ in entrants[1:]),
            "examples": self.examples.n,
            "directions": "+".join(d.name for d in self.directions),
            "objective": measure,
            "gold": self.directions[0].gold(0).spec,
            **self.recipe.facts(),
            **learnt_from(self.asked, self.directions[0]),
        }
        made = signature("train", facts, together(d.fingerprints() for d in self.directions))
        content = self.recipe.content(answer)
        held_out = [dataclasses.asdict(r) for r in records if r.part == HELD_OUT]
        names = self.recipe.names or tuple(name for name, _, _ in entrants[1:])
        linear = answer.linear.weights
        notes = dict.fromkeys(n for d in self.directions for n in (*d.gold(0).notes, *self._chosen(d)))
        return Training(
            kind=self.recipe.name,
            metric=self.recipe.title,
            learner=self.learner,
            strength=strength,
            examples=self.examples.n,
            weights=tuple(zip(names, linear, strict=True)) if linear else (),
            records=records,
            content={**content, "training": made, "held_out": held_out},
            answer=_in_words([(name, mean[-1][1]) for (name, _, _), mean in zip(entrants, means, strict=True)]),
            signature=made,
            notes=(*self._ends(strength), *notes),
            writer=self.recipe.write,
        )

    def _chosen(self, direction: LearningDirection) -> list[str]:
        """What is said of references, where features are not those of the best one."""
        note = self.recipe.of_references
        return [note] if note and direction.several_references else []

    def _ends(self, strength: float) -> list[str]:
        """A strength at an end of those that were tried, beyond which something better may lie."""
        at_end = len(self.strengths) > 1 and strength in (min(self.strengths), max(self.strengths))
        return [f"At the end of the strengths that were tried: {plain(strength)}."] if at_end else []


def _best(values: Array) -> int:
    """The first strength with the highest mean over folds; where agreement is not defined it is no choice."""
    means = values.mean(axis=1)
    return int(np.argmax(np.where(np.isnan(means), -np.inf, means)))


def _means(folds: Sequence[Figures]) -> Figures:
    """Of every direction over folds."""
    return [
        (column[0][0], float(np.mean([value for _, value, _ in column])), sum(n for _, _, n in column))
        for column in zip(*folds, strict=True)
    ]


def _in_words(held_out: Sequence[tuple[str, float]]) -> str:
    """What the training is worth."""
    (name, value), *others = held_out
    if not others:
        return f"{name}: {coefficient(value, 4)} on held-out segments."
    best, other = max(others, key=lambda entrant: -math.inf if math.isnan(entrant[1]) else entrant[1])
    figures = f"{coefficient(value, 4)} against {coefficient(other, 4)} on held-out segments"
    if math.isnan(value) or math.isnan(other):
        return "Agreement is not defined on every fold, so that nothing tells whether the training is worth anything."
    if value > other:
        return f"{name} agrees better than {best}, the best of the others: {figures}."
    return f"{name} agrees no better than {best}: {figures}."
