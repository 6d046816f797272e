"""Agreement of a metric with people, and resamples of it: every pair, every group and every draw one by one.

Scores of a group are lists without gaps; tables are lists of rows, one a system, with NaN for what is missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Scores = Sequence[float]
Table = Sequence[Sequence[float]]
NAN = float("nan")


class Outcomes(NamedTuple):
    """Pairs by what both say of them."""

    concordant: int = 0
    discordant: int = 0
    human_ties: int = 0
    metric_ties: int = 0
    both_ties: int = 0


def outcomes(gold: Scores, metric: Scores, epsilon: float = 0.0) -> Outcomes:
    """Every two entries; the metric ties them if they differ by epsilon or less."""
    counts = [0] * 5
    for (g, m), (h, n) in itertools.combinations(zip(gold, metric, strict=True), 2):
        tied = abs(m - n) <= epsilon
        if g == h:
            counts[4 if tied else 2] += 1
        elif tied:
            counts[3] += 1
        else:
            counts[0 if (g > h) == (m > n) else 1] += 1
    return Outcomes(*counts)


def kendall_like(gold: Scores, metric: Scores, epsilon: float, threshold: float) -> tuple[float, float]:
    """Of pairs that people have so far apart: right ones less wrong ones, metric ties among these; and how many."""
    right = wrong = 0
    for (g, m), (h, n) in itertools.combinations(zip(gold, metric, strict=True), 2):
        if abs(g - h) >= threshold:
            if abs(m - n) > epsilon and ((g > h and m > n) or (g < h and m < n)):
                right += 1
            else:
                wrong += 1
    counted = right + wrong
    return ((right - wrong) / counted if counted else NAN), counted


def pearson(gold: Scores, metric: Scores) -> float:
    """Products of deviations over the root of their squares; NaN if one of the lists has one value only."""
    if len(set(gold)) < 2 or len(set(metric)) < 2:
        return NAN
    # powers of two, which lose nothing, keep clear of tiny and huge numbers
    g, m = ([math.ldexp(x, -math.frexp(max(map(abs, xs)))[1]) for x in xs] for xs in (gold, metric))
    g, m = ([x - math.fsum(xs) / len(xs) for x in xs] for xs in (g, m))
    squares = math.sqrt(math.fsum(x * x for x in g)) * math.sqrt(math.fsum(y * y for y in m))
    return math.fsum(x * y for x, y in zip(g, m, strict=True)) / squares


def mean_ranks(scores: Scores) -> list[float]:
    """1 for the lowest; equal ones share the mean."""
    return [sum(y < x for y in scores) + (sum(y == x for y in scores) + 1) / 2 for x in scores]


def agreement(
    kind: str, gold: Scores, metric: Scores, epsilon: float = 0.0, threshold: float = 0.0
) -> tuple[float, float]:
    """The value of one group and its weight."""
    n = len(gold)
    if n < 2:
        return NAN, 0
    if kind == "pearson":
        return pearson(gold, metric), 1
    if kind == "spearman":
        return pearson(mean_ranks(gold), mean_ranks(metric)), 1
    if kind == "kendall-like":
        return kendall_like(gold, metric, epsilon, threshold)
    o = outcomes(gold, metric, epsilon)
    pairs = n * (n - 1) // 2
    right = o.concordant + o.both_ties
    if kind in ("tau-23", "acc-23"):
        return (right / pairs if kind == "acc-23" else (right - (pairs - right)) / pairs), 1
    decided = o.concordant + o.discordant
    if decided + o.human_ties == 0 or decided + o.metric_ties == 0:
        return NAN, 1
    gain = o.concordant - o.discordant
    if kind == "tau-b":
        return gain / math.sqrt((decided + o.human_ties) * (decided + o.metric_ties)), 1
    k = min(len(set(gold)), len(set(metric)))
    return 2 * gain / (n * n * (k - 1) / k), 1


def groups(gold: Table, metric: Table, group: str) -> Iterator[tuple[list[float], list[float]]]:
    """The scores of each group that both have."""
    cells = [[(g, m) for g, m in zip(gs, ms, strict=True)] for gs, ms in zip(gold, metric, strict=True)]
    if group == "item":
        cells = [list(column) for column in zip(*cells, strict=True)]
    elif group == "none":
        cells = [[cell for row in cells for cell in row]]
    for members in cells:
        there = [(g, m) for g, m in members if not math.isnan(g) and not math.isnan(m)]
        yield [g for g, _ in there], [m for _, m in there]


def grouped(
    kind: str,
    gold: Table,
    metric: Table,
    group: str,
    epsilon: float = 0.0,
    threshold: float = 0.0,
    zero_nans: bool = False,
) -> float:
    """The mean over groups."""
    total = weights = 0.0
    for g, m in groups(gold, metric, group):
        value, weight = agreement(kind, g, m, epsilon, threshold)
        if math.isnan(value) and zero_nans:
            value = 0.0
        if not math.isnan(value):
            total += weight * value
            weights += weight
    return total / weights if weights else NAN


def standardized(scores: Scores) -> list[float]:
    """Less the mean, over the population's standard deviation; 0 if there is none."""
    mean = math.fsum(scores) / len(scores)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in scores) / len(scores))
    return [(x - mean) / deviation if len(set(scores)) > 1 else 0.0 for x in scores]


def swapped(
    first: Table, second: Table, swaps: Sequence[Sequence[bool]]
) -> tuple[list[list[float]], list[list[float]]]:
    """Two tables, their entries exchanged where the third says so."""
    rows = [
        [(b, a) if swap else (a, b) for a, b, swap in zip(*row, strict=True)]
        for row in zip(first, second, swaps, strict=True)
    ]
    return [[a for a, _ in row] for row in rows], [[b for _, b in row] for row in rows]


def drawn(table: Table, systems: Sequence[int], items: Sequence[int]) -> list[list[float]]:
    """A table of some systems and items, each as often as it is named."""
    return [[table[s][i] for i in items] for s in systems]


def differences(gold: Table, metric: Table, group: str = "item") -> float:
    """Pearson's r over all ordered differences within groups, those of an entry with itself included."""
    pairs = [
        (a - b, x - y)
        for g, m in groups(gold, metric, group)
        for (a, x), (b, y) in itertools.product(zip(g, m, strict=True), repeat=2)
    ]
    return pearson([g for g, _ in pairs], [m for _, m in pairs])


def calibrated(gold: Table, metric: Table, group: str) -> list[tuple[float, float]]:
    """Every epsilon that could matter with the mean accuracy that it gives."""
    gaps = {0.0}
    for _, m in groups(gold, metric, group):
        gaps |= {abs(a - b) for a, b in itertools.combinations(m, 2)}
    return [(epsilon, grouped("acc-23", gold, metric, group, epsilon)) for epsilon in sorted(gaps)]
