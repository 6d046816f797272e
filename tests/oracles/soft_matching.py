"""Greedy matching of vectors, token by token."""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector = Sequence[float]


def cosine(a: Vector, b: Vector) -> float:
    """0 where a vector has no length."""
    lengths = [math.sqrt(math.fsum(x * x for x in v)) for v in (a, b)]
    return math.fsum(x * y for x, y in zip(a, b, strict=True)) / math.prod(lengths) if min(lengths) > 0 else 0.0


def share(ours: Sequence[Vector], theirs: Sequence[Vector], weights: Sequence[float], floored: bool) -> float:
    """The weighted mean, over our tokens, of the highest cosine with any of theirs."""
    if not ours or not theirs or sum(weights) == 0:
        return 0.0
    best = [max(cosine(a, b) for b in theirs) for a in ours]
    if floored:
        best = [max(0.0, value) for value in best]
    return math.fsum(w * v for w, v in zip(weights, best, strict=True)) / math.fsum(weights)
