"""Ranking: the answer of a ranker, as flat records that every output format shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from tercet.data.answer import Answer


@dataclasses.dataclass(frozen=True)
class Ranked:
    """One system: its score, the ranks between which it falls, its cluster, and what else the ranker knows of it."""

    system: str
    score: float
    rank_low: int
    rank_high: int
    cluster: int
    further: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, repr=False)
class Ranking(Answer):
    """Systems from the best to the worst, with the signature of the call and notes on what was left out."""

    records: tuple[Ranked, ...]
    signature: str
    pair: str = ""
    digits: int = 3
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Ranked]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [{**{c: getattr(r, c) for c in RANKING_COLUMNS}, **r.further} for r in self.records]

    def clusters(self) -> list[list[str]]:
        """The systems of each cluster, the best first."""
        groups: dict[int, list[str]] = {}
        for r in self.records:
            groups.setdefault(r.cluster, []).append(r.system)
        return list(groups.values())

    def value(self, system: str) -> float:
        """The score of one system."""
        scores = [r.score for r in self.records if r.system == system]
        if not scores:
            raise KeyError(system)
        return scores[0]


@dataclasses.dataclass(frozen=True)
class RankerAgreement:
    """How far two rankers order the systems alike: Kendall's tau-b and Spearman's rho of their scores."""

    first: str
    second: str
    kendall: float
    spearman: float


@dataclasses.dataclass(frozen=True, repr=False)
class RankingsByMethod(Answer):
    """The same systems ranked from the same judgements by several rankers, and how far every two of these agree."""

    rankings: Mapping[str, Ranking]  # by the spec of the ranker
    agreement: tuple[RankerAgreement, ...]
    signature: str
    notes: tuple[str, ...] = ()

    def __getitem__(self, method: str) -> Ranking:
        return self.rankings[method]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records, a system and method each; a column that a ranker does not have is None."""
        rows = [{"method": method, **row} for method, ranking in self.rankings.items() for row in ranking.as_records()]
        names = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in names} for row in rows]


RANKING_COLUMNS = ("system", "score", "rank_low", "rank_high", "cluster")
