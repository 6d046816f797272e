"""Every two systems against each other: shares of wins, counts, and the sign test of each.

Judgements of a segment hang together. So the test counts segments: each is won by the system that won more of its
judgements. The published tables of WMT count judgements, as if these were independent (`compat`).
"""

from __future__ import annotations

import numpy as np

from tercet.data import Ints, Outcome, Pairs
from tercet.data.head_to_head import HeadToHead
from tercet.human.pairs import counts
from tercet.ranking.wins import ExpectedWins
from tercet.stats.agreement import groups
from tercet.stats.classical import sign_test


def pair_tests(pairs: Pairs, *, compat: bool = False) -> HeadToHead:
    """The table of pairwise outcomes."""
    wins, ties = counts(pairs)
    tested = wins if compat else segments_won(pairs)
    expected = ExpectedWins().score(wins.astype(np.float64), ties.astype(np.float64))
    return HeadToHead(pairs.systems, wins, ties, sign_test(tested, tested.T), expected)


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
