"""The ranker: a spec that gives every system a score, and the scores of as many resamples.

    fit(data, sampling) -> Fitted       data: `Pairs` for rankings, `Assessments` for scores and errors

Ranks, rank ranges and clusters follow from what it gives, in one place for all rankers (`clusters.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import Array, Assessments, Ints, Pairs
from tercet.human.pairs import cells, counts, matrices, n_cells
from tercet.limits import Budget
from tercet.metric_base import Card
from tercet.options import setting
from tercet.options.judging import JudgementSamples, Unit
from tercet.plugins import blamed, require, shape_of
from tercet.spec import Spec

UNITS: tuple[Unit, ...] = ("segment", "task", "pair")
PAIR_FIRST: tuple[Unit, ...] = ("pair", "task", "segment")  # as WMT drew from WMT13 to WMT16
Bools: TypeAlias = npt.NDArray[np.bool_]

_CHUNK = 1 << 24  # cells of matrices that are held at once
_CELL = 64  # bytes of a pair of systems in all matrices of one sample


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sampling(JudgementSamples):
    """How often a ranker is to resample, what, and with which seed."""

    unit: Unit = setting("segment", "What is drawn.")
    threads: int = setting(1, "Threads.", least=1)
    progress: Callable[[int], None] | None = setting(None, "Hears how many more samples are done.", shell=False)

    def chunks(self, size: int) -> Iterator[tuple[int, int]]:
        """(first, number) of the samples, at most `size` at once, with progress in between."""
        for first in range(0, self.samples, size):
            number = min(size, self.samples - first)
            yield first, number
            if self.progress:
                self.progress(number)


@dataclasses.dataclass(frozen=True, eq=False)
class Fitted:
    """Scores of the systems, and of every resample; what else a ranker knows of each system stands in `columns`."""

    scores: Array  # (systems,)
    sampled: Array  # (samples, systems)
    variance: Array | None = None  # (samples, systems): decides between equal scores of a sample
    better: Bools | None = None  # (systems, systems): row significantly better than column, if that makes clusters
    columns: Mapping[str, Sequence[Any]] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Ranker(Spec):
    """Base of all rankers: frozen dataclasses whose fields are their options."""

    card: ClassVar[Card]
    takes: ClassVar[type] = Pairs
    digits: ClassVar[int] = 3

    @property
    def units(self) -> tuple[Unit, ...]:
        """What can be drawn; the first one is drawn if none is asked for.

        Judgements of one segment are not independent: ranges from single pairs are too narrow.
        """
        return UNITS

    def fit(self, data: Any, sampling: Sampling) -> Fitted:
        """Scores of the systems and of every resample."""
        raise NotImplementedError


class PairRanker(Ranker):
    """Base of rankers that see pairwise outcomes."""

    def point(self, pairs: Pairs, seed: int, threads: int = 1) -> Array:
        """Scores alone, as a prediction from some of the judgements needs them."""
        raise NotImplementedError


class CountRanker(PairRanker):
    """Base of rankers that see only counts: give `score`, the rest is here."""

    def score(self, wins: Array, ties: Array) -> Array:
        """Counts (..., n, n) to scores (..., n)."""
        raise NotImplementedError

    def point(self, pairs: Pairs, seed: int, threads: int = 1) -> Array:
        """The scores of the counts."""
        return self._scored(*counts(pairs))

    def _scored(self, wins: Ints, ties: Ints) -> Array:
        with blamed(self, "score"):
            scores = self.score(wins.astype(np.float64), ties.astype(np.float64))
        wanted = f"of the shape {wins.shape[:-1]}: counts (..., n, n) to scores (..., n)"
        given = f"{shape_of(scores)} for counts of the shape {wins.shape}"
        require(self, "score", np.shape(scores) == wins.shape[:-1], given, wanted)
        return scores

    def fit(self, data: Pairs, sampling: Sampling) -> Fitted:
        """The scores of the counts, and of counts of resampled judgements."""
        n = len(data.systems)
        cell, starts = by_unit(data, sampling.unit, cells(data))
        sampled = []
        for first, number in sampling.chunks(max(1, _CHUNK // max(1, n * n))):
            drawn = kernels.sampled_counts(cell, starts, n_cells(n), number, first, sampling.seed, sampling.threads)
            sampled.append(self._scored(*matrices(drawn, n)))
        return Fitted(self.point(data, sampling.seed), np.concatenate(sampled))


def checked_fit(ranker: Ranker, data: Pairs | Assessments, sampling: Sampling) -> Fitted:
    """What a ranker that may be somebody else's makes of judgements."""
    n = len(data.systems)
    budget = Budget(f"Tables of {n} × {n} systems", "Rank fewer systems at once, or draw fewer samples.")
    budget.take(_CELL * n * n + 8 * n * sampling.samples)
    with blamed(ranker, "fit"):
        fitted = ranker.fit(data, sampling)
    shapes = [np.shape(getattr(fitted, name, ())) for name in ("scores", "sampled")]
    given = f"a {type(fitted).__name__} with scores of the shape {shapes[0]} and sampled of {shapes[1]}"
    wanted = f"a Fitted with scores of the shape ({n},) and sampled of (samples, {n}), for {n} systems"
    require(ranker, "fit", shapes[0] == (n,) and shapes[1][1:] == (n,), given, wanted)
    return fitted


def checked_point(ranker: PairRanker, pairs: Pairs, seed: int, threads: int) -> Array:
    """The scores alone, from a ranker that may be somebody else's."""
    with blamed(ranker, "point"):
        scores = ranker.point(pairs, seed, threads)
    n = len(pairs.systems)
    require(ranker, "point", np.shape(scores) == (n,), shape_of(scores), f"scores of the shape ({n},), for {n} systems")
    return scores


class AssessmentRanker(Ranker):
    """Base of rankers that see scores or errors of single outputs."""

    takes = Assessments

    @property
    def units(self) -> tuple[Unit, ...]:
        """A segment with all that was said of it."""
        return ("segment",)


def by_unit(pairs: Pairs, unit: Unit, cell: Ints) -> tuple[Ints, Ints]:
    """The cells of the pairs, sorted by unit, and where each unit begins."""
    if unit == "pair":
        return cell, np.arange(len(cell) + 1, dtype=np.int64)
    key = pairs.task if unit == "task" else pairs.segment
    order = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[order], prepend=-1))
    return cell[order], np.append(begins, len(cell)).astype(np.int64)
