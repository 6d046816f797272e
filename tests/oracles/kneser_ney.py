"""Interpolated modified Kneser-Ney smoothing, slow and obvious: Chen and Goodman's formulas over dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Gram = tuple[str, ...]


def raw_counts(sentences: Sequence[Sequence[str]], order: int) -> list[Counter[Gram]]:
    """How often the n-grams of each order occur in sentences with their beginnings and ends."""
    counts: list[Counter[Gram]] = [Counter() for _ in range(order + 1)]
    for sentence in sentences:
        words = ("<s>", *sentence, "</s>")
        for n in range(1, order + 1):
            for at in range(len(words) - n + 1):
                counts[n][words[at : at + n]] += 1
    return counts


def adjusted(counts: list[Counter[Gram]], order: int) -> list[Counter[Gram]]:
    """After how many different words an n-gram stands; counts stay of the highest order and of beginnings."""
    out: list[Counter[Gram]] = [Counter()]
    for n in range(1, order + 1):
        if n == order:
            out.append(Counter(counts[n]))
        else:
            before = Counter(gram[1:] for gram in counts[n + 1])
            out.append(Counter({gram: before[gram] or count for gram, count in counts[n].items()}))
    out[1].pop(("<s>",), None)
    return out


def discounts(counts: Counter[Gram]) -> tuple[list[float], bool]:
    """What is taken from counts of 1, 2, and 3 or more, and whether the text told it."""
    t = Counter(counts.values())
    if not (t[1] and t[2] and t[3]):
        return [0.5, 1.0, 1.5], False
    y = t[1] / (t[1] + 2 * t[2])
    values = [k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3)]
    if not all(0 < value <= k for k, value in enumerate(values, 1)):
        return [0.5, 1.0, 1.5], False
    return values, True


class Model:
    """Probabilities of words after histories, by the recursion."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        self.counts = adjusted(raw_counts(sentences, order), order)
        self.discounts = [([0.0] * 3, True), *(discounts(counts) for counts in self.counts[1:])]
        self.vocabulary = {word for sentence in sentences for word in sentence} | {"</s>", "<unk>"}

    def taken(self, n: int, count: int) -> float:
        return self.discounts[n][0][min(count, 3) - 1] if count else 0.0

    def backoff(self, history: Gram) -> float:
        """What is left for shorter histories."""
        n = len(history) + 1
        followers = [count for gram, count in self.counts[n].items() if gram[:-1] == history]
        return sum(self.taken(n, count) for count in followers) / sum(followers) if followers else 1.0

    def probability(self, word: str, history: Gram) -> float:
        """p(word | history)."""
        n = len(history) + 1
        lower = self.probability(word, history[1:]) if history else 1 / len(self.vocabulary)
        followers = sum(count for gram, count in self.counts[n].items() if gram[:-1] == history)
        if not followers:
            return lower
        count = self.counts[n][(*history, word)]
        return (count - self.taken(n, count)) / followers + self.backoff(history) * lower

    def log10(self, sentence: Sequence[str]) -> float:
        """log10 probability of a sentence with its end."""
        words = ["<s>", *(word if word in self.vocabulary else "<unk>" for word in sentence), "</s>"]
        total = 0.0
        for at in range(1, len(words)):
            total += math.log10(self.probability(words[at], tuple(words[max(0, at - self.order + 1) : at])))
        return total
