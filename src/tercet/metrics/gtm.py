"""GTM, the general text matcher: precision and recall of words that are matched in runs (Melamed et al. 2003)."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet import kernels
from tercet.data import Array, Batch, Explanation
from tercet.data.explanation import Factor
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.elementary import power
from tercet.metrics.moses import MosesMetric
from tercet.metrics.several import best_rows, lengths, require_bounded
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class Gtm(MosesMetric):
    """Statistics: [match size, hypothesis length, reference length]."""

    exponent: float = option(1.5, "weight of long runs: 1 counts words, 2 favours words in the same order")
    beta: float = option(1.0, "weight of recall against precision", tunable=(0.25, 4.0, 0.25))

    name = "gtm"
    digits = 4
    card = Card(
        title="GTM",
        year=2003,
        group="NYU",
        kind="runs of words",
        definition=(
            "Words of translation and reference are matched one to one, in runs, the longest run first. The match "
            "size is `(sum of run lengths ^ exponent) ^ (1 / exponent)`; over the length of the translation it is "
            "precision, over that of the reference recall, and the score is their F-measure. Of several references "
            "the best counts."
        ),
        paper="Melamed, Green and Turian 2003, *Precision and recall of machine translation*; Turian, Shen and Melamed "
        "2003, *Evaluation of machine translation and its evaluation*",
        scale="0 to 1",
        reference="none at hand: a reconstruction from the papers; with `exponent=1` it is the F-measure of words",
        differences=(
            "The largest match is NP-hard to find for exponents above 1. GTM searches greedily too, but which of equal "
            "runs it takes is not known: here the one that moves least, then the first.",
            "The papers report exponents from 1 to 3; which one is the default of the program is not known.",
            "GTM matches several references at once, end to end; here the best one counts.",
            "A corpus sums the match sizes of its segments. GTM scores whole documents as one text.",
            "A segment of more than a million pairs of words is refused.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.exponent <= 10, "exponent", "from 1 to 10")
        self.require(0 < self.beta <= 1000, "beta", "above 0, up to 1000")

    def statistics(self, batch: Batch) -> Array:
        """Match size and the two lengths."""
        references = batch.required_references()
        hyps, refs = self.tokens(batch)
        groups = references.groups
        require_bounded(self.name, hyps, refs, groups)
        runs = kernels.word_runs(hyps, refs, groups, self.exponent, batch.threads)
        hyp = np.repeat(lengths(hyps), np.diff(groups))
        rows = np.stack([power(runs[:, 2], 1 / self.exponent), hyp, lengths(refs)], axis=-1)
        return best_rows(rows, dataclasses.replace(self, beta=1).score(rows), groups)

    def score(self, stats: Array) -> Array:
        """F-measure of match size over lengths; two empty texts are equal."""
        size, hyp, ref = stats[..., 0], stats[..., 1], stats[..., 2]
        weight = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(hyp + ref > 0, (1 + weight) * size / (hyp + weight * ref), 1.0)

    def statistic_names(self) -> tuple[str, ...]:
        return "match size", "hypothesis words", "reference words"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        size, hyp, ref = row.tolist()
        parts = (
            explained.fraction("precision", size, hyp, ("match size", "hypothesis words")),
            explained.fraction("recall", size, ref, ("match size", "reference words")),
        )
        formula = explained.harmonic("score", *parts, self.beta)
        if not hyp + ref:
            formula = Factor("score", plain.score, "rule", parts, note="1, for two empty texts")
        return dataclasses.replace(plain, formula=dataclasses.replace(formula, value=plain.score))
