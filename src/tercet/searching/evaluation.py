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
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet import inputs
from tercet.data.retrieval import PredictionRecord, Qrels, QueryRecord, Retrieval, RetrievalRecord, Run
from tercet.errors import InputError
from tercet.formats import trec
from tercet.metric_base import Metric
from tercet.numbers import ALPHA, plain
from tercet.options import verb
from tercet.options.searching import RetrievalOptions
from tercet.scoring import made_metrics, score
from tercet.searching.bm25 import DEPTH, K1, B, Bm25
from tercet.searching.measures import MEASURES, Array, averaged, measured, relative
from tercet.signing import fingerprint, signature
from tercet.stats.correction import require_draws
from tercet.stats.correlation import correlations
from tercet.stats.paired import paired_t, sign_flips

File = str | pathlib.Path
Queries = Mapping[str, str]

CEILING = "ceiling"
_FEWEST = 3  # systems that a correlation needs
_SAME = 1e-9  # two values of a measure that differ by less are equal


@verb(RetrievalOptions)
def retrieval(asked: RetrievalOptions) -> Retrieval:
    """Measure what translated queries find: P@5, P@10, NDCG@5, NDCG@10, MAP, Rprec, bpref, and `rel`, all documents
    found that are relevant.

    A run is a file in the format of TREC, or documents' scores by query; with a `collection`, queries instead: a file
    of ids and texts, or texts by id. Metrics score the queries against those of the ceiling.

    >>> found = retrieval({"A": {"q1": {"d1": 2.0, "d2": 1.0}}}, {"q1": {"d2": 1}, "q2": {"d1": 1}})
    >>> found.value("A", "MAP"), found.value("A", "rel")
    (0.25, 1.0)
    """
    texts = _Texts.read(asked)
    judged = inputs.retrieved(asked.qrels, trec.read_qrels)
    runs = texts.search(asked.workers) if texts.collection is not None else _runs(asked.runs, asked.ceiling)
    base = _baseline(runs, asked.baseline)
    notes = _check(runs, judged)
    values = measured(list(runs.values()), judged, asked.relevant)
    if asked.complete:
        values = np.nan_to_num(values, nan=0.0)
    systems = list(runs)
    deltas = np.full_like(values, np.nan) if base is None else values - values[systems.index(base)]
    return Retrieval(
        _records(systems, values, deltas, base, asked),
        _query_records(systems, list(judged), values, deltas, base),
        texts.predictions(systems, values, asked.workers),
        _signature(asked, _data(runs, judged, texts), searched=texts.collection is not None, tested=base is not None),
        base,
        notes,
    )


def _p_values(deltas: Array, how: RetrievalOptions) -> Array:
    """Of each row, over queries that are there in all of them."""
    if how.test == "randomization":
        require_draws(len(deltas), how.trials, "--trials", "none", ALPHA)
        return sign_flips(deltas, how.trials, how.seed)
    return paired_t(deltas) if how.test == "t-test" else np.full(len(deltas), np.nan)


def _data(runs: Mapping[str, Run], judged: Qrels, texts: _Texts) -> dict[str, str]:
    """Fingerprints of what was given: runs, or queries with what they are searched in."""
    if texts.collection is None:
        return {"runs": fingerprint(runs), "qrels": fingerprint(judged)}
    given = {"queries": texts.queries, "collection": texts.collection, "qrels": judged}
    return {kind: fingerprint(content) for kind, content in given.items()}


def _signature(how: RetrievalOptions, data: Mapping[str, str], *, searched: bool, tested: bool) -> str:
    facts: dict[str, Any] = {"complete": str(how.complete).lower(), "relevant": how.relevant}
    if how.ceiling is not None:
        facts["ceiling"] = "true"
    if tested:
        facts["test"] = how.test
    if tested and how.baseline is not None:
        facts["baseline"] = how.baseline
    if tested and how.test == "randomization":
        facts |= {"trials": how.trials, "seed": how.seed}
    if searched:
        facts["engine"] = f"bm25(k1={plain(K1)}, b={plain(B)}, depth={DEPTH})"
    if how.metrics:
        facts["metrics"] = "+".join(map(str, made_metrics(how.metrics)))
    return signature("retrieval", {**facts, "measures": "trec_eval"}, data)


