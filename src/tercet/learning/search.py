"""Search: the points of a metric's parameters at which it agrees best with people, on everything and without each fold.

    grid      every point. Of METEOR's kind a kernel takes alpha, beta and gamma together, millions of points a second
    refine    a coarse grid; then steps from the best point of each part, in one or two parameters at a time, which are
              halved where none is better, down to those of the grid
    scipy     differential evolution (Storn and Price 1997), seeded; it needs no derivatives, and taus have none

Among points that agree alike the one nearest to the metric as it was given wins: nothing moves without a reason. The
metric as it was given is always among the points.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tercet.data import Array, Ints
from tercet.errors import InputError
from tercet.learning.objectives import Objective
from tercet.learning.parameters import DECIMALS, Parameter, moved
from tercet.learning.points import INNER, HarmonicMetric, Points
from tercet.metric_base import Metric
from tercet.numbers import thousands
from tercet.spec import recounted

Progress = Callable[[str, int], None]

TOGETHER = 256  # points that are scored in one go
KEPT = 8  # best points of each part, which are looked at once more
MOST_POINTS = {True: 5_000_000_000, False: 20_000_000}  # of a grid, with and without the kernel
COARSE = {True: 100_000, False: 5_000}  # points of the grid from which `refine` begins, with and without the kernel
COARSE_ANEW = 32  # the same where texts are counted anew at every point
POPULATION, GENERATIONS = 12, 60  # of differential evolution; the population is that many times the parameters


@dataclasses.dataclass(frozen=True, eq=False)
class Space:
    """The parameters of a metric, and the metric as it was given."""

    metric: Metric
    parameters: tuple[Parameter, ...]

    @property
    def home(self) -> Array:
        """The point at which the metric stands."""
        return np.array([p.of(self.metric) for p in self.parameters])

    def at(self, point: Sequence[float] | Array) -> Metric:
        """The metric at a point; at home it is the one that was given, however that was written."""
        if np.array_equal(point, self.home):
            return self.metric
        return moved(self.metric, self.parameters, [float(x) for x in point])

    def distance(self, points: Array) -> Array:
        """How far points (n, parameters) lie from home, in units of the ranges."""
        widths = np.array([(p.high - p.low) or 1.0 for p in self.parameters])
        distances: Array = (((points - self.home) / widths) ** 2).sum(axis=1)
        return distances

    def some(self, points: Array) -> Points:
        """Points (n, parameters) to score together."""
        return Points(self.metric, self.parameters, points)

    def points(self) -> int:
        """How many points the grid has."""
        return math.prod(len(p.values()) for p in self.parameters)

    @property
    def recounts(self) -> bool:
        """Whether texts are counted anew at every point."""
        return any(p.option in recounted(type(self.metric)) for p in self.parameters)

    def harmonic(self, objective: Objective) -> bool:
        """Whether the kernel can do the grid."""
        tuned = {p.name for p in self.parameters} & set(INNER)
        fits = isinstance(self.metric, HarmonicMetric) and self.metric.higher_is_better
        return bool(tuned) and fits and objective.has_grid


class Best:
    """The best points of each part so far, those nearest to home first among equals."""

    def __init__(self, space: Space, parts: int) -> None:
        self.space = space
        self.points = [np.zeros((0, len(space.parameters))) for _ in range(parts)]
        self.values = [np.zeros(0) for _ in range(parts)]

    @classmethod
    def of_home(cls, objective: Objective, space: Space) -> Best:
        """The metric as it was given, to begin with."""
        best = cls(space, len(objective.parts))
        best.add(objective.values([space.metric]), lambda _: space.home[None])
        return best

    def settled(self, part: int, exact: Callable[[Metric], float]) -> Metric:
        """The best metric of a part by figures that are exact where those of the search are all but."""
        metrics = [self.space.at(point) for point in self.points[part]]
        values = [exact(metric) for metric in metrics]
        known = [-math.inf if math.isnan(v) else v for v in values]
        return metrics[known.index(max(known))]

    def add(self, values: Array, points: Callable[[Ints], Array]) -> None:
        """Values (parts, n) of n points, of which `points` gives those of some numbers."""
        for part, agreements in enumerate(np.where(np.isnan(values), -np.inf, values)):
            least = self.values[part][-1] if len(self.values[part]) == KEPT else -np.inf
            good = np.flatnonzero(agreements >= least)
            if len(good) > 4 * KEPT:  # far more than can stay: the highest, and all that equal the last of them
                edge = np.partition(agreements[good], -KEPT)[-KEPT]
                good = good[agreements[good] >= edge]
            if len(good):
                self._merge(part, agreements[good], points(good))

    def _merge(self, part: int, values: Array, points: Array) -> None:
        both = np.concatenate([self.points[part], points])
        worth = np.concatenate([self.values[part], values])
        order = np.lexsort((self.space.distance(both), -worth))[:KEPT]
        self.points[part], self.values[part] = both[order], worth[order]


def grid(objective: Objective, space: Space, progress: Progress | None = None) -> tuple[Best, int]:
    """Every point of the grid, and how many there were."""
    fast, points = space.harmonic(objective), space.points()
    if points > MOST_POINTS[fast]:
        raise InputError(
            f"The grid has {thousands(points)} points.",
            hint="Name fewer parameters, or larger steps: --parameter NAME=LOW:HIGH:STEP; or use --search scipy.",
        )
    best = Best.of_home(objective, space)
    (_harmonic_grid if fast else _plain_grid)(objective, space, best, progress)
    return best, points


def _plain_grid(objective: Objective, space: Space, best: Best, progress: Progress | None) -> None:
    every = itertools.product(*(p.values().tolist() for p in space.parameters))
    while chunk := list(itertools.islice(every, TOGETHER)):
        points = np.array(chunk)
        best.add(objective.values(space.some(points)), points.__getitem__)
        if progress:
            progress("points", len(chunk))


def _harmonic_grid(objective: Objective, space: Space, best: Best, progress: Progress | None) -> None:
    """Alpha, beta and gamma in the kernel, the others around it."""
    names = [p.name for p in space.parameters]
    axes = [
        space.parameters[names.index(n)].values() if n in names else np.array([float(space.metric.effective(n))])
        for n in INNER
    ]
    shape = tuple(map(len, axes))
    outer = [p for p in space.parameters if p.name not in INNER]
    for point in itertools.product(*(p.values().tolist() for p in outer)):
        around = dict(zip((p.name for p in outer), point, strict=True))

        def points(numbers: Ints, around: dict[str, float] = around) -> Array:
            inner = dict(zip(INNER, np.unravel_index(numbers, shape), strict=True))
            columns = [
                axes[INNER.index(n)][inner[n]] if n in INNER else np.full(len(numbers), around[n]) for n in names
            ]
            return np.stack(columns, axis=1)

        metric = moved(space.metric, outer, point)
        best.add(objective.grid(cast(HarmonicMetric, metric), *axes), points)
        if progress:
            progress("points", math.prod(shape))


def refine(objective: Objective, space: Space, progress: Progress | None = None) -> tuple[Best, int]:
    """A coarse grid, and ever smaller steps from the best point of each part; and how many points there were."""
    strides = _strides(space, COARSE_ANEW if space.recounts else COARSE[space.harmonic(objective)])
    best, seen = Best.of_home(objective, space), 0
    if strides is None:
        strides = np.array([max(1, len(p.values()) // 2) for p in space.parameters])
    else:
        wide = [
            dataclasses.replace(p, step=p.step * k) for p, k in zip(space.parameters, strides.tolist(), strict=True)
        ]
        best, seen = grid(objective, Space(space.metric, tuple(wide)), progress)
    for part in objective.parts:
        steps = strides
        while True:
            before = best.values[part][0]
            points = _around(space, best.points[part][0], steps)
            for i in range(0, len(points), TOGETHER):
                chunk = points[i : i + TOGETHER]
                best.add(objective.values(space.some(chunk)), chunk.__getitem__)
            seen += len(points)
            if progress:
                progress("points", len(points))
            if best.values[part][0] > before:
                continue
            if (steps == 1).all():
                break
            steps = np.maximum(1, steps // 2)
    return best, seen


def _strides(space: Space, most: int) -> Ints | None:
    """How many steps of each parameter a coarse grid of at most so many points takes at once; None if there is none."""
    sizes = np.array([len(p.values()) for p in space.parameters])
    widest = None
    for n_values in range(2, int(sizes.max()) + 1):  # values of a parameter
        strides = np.maximum(1, -((1 - sizes) // (n_values - 1)))
        if math.prod(((sizes - 1) // strides + 1).tolist()) > most:
            break
        widest = strides
    return widest


def _around(space: Space, point: Array, strides: Ints) -> Array:
    """The points that one or two strides in different parameters lead to, inside of the ranges."""
    low, high, step = (np.array([getattr(p, f) for p in space.parameters]) for f in ("low", "high", "step"))
    moves = [sign * move for move in np.diag(strides * step) for sign in (-1.0, 1.0)]
    both = [a + b for a, b in itertools.combinations(moves, 2) if (a + b).any()]
    points = np.clip(np.round(point + np.array(moves + both), DECIMALS), low, high)
    return np.unique(points, axis=0)


def evolution(objective: Objective, space: Space, seed: int, progress: Progress | None = None) -> tuple[Best, int]:
    """Differential evolution, once for each part; points are rounded before they are looked at."""
    from scipy.optimize import differential_evolution

    best = Best.of_home(objective, space)
    digits = [p.digits for p in space.parameters]
    low, high = (np.array([getattr(p, end) for p in space.parameters]) for end in ("low", "high"))
    home = np.clip(space.home, low, high)
    seen = 0
    for part in objective.parts:

        def cost(vectors: Array, part: int = part) -> Array:
            nonlocal seen
            rounded = np.stack([np.round(x, d) for x, d in zip(vectors, digits, strict=True)], axis=1)
            points = np.clip(rounded, low, high)
            values = np.concatenate(
                [objective.values(space.some(points[i : i + TOGETHER])) for i in range(0, len(points), TOGETHER)],
                axis=1,
            )
            best.add(values, points.__getitem__)
            seen += len(points)
            if progress:
                progress("points", len(points))
            losses: Array = np.where(np.isnan(values[part]), np.inf, -values[part])
            return losses

        options: dict[str, Any] = {"popsize": POPULATION, "maxiter": GENERATIONS, "polish": False, "tol": 1e-6}
        differential_evolution(
            cost,
            list(zip(low, high, strict=True)),
            x0=home,
            seed=np.random.default_rng([seed, part]),
            vectorized=True,
            updating="deferred",
            **options,
        )
    return best, seen
