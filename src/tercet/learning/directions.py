"""A language pair to tune on: people's gold and the statistics of the texts, as a whole and in folds of segments.

Parts are numbers: 0 is everything, k > 0 everything but fold k, which is tuned on, and -k fold k itself, held out.
Folds are drawn over the segments that people judged (documents, at that level), so that each has its share of them.
People's scores of segments are made once and cut; those of systems are made again from the judgements of each part.

`found` goes the way of `meta`, so that a figure is the one that `tercet meta` prints.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tercet.agreeing.base import Found, Measure, checked_found
from tercet.agreeing.gold import Gold
from tercet.agreeing.machines import Computed, aligned
from tercet.agreeing.people import People
from tercet.data import Array, Assessments, Ints, Judgements, Rankings, Statistics, TestSet
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.options.agreeing import MetaLevel
from tercet.signing import fingerprints
from tercet.spec import recounted

Counting = Callable[[TestSet, Metric], Statistics]
Flags = npt.NDArray[np.bool_]
KEPT = 32  # metrics whose statistics stay


@dataclasses.dataclass(frozen=True, eq=False)
class LearningDirection:
    """One language pair: people, texts, the metric as it was given, and what is to agree how."""

    name: str
    people: People
    testset: TestSet
    metric: Metric
    count: Counting
    measure: Measure
    level: MetaLevel
    folds: int
    seed: int
    golds: dict[int, Gold] = dataclasses.field(default_factory=dict)  # of the parts that were asked for
    counts: dict[Metric, Array] = dataclasses.field(default_factory=dict)  # statistics of metrics that counted anew

    @property
    def scored(self) -> MetaLevel:
        """The level of the scores that the measure looks at."""
        return self.measure.looks_at or self.level

    @functools.cached_property
    def rows(self) -> Array:
        """Statistics of the metric as it was given, (systems, segments, k)."""
        return self.count(self.testset, self.metric).rows

    def rows_of(self, metric: Metric) -> Array:
        """Statistics of a tuned metric: those of the one that was given, or its own where texts are counted anew."""
        if all(getattr(metric, name) == getattr(self.metric, name) for name in recounted(type(metric))):
            return metric.retuned(self.rows)
        if metric not in self.counts:
            if len(self.counts) >= KEPT:
                del self.counts[next(iter(self.counts))]
            self.counts[metric] = self.count(self.testset, metric).rows
        return self.counts[metric]

    def fingerprints(self) -> dict[str, str]:
        """Of what is learnt from, for signatures."""
        return {**fingerprints(self.testset), **self.people.fingerprints()}

    @property
    def several_references(self) -> bool:
        """Whether the metric may choose another reference when it is tuned: then its statistics are counted anew."""
        references = self.testset.references
        return references is not None and references.counts[1] > 1

    def statistics(self, metric: Metric, *, anew: bool = True) -> Statistics:
        """The statistics of a tuned metric, counted anew where they may differ."""
        if anew and self.several_references and metric != self.metric:
            rows = self.count(self.testset, metric).rows
        else:
            rows = self.rows_of(metric)
        return Statistics(tuple(self.testset.systems), rows, metric.score)

    @functools.cached_property
    def fold_of(self) -> dict[str, int]:
        """The fold of each segment, or document, from 1."""
        judged = self._judged()
        names = self.testset.segments if self.scored != "document" else tuple(dict.fromkeys(self._documents()))
        if len(judged) < self.folds:
            raise InputError(
                f"There are {len(judged)} judged {'documents' if self.scored == 'document' else 'segments'} "
                f"for {self.folds} folds{' of ' + self.name if self.name else ''}.",
                hint="Ask for fewer folds, or bring more judgements.",
            )
        rng = np.random.default_rng(self.seed)
        others = [name for name in names if name not in judged]
        order = [*rng.permutation(sorted(judged)).tolist(), *rng.permutation(others).tolist()]
        return {name: 1 + i % self.folds for i, name in enumerate(order)}

    def _documents(self) -> tuple[str, ...]:
        return self.testset.documents or ()

    def _judged(self) -> set[str]:
        """The units that people said something of."""
        if self.scored == "system":
            return _judged_segments(self.people) or set(self.testset.segments)
        gold = self.gold(0)
        if gold.pairs is not None:
            there = np.isin(np.arange(len(gold.items)), gold.pairs.segment)
        else:
            there = np.any(np.isfinite(gold.scores), axis=0)
        known = set(self.testset.segments if self.scored == "segment" else self._documents())
        return {item for item, here in zip(gold.items, there, strict=True) if here and item in known}

    def inside(self, names: tuple[str, ...], part: int) -> Flags:
        """Which segments, or documents, belong to a part."""
        if part == 0:
            return np.ones(len(names), dtype=bool)
        fold = np.array([self.fold_of.get(name, 0) for name in names], dtype=np.int64)
        return np.equal(fold, -part) if part < 0 else np.not_equal(fold, part)

    def gold(self, part: int) -> Gold:
        """What people say of a part."""
        if part not in self.golds:
            self.golds[part] = self._gold(part)
        return self.golds[part]

    def _gold(self, part: int) -> Gold:
        people = self.people if part == 0 or self.scored != "system" else self._people(part)
        gold = people.gold(self.scored, self.measure.takes)
        if part == 0 or self.scored == "system":
            return gold
        return chosen_items(gold, self.inside(gold.items, part))

    def _people(self, part: int) -> People:
        """People with the judgements of a part."""
        data = self.people.judgements
        if data is not None:
            return dataclasses.replace(self.people, judgements=_some(data, self.inside(data.segments, part)), made={})
        given = tuple(
            dataclasses.replace(s, items=_kept(s.items, keep), values=s.values[:, keep])
            for s in self.people.given
            if s.level == "segment"
            for keep in [self.inside(s.items, part)]
        )
        return dataclasses.replace(self.people, given=given or self.people.given, made={})

    def table(self, part: int, metric: Metric | None = None) -> tuple[Array, Flags]:
        """Statistics in the order of the gold's systems and items, (systems, items, k), and where there are some.

        They are those of the metric as it was given, or of one that is tuned.
        """
        gold = self.gold(part)
        rows, items = self.rows if metric is None else self.rows_of(metric), self.testset.segments
        if self.scored == "system":
            statistics = Statistics(tuple(self.testset.systems), rows[:, self.inside(items, part)], self.metric.score)
            rows, items = statistics.total()[:, None], ("",)
        elif self.scored == "document":
            documents = self.testset.document_rows()
            items = tuple(d.name for d in documents)
            whole = Statistics(tuple(self.testset.systems), rows, self.metric.score)
            rows = np.stack([whole.part(d.rows).total() for d in documents], axis=1)
        return self.in_order(gold, rows, items)

    def in_order(self, gold: Gold, rows: Array, items: tuple[str, ...]) -> tuple[Array, Flags]:
        """Rows of this test set's systems and of items, in the order of a gold, and where there are some."""
        system = _places(gold.systems, tuple(self.testset.systems))
        item = _places(gold.items, items)
        known = (system >= 0)[:, None] & (item >= 0)[None]
        return rows[system[:, None], item[None]], known

    def found(self, metric: Metric, part: int, *, anew: bool = True) -> Found:
        """Agreement on a part, in the way of `meta`."""
        statistics = self.statistics(metric, anew=anew)
        if self.scored == "system" and part:
            keep = np.flatnonzero(self.inside(self.testset.segments, part))
            statistics = statistics.part(keep)
        name = str(metric)
        machines = Computed(self.testset, {name: metric}, self.count, self.name, counted={name: statistics})
        gold = self.gold(part)
        return checked_found(self.measure, gold, aligned(machines.scores(self.scored)[0], gold))


