"""The contract can be broken: metrics with one fault each, and the check that must see it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest

from tercet.data import Array, Batch
from tercet.metric_base import Card, Metric
from tercet.metrics.chrf import Chrf
from tests.contract import metric_checks as checks


@dataclasses.dataclass(frozen=True)
class Fine(Chrf):
    """chrF under its own name: no fault."""


@dataclasses.dataclass(frozen=True)
class SeesNeighbours(Fine):
    """A segment's numbers depend on the other segments."""

    def statistics(self, batch: Batch) -> Array:
        rows = super().statistics(batch)
        return rows + float(rows.sum()) / 1000


@dataclasses.dataclass(frozen=True)
class SeesPosition(Fine):
    """A segment's numbers depend on where it stands."""

    def statistics(self, batch: Batch) -> Array:
        rows = super().statistics(batch)
        return rows + np.arange(len(rows))[:, None]


@dataclasses.dataclass(frozen=True)
class SeesThreads(Fine):
    """Threads change the numbers."""

    def statistics(self, batch: Batch) -> Array:
        return super().statistics(batch) * (1 + 1e-15 * batch.threads)


@dataclasses.dataclass(frozen=True)
class SeesThePast(Fine):
    """Memory that is used again is not cleared for high orders."""

    past: ClassVar[list[float]] = []

    def statistics(self, batch: Batch) -> Array:
        rows = super().statistics(batch)
        if self.char_order > 6:
            rows = rows + len(self.past)
            self.past.extend(rows[:, 0])
        return rows


@dataclasses.dataclass(frozen=True)
class WrongWayRound(Fine):
    """Higher is called better where lower is."""

    def score(self, stats: Array) -> Array:
        return -super().score(stats)


@dataclasses.dataclass(frozen=True)
class ScoresOneOnly(Fine):
    """`score` sums over all axes."""

    def score(self, stats: Array) -> Array:
        return np.asarray(super().score(stats).mean())


@dataclasses.dataclass(frozen=True)
class FirstReferenceNeeded(Fine):
    """An empty reference gives infinity."""

    def score(self, stats: Array) -> Array:
        return np.where(stats[..., 1] == 0, np.inf, super().score(stats))


@dataclasses.dataclass(frozen=True)
class Warns(Fine):
    """Divides by nothing, loudly."""

    def score(self, stats: Array) -> Array:
        return super().score(stats) + 0 * (stats[..., 2] / stats[..., 1])


@dataclasses.dataclass(frozen=True)
class NoPaper(Fine):
    """A card with a gap."""

    card = Card("x", "x", "", "x", "x")


@dataclasses.dataclass(frozen=True)
class NoSentence(Fine):
    """An option without a sentence."""

    extra: int = 1


@dataclasses.dataclass(frozen=True)
class SegmentsOnly(Fine):
    """Ordinary text has no score."""

    def score(self, stats: Array) -> Array:
        return super().score(stats) * np.nan


@dataclasses.dataclass
class Thawed(Metric):
    """Not frozen."""

    beta: float = 2.0
    name = "thawed"


FAULTS: list[tuple[Metric, Callable[[Metric], None]]] = [
    (SeesNeighbours(), checks.check_concatenation),
    (SeesPosition(), checks.check_permutation),
    (SeesPosition(), checks.check_concatenation),
    (SeesThreads(), checks.check_threads),
    (SeesThePast(), checks.check_segments_stand_alone),
    (WrongWayRound(), checks.check_identity_scores_best),
    (ScoresOneOnly(), checks.check_score_is_vectorised),
    (FirstReferenceNeeded(), checks.check_empty_texts),
    (Warns(), checks.check_empty_texts),
    (NoPaper(), checks.check_card),
    (NoSentence(), checks.check_card),
    (SegmentsOnly(), checks.check_ordinary_text_has_a_score),
    (Fine(word_order=1), checks.check_spec_round_trip),  # registered under another class
    (Thawed(), checks.check_frozen),
]


@pytest.mark.parametrize(("metric", "check"), FAULTS, ids=lambda value: getattr(value, "__name__", str(value)))
def test_a_fault_is_seen(metric: Metric, check: Callable[[Metric], None]) -> None:
    with pytest.raises((AssertionError, RuntimeWarning, pytest.fail.Exception)):
        check(metric)


@pytest.mark.parametrize("check", [c for c in checks.CHECKS if c is not checks.check_spec_round_trip])
def test_no_fault_is_seen_where_there_is_none(check: Callable[[Metric], None]) -> None:
    check(Fine())
