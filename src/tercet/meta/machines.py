"""The metrics' side of a direction: scores computed from texts, or read from files, at any level."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tercet.data import Array, MetaLevel, MetricScores, Statistics, TestSet
from tercet.errors import InputError
from tercet.meta.gold import Gold
from tercet.metric import Metric

Statistician = Callable[[TestSet, Metric], Statistics]


@dataclasses.dataclass(frozen=True, eq=False)
class Computed:
    """Metrics by name over a test set; statistics are counted once and serve every level."""

    testset: TestSet
    metrics: Mapping[str, Metric]
    count: Statistician
    direction: str = ""
    counted: dict[str, Statistics] = dataclasses.field(default_factory=dict)

    def statistics(self, name: str) -> Statistics:
        """The statistics of one metric."""
        if name not in self.counted:
            self.counted[name] = self.count(self.testset, self.metrics[name])
        return self.counted[name]

    def scores(self, level: MetaLevel) -> list[MetricScores]:
        """The scores of every metric at a level."""
        return [self._at(name, level) for name in self.metrics]

    def _at(self, name: str, level: MetaLevel) -> MetricScores:
        found, metric = self.statistics(name), self.metrics[name]
        items: tuple[str, ...] = ("",)
        if level == "system":
            values = found.corpus()[:, None]
        elif level == "segment":
            items, values = self.testset.segments, found.segments()
        else:
            documents = self.testset.document_rows()
            if not documents:
                raise InputError(
                    "The test set has no documents.", hint="Name one with a document column, or another level."
                )
            items = tuple(d.name for d in documents)
            values = np.stack([found.part(d.rows).corpus() for d in documents], axis=1)
        return MetricScores(name, self.direction, level, found.systems, items, values, metric.higher_is_better)


@dataclasses.dataclass(frozen=True, eq=False)
class Given:
    """Scores that stand in files, several levels of each metric."""

    files: Sequence[MetricScores]
    documents: Mapping[str, str] | None = None

    def scores(self, level: MetaLevel) -> list[MetricScores]:
        """The scores of every metric at a level; means over segments where only those are there."""
        by_metric: dict[str, dict[str, MetricScores]] = {}
        for each in self.files:
            by_metric.setdefault(each.metric, {})[each.level] = each
        found = []
        for own in by_metric.values():
            if level in own:
                found.append(own[level])
            elif "segment" in own and (level == "system" or self.documents is not None):
                found.append(_mean(own["segment"], level, self.documents or {}))
        if not found:
            there = sorted({s.level for s in self.files})
            raise InputError(
                f"No metric has scores at the {level} level.", hint=f"There are scores at the level {', '.join(there)}."
            )
        return found


Machines = Computed | Given


def _mean(scores: MetricScores, level: MetaLevel, documents: Mapping[str, str]) -> MetricScores:
    """Means over the segments of a system, or of each document; those whose document nobody knows are left out."""
    groups: dict[str, list[int]] = {}
    for i, item in enumerate(scores.items):
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
