"""Active collection: which outputs to show next, from what is believed of their systems (Sakaguchi et al. 2014).

Every system has a belief N(mu, variance), moved by each judgement as TrueSkill does. A segment is drawn, alike for all,
and then outputs of it: the first by the variance of its systems, with what is out on lease counted as if it were judged
already, so that of many who ask at once not all get the same; the others by how near they are to it. A tenth of the
draws is uniform. What is logged is the probability of the outputs that are shown, in any order, given the segment: a
task that weighs by `weight` counts as if all choices had been alike, and no weight is more than 1 / `UNIFORM`.

What is collected so is ranked by `RANKER`, for which each judgement counts alike. Rankers that look at every two
systems alike (expected wins, and TrueSkill as WMT has it, whose opponents are drawn almost uniformly from all that met)
rest as much on the few judgements of two systems far apart as on the many of near ones, and lose what the draw has won.
"""

from __future__ import annotations

import dataclasses
import math
import random
import statistics
from collections.abc import Sequence

import numpy as np

from tercet import kernels
from tercet.data import Array, Ints, Outcome
from tercet.ranking.trueskill import draw_margin

SIGMA = 0.5  # of a belief at the start
BETA = 1.0  # spread of a performance: what one judgement can tell
TIES = 0.25
UNIFORM = 0.1  # share of the draws
RANKER = "bradley-terry"
_FARTHEST = 600.0  # a distance whose odds are still a number
Outputs = Sequence[Sequence[int]]  # the systems of each


@dataclasses.dataclass(frozen=True)
class Draw:
    """Outputs by their places, in the order in which they were drawn, and the odds of these in any order."""

    outputs: tuple[int, ...]
    odds: float


class Beliefs:
    """What is believed of each system; a judgement moves it in constant time."""

    def __init__(self, n: int, uniform: float = UNIFORM) -> None:
        self.mu: Array = np.zeros(n)
        self.variance: Array = np.full(n, SIGMA**2)
        self.out = [0] * n  # outputs of each system that are on lease
        self.uniform = uniform
        self._margin = draw_margin(TIES, BETA)

    def forget(self) -> None:
        """Believe what was believed at the start; what is on lease stays so."""
        self.mu, self.variance = np.zeros_like(self.mu), np.full_like(self.variance, SIGMA**2)

    def learn(self, judged: Ints) -> None:
        """Follow judgements of two systems: a row (left, right, outcome) each."""
        left, right, outcome = np.ascontiguousarray(judged.T)
        self.mu, self.variance = kernels.trueskill_follow(
            self.mu, self.variance, left, right, outcome, BETA, self._margin
        )

    def first_odds(self, outputs: Outputs) -> list[float]:
        """The odds of each output to be drawn first: the variance of its systems, less what leases will tell."""
        precision = [1 / v + out / (2 * BETA**2) for v, out in zip(self.variance.tolist(), self.out, strict=True)]
        weights = [sum(1 / precision[s] for s in systems) for systems in outputs]
        total = sum(weights)
        return [w / total for w in weights]

    def draw(self, n: int, outputs: Outputs, rng: random.Random) -> Draw:
        """n of the outputs, or all of them, one after the other."""
        n = min(n, len(outputs))
        if rng.random() < self.uniform:
            drawn = rng.sample(range(len(outputs)), n)
        else:
            drawn = rng.choices(range(len(outputs)), self.first_odds(outputs))
            weights = self._near(drawn[0], outputs)
            while len(drawn) < n:
                left = [place for place in range(len(outputs)) if place not in drawn]
                drawn += rng.choices(left, [weights[place] for place in left])
        return Draw(tuple(drawn), self.odds(drawn, outputs))

    def odds(self, drawn: Sequence[int], outputs: Outputs) -> float:
        """The odds of `draw` to give these outputs, in any order."""
        alike = 1 / math.comb(len(outputs), len(drawn))
        if self.uniform == 1:
            return alike
        first, chance = self.first_odds(outputs), 0.0
        for one in drawn:
            weights = self._near(one, outputs)
            rest = sum(w for place, w in enumerate(weights) if place not in drawn)
            chance += first[one] * in_any_order([weights[place] for place in drawn if place != one], rest)
        return self.uniform * alike + (1 - self.uniform) * chance

    def _near(self, one: int, outputs: Outputs) -> list[float]:
        """How near each output is to one of them, in units of what is not known of that yet; itself is 0."""
        mu, variance = self.mu.tolist(), self.variance.tolist()
        sigma = math.sqrt(statistics.fmean(variance[s] for s in outputs[one]))
        means = [sum(mu[s] for s in systems) / len(systems) for systems in outputs]
        distances = [abs(means[one] - mean) / max(sigma, 1e-9) for mean in means]
        least = min((d for place, d in enumerate(distances) if place != one), default=0.0)
        return [
            0.0 if place == one else math.exp(max(-_FARTHEST, (least - d) / 2)) for place, d in enumerate(distances)
        ]


def in_any_order(weights: Sequence[float], rest: float) -> float:
    """The odds that all of these are drawn before anything else, one after the other, others weighing `rest`.

    >>> in_any_order([1.0], 3.0), in_any_order([1.0, 1.0], 2.0)
    (0.25, 0.16666666666666666)
    """
    whole = (1 << len(weights)) - 1
    left = [rest] * (whole + 1)  # the weight of what is left when some are drawn: added up, never taken off
    for drawn in range(whole - 1, -1, -1):
        first = (~drawn & (drawn + 1)).bit_length() - 1
        left[drawn] = left[drawn | 1 << first] + weights[first]
    chance = [1.0] + [0.0] * whole
    for drawn in range(1, whole + 1):
        for place, weight in enumerate(weights):
            if drawn >> place & 1:
                before = drawn ^ 1 << place
                chance[drawn] += chance[before] * weight / left[before]
    return chance[whole]


def weight(odds: float, n: int, outputs: int) -> float:
    """What a task of n of so many outputs weighs, if it is to count as if all choices had been alike.

    >>> weight(0.2, 2, 5)
    0.5
    """
    return 1 / (odds * math.comb(outputs, n))


def compared(systems: Sequence[Sequence[int]], ranks: Sequence[int]) -> Ints:
    """Judgements of two systems in one of several outputs, (left, right, outcome); those of one are not compared.

    >>> compared([[0, 2], [1]], [1, 2]).tolist()
    [[0, 1, 0], [2, 1, 0]]
    """
    judged = []
    for i, (ones, rank) in enumerate(zip(systems, ranks, strict=True)):
        for others, other in zip(systems[i + 1 :], ranks[i + 1 :], strict=True):
            outcome = Outcome.TIE + (rank > other) - (rank < other)
            judged += [(a, b, outcome) for a in ones for b in others]
    return np.array(judged, dtype=np.int64).reshape(-1, 3)
