"""Is one metric really better than another? Tests of every two metrics, and the ranks that follow from them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from tercet.agreeing.base import (
    DrawnUnit,
    Draws,
    Found,
    Measure,
    checked_permuted,
    checked_resampled,
    checked_tests,
)
from tercet.agreeing.gold import Gold
from tercet.data import Array
from tercet.errors import InputError
from tercet.options.agreeing import Certainty, Test
from tercet.options.groups import Correction
from tercet.stats.correction import adjusted, require_draws
from tercet.stats.dependent import williams_tests
from tercet.stats.hybrids import HYBRIDS
from tercet.stats.permutation import bootstrap_p

DRAWS = 1000  # if nothing is said


def draws_of(test: str, how: Certainty, *, sampled: bool) -> int | None:
    """How often a test draws or exchanges; None if it does not, as where people's scores were `sampled` before."""
    if test in ("none", "williams", "overlap") or (test == "judgements" and sampled):
        return None
    return how.draws or (HYBRIDS if test == "hybrids" else DRAWS)


@dataclasses.dataclass(frozen=True, eq=False)
class Compared:
    """What the tests look at: gold, metrics (metrics, systems, items), what was found, and resamples if there are."""

    gold: Gold
    values: Array
    found: tuple[Found, ...]
    sampled: Array | None = None  # (metrics, samples): values over resamples
    drawn: str = "none"  # what was resampled
    hybrids: tuple[Array, Array] | None = None  # people's (hybrids,) and the metrics' (metrics, hybrids) scores
    plain: Sequence[float] = ()  # values with their sign, where only the strength counts


def p_values(measure: Measure, compared: Compared, how: Certainty) -> tuple[str, Array] | None:
    """The name of the test, and p[i, j] that metric i agrees better with people than j; None if there is no test."""
    fitting = checked_tests(measure, compared.gold)
    name = fitting[0] if how.test == "auto" else how.test
    if name not in fitting:
        raise InputError(
            f"The test {name} does not fit {measure} at the {compared.gold.level} level.",
            hint=f"Use --test {' or '.join(test for test in fitting if test != 'none')}, or none.",
        )
    if name == "none":
        return None
    n, sampled = len(compared.values), compared.gold.sampled is not None
    draws = None if name == "hybrids" else draws_of(name, how, sampled=sampled)
    for count, flag in ((draws, "--draws"), (how.samples if name == "judgements" and sampled else None, "--samples")):
        if count is not None:
            require_draws(n * (n - 1), count, flag, how.correction, how.alpha, one_sided=True)
    p = _run(name, measure, compared, how)
    return name, p if how.correction == "none" else _corrected(p, how.correction)


def _run(name: Test, measure: Measure, compared: Compared, how: Certainty) -> Array:
    gold, values = compared.gold, compared.values
    if name == "williams":
        return williams_tests(gold.scores.ravel(), values.reshape(len(values), -1), absolute=measure.strength)
    if name == "hybrids":
        if compared.hybrids is None:
            raise _unfit(name, measure, "systems, and people's scores of segments")
        return williams_tests(*compared.hybrids, absolute=measure.strength)
    if name == "overlap":
        if compared.sampled is None:
            raise _unfit(name, measure, "an interval over resamples, such as --interval judgements")
        return _apart(compared.sampled)
    unit = _DRAWN[name]
    if unit == "both" and gold.level == "system":
        unit = "systems"  # each has one score
    draws = Draws(unit, how.draws or DRAWS, how.seed, how.workers)
    if not name.startswith("perm-"):
        return _bootstrapped(measure, compared, draws)
    if measure.strength:
        values = values * np.array([measure.signed(value) for value in compared.plain])[:, None, None]
    return checked_permuted(measure.with_sign(), gold, values, compared.found, draws)


def _bootstrapped(measure: Measure, compared: Compared, draws: Draws) -> Array:
    """Paired bootstrap of every two metrics, over what both of them have scored."""
    missing = np.isnan(compared.values)
    if (missing == missing[0]).all():
        made = compared.sampled
        if made is None or compared.drawn != draws.unit or made.shape[1] != draws.samples:
            made = checked_resampled(measure, compared.gold, compared.values, draws)
        return bootstrap_p(made)
    p = np.full((len(missing), len(missing)), np.nan)
    for i, j in itertools.combinations(range(len(missing)), 2):
        both = np.where(missing[i] | missing[j], np.nan, compared.values[[i, j]])
        two = bootstrap_p(checked_resampled(measure, compared.gold, both, draws))
        p[i, j], p[j, i] = two[0, 1], two[1, 0]
    return p


_DRAWN: Mapping[str, DrawnUnit] = {
    "judgements": "judgements",
    "perm-item": "items",
    "perm-system": "systems",
    "perm-both": "both",
    "boot-item": "items",
    "boot-system": "systems",
    "boot-both": "both",
}


def _apart(sampled: Array) -> Array:
    """0 where the interval of i lies above that of j, 1 elsewhere: the rule of WMT17 to WMT19."""
    from tercet.stats import interval

    n = len(sampled)
    bounds = [interval(row[np.isfinite(row)]) if np.isfinite(row).any() else None for row in sampled]
    p = np.full((n, n), np.nan)
    for i, mine in enumerate(bounds):
        for j, other in enumerate(bounds):
            if i != j and mine is not None and other is not None:
                p[i, j] = 0.0 if mine.low > other.high else 1.0
    return p


def _corrected(p: Array, correction: Correction) -> Array:
    """Adjusted over all tests: two of every two metrics, as either may turn out to be the better one."""
    out = p.copy()
    tested = np.isfinite(p)
    out[tested] = adjusted(p[tested], correction)
    return out


def _unfit(name: str, measure: Measure, what: str) -> InputError:
    return InputError(f"The test {name} does not fit {measure}.", hint=f"It needs {what}.")
