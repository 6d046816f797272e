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
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from tercet.data import Array, Judgements, MetricScores, TestSet
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.human.given import signature
from tercet.human.pairs import OnSkip
from tercet.learning.directions import Direction
from tercet.learning.examples import Examples, compared, scored
from tercet.learning.given import Given
from tercet.learning.given import directions as read_directions
from tercet.learning.learners import STRENGTHS, Learner, learn
from tercet.learning.objectives import agreement_of
from tercet.learning.recipes import BeerRecipe, Candidate, CombineRecipe, Fitted, Recipe
from tercet.meta import Measure
from tercet.meta import gold as golds
from tercet.meta.gold import Comparing
from tercet.meta.people import People
from tercet.metric import Metric, require_threads
from tercet.metrics import METRICS, models
from tercet.ranking import Ranker
from tercet.ranking.base import require_whole
from tercet.ranking.rank import Progress

Kind = Literal["beer", "combine"]
ALL, HELD_OUT = "all", "held-out"
Figures = list[tuple[str, float, int]]  # direction, value, n


@dataclasses.dataclass(frozen=True)
class TrainingRecord:
    """Agreement of one metric on one part of one direction.

    `part` is "all", on which the model was trained; "fold 1", ..., each held out once; or "held-out", their mean.
    """

    part: str
    direction: str
    metric: str
    measure: str
    value: float
    n: int


