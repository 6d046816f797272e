"""HTER: what a post-editor changed in a translation (Snover et al. 2006)."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor
from tercet.metric_base import Card
from tercet.metrics.ter import Ter
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class Hter(Ter):
    """Statistics: [edits to the closest post-edit, mean length of the post-edits]; capped, all edits stand third."""

    capped: bool = option(True, "a segment counts at most as many edits as its post-edit has words")

    name = "hter"
    card = Card(
        title="HTER",
        year=2006,
        group="Maryland, BBN",
        kind="edits",
        definition=(
            "TER of a translation against its own post-edit, given as the reference: the smallest change that a "
            "person found enough to make it right, over the length of the post-edit. Capped, no segment has more "
            "than 100, as in the quality estimation tasks of WMT."
        ),
        paper="Snover et al. 2006, *A study of translation edit rate with targeted human annotation*",
        scale="0 to 100 if capped, a percentage of the words of the post-edit; lower is better",
        reference="sacreBLEU 2.6.0, `TER`, against the post-edit",
        differences=(
            "With an independent reference in place of a post-edit this is TER: no program can see the difference.",
            "The tasks of WMT used tercom 0.7.25 with its own tokens; figures differ by some thousandths.",
        ),
    )

    def statistics(self, batch: Batch) -> Array:
        """Edits and length of the post-edit; capped, edits that count, the length and all edits."""
        rows = super().statistics(batch)
        if not self.capped:
            return rows
        edits, length = rows.T
        # edits against nothing are 100 as they are
        return np.stack([np.where(length > 0, np.minimum(edits, length), edits), length, edits], axis=1)

    def statistic_names(self) -> tuple[str, ...]:
        return ("counted edits", "mean reference words", "edits") if self.capped else super().statistic_names()

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Those of TER; where the cap decides, the formula says so."""
        if not self.capped:
            return super().details(plain, batch, row)
        details = Ter.details(dataclasses.replace(self, capped=False), plain, batch, row[[2, 1]])
        if row[0] == row[2] or details.formula is None:
            return details
        note = "no more edits count than the post-edit has words"
        formula = Factor("score", plain.score, "rule", details.formula.parts, note=note)
        return dataclasses.replace(details, formula=formula)
