"""The 62 features of BEER 2.0, by counting pieces one by one as its description has them."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable

EDGE = object()


def features(hyp: str, ref: str) -> list[float]:
    """Characters of order 1 to 6, lengths, words of order 1 to 4, pairs of words."""
    ours, theirs = words(hyp), words(ref)
    row: list[float] = []
    for order in range(1, 7):
        row += shared(characters(ours, order), characters(theirs, order))
    row += [disbalance(units(ours), units(theirs)), disbalance(ours, theirs)]
    for order in range(1, 5):
        row += shared(ngrams(ours, order), ngrams(theirs, order))
    for skip in (1, 1000000, 2, 3, 4):
        row += shared(pairs(ours, skip), pairs(theirs, skip))
    return row


def words(line: str) -> list[str]:
    """Java's "line".split(" +"): trailing empty words fall off, and nothing is split where there is no space."""
    found = re.split(" +", line)
    if len(found) == 1:
        return found
    while found and not found[-1]:
        found.pop()
    return found


def units(line: list[str]) -> list[bytes]:
    """UTF-16 of the words joined by spaces."""
    data = " ".join(line).encode("utf-16-le")
    return [data[i : i + 2] for i in range(0, len(data), 2)]


def characters(line: list[str], order: int) -> list[Hashable]:
    """Off by one: as many pieces as there are n-grams, each one character short."""
    text = units(line)
    return [tuple(text[i : i + order - 1]) for i in range(len(text) - order + 1)]


def ngrams(line: list[str], order: int) -> list[Hashable]:
    """n-grams, and the first and last words with the edge of the text."""
    inner: list[Hashable] = [tuple(line[i : i + order]) for i in range(len(line) - order + 1)]
    return [*inner, (EDGE, *line[:order]), (*line[max(0, len(line) - order) :], EDGE, EDGE)]


def pairs(line: list[str], skip: int) -> list[Hashable]:
    """Two words in their order with at most so many between them."""
    return [(line[i], line[j]) for i in range(len(line)) for j in range(i + 1, min(i + skip + 2, len(line)))]


def shared(ours: Iterable[Hashable], theirs: Iterable[Hashable]) -> list[float]:
    """Lower and higher of precision and recall, and their means."""
    one, other = Counter(ours), Counter(theirs)
    both = (one & other).total()
    a, b = sorted(both / n.total() if n else 0.0 for n in (one, other))
    return [a, b, 2 * a * b / (a + b) if a + b else 0.0, math.sqrt(a * b)]


def disbalance(one: list[bytes] | list[str], other: list[bytes] | list[str]) -> float:
    """How much longer the longer is."""
    less, more = sorted((len(one), len(other)))
    return more / less - 1 if less else 100000