@dataclasses.dataclass(frozen=True)
class Training:
    """The answer of `train`: a model, and its agreement with people beside that of other metrics."""

    kind: Kind
    metric: str  # what the trained metric is called in the records
    learner: Learner
    strength: float
    examples: int  # comparisons, or scores, that were learnt from
    weights: tuple[tuple[str, float], ...]
    records: tuple[TrainingRecord, ...]
    content: Mapping[str, Any]  # of the model file
    answer: str
    signature: str
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[TrainingRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The trained one, then the others."""
        return tuple(dict.fromkeys(r.metric for r in self.records))

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [dataclasses.asdict(r) for r in self.records]

    def record(self, part: str = HELD_OUT, metric: str | None = None, direction: str | None = None) -> TrainingRecord:
        """One record by its labels: of the trained metric and of the average over directions if none is named."""
        name = self.metric if metric is None else metric
        found = [r for r in self.records if r.part == part and r.metric == name]
        own = [r for r in found if r.direction == direction] if direction is not None else found[-1:]
        if len(own) != 1:
            raise KeyError((part, metric, direction))
        return own[0]

    def write(self, model: File) -> None:
        """The model file."""
        models.write(model, self.content)


def train(
    kind: Kind,
    *,
    metrics: str | Sequence[str] | Mapping[str, str] = (),
    testset: TestSet | File | Sequence[TestSet | File],
    judgements: Judgements | File | Sequence[Judgements | File] | None = None,
    human: MetricScores | File | Sequence[MetricScores | File] | None = None,
    lower: bool = False,
    model: File | None = None,
    learner: Learner | None = None,
    strengths: Sequence[float] = (),
    objective: str | Measure | None = None,
    gold: str | Ranker | Comparing | None = None,
    folds: int = 5,
    testset_format: str | None = None,
    judgements_format: str | None = None,
    scores_format: str | None = None,
    pair: str | Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
    references: bool = False,
    on_skip: OnSkip = "task",
    seed: int = 12345,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Training:
    """Train a metric on judgements of segments: a model file, and how far it agrees with people on held-out segments.

    Parameters
    ----------
    kind, metrics
        `beer` learns the weights of BEER's features, and `metrics` are shown beside it; `combine` learns a linear
        combination of `metrics`. Specs, or names for them: {"ours": "beer(model=ours.json)"}.
    testset, judgements, human, lower, pair, names, without, references, on_skip
        As for `tune`; several test sets are learnt from together.
    model
        The file to write, for `beer(model=...)` or `combine(model=...)`.
    learner, strengths
        `svm` and `logistic` learn which of two outputs is better, `ridge` learns people's scores; `svm`, unless
        there are only scores. Each strength is how much mistakes count against large weights; the one that agrees
        best on held-out segments is taken.
    objective, gold
        A measure of agreement of segments, as for `meta`, and how judgements become scores or comparisons.
    folds, seed
        Parts of the segments, each held out once.

    >>> from tercet.sample import campaign, judgements
    >>> given = {"testset": campaign("en-de"), "judgements": judgements("en-de")}
    >>> found = train("combine", metrics=["chrf", "ter"], strengths=[0.01, 1], **given)
    >>> found.metrics, found.record().part
    (('combination', 'chrf', 'ter'), 'held-out')
    """
    _check(kind, learner, strengths, on_skip, folds, seed, threads)
    asked = _named(metrics)
    recipe: Recipe = BeerRecipe() if kind == "beer" else CombineRecipe(list(asked.values()))
    base = People(
        how=None if gold is None else golds.make(gold),
        without=without,
        references=references,
        on_skip=on_skip,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    directions = read_directions(
        Given(testset_format, judgements_format, scores_format, names, lower),
        (testset, judgements, human, pair),
        Candidate(recipe),
        base,
        objective,
        "segment",
        folds,
        seed,
    )
    how: Learner = learner or ("svm" if directions[0].measure.takes == "pairs" else "ridge")
    found = _Trainer(recipe, directions, how, tuple(strengths) or STRENGTHS, seed, progress).trained(asked)
    if model is not None:
        found.write(model)
    return found


def _check(
    kind: str, learner: str | None, strengths: Sequence[float], on_skip: str, folds: int, seed: int, threads: int | None
) -> None:
    require_threads(threads)
    require_whole("folds", folds, 2, 5)
    require_whole("seed", seed, 0, 12345)
    for name, value, allowed in (("kind", kind, Kind), ("learner", learner, Learner), ("on_skip", on_skip, OnSkip)):
        if value not in get_args(allowed) and (name, value) != ("learner", None):
            raise InputError(
                f"{name} must be one of {', '.join(get_args(allowed))}, not {value!r}.", hint="See --help."
            )
    if not all(math.isfinite(strength) and strength > 0 for strength in strengths):
        raise InputError(f"A strength must be above 0, not {min(strengths)}.", hint="Leave them out for a good range.")


def _named(metrics: str | Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(metrics, Mapping):
        return dict(metrics)
    listed = [metrics] if isinstance(metrics, str) else metrics
    return {str(METRICS.make(spec)): spec for spec in listed}


@dataclasses.dataclass(frozen=True, eq=False)
class _Trainer:
    recipe: Recipe
    directions: Sequence[Direction]
    learner: Learner
    strengths: tuple[float, ...]
    seed: int
    progress: Progress | None

    @property
    def folds(self) -> range:
        return range(1, self.directions[0].folds + 1)

    @functools.cached_property
    def examples(self) -> Examples:
        made = scored if self.learner == "ridge" else compared
        return made(self.directions, self.recipe.usable)

    def fitted(self, strength: float, held_out: int) -> Fitted:
        """Weights from all but one fold, or from everything."""
        part = self.examples.part(held_out)
        if not part.n:
            raise InputError(f"All that can be learnt from is in fold {held_out}.", hint="Bring more judgements.")
        scaling = self.recipe.scaling(part)
        weights = learn(self.learner, part, *scaling, strength, self.seed)
        if self.progress:
            self.progress("models", 1)
        return self.recipe.fitted(part, scaling, weights, self.learner)

    def figures(self, metric: Metric, part: int) -> Figures:
        """Agreement on a part, of each direction and of their average."""
        return agreement_of(self.directions, metric, part, anew=False)

    def trained(self, asked: Mapping[str, str]) -> Training:
        """Everything, from the choice of the strength to the answer."""
        tried = [
            [self.figures(Candidate(self.recipe, self.fitted(c, k)), -k) for k in self.folds] for c in self.strengths
        ]
        values = np.array([[figures[-1][1] for figures in row] for row in tried])  # (strengths, folds)
        own = [tried[_best(np.delete(values, k, axis=1))][k] for k in range(values.shape[1])]
        strength = self.strengths[_best(values)]
        answer = self.fitted(strength, 0)
        title = self.recipe.title
        found = [(title, self.figures(Candidate(self.recipe, answer), 0), own)]
        found += [(name, *self._beside(METRICS.make(spec))) for name, spec in asked.items()]
        return self._told(strength, answer, found)

    def _beside(self, metric: Metric) -> tuple[Figures, list[Figures]]:
        """The same figures of a metric that is not trained."""
        if isinstance(self.recipe, CombineRecipe):
            alone = Candidate(self.recipe, self.recipe.alone(metric))
            return self.figures(alone, 0), [self.figures(alone, -k) for k in self.folds]
        directions = [dataclasses.replace(d, metric=metric) for d in self.directions]
        return agreement_of(directions, metric, 0), [agreement_of(directions, metric, -k) for k in self.folds]

    def _told(self, strength: float, answer: Fitted, found: list[tuple[str, Figures, list[Figures]]]) -> Training:
        measure = str(self.directions[0].measure)
        means = [_means(own) for _, _, own in found]
        parts = [(ALL, [whole for _, whole, _ in found])]
        parts += [(f"fold {k}", [own[k - 1] for _, _, own in found]) for k in self.folds]
        records = tuple(
            TrainingRecord(part, direction, name, measure, value, n)
            for part, figures in [*parts, (HELD_OUT, means)]
            for (name, _, _), own in zip(found, figures, strict=True)
            for direction, value, n in own
        )
        facts = {
            "kind": self.recipe.name,
            "learner": self.learner,
            "strength": f"{strength:g}",
            "examples": self.examples.n,
            "directions": "+".join(d.name for d in self.directions),
            "objective": measure,
            "gold": self.directions[0].gold(0).spec,
            "folds": len(self.folds),
            "seed": self.seed,
        }
        made = signature("train", facts)
        content = self.recipe.content(answer)
        held_out = [dataclasses.asdict(r) for r in records if r.part == HELD_OUT]
        names = [each["name"] for each in content.get("features", ())] or [name for name, _, _ in found[1:]]
        notes = dict.fromkeys(n for d in self.directions for n in (*d.gold(0).notes, *self._chosen(d)))
        return Training(
            kind="beer" if self.recipe.name == "beer" else "combine",
            metric=self.recipe.title,
            learner=self.learner,
            strength=strength,
            examples=self.examples.n,
            weights=tuple(zip(names, answer.linear.weights, strict=True)),
            records=records,
            content={**content, "training": made, "held_out": held_out},
            answer=_in_words([(name, mean[-1][1]) for (name, _, _), mean in zip(found, means, strict=True)]),
            signature=made,
            notes=(*self._ends(strength), *notes),
        )

    def _chosen(self, direction: Direction) -> list[str]:
        """What is said of references, where features are not those of the best one."""
        if not direction.several_references or not isinstance(self.recipe, BeerRecipe):
            return []
        return ["Some segments have several references: features are those of the one that an output is most like."]

    def _ends(self, strength: float) -> list[str]:
        """A strength at an end of those that were tried, beyond which something better may lie."""
        at_end = len(self.strengths) > 1 and strength in (min(self.strengths), max(self.strengths))
        return [f"At the end of the strengths that were tried: {strength:g}."] if at_end else []


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
        return f"{name}: {value:.4f} on held-out segments."
    best, other = max(others, key=lambda each: -math.inf if math.isnan(each[1]) else each[1])
    figures = f"{value:.4f} against {other:.4f} on held-out segments"
    if math.isnan(value) or math.isnan(other):
        return "Agreement is not defined on every fold, so that nothing tells whether the training is worth anything."
    if value > other:
        return f"{name} agrees better than {best}, the best of the others: {figures}."
    return f"{name} agrees no better than {best}: {figures}."
