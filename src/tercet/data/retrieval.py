"""Runs, relevance judgements, and what translated queries find: flat records that every output format shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from tercet.data.answer import Answer, data_frame
from tercet.errors import InputError
from tercet.options.searching import RetrievalLevel

Run = Mapping[str, Mapping[str, float]]  # query to document to score
Qrels = Mapping[str, Mapping[str, int]]  # query to document to level


@dataclasses.dataclass(frozen=True)
class RetrievalRecord:
    """One measure of one system, over all queries. None where a field does not apply."""

    system: str
    measure: str
    value: float
    of_ceiling: float | None  # 1 is as good as the ceiling
    delta: float | None  # from the baseline
    p_value: float | None
    wins: int | None  # queries on which the system is better than the baseline
    ties: int | None
    losses: int | None
    n: int  # queries


@dataclasses.dataclass(frozen=True)
class QueryRecord:
    """One measure of one system on one query."""

    system: str
    measure: str
    query: str
    value: float
    delta: float | None


@dataclasses.dataclass(frozen=True)
class PredictionRecord:
    """How far a metric's scores of the translated queries go with a measure of retrieval, over systems."""

    metric: str
    measure: str
    pearson: float
    n: int  # systems


@dataclasses.dataclass(frozen=True, repr=False)
class Retrieval(Answer):
    """What each system finds: over all queries, on each, and how far metrics foretell it."""

    records: tuple[RetrievalRecord, ...]
    queries: tuple[QueryRecord, ...] = dataclasses.field(repr=False)
    predictions: tuple[PredictionRecord, ...]
    signature: str
    baseline: str | None = None
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[RetrievalRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def value(self, system: str, measure: str) -> float:
        """One measure of one system."""
        records = [r for r in self.records if (r.system, r.measure) == (system, measure)]
        if not records:
            raise KeyError((system, measure))
        return records[0].value

    def as_records(self, level: RetrievalLevel = "system") -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames: of systems, of queries, or of metrics."""
        levels: dict[str, tuple[Any, ...]] = {
            "system": self.records,
            "query": self.queries,
            "metric": self.predictions,
        }
        if level not in levels:
            raise InputError(f"There is no level {level!r}.", hint=f"There are {', '.join(levels)}.")
        return [dataclasses.asdict(record) for record in levels[level]]

    def frame(self, level: RetrievalLevel = "system") -> Any:
        """The same as a data frame."""
        return data_frame(self.as_records(level))
