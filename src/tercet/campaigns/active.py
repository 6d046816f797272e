"""Active collection: which systems to show next, from what is believed of them (Sakaguchi et al. 2014).

Every system has a belief N(mu, variance), moved by each judgement as TrueSkill does. The first system is drawn by its
variance, with what is out on lease counted as if it were judged already: of many who ask at once, not all get the same.
The others are drawn by how near they are. A tenth of all draws is uniform, so that every choice has some odds; the odds
of each are written into the log, and estimates that weigh by their inverse stay unbiased.

What is collected so is ranked by `RANKER`, for which each judgement counts alike. Rankers that look at every two
systems alike (expected wins, and TrueSkill as WMT has it, whose opponents are drawn almost uniformly from all that met)
rest as much on the few judgements of two systems far apart as on the many of near ones, and lose what the draw has won.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Iterable, Sequence

import numpy as np

from tercet import kernels
from tercet.data import Outcome
from tercet.ranking.trueskill import draw_margin

SIGMA = 0.5  # of a belief at the start
BETA = 1.0  # spread of a performance: what one judgement can tell
TIES = 0.25
UNIFORM = 0.1  # share of the draws
RANKER = "bradley-terry"
_RANKS = {Outcome.LEFT_BETTER: (1, 2), Outcome.TIE: (1, 1), Outcome.RIGHT_BETTER: (2, 1)}


@dataclasses.dataclass(frozen=True)
class Draw:
    """Systems in the order in which they were drawn, and the odds of this very draw."""

    systems: tuple[int, ...]
    odds: float


class Beliefs:
    """What is believed of each system; a judgement moves it in constant time."""

    def __init__(self, n: int) -> None:
        self.mu, self.variance = np.zeros(n), np.full(n, SIGMA**2)
        self.out = [0] * n  # outputs of each system that are on lease
        self._margin = draw_margin(TIES, BETA)

    def forget(self) -> None:
        """Believe what was believed at the start; what is on lease stays so."""
        self.mu[:], self.variance[:] = 0.0, SIGMA**2

    def learn(self, judged: Iterable[tuple[int, int, Outcome]]) -> None:
        """Follow judgements of two systems."""
        for a, b, outcome in judged:
            two = [a, b]
            ranks = np.array(_RANKS[outcome])
            self.mu[two], self.variance[two] = kernels.trueskill_rate(
                self.mu[two], self.variance[two], ranks, BETA, self._margin
            )

    def first_odds(self) -> list[float]:
        """The odds of each system to be drawn first: its variance, less what will be known when leases are answered."""
        precision = [1 / float(v) + out / (2 * BETA**2) for v, out in zip(self.variance, self.out, strict=True)]
        weights = [1 / p for p in precision]
        total, n = sum(weights), len(weights)
        return [UNIFORM / n + (1 - UNIFORM) * w / total for w in weights]

    def draw(self, n: int, rng: random.Random) -> Draw:
        """n systems, one after the other, each by its odds among those that are left."""
        odds = self.first_odds()
        first = rng.choices(range(len(odds)), odds)[0]
        drawn, chance = [first], odds[first]
        while len(drawn) < min(n, len(odds)):
            left = [s for s in range(len(odds)) if s not in drawn]
            near = _near(float(self.mu[first]), [float(self.mu[s]) for s in left], math.sqrt(self.variance[first]))
            place = rng.choices(range(len(left)), near)[0]
            chance *= near[place]
            drawn.append(left[place])
        return Draw(tuple(drawn), chance)


def _near(mu: float, others: Sequence[float], sigma: float) -> list[float]:
    """Odds by nearness, in units of what is not known yet; a tenth of them is uniform."""
    distances = [abs(mu - other) / max(sigma, 1e-9) for other in others]
    least = min(distances)
    weights = [math.exp((least - d) / 2) for d in distances]
    total, n = sum(weights), len(weights)
    return [UNIFORM / n + (1 - UNIFORM) * w / total for w in weights]


def compared(systems: Sequence[Sequence[int]], ranks: Sequence[int]) -> list[tuple[int, int, Outcome]]:
    """Judgements of two systems in one of several outputs; those of one output are not compared.

    >>> compared([[0, 2], [1]], [1, 2])
    [(0, 1, <Outcome.LEFT_BETTER: 0>), (2, 1, <Outcome.LEFT_BETTER: 0>)]
    """
    judged = []
    for i, (ones, rank) in enumerate(zip(systems, ranks, strict=True)):
        for others, other in zip(systems[i + 1 :], ranks[i + 1 :], strict=True):
            outcome = Outcome(1 + (rank > other) - (rank < other))
            judged += [(a, b, outcome) for a in ones for b in others]
    return judged
