"""Word error rate with inversions: neighbouring blocks may change places for the price of one edit."""

from __future__ import annotations

import dataclasses

from tercet import kernels
from tercet.data import Array, Batch, Explanation
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.moses import MosesMetric, percentage
from tercet.metrics.several import best_rows, require_bounded
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class InvWer(MosesMetric):
    """Statistics: [edits and inversions, reference length]."""

    inversion: int = option(1, "cost of an inversion, in edits")
    block: int = option(20, "longest block that is inverted, in words of either text; 1: none, as wer")

    name = "inv-wer"
    higher_is_better = False
    card = Card(
        title="WER with inversions",
        year=2003,
        group="RWTH Aachen",
        kind="edits",
        definition=(
            "The edit distance over the reference length, in which two neighbouring blocks of words may also change "
            "places for the price of one edit, and blocks within them again: the inversion edit distance, which is "
            "the cheapest parse of both texts by a bracketing transduction grammar. Of several references the one with "
            "the lowest error counts."
        ),
        paper="Leusch, Ueffing and Ney 2003, *A novel string-to-string distance measure with applications to machine "
        "translation evaluation*",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="none: a reconstruction from the definition; with `block=1` it is `wer(fixed=true)`",
        differences=(
            "The full grammar takes time by the sixth power of the length. Here the two blocks that change places are "
            "together no longer than `block` words on either side, and shorter in long segments: "
            "words × words × block² stays within 2^26, and words × words × block⁴ within 442 · 2^26, which is some "
            "seconds. What is found within that is exact.",
            "All edits cost 1. The paper also tries costs by how much two words differ.",
            "Against an empty reference the error is 0 whatever the translation, as in `wer`.",
            "A segment of more than a million pairs of words is refused.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 <= self.inversion <= 1000, "inversion", "from 0 to 1000")
        self.require(1 <= self.block <= 100, "block", "from 1 to 100")

    def statistics(self, batch: Batch) -> Array:
        """Edits with inversions, and reference length."""
        references = batch.required_references()
        hyps, refs = self.tokens(batch)
        require_bounded(self.name, hyps, refs, references.groups)
        rows = kernels.inversions(hyps, refs, references.groups, self.block, self.inversion, batch.threads)
        return best_rows(rows, -self.score(rows), references.groups)

    def score(self, stats: Array) -> Array:
        """Edits a reference word."""
        return percentage(stats[..., 0], stats[..., 1], 0.0)

    def statistic_names(self) -> tuple[str, ...]:
        return "edits and inversions", "reference words"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The edits a word, against the reference that counts."""
        number = explained.chosen(self, batch, row)
        empty = "0, for want of reference words"
        return dataclasses.replace(
            plain,
            formula=explained.edit_formula("score", plain.score, None, row[0], row[1], empty),
            notes=explained.references_note(batch.required_references()[0], number),
        )
