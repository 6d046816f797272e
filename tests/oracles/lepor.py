"""LEPOR's factors: length, position and overlap of words, as hLepor 0.0.4 takes them."""

import math
from collections import Counter
from collections.abc import Sequence

Words = Sequence[str]


def factors(hyp: Words, ref: Words, window: int, order: int) -> list[float]:
    """[length penalty, position penalty, words of both, matches of each order]"""
    counts = [float(len(hyp)), float(len(ref))]
    if not hyp or not ref:
        return [0.0, 0.0, *counts, *[0.0] * order]
    length = math.exp(1 - max(counts) / min(counts))
    position = math.exp(-difference(hyp, ref, window))
    return [length, position, *counts, *(float((grams(hyp, n) & grams(ref, n)).total()) for n in range(1, order + 1))]


def grams(words: Words, n: int) -> Counter[tuple[str, ...]]:
    """n-grams with their counts."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def difference(hyp: Words, ref: Words, window: int) -> float:
    """The sum of differences of relative places, over the length of the translation."""
    if list(hyp) == list(ref):
        return 0.0
    total = 0.0
    for i, j in pairs(hyp, ref, window):
        total += abs((i + 1) / len(hyp) - (j + 1) / len(ref))
    return total / len(hyp)


def pairs(hyp: Words, ref: Words, window: int) -> list[tuple[int, int]]:
    """Places that are compared. Slices may begin below 0, and a place among the flagged counts among all: so it is."""
    found = []
    for word in dict.fromkeys(ref):
        ours = [i for i, other in enumerate(hyp) if other == word]
        left = [j for j, other in enumerate(ref) if other == word]
        alone = len(ours) == len(left) == 1
        for i in ours:
            if not left:
                break
            near = [j for j in left if set(around(hyp, i, window)) & set(around(ref, j, window))]
            among = left if alone or not near else near
            nearest = min(range(len(among)), key=lambda k: abs(i - among[k]))
            found.append((i, left.pop(nearest)))
    return found


def around(words: Words, at: int, window: int) -> list[str]:
    """The words before and after."""
    return [*words[at - window : at], *words[at + 1 : at + window + 1]]