def chosen_items(gold: Gold, keep: Flags) -> Gold:
    """The gold of some of its items."""
    place = np.cumsum(keep) - 1
    pairs = gold.pairs
    if pairs is not None:
        inside = pairs.part(keep[pairs.segment])
        pairs = dataclasses.replace(inside, segment=place[inside.segment].astype(np.int64))
    return dataclasses.replace(
        gold,
        items=_kept(gold.items, keep),
        values=None if gold.values is None else gold.values[:, keep],
        texts=None if gold.texts is None else _kept(gold.texts, keep),
        pairs=pairs,
    )


def _kept(names: tuple[str, ...], keep: Flags) -> tuple[str, ...]:
    return tuple(name for name, here in zip(names, keep.tolist(), strict=True) if here)


def _judged_segments(people: People) -> set[str]:
    data = people.judgements
    if data is None:
        return {item for s in people.given if s.level == "segment" for item in s.items}
    if not isinstance(data, Rankings | Assessments):
        raise InputError(f"{data.file} holds neither rankings nor scores.", hint="Read it with read_judgements.")
    return {data.segments[i] for i in np.unique(data.segment).tolist()}


def _some(data: Judgements, keep: Flags) -> Judgements:
    """The judgements of some segments; names stay as they are."""
    if isinstance(data, Assessments):
        return data.part(keep[data.segment])
    if not isinstance(data, Rankings):
        raise InputError(f"{data.file} holds neither rankings nor scores.", hint="Read it with read_judgements.")
    tasks = keep[data.segment]
    sizes = np.diff(data.starts)
    items = np.repeat(tasks, sizes)
    return dataclasses.replace(
        data,
        segment=data.segment[tasks],
        judge=data.judge[tasks],
        starts=np.concatenate([[0], np.cumsum(sizes[tasks])]).astype(np.int64),
        output=data.output[items],
        rank=data.rank[items],
        seconds=None if data.seconds is None else data.seconds[tasks],
        line=None if data.line is None else data.line[tasks],
    )


def _places(wanted: tuple[str, ...], there: tuple[str, ...]) -> Ints:
    place = {name: i for i, name in enumerate(there)}
    return np.array([place.get(name, -1) for name in wanted], dtype=np.int64)
