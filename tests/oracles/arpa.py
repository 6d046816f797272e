"""Back-off language models, slow and obvious: Katz's recursion over a dictionary, in KenLM's 32 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

Ngrams = Mapping[tuple[str, ...], tuple[float, float]]  # words to log10 probability and back-off


def probability(words: tuple[str, ...], ngrams: Ngrams) -> list[np.float32]:
    """The summands of log10 p(last word | the others), in the order in which KenLM adds them."""
    if words in ngrams:
        return [np.float32(ngrams[words][0])]
    history = words[:-1]
    backoff = np.float32(ngrams[history][1]) if history in ngrams else np.float32(0)
    return [*probability(words[1:], ngrams), backoff]


def score(sentence: Sequence[str], ngrams: Ngrams, order: int, *, whole: bool = True) -> float:
    """log10 of the probability of a sentence."""
    known = [word if (word,) in ngrams else "<unk>" for word in sentence]
    if ("<unk>",) not in ngrams:
        ngrams = {**ngrams, ("<unk>",): (-100.0, 0.0)}
    text = ["<s>", *known, "</s>"] if whole else known
    total = np.float32(0)
    for at in range(1 if whole else 0, len(text)):
        first, *rest = probability(tuple(text[max(0, at - order + 1) : at + 1]), ngrams)
        for each in rest:
            first += each
        total += first
    return float(total)


def written(ngrams: Ngrams, order: int) -> str:
    """The model as an ARPA file."""
    lines = ["\\data\\", *(f"ngram {n}={sum(len(k) == n for k in ngrams)}" for n in range(1, order + 1)), ""]
    for n in range(1, order + 1):
        lines.append(f"\\{n}-grams:")
        for words, (log, backoff) in ngrams.items():
            if len(words) == n:
                lines.append(f"{log!r}\t{' '.join(words)}" + (f"\t{backoff!r}" if n < order else ""))
        lines.append("")
    return "\n".join([*lines, "\\end\\", ""])
