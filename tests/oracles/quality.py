"""DeltaAvg as its definition reads, head by head."""

from __future__ import annotations

from collections.abc import Sequence


def deltaavg(gold_in_order: Sequence[float]) -> float:
    """Of labels of which the first should be the highest."""
    n = len(gold_in_order)
    if n < 4:
        return 0.0
    mean = sum(gold_in_order) / n
    of_quantiles = []
    for k in range(2, n // 2 + 1):
        q = n // k
        heads = [sum(gold_in_order[: i * q]) / (i * q) for i in range(1, k)]
        of_quantiles.append(sum(heads) / (k - 1) - mean)
    return sum(of_quantiles) / len(of_quantiles)
