"""The seven smoothings of sentence BLEU that Chen and Cherry (2014) compare.

Each turns the matches of every order into n-gram precisions that are not 0. They are numbered as in the paper:

    1  an order without a match counts `value` matches (0.1)
    2  1 is added to matches and totals of order 2 and up (Lin and Och 2004)
    3  orders without a match count 1/2, 1/4, ... matches (NIST)
    4  as 3, but each halving is by `value` (5) over the logarithm of the length, so that short texts get less
    5  the matches of an order are averaged with those of its neighbours, the order below as it was smoothed
    6  from order 3 on, a precision is interpolated with what the two orders below lead to expect, which counts as
       `value` (5) n-grams (Gao and He 2013)
    7  4 where there is no match, and then 5
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from tercet.data import Array
from tercet.metrics.elementary import log

ChenCherry = Literal["chen-1", "chen-2", "chen-3", "chen-4", "chen-5", "chen-6", "chen-7"]
Smooth = Literal["exp", "floor", "add-k", "none"] | ChenCherry
VALUES = {"chen-1": 0.1, "chen-4": 5.0, "chen-6": 5.0, "chen-7": 5.0}
AVERAGED = ("chen-5", "chen-7")  # these need the matches of one order more


def smoothed_precisions(how: str, value: float, stats: Array, order: int) -> Array:
    """Precisions of each order, (..., order), NaN where there is no n-gram to be found.

    `stats` are those of BLEU: [hypothesis length, reference length, matches, totals, matches of the next order].

    >>> row = np.array([6.0, 6, 5, 2, 0, 0, 6, 5, 4, 3, 0])
    >>> smoothed_precisions("chen-3", 0, row, 4).round(3).tolist()
    [0.833, 0.4, 0.125, 0.083]
    >>> smoothed_precisions("chen-5", 0, row, 4).round(3).tolist()
    [0.722, 0.422, 0.176, 0.078]
    """
    matches, totals = stats[..., 2 : 2 + order], stats[..., 2 + order : 2 + 2 * order]
    with np.errstate(divide="ignore", invalid="ignore"):
        if how == "chen-1":
            matches = np.where(matches > 0, matches, value)
        elif how == "chen-2":
            added = np.minimum(np.arange(order), 1)
            return np.where(totals > 0, (matches + added) / (totals + added), np.nan)
        elif how == "chen-6":
            return _interpolated(matches, totals, value)
        if how in ("chen-3", "chen-4", "chen-7"):
            factor = 2.0 if how == "chen-3" else value / log(np.maximum(stats[..., 0], 2))
            matches = _geometric(matches, totals, factor)
        if how in AVERAGED:
            matches = _averaged(matches, stats[..., 2 + 2 * order])
        return np.where(totals > 0, matches / totals, np.nan)


def _geometric(matches: Array, totals: Array, factor: float | Array) -> Array:
    """1 / factor, 1 / factor², ... matches for orders that have none."""
    smallest = np.ones(matches.shape[:-1])
    smoothed = []
    for n in range(matches.shape[-1]):
        none = (matches[..., n] == 0) & (totals[..., n] > 0)
        smallest = np.where(none, smallest / factor, smallest)
        smoothed.append(np.where(none, smallest, matches[..., n]))
    return np.stack(smoothed, axis=-1)


def _averaged(matches: Array, beyond: Array) -> Array:
    """The mean of an order's matches with those of its neighbours; below the first there is one match more."""
    above = np.concatenate([matches[..., 1:], beyond[..., None]], axis=-1)
    below = matches[..., 0] + 1
    means = []
    for n in range(matches.shape[-1]):
        below = (below + matches[..., n] + above[..., n]) / 3
        means.append(below)
    return np.stack(means, axis=-1)


def _interpolated(matches: Array, totals: Array, weight: float) -> Array:
    """From order 3 on, the ratio of the two precisions below is expected to go on."""
    precisions = [
        np.where(totals[..., n] > 0, matches[..., n] / totals[..., n], np.nan) for n in range(matches.shape[-1])
    ]
    for n in range(2, len(precisions)):
        expected = np.where(precisions[n - 2] > 0, precisions[n - 1] ** 2 / precisions[n - 2], 0.0)
        mixed = (matches[..., n] + weight * expected) / (totals[..., n] + weight)
        precisions[n] = np.where(totals[..., n] > 0, mixed, np.nan)
    return np.stack(precisions, axis=-1)
