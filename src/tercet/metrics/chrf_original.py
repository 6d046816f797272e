"""chrF as its author's script chrF++.py computes it: the mean of the orders' F-scores (Popović 2017)."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet.data import Array, Batch
from tercet.data.explanation import Explanation
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.chrf import ChrfMetric
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class ChrfOriginal(ChrfMetric):
    """Its author's: the mean of the orders' F."""

    word_order: int = option(2, "longest word n-gram: 0 for chrF, 1 for chrF+, 2 for chrF++")

    name = "chrf-original"
    card = Card(
        title="chrF of chrF++.py",
        year=2017,
        group="HU Berlin",
        kind="n-grams of characters",
        definition=(
            "An F-score for each order, averaged over all orders; an order that the reference is too short for "
            "counts 0. Only the ASCII space is no character. Of several references the best counts."
        ),
        paper="Popović 2017, *chrF++: words helping character n-grams*; the rows chrF and chrF+ of WMT19",
        scale="0 to 100; a short perfect segment stays below 100",
        reference="chrF++.py of m-popovic/chrF",
        differences=(
            "The script crashes when the first segment matches nothing, and counts the segment before once more when a "
            "later one does. Here such a segment counts as what it is: no matches.",
        ),
    )

    def statistics(self, batch: Batch) -> Array:
        """Counts and matches of each order."""
        return self.count(batch, original=True)

    def score(self, stats: Array) -> Array:
        """Mean of the orders' F-scores."""
        hyp, ref, matches = stats[..., 0::3], stats[..., 1::3], stats[..., 2::3]
        factor = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = matches / hyp, matches / ref
            f = (1 + factor) * precision * recall / (factor * precision + recall)
        mean: Array = 100 * np.where(matches > 0, f, 0).sum(axis=-1) / (self.char_order + self.word_order)
        return mean

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed, and the F-score of each order."""
        mean = explained.made("mean F", "mean", self.order_scores(row))
        return self.explain_counts(plain, batch, row, [mean], original=True)
