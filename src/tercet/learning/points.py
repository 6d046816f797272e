"""Points: many settings of one metric, and their scores at once, without a metric object for each.

METEOR and its kind, (1 - gamma * frag ** beta) / ((1 - alpha) / P + alpha / R), are scored from their factors, which
are counted once for all points that differ in alpha, beta and gamma only; a metric with a method `scores` takes many
values of its one parameter together. Of all others every point is a metric of its own.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Protocol, cast, runtime_checkable

import numpy as np

from tercet.data import Array
from tercet.learning.parameters import Parameter, moved
from tercet.metric_base import Metric
from tercet.spec import recounted

INNER = ("alpha", "beta", "gamma")


@runtime_checkable
class HarmonicMetric(Protocol):
    """A metric with the options alpha, beta and gamma whose score is a harmonic mean with a penalty."""

    @property
    def alpha(self) -> float | None:
        """The weight of recall against precision."""
        ...

    @property
    def beta(self) -> float | None:
        """The power of the fragmentation."""
        ...

    @property
    def gamma(self) -> float | None:
        """The largest share that the penalty takes."""
        ...

    def factors(self, stats: Array) -> tuple[Array, Array, Array]:
        """Precision, recall and fragmentation, which depend on none of the three; P or R is 0 where the score is."""
        ...


@runtime_checkable
class BetaMetric(Protocol):
    """A metric with nothing to tune but beta, of which it takes many values at once."""

    def scores(self, stats: Array, betas: Array) -> Array:
        """The scores with each beta, (betas, ...), to the last bit those of `score`."""
        ...


def shares_rows(metric: Metric) -> bool:
    """Whether its statistics are the same at every point."""
    return type(metric).retuned is Metric.retuned and not recounted(type(metric))


@dataclasses.dataclass(frozen=True, eq=False)
class Points:
    """Some points of the space of a metric's parameters."""

    metric: Metric  # as it was given
    parameters: tuple[Parameter, ...]
    values: Array  # (points, parameters)

    def __len__(self) -> int:
        return len(self.values)

    @functools.cached_property
    def metrics(self) -> list[Metric]:
        """The metric at each point; at home it is the one that was given, however that was written."""
        home = [p.of(self.metric) for p in self.parameters]
        return [
            self.metric if point == home else moved(self.metric, self.parameters, point)
            for point in self.values.tolist()
        ]

    def scores(self, rows: Array, retuned: Callable[[Metric], Array]) -> Array:
        """Scores of statistics (..., k) at every point, (points, ...); `retuned` gives those of one metric."""
        if shares_rows(self.metric):
            if isinstance(self.metric, HarmonicMetric):
                return self._harmonic(rows)
            if isinstance(self.metric, BetaMetric) and [p.name for p in self.parameters] == ["beta"]:
                return self.metric.scores(rows, self.values[:, 0])
        return np.stack([m.score(retuned(m)) for m in self.metrics])

    def _harmonic(self, rows: Array) -> Array:
        out = np.empty((len(self), *rows.shape[:-1]))
        names = [p.name for p in self.parameters]
        outer = [i for i, name in enumerate(names) if name not in INNER]
        around, place = np.unique(self.values[:, outer], axis=0, return_inverse=True)
        for k, point in enumerate(around.tolist()):
            metric = moved(self.metric, [self.parameters[i] for i in outer], point) if outer else self.metric
            here = np.flatnonzero(place.reshape(-1) == k)
            inner = [
                self.values[here, names.index(n)] if n in names else np.full(len(here), float(metric.effective(n)))
                for n in INNER
            ]
            out[here] = harmonic(cast(HarmonicMetric, metric).factors(rows), *inner)
        return out


def harmonic(factors: tuple[Array, Array, Array], alpha: Array, beta: Array, gamma: Array) -> Array:
    """Scores of precision, recall and fragmentation (...) at points (n,) of the three, (n, ...).

    >>> factors = np.array([0.5]), np.array([1.0]), np.array([0.5])
    >>> harmonic(factors, *np.array([[0.5], [1.0], [0.5]])).tolist()
    [[0.5]]
    """
    precision, recall, fragmentation = factors
    nothing = ~((precision > 0) & (recall > 0))
    column = (-1, *[1] * precision.ndim)
    with np.errstate(divide="ignore", invalid="ignore"):
        alphas, which = np.unique(alpha, return_inverse=True)
        weight = alphas.reshape(column)
        mean = 1.0 / ((1.0 - weight) / precision + weight / recall)
        mean[:, nothing] = 0.0
        betas, power = np.unique(beta, return_inverse=True)
        # one power after the other: numpy squares where the exponent is the number 2, as the metric itself does
        penalty = np.stack([fragmentation**b for b in betas.tolist()])
        penalty[:, nothing] = 0.0
        scores: Array = gamma.reshape(column) * penalty[power.reshape(-1)]
        np.subtract(1.0, scores, out=scores)
        scores *= mean[which.reshape(-1)]
    return scores


def scores_of(metrics: Sequence[Metric] | Points, rows: Array, retuned: Callable[[Metric], Array]) -> Array:
    """Scores of many metrics, higher is better, (metrics, ...)."""
    if isinstance(metrics, Points):
        scores, first = metrics.scores(rows, retuned), metrics.metric
    else:
        scores, first = np.stack([m.score(retuned(m)) for m in metrics]), metrics[0]
    return scores if first.higher_is_better else -scores
