"""Shares of wins: Expected Wins (WMT13) and the older "> others" and ">= others"."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet.data import Array
from tercet.metric_base import Card
from tercet.ranking.base import CountRanker
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class ExpectedWins(CountRanker):
    """The mean, over all other systems, of the share of decided judgements that a system wins."""

    name = "expected-wins"
    card = Card(
        title="Expected Wins",
        definition=(
            "score(i) = mean over the other systems j of wins(i, j) / (wins(i, j) + wins(j, i)). Ties are ignored; "
            "every opponent has the same weight."
        ),
        paper="Koehn (2012), Simulating human judgment in machine translation evaluation campaigns; Bojar et al. "
        "(2013), Findings of WMT13",
        scale="0 to 1, .5 on average; higher is better",
        reference="wmt-trueskill, infer_EW",
        differences=(
            "Two systems that were never decided between count as 0 for both (unseen=zero), as in the reference code; "
            "that punishes both. unseen=skip divides by the number of opponents seen, unseen=half counts .5.",
        ),
    )

    unseen: Literal["zero", "skip", "half"] = option("zero", "What an opponent counts with whom nothing was decided.")

    def score(self, wins: Array, ties: Array) -> Array:
        """The mean share of wins of each system."""
        n = wins.shape[-1]
        decided = wins + np.swapaxes(wins, -1, -2)
        other = 0.5 if self.unseen == "half" else 0.0
        share = np.divide(wins, decided, out=np.full_like(wins, other), where=decided > 0)
        share[..., np.arange(n), np.arange(n)] = 0.0
        opponents = (decided > 0).sum(axis=-1) if self.unseen == "skip" else np.array(n - 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean: Array = share.sum(axis=-1) / opponents
        return mean


@dataclasses.dataclass(frozen=True)
class Others(CountRanker):
    """The share of wins over all opponents together."""

    name = "others"
    card = Card(
        title="> others, >= others",
        definition=(
            "wins / (wins + losses) over all judgements of a system; with ties, (wins + ties) / (wins + ties + "
            "losses). Opponents weigh as much as they were met."
        ),
        paper="Bojar et al. (2011), A grain of salt for the WMT manual evaluation; Callison-Burch et al. (2011)",
        scale="0 to 1; higher is better",
        reference="the definition in the papers",
    )

    ties: bool = option(False, "Count ties as wins: >= others, as until WMT11.")

    def score(self, wins: Array, ties: Array) -> Array:
        """The share of each system."""
        won, lost, tied = wins.sum(axis=-1), wins.sum(axis=-2), ties.sum(axis=-1) if self.ties else 0.0
        with np.errstate(invalid="ignore"):
            share: Array = (won + tied) / (won + lost + tied)
        return share
