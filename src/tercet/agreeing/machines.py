"""The metrics' side of a direction: scores computed from texts, or read from files, at any level."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from tercet.agreeing.gold import Gold
from tercet.data import Array, Ints, MetricScores, Statistics, TestSet
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.options.agreeing import MetaLevel
from tercet.options.groups import Aggregate
from tercet.scoring import remarks
from tercet.signing import fingerprint, fingerprints
from tercet.stats.aggregation import aggregated

Statistician = Callable[[TestSet, Metric], Statistics]
Segments = frozenset[str]


class Machines(abc.ABC):
    """Metrics of one direction, whose scores of a level are made once."""

    testset: TestSet | None
    metrics: Mapping[str, Metric]  # those that are computed, by name
    scored: dict[MetaLevel, list[MetricScores]]

    def scores(self, level: MetaLevel, *, common: bool = False) -> list[MetricScores]:
        """The scores of every metric at a level; `common` ones are made of the segments that all metrics have."""
        kept = self.shared_segments(level) if common else None
        if kept is not None:
            return self._scores(level, kept)
        if level not in self.scored:
            self.scored[level] = self._scores(level)
        return self.scored[level]

    @abc.abstractmethod
    def _scores(self, level: MetaLevel, kept: Segments | None = None) -> list[MetricScores]:
        """Scores of a level, those that are made of segments of the ones that are kept, or of all."""

    def shared_segments(self, level: MetaLevel) -> Segments | None:
        """Of which all metrics that are means of segments have scores of all systems; None if these are all."""
        return None

    def statistics(self, name: str) -> Statistics | None:
        """The statistics of one metric, if it is computed."""
        return None

    @abc.abstractmethod
    def fingerprints(self) -> dict[str, str]:
        """Of what is scored, or was, for signatures."""

    def submitted_names(self) -> list[str]:
        """The metrics whose scores stand in files."""
        return []

    def remarks(self) -> tuple[str, ...]:
        """What befell the texts that were scored."""
        return ()


@dataclasses.dataclass(frozen=True, eq=False)
class Computed(Machines):
    """Metrics by name over a test set; statistics are counted once and serve every level."""

    testset: TestSet
    metrics: Mapping[str, Metric]
    count: Statistician
    direction: str = ""
    aggregate: Aggregate | None = None  # how scores of systems are made, where not as the metric does
    counted: dict[str, Statistics] = dataclasses.field(default_factory=dict)
    scored: dict[MetaLevel, list[MetricScores]] = dataclasses.field(default_factory=dict)

    def statistics(self, name: str) -> Statistics:
        """The statistics of one metric."""
        if name not in self.counted:
            metric, by = self.metrics[name], self.aggregate
            plain = self.count(self.testset, metric)
            better = metric.higher_is_better
            self.counted[name] = plain if by is None else aggregated(plain, by, higher_is_better=better)
        return self.counted[name]

    def fingerprints(self) -> dict[str, str]:
        """Checksums of the texts that are scored, for the signature."""
        return fingerprints(self.testset)

    def remarks(self) -> tuple[str, ...]:
        return remarks(self.testset, self.metrics.values())

    def chosen(self, names: Iterable[str]) -> Computed:
        """Some of the metrics; what was counted is not counted again."""
        return dataclasses.replace(self, metrics={name: self.metrics[name] for name in names}, scored={})

    def _scores(self, level: MetaLevel, kept: Segments | None = None) -> list[MetricScores]:
        return [self._at(name, level, kept) for name in self.metrics]

    def _at(self, name: str, level: MetaLevel, kept: Segments | None) -> MetricScores:
        counted, metric = self.statistics(name), self.metrics[name]
        items: tuple[str, ...] = ("",)

        def rows_of(rows: Iterable[int]) -> Ints:
            return np.array([i for i in rows if kept is None or self.testset.segments[i] in kept], dtype=np.int64)

        if level == "system":
            values = (counted if kept is None else counted.part(rows_of(range(len(self.testset))))).corpus()[:, None]
        elif level == "segment":
            items, values = self.testset.segments, counted.segments()
        else:
            documents = self.testset.document_rows()
            if not documents:
                raise InputError(
                    "The test set has no documents.", hint="Name one with a document column, or another level."
                )
            rows = {d.name: rows_of(d.rows) for d in documents}
            items = tuple(name for name, there in rows.items() if len(there))
            values = np.stack([counted.part(rows[name]).corpus() for name in items], axis=1)
        free = "references" not in metric.needs
        better = metric.higher_is_better or self.aggregate == "best"
        return MetricScores(name, self.direction, level, counted.systems, items, values, better, free)


@dataclasses.dataclass(frozen=True, eq=False)
class Submitted(Machines):
    """Scores that stand in files, several levels of each metric."""

    files: Sequence[MetricScores]
    documents: Mapping[str, str] | None = None
    testset: TestSet | None = None
    metrics: Mapping[str, Metric] = dataclasses.field(default_factory=dict, init=False)
    scored: dict[MetaLevel, list[MetricScores]] = dataclasses.field(default_factory=dict)

    def fingerprints(self) -> dict[str, str]:
        """Checksums of the scores that were read, for the signature."""
        return {"scores": fingerprint(self.files)}

    def submitted_names(self) -> list[str]:
        """The metrics whose scores were read and not computed: all of them."""
        return list(dict.fromkeys(scores.metric for scores in self.files))

    def shared_segments(self, level: MetaLevel, texts: Collection[str] = ()) -> Segments | None:
        """Of which all metrics that are means of segments have scores of every system that all have.

        None if these are all, also of the segments of texts.
        """
        tables = [levels["segment"] for levels in self._levels() if level not in levels and "segment" in levels]
        if not tables:
            return None
        systems = set.intersection(*map(_scored_systems, tables))
        full = [{item for item, known in zip(s.items, _whole(s, systems), strict=True) if known} for s in tables]
        kept = frozenset(set.intersection(*full))
        if not kept:
            raise InputError(
                "There is no segment of which all metrics have scores of all systems that they share.",
                hint="Leave out --common, or the metric that has least.",
            )
        return None if kept.issuperset(texts) and all(kept.issuperset(s.items) for s in tables) else kept

    def _levels(self) -> list[dict[str, MetricScores]]:
        """Scores by level, metric by metric."""
        by_metric: dict[str, dict[str, MetricScores]] = {}
        for scores in self.files:
            by_metric.setdefault(scores.metric, {})[scores.level] = scores
        return list(by_metric.values())

    def _scores(self, level: MetaLevel, kept: Segments | None = None) -> list[MetricScores]:
        """Means over segments where only those are there."""
        out = []
        for levels in self._levels():
            if level in levels:
                out.append(levels[level])
            elif "segment" in levels and (level == "system" or self.documents is not None):
                out.append(_mean(levels["segment"], level, self.documents or {}, kept))
        if not out:
            there = sorted({s.level for s in self.files})
            raise InputError(
                f"No metric has scores at the {level} level.", hint=f"There are scores at the level {', '.join(there)}."
            )
        return out


@dataclasses.dataclass(frozen=True, eq=False)
class Mixed(Machines):
    """Metrics that are computed, and beside them others whose scores stand in files."""

    computed: Computed
    submitted: Submitted
    scored: dict[MetaLevel, list[MetricScores]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        twice = sorted({s.metric for s in self.submitted.files} & set(self.computed.metrics))
        if twice:
            both = "is computed, and stands" if len(twice) == 1 else "are computed, and stand"
            raise InputError(
                f"{', '.join(twice)} {both} in the files as well.",
                hint="Give what is computed another name, NAME=SPEC, or leave it out.",
            )

    @property
    def testset(self) -> TestSet:  # type: ignore[override]
        """The texts of the metrics that are computed."""
        return self.computed.testset

    @property
    def metrics(self) -> Mapping[str, Metric]:  # type: ignore[override]
        """Those that are computed."""
        return self.computed.metrics

    def chosen(self, names: Iterable[str]) -> Mixed:
        """Some of those that are computed, and all others."""
        return Mixed(self.computed.chosen(names), self.submitted)

    def remarks(self) -> tuple[str, ...]:
        return self.computed.remarks()

    def statistics(self, name: str) -> Statistics | None:
        """The statistics of one metric, if it is computed."""
        return self.computed.statistics(name) if name in self.metrics else None

    def fingerprints(self) -> dict[str, str]:
        """Of texts and scores."""
        return {**self.computed.fingerprints(), **self.submitted.fingerprints()}

    def submitted_names(self) -> list[str]:
        """Those of the files."""
        return self.submitted.submitted_names()

    def shared_segments(self, level: MetaLevel) -> Segments | None:
        """Those of the files, of which texts may have more."""
        return self.submitted.shared_segments(level, self.testset.segments)

    def _scores(self, level: MetaLevel, kept: Segments | None = None) -> list[MetricScores]:
        if kept is None:
            return [*self.computed.scores(level), *self.submitted.scores(level)]
        return [*self.computed._scores(level, kept), *self.submitted._scores(level, kept)]


def _scored_systems(scores: MetricScores) -> set[str]:
    """Systems of which there is any score."""
    lacking = np.isnan(scores.values)
    return {system for i, system in enumerate(scores.systems) if not lacking[i].all()}


def _whole(scores: MetricScores, systems: Collection[str]) -> list[bool]:
    """Of which segments all of some systems have a score."""
    rows = [i for i, system in enumerate(scores.systems) if system in systems]
    lacking = np.isnan(scores.values[rows])
    return [not lacking[:, i].any() for i in range(len(scores.items))]


def _mean(
    scores: MetricScores, level: MetaLevel, documents: Mapping[str, str], kept: Segments | None = None
) -> MetricScores:
    """Means over the segments of a system, or of each document; those whose document nobody knows are left out."""
    groups: dict[str, list[int]] = {}
    for i, item in enumerate(scores.items):
        if kept is not None and item not in kept:
            continue
        if level == "system" or item in documents:
            groups.setdefault("" if level == "system" else documents[item], []).append(i)
    if not groups:
        raise InputError(f"{scores.metric}: no document is known for any segment.", hint="Check the names.")
    with np.errstate(invalid="ignore"):
        columns = [
            np.nansum(scores.values[:, rows], axis=1) / np.isfinite(scores.values[:, rows]).sum(axis=1)
            for rows in groups.values()
        ]
    return dataclasses.replace(scores, level=level, items=tuple(groups), values=np.stack(columns, axis=1))


def aligned(scores: MetricScores, gold: Gold) -> Array:
    """A metric's scores, higher is better, in the order of the gold's systems and items; NaN where there is none."""
    row = {s: i for i, s in enumerate(scores.systems)}
    column = {s: i for i, s in enumerate(scores.items)}
    rows = np.array([row.get(s, -1) for s in gold.systems], dtype=np.int64)
    columns = np.array([column.get(s, -1) for s in gold.items], dtype=np.int64)
    for what, place, mine, theirs in (
        ("system", rows, scores.systems, gold.systems),
        ("item", columns, scores.items, gold.items),
    ):
        if (place < 0).all():
            raise InputError(
                f"{scores.metric} scores no {what} that people judged: it has {_some(mine)}, and they {_some(theirs)}.",
                hint="Names must be the same on both sides; for systems, map them with --name.",
            )
    out = np.full((len(rows), len(columns)), np.nan)
    here = np.ix_(rows >= 0, columns >= 0)
    out[here] = scores.oriented[np.ix_(rows[rows >= 0], columns[columns >= 0])]
    return out


def _some(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
