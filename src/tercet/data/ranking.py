"""Ranking: the answer of a ranker, as flat records that every output format shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Ranked:
    """One system: its score, the ranks between which it falls, its cluster, and what else the ranker knows of it."""

    system: str
    score: float
    rank_low: int
    rank_high: int
    cluster: int
    further: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Ranking:
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
        found = [r.score for r in self.records if r.system == system]
        if not found:
            raise KeyError(system)
        return found[0]


RANKING_COLUMNS = ("system", "score", "rank_low", "rank_high", "cluster")
