"""Who wins: the best system, and all that do not differ from it by a paired test; the same for the baseline."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tercet.stats.dependent import williams_tests
from tercet.stats.rounding import signs

Array = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What tests say of one system. None: there is nothing to test."""

    p_best: float | None = None
    winner: bool | None = None
    p_baseline: float | None = None
    like_baseline: bool | None = None


def bootstrap_verdicts(
    values: Array, resampled: Array, baseline: int | None, alpha: float, *, higher: bool
) -> list[Verdict]:
    """Verdicts of systems (n,) whose measure was computed on the same resamples (n, samples); NaN: not defined.

    A system is worse than the best one if it is so in more than 1 - alpha of the resamples (Koehn 2004), which is a
    one-sided test: by definition the best one is not worse. Against the baseline the test is two-sided.
    """

    def shares(other: int, i: int) -> tuple[float, float]:
        """Of resamples in which the other one is not better, and not worse, never 0; a tie counts in both."""
        both = resampled[[other, i]] * (1 if higher else -1)
        gains = signs(both[0] - both[1], np.abs(both).max(axis=0))
        n = len(gains) + 1
        return float(((~(gains > 0)).sum() + 1) / n), float(((~(gains < 0)).sum() + 1) / n)

    def p_worse(best: int) -> list[float]:
        return [shares(best, i)[0] for i in range(len(values))]

    def p_differs(other: int) -> list[float]:
        return [min(1.0, 2 * min(shares(other, i))) for i in range(len(values))]

    return _verdicts(values, p_worse, p_differs, baseline, alpha, higher=higher)


def williams_verdicts(
    gold: Array, predicted: Array, values: Array, baseline: int | None, alpha: float
) -> list[Verdict]:
    """Verdicts of correlations of predictions (n, segments) with the labels, by Williams's test."""
    p = williams_tests(gold, predicted)  # p[i, j]: i is better than j

    def p_worse(best: int) -> list[float]:
        return [float(one) for one in p[best]]

    def p_differs(other: int) -> list[float]:
        return [min(1.0, 2 * min(one, two)) for one, two in zip(p[other].tolist(), p[:, other].tolist(), strict=True)]

    return _verdicts(values, p_worse, p_differs, baseline, alpha, higher=True)


def _verdicts(
    values: Array,
    p_worse: Callable[[int], list[float]],
    p_differs: Callable[[int], list[float]],
    baseline: int | None,
    alpha: float,
    *,
    higher: bool,
) -> list[Verdict]:
    best = best_of(values.tolist(), higher=higher)
    if best is None:
        return [Verdict() for _ in values]
    to_best = p_worse(best)
    to_baseline = None if baseline is None or np.isnan(values[baseline]) else p_differs(baseline)
    out = []
    for i, value in enumerate(values.tolist()):
        if np.isnan(value):
            out.append(Verdict())
            continue
        p_best = None if i == best else to_best[i]
        p_baseline = None if to_baseline is None or i == baseline else to_baseline[i]
        best_now = True if i == best else _no_difference(p_best, alpha)
        alike = None if p_baseline is None else _no_difference(p_baseline, alpha)
        out.append(Verdict(_defined(p_best), best_now, _defined(p_baseline), alike))
    return out


def _defined(p: float | None) -> float | None:
    return None if p is None or np.isnan(p) else p


def _no_difference(p: float | None, alpha: float) -> bool | None:
    """What a p-value says; None where the test is not defined, as Williams's of predictions and their own negative."""
    return None if _defined(p) is None else not (p is not None and p < alpha)


def best_of(values: Sequence[float], *, higher: bool) -> int | None:
    """The place of the best value that is defined; None if none is."""
    defined = [i for i, value in enumerate(values) if not np.isnan(value)]
    return (max if higher else min)(defined, key=lambda i: values[i], default=None)
