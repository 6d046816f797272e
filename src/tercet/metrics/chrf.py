"""chrF, chrF+ and chrF++ as sacreBLEU computes them (Popović 2015, 2017)."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.spec import option

if TYPE_CHECKING:
    from tercet.data.explanation import Explanation, Factor

EPSILON = 1e-16
SHARED_WORDS = 2  # orders of words that cost no more than one, so that chrF+ and chrF++ share them


@dataclasses.dataclass(frozen=True)
class ChrfMetric(Metric):
    """What both chrFs share: the orders and beta, and the counting, against the best reference.

    Statistics: [hypothesis count, reference count, matches] of each character order, then of each word order.
    """

    char_order: int = option(6, "longest character n-gram; 0 for words alone")
    word_order: int = option(0, "longest word n-gram: 0 for chrF, 1 for chrF+, 2 for chrF++")
    beta: float = option(2.0, "how many times as much recall counts as precision", tunable=(0.25, 5.0, 0.25))

    def __post_init__(self) -> None:
        super().__post_init__()
        least = 0 if self.word_order > 0 else 1
        self.require(least <= self.char_order <= 1000, "char_order", f"from {least} to 1000")
        self.require(0 <= self.word_order <= 1000, "word_order", "from 0 to 1000")
        self.require(0 < self.beta <= 1e6, "beta", "above 0 and at most a million")

    def count(
        self,
        batch: Batch,
        lower: text.Case = None,
        *,
        whitespace: bool = False,
        eps: bool = False,
        original: bool = False,
    ) -> Array:
        """Counts and matches of each order."""
        several = batch.required_references().counts[1] > 1
        if several:  # the best is chosen by all orders together
            return _kept(batch, lower, (self.char_order, self.word_order, self.beta, whitespace, eps, original))
        both = (self.char_order, max(self.word_order, SHARED_WORDS), 1.0, whitespace, False, original)
        alone, words = (self.char_order, 0, *both[2:]), (0, *both[1:3], False, False, False)
        if not self.char_order:
            return _kept(batch, lower, words)[:, : 3 * self.word_order]
        if not self.word_order and not _is_kept(batch, lower, both):
            return _kept(batch, lower, alone)
        if self.word_order and (_is_kept(batch, lower, alone) or _is_kept(batch, lower, words)):
            counts = np.concatenate([_kept(batch, lower, alone), _kept(batch, lower, words)], axis=1)
        else:
            counts = _kept(batch, lower, both)
        return counts[:, : 3 * (self.char_order + self.word_order)]

    def statistic_names(self) -> tuple[str, ...]:
        """Three counts of each order."""
        return explained.chrf_statistic_names(self.char_order, self.word_order)

    def explain_counts(
        self,
        plain: Explanation,
        batch: Batch,
        row: Array,
        parts: Sequence[Factor],
        lower: text.Case = None,
        **how: bool,
    ) -> Explanation:
        """n-grams found and missed in the reference that counts; `parts` are the factors of the score."""
        from tercet.data.explanation import Factor

        number = explained.chosen(self, batch, row)
        references = batch.required_references()
        (hyp,) = kernels.unpack(text.packed(batch.hypotheses, lower))
        ref = kernels.unpack(text.packed(references.texts, lower))[number]
        tables = explained.chrf_tables(hyp, ref, self.char_order, self.word_order, **how)
        order = max(self.char_order, self.word_order)
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "product", (explained.given("percent", 100), *parts)),
            hypothesis=tables[-1].hypothesis,
            reference=tables[-1].references[0],
            ngrams=tables,
            notes=(*explained.references_note(references[0], number), *explained.unlisted_note(tables, order)),
        )

    def order_scores(self, row: Array) -> list[Factor]:
        """The F-score of each order."""
        pairs = explained.precisions_and_recalls(row, self.char_order, self.word_order)
        return [explained.harmonic(p.name, _named(p, "precision"), _named(r, "recall"), self.beta) for p, r in pairs]


@dataclasses.dataclass(frozen=True)
class Chrf(ChrfMetric):
    """sacreBLEU's: F of mean precision and recall."""

    lowercase: bool = option(False, "lower-case both sides")
    whitespace: bool = option(False, "count white space as characters")
    eps_smoothing: bool = option(False, "mean of the orders' F over all orders, as chrF++.py and NLTK have it")

    name = "chrf"
    card = Card(
        title="chrF",
        year=2015,
        group="DFKI",
        kind="n-grams of characters",
        definition=(
            "Precision and recall of character n-grams of order 1 to 6 (and of word n-grams, `word_order`), each "
            "averaged over the orders that both sides have, combined to an F-score in which recall counts `beta` "
            "times. Of several references the best counts."
        ),
        paper="Popović 2015, *chrF: character n-gram F-score for automatic MT evaluation*; "
        "Popović 2017, *chrF++: words helping character n-grams*",
        scale="0 to 100",
        reference="sacreBLEU 2.6.0, `CHRF`",
        differences=("The script of the paper averages in another order: that one is `chrf-original`.",),
    )

    def statistics(self, batch: Batch) -> Array:
        """Counts and matches of each order."""
        lower: text.Case = "python" if self.lowercase else None
        return self.count(batch, lower, whitespace=self.whitespace, eps=self.eps_smoothing)

    def score(self, stats: Array) -> Array:
        """F of mean precision and recall. Keeps the precision of its input, for `compat`."""
        return self._score(stats, self.beta**2)

    def scores(self, stats: Array, betas: Array) -> Array:
        """Scores with each of many betas, (betas, ...)."""
        factors = np.array([beta**2 for beta in betas.tolist()])
        return self._score(stats[None], factors.reshape(-1, *[1] * (stats.ndim - 1)))

    def _score(self, stats: Array, factor: float | Array) -> Array:
        hyp, ref, matches = stats[..., 0::3], stats[..., 1::3], stats[..., 2::3]
        orders = self.char_order + self.word_order
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(hyp > 0, matches / hyp, EPSILON)
            recalls = np.where(ref > 0, matches / ref, EPSILON)
            if self.eps_smoothing:
                per_order = factor if isinstance(factor, float) else factor[..., None]
                return 100 * _in_order(_f(precisions, recalls, per_order, EPSILON)) / orders
            both = (hyp > 0) & (ref > 0)
            effective = both.sum(axis=-1).astype(stats.dtype)
            precision = _in_order(np.where(both, precisions, 0)) / effective
            recall = _in_order(np.where(both, recalls, 0)) / effective
            return 100 * np.where(effective > 0, _f(precision, recall, factor, 0.0), 0)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed, precision and recall."""
        if self.eps_smoothing:
            parts = [explained.made("mean F", "mean", self.order_scores(row))]
        else:
            pairs = explained.precisions_and_recalls(row, self.char_order, self.word_order)
            both = [pair for pair in pairs if pair[0].operation == pair[1].operation == "quotient"]
            if both:
                precision, recall = (
                    explained.made(name, "mean", factors)
                    for name, factors in zip(("precision", "recall"), zip(*both, strict=True), strict=True)
                )
                parts = [explained.harmonic("F", precision, recall, self.beta)]
            else:
                parts = [explained.given("F", 0, "0, because no order has n-grams on both sides")]
        lower: text.Case = "python" if self.lowercase else None
        return self.explain_counts(plain, batch, row, parts, lower, whitespace=self.whitespace)


_How = tuple[int, int, float, bool, bool, bool]  # what the kernel takes behind the texts


def _key(batch: Batch, lower: text.Case, how: _How) -> Hashable:
    return "chrf", batch.references, lower, how


def _is_kept(batch: Batch, lower: text.Case, how: _How) -> bool:
    return _key(batch, lower, how) in batch.hypotheses.memo


def _kept(batch: Batch, lower: text.Case, how: _How) -> Array:
    """Counts and matches of each order, kept with the text: against one reference all chrFs share them."""
    key, references = _key(batch, lower, how), batch.required_references()
    if key not in batch.hypotheses.memo:
        hypotheses, texts = text.packed(batch.hypotheses, lower), text.packed(references.texts, lower)
        batch.hypotheses.memo[key] = kernels.chrf(hypotheses, texts, references.groups, *how, batch.threads)
    counts: Array = batch.hypotheses.memo[key]
    return counts


def _named(factor: Factor, name: str) -> Factor:
    return dataclasses.replace(factor, name=name)


def _in_order(values: Array) -> Array:
    """The sum over the last axis, one after the other: sacreBLEU's order, and so its bits."""
    sums: Array = np.add.accumulate(values, axis=-1)[..., -1]
    return sums


def _f(precision: Array, recall: Array, factor: float | Array, nothing: float) -> Array:
    denominator = factor * precision + recall
    return np.where(denominator > 0, (1 + factor) * precision * recall / denominator, nothing)
