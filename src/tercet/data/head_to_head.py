"""Every two systems against each other, as `head_to_head` counts and tests them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tercet.data.answer import Answer
from tercet.data.statistics import Array, Ints

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class HeadToHead(Answer):
    """Counts of wins and ties, what follows from them, and the tests, which are made once."""

    systems: tuple[str, ...]
    wins: Ints  # (systems, systems): row better than column
    ties: Ints
    p_values: Array  # of two-sided sign tests, ties dropped
    expected_wins: Array  # (systems,): the mean of a column

    def shares(self) -> Array:
        """Cell (row, column): the share of decided judgements in which the column beat the row, NaN without any."""
        decided = self.wins + self.wins.T
        with np.errstate(invalid="ignore"):
            share: Array = self.wins.T / decided
        return share

    def reordered(self, order: Ints) -> HeadToHead:
        """The same table with systems in another order."""
        grid = np.ix_(order, order)
        names = tuple(self.systems[i] for i in order)
        tables = self.wins[grid], self.ties[grid], self.p_values[grid]
        return HeadToHead(names, *tables, self.expected_wins[order])

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


def mark(p: float) -> str:
    """The sign of a level: p <= .01, .05, .10."""
    return next((sign for level, sign in MARKS if p <= level), "")
