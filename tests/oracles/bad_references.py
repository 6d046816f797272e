"""Bad references: how much of an output is spoilt to see whether a judge notices (Graham et al. 2013)."""

from __future__ import annotations

_UP_TO = ((3, 1), (5, 2), (7, 3), (14, 4), (19, 5))  # words of the output, words replaced


def replaced_words(n: int) -> int:
    """How many of n words are replaced by words from elsewhere; a quarter of a long output.

    >>> [replaced_words(n) for n in (1, 4, 7, 15, 40)]
    [1, 2, 3, 5, 10]
    """
    return next((replaced for longest, replaced in _UP_TO if n <= longest), n // 4)
