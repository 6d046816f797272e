"""IBM model 1, slow and obvious: EM over dictionaries, and the score of the paper's formula."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

Pair = tuple[Sequence[str], Sequence[str]]
Table = dict[tuple[str, str], float]  # (source, target)
EMPTY = ""


def train(pairs: Sequence[Pair], iterations: int, *, empty_word: bool = True) -> tuple[Table, list[float]]:
    """p(target | source), and the log-likelihood before each round."""
    sides = [([EMPTY, *source] if empty_word else list(source), list(target)) for source, target in pairs]
    vocabulary = {word for _, target in sides for word in target}
    table: Mapping[tuple[str, str], float] = defaultdict(lambda: 1 / len(vocabulary))
    found: Table = {}
    likelihoods = []
    for _ in range(iterations):
        counts: dict[tuple[str, str], float] = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        likelihood = 0.0
        for source, target in sides:
            for t in target:
                norm = sum(table[s, t] for s in source)
                likelihood += math.log(norm / len(source))
                for s in source:
                    counts[s, t] += table[s, t] / norm
                    totals[s] += table[s, t] / norm
        table = found = {(s, t): count / totals[s] for (s, t), count in counts.items()}
        likelihoods.append(likelihood)
    return found, likelihoods


def score(source: Sequence[str], target: Sequence[str], table: Table, floor: float) -> float:
    """log10 of the probability of a target given its source."""
    given = [EMPTY, *source] if any(s == EMPTY for s, _ in table) else list(source)
    total = 0.0
    for t in target:
        each = [max(table.get((s, t), 0.0), floor) for s in given]
        total += math.log10(sum(each) / len(each) if each else floor)
    return total
