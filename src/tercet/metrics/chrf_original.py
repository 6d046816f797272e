"""chrF as its author's script chrF++.py computes it: the mean of the orders' F-scores (Popović 2017)."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.metric import Card, Metric
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class ChrfOriginal(Metric):
    """Statistics: [hypothesis count, reference count, matches] of each character order, then of each word order."""

    char_order: int = option(6, "longest character n-gram")
    word_order: int = option(2, "longest word n-gram: 0 for chrF, 1 for chrF+, 2 for chrF++")
    beta: float = option(2.0, "how many times as much recall counts as precision")

    name = "chrf-original"
    card = Card(
        title="chrF of chrF++.py",
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

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.char_order <= 1000, "char_order", "from 1 to 1000")
        self.require(0 <= self.word_order <= 1000, "word_order", "from 0 to 1000")
        self.require(0 < self.beta <= 1e6, "beta", "above 0 and at most a million")

    def statistics(self, batch: Batch) -> Array:
        """Counts and matches of each order, against the best reference."""
        references = batch.required_references()
        return kernels.chrf(
            text.packed(batch.hypotheses),
            text.packed(references.texts),
            references.groups,
            self.char_order,
            self.word_order,
            self.beta,
            False,
            False,
            True,
            batch.threads,
        )

    def score(self, stats: Array) -> Array:
        """Mean of the orders' F-scores."""
        hyp, ref, matches = stats[..., 0::3], stats[..., 1::3], stats[..., 2::3]
        factor = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = matches / hyp, matches / ref
            f = (1 + factor) * precision * recall / (factor * precision + recall)
        mean: Array = 100 * np.where(matches > 0, f, 0).sum(axis=-1) / (self.char_order + self.word_order)
        return mean
