"""Every two systems against each other: shares of wins, counts, and the sign test of each."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tercet.data import Array, Ints, Pairs
from tercet.human.pairs import counts
from tercet.stats.classical import sign_test

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclasses.dataclass(frozen=True, eq=False)
class HeadToHead:
    """Counts of wins and ties, and what follows from them."""

    systems: tuple[str, ...]
    wins: Ints  # (systems, systems): row better than column
    ties: Ints

    @classmethod
    def of(cls, pairs: Pairs) -> HeadToHead:
        """The table of pairwise outcomes."""
        return cls(pairs.systems, *counts(pairs))

    def shares(self) -> Array:
        """Cell (row, column): the share of decided judgements in which the column beat the row, NaN without any."""
        decided = self.wins + self.wins.T
        with np.errstate(invalid="ignore"):
            share: Array = self.wins.T / decided
        return share

    def p_values(self) -> Array:
        """Two-sided sign tests, ties dropped."""
        return sign_test(self.wins, self.wins.T)

    def reordered(self, order: Ints) -> HeadToHead:
        """The same table with systems in another order."""
        grid = np.ix_(order, order)
        return HeadToHead(tuple(self.systems[i] for i in order), self.wins[grid], self.ties[grid])

    def as_records(self) -> list[dict[str, Any]]:
        """One record for every two systems, in both directions."""
        shares, p = self.shares(), self.p_values()
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


def mark(p: float) -> str:
    """The sign of a level: p <= .01, .05, .10."""
    return next((sign for level, sign in MARKS if p <= level), "")
