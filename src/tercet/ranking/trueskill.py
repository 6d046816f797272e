"""TrueSkill as WMT uses it (Sakaguchi et al. 2014), the official ranking from WMT14 to WMT16.

Every system has a belief N(mu, sigma^2). A run makes as many updates as there are judgements: it takes the system of
which least is known, an opponent that is likely to be near, and one of their judgements at random. Runs differ by
chance alone, so that a thousand of them give rank ranges as well as scores.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np

from tercet import kernels
from tercet.data import Array, Ints, Outcome, Pairs
from tercet.errors import InputError
from tercet.human.pairs import cells, matrices, n_cells
from tercet.limits import TEXT, Budget
from tercet.metric_base import Card
from tercet.options import MOST
from tercet.options.judging import Unit
from tercet.ranking.base import PAIR_FIRST, UNITS, Fitted, PairRanker, Sampling, by_unit
from tercet.ranking.clusters import name_order
from tercet.ranking.keys import KeyedCounts
from tercet.spec import option

Belief = tuple[float, float]  # mean and variance

MOST_PLAYERS = 100
_AT_ONCE = 50  # runs between two reports of progress
_POINT_RUNS = 20


class Counts:
    """Judgements as cells to be counted, and what two systems that meet find in the counts: all that there are."""

    def __init__(self, pairs: Pairs) -> None:
        self.systems = pairs.systems
        self.cell = cells(pairs)
        self.n_cells = n_cells(len(pairs.systems))

    def found(self, counted: Ints) -> Ints:
        """How many judgements found the first (row) better, both alike, its opponent (column) better."""
        wins, ties = matrices(counted, len(self.systems))
        return np.stack([wins, ties, wins.T], axis=2)


@dataclasses.dataclass(frozen=True)
class TrueSkill(PairRanker):
    """Means of mu over runs."""

    name = "trueskill"
    card = Card(
        title="TrueSkill for WMT",
        definition=(
            "Beliefs start at N(0, sigma^2) and are updated T times, T the number of judgements + 1; beta is "
            "sigma T / 40, and there are no dynamics. Each time: the system of largest variance, an opponent k "
            "with probability proportional to exp(-|mu - mu_k|), one of their judgements at random. The score is "
            "the mean of mu over runs."
        ),
        paper="Herbrich et al. (2006), TrueSkill; Sakaguchi et al. (2014), Efficient elicitation of annotations for "
        "human evaluation of machine translation",
        scale="mu, about 0 on average; higher is better",
        reference="wmt-trueskill, infer_TS",
        differences=(
            "Two systems without a judgement between them are never drawn; the reference code stops with an error.",
            "All judgements of two systems are drawn from. At WMT15 the reference code missed a part of them where two "
            "names collide in a hash table of Python 2, which moves means by up to 0.015; compat=true misses the same, "
            "but takes all where the reference finds none and stops.",
            "Runs are told apart by number, so that they come out the same on any number of threads.",
        ),
    )

    sigma: float = option(0.5, "Deviation of the beliefs at the start.")
    draw_probability: float = option(0.25, "Probability of a tie between equals; it sets the draw margin.")
    beta: float | None = option(None, "Deviation of a performance; sigma T / 40 if none.")
    updates: int | None = option(None, "Updates a run; the number of judgements + 1 if none.")
    players: int = option(2, "Systems that meet in an update: 2, or as many as a free-for-all has.")
    opponents: Literal["near", "uniform"] = option("near", "Opponents by nearness of mu, or any pair by its count.")
    resample: bool = option(False, "Draw a bootstrap sample of the judgements for each run, as WMT16 did.")
    compat: bool = option(False, "Draw only from judgements that the reference code finds, as WMT15 did.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1e-6 <= self.sigma <= 1e6, "sigma", "from 1e-6 to 1e6")
        self.require(0 <= self.draw_probability < 1, "draw_probability", "0 or more, and less than 1")
        self.require(self.beta is None or 1e-6 <= self.beta <= 1e12, "beta", "from 1e-6 to 1e12, or none")
        self.require(self.updates is None or 1 <= self.updates < MOST, "updates", "1 or more, or none")
        self.require(2 <= self.players <= MOST_PLAYERS, "players", f"from 2 to {MOST_PLAYERS}")
        plain = self.players == 2 or (self.opponents == "near" and not self.resample)
        self.require(plain, "players", "2 with opponents=uniform or resample=true")
        adaptive = self.players == 2 and self.opponents == "near"
        self.require(adaptive or not self.compat, "compat", "false with opponents=uniform or more players than 2")

    @property
    def units(self) -> tuple[Unit, ...]:
        """What WMT15 and WMT16 ran draws pairs, and so do matches of more than two."""
        if self.players > 2:
            return ("pair",)
        return PAIR_FIRST if self.compat or self.resample else UNITS

    def point(self, pairs: Pairs, seed: int, threads: int = 1) -> Array:
        """The mean of a few runs."""
        return self.fit(pairs, Sampling(samples=_POINT_RUNS, seed=seed, unit="pair", threads=threads)).scores

    def fit(self, data: Pairs, sampling: Sampling) -> Fitted:
        """Runs, and their mean."""
        if not len(data):
            raise InputError("TrueSkill has no judgements to go by.", hint="Check what was left out.")
        if self.players > 2:
            mu, variance = self._matches(data, sampling)
        elif sampling.unit == "pair" and not (self.compat and self.resample):
            mu, variance = self._runs(data, sampling)
        else:
            mu, variance = self._resampled(data, sampling)
        return Fitted(mu.mean(axis=0), mu, variance)

    def margin(self, beta: float) -> float:
        """The draw margin of two systems: the smallest difference of performances that is no tie."""
        return draw_margin(self.draw_probability, beta)

    def _setup(self, judgements: int) -> tuple[int, float]:
        updates = self.updates or judgements + 1
        return updates, self.beta or wmt_beta(updates, self.sigma)

    def _runs(self, pairs: Pairs, sampling: Sampling) -> tuple[Array, Array]:
        counts = self._counts(pairs)
        counted = np.bincount(counts.cell, minlength=counts.n_cells)
        runs = [
            self._kernel(counts, counted, number, first, sampling.seed, sampling.threads, self.resample)
            for first, number in sampling.chunks(_AT_ONCE)
        ]
        return _joined(runs)

    def _counts(self, pairs: Pairs) -> Counts | KeyedCounts:
        return KeyedCounts(pairs) if self.compat else Counts(pairs)

    def _kernel(
        self,
        counts: Counts | KeyedCounts,
        counted: Ints,
        runs: int,
        first: int,
        seed: int,
        threads: int,
        resample: bool = False,
    ) -> tuple[Array, Array]:
        updates, beta = self._setup(int(counted.sum()))
        return kernels.trueskill_runs(
            counts.found(counted),
            name_order(counts.systems),
            updates,
            runs,
            first,
            seed,
            self.sigma,
            beta,
            self.margin(beta),
            self.opponents == "near",
            resample,
            threads,
        )

    def _resampled(self, pairs: Pairs, sampling: Sampling) -> tuple[Array, Array]:
        """One run on each bootstrap sample of the judgements, by unit."""
        counts = self._counts(pairs)
        cell, starts = by_unit(pairs, sampling.unit, counts.cell)

        def run(first: int, drawn: Ints) -> tuple[Array, Array]:
            return self._kernel(counts, drawn, 1, first, sampling.seed, 1)

        runs: list[tuple[Array, Array]] = []
        with ThreadPoolExecutor(sampling.threads) as pool:
            for first, number in sampling.chunks(_AT_ONCE):
                drawn = kernels.sampled_counts(
                    cell, starts, counts.n_cells, number, first, sampling.seed, sampling.threads
                )
                runs += pool.map(run, range(first, first + number), drawn)
        return _joined(runs)

    def _matches(self, pairs: Pairs, sampling: Sampling) -> tuple[Array, Array]:
        sets, starts, ranks = matches(pairs, self.players)
        updates, beta = self._setup(len(ranks) // math.comb(self.players, 2))
        runs = [
            kernels.trueskill_matches(
                sets,
                starts,
                ranks,
                len(pairs.systems),
                name_order(pairs.systems),
                updates,
                number,
                first,
                sampling.seed,
                self.sigma,
                beta,
                self.margin(beta),
                sampling.threads,
            )
            for first, number in sampling.chunks(_AT_ONCE)
        ]
        return _joined(runs)


def _joined(runs: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    return np.concatenate([mu for mu, _ in runs]), np.concatenate([variance for _, variance in runs])


def wmt_beta(updates: int, sigma: float) -> float:
    """Beta grows with the updates to be made, so that their order matters little.

    >>> wmt_beta(1000, 0.5)
    12.5
    """
    return sigma * updates / 40


def draw_margin(draw_probability: float, beta: float) -> float:
    """The draw margin of a match of two.

    >>> round(draw_margin(0.25, 0.5), 6)
    0.225312
    """
    from scipy.special import ndtri

    return float(ndtri((draw_probability + 1) / 2) * math.sqrt(2) * beta)


def matches(pairs: Pairs, players: int) -> tuple[Ints, Ints, Ints]:
    """Every choice of `players` systems from every task: sets of systems, where each set begins, and the ranks."""
    by_set: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    ends = np.flatnonzero(np.diff(pairs.task, append=-1)) + 1
    budget = Budget(f"Every {players} systems of every task", "Choose fewer players: trueskill(players=2).")
    begin = 0
    for end in ends.tolist():
        left, right = pairs.left[begin:end].tolist(), pairs.right[begin:end].tolist()
        lost: dict[int, int] = dict.fromkeys(sorted({*left, *right}), 1)
        for a, b, outcome in zip(left, right, pairs.outcome[begin:end].tolist(), strict=True):
            lost[a] += outcome == Outcome.RIGHT_BETTER  # in a ranking, who loses more often stands lower
            lost[b] += outcome == Outcome.LEFT_BETTER
        budget.take(math.comb(len(lost), players) * (2 * TEXT + 16 * players))
        for chosen in itertools.combinations(lost, players):
            by_set.setdefault(chosen, []).append(tuple(lost[s] for s in chosen))
        begin = end
    if not by_set:
        raise InputError(
            f"No task ranks {players} systems or more.", hint="Choose fewer players: trueskill(players=2)."
        )
    starts = np.cumsum([0, *map(len, by_set.values())], dtype=np.int64)
    ranks = np.array([r for rows in by_set.values() for r in rows], dtype=np.int64)
    return np.array(list(by_set), dtype=np.int64), starts, ranks


def beliefs(pairs: Pairs, ranker: TrueSkill | None = None) -> dict[str, Belief]:
    """What is believed of each system after every judgement was used once, in the order in which they came."""
    how = ranker or TrueSkill()
    _, beta = how._setup(len(pairs))
    mu, variance = kernels.trueskill_follow(
        np.zeros(len(pairs.systems)),
        np.full(len(pairs.systems), how.sigma**2),
        pairs.left,
        pairs.right,
        pairs.outcome,
        beta,
        how.margin(beta),
    )
    return dict(zip(pairs.systems, zip(mu.tolist(), variance.tolist(), strict=True), strict=True))


def next_distribution(known: Mapping[str, Belief]) -> tuple[str, dict[str, float]]:
    """The system of which least is known, and the probability of each other one to be shown with it.

    >>> first, others = next_distribution({"A": (0.0, 0.2), "B": (0.0, 0.25), "C": (0.0, 0.1)})
    >>> first, others
    ('B', {'A': 0.5, 'C': 0.5})
    """
    if not all(math.isfinite(x) for belief in known.values() for x in belief):
        raise InputError("A belief has a mean or a variance that is no number.", hint="Give finite ones.")
    first = max(known, key=lambda s: (known[s][1], s))
    distances = {s: abs(known[first][0] - mu) for s, (mu, _) in known.items() if s != first}
    nearest = min(distances.values())  # taken off, so that far away ones do not all weigh nothing
    weights = {s: math.exp(nearest - distance) for s, distance in distances.items()}
    total = sum(weights.values())
    return first, {s: w / total for s, w in weights.items()}
