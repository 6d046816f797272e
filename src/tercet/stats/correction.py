"""Corrections for asking several questions at once. What is not defined is not a question: NaN stays NaN."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError
from tercet.numbers import plain
from tercet.options.groups import CORRECTION_NAMES, Correction

Array = npt.NDArray[np.float64]


def holm(p_values: npt.ArrayLike) -> Array:
    """Holm's step-down adjustment (Holm 1979): compare what comes out with the level as it is.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _by_rank(p_values, lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: npt.ArrayLike) -> Array:
    """The adjustment of Benjamini and Hochberg (1995): of what is then called significant, so large a share is not.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    return _by_rank(p_values, lambda p: np.minimum.accumulate((p * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1])


def adjusted(p_values: npt.ArrayLike, correction: Correction) -> Array:
    """p-values after a correction by its name.

    >>> adjusted([0.01, 0.04], "holm").tolist(), adjusted([0.01, 0.04], "none").tolist()
    ([0.02, 0.04], [0.01, 0.04])
    """
    if correction == "none":
        return np.array(p_values, dtype=np.float64)
    return holm(p_values) if correction == "holm" else benjamini_hochberg(p_values)


def require_draws(
    tests: int, draws: int, option: str, correction: Correction, alpha: float, *, one_sided: bool = False
) -> None:
    """Refuse draws so few that no p-value is significant: the least that they can give is one of draws + 1.

    Holm's correction multiplies it by the number of tests; that of Benjamini and Hochberg leaves it as it is if all
    tests have it. Where of every two tests, `one_sided`, only one can have it, the correction doubles it; and those
    are significant at the level itself, too.

    >>> require_draws(10, 1000, "--samples", "holm", 0.05)
    """
    if not 0 < alpha < 1 or draws < 0:
        raise InputError(
            f"No test of {draws} draws has a level of {plain(alpha)}.",
            hint="A level lies between 0 and 1; .05 is usual.",
        )
    enough = draws_needed(tests, correction, alpha, one_sided=one_sided)
    if tests == 0 or draws >= enough:
        return
    times = _times(tests, correction, one_sided)
    below = "at most" if one_sided else "below"
    by = "" if tests == 1 else CORRECTION_NAMES.get(correction, "")
    after = f" after the correction of {tests} tests by {by}" if by else ""
    other = ", or --correction bh or none, or test fewer at once" if correction == "holm" and tests > 1 else ""
    raise InputError(
        f"No p of {draws} draws can be {below} {plain(alpha)}{after}: the least of them is {times} of {draws + 1}.",
        hint=f"Use {option} {enough} or more{other}.",
    )


def draws_needed(tests: int, correction: Correction, alpha: float, *, one_sided: bool = False) -> int:
    """The fewest draws of which some p-value can be significant.

    >>> draws_needed(1, "holm", 0.05), draws_needed(78, "holm", 0.05), draws_needed(78, "none", 0.05)
    (20, 1560, 20)
    """
    times = _times(tests, correction, one_sided)
    enough = max(1, math.floor(times / alpha) - 1)
    while not (times / (enough + 1) <= alpha if one_sided else times / (enough + 1) < alpha):
        enough += max(1, enough >> 52)  # of large numbers a float knows so many digits
    return enough


def _times(tests: int, correction: Correction, one_sided: bool) -> int:
    """By how much the correction multiplies the least p-value."""
    return {"none": 1, "holm": tests, "bh": 2 if one_sided else 1}[correction]


def level_before(p_values: npt.ArrayLike, correction: Correction, alpha: float) -> float:
    """The level at which p-values as they were are significant exactly where the adjusted ones are at `alpha`.

    Intervals at this level fit corrected p-values. For Benjamini and Hochberg it is that of the intervals of
    Benjamini and Yekutieli (2005), for Holm that of the step at which it stopped.

    >>> level_before([0.01, 0.02, 0.5], "holm", 0.05), level_before([0.01, 0.02, 0.5], "none", 0.05)
    (0.05, 0.05)
    """
    p = np.asarray(p_values, dtype=np.float64)
    p = p[~np.isnan(p)]
    sure = adjusted(p, correction) < alpha
    n, n_sure = max(1, len(p)), int(sure.sum())
    level = {"none": alpha, "holm": alpha / max(1, n - n_sure), "bh": alpha * max(1, n_sure) / n}[correction]
    # products and quotients are rounded apart: the level stays between what is significant and what is not
    if n_sure:
        level = max(level, float(np.nextafter(p[sure].max(), 1.0)))
    return min(level, float(p[~sure].min(initial=1.0)))


def _by_rank(p_values: npt.ArrayLike, steps: Callable[[Array], Array]) -> Array:
    """Adjustments of ascending p-values in the places of the p-values, at most 1."""
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError("p-values that are corrected together stand in one row")
    order = np.argsort(p, kind="stable")[: int((~np.isnan(p)).sum())]
    out = np.full_like(p, np.nan)
    out[order] = np.minimum(steps(p[order]), 1.0)
    return out
