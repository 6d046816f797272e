"""Systems ranked by assessments of single outputs: direct assessment, error span annotation, MQM."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

import numpy as np

from tercet import stats
from tercet.data import Array, Assessments, Statistics
from tercet.errors import InputError
from tercet.human.assessments import (
    Control,
    Standardize,
    controlled,
    mean_of,
    outputs_only,
    segment_means,
    standardized,
)
from tercet.human.balance import unequally_judged
from tercet.human.penalties import WEIGHTS, penalties, read_weights, unknown_severities
from tercet.metric_base import Card
from tercet.ranking.base import AssessmentRanker, Bools, Fitted, Sampling
from tercet.spec import option
from tercet.stats.classical import rank_sum

Scale = Literal["mean", "adequacy", "fluency"]


class Means(AssessmentRanker):
    """Rankers whose score is a mean over segments of means over judges."""

    def values(self, assessments: Assessments) -> Array:
        """What means are taken of: scores, standardised where they are."""
        return assessments.score if assessments.z is None else assessments.z

    def statistics(self, assessments: Assessments) -> Statistics:
        """Means over the judges of an output: one [value, 1] a system and segment."""
        return segment_means(assessments, self.values(assessments))

    def fit(self, data: Assessments, sampling: Sampling) -> Fitted:
        """Means, and means of resampled segments."""
        return self.fit_prepared(self.prepared(data), sampling)

    def fit_prepared(self, assessments: Assessments, sampling: Sampling) -> Fitted:
        """The same, of the rows that count."""
        means = self.statistics(assessments)
        _require_all(means, assessments)
        sampled = stats.bootstrap(
            means.rows,
            mean_of,
            sampling.samples,
            sampling.seed,
            threads=sampling.threads,
            progress=sampling.progress,
        )
        columns: dict[str, Any] = {
            "segments": means.rows[..., 1].sum(axis=1).astype(int).tolist(),
            "judgements": _judgements(assessments),
        }
        notes = (*assessments.notes, *unequally_judged(assessments, self.values(assessments), sampled.T))
        return Fitted(means.corpus(), sampled.T, columns=columns, notes=notes, better=self.tests(means))

    def prepared(self, assessments: Assessments) -> Assessments:
        """The rows that count."""
        return outputs_only(assessments)

    def tests(self, means: Statistics) -> Bools | None:
        """Which system is significantly better than which, if clusters are made by tests."""
        return None


def _judgements(assessments: Assessments) -> list[int]:
    there = np.isfinite(assessments.score)
    n = None if assessments.n is None else assessments.n[there]
    counts: list[int] = np.bincount(assessments.system[there], n, len(assessments.systems)).astype(int).tolist()
    return counts


def _require_scores(assessments: Assessments) -> None:
    if np.isnan(assessments.score).all():
        raise InputError(f"{assessments.file} has no scores.", hint="If it has errors, rank it by those: --method mqm.")


def _require_all(means: Statistics, assessments: Assessments) -> None:
    without = [s for s, n in zip(means.systems, means.rows[..., 1].sum(axis=1), strict=True) if n == 0]
    if without:
        raise InputError(
            f"{assessments.file}: nothing is left of the judgements of {', '.join(without)}.",
            hint="Leave these systems out, or keep judges who were left out with da(control=none).",
        )


@dataclasses.dataclass(frozen=True)
class DirectAssessment(Means):
    """Mean z-scores, with clusters by rank-sum tests."""

    name = "da"
    card = Card(
        title="Direct assessment",
        definition=(
            "z = (x - mean) / deviation of the judge; mean z of each system and segment (repeats included), then "
            "the mean over segments. A cluster ends where every system above is better than every system below "
            "by a Wilcoxon rank-sum test of the segments' z-scores."
        ),
        paper=(
            "Graham et al. (2013), Continuous measurement scales in human evaluation of machine translation; Bojar "
            "et al. (2017), Findings of WMT17; Akhbardeh et al. (2021), Findings of WMT21"
        ),
        scale="deviations, 0 on average; higher is better",
        reference="direct-assessment (Graham) and the published results of WMT21",
        differences=(
            "Judges whose scores do not vary are left out; Appraise divides by 1 instead.",
            "Quality control uses the rank-sum test of the papers; the reference code's paired t-test is "
            "control=t-test. A file that gives z-scores is taken as checked.",
            "Clusters are made by two-sided tests. WMT17 to WMT21 took one-sided ones in either direction, which keep "
            "two equal systems apart in 2 alpha of all campaigns; compat=true does the same.",
        ),
    )

    standardize: Standardize = option(
        "auto", "z-scores: given in the file, over all items, over systems only; median and spread of all; or none."
    )
    scale: Scale = option("mean", "Where judges gave adequacy and fluency: one of them, or the mean of both.")
    control: Control = option("auto", "Test by which judges are kept who rate bad references lower.")
    control_level: float = option(0.05, "Its level.")
    alpha: float = option(0.05, "Level of the tests that make clusters.")
    compat: bool = option(False, "One-sided tests, as WMT17 to WMT21 have them.")
    shared_segments: bool = option(False, "Test two systems on the segments that both were judged on.")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "control_level"):
            self.require(0 < getattr(self, name) < 1, name, "between 0 and 1")

    def prepared(self, assessments: Assessments) -> Assessments:
        """Judges who pass, z-scores, outputs of systems."""
        if self.scale != "mean":
            assessments = assessments.on_scale(self.scale)
        _require_scores(assessments)
        kept = controlled(assessments, self.control, self.control_level)
        return outputs_only(standardized(kept, self.standardize))

    def tests(self, means: Statistics) -> Bools:
        """Rank-sum tests of every ordered pair."""
        return self.p_values(means) < (self.alpha if self.compat else self.alpha / 2)

    def p_values(self, means: Statistics) -> Array:
        """One-sided p[i, j] that i is better than j, NaN on the diagonal."""
        n = len(means.systems)
        mean, there = means.rows[..., 0], means.rows[..., 1] > 0
        p = np.full((n, n), np.nan)
        for i in range(n):
            for j in range(n):
                if i != j:
                    both = there[i] & there[j]
                    mine, theirs = (both, both) if self.shared_segments else (there[i], there[j])
                    p[i, j] = rank_sum(mean[i, mine], mean[j, theirs])
        return p

    def fit_prepared(self, assessments: Assessments, sampling: Sampling) -> Fitted:
        """As all means, with raw scores and wins beside them."""
        fitted = super().fit_prepared(assessments, sampling)
        raw = segment_means(assessments, assessments.score).corpus().tolist()
        wins = [] if fitted.better is None else fitted.better.sum(axis=1).tolist()
        return dataclasses.replace(fitted, columns={"raw": raw, "wins": wins, **fitted.columns})


@dataclasses.dataclass(frozen=True)
class ErrorSpanAnnotation(Means):
    """Mean scores of error span annotation."""

    name = "esa"
    digits = 2
    card = Card(
        title="Error span annotation",
        definition=(
            "The mean over judges, then over segments, of the score from 0 to 100 that follows the marking of errors."
        ),
        paper=(
            "Kocmi et al. (2024), Error span annotation: a balanced approach for human evaluation of machine "
            "translation"
        ),
        scale="0 to 100; higher is better",
        reference="the definition in the paper",
    )

    standardize: Standardize = option("none", "Raw scores, or z-scores of each judge as da has them.")

    def prepared(self, assessments: Assessments) -> Assessments:
        """Outputs of systems, scored."""
        _require_scores(assessments)
        return outputs_only(standardized(assessments, self.standardize))


@dataclasses.dataclass(frozen=True)
class Mqm(Means):
    """Minus the mean penalty of marked errors."""

    name = "mqm"
    card = Card(
        title="MQM",
        definition=(
            "Errors of a segment are weighted by severity and category and added up for each rater; the "
            "segment's score is minus the mean over raters, the system's the mean over segments."
        ),
        paper=(
            "Freitag et al. (2021), Experts, errors, and context: a large-scale study of human evaluation for "
            "machine translation"
        ),
        scale="0 without errors, less with them; higher is better",
        reference="mt-metrics-eval, converters/score_mqm",
        differences=("A severity without a weight counts nothing, as in the reference; it is said in a note.",),
    )

    weights: str = option(WEIGHTS, "Weights of severity[/category[/subcategory]]; the most specific one counts.")

    def __post_init__(self) -> None:
        super().__post_init__()
        read_weights(self.weights)

    def prepared(self, assessments: Assessments) -> Assessments:
        """Outputs of systems, with minus their penalty as score."""
        outputs = outputs_only(assessments)
        penalty, unknown = penalties(outputs, read_weights(self.weights))
        notes = outputs.notes
        if unknown:
            notes = (*notes, unknown_severities(unknown))
        return dataclasses.replace(outputs, score=-penalty, notes=notes)

    def values(self, assessments: Assessments) -> Array:
        """Minus the penalties, whatever else is there."""
        return assessments.score
