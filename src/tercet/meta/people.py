"""People's side of a direction: judgements or scores of a file, as gold of any level.

Every gold is made once, however many measures ask for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from tercet.data import Assessments, Judgements, MetaLevel, MetricScores, Rankings
from tercet.errors import InputError
from tercet.human.pairs import OnSkip
from tercet.meta import gold as golds
from tercet.meta.gold import Comparing, Gold
from tercet.metric import default_threads
from tercet.ranking import Ranker
from tercet.ranking.base import Unit
from tercet.ranking.rank import Progress, chosen, sampled_by

Takes = Literal["scores", "pairs"]
CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True, eq=False)
class People:
    """Judgements, or scores that stand in files, and how gold is made of them."""

    direction: str = ""
    judgements: Judgements | None = None
    given: Sequence[MetricScores] = ()
    how: Ranker | Comparing | None = None
    documents: Mapping[str, str] | None = None  # of each segment
    judged: float = 1.0  # share of a document's segments that must have been judged
    without: Sequence[str] = ()
    references: bool = False
    on_skip: OnSkip = "task"
    samples: int = 1000
    seed: int = 12345
    unit: Unit | None = None
    threads: int | None = None
    progress: Progress | None = None
    made: dict[tuple[MetaLevel, Takes], Gold] = dataclasses.field(default_factory=dict)

    def gold(self, level: MetaLevel, takes: Takes) -> Gold:
        """The gold of a level, as scores or as comparisons."""
        key = level, takes
        if key not in self.made:
            made = _left_out(self._make(level, takes), self.without)
            self.made[key] = dataclasses.replace(made, direction=self.direction or made.direction)
        return self.made[key]

    def _make(self, level: MetaLevel, takes: Takes) -> Gold:
        if self.judgements is None:
            return self._given(level, takes)
        if takes == "pairs":
            comparing = self._comparing(self.judgements)
            return golds.comparison_gold(self.judgements, comparing, self.on_skip, self.references)
        ranker = self._ranker()
        if level == "system":
            how = chosen(ranker, self.judgements)
            sampling = sampled_by(
                how, self.samples, CONFIDENCE, self.seed, self.unit, self.threads or default_threads(), self.progress
            )
            return golds.system_gold(self.judgements, how, sampling, self.on_skip, self.references)
        found = golds.segment_gold(self.judgements, ranker, self.references)
        return found if level == "segment" else golds.by_document(found, self._documents(), self.judged)

    def _given(self, level: MetaLevel, takes: Takes) -> Gold:
        own = {s.level: s for s in self.given}
        if isinstance(self.how, Ranker):
            raise InputError(
                f"{self.how} makes scores of judgements, and people's scores are given.", hint="Leave out the gold."
            )
        comparing = (self.how if isinstance(self.how, Comparing) else golds.DaRR()) if takes == "pairs" else None
        if level in own:
            return golds.given_gold(own[level], comparing, self.references)
        if "segment" in own and level == "document":
            return golds.by_document(
                golds.given_gold(own["segment"], None, self.references), self._documents(), self.judged
            )
        if "segment" in own and level == "system":
            found = golds.given_gold(own["segment"], None, self.references)
            there = np.isfinite(found.scores)
            with np.errstate(invalid="ignore"):  # a system that people gave no score has none
                means = np.where(there, found.scores, 0.0).sum(axis=1) / there.sum(axis=1)
            return dataclasses.replace(found, level="system", items=("",), values=means[:, None])
        raise InputError(
            f"People's scores are not there at the {level} level.",
            hint=f"They are there at the {' and '.join(own)} level. Name judgements, or --human.",
        )

    def _ranker(self) -> Ranker | None:
        return self.how if isinstance(self.how, Ranker) else None

    def _comparing(self, data: Judgements) -> Comparing:
        if isinstance(self.how, Comparing):
            return self.how
        return golds.RankedPairs() if isinstance(data, Rankings) else golds.DaRR()

    def known_documents(self) -> Mapping[str, str] | None:
        """The document of each segment, as the test set or the judgements say it."""
        data = self.judgements
        if self.documents is None and isinstance(data, Assessments) and data.documents is not None:
            return dict(zip(data.segments, data.documents, strict=True))
        return self.documents

    def _documents(self) -> Mapping[str, str]:
        found = self.known_documents()
        if found is None:
            raise InputError(
                "There are no documents to compare by.",
                hint="Name a test set or judgements with a document column, or people's scores of documents.",
            )
        return found


def _left_out(gold: Gold, without: Sequence[str]) -> Gold:
    """Without some systems, every one of which must be there."""
    if not without:
        return gold
    unknown = [s for s in without if s not in gold.systems]
    if unknown:
        raise InputError(
            f"There is no system {', '.join(unknown)} to leave out.", hint=f"There are {', '.join(gold.systems)}."
        )
    kept = [i for i, s in enumerate(gold.systems) if s not in without]
    if not kept:
        raise InputError("Every system is left out.", hint="Leave out fewer of them.")
    return chosen_systems(gold, kept)


def chosen_systems(gold: Gold, kept: Sequence[int]) -> Gold:
    """The gold of some of the systems."""
    systems = tuple(gold.systems[i] for i in kept)
    pairs = gold.pairs
    if pairs is not None:
        place = np.full(len(gold.systems), -1, dtype=np.int64)
        place[list(kept)] = np.arange(len(kept))
        both = (place[pairs.left] >= 0) & (place[pairs.right] >= 0)
        pairs = pairs.part(both)
        pairs = dataclasses.replace(pairs, systems=systems, left=place[pairs.left], right=place[pairs.right])
    return dataclasses.replace(
        gold,
        systems=systems,
        values=None if gold.values is None else gold.values[list(kept)],
        sampled=None if gold.sampled is None else gold.sampled[:, list(kept)],
        pairs=pairs,
    )
