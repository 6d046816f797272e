"""Pieces of dependency trees, slow and obvious: sets of descendants, all runs, all ways to place a chain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def descendants(heads: Sequence[int], word: int) -> set[int]:
    """A word and all below it."""
    return {word}.union(*(descendants(heads, child) for child, head in enumerate(heads) if head == word))


def fixed_floating(heads: Sequence[int], n: int) -> list[tuple[int, ...]]:
    """Runs of n words: a head and whole dependents of it, or whole dependents of one head (Shen et al. 2010)."""
    found = []
    for start in range(len(heads) - n + 1):
        run = set(range(start, start + n))
        fixed = floating = False
        for head in range(-1, len(heads)):
            below = [descendants(heads, child) for child, up in enumerate(heads) if up == head]
            inside = [each for each in below if each <= run]
            covered = set().union(*inside)
            floating |= covered == run
            fixed |= head in run and covered | {head} == run
        if fixed or floating:
            found.append(tuple(sorted(run)))
    return found


def chains(heads: Sequence[int], n: int) -> list[tuple[int, ...]]:
    """Paths of n words upwards, in the order of the text."""
    out = []
    for word in range(len(heads)):
        path = [word]
        while heads[path[-1]] >= 0:
            path.append(heads[path[-1]])
        if len(path) >= n:
            out.append(tuple(sorted(path[:n])))
    return out


def best_place(piece: Sequence[int], words: Sequence[str], hypothesis: Sequence[str]) -> float:
    """The best weight of a chain of up to two words, over all ways to place it."""
    best = 0.0
    for places in itertools.combinations(range(len(hypothesis)), len(piece)):
        if [hypothesis[i] for i in places] == list(words):
            moved = [
                abs((b - a) - (d - c))
                for (a, b), (c, d) in zip(itertools.pairwise(piece), itertools.pairwise(places), strict=True)
            ]
            best = max(best, math.exp(-sum(moved) / max(1, len(moved))))
    return best
