"""Accuracy: how often a metric prefers the system, or the translation, that people prefer."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from tercet.agreeing.base import (
    UNITS,
    Draws,
    Flags,
    Found,
    Measure,
    ScoreMeasure,
    lack_the_same,
    sampled_gold,
    versions,
)
from tercet.agreeing.gold import Gold
from tercet.data import Array, Calibration
from tercet.metric_base import Card
from tercet.options.agreeing import Interval, Test
from tercet.options.groups import Seeded
from tercet.spec import option
from tercet.stats.calibration import calibrate, calibrate_held_out, calibrated_values
from tercet.stats.correlation import Grouping, Kind, correlation
from tercet.stats.permutation import bootstrap_values, pairs_tests
from tercet.stats.soft_accuracy import soft_pairwise_accuracy


@dataclasses.dataclass(frozen=True)
class Accuracy(ScoreMeasure):
    """The share of pairs of systems on which metric and people agree."""

    name = "accuracy"
    levels = ("system",)
    counts = "pairs of systems"
    pooled = True
    spoken = "pairwise accuracy"
    card = Card(
        title="Pairwise accuracy",
        definition=(
            "The share of pairs of systems whose scores differ in the same direction by metric and by people; a tie "
            "of people agrees with a tie of the metric only. Over directions, pairs are pooled."
        ),
        paper="Kocmi et al. (2021), To ship or not to ship",
        scale="0 to 1",
        reference="mt-metrics-eval, Agreement",
    )

    alpha: float | None = option(None, "Only pairs that people tell apart at this level, by resampled judgements.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.alpha is None or 0 < self.alpha < 1, "alpha", "between 0 and 1, or none")

    @property
    def kind(self) -> Kind:
        """Concordant pairs and common ties over all."""
        return "acc-23"

    def found(self, gold: Gold, metric: Array) -> Found:
        """The share, and the number of pairs."""
        counted = self._counted(gold, metric)
        agree = np.sign(_gaps(gold.scores[:, 0])) == np.sign(_gaps(metric[:, 0]))
        n = int(counted.sum())
        return Found(float(agree[counted].sum() / n) if n else float("nan"), n)

    def intervals(self, gold: Gold) -> tuple[Interval, ...]:
        """With `alpha` by judgements only, which promise too much, and not unless asked: they also say what counts."""
        return super().intervals(gold) if self.alpha is None else ("none", "judgements")

    def tests(self, gold: Gold) -> tuple[Test, ...]:
        """With `alpha` by judgements only, and not unless asked."""
        return super().tests(gold) if self.alpha is None else ("none", "judgements", "overlap")

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """The share in every resample; the pairs stay those of the whole."""
        if self.alpha is None:
            return super().resampled(gold, metrics, draws)
        people = np.sign(_gaps(sampled_gold(gold)))
        out = np.full((len(metrics), len(people)), np.nan)
        for m, metric in enumerate(metrics):
            counted = self._counted(gold, metric)
            if counted.any():
                out[m] = (people[:, counted] == np.sign(_gaps(metric[:, 0]))[counted]).mean(axis=1)
        return out

    def of_parts(self, golds: Sequence[Gold], inside: Sequence[Flags], metrics: Array, threads: int) -> Array:
        """One by one: which pairs count is for `found` to say."""
        return Measure.of_parts(self, golds, inside, metrics, threads)

    def _counted(self, gold: Gold, metric: Array) -> npt.NDArray[np.bool_]:
        there = np.isfinite(_gaps(gold.scores[:, 0])) & np.isfinite(_gaps(metric[:, 0]))
        if self.alpha is not None:
            gaps = _gaps(sampled_gold(gold))
            against = np.minimum((gaps >= 0).mean(axis=0), (gaps <= 0).mean(axis=0))
            there &= 2 * against < self.alpha
        return there


def _gaps(scores: Array) -> Array:
    """Differences of every two systems, (..., n) -> (..., pairs)."""
    i, j = np.triu_indices(scores.shape[-1], 1)
    gaps: Array = scores[..., i] - scores[..., j]
    return gaps


@dataclasses.dataclass(frozen=True)
class AccuracyWithTies(Measure):
    """Accuracy that gives credit for ties, with the metric's ties calibrated."""

    name = "acc-eq"
    levels = ("segment", "document")
    spoken = "pairwise accuracy with ties"
    card = Card(
        title="Pairwise accuracy with tie calibration",
        definition=(
            "The share of pairs of translations of an item that metric and people order alike, or both call a tie. A "
            "metric's scores are a tie if they differ by epsilon or less; epsilon is the one that serves the metric "
            "best."
        ),
        paper="Deutsch et al. (2023), Ties matter: meta-evaluating modern metrics with pairwise accuracy and tie "
        "calibration",
        scale="0 to 1",
        reference="mt-metrics-eval, tau_optimization",
        differences=("In resamples epsilon stays what it is on the whole.",),
    )

    group: Grouping = option("item", "Pairs within each item, within each system, or of all scores.")
    calibration: Literal["in-sample", "held-out", "none"] = option(
        "in-sample", "Epsilon from the same items, from others, or 0."
    )
    folds: int = option(2, "held-out: parts of the items.")
    sample_rate: float = option(1.0, "Share of the pairs that epsilon is looked for in.")
    seed: int = option(Seeded.seed, "Seed of the parts, and of that share.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.folds >= 2, "folds", "2 or more")
        self.require(0 < self.sample_rate <= 1, "sample_rate", "more than 0 and at most 1")
        self.require(self.seed >= 0, "seed", "0 or more")

    @property
    def grouping(self) -> Grouping:
        """As the option says."""
        return self.group

    def found(self, gold: Gold, metric: Array) -> Found:
        """The share, and epsilon with the whole curve."""
        scores = gold.scores
        n = int((np.isfinite(scores) & np.isfinite(metric)).sum())
        if self.calibration == "none":
            return Found(correlation("acc-23", scores, metric, self.group).value, n, 0.0)
        if self.calibration == "held-out":
            held = calibrate_held_out(scores, metric, self.group, folds=self.folds, seed=self.seed)
            return Found(held.value, n, held.epsilon)
        best = calibrate(scores, metric, self.group, sample_rate=self.sample_rate, seed=self.seed)
        curve = Calibration(gold.direction, "", best.epsilons, best.values, best.epsilon)
        return Found(best.value, n, best.epsilon, curve)

    def tests(self, gold: Gold) -> tuple[Test, ...]:
        """Scores that were exchanged have no epsilon, so that outcomes of pairs are exchanged instead.

        Those of an item all together: one by one, as mt-metrics-eval has it, they promise too much.
        """
        drawn = tuple(test for test in super().tests(gold) if not test.startswith("perm-"))
        return ("perm-item", "perm-both", *drawn) if self.group == "item" else (*drawn, "perm-both")

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """The share over resampled items, systems or both."""
        return bootstrap_values(
            "acc-23",
            gold.scores,
            metrics,
            self.group,
            UNITS[draws.unit],
            draws.samples,
            draws.seed,
            epsilons=[self.found(gold, metric).epsilon or 0.0 for metric in metrics],
            threads=draws.threads,
        )

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """Exchanges outcomes, one pair at a time as mt-metrics-eval does, or all those of an item together."""
        return pairs_tests(
            gold.scores,
            metrics,
            self.group,
            [figure.epsilon or 0.0 for figure in figures],
            unit=UNITS[draws.unit],
            draws=draws.samples,
            seed=draws.seed,
            threads=draws.threads,
        )

    def of_parts(self, golds: Sequence[Gold], inside: Sequence[Flags], metrics: Array, threads: int) -> Array:
        """A kernel sorts the pairs of a metric once for all parts."""
        if lack_the_same(metrics) and self.calibration == "in-sample" and self.sample_rate == 1:
            values = calibrated_values(versions(golds[0], inside), metrics, self.group, threads=threads)
            if values is not None:
                return values
        return super().of_parts(golds, inside, metrics, threads)


@dataclasses.dataclass(frozen=True)
class SoftAccuracy(Measure):
    """Accuracy over how sure people and metric are."""

    name = "spa"
    levels = ("system",)
    looks_at = "segment"
    counts = "pairs of systems"
    spoken = "soft pairwise accuracy"
    card = Card(
        title="Soft pairwise accuracy",
        definition=(
            "1 less the mean difference, over pairs of systems, of two p-values that the first is better: people's and "
            "the metric's, both by paired permutation of segments with the same draws."
        ),
        paper="Thompson et al. (2024), Improving statistical significance in human evaluation of automatic metrics "
        "via soft pairwise accuracy",
        scale="0 to 1",
        reference="mt-metrics-eval, pce",
        differences=(
            "Segments that some system lacks are left out for all; the reference mis-shapes its table there.",
        ),
    )

    draws: int = option(1000, "Permutations.")
    seed: int = option(4, "Their seed; 4 in the reference.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.draws <= 1_000_000, "draws", "from 1 to 1000000")
        self.require(self.seed >= 0, "seed", "0 or more")

    def found(self, gold: Gold, metric: Array) -> Found:
        """1 less the mean difference."""
        soft = soft_pairwise_accuracy(gold.scores, metric, draws=self.draws, seed=self.seed)
        systems = len(gold.systems) - soft.systems_left_out
        notes: tuple[str, ...] = ()
        if soft.items_left_out:
            notes = (
                f"{self.name} looks at {soft.items} segments, which all {systems} systems have; "
                f"others, left out: {soft.items_left_out}.",
            )
        return Found(soft.value, systems * (systems - 1) // 2, notes=notes)

    def intervals(self, gold: Gold) -> tuple[Interval, ...]:
        """None unless asked for: every sample is a permutation test of all systems."""
        return "none", "items", "systems", "both"

    def tests(self, gold: Gold) -> tuple[Test, ...]:
        """None unless asked for, for the same reason."""
        return ("none", *(test for test in super().tests(gold) if test != "none"))
