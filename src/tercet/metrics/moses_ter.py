"""TER of the Moses scorer: a C++ port of tercom with its own search (Snover et al. 2006)."""

from __future__ import annotations

import dataclasses

from tercet import kernels
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.moses import MosesMetric, percentage


@dataclasses.dataclass(frozen=True)
class MosesTer(MosesMetric):
    """Statistics: [edits, mean reference length], both times 100 and whole."""

    name = "moses-ter"
    higher_is_better = False
    card = Card(
        title="TER of the Moses scorer",
        year=2006,
        group="Edinburgh",
        kind="edits",
        definition=(
            "Edits and shifts over the mean reference length, as `ter`, but with the roles of the two texts exchanged "
            "in the search and with its limits (10 candidates a round, 25 words far, a beam of 10): the TER of the WMT "
            "tables."
        ),
        paper="Snover et al. 2006; Servan and Schwenk 2011 (tercpp); the baseline TER of the WMT metrics tasks",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="TerScorer of Moses (`mert/`), which gives 1 - TER",
        differences=(
            "Moses gives 1 - error in 32 bits; here it is the error, in percent.",
            "Moses writes statistics with six digits, which breaks segments of 10 000 words and more; here they count "
            "in full.",
        ),
    )

    def statistics(self, batch: Batch) -> Array:
        """Edits and reference length."""
        references = batch.required_references()
        return kernels.moses_ter(*self.tokens(batch), references.groups, batch.threads)

    def score(self, stats: Array) -> Array:
        """Edits a reference word; 0 where there is no reference word, as Moses has it."""
        return percentage(stats[..., 0], stats[..., 1], 0.0)

    def statistic_names(self) -> tuple[str, ...]:
        """Edits and length, times 100."""
        return "edits × 100", "mean reference words × 100"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Shifts and edits against the closest reference."""
        number = explained.chosen(self, batch, row, slice(1))
        hyps, refs = self.tokens(batch)
        hyp, ref = explained.words(hyps)[0] or ("",), explained.words(refs)[number] or ("",)  # one empty word to Moses
        script = explained.moses_ter_script(hyp, ref)
        empty = "0, for want of reference words"
        moved = ("The blocks of words that are shifted are the reference's.",) if script.shifts else ()
        return dataclasses.replace(
            plain,
            formula=explained.edit_formula("score", plain.score, script, row[0] / 100, row[1] / 100, empty),
            hypothesis=hyp,
            reference=ref,
            matches=explained.matched_words(script),
            edits=script,
            notes=(*explained.references_note(batch.required_references()[0], number), *moved),
        )
