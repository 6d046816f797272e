"""ROUGE-N and ROUGE-L against the best reference."""

import functools
import re
from collections.abc import Sequence

from tests.oracles.ngrams import ngrams

Words = Sequence[str]


def words(text: str) -> list[str]:
    """Runs of a to z and digits, in lower case."""
    return re.findall("[a-z0-9]+", text.lower())


def rouge(hyp: Words, refs: Sequence[Words], order: int) -> list[float]:
    """[matches, units of the hypothesis, of the reference, F] of the best reference; order 0: subsequences."""
    return max((against(hyp, ref, order) for ref in refs), key=lambda row: row[3])


def against(hyp: Words, ref: Words, order: int) -> list[float]:
    """One reference."""
    if order:
        ours, theirs = ngrams(hyp, order), ngrams(ref, order)
        matches, h, r = (ours & theirs).total(), ours.total(), theirs.total()
    else:
        matches, h, r = subsequence(tuple(hyp), tuple(ref)), len(hyp), len(ref)
    precision, recall = matches / max(h, 1), matches / max(r, 1)
    f = 2 * precision * recall / (precision + recall) if matches else 0.0
    return [float(matches), float(h), float(r), f]


def subsequence(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The length of the longest common subsequence."""

    @functools.cache
    def longest(i: int, j: int) -> int:
        if not i or not j:
            return 0
        if one[i - 1] == other[j - 1]:
            return longest(i - 1, j - 1) + 1
        return max(longest(i - 1, j), longest(i, j - 1))

    return longest(len(one), len(other))
