"""The data frames of a comparison: one a kind of its parts, as columns or as records."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tercet.data.comparison import Comparison

Columns = list[dict[str, Any]] | dict[str, Any]


def _pairs(c: Comparison) -> Columns:
    names = c.systems
    return [dataclasses.asdict(t.pair(a, b)) for t in c.tests for a in names for b in names if a != b]


def _segments(c: Comparison) -> Columns:
    n, m, s = len(c.testset), len(c.metrics), len(c.systems)
    return {
        "metric": np.repeat([x.metric for x in c.metrics], s * n).tolist(),
        "system": np.tile(np.repeat(list(c.systems), n), m).tolist(),
        "segment": list(c.testset.segments) * (m * s),
        "score": c.segment_scores.ravel(),
    }


def _buckets(c: Comparison) -> Columns:
    return [
        {
            "kind": b.kind,
            "name": b.name,
            "bucket": part.label,
            "n": part.n,
            "measure": measure,
            "system": system,
            "score": float(part.scores[i, j]),
            "difference": float(part.difference[i, j]),
            "low": float(part.low[i, j]),
            "high": float(part.high[i, j]),
        }
        for b in c.bucketings
        for part in b.buckets
        for i, measure in enumerate(b.measures)
        for j, system in enumerate(c.systems)
    ]


def _checks(c: Comparison) -> Columns:
    return [
        {
            "check": check.kind,
            "system": system,
            "faults": count,
            "segments": int((check.counts[i] > 0).sum()),
            "possible": most,
            "p_value": float(check.p[i]),
        }
        for check in c.checks
        for i, (system, count, most) in enumerate(zip(c.systems, check.totals(), check.most(), strict=True))
    ]


def _without(records: tuple[Any, ...], *fields: str) -> Columns:
    return [{k: v for k, v in dataclasses.asdict(r).items() if k not in fields} for r in records]


FRAMES: dict[str, Callable[[Comparison], Columns]] = {
    "scores": lambda c: c.as_records(),
    "pairs": _pairs,
    "segments": _segments,
    "lengths": lambda c: _without(c.lengths),
    "buckets": _buckets,
    "checks": _checks,
    "ngrams": lambda c: _without(c.ngrams, "rows"),
    "words": lambda c: _without(c.words, "rows"),
    "findings": lambda c: _without(c.findings, "numbers", "rows", "words"),
}
