"""BLEU as sacreBLEU computes it (Papineni et al. 2002; Post 2018)."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.metric import Card, Metric
from tercet.spec import option

_TOKENIZER_OF = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_SMOOTH_VALUE = {"floor": 0.1, "add-k": 1.0}
_LOG_OF_ZERO = -9999999999.0


@dataclasses.dataclass(frozen=True)
class Bleu(Metric):
    """Statistics: [hypothesis length, reference length, matches of order 1.., totals of order 1..]."""

    lowercase: bool = option(False, "lower-case both sides before tokenising")
    tokenize: str = option("13a", "tokenizer spec: 13a, intl, zh, char, none, ja-mecab, moses(language=de), ...")
    smooth: Literal["exp", "floor", "add-k", "none"] = option("exp", "what to do about orders without a match")
    smooth_value: float | None = option(None, "the value of floor (0.1) and add-k (1)")
    order: int = option(4, "longest n-gram")
    effective_order: bool = option(False, "leave out orders that are longer than the text; for segments")
    language: str = option("", "target language: zh, ja and ko choose their tokenizer")

    name = "bleu"
    card = Card(
        title="BLEU",
        definition=(
            "The geometric mean of the clipped n-gram precisions of order 1 to 4, times a penalty for brevity, "
            "`exp(1 - r/h)` when the translation (h words) is shorter than the reference (r words, the closest of "
            "several). An order without a match is smoothed; a text without any matching word scores 0."
        ),
        paper="Papineni et al. 2002, *BLEU: a method for automatic evaluation of machine translation*; "
        "Post 2018, *A call for clarity in reporting BLEU scores*",
        scale="0 to 100",
        reference="sacreBLEU 2.6.0, `BLEU`",
        differences=(
            "For one segment use `effective_order=true`, as sacreBLEU's own sentence-level call does: otherwise a "
            "segment shorter than four tokens scores 0.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language in _TOKENIZER_OF and self.tokenize == "13a":
            object.__setattr__(self, "tokenize", _TOKENIZER_OF[self.language])
        object.__setattr__(self, "tokenize", str(text.tokenizer(self.tokenize)))
        self.require(1 <= self.order <= 1000, "order", "from 1 to 1000")
        self.require(
            self.smooth_value is None or (self.smooth in _SMOOTH_VALUE and self.smooth_value >= 0),
            "smooth_value",
            "a number of 0 or more, and only with smooth=floor or smooth=add-k",
        )

    def statistics(self, batch: Batch) -> Array:
        """Matches and totals of each order, and the two lengths."""
        references = batch.required_references()
        tokenizer = text.tokenizer(self.tokenize)
        lower: text.Case = "python" if self.lowercase else None
        return kernels.bleu(
            text.tokens(batch.hypotheses, tokenizer, batch.threads, lower=lower),
            text.tokens(references.texts, tokenizer, batch.threads, lower=lower),
            references.groups,
            self.order,
            "closest",
            batch.threads,
        )

    def score(self, stats: Array) -> Array:
        """Smoothed geometric mean times brevity penalty. Precisions keep the precision of the input, for `compat`."""
        hyp, ref = stats[..., 0].astype(np.float64), stats[..., 1].astype(np.float64)
        matches, totals = stats[..., 2 : 2 + self.order], stats[..., 2 + self.order :]
        value = self.smooth_value if self.smooth_value is not None else _SMOOTH_VALUE.get(self.smooth, 0.0)
        logs = np.zeros(hyp.shape)
        reached = np.ones(hyp.shape, dtype=bool)  # an order without n-grams ends the loop
        used = np.zeros(hyp.shape)
        halving = np.ones(hyp.shape, dtype=stats.dtype)
        with np.errstate(divide="ignore", invalid="ignore"):
            for n in range(self.order):
                correct, total = matches[..., n], totals[..., n]
                if self.smooth == "add-k" and n > 0:
                    correct, total = correct + value, total + value
                reached &= total > 0
                precision = 100.0 * correct / total
                if self.smooth == "exp":
                    halving = np.where(reached & (correct == 0), halving * 2, halving)
                    precision = np.where(correct == 0, 100.0 / (halving * total), precision)
                elif self.smooth == "floor":
                    precision = np.where(correct == 0, 100.0 * value / total, precision)
                precision = np.where(reached, precision, 0)
                log = np.where(precision == 0, _LOG_OF_ZERO, np.log(precision.astype(np.float64)))
                counted = reached if self.effective_order else True
                logs = np.where(counted, logs + log, logs)
                used = used + counted
            brevity = np.exp(np.where(hyp < ref, 1 - ref / hyp, 0))
            result = np.where(hyp > 0, brevity, 0) * np.exp(logs / used)
        return np.where((matches == 0).all(axis=-1), 0.0, result)
