"""BLEU as sacreBLEU computes it (Papineni et al. 2002; Post 2018)."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from tercet import kernels, numbers, text
from tercet.data import Array, Batch
from tercet.metric_base import Card, Metric
from tercet.metrics import explained, smoothing
from tercet.metrics.elementary import exp, log
from tercet.spec import option
from tercet.text.base import Tokens
from tercet.text.punctuation import SENTENCE

if TYPE_CHECKING:
    from tercet.data.explanation import Explanation, Factor

_TOKENIZER_OF = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_SMOOTH_VALUE = {"floor": 0.1, "add-k": 1.0, **smoothing.VALUES}
_LOG_OF_ZERO = -9999999999.0


@dataclasses.dataclass(frozen=True)
class Bleu(Metric):
    """Statistics: [hypothesis length, reference length, matches of order 1.., totals of order 1..].

    With smooth=chen-5 and chen-7 also the matches of one order more.
    """

    lowercase: bool = option(False, "lower-case both sides before tokenising")
    tokenize: str = option("13a", "tokenizer spec: 13a, intl, zh, char, none, ja-mecab, moses(language=de), ...")
    smooth: smoothing.Smooth = option(
        "exp", "what to do about orders without a match; chen-1 to chen-7: as in Chen and Cherry 2014"
    )
    smooth_value: float | None = option(
        None, "the value of floor (0.1), add-k (1), chen-1 (0.1), chen-4, chen-6 and chen-7 (5)"
    )
    order: int = option(4, "longest n-gram")
    effective_order: bool = option(False, "leave out orders that are longer than the text; for segments")
    language: str = option("", "target language: zh, ja and ko choose their tokenizer")
    normalize: text.Normalize = option("none", SENTENCE)

    name = "bleu"
    card = Card(
        title="BLEU",
        year=2002,
        group="IBM",
        kind="n-grams of words",
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
            "`smooth=chen-1` to `chen-7` are the smoothings of Chen and Cherry 2014, which sacreBLEU does not have; "
            "see `bleu-nrc`.",
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
            f"a number of 0 or more, and only with smooth={', '.join(_SMOOTH_VALUE)}",
        )

    def statistics(self, batch: Batch) -> Array:
        """Matches and totals of each order, and the two lengths."""
        hyps, refs = self.tokens(batch)
        groups = batch.required_references().groups
        if self.smooth not in smoothing.AVERAGED:
            return kernels.bleu(hyps, refs, groups, self.order, "closest", batch.threads)
        longer, n = kernels.bleu(hyps, refs, groups, self.order + 1, "closest", batch.threads), self.order
        return np.concatenate([longer[:, : 2 + n], longer[:, 3 + n : 3 + 2 * n], longer[:, 2 + n : 3 + n]], axis=1)

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The tokens of hypotheses and references."""
        tokenizer = text.tokenizer(self.tokenize)
        lower: text.Case = "python" if self.lowercase else None
        hyps, refs = text.both_sides(batch, self.normalize)
        return (
            text.tokens(hyps, tokenizer, batch.threads, lower=lower),
            text.tokens(refs, tokenizer, batch.threads, lower=lower),
        )

    def precisions(self, stats: Array) -> tuple[Array, Array]:
        """Of each order, the smoothed precision in percent, and whether the text is long enough for it (..., order).

        Precisions keep the precision of the input, for `compat`.
        """
        matches, totals = stats[..., 2 : 2 + self.order], stats[..., 2 + self.order : 2 + 2 * self.order]
        value = self.smooth_value if self.smooth_value is not None else _SMOOTH_VALUE.get(self.smooth, 0.0)
        if self.smooth.startswith("chen-"):
            precisions = smoothing.smoothed_precisions(self.smooth, value, stats, self.order)
            return 100 * np.nan_to_num(precisions), ~np.isnan(precisions)
        reached = np.ones(stats.shape[:-1], dtype=bool)  # an order without n-grams ends the loop
        halving = np.ones(stats.shape[:-1], dtype=stats.dtype)
        per_order, long_enough = [], []
        with np.errstate(divide="ignore", invalid="ignore"):
            for n in range(self.order):
                correct, total = matches[..., n], totals[..., n]
                if self.smooth == "add-k" and n > 0:
                    correct, total = correct + value, total + value
                reached = reached & (total > 0)
                precision = 100.0 * correct / total
                if self.smooth == "exp":
                    halving = np.where(reached & (correct == 0), halving * 2, halving)
                    precision = np.where(correct == 0, 100.0 / (halving * total), precision)
                elif self.smooth == "floor":
                    precision = np.where(correct == 0, 100.0 * value / total, precision)
                per_order.append(np.where(reached, precision, 0))
                long_enough.append(reached)
        return np.stack(per_order, axis=-1), np.stack(long_enough, axis=-1)

    def score(self, stats: Array) -> Array:
        """Smoothed geometric mean times brevity penalty."""
        hyp, ref = stats[..., 0].astype(np.float64), stats[..., 1].astype(np.float64)
        matches = stats[..., 2 : 2 + self.order]
        precisions, reached = self.precisions(stats)
        counted = reached if self.effective_order else np.ones_like(reached)
        logs = np.zeros(hyp.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_orders = np.where(precisions == 0, _LOG_OF_ZERO, log(precisions.astype(np.float64)))
            for n in range(self.order):  # one after the other: sacreBLEU's order, and so its bits
                logs = np.where(counted[..., n], logs + of_orders[..., n], logs)
            result = _brevity(hyp, ref) * exp(logs / counted.sum(axis=-1))
        return np.where((matches == 0).all(axis=-1), 0.0, result)

    def statistic_names(self) -> tuple[str, ...]:
        """Lengths, matches and totals."""
        more = (f"matches {self.order + 1}",) if self.smooth in smoothing.AVERAGED else ()
        return *explained.bleu_statistic_names(self.order), *more

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed, precisions and penalty."""
        hyps, refs = self.tokens(batch)
        precisions, reached = self.precisions(row)
        orders = [n for n in range(self.order) if reached[n] or not self.effective_order]
        none = not row[2 : 2 + self.order].any()
        return explained.explain_bleu(
            plain,
            explained.words(hyps)[0],
            explained.words(refs),
            self.order,
            explained.brevity(float(_brevity(row[0], row[1])), row[0], row[1]),
            [self._precision(n, row, float(precisions[n]) / 100, bool(reached[n])) for n in orders],
            scale=100,
            rule="0, because no n-gram is found" if none else "",
        )

    def _precision(self, n: int, row: Array, value: float, reached: bool) -> Factor:
        name, matches, total = f"precision {n + 1}", row[2 + n], row[2 + self.order + n]
        if reached and matches and math.isclose(value, matches / total):
            return explained.fraction(name, matches, total, ("found", "n-grams"))
        share = f"{numbers.plain(matches)}/{numbers.plain(total)}"
        return explained.given(name, value, f"{share}, smoothed" if value else share)


def _brevity(hyp: Array, ref: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(hyp > 0, exp(np.where(hyp < ref, 1 - ref / hyp, 0)), 0)
