"""What is learnt from: test sets, judgements or scores of people, and language pairs, read into directions.

`tune` and `train` begin with this, so that files, formats and names mean the same to both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, cast

from tercet import inputs
from tercet.agreeing import MEASURES, Measure
from tercet.agreeing.evaluate import require_level
from tercet.agreeing.evaluation import usual_measure
from tercet.agreeing.machines import Computed
from tercet.agreeing.people import People
from tercet.agreeing.sides import from_texts
from tercet.data import Judgements, MetricScores, TestSet
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.human.names import match_systems
from tercet.learning.directions import LearningDirection
from tercet.metric_base import Metric
from tercet.options.agreeing import MetaLevel
from tercet.options.learning import LearntFrom

Read = tuple[TestSet, Judgements | None, list[MetricScores], str | None]


def read(asked: LearntFrom) -> Iterator[Read]:
    """Texts, judgements or people's scores, and the language pair, of each direction."""
    tests = _listed(asked.testset)
    if not tests:
        raise InputError("There is no test set to tune on.", hint="Name one or more: --testset FILE.")
    if asked.judgements is not None and asked.human is not None:
        raise InputError("Judgements and people's scores are both given.", hint="Give one of the two.")
    pairs = _as_many(tests, _listed(asked.pair), "language pair", shared=False)
    judged = _as_many(tests, _listed(asked.judgements), "file of judgements", shared=True)
    humans = _as_many(tests, _listed(asked.human), "file of people's scores", shared=False)
    for test, judgements, human, asked_for in zip(tests, judged, humans, pairs, strict=True):
        pair = inputs.shared_pair(asked_for, test, asked.testset_format, judgements, asked.judgements_format)
        texts = inputs.whole_testset(test, asked.testset_format, pair)
        data = None if judgements is None else _judgements(asked, judgements, texts, pair)
        if data is not None and not asked_for:
            inputs.require_pair_of_name(test, data.pair)
        scores = [] if human is None else inputs.human_scores(human, (), asked.scores_format, pair)
        yield texts, data, [dataclasses.replace(s, higher_is_better=not asked.lower) for s in scores], pair


def facts(asked: LearntFrom, first: LearningDirection) -> dict[str, Any]:
    """What a signature says of what was learnt from."""
    gold = first.gold(0)
    drawn = first.level == "system" and gold.sampled is not None
    return {
        **first.people.facts(first.level),
        **({"samples": first.people.asked.samples, "unit": gold.unit} if drawn else {}),
        **({"names": "+".join(f"{old}={new}" for old, new in asked.names.items())} if asked.names else {}),
        **({"lower": "true"} if asked.lower else {}),
        "folds": asked.folds,
        "seed": first.people.asked.seed,
    }


def _judgements(asked: LearntFrom, given: Judgements | File, texts: TestSet, pair: str | None) -> Judgements:
    data = inputs.judgements(given, asked.judgements_format, pair)
    names = None if asked.names is None else {k: v for k, v in asked.names.items() if k in data.systems}
    return match_systems(data, texts.systems, names)


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]


def _as_many(tests: Sequence[Any], given: list[Any], what: str, *, shared: bool) -> list[Any]:
    """One for each test set, or none at all; one file may serve all of them."""
    if not given:
        return [None] * len(tests)
    if shared and len(given) == 1:
        return given * len(tests)
    if len(given) != len(tests):
        raise InputError(
            f"There are {len(tests)} test sets and {len(given)} times a {what}.",
            hint=f"Give each test set its {what}, in the same order.",
        )
    return given


def directions(asked: LearntFrom, metric: Metric, base: People, level: MetaLevel) -> list[LearningDirection]:
    """One direction for each test set; they share the measure."""
    sides = [
        from_texts(texts, {str(metric): metric}, data, human, base, pair) for texts, data, human, pair in read(asked)
    ]
    measure = MEASURES.make(
        usual_measure(level, sides[0][0]) if asked.objective is None else cast(str | Measure, asked.objective)
    )
    return [
        _direction(people, machines, metric, measure, level, asked.folds, base.asked.seed + i)
        for i, (people, machines) in enumerate(sides)
        if isinstance(machines, Computed)
    ]


def _direction(
    people: People, machines: Computed, metric: Metric, measure: Measure, level: MetaLevel, folds: int, seed: int
) -> LearningDirection:
    require_level(measure, level)
    return LearningDirection(
        people.direction, people, machines.testset, metric, machines.count, measure, level, folds, seed
    )
