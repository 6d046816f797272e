"""The measure: a spec that says how far one metric agrees with people.

    found(gold, metric) -> Found        one number, and how many systems, items or comparisons went in
    resampled(...)      -> (metrics, samples)    the same over resamples of judgements, systems or items

Measures of scores (Pearson, Spearman, Kendall's tau-b, accuracy) name a kind that the kernels know, and have
everything else for nothing. Measures of comparisons (Kendall's tau of WMT) are a table of nine coefficients.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Literal

import numpy as np

from tercet import stats
from tercet.data import Array, Calibration, MetaLevel, Pairs
from tercet.errors import InputError
from tercet.human.assessments import mean_of
from tercet.meta.gold import Gold
from tercet.metric import Card
from tercet.spec import Spec
from tercet.stats.correlation import Grouping, Kind, correlation, correlations, pair_relations
from tercet.stats.permutation import bootstrap_values

Unit = Literal["judgements", "systems", "items", "both"]
LEVELS: tuple[MetaLevel, ...] = ("system", "document", "segment")
UNITS: dict[str, Literal["system", "input", "both"]] = {"systems": "system", "items": "input", "both": "both"}


@dataclasses.dataclass(frozen=True)
class Found:
    """A figure: what went in, and for accuracy with ties the difference that counts as one."""

    value: float
    n: int
    epsilon: float | None = None
    calibration: Calibration | None = None
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Draws:
    """How often to draw what, and with which seed."""

    unit: Unit
    samples: int
    seed: int
    threads: int


class Measure(Spec):
    """Base of all measures: frozen dataclasses whose fields are their options."""

    card: ClassVar[Card]
    levels: ClassVar[tuple[MetaLevel, ...]] = LEVELS
    looks_at: ClassVar[MetaLevel | None] = None  # the level of the scores it needs, if not that of the answer
    counts: ClassVar[str] = "scores"  # what n is a number of
    pooled: ClassVar[bool] = False  # whether an average over directions weighs each by its n

    @property
    def takes(self) -> Literal["scores", "pairs"]:
        """What it needs of people."""
        return "scores"

    def found(self, gold: Gold, metric: Array) -> Found:
        """Agreement of a metric's scores (systems, items), higher is better, with people."""
        raise NotImplementedError

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """Agreement of metrics (metrics, systems, items) in every resample, (metrics, samples)."""
        raise NotImplementedError

    @property
    def grouping(self) -> Grouping:
        """Over all scores at once, within each item, or within each system."""
        return "none"

    @property
    def scale_free(self) -> bool:
        """Whether a metric agrees as well if all its scores are multiplied by the same positive number."""
        return True

    @property
    def strength(self) -> bool:
        """Whether only the strength counts, whatever the sign."""
        return False

    @property
    def zeros(self) -> bool:
        """Whether a group that is not defined counts 0."""
        return False

    def with_sign(self) -> Measure:
        """The same where the sign counts."""
        return self

    def signed(self, value: float) -> float:
        """The sign by which values of a metric are multiplied: -1 where only the strength counts and r < 0."""
        return -1.0 if self.strength and value < 0 else 1.0


class ScoreMeasure(Measure):
    """Base of measures over scores, made by the kernels."""

    @property
    def kind(self) -> Kind:
        """What the kernels call it."""
        raise NotImplementedError

    def found(self, gold: Gold, metric: Array) -> Found:
        """The coefficient, averaged over groups."""
        found = correlation(self.kind, gold.scores, metric, self.grouping)
        return Found(found.value, found.n)

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """The coefficient in every resample."""
        if draws.unit == "judgements":
            return correlations(self.kind, sampled_gold(gold), metrics[:, :, 0], threads=draws.threads).T
        return bootstrap_values(
            self.kind,
            gold.scores,
            metrics,
            self.grouping,
            UNITS[draws.unit],
            draws.samples,
            draws.seed,
            zero_nans=self.zeros,
            threads=draws.threads,
        )


class PairMeasure(Measure):
    """Base of measures over comparisons: nine coefficients, NaN where a comparison does not count."""

    levels: ClassVar[tuple[MetaLevel, ...]] = ("segment",)
    counts = "comparisons"

    @property
    def coefficients(self) -> Array:
        """(human <, =, >) × (metric <, =, >), where < is "left is better"."""
        raise NotImplementedError

    @property
    def tolerance(self) -> float:
        """The difference up to which a metric's scores are a tie."""
        return 0.0

    @property
    def scale_free(self) -> bool:
        """Unless a difference makes ties."""
        return self.tolerance == 0

    @property
    def takes(self) -> Literal["scores", "pairs"]:
        """Comparisons."""
        return "pairs"

    def found(self, gold: Gold, metric: Array) -> Found:
        """The sum of coefficients over the number of comparisons that count."""
        rows, n = self.rows(gold.comparisons, metric)
        return Found(float(mean_of(rows.sum(axis=0))), n)

    def rows(self, pairs: Pairs, metric: Array) -> tuple[Array, int]:
        """[coefficient, 1] of each comparison, [0, 0] of one that does not count; and how many the metric scored."""
        relation, there = pair_relations(metric, pairs.left, pairs.right, pairs.segment, self.tolerance)
        coefficient = self.coefficients[pairs.outcome, 1 - relation]  # < stands first, and +1 is "left is better"
        counted = there & np.isfinite(coefficient)
        return np.stack([np.where(counted, coefficient, 0.0), counted.astype(np.float64)], axis=-1), int(there.sum())

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """Tau of resampled comparisons, or of segments with all theirs."""
        pairs = gold.comparisons
        rows = np.stack([self.rows(pairs, metric)[0] for metric in metrics])
        if draws.unit == "systems" or draws.unit == "both":
            raise InputError(f"{self} cannot draw {draws.unit}.", hint="Use --interval judgements or items.")
        if draws.unit == "items":
            sums = np.zeros((len(gold.items), len(metrics), 2))
            np.add.at(sums, pairs.segment, rows.swapaxes(0, 1))
            rows = np.ascontiguousarray(sums[np.unique(pairs.segment)].swapaxes(0, 1))
        return stats.bootstrap(rows, mean_of, draws.samples, draws.seed, threads=draws.threads)


def sampled_gold(gold: Gold) -> Array:
    """Scores of resampled judgements, which there must be."""
    if gold.sampled is None:
        raise InputError(
            f"{gold.spec} has no judgements to draw from at the {gold.level} level.",
            hint="Use --interval items or systems.",
        )
    return gold.sampled