@dataclasses.dataclass(frozen=True)
class _Texts:
    """Queries of the systems and of the ceiling, where there is a collection to search."""

    queries: Mapping[str, Queries]
    collection: Mapping[str, str] | None
    metrics: tuple[Metric, ...]

    @classmethod
    def read(cls, asked: RetrievalOptions) -> _Texts:
        given, ceiling, collection = asked.runs, asked.ceiling, asked.collection
        _require_names(given)
        wanted = tuple(made_metrics(asked.metrics))
        if wanted and (collection is None or ceiling is None or len(given) < _FEWEST):
            raise InputError(
                f"Metrics are correlated with retrieval over {_FEWEST} systems or more, whose queries are scored "
                "against those of the ceiling.",
                hint="Give queries, a ceiling and a collection, or no metrics.",
            )
        if collection is None:
            return cls({}, None, ())
        every = {**given, **({} if ceiling is None else {CEILING: ceiling})}
        queries = {name: inputs.retrieved(file, trec.read_texts) for name, file in every.items()}
        for name, texts in queries.items():
            if not all(isinstance(text, str) for text in texts.values()):
                raise InputError(
                    f"{name} has runs where queries are searched in a collection.",
                    hint="Give texts by id, or leave the collection out.",
                )
        return cls(queries, inputs.retrieved(collection, trec.read_texts), wanted)

    def search(self, threads: int) -> dict[str, Run]:
        engine = Bm25(self.collection or {}, threads=threads)
        return {name: engine.search(queries, threads=threads) for name, queries in self.queries.items()}

    def predictions(self, systems: Sequence[str], values: Array, threads: int) -> tuple[PredictionRecord, ...]:
        """Correlations, over systems, of what metrics say of the queries with what the queries find."""
        if not self.metrics:
            return ()
        names = [name for name in systems if name != CEILING]
        reference = self.queries[CEILING]
        for name in names:
            if missing := next((q for q in reference if q not in self.queries[name]), None):
                raise InputError(
                    f"{name} has no query {missing!r}, which a metric cannot score.",
                    hint="Give every query of the ceiling, or no metrics.",
                )
        outputs = {name: [self.queries[name][q] for q in reference] for name in names}
        scores = score(outputs, list(reference.values()), metrics=self.metrics, threads=threads)
        signs = [1 if m.higher_is_better else -1 for m in self.metrics]
        said = np.array(
            [[sign * scores.value(name, str(m)) for name in names] for sign, m in zip(signs, self.metrics, strict=True)]
        )
        agreements = correlations(
            "pearson", averaged(values)[: len(names)].T, said, threads=threads
        )  # (measures, metrics)
        return tuple(
            PredictionRecord(str(m), measure, float(agreements[i, j]), len(names))
            for j, m in enumerate(self.metrics)
            for i, measure in enumerate(MEASURES)
        )


def _runs(runs: Mapping[str, Any], ceiling: Any) -> dict[str, Run]:
    every = {**runs, **({} if ceiling is None else {CEILING: ceiling})}
    loaded = {name: inputs.retrieved(given, trec.read_run) for name, given in every.items()}
    for name, run in loaded.items():
        if not all(isinstance(documents, Mapping) for documents in run.values()):
            raise InputError(
                f"{name} has texts where documents' scores are needed.",
                hint="Give a collection to search them in.",
            )
    return loaded


def _require_names(runs: Mapping[str, Any]) -> None:
    if not isinstance(runs, Mapping) or not runs:
        raise InputError("There is no run to evaluate.", hint="For example: tercet retrieval system.run qrels.txt")
    if CEILING in runs:
        raise InputError(f"A system cannot be called {CEILING!r}.", hint="Write NAME=FILE with another name.")


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
    systems: Sequence[str], values: Array, deltas: Array, base: str | None, how: RetrievalOptions
) -> tuple[RetrievalRecord, ...]:
    means = averaged(values)
    shares = relative(means, means[systems.index(CEILING)]) if CEILING in systems else None
    counts = (~np.isnan(values[:, 0])).sum(axis=-1)
    out = []
    for s, name in enumerate(systems):
        compared = base is not None and name != base
        both = ~np.isnan(deltas[s, 0])
        delta = deltas[s][:, both]
        p = _p_values(delta, how) if compared and both.any() else np.full(len(MEASURES), np.nan)
        for m, measure in enumerate(MEASURES):
            wins, losses = int((delta[m] > _SAME).sum()), int((delta[m] < -_SAME).sum())
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
