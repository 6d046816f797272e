"""PER of the Moses scorer: word errors without regard to order."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet import kernels
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.moses import MosesMetric, percentage


@dataclasses.dataclass(frozen=True)
class Per(MosesMetric):
    """Statistics: [words in common, hypothesis length, reference length]."""

    name = "per"
    higher_is_better = False
    card = Card(
        title="PER",
        year=1997,
        group="RWTH Aachen",
        kind="words in common",
        definition=(
            "Position-independent error rate: reference words that the translation does not have, plus the words that "
            "it has too many, over the reference length. The surplus is taken of the summed lengths."
        ),
        paper="Tillmann et al. 1997, *Accelerated DP based search for statistical translation*; the baseline PER of "
        "the WMT metrics tasks",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="PerScorer of Moses (`mert/`), which gives 1 - PER",
        differences=(
            "Moses gives 1 - error in 32 bits; here it is the error, in percent.",
            "Moses refuses several references; here the one with the lowest error in its segment counts.",
            "Against an empty reference the error is 100, as in Moses.",
        ),
    )

    def statistics(self, batch: Batch) -> Array:
        """Words in common and the two lengths."""
        references = batch.required_references()
        return kernels.per(*self.tokens(batch), references.groups, batch.threads)

    def score(self, stats: Array) -> Array:
        """Errors a reference word."""
        common, hyp, ref = stats[..., 0], stats[..., 1], stats[..., 2]
        return percentage(ref - common + np.maximum(0, hyp - ref), ref, 100.0)

    def statistic_names(self) -> tuple[str, ...]:
        """Words in common and the two lengths."""
        return "words in common", "hypothesis words", "reference words"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Which words the two texts have in common, wherever they stand."""
        number = explained.chosen(self, batch, row)
        hyps, refs = self.tokens(batch)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        missing = explained.given("missing words", row[2] - row[0])
        surplus = explained.given("surplus words", max(0.0, row[1] - row[2]))
        errors = explained.made("errors", "sum", [missing, surplus])
        words = explained.given("reference words", row[2])
        if row[2]:
            rate = explained.made("errors a word", "quotient", [errors, words])
            formula = Factor("score", plain.score, "product", (explained.given("percent", 100), rate))
        else:
            formula = Factor("score", plain.score, "rule", (errors, words), note="100, for want of reference words")
        return dataclasses.replace(
            plain,
            formula=formula,
            hypothesis=hyp,
            reference=ref,
            matches=explained.common_words(hyp, ref),
            notes=explained.references_note(batch.required_references()[0], number),
        )
