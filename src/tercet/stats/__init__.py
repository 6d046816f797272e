"""Resampling and tests on bare arrays: statistics and a score function in, numbers out."""

from tercet.stats.correction import holm
from tercet.stats.resampling import (
    Interval,
    bootstrap,
    interval,
    paired_bootstrap,
    paired_randomization,
)
from tercet.stats.rounding import signs
from tercet.stats.significance import Streamed, corpus_score, significance, with_enough_draws

__all__ = [
    "Interval",
    "Streamed",
    "bootstrap",
    "corpus_score",
    "holm",
    "interval",
    "paired_bootstrap",
    "paired_randomization",
    "significance",
    "signs",
    "with_enough_draws",
]
