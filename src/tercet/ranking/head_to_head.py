"""Every two systems against each other: shares of wins, counts, and the sign test of each.

Judgements of a segment hang together. So the test counts segments: each is won by the system that won more of its
judgements. The published tables of WMT count judgements, as if these were independent (`compat`).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tercet.data import Array, Ints, Outcome, Pairs
from tercet.data.answer import Answer
from tercet.human.pairs import counts
from tercet.ranking.wins import ExpectedWins
from tercet.stats.agreement import groups
from tercet.stats.classical import sign_test

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HeadToHead(Answer):
    """Counts of wins and ties, what follows from them, and the tests, which are made once."""

    systems: tuple[str, ...]
    wins: Ints  # (systems, systems): row better than column
    ties: Ints
    p_values: Array  # of two-sided sign tests, ties dropped

    @classmethod
    def of(cls, pairs: Pairs, *, compat: bool = False) -> HeadToHead:
        """The table of pairwise outcomes."""
        wins, ties = counts(pairs)
        tested = wins if compat else segments_won(pairs)
        return cls(pairs.systems, wins, ties, sign_test(tested, tested.T))

    def shares(self) -> Array:
        """Cell (row, column): the share of decided judgements in which the column beat the row, NaN without any."""
        decided = self.wins + self.wins.T
        with np.errstate(invalid="ignore"):
            share: Array = self.wins.T / decided
        return share

    def expected_wins(self) -> Array:
        """The expected wins of each system: the mean of its column."""
        return ExpectedWins().score(self.wins.astype(np.float64), self.ties.astype(np.float64))

    def reordered(self, order: Ints) -> HeadToHead:
        """The same table with systems in another order."""
        grid = np.ix_(order, order)
        return HeadToHead(tuple(self.systems[i] for i in order), self.wins[grid], self.ties[grid], self.p_values[grid])

    def as_records(self) -> list[dict[str, Any]]:
        """One record for every two systems, in both directions."""
        shares, p = self.shares(), self.p_values
        return [
            {
                "row": row,
                "column": column,
                "share": float(shares[i, j]),
                "wins": int(self.wins[j, i]),
                "losses": int(self.wins[i, j]),
                "ties": int(self.ties[i, j]),
                "p_value": float(p[i, j]),
                "mark": mark(float(p[i, j])),
            }
            for i, row in enumerate(self.systems)
            for j, column in enumerate(self.systems)
            if i != j
        ]


def segments_won(pairs: Pairs) -> Ints:
    """[row, column]: in how many segments the row won more judgements against the column than it lost."""
    n = len(pairs.systems)
    swap = pairs.left > pairs.right
    low, high = np.where(swap, pairs.right, pairs.left), np.where(swap, pairs.left, pairs.right)
    net = np.where(swap, -1, 1) * (Outcome.TIE - pairs.outcome)
    met = groups(pairs.segment, low, high)
    first = np.unique(met, return_index=True)[1]
    won = np.bincount(met, net)
    n_won = np.zeros((n, n), dtype=np.int64)
    np.add.at(n_won, (low[first], high[first]), won > 0)
    np.add.at(n_won, (high[first], low[first]), won < 0)
    return n_won


def mark(p: float) -> str:
    """The sign of a level: p <= .01, .05, .10."""
    return next((sign for level, sign in MARKS if p <= level), "")
