"""The ranker: a spec that gives every system a score, and the scores of as many resamples.

    fit(data, sampling) -> Fitted       data: `Pairs` for rankings, `Assessments` for scores and errors

Ranks, rank ranges and clusters follow from what it gives, in one place for all rankers (`clusters.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import Array, Assessments, Ints, Pairs
from tercet.errors import InputError
from tercet.human.pairs import cells, counts, matrices, n_cells
from tercet.metric import Card
from tercet.spec import Spec

Unit: TypeAlias = Literal["pair", "task", "segment"]
Bools: TypeAlias = npt.NDArray[np.bool_]

_CHUNK = 1 << 24  # cells of matrices that are held at once


MOST = 1 << 31  # samples, and the like: more than anyone waits for


def require_whole(name: str, value: object, least: int, usual: object, most: int = MOST) -> None:
    """Refuse what is no whole number, or out of bounds."""
    if type(value) is not int or not least <= value <= most:
        bounds = f"from {least} to {most}" if most < MOST else f"of {least} or more"
        raise InputError(f"{name} must be a whole number {bounds}, not {value!r}.", hint=f"Usual: {usual}.")


def require_between(name: str, value: float, low: float, high: float, usual: float) -> None:
    """Refuse what does not lie between two bounds."""
    if not low < value < high:
        raise InputError(f"{name} must lie between {low:g} and {high:g}, not {value!r}.", hint=f"Usual: {usual:g}.")


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How often to resample, what, and with which seed. `progress` hears how many samples are done."""

    samples: int = 1000
    seed: int = 12345
    unit: Unit = "pair"
    threads: int = 1
    progress: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        require_whole("samples", self.samples, 1, 1000)
        require_whole("seed", self.seed, 0, 12345)

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
    units: ClassVar[tuple[Unit, ...]] = ("pair", "task", "segment")  # the first one is used if none is asked for
    digits: ClassVar[int] = 3

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
        wins, ties = counts(pairs)
        return self.score(wins.astype(np.float64), ties.astype(np.float64))

    def fit(self, data: Pairs, sampling: Sampling) -> Fitted:
        """The scores of the counts, and of counts of resampled judgements."""
        n = len(data.systems)
        cell, starts = by_unit(data, sampling.unit, cells(data))
        sampled = []
        for first, number in sampling.chunks(max(1, _CHUNK // max(1, n * n))):
            drawn = kernels.sampled_counts(cell, starts, n_cells(n), number, first, sampling.seed, sampling.threads)
            wins, ties = matrices(drawn, n)
            sampled.append(self.score(wins.astype(np.float64), ties.astype(np.float64)))
        return Fitted(self.point(data, sampling.seed), np.concatenate(sampled))


class AssessmentRanker(Ranker):
    """Base of rankers that see scores or errors of single outputs."""

    takes = Assessments
    units = ("segment",)


def by_unit(pairs: Pairs, unit: Unit, cell: Ints) -> tuple[Ints, Ints]:
    """The cells of the pairs, sorted by unit, and where each unit begins."""
    if unit == "pair":
        return cell, np.arange(len(cell) + 1, dtype=np.int64)
    key = pairs.task if unit == "task" else pairs.segment
    order = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[order], prepend=-1))
    return cell[order], np.append(begins, len(cell)).astype(np.int64)
