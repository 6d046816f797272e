"""Options of `retrieval`."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from tercet.options import about, setting
from tercet.options.groups import METRIC_NAMES, Metrics, Threads, Trials
from tercet.options.needs import Needs

QueryTest: TypeAlias = Literal["randomization", "t-test", "none"]
RetrievalLevel: TypeAlias = Literal["system", "query", "metric"]

if TYPE_CHECKING:
    from tercet.data.retrieval import Qrels, Run

    File: TypeAlias = str | pathlib.Path
    RunGiven: TypeAlias = File | Run | Mapping[str, str]
    Runs: TypeAlias = Mapping[str, RunGiven]
    Judged: TypeAlias = File | Qrels
    Collection: TypeAlias = File | Mapping[str, str]
else:  # what a shell gives
    Runs = list[str]
    RunGiven = Judged = Collection = pathlib.Path


@dataclasses.dataclass(frozen=True)
class RetrievalOptions(Trials, Threads):
    """What `retrieval` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("trials", "seed"), Needs({"test": ("randomization",)})),
        "baseline": Needs(beside={"test": ("none",)}),
    }
    runs: Runs = dataclasses.field(
        metadata=about(
            "Runs, a file a system: FILE or NAME=FILE; and last the relevance judgements, all in TREC's format. "
            "With --collection, files of queries (id, tab, text) instead of runs.",
            argument="RUN... QRELS",
        )
    )
    qrels: Judged = dataclasses.field(
        metadata=about("Relevance judgements: a file in the format of TREC, or levels by query.", shell=False)
    )
    _: dataclasses.KW_ONLY
    ceiling: RunGiven | None = setting(
        None, "Run (or queries) of the monolingual experiment, to hold the others against."
    )
    collection: Collection | None = setting(None, "Documents (id, tab, text) to search the queries in, with BM25.")
    metrics: Metrics = setting(
        (), "Metric to correlate with retrieval, on queries; several times.", "-m", "--metric", names=METRIC_NAMES
    )
    baseline: str | None = setting(None, "System to test the others against; the ceiling or the first otherwise.")
    test: QueryTest = setting("randomization", "Paired test over queries.")
    complete: bool = setting(
        True,
        "A query that a run does not have counts 0, as with trec_eval -c; otherwise means are over the queries that it "
        "has, and tests over those that both have.",
        "--complete/--no-complete",
    )
    relevant: int = setting(1, "Lowest level that is relevant.", least=1)
