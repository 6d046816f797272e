"""WER and CDER of the Moses scorer: edit distances without and with long jumps."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tercet import kernels
from tercet.data import Array, Batch
from tercet.data.explanation import EditScript, Explanation
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.moses import MosesMetric, percentage
from tercet.spec import option

_SEVERAL = (
    "With several references Moses compares scores cut to whole numbers, so that the first reference counts unless a "
    "later one is perfect or the first is worse than -1. `fixed=true` takes the reference with the lowest error."
)
_EMPTY = "Against an empty reference the error is 0 whatever the translation, as in Moses."
_SIGN = "Moses gives 1 - error in 32 bits; here it is the error, in percent."


@dataclasses.dataclass(frozen=True)
class Wer(MosesMetric):
    """Statistics: [edits, reference length]."""

    fixed: bool = option(False, "of several references take the one with the lowest error")

    name = "wer"
    higher_is_better = False
    jumps = False
    card = Card(
        title="WER",
        year=1966,
        group="Levenshtein",
        kind="edits",
        definition="Word error rate: the Levenshtein distance between the words, over the reference length.",
        paper="Nießen et al. 2000, *An evaluation tool for machine translation*; the baseline WER of the metrics tasks",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="WER of Moses (`mert/`), which gives 1 - WER",
        differences=(_SIGN, _SEVERAL, _EMPTY),
    )

    def statistics(self, batch: Batch) -> Array:
        """Edits and reference length."""
        references = batch.required_references()
        return kernels.edits(*self.tokens(batch), references.groups, self.jumps, self.fixed, batch.threads)

    def score(self, stats: Array) -> Array:
        """Edits a reference word."""
        return percentage(stats[..., 0], stats[..., 1], 0.0)

    def statistic_names(self) -> tuple[str, ...]:
        return "edits", "reference words"

    def script(self, hypothesis: Sequence[str], reference: Sequence[str]) -> EditScript | None:
        """The edits; None for texts too long to be written out."""
        return explained.wer_script(hypothesis, reference)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The edits against the reference that counts."""
        number = explained.chosen(self, batch, row)
        hyps, refs = self.tokens(batch)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        script = self.script(hyp, ref)
        empty = "0, for want of reference words"
        long = () if script else ("The texts are too long for their edits to be listed.",)
        return dataclasses.replace(
            plain,
            formula=explained.edit_formula("score", plain.score, script, row[0], row[1], empty),
            hypothesis=hyp,
            reference=ref,
            matches=explained.matched_words(script) if script else (),
            edits=script,
            notes=(*explained.references_note(batch.required_references()[0], number), *long),
        )


@dataclasses.dataclass(frozen=True)
class Cder(Wer):
    """Statistics: [edits and jumps, reference length]."""

    name = "cder"
    jumps = True
    card = Card(
        title="CDER",
        year=2006,
        group="RWTH Aachen",
        kind="edits",
        definition=(
            "The edit distance in which, after any reference word, the translation may be continued at another place "
            "for the price of one edit, over the reference length."
        ),
        paper="Leusch et al. 2006, *CDER: efficient MT evaluation using block movements*; the baseline CDER of the "
        "WMT metrics tasks",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="CDER of Moses (`mert/`), which gives 1 - CDER",
        differences=(_SIGN, "There is no penalty for a difference in length, as in Moses.", _SEVERAL, _EMPTY),
    )

    def script(self, hypothesis: Sequence[str], reference: Sequence[str]) -> EditScript | None:
        """The edits and jumps; None for texts too long to be written out."""
        return explained.cder_script(hypothesis, reference)
