"""N-grams as `sacrebleu.metrics.helpers` counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["extract_char_ngrams", "extract_word_ngrams"]


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """How often every n words stand one behind the other, joined by blanks.

    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
    Counter({'a b': 2, 'b a': 1})
    """
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """How often every n characters do, blanks left out unless they are asked for.

    >>> extract_char_ngrams("ab ab", 2), extract_char_ngrams("a b", 2, include_whitespace=True)
    (Counter({'ab': 2, 'ba': 1}), Counter({'a ': 1, ' b': 1}))
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))
