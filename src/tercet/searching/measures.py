"""The measures of trec_eval, computed by its own code: pytrec_eval, the extra `retrieval`.

Documents are ranked by their scores, equal ones by their ids from z to a; ranks in the file are not looked at. Scores
are compared in 32 bits, so that 1 and 1.00000001 are equal. What nobody judged is not relevant, except to bpref, which
passes over it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet.data.retrieval import Qrels, Run
from tercet.errors import InputError, MissingExtraError

Array = npt.NDArray[np.float64]

HIGHEST = 1000  # level; trec_eval counts levels one by one, and so would need memory for each
SUMMED = "rel"
MEASURES = {
    "P@5": "P_5",
    "P@10": "P_10",
    "NDCG@5": "ndcg_cut_5",
    "NDCG@10": "ndcg_cut_10",
    "MAP": "map",
    "Rprec": "Rprec",
    "bpref": "bpref",
    SUMMED: "num_rel_ret",
}
_ASKED = {"P.5,10", "ndcg_cut.5,10", "map", "Rprec", "bpref", "num_rel_ret"}


def measured(runs: Sequence[Run], qrels: Qrels, relevant: int = 1) -> Array:
    """Every measure of every run on every query of the qrels, (runs, measures, queries).

    NaN on a query that a run does not have; `relevant` is the lowest level that counts.
    """
    _require_sound(qrels, "The judgements", lambda level: isinstance(level, int) and abs(level) < HIGHEST)
    # pytrec_eval crashes on a query of which all levels are below 0; nothing relevant can be found there
    judged = {q: dict(docs) for q, docs in qrels.items() if any(level >= 0 for level in docs.values())}
    evaluator = _library().RelevanceEvaluator(judged, _ASKED, relevant)
    out = np.full((len(runs), len(MEASURES), len(qrels)), np.nan)
    for values, run in zip(out, runs, strict=True):
        _require_sound(run, "A run", lambda score: isinstance(score, int | float) and math.isfinite(score))
        by_query = evaluator.evaluate({q: dict(docs) for q, docs in run.items() if q in judged})
        for column, query in enumerate(qrels):
            if query in by_query:
                values[:, column] = [by_query[query][name] for name in MEASURES.values()]
            elif query in run:
                values[:, column] = 0.0
    return out


def averaged(values: Array) -> Array:
    """Means over queries (..., measures, queries) -> (..., measures), of `rel` the sum; NaN queries do not count."""
    there = ~np.isnan(values)
    sums = np.where(there, values, 0.0).sum(axis=-1)
    counts = there.sum(axis=-1)
    summed = np.array([name == SUMMED for name in MEASURES])
    with np.errstate(invalid="ignore"):
        means: Array = np.where(summed, sums, sums / np.where(counts > 0, counts, np.nan))
    return means


def relative(values: Array, ceiling: Array) -> Array:
    """Shares of the ceiling; NaN where that is 0."""
    return values / np.where(ceiling != 0, ceiling, np.nan)


def _require_sound(given: Mapping[str, Mapping[str, Any]], what: str, fine: Callable[[Any], bool]) -> None:
    """Refuse what would bring pytrec_eval down, or what it would take for something else: its strings are C's."""
    for query, documents in given.items():
        for document, value in documents.items():
            if not fine(value):
                raise InputError(
                    f"{what} gives document {document!r} of query {query!r} the value {value!r}.",
                    hint=f"Scores are finite numbers, levels whole numbers below {HIGHEST}.",
                )
        for name in (query, *documents):
            if not isinstance(name, str) or "\0" in name or not _is_unicode(name):
                raise InputError(
                    f"{what} has the id {name!r}.", hint="Ids are strings without NUL and half characters."
                )


def _is_unicode(name: str) -> bool:
    try:
        return name.isascii() or bool(name.encode())
    except UnicodeEncodeError:
        return False


def _library() -> Any:
    try:
        import pytrec_eval
    except ImportError:
        raise MissingExtraError(
            "Retrieval is measured by the package pytrec-eval-terrier, which is not installed.",
            hint="Install it with `pip install 'tercet[retrieval]'`.",
        ) from None
    return pytrec_eval
