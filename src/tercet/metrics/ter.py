"""Translation edit rate as sacreBLEU computes it (Snover et al. 2006)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.spec import option
from tercet.text.base import Tokens
from tercet.text.punctuation import SENTENCE
from tercet.text.sacrebleu import Tercom

if TYPE_CHECKING:
    from tercet.data.explanation import EditScript, Explanation


@dataclasses.dataclass(frozen=True)
class Ter(Metric):
    """Statistics: [edits against the closest reference, mean reference length]."""

    normalized: bool = option(False, "split off punctuation and resolve entities")
    no_punct: bool = option(False, "delete punctuation")
    asian_support: bool = option(False, "treat Chinese and Japanese characters as words (with normalized)")
    case_sensitive: bool = option(False, "keep the case")
    normalize: text.Normalize = option("none", SENTENCE)

    name = "ter"
    higher_is_better = False
    edits_at_once = True
    card = Card(
        title="TER",
        year=2006,
        group="Maryland, BBN",
        kind="edits",
        definition=(
            "Insertions, deletions, substitutions and shifts of blocks of words that turn the translation into the "
            "reference, over the mean length of the references. Shifts are searched greedily, within tercom's limits "
            "(blocks of 10 words, 50 words far, 1000 candidates, a beam of 25)."
        ),
        paper="Snover et al. 2006, *A study of translation edit rate with targeted human annotation*",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="sacreBLEU 2.6.0, `TER`",
        differences=(
            "Reproduced: with `normalized`, sacreBLEU normalises references twice, which matters where the first time "
            "opens the way for a rule (`Sainsbury's计划`).",
            "tercom itself differs from sacreBLEU by some thousandths on long texts.",
        ),
    )

    def statistics(self, batch: Batch) -> Array:
        """Edits and reference length."""
        hyps, refs = self.tokens(batch)
        return kernels.ter(hyps, refs, batch.required_references().groups, batch.threads)

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The tokens of hypotheses and references."""
        how = Tercom(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        twice = dataclasses.replace(how, twice=self.normalized)
        hyps, refs = text.both_sides(batch, self.normalize)
        return text.tokens(hyps, how, batch.threads), text.tokens(refs, twice, batch.threads)

    def score(self, stats: Array) -> Array:
        """Edits a reference word; 100 for edits against nothing. Keeps the precision of its input, for `compat`."""
        edits, length = stats[..., 0], stats[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return 100 * np.where(length > 0, edits / length, (edits > 0).astype(stats.dtype))

    def statistic_names(self) -> tuple[str, ...]:
        return "edits", "mean reference words"

    def edit_scripts(self, hypotheses: Sequence[str], references: Sequence[str]) -> Sequence[EditScript]:
        """Shifts and edits of each segment."""
        hyps, refs = map(explained.words, self.tokens(self.batch(hypotheses, references)))
        return [explained.ter_script(hyp, ref) for hyp, ref in zip(hyps, refs, strict=True)]

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Shifts and edits against the closest reference."""
        number = explained.chosen(self, batch, row, slice(1))
        hyps, refs = self.tokens(batch)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        script = explained.ter_script(hyp, ref)
        empty = "100 for edits against nothing, 0 without"
        return dataclasses.replace(
            plain,
            formula=explained.edit_formula("score", plain.score, script, row[0], row[1], empty),
            hypothesis=hyp,
            reference=ref,
            matches=explained.matched_words(script),
            edits=script,
            notes=explained.references_note(batch.required_references()[0], number),
        )
