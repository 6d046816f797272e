"""Correlations of metrics' scores with people's: Pearson, Spearman, and Pearson of differences."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from tercet.agreeing.base import Draws, Found, Measure, ScoreMeasure
from tercet.agreeing.gold import Gold
from tercet.data import Array, Ints
from tercet.metric_base import Card
from tercet.options.agreeing import Interval, Test
from tercet.spec import option
from tercet.stats.correlation import Grouping, Kind, difference_pearson, difference_sums, pearson_of_sums
from tercet.stats.permutation import sums_tests

VERY_FEW = 8  # systems, below which an outlier spoils an interval over drawn systems more than Fisher's


@dataclasses.dataclass(frozen=True)
class _Grouped(ScoreMeasure):
    """What correlations share: grouping, strength only, and what becomes of constant groups."""

    group: Grouping = option("none", "Over all scores, within each item, or within each system, and averaged.")
    abs: bool = option(False, "The strength only, as WMT19 did; it hides a metric that is truly reversed.")
    zero_nans: bool = option(False, "A group whose scores do not vary counts 0; otherwise it is left out.")

    @property
    def grouping(self) -> Grouping:
        """As the option says."""
        return self.group

    @property
    def strength(self) -> bool:
        """As the option says."""
        return self.abs

    @property
    def zeros(self) -> bool:
        """As the option says."""
        return self.zero_nans

    def with_sign(self) -> Measure:
        """The same without `abs`."""
        return dataclasses.replace(self, abs=False)

    def intervals(self, gold: Gold) -> tuple[Interval, ...]:
        """Fisher's too, where every score stands for itself."""
        return (*super().intervals(gold), "fisher") if self.group == "none" else super().intervals(gold)

    def found(self, gold: Gold, metric: Array) -> Found:
        """The coefficient, averaged over groups, without its sign where only the strength counts."""
        figure = super().found(gold, metric)
        return Found(figure.value * self.signed(figure.value), figure.n)

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """The same; the sign of the whole decides about those of the resamples."""
        out = super().resampled(gold, metrics, draws)
        if self.abs:
            plain = self.with_sign()
            out = out * np.array([self.signed(plain.found(gold, m).value) for m in metrics])[:, None]
        return out


@dataclasses.dataclass(frozen=True)
class Pearson(_Grouped):
    """Pearson's r."""

    name = "pearson"
    spoken = "Pearson's r"
    card = Card(
        title="Pearson correlation",
        definition="r of a metric's scores and people's. NaN where one of them does not vary, or for one pair only.",
        paper="Macháček and Bojar (2014), Results of the WMT14 metrics shared task, section 3.1",
        scale="-1 to 1",
        reference="scipy.stats.pearsonr; mt-metrics-eval for groups",
    )

    def intervals(self, gold: Gold) -> tuple[Interval, ...]:
        """Fisher's for systems: who draws a dozen of them sees the same few again and again.

        An outlier makes it too narrow, unless there are so few systems that drawing them is worse.
        """
        usual = super().intervals(gold)
        if usual[0] != "systems" or "fisher" not in usual:
            return usual
        n = int(np.isfinite(gold.scores).sum())
        even = not gold.outliers().any()
        return ("fisher", *usual) if n < VERY_FEW or even else usual

    def tests(self, gold: Gold) -> tuple[Test, ...]:
        """Williams's too without groups, and before others where every score stands for itself."""
        usual = super().tests(gold)
        if self.group != "none":
            return usual
        return ("williams", "hybrids", *usual) if gold.level == "system" else (*usual, "williams")

    @property
    def kind(self) -> Kind:
        """Which correlation the kernels compute."""
        return "pearson"


@dataclasses.dataclass(frozen=True)
class Spearman(_Grouped):
    """Spearman's rho."""

    name = "spearman"
    spoken = "Spearman's rho"
    card = Card(
        title="Spearman rank correlation",
        definition="Pearson's r of ranks; equal scores share the mean of their ranks.",
        paper="Callison-Burch et al. (2008), Further meta-evaluation of machine translation",
        scale="-1 to 1",
        reference="scipy.stats.spearmanr; mt-metrics-eval for groups",
    )

    @property
    def kind(self) -> Kind:
        """Which correlation the kernels compute."""
        return "spearman"


@dataclasses.dataclass(frozen=True)
class DifferencePearson(Measure):
    """Pearson of differences within items, or within systems."""

    name = "pdp"
    levels = ("segment", "document")
    spoken = "Pearson of pairwise differences"
    card = Card(
        title="Pairwise difference Pearson",
        definition=(
            "Pearson's r over the differences of every two systems on the same item, all items together; or of every "
            "two items of the same system. Over all scores at once it is Pearson's r itself."
        ),
        paper="mt-metrics-eval, Pearson with pdp",
        scale="-1 to 1",
        reference="mt-metrics-eval for items; the definition for the others",
    )

    group: Grouping = option("item", "Differences within each item, within each system, or of all scores.")

    @property
    def grouping(self) -> Grouping:
        """As the option says."""
        return self.group

    def found(self, gold: Gold, metric: Array) -> Found:
        """r of all differences."""
        both = np.isfinite(gold.scores) & np.isfinite(metric)
        return Found(difference_pearson(gold.scores, metric, self.group), int(both.sum()))

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """Whole groups are exchanged, whose sums make r; others one by one."""
        if draws.unit != f"{self.group}s":
            return super().permuted(gold, metrics, figures, draws)

        def sums(two: Ints) -> Array:
            there = np.isfinite(gold.scores) & np.isfinite(metrics[two]).all(axis=0)
            scores = np.where(there, metrics[two], np.nan)
            return difference_sums(gold.scores, scores / np.nanstd(scores, axis=(1, 2), keepdims=True), self.group)

        return sums_tests(sums, len(metrics), pearson_of_sums, draws=draws.samples, seed=draws.seed)
