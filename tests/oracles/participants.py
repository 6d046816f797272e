"""Slow, obvious definitions of what the participants' kernels compute."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

Words = Sequence[str]


def runs(hyp: Words, ref: Words) -> list[tuple[int, int, int]]:
    """(length, place, place) of the runs, each time the longest of free words that moves least and stands first."""
    free_hyp, free_ref = [True] * len(hyp), [True] * len(ref)
    found: list[tuple[int, int, int]] = []
    while True:
        best: tuple[int, int, int, int] | None = None
        for i in range(len(hyp)):
            for j in range(len(ref)):
                n = 0
                while (
                    i + n < len(hyp)
                    and j + n < len(ref)
                    and hyp[i + n] == ref[j + n]
                    and free_hyp[i + n]
                    and free_ref[j + n]
                ):
                    n += 1
                if n and (best is None or (n, -abs(i - j), -i, -j) > best):
                    best = (n, -abs(i - j), -i, -j)
        if best is None:
            return found
        n, _, i, j = best[0], best[1], -best[2], -best[3]
        found.append((n, i, j))
        free_hyp[i : i + n] = [False] * n
        free_ref[j : j + n] = [False] * n


def word_runs(hyp: Words, ref: Words, exponent: float) -> list[float]:
    """Words, runs, sum of powers, pairs in order, squared differences of ranks."""
    found = runs(hyp, ref)
    places = sorted((i + k, j + k) for n, i, j in found for k in range(n))
    others = [j for _, j in places]
    ranks = [sorted(others).index(j) for j in others]
    pairs = sum(a < b for k, b in enumerate(others) for a in others[:k])
    squares = sum((rank - k) ** 2 for k, rank in enumerate(ranks))
    return [len(places), len(found), sum(n**exponent for n, _, _ in found), pairs, squares]


def inversions(hyp: Words, ref: Words, block: int, cost: int) -> list[float]:
    """The cheapest parse by a bracketing transduction grammar, and the reference length."""

    @functools.cache
    def best(i: int, k: int, j: int, m: int) -> int:
        if i == k or j == m:
            return (k - i) + (m - j)
        found = [int(hyp[i] != ref[j])] if (k - i, m - j) == (1, 1) else [math.inf]
        for p in range(i, k + 1):
            for q in range(j, m + 1):
                if (p, q) not in ((i, j), (k, m)):
                    found.append(best(i, p, j, q) + best(p, k, q, m))
                if i < p < k and j < q < m and k - i <= block and m - j <= block:
                    found.append(cost + best(i, p, q, m) + best(p, k, j, q))
        return int(min(found))

    return [best(0, len(hyp), 0, len(ref)), len(ref)]


def first_chunks(hyp: Words, ref: Words, beta: float) -> float:
    """The sum of powers of chunk lengths, of the longest common subsequence that has the heaviest."""

    @functools.cache
    def best(i: int, j: int) -> tuple[int, float]:
        if i == len(hyp) or j == len(ref):
            return 0, 0.0
        found = [best(i + 1, j), best(i, j + 1)]
        n = 0
        while i + n < len(hyp) and j + n < len(ref) and hyp[i + n] == ref[j + n]:
            n += 1
            words, chunks = best(i + n, j + n)
            found.append((words + n, chunks + n**beta))
        return max(found)

    return best(0, 0)[1]


def affix_distance(one: str, other: str, both: bool, shortest: int) -> float:
    """The share of the longer word that is neither common prefix nor common suffix."""
    if min(len(one), len(other)) < shortest:
        return 1.0
    prefix = next((k for k in range(min(len(one), len(other))) if one[k] != other[k]), min(len(one), len(other)))
    rest = (one[prefix:], other[prefix:]) if both else (one, other)
    suffix = 0
    while suffix < min(map(len, rest)) and rest[0][-1 - suffix] == rest[1][-1 - suffix]:
        suffix += 1
    return 1 - (prefix + suffix if both else max(prefix, suffix)) / max(len(one), len(other))


def tolerant_unigrams(hyp: Words, ref: Words, both: bool, shortest: int) -> float:
    """The weight of all words: equal ones are set aside, and the others paired at the lowest cost."""
    left = list(ref)
    rest = []
    for word in hyp:
        if word in left:
            left.remove(word)
        else:
            rest.append(word)
    exact = len(hyp) - len(rest)
    if not rest or not left:
        return exact
    costs = np.array([[affix_distance(a, b, both, shortest) for b in left] for a in rest])
    return exact + float((1 - costs[linear_sum_assignment(costs)]).sum())
