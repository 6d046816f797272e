"""The agreement of many metrics with one gold and with parts of it, faster than one by one where a way is known.

    Pearson, Spearman, Kendall    a kernel, over versions of the gold that lack what is not in a part
    segcor                        moments over all metrics at once
    acc-eq                        a kernel sorts the pairs of a metric once for all parts
    others                        one by one

Values are to the last bit those of the measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from tercet.data import Array
from tercet.learning.directions import Flags
from tercet.meta.accuracy import AccuracyWithTies
from tercet.meta.base import Measure, ScoreMeasure
from tercet.meta.correlation import Pearson, Spearman
from tercet.meta.gold import Gold
from tercet.meta.kendall import Kendall
from tercet.meta.segcor import LengthWeightedPearson
from tercet.stats.calibration import calibrated_values
from tercet.stats.correlation import correlations


def agreements(measure: Measure, golds: Sequence[Gold], inside: Sequence[Flags], scores: Array, threads: int) -> Array:
    """Of metrics (metrics, systems, items) with a gold, the first one, and parts of it: (parts, metrics).

    `inside` says which items belong to each part.
    """
    if _plain(measure):
        flat = np.ascontiguousarray(scores.reshape(len(scores), -1))
        versions = _versions(golds[0], inside).reshape(len(inside), -1)
        return correlations(cast(ScoreMeasure, measure).kind, versions, flat, threads=threads)
    lacking = np.isnan(scores)
    if np.array_equal(lacking.any(axis=0), lacking.all(axis=0)):
        if isinstance(measure, LengthWeightedPearson):
            return np.stack([measure.values(g, scores[:, :, own]) for g, own in zip(golds, inside, strict=True)])
        if isinstance(measure, AccuracyWithTies) and measure.calibration == "in-sample" and measure.sample_rate == 1:
            values = calibrated_values(_versions(golds[0], inside), scores, measure.group, threads=threads)
            if values is not None:
                return values
    return np.array([[measure.found(g, s[:, own]).value for s in scores] for g, own in zip(golds, inside, strict=True)])


def _versions(gold: Gold, inside: Sequence[Flags]) -> Array:
    """The scores of a gold, NaN outside of each part, (parts, systems, items)."""
    return np.stack([np.where(own, gold.scores, np.nan) for own in inside])


def _plain(measure: Measure) -> bool:
    """Whether it is the kernel's coefficient and nothing else."""
    if isinstance(measure, Pearson | Spearman):
        return measure.group == "none" and not measure.abs
    return isinstance(measure, Kendall) and measure.takes == "scores" and measure.group == "none"
