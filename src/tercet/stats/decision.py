"""Is a difference luck? One decision, from which p-value, verdict and interval follow, so that none contradicts.

All is read from the sizes of differences that chance alone makes: how far resampled differences are from the observed
one, or how much two systems differ whose outputs were exchanged at random. p is the share of them that is as large as
the observed difference. The interval holds every difference that the same test would not tell from the observed one: it
reaches as far to either side as chance does, and leaves out 0 exactly where p is below the level (Hall 1992 has it as
the symmetric bootstrap interval).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet.options.groups import Correction
from tercet.stats.correction import adjusted, level_before
from tercet.stats.rounding import reaches

Array = npt.NDArray[np.float64]


class Decisions(NamedTuple):
    """Of each difference: p, corrected, and bounds that leave out 0 exactly where p < alpha; NaN if not defined."""

    p: Array
    low: Array
    high: Array


def p_values(differences: Array, chance: Array, scale: Array | float = 1.0) -> Array:
    """Two-sided p-values (n,) of differences (n,) from sizes that chance gives (n, draws); never 0.

    A draw that is not defined speaks against a difference, and a difference that is not defined has no p.

    >>> p_values(np.array([2.0, 0.0]), np.array([[0.5, 1.0, 2.0], [0.1, 0.2, 0.3]])).tolist()
    [0.5, 1.0]
    """
    size = np.abs(differences)
    scales = np.broadcast_to(scale, size.shape)
    extreme = np.array([reaches(draws, d, s).sum() for draws, d, s in zip(chance, size, scales, strict=True)])
    return np.where(np.isnan(size), np.nan, (extreme + 1) / (chance.shape[1] + 1))


def decide(differences: Array, chance: Array, scale: Array | float, correction: Correction, alpha: float) -> Decisions:
    """p-values and intervals of differences (n,), corrected for their number.

    >>> decide(np.array([5.0]), np.arange(99.0)[None] / 50, 1.0, "none", 0.05).low.round(2).tolist()
    [3.1]
    """
    raw = p_values(differences, chance, scale)
    return _decided(differences, raw, lambda level: _reach(chance, level), correction, alpha)


def decide_by_spread(
    differences: Array, spread: Array, freedom: Array, correction: Correction, alpha: float
) -> Decisions:
    """The same from standard errors and Student's t, where draws are too few for a correction, as over many parts.

    >>> decide_by_spread(np.array([3.0]), np.array([1.0]), np.array([30.0]), "none", 0.05).low.round(3).tolist()
    [0.958]
    """
    from scipy.special import stdtr, stdtrit

    if differences.ndim != 1 or not differences.shape == spread.shape == freedom.shape:
        raise ValueError("each difference has one spread and its degrees of freedom")
    size = np.abs(differences)
    t = np.divide(size, spread, out=np.where(size > 0, np.inf, size), where=spread > 0)
    raw = np.where(np.isnan(spread), np.nan, 2 * stdtr(freedom, -t))
    return _decided(differences, raw, lambda level: spread * stdtrit(freedom, 1 - level / 2), correction, alpha)


def _decided(
    differences: Array, raw: Array, reach_at: Callable[[float], Array], correction: Correction, alpha: float
) -> Decisions:
    p, reach, size = adjusted(raw, correction), reach_at(level_before(raw, correction, alpha)), np.abs(differences)
    # where rounding, or too few draws, would say something else than p does, p has the last word
    reach = np.where(p < alpha, np.minimum(reach, np.nextafter(size, 0.0)), np.maximum(reach, size))
    return Decisions(p, differences - reach, differences + reach)


def _reach(chance: Array, level: float) -> Array:
    """The largest size with a p that is not below the level, of each row; the largest of all if there is none."""
    draws = chance.shape[1]
    counts = np.arange(1, draws + 1)
    place = min(int(((counts + 1) / (draws + 1) < level).sum()), draws - 1)
    ordered = np.sort(np.where(np.isnan(chance), np.inf, chance), axis=1)
    return np.asarray(ordered[:, draws - 1 - place])
