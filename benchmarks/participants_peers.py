"""The peers of the participants' metrics: packages of the registries, or a plain form where there is none."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from tests.oracles import eed as plain_eed
from tests.oracles.lebleu import ngrams

MAX_N, THRESHOLD, SAMPLING = 4, 0.4, 2000  # LeBLEU's defaults


def hlepor() -> Callable[..., float]:
    """`hlepor_score` of hLepor.

    On import hLepor fetches a tokenizer's data, which text split at spaces does not need, and takes a name for its
    annotations from nptyping, which does not install beside NumPy 2.
    """
    names: Any = types.ModuleType("nptyping")
    names.NDArray = np.ndarray
    with mock.patch("nltk.download"), mock.patch.dict(sys.modules, {"nptyping": names}):
        from hlepor import hlepor_score
    found: Callable[..., float] = hlepor_score
    return found


def rouge(kind: str, stem: bool, hypotheses: Sequence[str], references: Sequence[str]) -> list[float]:
    """F of each segment by rouge-score."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([kind], use_stemmer=stem)
    return [scorer.score(r, h)[kind].fmeasure for h, r in zip(hypotheses, references, strict=True)]


def eed(hypotheses: Sequence[str], references: Sequence[str]) -> list[float]:
    """EED's Python version of each segment."""
    return [
        plain_eed.eed(plain_eed.prepare(h), plain_eed.prepare(r), "python")[0]
        for h, r in zip(hypotheses, references, strict=True)
    ]


def lebleu(hypotheses: Sequence[str], references: Sequence[str]) -> list[list[float]]:
    """[hits of each order, n-grams of each order] of each segment, with all letter edits by RapidFuzz at once."""
    return [_lebleu(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]


def _lebleu(hyp: Sequence[str], ref: Sequence[str]) -> list[float]:
    own, there = ngrams(hyp, MAX_N, SAMPLING), ngrams(ref, 2 * MAX_N, SAMPLING)
    texts = [" ".join(gram) for gram in own], [" ".join(gram) for gram in there]
    # without RapidFuzz's own cutoff, which drops what is just as similar as the threshold, and saves no time
    similarities = cdist(*texts, scorer=Levenshtein.normalized_similarity, dtype=np.float64, workers=1)
    similarities[similarities < THRESHOLD] = 0
    best = similarities.max(axis=1).tolist()
    times = np.array(list(there.values()))
    hits, totals = [0.0] * MAX_N, [0.0] * MAX_N
    for row, (gram, count) in enumerate(own.items()):
        n = len(gram) - 1
        totals[n] += count
        hits[n] += best[row] if count == 1 else _several(similarities[row], times, count)
    return [*hits, *totals]


def _several(similarities: Any, times: Any, count: int) -> float:
    """What an n-gram gets that the translation repeats: the most similar ones, as often as the reference has them."""
    order = np.argsort(-similarities)[:count]
    left = np.clip(count - (np.cumsum(times[order]) - times[order]), 0, times[order])
    return float(left @ similarities[order])
