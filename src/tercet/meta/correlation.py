"""Correlations of metrics' scores with people's: Pearson, Spearman, and Pearson of differences."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet.data import Array
from tercet.errors import InputError
from tercet.meta.base import Draws, Found, Measure, ScoreMeasure
from tercet.meta.gold import Gold
from tercet.metric import Card
from tercet.spec import option
from tercet.stats.correlation import Grouping, Kind, correlation, difference_pearson


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

    def found(self, gold: Gold, metric: Array) -> Found:
        """The coefficient, averaged over groups."""
        found = correlation(self.kind, gold.scores, metric, self.group, zero_nans=self.zero_nans)
        return Found(found.value * self.signed(found.value), found.n)

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """The same; the sign of the whole decides about those of the resamples."""
        out = super().resampled(gold, metrics, draws)
        if self.abs:
            plain = [correlation(self.kind, gold.scores, m, self.group).value for m in metrics]
            out = out * np.array([self.signed(value) for value in plain])[:, None]
        return out


@dataclasses.dataclass(frozen=True)
class Pearson(_Grouped):
    """Pearson's r."""

    name = "pearson"
    card = Card(
        title="Pearson correlation",
        definition="r of a metric's scores and people's. NaN where one of them does not vary, or for one pair only.",
        paper="Macháček and Bojar (2014), Results of the WMT14 metrics shared task, section 3.1",
        scale="-1 to 1",
        reference="scipy.stats.pearsonr; mt-metrics-eval for groups",
    )

    @property
    def kind(self) -> Kind:
        """Pearson."""
        return "pearson"


@dataclasses.dataclass(frozen=True)
class Spearman(_Grouped):
    """Spearman's rho."""

    name = "spearman"
    card = Card(
        title="Spearman rank correlation",
        definition="Pearson's r of ranks; equal scores share the mean of their ranks.",
        paper="Callison-Burch et al. (2008), Further meta-evaluation of machine translation",
        scale="-1 to 1",
        reference="scipy.stats.spearmanr; mt-metrics-eval for groups",
    )

    @property
    def kind(self) -> Kind:
        """Spearman."""
        return "spearman"


@dataclasses.dataclass(frozen=True)
class DifferencePearson(Measure):
    """Pearson of differences within items."""

    name = "pdp"
    levels = ("segment", "document")
    card = Card(
        title="Pairwise difference Pearson",
        definition="Pearson's r over the differences of every two systems on the same item, all items together.",
        paper="mt-metrics-eval, Pearson with pdp",
        scale="-1 to 1",
        reference="mt-metrics-eval",
    )

    def found(self, gold: Gold, metric: Array) -> Found:
        """r of all differences."""
        both = np.isfinite(gold.scores) & np.isfinite(metric)
        return Found(difference_pearson(gold.scores, metric), int(both.sum()))

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """r over resampled items."""
        if draws.unit != "items":
            raise InputError(f"pdp draws items, not {draws.unit}.", hint="Use --interval items.")
        rng = np.random.default_rng(draws.seed)
        out = np.empty((len(metrics), draws.samples))
        for b in range(draws.samples):
            drawn = rng.integers(len(gold.items), size=len(gold.items))
            out[:, b] = [difference_pearson(gold.scores[:, drawn], m[:, drawn]) for m in metrics]
        return out
