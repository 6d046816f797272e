"""Sums of rows of statistics: bootstrap samples and random halves. Rows are added in their own order."""

from collections import Counter
from collections.abc import Sequence

Rows = Sequence[Sequence[float]]


def times_drawn(indices: Sequence[int]) -> list[int]:
    """How often a sample has each row."""
    times = Counter(indices)
    return [times[i] for i in range(len(indices))]


def masked_sum(mask: Sequence[int], rows: Rows) -> list[float]:
    """The rows where the mask is not zero."""
    return weighted([int(bit != 0) for bit in mask], rows)


def weighted(weights: Sequence[int], rows: Rows) -> list[float]:
    """The weighted sum, from the first row to the last."""
    sums = [0.0] * len(rows[0])
    for weight, row in zip(weights, rows, strict=True):
        if weight:
            sums = [old + weight * value for old, value in zip(sums, row, strict=True)]
    return sums
