"""Hybrid systems, one item after the other."""

from collections.abc import Sequence


def hybrid_sum(chosen: Sequence[int], rows: Sequence[Sequence[Sequence[float]]]) -> list[float]:
    """The sum of the rows of the chosen systems: rows[system][item][column]."""
    sums = [0.0] * len(rows[0][0])
    for item, system in enumerate(chosen):
        sums = [old + value for old, value in zip(sums, rows[system][item], strict=True)]
    return sums
