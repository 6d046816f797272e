"""LeBLEU's hits by its definition: every n-gram of the translation against every one of the reference."""

from collections import Counter
from collections.abc import Sequence

from tests.oracles.edits import distance


def accepted(n: int, limit: int, i: int) -> bool:
    """Whether the n-grams that begin at a place are looked at: all, or those on a regular grid."""
    if not 0 < limit < n:
        return True
    if limit / n < 0.5:
        return i % (n // limit) == 0
    step = n // (n - limit)
    return i % step < step - 1


def ngrams(words: Sequence[str], order: int, sampling: int) -> Counter[tuple[str, ...]]:
    """Counts of all n-grams up to an order."""
    places = [i for i in range(len(words)) if accepted(len(words), sampling // order, i)]
    return Counter(tuple(words[i : i + k]) for k in range(order, 0, -1) for i in places if i + k <= len(words))


def similarity(one: str, other: str, threshold: float) -> float:
    """The share of letters that need no edit."""
    found = 1.0 - distance(list(one), list(other), jumps=False) / max(len(one), len(other))
    return found if found >= threshold else 0.0


def lebleu(hyp: Sequence[str], ref: Sequence[str], max_n: int, threshold: float, sampling: int) -> list[float]:
    """[hits of each order, n-grams of each order]"""
    hits, totals = [0.0] * max_n, [0.0] * max_n
    there = ngrams(ref, 2 * max_n, sampling)
    for gram, count in ngrams(hyp, max_n, sampling).items():
        text = " ".join(gram)
        alike = sorted(((similarity(text, " ".join(r), threshold), n) for r, n in there.items()), reverse=True)
        left = count
        for value, times in alike:
            hits[len(gram) - 1] += min(times, left) * value
            left -= min(times, left)
        totals[len(gram) - 1] += count
    return [*hits, *totals]
