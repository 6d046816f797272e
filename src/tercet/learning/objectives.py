"""Objectives: the agreement of many metrics with people at once, on everything and on all but each fold.

    ScoreObjective    measures of scores, by their `of_parts`
    PairObjective     measures of comparisons: sums over comparisons, kept by fold, so that one pass serves all parts

A row of what they give is a part (0 all, k all but fold k), a column a metric. Over several directions values are
averaged, as the tables of the metrics tasks do, or pooled where the measure is a share of pairs. Metrics are a list, or
`Points` of one metric, which are faster. The scores here may differ from those of `meta` in their last bits; what is
reported of the points that are chosen is not taken from here.

METEOR and its kind, (1 - gamma * frag ** beta) / ((1 - alpha) / P + alpha / R), have a grid of alpha, beta and gamma
evaluated in one call of a kernel: see `HarmonicMetric`.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence

import numpy as np

from tercet import kernels
from tercet.agreeing.base import Measure, checked_found
from tercet.data import Array, Ints
from tercet.data.published import AVERAGE
from tercet.learning.directions import Flags, LearningDirection
from tercet.learning.points import HarmonicMetric, Points, scores_of, shares_rows
from tercet.metric_base import Metric
from tercet.spec import recounted

NOTHING = 1e300  # stands for 1 / 0: a score of nothing, which any other score beats


class Objective(abc.ABC):
    """Agreement with people in some directions."""

    def __init__(self, directions: Sequence[LearningDirection], threads: int) -> None:
        self.directions = tuple(directions)
        self.measure: Measure = directions[0].measure
        self.parts = range(directions[0].folds + 1)
        self.threads = threads

    @abc.abstractmethod
    def values(self, metrics: Sequence[Metric] | Points) -> Array:
        """Agreement, (parts, metrics); NaN where it is not defined."""

    @property
    def has_grid(self) -> bool:
        """Whether it can look at a whole grid of a harmonic mean's parameters at once."""
        return False

    def grid(self, metric: HarmonicMetric, alphas: Array, betas: Array, gammas: Array) -> Array:
        """Agreement of every point of that grid, (parts, alphas * betas * gammas); the last changes fastest."""
        raise NotImplementedError

    def average(self, values: Array, n: Array) -> Array:
        """Over directions (first axis): the mean, or that of shares weighted by what they are shares of."""
        return averaged(values, n, pooled=self.measure.pooled)


def averaged(values: Array, n: Array, *, pooled: bool) -> Array:
    """The mean over the first axis, weighted by n where values are shares that are pooled.

    >>> averaged(np.array([0.5, 1.0]), np.array([30.0, 10.0]), pooled=True).item()
    0.625
    """
    weights = n if pooled else np.ones_like(n)
    with np.errstate(invalid="ignore"):
        mean: Array = (values * weights).sum(axis=0) / weights.sum(axis=0)
    return mean


def agreement_of(
    directions: Sequence[LearningDirection], metric: Metric, part: int, *, anew: bool = True
) -> list[tuple[str, float, int]]:
    """Name, value and n of each direction on a part, as `meta` has them, and of the average if there are several."""
    agreements = [(d.name, d.found(metric, part, anew=anew)) for d in directions]
    rows = [(name, f.value, f.n) for name, f in agreements]
    if len(rows) > 1:
        n = np.array([f.n for _, f in agreements], dtype=np.float64)
        mean = averaged(np.array([f.value for _, f in agreements]), n, pooled=directions[0].measure.pooled)
        rows.append((AVERAGE, float(mean), int(n.sum())))
    return rows


