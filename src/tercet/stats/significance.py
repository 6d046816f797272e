"""Systems against a baseline: intervals, paired tests, and the spread over optimiser runs.

A system is a table of rows for each of its runs, (runs, n, k); most have one. Several runs are treated as
MultEval treats them (Clark et al. 2011): scores are averaged over runs, `s_sel` is the bootstrap's standard
deviation averaged over runs, `s_opt` the standard deviation over runs. But randomisation exchanges a segment in
all runs at once, since what is hard for one run is hard for the next; with `compat`, as MultEval does, the
segments of all runs one by one, as if they were those of one long text.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from tercet.data import total
from tercet.engines import Engine
from tercet.errors import InputError
from tercet.numbers import ALPHA
from tercet.options.groups import Resampling, Testing
from tercet.stats.correction import adjusted, draws_needed, require_draws
from tercet.stats.paired import paired_t, signed_rank
from tercet.stats.resampling import (
    Array,
    ScoreFunction,
    bootstrap,
    exchanged_p_values,
    interval,
    interval_of_drawn,
    paired_bootstrap,
    paired_randomization,
    stretch,
)
from tercet.stats.rounding import signs

Facts = dict[str, float | int | None]
Asked = TypeVar("Asked", bound=Testing)
SURE = 0.01  # a p that the usual draws can have, however many tests there are


@dataclasses.dataclass(frozen=True, eq=False)
class Streamed:
    """What was drawn of segments as they were read, block by block, none of which is held.

    For a resample each segment counts as often as Poisson's law with mean 1 says (Chamandy et al. 2012, Estimating
    uncertainty for massive data streams), so that nobody needs to know how many there will be. For a trial of
    randomisation each stays where it is, or is exchanged, by a coin of its own.
    """

    segments: int
    runs: Sequence[Sequence[int]]  # the rows of each system
    sampled: Array  # (samples, rows, k)
    swapped: Array | None  # (trials, rows, k)

    def scores(self, score: ScoreFunction) -> list[Array]:
        """(runs, samples) of each system."""
        return [score(self.sampled[:, list(places)]).T for places in self.runs]

    def kept(self) -> Array:
        """(trials, systems, k): sums of what stays where it is, over the runs of a system."""
        swapped = np.zeros((0, 0, 0)) if self.swapped is None else self.swapped
        return np.stack([swapped[:, list(places)].sum(axis=1) for places in self.runs], axis=1)


def significance(
    systems: Mapping[str, Array],
    score: ScoreFunction,
    baseline: str,
    how: Resampling,
    progress: Callable[[int], None] | None = None,
    *,
    ci: bool = False,
    higher_is_better: bool = True,
    where: Engine | None = None,
    streamed: Streamed | None = None,
) -> dict[str, Facts]:
    """The facts of every system: interval if `ci`, p-value against the baseline, and the spreads if there are runs.

    Of what was `streamed` the rows are sums of the whole, one a run.
    """
    units = next(iter(systems.values())).shape[1] if streamed is None else streamed.segments
    if units < 2:
        raise InputError(
            f"Intervals and tests need two segments or documents to draw from, and there are {units}.",
            hint="Use a larger test set.",
        )
    if how.paired in ("bootstrap", "randomization") and not how.compat:  # sacreBLEU takes any number
        require_draws(len(systems) - 1, *how.drawn, how.adjusts, ALPHA)
    facts: dict[str, Facts] = {name: {} for name in systems}
    several = max(map(len, systems.values())) > 1
    p_values: dict[str, float] = {}
    rng = np.random.default_rng(how.seed)
    if how.paired == "randomization":
        p_values = _randomization(systems, score, baseline, how, rng, progress, where, streamed)
    if how.paired in ("wilcoxon", "t"):
        p_values = _classical(systems, score, baseline, signed_rank if how.paired == "wilcoxon" else paired_t)
    if ci or several or how.paired == "bootstrap":
        if streamed is None:
            sampled = _sampled(systems, score, baseline, how, rng, progress, where)
        else:
            sampled = dict(zip(systems, streamed.scores(score), strict=True))
        for name, scores in sampled.items():  # (runs, samples)
            facts[name] |= _interval(scores, how, units)
            if several:
                facts[name] |= _spread(systems[name], scores, score)
        if how.paired == "bootstrap":
            for name in systems:
                if name != baseline:
                    p_values[name], share = _bootstrap_test(
                        systems, sampled, name, score, baseline, how, higher_is_better, units
                    )
                    facts[name]["win_share"] = share
    p_values = dict(zip(p_values, adjusted(list(p_values.values()), how.adjusts).tolist(), strict=True))
    for name, p in p_values.items():
        facts[name]["p_value"] = p
    return facts


def with_enough_draws(how: Asked, tests: int) -> Asked:
    """As many as the correction needs for what is sure to have p < .01, where nobody has said how many."""
    drawn = {"bootstrap": "samples", "randomization": "trials"}.get(how.paired or "")
    if drawn is None or getattr(how, drawn) != getattr(type(how), drawn):
        return how
    needed = draws_needed(tests, how.adjusts, SURE)
    return dataclasses.replace(how, **{drawn: max(getattr(how, drawn), needed)})


def corpus_score(rows: Array, score: ScoreFunction) -> float:
    """The score of a system: the mean over its runs."""
    return float(np.mean(score(total(rows))))


def _sampled(
    systems: Mapping[str, Array],
    score: ScoreFunction,
    baseline: str,
    how: Resampling,
    after_trials: np.random.Generator,
    progress: Callable[[int], None] | None,
    where: Engine | None,
) -> dict[str, Array]:
    """(runs, samples) for every system, all from the same draws.

    sacreBLEU draws the samples of a randomisation test's systems after its trials, those of the baseline anew.
    """
    stacked = np.concatenate(list(systems.values()))

    def draw(rng: np.random.Generator | int, rows: Array) -> Array:
        return bootstrap(
            rows, score, how.samples, rng, threads=how.workers, compat=how.compat, progress=progress, where=where
        )

    scores = draw(after_trials if how.compat and how.paired == "randomization" else how.seed, stacked)
    ends = np.cumsum([len(rows) for rows in systems.values()])
    out = dict(zip(systems, np.split(scores, ends[:-1]), strict=True))
    if how.compat and how.paired == "randomization":
        out[baseline] = draw(how.seed, systems[baseline])
    return out


def _interval(scores: Array, how: Resampling, units: int) -> Facts:
    means = scores[0] if len(scores) == 1 else scores.mean(axis=0)
    if how.compat:  # sacreBLEU's mean and half width
        spread = interval(means)
        low, high = spread.mean - spread.half_width, spread.mean + spread.half_width
        return {"low": low, "high": high, "mean": spread.mean, "half_width": spread.half_width}
    low, high = interval_of_drawn(means, how.unit, units)
    return {"low": low, "high": high}


def _spread(rows: Array, scores: Array, score: ScoreFunction) -> Facts:
    runs = score(total(rows))
    return {
        "s_sel": float(np.mean(np.std(scores, axis=1, ddof=1))),
        "s_opt": float(np.std(runs, ddof=1)) if len(runs) > 1 else None,
        "runs": len(runs),
    }


def _bootstrap_test(
    systems: Mapping[str, Array],
    sampled: Mapping[str, Array],
    name: str,
    score: ScoreFunction,
    baseline: str,
    how: Resampling,
    higher_is_better: bool,
    units: int,
) -> tuple[float, float]:
    base, system = (s[0] if len(s) == 1 else s.mean(axis=0) for s in (sampled[baseline], sampled[name]))
    difference = corpus_score(systems[name], score) - corpus_score(systems[baseline], score)
    stretched = stretch(how.unit, units)
    return paired_bootstrap(
        base, system, difference, compat=how.compat, higher_is_better=higher_is_better, stretched=stretched
    )


def _randomization(
    systems: Mapping[str, Array],
    score: ScoreFunction,
    baseline: str,
    how: Resampling,
    rng: np.random.Generator,
    progress: Callable[[int], None] | None,
    where: Engine | None,
    streamed: Streamed | None,
) -> dict[str, float]:
    others = [name for name in systems if name != baseline]
    if streamed is not None:
        places = [list(systems).index(name) for name in (baseline, *others)]
        totals = np.stack([total(systems[name].sum(axis=0)) for name in (baseline, *others)])
        p = exchanged_p_values(streamed.kept()[:, places], totals, score)
        return dict(zip(others, p.tolist(), strict=True))
    base, *rows = (
        np.concatenate(systems[name]) if how.compat else systems[name].sum(axis=0) for name in (baseline, *others)
    )
    p = paired_randomization(
        base,
        np.stack(rows),
        score,
        how.trials,
        rng if how.compat else how.seed,  # sacreBLEU draws on
        threads=how.workers,
        compat=how.compat,
        progress=progress,
        where=where,
    )
    return dict(zip(others, p.tolist(), strict=True))


def _classical(
    systems: Mapping[str, Array], score: ScoreFunction, baseline: str, test: Callable[[Array], Array]
) -> dict[str, float]:
    """p-values of a test of paired differences between the scores of units, over runs their means."""
    scores = {name: score(rows).mean(axis=0) for name, rows in systems.items()}
    p_values = {}
    for name in (name for name in systems if name != baseline):
        gaps = scores[name] - scores[baseline]
        gaps = gaps[~np.isnan(gaps)]
        equal = not signs(gaps).any()
        p_values[name] = 1.0 if equal else max(float(test(gaps[None])[0]), sys.float_info.min)
    return p_values
