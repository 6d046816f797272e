"""BLEU's clipped n-gram matches and NIST's information."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Words = Sequence[str]
S = TypeVar("S")


def ngrams(symbols: Sequence[S], n: int) -> Counter[tuple[S, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))


def clipped(hyp: Words, refs: Sequence[Words], n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of the hypothesis that match, each at most as often as in the reference that has most of it."""
    allowed: Counter[tuple[str, ...]] = Counter()
    for ref in refs:
        allowed |= ngrams(ref, n)
    return ngrams(hyp, n) & allowed


def reference_length(hyp: Words, refs: Sequence[Words], how: str) -> int:
    """The reference length that counts: closest (of two, the shorter), shortest, or the mean cut to whole words."""
    lengths = [len(ref) for ref in refs]
    if how == "average":
        return sum(lengths) // len(lengths)
    return min(lengths) if how == "shortest" else min(lengths, key=lambda n: (abs(n - len(hyp)), n))


def bleu(hyp: Words, refs: Sequence[Words], order: int, how: str) -> list[float]:
    """[hypothesis length, reference length, matches of order 1.., totals of order 1..]"""
    orders = range(1, order + 1)
    matches = [clipped(hyp, refs, n).total() for n in orders]
    totals = [max(0, len(hyp) - n + 1) for n in orders]
    return [len(hyp), reference_length(hyp, refs, how), *matches, *totals]


def information(references: Sequence[Words], order: int) -> dict[tuple[str, ...], float]:
    """-log2 of the probability of an n-gram's last word after the others, in all references together.

    The bigram after the token "0" is weighted like a single word, because Perl takes "0" for false.
    """
    words = sum(len(ref) for ref in references)
    counts: Counter[tuple[str, ...]] = Counter()
    for ref in references:
        for n in range(1, order + 1):
            counts += ngrams(ref, n)
    out = {}
    for gram, count in counts.items():
        context = words if gram[:-1] in ((), ("0",)) else counts[gram[:-1]]
        out[gram] = -math.log2(count / context)
    return out


def nist(hyp: Words, refs: Sequence[Words], weights: dict[tuple[str, ...], float], order: int) -> list[float]:
    """[words, mean reference words, then for each order: information of the matches, n-grams]"""
    row: list[float] = [len(hyp), sum(len(ref) for ref in refs) / len(refs)]
    for n in range(1, order + 1):
        told = math.fsum(weights.get(gram, 0.0) * count for gram, count in clipped(hyp, refs, n).items())
        row += [told, max(0, len(hyp) - n + 1)]
    return row
