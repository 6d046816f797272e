"""Pieces of dependency trees, slow and obvious: sets of descendants, all runs, all ways to place a chain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import scipy.optimize

from tercet.data import Array


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


def pair_features(words: Sequence[str], tags: Sequence[str], head: int, word: int) -> Iterator[Hashable]:
    """What is said of a pair of words of a text, whose root is word 0."""
    texts, classes = ["<root>", *words], ["<root>", *tags]
    around = ["<s>", *classes, "</s>"]  # the tag of word i is around[i + 1]
    apart = abs(head - word)
    far = (head < word, apart if apart < 5 else "5 to 10" if apart <= 10 else "more")
    wh, th, wm, tm = texts[head], classes[head], texts[word], classes[word]
    (before_h, after_h), (before_m, after_m) = ((around[i], around[i + 2]) for i in (head, word))
    said = [
        *((wh,), (th,), (wm,), (tm,)),
        *((wh, wm), (wh, tm), (th, wm), (th, tm), (wh, th, tm), (th, wm, tm), (wh, wm, th, tm)),
        *((th, after_h, before_m, tm), (before_h, th, before_m, tm)),
        *((th, after_h, tm, after_m), (before_h, th, tm, after_m)),
    ]
    for kind, things in enumerate(said):
        yield kind, things
        yield kind, things, far
    for tag in set(classes[min(head, word) + 1 : max(head, word)]):
        yield "between", th, tag, tm


def pairs(length: int) -> list[tuple[int, int]]:
    """Every head with every word that may depend on it."""
    return [(head, word) for head in range(length + 1) for word in range(1, length + 1) if head != word]


def is_projective_tree(heads: Sequence[int]) -> bool:
    """Whether every word, counted from 1, hangs on the root 0, and no two dependencies cross."""
    for start in range(1, len(heads) + 1):
        at, seen = start, set()
        while at:
            if at in seen:
                return False
            seen.add(at)
            at = heads[at - 1]
    arcs = [sorted((head, word)) for word, head in enumerate(heads, 1)]
    return not any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2))


def likeliest_tree(
    reference: tuple[Sequence[str], Sequence[str], Sequence[int]],
    text: tuple[Sequence[str], Sequence[str]],
    penalty: float,
) -> float:
    """The log-probability of a text's likeliest tree, by a model of who depends on whom in the reference."""
    words, tags, heads = reference
    numbers: dict[Hashable, int] = {}
    rows = [
        [numbers.setdefault(f, len(numbers)) for f in pair_features(words, tags, *pair)] for pair in pairs(len(words))
    ]
    table = np.zeros((len(rows), len(numbers)))
    for row, features in zip(table, rows, strict=True):
        np.add.at(row, features, 1.0)
    depends = np.array([heads[word - 1] + 1 == head for head, word in pairs(len(words))])

    def loss(weights: Array) -> tuple[float, Array]:
        z = table @ weights
        sides = np.where(depends, -z, z)
        pull = np.where(depends, -1.0, 1.0) / (1 + np.exp(-sides))
        return np.logaddexp(0, sides).sum() + penalty / 2 * weights @ weights, table.T @ pull + penalty * weights

    exact = {"maxiter": 10_000, "ftol": 1e-16, "gtol": 1e-10}
    weights = scipy.optimize.minimize(loss, np.zeros(len(numbers)), jac=True, method="L-BFGS-B", options=exact).x
    likely = {
        pair: -float(np.logaddexp(0, -sum(weights[numbers[f]] for f in pair_features(*text, *pair) if f in numbers)))
        for pair in pairs(len(text[0]))
    }
    every = itertools.product(range(len(text[0]) + 1), repeat=len(text[0]))
    return max(
        sum(likely[head, word] for word, head in enumerate(heads, 1))
        for heads in every
        if all(head != word for word, head in enumerate(heads, 1)) and is_projective_tree(heads)
    )
