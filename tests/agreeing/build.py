"""Small golds and metrics to measure agreement on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tercet.agreeing.base import Measure
from tercet.agreeing.gold import Gold
from tercet.data import Array, Ints, Pairs
from tercet.options.agreeing import MetaLevel

SYSTEMS = ("A", "B", "C", "D", "E", "F")
SAMPLES = 60


def table(seed: int, items: int = 30) -> Array:
    """Scores of six systems, A the best, with noise."""
    rng = np.random.default_rng(seed)
    return np.linspace(1, 0, len(SYSTEMS))[:, None] + rng.normal(0, 0.3, (len(SYSTEMS), items))


def gold_for(measure: Measure, seed: int = 1) -> Gold:
    """People's side that fits a measure, at the lowest level that it works on."""
    names = tuple(map(str, range(1, 31)))
    if measure.takes == "pairs":
        scores = table(seed)
        left, right = np.triu_indices(len(SYSTEMS), 1)
        segment = np.repeat(np.arange(30), len(left))
        left, right = np.tile(left, 30), np.tile(right, 30)
        gap = scores[left, segment] - scores[right, segment]
        outcome = np.where(np.abs(gap) < 0.1, 1, np.where(gap > 0, 0, 2)).astype(np.int64)
        return Gold(
            "made up", "xx-yy", "segment", SYSTEMS, names, pairs=Pairs(SYSTEMS, left, right, outcome, segment, segment)
        )
    if (measure.looks_at or measure.levels[0]) == "system" and getattr(measure, "group", "none") == "none":
        whole = table(seed).mean(axis=1)
        sampled = whole + np.random.default_rng(2).normal(0, 0.1, (SAMPLES, len(SYSTEMS)))
        return Gold("made up", "xx-yy", "system", SYSTEMS, ("",), whole[:, None], sampled=sampled)
    texts = tuple("word " * (3 + i) for i in range(30))
    return Gold("made up", "xx-yy", "segment", SYSTEMS, names, table(seed), texts=texts)


def metric_for(gold: Gold, seed: int = 3) -> Array:
    """A metric's scores of the same systems and items."""
    found = table(seed, max(len(gold.items), 30))
    return found.mean(axis=1, keepdims=True) if gold.level == "system" else found[:, : len(gold.items)]


def gold_of(scores: Sequence[float] | Array, level: MetaLevel = "system") -> Gold:
    """People's scores of some systems."""
    values = np.asarray(scores, dtype=np.float64)
    return Gold("made up", "", level, tuple(f"S{i}" for i in range(len(values))), ("",), values[:, None])


def counted(cells: Sequence[Sequence[int]] | Ints) -> tuple[Gold, Array]:
    """As many comparisons as a table [people <, =, >][metric <, =, >] counts, and a metric that says so."""
    scores = np.array([[2.0], [1.0], [1.0]])
    sides = ((0, 1), (1, 2), (1, 0))  # the metric's <, =, >
    rows = [(*sides[m], h) for h, row in enumerate(cells) for m, n in enumerate(row) for _ in range(n)]
    left, right, outcome = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    zeros = np.zeros(len(rows), dtype=np.int64)
    pairs = Pairs(SYSTEMS[:3], left, right, outcome, zeros, zeros)
    return Gold("made up", "xx-yy", "segment", SYSTEMS[:3], ("1",), pairs=pairs), scores
