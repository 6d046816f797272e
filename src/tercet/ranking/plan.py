"""`plan`: how many judgements until these systems separate? And `propose_next`: which systems to show next?

Campaigns are simulated with abilities that are known. In a task, every output shows its system's ability plus noise
of a Gumbel distribution, so that of two systems the better one wins with the odds of Bradley and Terry; outputs that
lie close together tie. Each campaign is ranked as a real one would be, and counts as separated when every system has
a cluster of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tercet import inputs
from tercet.data import Array, Assessments, Judgements, Kind, Outcome, Pairs, Ranked, Rankings
from tercet.data.planning import Plan
from tercet.errors import InputError
from tercet.human.pairs import counts
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.groups import expect
from tercet.options.judging import USUAL, PlanOptions, ProposeOptions
from tercet.ranking import RANKERS
from tercet.ranking.assessed import Mqm
from tercet.ranking.base import Ranker, Sampling, checked_fit
from tercet.ranking.bradley_terry import BradleyTerry
from tercet.ranking.rank import pairs_of, ranked
from tercet.ranking.trueskill import beliefs, next_distribution
from tercet.signing import fingerprint, signature

STEPS = 8  # sizes of campaigns, each twice the one before
PRECISION = 16  # the answer is that near to the smallest size that is enough


@verb(PlanOptions)
def plan(asked: PlanOptions) -> Plan:
    """Simulate campaigns up to a budget, and say how many judgements it takes until systems separate.

    >>> plan(systems=2, gap=0.2, budget=1000, campaigns=20).enough
    58
    """
    ranker = RANKERS.make(asked.method)
    scored = issubclass(ranker.takes, Assessments)
    if scored:
        asked.refuse_idle(dict.fromkeys(("ties", "size"), f"with {ranker.name}, which ranks scores"))
    given, form = asked.judgements, asked.judgements_format
    pilot = None if given is None else inputs.judgements(given, form, asked.pair)
    abilities, ties, notes = _abilities(asked, ranker, pilot)
    size, seed = min(asked.size, len(abilities)), asked.seed
    sampling = Sampling(samples=asked.samples, seed=seed, unit=ranker.units[0], threads=asked.workers)

    def tried(n: int) -> dict[str, Any]:
        rng = np.random.default_rng((seed, n))
        rankings = []
        what = f"campaigns of {n} judgements"
        expect(asked.progress, what, asked.campaigns)
        for _ in range(asked.campaigns):
            data = scores_of(abilities, n, rng) if scored else simulated(abilities, n, size, ties, rng)
            rankings.append(ranked(data.systems, checked_fit(ranker, data, sampling), asked.confidence))
            if asked.progress:
                asked.progress(what, 1)
        return _record(n, rankings, asked.power)

    records = _searched(tried, _sizes(asked.budget, len(abilities)))
    enough = next((r["judgements"] for r in records if r["enough"]), None)
    facts = {
        "method": ranker,
        "systems": len(abilities),
        **({"gap": plain(asked.gap)} if pilot is None else {"pilot": "true"}),
        **({} if scored else {"ties": plain(ties, 3), "size": size}),
        "budget": asked.budget,
        "campaigns": asked.campaigns,
        "samples": asked.samples,
        "unit": sampling.unit,
        "confidence": plain(asked.confidence),
        "power": plain(asked.power),
        "seed": seed,
    }
    data = {} if pilot is None else {"judgements": fingerprint(pilot)}
    return Plan(tuple(records), enough, asked.power, signature("plan", facts, data), notes)


def _abilities(asked: PlanOptions, ranker: Ranker, pilot: Judgements | None) -> tuple[Array, float, tuple[str, ...]]:
    """Abilities and ties of the systems that are asked for, or of a pilot."""
    scored = issubclass(ranker.takes, Assessments)
    if isinstance(ranker, Mqm):
        raise InputError("Campaigns that mark errors are not simulated.", hint="Plan with da, or a ranker of pairs.")
    if pilot is None:
        step = asked.gap if scored else step_of(asked.gap, asked.ties)
        return -step * np.arange(asked.systems, dtype=np.float64), asked.ties, ()
    if scored:
        raise InputError(
            f"{ranker.name} ranks scores, and a pilot of rankings does not say how those vary.",
            hint="Give --systems and --gap instead.",
        )
    return _pilot(pilot)


@verb(ProposeOptions)
def propose_next(asked: ProposeOptions) -> list[str]:
    """The n systems to show next: the one of which least is known, and others that are likely to be near it.

    >>> propose_next({"A": (0.3, 0.2), "B": (0.1, 0.22), "C": (-0.4, 0.21)}, n=2)
    ['B', 'A']
    """
    if isinstance(asked.judgements, Mapping):
        known = dict(asked.judgements)
    else:
        data = inputs.judgements(asked.judgements, asked.judgements_format, asked.pair)
        if not isinstance(data, Rankings):
            raise InputError(f"{data.file} has no rankings.", hint="Systems are proposed from rankings.")
        known = beliefs(pairs_of(data, USUAL))
    n = min(5, len(known)) if asked.n is None else asked.n
    if not 2 <= n <= len(known):
        raise InputError(f"n must be from 2 to the {len(known)} systems, not {n!r}.", hint="Five are usual.")
    first, _ = next_distribution(known)
    others = [s for s in known if s != first]
    near = np.array([-abs(known[first][0] - known[s][0]) for s in others])
    # the largest of log-weights with Gumbel noise are a draw without replacement, however small the weights
    order = np.argsort(-(near + np.random.default_rng(asked.seed).gumbel(size=len(near))))
    return [first, *(others[i] for i in order[: n - 1])]


def _sizes(budget: int, least: int) -> list[int]:
    """Numbers of judgements up to the budget, each twice the one before, that all systems can have a part in."""
    sizes = [budget >> k for k in reversed(range(STEPS)) if budget >> k >= least]
    if not sizes:
        raise InputError(f"budget must be {least} or more for {least} systems, not {budget}.", hint="Raise it.")
    return sizes


def _searched(tried: Callable[[int], dict[str, Any]], sizes: Sequence[int]) -> list[dict[str, Any]]:
    """Records of growing campaigns, and of some more around the smallest that is large enough."""
    records = {n: tried(n) for n in sizes}
    large = next((n for n in sizes if records[n]["enough"]), None)
    small = max((n for n in sizes if large is not None and n < large), default=None)
    while large is not None and small is not None and large - small > max(1, large // PRECISION):
        middle = (small + large) // 2
        records[middle] = tried(middle)
        small, large = (small, middle) if records[middle]["enough"] else (middle, large)
    return [records[n] for n in sorted(records)]


def _record(judgements: int, rankings: Sequence[Sequence[Ranked]], power: float) -> dict[str, Any]:
    """Systems are numbered from the best to the worst, so that the right order is that of their names."""
    right = np.array([[r.system for r in ranking] == sorted(r.system for r in ranking) for ranking in rankings])
    whole = np.array([ranking[-1].cluster == len(ranking) for ranking in rankings])
    separated = float(np.mean(whole & right))
    return {
        "judgements": judgements,
        "separated": separated,
        "ordered": float(np.mean(right)),
        "clusters": float(np.mean([ranking[-1].cluster for ranking in rankings])),
        "pairs_apart": float(np.mean([_pairs_apart(ranking) for ranking in rankings])),
        "enough": separated >= power,
    }


def _pairs_apart(ranking: Sequence[Ranked]) -> float:
    """The share of all pairs of systems whose better one stands in a better cluster."""
    cluster = np.array([r.cluster for r in sorted(ranking, key=lambda r: r.system)])
    low, high = np.triu_indices(len(cluster), 1)
    return float(np.mean(cluster[low] < cluster[high]))


def radius_of(ties: float) -> float:
    """How close outputs must lie to tie, so that equals tie in this share of judgements."""
    return 2 * math.atanh(ties)


def decided_share(step: float, ties: float) -> float:
    """The share of decided judgements that the better of two systems wins whose abilities differ by `step`.

    >>> decided_share(0.0, 0.25)
    0.5
    """
    radius = radius_of(ties)
    better, worse = 1 / (1 + math.exp(radius - step)), 1 / (1 + math.exp(radius + step))
    return better / (better + worse)


def step_of(gap: float, ties: float) -> float:
    """The difference of abilities with which the better system wins .5 + gap of the decided judgements."""
    from scipy.optimize import brentq

    if gap >= 0.5:
        raise InputError(
            f"gap must be less than .5, not {plain(gap)}: a system cannot win more than all.", hint="Try .05."
        )
    return float(brentq(lambda step: decided_share(step, ties) - 0.5 - gap, 0.0, 50.0))


def simulated(abilities: Array, n: int, size: int, ties: float, rng: np.random.Generator) -> Pairs:
    """n judgements of systems with these abilities, from tasks of `size` systems each."""
    per_task = size * (size - 1) // 2
    tasks = -(-n // per_task)
    shown = np.argsort(rng.random((tasks, len(abilities))), axis=1)[:, :size]
    quality = abilities[shown] + rng.gumbel(size=shown.shape)
    a, b = np.triu_indices(size, 1)
    gap = quality[:, a] - quality[:, b]
    outcome = np.where(
        np.abs(gap) <= radius_of(ties),
        Outcome.TIE,
        np.where(gap > 0, Outcome.LEFT_BETTER, Outcome.RIGHT_BETTER),
    ).ravel()[:n]
    task = np.repeat(np.arange(tasks), per_task)[:n]
    return Pairs(_names(len(abilities)), shown[:, a].ravel()[:n], shown[:, b].ravel()[:n], outcome, task, task)


def scores_of(abilities: Array, n: int, rng: np.random.Generator) -> Assessments:
    """n scores of systems with these abilities, one a segment, of judges who are all alike."""
    system = np.arange(n) % len(abilities)
    segment = np.arange(n) // len(abilities)
    z = abilities[system] + rng.standard_normal(n)
    nothing = np.zeros(n, dtype=np.int64)
    names = tuple(map(str, range(segment.max() + 1)))
    return Assessments(
        "", _names(len(abilities)), names, ("judge",), nothing, system, segment, nothing + Kind.SYSTEM, z, z
    )


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"{i:04d}" for i in range(n))


def _pilot(data: Judgements) -> tuple[Array, float, tuple[str, ...]]:
    """Abilities and ties of real judgements, the best system first."""
    if not isinstance(data, Rankings):
        raise InputError(f"{data.file} has no rankings to estimate abilities from.", hint="Give --systems and --gap.")
    pairs = pairs_of(data, USUAL)
    wins, tied = counts(pairs)
    ties = float(tied.sum() / 2 / max(1.0, wins.sum() + tied.sum() / 2))
    strength = np.sort(BradleyTerry(ties="drop").score(wins.astype(np.float64), tied.astype(np.float64)))[::-1]
    ties = min(ties, 0.9)
    abilities = np.array([math.copysign(step_of(_logistic(abs(s)) - 0.5, ties), s) if s else 0.0 for s in strength])
    return abilities, ties, pairs.notes


def _logistic(x: float) -> float:
    return min(1 / (1 + math.exp(-x)), 0.9999)
