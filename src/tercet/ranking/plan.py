"""`plan`: how many judgements until these systems separate? And `propose_next`: which systems to show next?

Campaigns are simulated with abilities that are known. In a task, every output shows its system's ability plus noise
of a Gumbel distribution, so that of two systems the better one wins with the odds of Bradley and Terry; outputs that
lie close together tie. Each campaign is ranked as a real one would be, and counts as separated when every system has
a cluster of its own.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import Array, Assessments, Judgements, Kind, Outcome, Pairs, Ranked, Rankings
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.human.given import signature
from tercet.human.pairs import counts
from tercet.metric import default_threads, require_threads
from tercet.ranking import RANKERS
from tercet.ranking.assessed import Mqm
from tercet.ranking.base import Ranker, Sampling, require_between, require_whole
from tercet.ranking.bradley_terry import BradleyTerry
from tercet.ranking.rank import Progress, pairs_of, prepared, ranked
from tercet.ranking.trueskill import Belief, beliefs, next_distribution

STEPS = 8  # sizes of campaigns, each twice the one before
PRECISION = 16  # the answer is that near to the smallest size that is enough
_ALL_APART = 0.8  # of the simulated campaigns


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is to be expected of campaigns of growing size, and the smallest that is large enough."""

    records: tuple[Mapping[str, Any], ...]
    enough: int | None
    power: float
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        most = self.records[-1]["judgements"]
        share = f"in {100 * self.power:g} % of campaigns"
        if self.enough is None:
            return f"Not even {most} judgements keep all systems apart {share}."
        return f"{self.enough} judgements keep all systems apart, in the right order, {share}."

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records: judgements, separated, ordered, clusters, pairs_apart, enough."""
        return [dict(r) for r in self.records]


def plan(
    judgements: Judgements | File | None = None,
    *,
    judgements_format: str | None = None,
    pair: str | None = None,
    systems: int = 2,
    gap: float = 0.05,
    method: str | Ranker = "expected-wins",
    budget: int = 10_000,
    ties: float = 0.25,
    size: int = 5,
    campaigns: int = 100,
    samples: int = 200,
    confidence: float = 0.95,
    power: float = _ALL_APART,
    seed: int = 12345,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Simulate campaigns up to a budget, and say how many judgements it takes until systems separate.

    Parameters
    ----------
    judgements, judgements_format, pair
        Judgements of a pilot, from which abilities and ties are estimated; otherwise `systems`, `gap` and `ties` say.
    systems, gap
        So many systems, each winning .5 + gap of the decided judgements against the next; for `da`, `esa` the
        difference of two systems in standard deviations of a score.
    ties
        The share of ties between equals.
    method
        The ranker, with its clusters.
    budget
        The most judgements (pairs of systems, or scores) that there could be.
    size
        Systems in a task.
    campaigns, power
        How many campaigns are simulated of each size, and the share of them that must separate.

    >>> plan(systems=2, gap=0.2, budget=1000, campaigns=20).enough
    58
    """
    require_threads(threads)
    _require(systems, gap, budget, ties, size, campaigns, confidence, power)
    ranker = RANKERS.make(method)
    scored = issubclass(ranker.takes, Assessments)
    if isinstance(ranker, Mqm):
        raise InputError("Campaigns that mark errors are not simulated.", hint="Plan with da, or a ranker of pairs.")
    notes: tuple[str, ...] = ()
    if judgements is None:
        abilities = -(gap if scored else step_of(gap, ties)) * np.arange(systems, dtype=np.float64)
    elif scored:
        raise InputError(
            f"{ranker.name} ranks scores, and a pilot of rankings does not say how those vary.",
            hint="Give --systems and --gap instead.",
        )
    else:
        abilities, ties, notes = _pilot(prepared(judgements, judgements_format, pair))
    size = min(size, len(abilities))
    sampling = Sampling(samples, seed, ranker.units[0], threads or default_threads())

    def tried(n: int) -> dict[str, Any]:
        rng = np.random.default_rng((seed, n))
        found = []
        for _ in range(campaigns):
            data = scores_of(abilities, n, rng) if scored else simulated(abilities, n, size, ties, rng)
            found.append(ranked(data.systems, ranker.fit(data, sampling), confidence))
            if progress:
                progress("simulating campaigns", 1)
        return _record(n, found, power)

    records = _searched(tried, _sizes(budget, len(abilities)))
    enough = next((r["judgements"] for r in records if r["enough"]), None)
    facts = {
        "method": ranker,
        "systems": len(abilities),
        **({"gap": f"{gap:g}"} if judgements is None else {"pilot": "true"}),
        **({} if scored else {"ties": f"{ties:.3g}", "size": size}),
        "budget": budget,
        "campaigns": campaigns,
        "samples": samples,
        "confidence": f"{confidence:g}",
        "power": f"{power:g}",
        "seed": seed,
    }
    return Plan(tuple(records), enough, power, signature("plan", facts), notes)


