"""Kendall's tau in its variants: those of WMT over comparisons, and tau-b and tau-c over scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from tercet.agreeing.base import LEVELS, Draws, Found, PairMeasure, ScoreMeasure
from tercet.agreeing.gold import Gold
from tercet.data import Array
from tercet.metric_base import Card
from tercet.spec import option
from tercet.stats.correlation import Grouping, Kind

OfPairs = Literal["wmt11", "wmt12", "wmt13", "wmt14", "hties", "darr"]

_X = np.nan
_WORTH = {"1": 1, "0": 0, "-1": -1, "X": _X}
_WMT12 = ((1, -1, -1), (_X, _X, _X), (-1, -1, 1))

# What a comparison counts, [people <, =, >][metric <, =, >], where < says that the left one is better; NaN: nothing.
COEFFICIENTS: dict[str, Array] = {
    name: np.array(rows, dtype=np.float64)
    for name, rows in {
        "wmt11": ((1, -1, -1), (-1, -1, -1), (-1, -1, 1)),
        "wmt12": _WMT12,
        "wmt13": ((1, _X, -1), (_X, _X, _X), (-1, _X, 1)),
        "wmt14": ((1, 0, -1), (_X, _X, _X), (-1, 0, 1)),
        "hties": ((1, 0, -1), (0, 1, 0), (-1, 0, 1)),
        "darr": _WMT12,
    }.items()
}


@dataclasses.dataclass(frozen=True)
class Kendall(PairMeasure, ScoreMeasure):
    """Concordant less discordant comparisons, over all that count."""

    name = "kendall"
    levels = LEVELS
    card = Card(
        title="Kendall's tau",
        definition=(
            "Over comparisons: +1 where metric and people prefer the same system, -1 where not, divided by those that "
            "count. Ties of people do not count but in hties and wmt11 (-1); ties of the metric are wrong in wmt12 "
            "and darr, do not count in wmt13, and count 0 in wmt14; a matrix says what all nine cases count, as the "
            "paper writes them. b and c are those of scores."
        ),
        paper=(
            "Macháček and Bojar (2014), Results of the WMT14 metrics shared task, section 4; Ma et al. (2019), Results "
            "of the WMT19 metrics shared task; Kendall (1945), The treatment of ties in ranking problems"
        ),
        scale="-1 to 1",
        reference="the figures of WMT14, WMT15 and WMT20; scipy.stats.kendalltau and mt-metrics-eval for b and c",
    )

    variant: Literal["wmt11", "wmt12", "wmt13", "wmt14", "hties", "darr", "b", "c"] = option(
        "b", "What ties are worth: a WMT year (over comparisons), or b or c (over scores)."
    )
    matrix: str = option(
        "",
        "In place of a variant: what comparisons count, 1, 0, -1 or X (not at all), a row each for people who find the "
        "left one better, both alike, the right one better; in each, the same of the metric. "
        "wmt14 is '1 0 -1/X X X/-1 0 1'.",
    )
    group: Grouping = option("none", "b and c: over all scores, within each item, or within each system.")
    epsilon: float = option(0.0, "All but c: the difference up to which a metric's scores are a tie.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.epsilon >= 0, "epsilon", "0 or more")
        self.require(not self.matrix or self.variant == "b", "matrix", f"left out with variant={self.variant}")
        readable = not self.matrix or self.coefficients.shape == (3, 3)
        self.require(readable, "matrix", "three rows of three of 1, 0, -1, X")
        pairs = "a matrix" if self.matrix else f"variant={self.variant}"
        self.require(self.group == "none" or not self._of_pairs, "group", f"none with {pairs}")
        self.require(self.epsilon == 0 or self.variant != "c", "epsilon", "0 with variant=c")

    @property
    def _of_pairs(self) -> bool:
        return bool(self.matrix) or self.variant in get_args(OfPairs)

    @property
    def takes(self) -> Literal["scores", "pairs"]:
        """Comparisons for the variants of WMT and for a matrix, scores for b and c."""
        return "pairs" if self._of_pairs else "scores"

    @property
    def coefficients(self) -> Array:
        """Those of the year, or of the matrix; of one that cannot be read, none."""
        if not self.matrix:
            return COEFFICIENTS[self.variant]
        rows = [[_WORTH.get(cell) for cell in row.split()] for row in self.matrix.split("/")]
        fine = len(rows) == 3 and all(len(row) == 3 and None not in row for row in rows)
        return np.array(rows if fine else [], dtype=np.float64)

    @property
    def tolerance(self) -> float:
        """As the option says."""
        return self.epsilon

    @property
    def kind(self) -> Kind:
        """Which correction for ties the kernels make, of scores."""
        return "tau-c" if self.variant == "c" else "tau-b"

    @property
    def grouping(self) -> Grouping:
        """As the option says."""
        return self.group

    @property
    def _base(self) -> type[PairMeasure] | type[ScoreMeasure]:
        return PairMeasure if self._of_pairs else ScoreMeasure

    def found(self, gold: Gold, metric: Array) -> Found:
        """Tau over comparisons or over scores, as the variant has it."""
        return self._base.found(self, gold, metric)

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """Tau in every resample."""
        return self._base.resampled(self, gold, metrics, draws)

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """Exchanges of segments for comparisons, of anything for scores."""
        return self._base.permuted(self, gold, metrics, figures, draws)
