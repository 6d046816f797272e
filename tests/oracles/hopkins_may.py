"""The model of Hopkins and May, fitted by a stochastic fixed point."""

import math
import random
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple


class Judged(NamedTuple):
    """One pair of systems and its outcome: 0 if the left one was better, 1 if they tied, 2 if the right one was."""

    left: int
    right: int
    outcome: int


Task = list[Judged]
Segment = list[Task]


def adjust(one: float, other: float, outcome: int, radius: float) -> tuple[float, float]:
    """Both qualities, moved by the same amount, as little as makes them agree with the outcome."""
    if outcome == 2:
        right, left = adjust(other, one, 0, radius)
        return left, right
    apart = one - other
    wanted = max(apart, radius) if outcome == 0 else math.copysign(min(abs(apart), radius), apart)
    return one + (wanted - apart) / 2, other - (wanted - apart) / 2


def resampled(segments: Sequence[Segment], unit: str, rng: random.Random) -> list[Segment]:
    """As many units as there are, with replacement; a pair or task stays where it is, a segment may come twice."""
    if unit == "segment":
        return [rng.choice(segments) for _ in segments]
    out: list[Segment] = [[[] for _ in segment] for segment in segments]
    if unit == "pair":
        places = [(s, t, p) for s, segment in enumerate(segments) for t, task in enumerate(segment) for p in task]
        for s, t, pair in rng.choices(places, k=len(places)):
            out[s][t].append(pair)
    elif unit == "task":
        tasks = [(s, task) for s, segment in enumerate(segments) for task in segment]
        for s, task in rng.choices(tasks, k=len(tasks)):
            out[s].append(task)
    else:
        out = list(segments)
    filled = [[task for task in segment if task] for segment in out]
    return [segment for segment in filled if segment]


def run(
    segments: Sequence[Segment],
    n: int,
    iterations: int,
    burn_in: int,
    radius: float,
    sigmas: tuple[float, float, float],
    last_only: bool,
    rng: random.Random,
) -> list[float]:
    """The mean of each system, or NaN where it was never seen."""
    sigma_0, sigma_a, sigma_obs = sigmas
    mu = [rng.gauss(0, sigma_0) for _ in range(n)]
    mu = [value - fmean(mu) for value in mu]
    quality: list[dict[int, float]] = [{} for _ in range(n)]  # of each system: segment to value
    history: list[list[float]] = [[] for _ in range(n)]
    for i in range(iterations):
        for s, segment in enumerate(segments):
            values: list[list[float]] = [[] for _ in range(n)]
            for left, right, outcome in rng.choice(segment):
                one = rng.gauss(mu[left], sigma_a) + rng.gauss(0, sigma_obs)
                other = rng.gauss(mu[right], sigma_a) + rng.gauss(0, sigma_obs)
                one, other = adjust(one, other, outcome, radius)
                values[left].append(one)
                values[right].append(other)
            for j in range(n):
                if values[j]:
                    quality[j][s] = fmean(values[j])
        for j in range(n):
            if quality[j]:
                mu[j] = fmean(quality[j].values())
                if i >= burn_in:
                    history[j].append(mu[j])
    return [math.nan if not h else h[-1] if last_only else fmean(h) for h in history]
