"""The measures of retrieval and BM25 as their definitions say, slowly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Documents by score from high to low, equal ones by id from z to a."""
    return sorted(sorted(scores, reverse=True), key=lambda d: -scores[d])


def measures(scores: Mapping[str, float], levels: Mapping[str, int], relevant: int = 1) -> dict[str, float]:
    """Every measure of one query."""
    order = ranked(scores)
    good = {d for d, level in levels.items() if level >= relevant}
    bad = {d for d, level in levels.items() if 0 <= level < relevant}
    hits = [d in good for d in order]
    found: dict[str, float] = {f"P@{k}": sum(hits[:k]) / k for k in (5, 10)}
    found |= {f"NDCG@{k}": _ndcg(order, levels, k) for k in (5, 10)}
    found["MAP"] = sum(sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit) / len(good) if good else 0.0
    found["Rprec"] = sum(hits[: len(good)]) / len(good) if good else 0.0
    found["bpref"] = _bpref(order, good, bad)
    found["rel"] = sum(hits)
    return found


def _ndcg(order: Sequence[str], levels: Mapping[str, int], k: int) -> float:
    def gain(values: Sequence[int]) -> float:
        return sum(max(0, v) / math.log2(i + 2) for i, v in enumerate(values[:k]))

    ideal = gain(sorted(levels.values(), reverse=True))
    return gain([levels.get(d, 0) for d in order]) / ideal if ideal else 0.0


def _bpref(order: Sequence[str], good: set[str], bad: set[str]) -> float:
    total, above = 0.0, 0
    for document in order:
        if document in good:
            total += 1 - min(above, len(good)) / min(len(good), len(bad)) if above else 1.0
        above += document in bad
    return total / len(good) if good else 0.0


def bm25(query: Sequence[str], documents: Mapping[str, Sequence[str]], k1: float, b: float) -> dict[str, float]:
    """The score of every document that has a word of the query."""
    mean = sum(map(len, documents.values())) / len(documents)
    scores = {}
    for name, words in documents.items():
        score = 0.0
        for word in query:
            df = sum(word in other for other in documents.values())
            tf = words.count(word)
            idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
            score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(words) / mean)) if tf else 0.0
        if score > 0:
            scores[name] = score
    return scores
