"""`retrieval`: what each system's translated queries find, held against the queries of a person.

files or mappings ──> runs, or queries that are searched in a collection
    runs × qrels ──> values (systems, measures, queries)
        of each system     the mean over queries, its share of the ceiling
        of each query      the value, and its difference from the baseline
        test               paired, over queries
        of each metric     how far its scores of the queries go with what the queries find
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from tercet.data.retrieval import PredictionRecord, Qrels, QueryRecord, Retrieval, RetrievalRecord, Run
from tercet.errors import InputError
from tercet.formats import trec
from tercet.metric import Metric, default_threads, require_threads
from tercet.metrics import METRICS
from tercet.ranking.base import require_whole
from tercet.retrieval.bm25 import DEPTH, K1, B, Bm25
from tercet.retrieval.measures import MEASURES, Array, averaged, measured, relative
from tercet.scoring import score
from tercet.stats.correlation import correlations
from tercet.stats.paired import paired_t, sign_flips

File = str | pathlib.Path
Queries = Mapping[str, str]
M = TypeVar("M", bound=Mapping[str, Any])
Test = Literal["randomization", "t-test", "none"]

CEILING = "ceiling"
_FEWEST = 3  # systems that a correlation needs
_SAME = 1e-9  # two values of a measure that differ by less are equal


def retrieval(
    runs: Mapping[str, File | Run | Queries],
    qrels: File | Qrels,
    *,
    ceiling: File | Run | Queries | None = None,
    collection: File | Mapping[str, str] | None = None,
    metrics: Sequence[str | Metric] = (),
    baseline: str | None = None,
    test: Test = "randomization",
    trials: int = 10_000,
    seed: int = 12345,
    complete: bool = True,
    relevant: int = 1,
    threads: int | None = None,
) -> Retrieval:
    """Measure what translated queries find: P@5, P@10, NDCG@5, NDCG@10, MAP, Rprec, bpref, and `rel`, all documents
    found that are relevant.

    Parameters
    ----------
    runs
        System name to its run: a file in the format of TREC, or documents' scores by query. With a `collection`,
        system name to its queries instead: a file of ids and texts, or texts by id.
    qrels
        Relevance judgements: a file in the format of TREC, or documents' levels by query.
    ceiling
        The run (or the queries) of the monolingual experiment, which the systems are held against.
    collection
        Documents to search with BM25: a file of ids and texts, or texts by id.
    metrics
        With a collection and a ceiling: metrics that score the queries against those of the ceiling, and that are
        correlated with what the queries find.
    baseline
        What the others are tested against: the ceiling, if there is one, otherwise the first system.
    test, trials, seed
        `randomization` with so many trials, the paired `t-test`, or `none`; over queries.
    complete
        A query that a run does not have counts 0, as with trec_eval -c. Otherwise means are over the queries that it
        has, and tests over those that both have.
    relevant
        The lowest level that is relevant.

    >>> found = retrieval({"A": {"q1": {"d1": 2.0, "d2": 1.0}}}, {"q1": {"d2": 1}, "q2": {"d1": 1}})
    >>> found.value("A", "MAP"), found.value("A", "rel")
    (0.25, 1.0)
    """
    how = _How(test, trials, seed, complete, relevant, threads)
    texts = _Texts.read(runs, ceiling, collection, metrics)
    judged = _loaded(qrels, trec.read_qrels)
    found = texts.search(how.threads) if texts.collection is not None else _runs(runs, ceiling)
    base = _baseline(found, baseline)
    notes = _check(found, judged)
    values = measured(list(found.values()), judged, relevant)
    if complete:
        values = np.nan_to_num(values, nan=0.0)
    systems = list(found)
    deltas = np.full_like(values, np.nan) if base is None else values - values[systems.index(base)]
    return Retrieval(
        _records(systems, values, deltas, base, how),
        _query_records(systems, list(judged), values, deltas, base),
        texts.predictions(systems, values, how.threads),
        how.signature(searched=texts.collection is not None, tested=base is not None),
        base,
        notes,
    )


@dataclasses.dataclass(frozen=True)
class _How:
    test: Test
    trials: int
    seed: int
    complete: bool
    relevant: int
    given_threads: int | None

    def __post_init__(self) -> None:
        if self.test not in get_args(Test):
            raise InputError(f"There is no test {self.test!r}.", hint=f"There are {', '.join(get_args(Test))}.")
        for name, least, usual in (("trials", 1, 10_000), ("seed", 0, 12345), ("relevant", 1, 1)):
            require_whole(name, getattr(self, name), least, usual)
        require_threads(self.given_threads)

    @property
    def threads(self) -> int:
        return self.given_threads or default_threads()

    def p_values(self, deltas: Array) -> Array:
        """Of each row, over queries that are there in all of them."""
        if self.test == "randomization":
            return sign_flips(deltas, self.trials, self.seed)
        return paired_t(deltas) if self.test == "t-test" else np.full(len(deltas), np.nan)

    def signature(self, *, searched: bool, tested: bool) -> str:
        facts: dict[str, Any] = {"complete": str(self.complete).lower(), "relevant": self.relevant}
        if tested:
            facts["test"] = self.test
        if tested and self.test == "randomization":
            facts |= {"trials": self.trials, "seed": self.seed}
        if searched:
            facts["engine"] = f"bm25(k1={K1:g}, b={B:g}, depth={DEPTH})"
        facts |= {"measures": "trec_eval", "tercet": version("tercet")}
        return "|".join(["retrieval", *(f"{key}:{value}" for key, value in facts.items())])


@dataclasses.dataclass(frozen=True)
class _Texts:
    """Queries of the systems and of the ceiling, where there is a collection to search."""

    queries: Mapping[str, Queries]
    collection: Mapping[str, str] | None
    metrics: tuple[Metric, ...]

    @classmethod
    def read(
        cls,
        given: Mapping[str, Any],
        ceiling: Any,
        collection: File | Mapping[str, str] | None,
        metrics: Sequence[str | Metric],
    ) -> _Texts:
        _require_names(given)
        wanted = tuple(dict.fromkeys(METRICS.make(m) for m in metrics))
        if wanted and (collection is None or ceiling is None or len(given) < _FEWEST):
            raise InputError(
                f"Metrics are correlated with retrieval over {_FEWEST} systems or more, whose queries are scored "
                "against those of the ceiling.",
                hint="Give queries, a ceiling and a collection, or no metrics.",
            )
        if collection is None:
            return cls({}, None, ())
        every = {**given, **({} if ceiling is None else {CEILING: ceiling})}
        queries = {name: _loaded(each, trec.read_texts) for name, each in every.items()}
        for name, texts in queries.items():
            if not all(isinstance(text, str) for text in texts.values()):
                raise InputError(
                    f"{name} has runs where queries are searched in a collection.",
                    hint="Give texts by id, or leave the collection out.",
                )
        return cls(queries, _loaded(collection, trec.read_texts), wanted)

    def search(self, threads: int) -> dict[str, Run]:
        engine = Bm25(self.collection or {}, threads=threads)
        return {name: engine.search(queries, threads=threads) for name, queries in self.queries.items()}

    def predictions(self, systems: Sequence[str], values: Array, threads: int) -> tuple[PredictionRecord, ...]:
        """Correlations, over systems, of what metrics say of the queries with what the queries find."""
        if not self.metrics:
            return ()
        own = [name for name in systems if name != CEILING]
        reference = self.queries[CEILING]
        for name in own:
            if missing := next((q for q in reference if q not in self.queries[name]), None):
                raise InputError(
                    f"{name} has no query {missing!r}, which a metric cannot score.",
                    hint="Give every query of the ceiling, or no metrics.",
                )
        outputs = {name: [self.queries[name][q] for q in reference] for name in own}
        scores = score(outputs, list(reference.values()), metrics=self.metrics, threads=threads)
        signs = [1 if m.higher_is_better else -1 for m in self.metrics]
        said = np.array(
            [[sign * scores.value(name, str(m)) for name in own] for sign, m in zip(signs, self.metrics, strict=True)]
        )
        found = correlations("pearson", averaged(values)[: len(own)].T, said, threads=threads)  # (measures, metrics)
        return tuple(
            PredictionRecord(str(m), measure, float(found[i, j]), len(own))
            for j, m in enumerate(self.metrics)
            for i, measure in enumerate(MEASURES)
        )


def _runs(runs: Mapping[str, Any], ceiling: Any) -> dict[str, Run]:
    every = {**runs, **({} if ceiling is None else {CEILING: ceiling})}
    found = {name: _loaded(each, trec.read_run) for name, each in every.items()}
    for name, run in found.items():
        if not all(isinstance(documents, Mapping) for documents in run.values()):
            raise InputError(
                f"{name} has texts where documents' scores are needed.",
                hint="Give a collection to search them in.",
            )
    return found


def _require_names(runs: Mapping[str, Any]) -> None:
    if not isinstance(runs, Mapping) or not runs:
        raise InputError("There is no run to evaluate.", hint="For example: tercet retrieval system.run qrels.txt")
    if CEILING in runs:
        raise InputError(f"A system cannot be called {CEILING!r}.", hint="Write NAME=FILE with another name.")


def _loaded(given: Any, read: Callable[[File], M]) -> M:
    """What a file holds, or what was given in its stead."""
    if isinstance(given, str | os.PathLike):
        return read(pathlib.Path(given))
    if not isinstance(given, Mapping):
        raise InputError(f"A file or a mapping is needed, not {type(given).__name__}.", hint="Give one of the two.")
    found: M = given  # type: ignore[assignment]
    return found


def _baseline(runs: Mapping[str, Run], wanted: str | None) -> str | None:
    if wanted is not None and wanted not in runs:
        raise InputError(f"There is no system {wanted!r} to be the baseline.", hint=f"There are {', '.join(runs)}.")
    if wanted is not None or len(runs) > 1:
        return wanted or (CEILING if CEILING in runs else next(iter(runs)))
    return None


def _check(runs: Mapping[str, Run], qrels: Qrels) -> tuple[str, ...]:
    """Notes on queries that are not everywhere; a run that has none of them is refused."""
    notes = []
    for name, run in runs.items():
        shared = sum(query in qrels for query in run)
        if not shared:
            raise InputError(
                f"{name} has none of the {len(qrels)} queries that were judged.",
                hint=f"It has {', '.join(list(run)[:3])}; the judgements are of {', '.join(list(qrels)[:3])}.",
            )
        if shared < len(qrels):
            notes.append(f"{name} lacks {len(qrels) - shared} of the {len(qrels)} queries that were judged.")
        if shared < len(run):
            notes.append(f"{len(run) - shared} queries of {name} were not judged and do not count.")
    return tuple(notes)


def _records(
    systems: Sequence[str], values: Array, deltas: Array, base: str | None, how: _How
) -> tuple[RetrievalRecord, ...]:
    means = averaged(values)
    shares = relative(means, means[systems.index(CEILING)]) if CEILING in systems else None
    counts = (~np.isnan(values[:, 0])).sum(axis=-1)
    out = []
    for s, name in enumerate(systems):
        compared = base is not None and name != base
        both = ~np.isnan(deltas[s, 0])
        own = deltas[s][:, both]
        p = how.p_values(own) if compared and both.any() else np.full(len(MEASURES), np.nan)
        for m, measure in enumerate(MEASURES):
            wins, losses = int((own[m] > _SAME).sum()), int((own[m] < -_SAME).sum())
            more: dict[str, Any] = dict.fromkeys(("delta", "p_value", "wins", "ties", "losses"))
            if compared:
                more = {
                    "delta": float(averaged(deltas[s])[m]),
                    "p_value": None if np.isnan(p[m]) else float(p[m]),
                    "wins": wins,
                    "ties": int(both.sum()) - wins - losses,
                    "losses": losses,
                }
            share = None if shares is None or name == CEILING else float(shares[s, m])
            out.append(RetrievalRecord(name, measure, float(means[s, m]), share, n=int(counts[s]), **more))
    return tuple(out)


def _query_records(
    systems: Sequence[str], queries: Sequence[str], values: Array, deltas: Array, base: str | None
) -> tuple[QueryRecord, ...]:
    return tuple(
        QueryRecord(
            name,
            measure,
            query,
            float(values[s, m, q]),
            None if base is None or name == base or np.isnan(deltas[s, m, q]) else float(deltas[s, m, q]),
        )
        for s, name in enumerate(systems)
        for m, measure in enumerate(MEASURES)
        for q, query in enumerate(queries)
        if not np.isnan(values[s, m, q])
    )
