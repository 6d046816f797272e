"""TrueSkill: one match, and every way in which a run of matches can go, with its probability."""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import trueskill

Beliefs = tuple[tuple[float, float], ...]  # mean and variance of each system
Counts = Sequence[Sequence[int]]
Found = Sequence[Sequence[Sequence[int]]]  # by system and opponent: how many found it better, both alike, it worse
Step = Callable[[Beliefs], Iterator[tuple[float, Beliefs]]]  # what a match may lead to, with its probability


def density(x: float) -> float:
    """Of the standard normal distribution."""
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def cumulative(x: float) -> float:
    """Of the standard normal distribution."""
    return math.erfc(-x / math.sqrt(2)) / 2


def rate_pair(
    winner: tuple[float, float], loser: tuple[float, float], tied: bool, beta: float, margin: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The closed form for two players, also beyond where probabilities are numbers."""
    (mu_w, var_w), (mu_l, var_l) = winner, loser
    c = math.sqrt(2 * beta**2 + var_w + var_l)
    t, e = (mu_w - mu_l) / c, margin / c
    if tied:
        chance = cumulative(e - t) - cumulative(-e - t)
        if chance < 2e-162:
            v, w = math.copysign(abs(t) - e, -t), 1.0
        else:
            v = (density(-e - t) - density(e - t)) / chance
            w = v**2 + ((e - t) * density(e - t) + (e + t) * density(e + t)) / chance
    elif (chance := cumulative(t - e)) < 2e-162:
        v, w = e - t, 1.0
    else:
        v = density(t - e) / chance
        w = v * (v + t - e)
    return (
        (mu_w + var_w / c * v, var_w * (1 - var_w / c**2 * w)),
        (mu_l - var_l / c * v, var_l * (1 - var_l / c**2 * w)),
    )


def rate(beliefs: Beliefs, ranks: Sequence[int], beta: float, margin: float) -> Beliefs:
    """A free-for-all by the package `trueskill`, with exact tails and the margin as it is."""
    exact = (cumulative, density, lambda _: margin / (math.sqrt(2) * beta))
    world = trueskill.TrueSkill(mu=0, sigma=1, beta=beta, tau=0, draw_probability=0.5, backend=exact)
    players = [(world.create_rating(mu, math.sqrt(variance)),) for mu, variance in beliefs]
    return tuple((one.mu, one.sigma**2) for (one,) in world.rate(players, ranks=ranks))


def first(beliefs: Beliefs, order: Sequence[int], plays: Sequence[bool]) -> int:
    """The system with the largest variance; of several, the one whose name sorts last."""
    return max((i for i in range(len(beliefs)) if plays[i]), key=lambda i: (beliefs[i][1], order[i]))


def nearness(beliefs: Beliefs, one: int, others: Sequence[int]) -> dict[int, float]:
    """The probability of each to be the opponent, in proportion to exp(-|difference of means|)."""
    apart = {i: abs(beliefs[one][0] - beliefs[i][0]) for i in others}
    weights = {i: math.exp(min(apart.values()) - d) for i, d in apart.items()}
    return {i: weight / sum(weights.values()) for i, weight in weights.items()}


def found_by_both(wins: Counts, ties: Counts) -> list[list[list[int]]]:
    """All judgements of two systems, whoever of them comes first."""
    n = len(wins)
    return [[[wins[i][j], ties[i][j], wins[j][i]] for j in range(n)] for i in range(n)]


def pair_step(found: Found, order: Sequence[int], adaptive: bool, beta: float, margin: float) -> Step:
    """A match of two: chosen by what is believed, or any judgement."""
    n = len(found)
    rivals = [[j for j in range(n) if any(found[i][j])] for i in range(n)]
    total = sum(sum(found[i][j]) for i, j in itertools.combinations(range(n), 2))

    def step(beliefs: Beliefs) -> Iterator[tuple[float, Beliefs]]:
        if adaptive:
            i = first(beliefs, order, [bool(r) for r in rivals])
            chosen = {(i, j): p for j, p in nearness(beliefs, i, rivals[i]).items()}
        else:
            pairs = itertools.combinations(range(n), 2)
            chosen = {(i, j): sum(found[i][j]) / total for i, j in pairs if j in rivals[i]}
        for (i, j), chance in chosen.items():
            for result, count in enumerate(found[i][j]):
                if count:
                    new = list(beliefs)
                    a, b = (j, i) if result == 2 else (i, j)
                    new[a], new[b] = rate_pair(beliefs[a], beliefs[b], result == 1, beta, margin)
                    yield chance * count / sum(found[i][j]), tuple(new)

    return step


def match_step(
    sets: Sequence[tuple[int, ...]],
    rankings: Sequence[Sequence[Sequence[int]]],
    order: Sequence[int],
    beta: float,
    margin: float,
) -> Step:
    """A match of all systems of a stored set: opponents are drawn until they are different and their set is stored."""
    n = len(order)
    rated = cache(rate)

    def step(beliefs: Beliefs) -> Iterator[tuple[float, Beliefs]]:
        i = first(beliefs, order, [any(j in s for s in sets) for j in range(n)])
        chances = [set_chance(beliefs, i, s) if i in s else 0.0 for s in sets]
        for members, found, chance in zip(sets, rankings, chances, strict=True):
            for ranks in found if chance else ():
                new = list(beliefs)
                for j, belief in zip(
                    members, rated(tuple(beliefs[j] for j in members), tuple(ranks), beta, margin), strict=True
                ):
                    new[j] = belief
                yield chance / sum(chances) / len(found), tuple(new)

    return step


def set_chance(beliefs: Beliefs, one: int, members: Sequence[int]) -> float:
    """The probability that the opponents are these, in any order, among all other systems."""
    total = 0.0
    for drawn in itertools.permutations(j for j in members if j != one):
        others = [j for j in range(len(beliefs)) if j != one]
        chance = 1.0
        for j in drawn:
            chance *= nearness(beliefs, one, others)[j]
            others.remove(j)
        total += chance
    return total


def leaves(step: Step, start: Beliefs, updates: int) -> dict[Beliefs, float]:
    """Everything a run can end with, and how probable it is."""
    states = {start: 1.0}
    for _ in range(updates):
        after: dict[Beliefs, float] = {}
        for state, chance in states.items():
            for probability, new in step(state):
                after[new] = after.get(new, 0.0) + chance * probability
        states = after
    return states


def run(step: Step, start: Beliefs, updates: int, rng: random.Random) -> Beliefs:
    """One run."""
    for _ in range(updates):
        chances, after = zip(*step(start), strict=True)
        (start,) = rng.choices(after, chances)
    return start