class ScoreObjective(Objective):
    """Agreement by measures that look at scores, as correlations do."""

    def __init__(self, directions: Sequence[LearningDirection], threads: int) -> None:
        super().__init__(directions, threads)
        self._whole = [_Table.of(d, 0) for d in directions]
        systems = directions[0].scored == "system"
        self._own = [[_Table.of(d, part) for part in self.parts] for d in directions] if systems else []
        self._inside = [[d.inside(d.gold(0).items, part) for part in self.parts] for d in directions]

    def values(self, metrics: Sequence[Metric] | Points) -> Array:
        """Agreement, (parts, metrics)."""
        agreements, n = [], []
        for d, direction in enumerate(self.directions):
            golds = [direction.gold(part) for part in self.parts]
            if self._own:
                cut = [table.scores(metrics) for table in self._own[d]]
                values = np.concatenate(
                    [
                        self.measure.of_parts([g], [np.ones(s.shape[2], dtype=bool)], s, self.threads)
                        for g, s in zip(golds, cut, strict=True)
                    ]
                )
            else:
                whole = self._whole[d].scores(metrics)
                cut = [whole[:1, :, inside] for inside in self._inside[d]]
                values = self.measure.of_parts(golds, self._inside[d], whole, self.threads)
            agreements.append(values)
            n.append(
                [
                    checked_found(self.measure, g, s[0]).n if self.measure.pooled else 1
                    for g, s in zip(golds, cut, strict=True)
                ]
            )
        return self.average(np.array(agreements), np.array(n, dtype=np.float64)[:, :, None])


@dataclasses.dataclass(frozen=True, eq=False)
class _Table:
    """Statistics in the order of a gold, and where there are some."""

    rows: Array  # (systems, items, k)
    known: Flags  # (systems, items)
    direction: LearningDirection
    part: int

    @classmethod
    def of(cls, direction: LearningDirection, part: int) -> _Table:
        return cls(*direction.table(part), direction, part)

    def scores(self, metrics: Sequence[Metric] | Points) -> Array:
        """Higher is better, (metrics, systems, items)."""
        scores = scores_of(metrics, self.rows, self._of)
        scores[:, ~self.known] = np.nan
        return scores

    def _of(self, metric: Metric) -> Array:
        """The statistics of a metric; sums are made again only where it has rows of its own."""
        if shares_rows(metric):
            return self.rows
        return self.direction.table(self.part, metric)[0]


class PairObjective(Objective):
    """Agreement by measures that count comparisons, so that sums of folds give every part."""

    def __init__(self, directions: Sequence[LearningDirection], weights: Array, threads: int) -> None:
        super().__init__(directions, threads)
        self._tallies = [_Comparisons.of(d, weights) for d in directions]

    def values(self, metrics: Sequence[Metric] | Points) -> Array:
        """Agreement, (parts, metrics)."""
        return self._values([tally.counted(metrics) for tally in self._tallies])

    def grid(self, metric: HarmonicMetric, alphas: Array, betas: Array, gammas: Array) -> Array:
        """Agreement of every point of a grid, (parts, alphas * betas * gammas); the last changes fastest."""
        sums = [tally.grid(metric, alphas, betas, gammas, self.threads) for tally in self._tallies]
        return self._values([s.reshape(-1, *s.shape[-2:]) for s in sums])

    @property
    def has_grid(self) -> bool:
        """Whether comparisons count whole numbers, as the grid's kernel needs, and no tolerance makes ties."""
        fine = all((t.credit == np.round(t.credit)).all() for t in self._tallies)
        return fine and self.measure.tolerance == 0

    def _values(self, sums: Sequence[Array]) -> Array:
        """Sums (metrics, 2, folds) of each direction to values of each part."""
        shares, n = [], []
        for counts in sums:
            whole = counts.sum(axis=-1, keepdims=True)
            parts = np.concatenate([whole, whole - counts], axis=-1)  # (metrics, 2, parts)
            with np.errstate(invalid="ignore", divide="ignore"):
                shares.append((parts[:, 0] / parts[:, 1]).T)
            n.append(parts[:, 1].T)
        return self.average(np.stack(shares), np.stack(n))


