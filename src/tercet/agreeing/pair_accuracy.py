"""Accuracy over comparisons: how often a metric prefers the translation that people prefer."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet.agreeing.base import PairMeasure
from tercet.data import Array
from tercet.metric_base import Card

_X = np.nan
_RIGHT = np.array([(1, 0, 0), (_X, _X, _X), (0, 0, 1)], dtype=np.float64)


@dataclasses.dataclass(frozen=True)
class PairAccuracy(PairMeasure):
    """The share of comparisons that a metric decides as people do."""

    name = "pair-accuracy"
    spoken = "accuracy on pairs"
    card = Card(
        title="Accuracy on pairs",
        definition=(
            "Of two translations of which people say that one is better: how often the metric scores that one higher. "
            "A tie of the metric is wrong; ties of people do not count. It is half of 1 + Kendall's tau of WMT12."
        ),
        paper="Macháček and Bojar (2014), Results of the WMT14 metrics shared task, section 4, of the comparisons",
        scale="0 to 1",
        reference="the definition",
    )

    @property
    def coefficients(self) -> Array:
        """1 where both prefer the same one, 0 where not."""
        return _RIGHT
