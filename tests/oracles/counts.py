"""A bootstrap sample of units, counted by cell."""

import random
from collections.abc import Sequence


def sampled_count(units: Sequence[Sequence[int]], cells: int, rng: random.Random) -> list[int]:
    """How often each cell is in as many units as there are, drawn with replacement."""
    counts = [0] * cells
    for unit in rng.choices(units, k=len(units)):
        for cell in unit:
            counts[cell] += 1
    return counts
