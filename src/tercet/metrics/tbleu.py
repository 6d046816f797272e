"""Tolerant BLEU: a word with the wrong ending still counts for something (Libovický and Pecina 2014)."""

from __future__ import annotations

import dataclasses
from typing import Literal

from tercet import kernels, numbers
from tercet.data import Array, Batch, Explanation
from tercet.data.explanation import Factor
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.bleu import Bleu
from tercet.metrics.several import best_rows, require_bounded
from tercet.metrics.smoothing import AVERAGED, Smooth
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class Tbleu(Bleu):
    """Statistics: those of BLEU, matches in fractions."""

    smooth: Smooth = option("exp", "what to do about orders without a match; chen-5 and chen-7 are not for this metric")
    affix: Literal["both", "longest"] = option(
        "both", "what two words have in common: prefix and suffix together, or the longer of the two"
    )
    shortest: int = option(3, "words with fewer characters match only themselves")
    farthest: float = option(
        1.0, "words this far apart, or farther, are no pair", tunable=(0.1, 1.0, 0.1), recounts=True
    )
    penalty: float = option(
        1.0, "what a distance of 1 would take from a word's weight", tunable=(0.0, 1.0, 0.1), recounts=True
    )

    name = "tbleu"
    card = Card(
        title="tBLEU",
        year=2014,
        group="Charles University",
        kind="n-grams of words, fuzzy",
        definition=(
            "BLEU in which words without an equal in the reference are paired with reference words that begin or end "
            "like them, so that the sum of distances is lowest: the distance is the share of the longer word that is "
            "neither common prefix nor common suffix. A paired word stands for the reference word and weighs 1 less "
            "the distance; an n-gram that matches counts the mean weight of its words."
        ),
        paper="Libovický and Pecina 2014, *Tolerant BLEU: a submission to the WMT14 metrics task*",
        scale="0 to 100",
        reference="none at hand: a reconstruction from the paper's summary; with `shortest=1000` it is `bleu`",
        differences=(
            "Equal words are paired first, then the rest by the assignment of lowest cost. Whether the original does "
            "so is not known.",
            "Distance, the shortest word (3) and the weight of a distance are options, as nothing at hand states them.",
            "Of several references the one with the most matches counts; the paper has one.",
            "A segment of more than a million pairs of words is refused.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.smooth not in AVERAGED, "smooth", "other than chen-5 and chen-7")
        self.require(self.shortest >= 1, "shortest", "1 or more")
        self.require(0 < self.farthest <= 1, "farthest", "above 0, up to 1")
        self.require(0 <= self.penalty <= 100, "penalty", "from 0 to 100")

    def statistics(self, batch: Batch) -> Array:
        """Weighted matches and totals of each order, and the two lengths."""
        hyps, refs = self.tokens(batch)
        groups = batch.required_references().groups
        require_bounded(self.name, hyps, refs, groups)
        rows = kernels.tbleu(
            hyps,
            refs,
            groups,
            self.order,
            self.affix == "both",
            self.shortest,
            self.farthest,
            self.penalty,
            batch.threads,
        )
        return best_rows(rows, rows[:, 2 : 2 + self.order].sum(axis=1), groups)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precisions of weighted matches, and the penalty."""
        told = super().details(plain, batch, row)
        number = explained.chosen(self, batch, row)
        notes = explained.references_note(batch.required_references()[0], number)
        return dataclasses.replace(told, ngrams=(), notes=notes)

    def _precision(self, n: int, row: Array, value: float, reached: bool) -> Factor:
        """Matches are no whole numbers."""
        matches, total = row[2 + n], row[2 + self.order + n]
        return explained.given(
            f"precision {n + 1}", value, f"weight {numbers.plain(matches, 3)} of {numbers.plain(total)} n-grams"
        )
