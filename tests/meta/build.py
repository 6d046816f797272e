"""Small golds and metrics to measure agreement on."""

from __future__ import annotations

import numpy as np

from tercet.data import Array, Pairs
from tercet.meta.base import Measure
from tercet.meta.gold import Gold

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
