"""What `compare` counts, in the slowest and plainest way."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

Segment = Sequence[str]  # words


def ngrams(words: Segment, order: int) -> Counter[tuple[str, ...]]:
    """The n-grams of one text."""
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def matched(words: Segment, references: Sequence[Segment], order: int) -> Counter[tuple[str, ...]]:
    """n-grams that are in a reference, no more often than there."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, order)
    return ngrams(words, order) & most


def spurious(words: Segment, references: Sequence[Segment], order: int) -> Counter[tuple[str, ...]]:
    """n-grams beyond what any reference has."""
    return ngrams(words, order) - matched(words, references, order)


def differences(
    mine: Sequence[Counter[tuple[str, ...]]], theirs: Sequence[Counter[tuple[str, ...]]]
) -> dict[str, tuple[int, int, int, int]]:
    """Of each n-gram: counts of both, and segments in which mine has more, and fewer."""
    found = {}
    for ngram in sorted({n for own in (*mine, *theirs) for n in own}):
        pairs = [(a[ngram], b[ngram]) for a, b in zip(mine, theirs, strict=True)]
        more, fewer = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
        if more or fewer:
            found[" ".join(ngram)] = (sum(a for a, _ in pairs), sum(b for _, b in pairs), more, fewer)
    return found


def repeats(words: Segment) -> int:
    """Words that repeat at once up to four before them; one that stands in several repeats counts once."""
    again = set()
    for n, end in itertools.product(range(1, 5), range(len(words) + 1)):
        if end >= 2 * n and list(words[end - 2 * n : end - n]) == list(words[end - n : end]):
            again |= set(range(end - n, end))
    return sum(any(map(str.isalpha, words[i])) for i in again)


def f1(pairs: Sequence[tuple[Segment, Segment]], chosen: set[str]) -> float:
    """F1 of some words over (output, reference) pairs, in percent."""
    hits = said = there = 0
    for words, reference in pairs:
        mine, own = (Counter(w for w in text if w in chosen) for text in (words, reference))
        hits += (mine & own).total()
        said += mine.total()
        there += own.total()
    return 200 * hits / (said + there) if said + there else float("nan")