def propose_next(
    judgements: Judgements | File | Mapping[str, Belief],
    n: int | None = None,
    *,
    judgements_format: str | None = None,
    pair: str | None = None,
    seed: int = 12345,
) -> list[str]:
    """The n systems to show next: the one of which least is known, and others that are likely to be near it.

    None means five, or all if there are fewer. From judgements, or from beliefs (mean and variance of each system).

    >>> propose_next({"A": (0.3, 0.2), "B": (0.1, 0.22), "C": (-0.4, 0.21)}, n=2)
    ['B', 'A']
    """
    if isinstance(judgements, Mapping):
        known = dict(judgements)
    else:
        data = prepared(judgements, judgements_format, pair)
        if not isinstance(data, Rankings):
            raise InputError(f"{data.file} has no rankings.", hint="Systems are proposed from rankings.")
        known = beliefs(pairs_of(data, "task", False))
    require_whole("seed", seed, 0, 12345)
    n = min(5, len(known)) if n is None else n
    if type(n) is not int or not 2 <= n <= len(known):
        raise InputError(f"n must be from 2 to the {len(known)} systems, not {n!r}.", hint="Five are usual.")
    first, _ = next_distribution(known)
    others = [s for s in known if s != first]
    near = np.array([-abs(known[first][0] - known[s][0]) for s in others])
    # the largest of log-weights with Gumbel noise are a draw without replacement, however small the weights
    order = np.argsort(-(near + np.random.default_rng(seed).gumbel(size=len(near))))
    return [first, *(others[i] for i in order[: n - 1])]


def _require(
    systems: int, gap: float, budget: int, ties: float, size: int, campaigns: int, confidence: float, power: float
) -> None:
    require_whole("systems", systems, 2, 2, most=1000)
    require_whole("budget", budget, 10, 10_000)
    require_whole("size", size, 2, 5)
    require_whole("campaigns", campaigns, 1, 100)
    require_between("confidence", confidence, 0, 1, 0.95)
    for name, fine, allowed, value in (
        ("gap", gap > 0, "more than 0", gap),
        ("ties", 0 <= ties < 1, "0 or more and less than 1", ties),
        ("power", 0 < power <= 1, "more than 0 and at most 1", power),
    ):
        if not fine:
            raise InputError(f"{name} must be {allowed}, not {value!r}.", hint="Leave it out for the usual.")


def _sizes(budget: int, least: int) -> list[int]:
    """Numbers of judgements up to the budget, each twice the one before, that all systems can have a part in."""
    found = [budget >> k for k in reversed(range(STEPS)) if budget >> k >= least]
    if not found:
        raise InputError(f"budget must be {least} or more for {least} systems, not {budget}.", hint="Raise it.")
    return found


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


def _record(judgements: int, found: Sequence[Sequence[Ranked]], power: float) -> dict[str, Any]:
    """Systems are numbered from the best to the worst, so that the right order is that of their names."""
    right = np.array([[r.system for r in ranking] == sorted(r.system for r in ranking) for ranking in found])
    whole = np.array([ranking[-1].cluster == len(ranking) for ranking in found])
    separated = float(np.mean(whole & right))
    return {
        "judgements": judgements,
        "separated": separated,
        "ordered": float(np.mean(right)),
        "clusters": float(np.mean([ranking[-1].cluster for ranking in found])),
        "pairs_apart": float(np.mean([_pairs_apart(ranking) for ranking in found])),
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
        raise InputError(f"gap must be less than .5, not {gap:g}: a system cannot win more than all.", hint="Try .05.")
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
    pairs = pairs_of(data, "task", False)
    wins, tied = counts(pairs)
    ties = float(tied.sum() / 2 / max(1.0, wins.sum() + tied.sum() / 2))
    strength = np.sort(BradleyTerry(ties="drop").score(wins.astype(np.float64), tied.astype(np.float64)))[::-1]
    ties = min(ties, 0.9)
    abilities = np.array([math.copysign(step_of(_logistic(abs(s)) - 0.5, ties), s) if s else 0.0 for s in strength])
    return abilities, ties, pairs.notes


def _logistic(x: float) -> float:
    return min(1 / (1 + math.exp(-x)), 0.9999)
