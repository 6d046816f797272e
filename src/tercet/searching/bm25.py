"""A small BM25 over a collection that fits into memory (Robertson and Walker 1994): enough for a demonstration.

A document scores the sum over the words of the query of

    idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / mean length))      idf = ln(1 + (N - df + .5) / (df + .5))

Words are what the tokenizer `intl` makes of the lower-cased text, without those that have no letter and no digit;
nothing is stemmed or stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tercet import kernels, text
from tercet.data import Texts
from tercet.data.retrieval import Run

Ints = npt.NDArray[np.int64]

K1, B, DEPTH = 1.2, 0.75, 1000


class Bm25:
    """An index of documents by id, ready to be searched."""

    def __init__(self, documents: Mapping[str, str], *, k1: float = K1, b: float = B, threads: int = 1) -> None:
        self.ids = sorted(documents, reverse=True)  # equal scores are ranked by id from z to a, as trec_eval does
        n = max(1, len(self.ids))
        self.words: dict[str, int] = {}
        words, rows = _tokens([documents[name] for name in self.ids], threads)
        terms = np.array([self.words.setdefault(word, len(self.words)) for word in words], dtype=np.int64)
        owner = np.repeat(np.arange(len(self.ids), dtype=np.int64), np.diff(rows))
        kept = np.array([_is_word(word) for word in self.words], dtype=bool)[terms]
        postings, tf = np.unique(terms[kept] * n + owner[kept], return_counts=True)
        term, self.document = np.divmod(postings, n)
        self.starts = np.searchsorted(term, np.arange(len(self.words) + 1))
        df = np.diff(self.starts)
        idf = np.log1p((len(self.ids) - df + 0.5) / (df + 0.5))
        lengths = np.bincount(owner[kept], minlength=len(self.ids))
        longer = lengths / (lengths.sum() / n or 1.0)
        self.weight = idf[term] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * longer[self.document]))

    def search(self, queries: Mapping[str, str], *, depth: int = DEPTH, threads: int = 1) -> Run:
        """The best documents of each query, by score; documents that share no word with it are not found.

        >>> engine = Bm25({"d1": "heart attack", "d2": "heart failure and stroke", "d3": "a broken leg"})
        >>> {q: list(found) for q, found in engine.search({"q1": "Stroke or heart attack?"}).items()}
        {'q1': ['d1', 'd2']}
        """
        words, rows = _tokens(list(queries.values()), threads)
        return {
            name: self._found(words[start:end], depth)
            for name, start, end in zip(queries, rows[:-1].tolist(), rows[1:].tolist(), strict=True)
        }

    def _found(self, words: Sequence[str], depth: int) -> dict[str, float]:
        scores = np.zeros(len(self.ids))
        for word in words:  # a word that is asked for twice counts twice
            if (term := self.words.get(word)) is not None:
                postings = slice(self.starts[term], self.starts[term + 1])
                scores[self.document[postings]] += self.weight[postings]
        best = np.argsort(-scores, kind="stable")[:depth]
        return {self.ids[i]: float(scores[i]) for i in best if scores[i] > 0}


def _tokens(texts: Sequence[str], threads: int) -> tuple[list[str], Ints]:
    """All tokens, and where those of each text begin and end."""
    data, offsets, rows = text.tokens(Texts.of(texts), text.tokenizer("intl"), threads, lower="python")
    return kernels.unpack((data, offsets)), rows


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))