@dataclasses.dataclass(frozen=True, eq=False)
class _Comparisons:
    """Comparisons of one direction, equal ones together, in the order of their folds.

    `credit` says what each counts where the metric prefers the left one, neither, or the right one: above the line
    ([0]) and below it ([1]) of the fraction that the measure is.
    """

    rows: Array  # (cells, k): statistics of the outputs that were compared
    left: Ints  # cells
    right: Ints
    credit: Array  # (2, comparisons, 3)
    starts: Ints  # folds + 1
    tolerance: float
    cells: Ints  # which outputs these are, of all systems and items
    direction: LearningDirection

    @classmethod
    def of(cls, direction: LearningDirection, weights: Array) -> _Comparisons:
        gold, measure = direction.gold(0), direction.measure
        pairs = gold.comparisons
        rows, known = direction.table(0)
        items = len(gold.items)
        one, other = pairs.left * items + pairs.segment, pairs.right * items + pairs.segment
        turned = one > other  # equal comparisons are to look alike
        outcome = np.where(turned, 2 - pairs.outcome, pairs.outcome)
        one, other = np.where(turned, other, one), np.where(turned, one, other)
        there = (known.reshape(-1)[one] & known.reshape(-1)[other]) if len(one) else np.zeros(0, dtype=bool)
        met, which = np.unique(np.stack([one, other])[:, there], axis=1, return_inverse=True)
        counts = np.zeros((met.shape[1], 3))
        np.add.at(counts, (which.reshape(-1), outcome[there]), 1.0)
        fold = np.array([direction.fold_of.get(item, 1) for item in gold.items], dtype=np.int64) - 1
        order = np.argsort(fold[met[0] % items], kind="stable")
        met, counts = met[:, order], counts[order]
        worth = np.stack([np.nan_to_num(weights), np.isfinite(weights).astype(np.float64)])
        cells, place = np.unique(met, return_inverse=True)
        left, right = place.reshape(met.shape).astype(np.int64)
        return cls(
            np.ascontiguousarray(rows.reshape(-1, rows.shape[-1])[cells]),
            np.ascontiguousarray(left),
            np.ascontiguousarray(right),
            np.einsum("ch,fhm->fcm", counts, worth),
            np.searchsorted(fold[met[0] % items], np.arange(direction.folds + 1)).astype(np.int64),
            measure.tolerance,
            cells,
            direction,
        )

    def counted(self, metrics: Sequence[Metric] | Points) -> Array:
        """Sums above and below the line in every fold, (metrics, 2, folds)."""
        scores = scores_of(metrics, self.rows, self._of)
        return np.stack([self._counted(row) for row in scores])

    def _of(self, metric: Metric) -> Array:
        """The statistics of a metric; of one that counts anew, its own."""
        if not recounted(type(metric)):
            return metric.retuned(self.rows)
        rows = self.direction.table(0, metric)[0]
        return rows.reshape(-1, rows.shape[-1])[self.cells]

    def _counted(self, scores: Array) -> Array:
        gap = scores[self.left] - scores[self.right]
        known = ~np.isnan(gap)
        sign = np.where(np.abs(gap) <= self.tolerance, 0, np.sign(np.where(known, gap, 0.0))).astype(np.int64)
        credited = np.take_along_axis(self.credit, 1 - sign[None, :, None], axis=2)[:, :, 0]
        return self._by_fold(np.where(known, credited, 0.0))

    def _by_fold(self, values: Array) -> Array:
        sums = np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)
        by_fold: Array = np.diff(sums[:, self.starts], axis=1)
        return by_fold

    def grid(self, metric: HarmonicMetric, alphas: Array, betas: Array, gammas: Array, threads: int) -> Array:
        """Sums above and below the line at every point, (alphas, betas, gammas, 2, folds)."""
        precision, recall, fragmentation = metric.factors(self.rows)
        nothing = ~((precision > 0) & (recall > 0))
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (np.where(nothing, NOTHING, 1 / x) for x in (precision, recall))
            penalties = np.where(nothing, 0.0, fragmentation ** betas[:, None])
        shape = (len(betas), len(alphas), len(gammas), len(self.starts) - 1)
        columns = []
        for credit in self.credit:
            up, down = credit[:, 0] - credit[:, 1], credit[:, 2] - credit[:, 1]
            ties = self._by_fold(credit[None, :, 1])[0]
            if not up.any() and not down.any():
                columns.append(np.broadcast_to(ties, shape))
                continue
            sums = kernels.harmonic_grid(
                one,
                other,
                np.ascontiguousarray(penalties),
                self.left,
                self.right,
                up.astype(np.int64),
                down.astype(np.int64),
                self.starts,
                alphas,
                gammas,
                threads,
            )
            columns.append(sums + ties)
        return np.stack(columns, axis=-2).swapaxes(0, 1)


def objective(directions: Sequence[LearningDirection], threads: int) -> Objective:
    """The objective that fits the measure."""
    weights = directions[0].measure.weights
    return ScoreObjective(directions, threads) if weights is None else PairObjective(directions, weights, threads)
