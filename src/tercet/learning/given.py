"""What is learnt from: test sets, judgements or scores of people, and language pairs, read into directions.

`tune` and `train` begin with this, so that files, formats and names mean the same to both.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.data import Judgements, MetaLevel, MetricScores, TestSet
from tercet.errors import InputError
from tercet.formats import directory, judgement_pairs, read_testset
from tercet.formats.lines import File
from tercet.human.given import load
from tercet.human.names import match_systems
from tercet.learning.directions import Direction
from tercet.meta import MEASURES, Measure
from tercet.meta.evaluation import from_texts, people_scores, usual_measure
from tercet.meta.machines import Computed
from tercet.meta.people import People
from tercet.metric import Metric

Texts = tuple[Any, Any, Any, str | Sequence[str] | None]  # test sets, judgements, people's scores, language pairs


@dataclasses.dataclass(frozen=True)
class Given:
    """How files are read."""

    testset_format: str | None
    judgements_format: str | None
    scores_format: str | None
    names: Mapping[str, str] | None
    lower: bool

    def read(
        self, testset: Any, judgements: Any, human: Any, pair: str | Sequence[str] | None
    ) -> Iterator[tuple[TestSet, Judgements | None, list[MetricScores], str | None]]:
        """Texts, judgements or people's scores, and the language pair, of each direction."""
        tests = _listed(testset)
        if not tests:
            raise InputError("There is no test set to tune on.", hint="Name one or more: --testset FILE.")
        if judgements is not None and human is not None:
            raise InputError("Judgements and people's scores are both given.", hint="Give one of the two.")
        pairs = _as_many(tests, _listed(pair), "language pair", shared=False)
        people = _as_many(tests, _listed(judgements), "file of judgements", shared=True)
        scores = _as_many(tests, _listed(human), "file of people's scores", shared=False)
        for test, data, own, language in zip(tests, people, scores, pairs, strict=True):
            texts = self._texts(test, language)
            found = None if data is None else self._judgements(data, texts, language)
            given = [] if own is None else people_scores(own, (), self.scores_format, language)
            yield texts, found, [self._oriented(s) for s in given], language

    def _texts(self, testset: TestSet | File, pair: str | None) -> TestSet:
        if isinstance(testset, TestSet):
            return testset
        return (
            directory.read(testset, pair)
            if pathlib.Path(testset).is_dir()
            else read_testset(testset, self.testset_format)
        )

    def _judgements(self, given: Judgements | File, texts: TestSet, pair: str | None) -> Judgements:
        several = not isinstance(given, Judgements) and pair is not None
        own = pair if several and len(judgement_pairs(given, self.judgements_format)) > 1 else None  # type: ignore[arg-type]
        data = load(given, self.judgements_format, own)
        names = None if self.names is None else {k: v for k, v in self.names.items() if k in data.systems}
        return match_systems(data, texts.systems, names)

    def _oriented(self, scores: MetricScores) -> MetricScores:
        return dataclasses.replace(scores, higher_is_better=False) if self.lower else scores


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


def directions(
    given: Given,
    texts: Texts,
    metric: Metric,
    base: People,
    measure: str | Measure | None,
    level: MetaLevel,
    folds: int,
    seed: int,
) -> list[Direction]:
    """One direction for each test set; they share the measure."""
    sides = [
        from_texts(own, {str(metric): metric}, data, people, base, language)
        for own, data, people, language in given.read(*texts)
    ]
    agreed = MEASURES.make(measure if measure is not None else usual_measure(level, sides[0][0]))
    return [
        _direction(people, machines, metric, agreed, level, folds, seed + i)
        for i, (people, machines) in enumerate(sides)
        if isinstance(machines, Computed)
    ]


def _direction(
    people: People, machines: Computed, metric: Metric, measure: Measure, level: MetaLevel, folds: int, seed: int
) -> Direction:
    if level not in measure.levels:
        raise InputError(
            f"{measure.name} is not a measure of the {level} level.", hint=f"It is for {', '.join(measure.levels)}."
        )
    if measure.takes == "pairs" and level != "segment":
        raise InputError(
            f"{measure} compares systems on segments, not at the {level} level.",
            hint="Use --level segment, or another objective.",
        )
    return Direction(people.direction, people, machines.testset, metric, machines.count, measure, level, folds, seed)
