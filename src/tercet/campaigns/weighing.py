"""Expected wins of an active campaign, as if every choice of outputs had been as likely as any other.

Near systems are shown together more often than others, and more often while it goes well or badly for them: shares of
wins as they were collected lean with the draw. Tasks that weigh by the inverse of their odds (`active.weight`) do not:
sums of such weights have the expectation that they would have under uniform choice, whatever was believed meanwhile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet.campaigns.active import compared, weight
from tercet.campaigns.campaign import Campaign, ranks_of
from tercet.campaigns.judged import standing
from tercet.data import Array, Outcome
from tercet.ranking.wins import ExpectedWins


def weighted_counts(campaign: Campaign) -> tuple[Array, Array]:
    """wins[i, j] and ties[i, j] as in `tercet.human.pairs.counts`, with the weights of the tasks; drawn ones alone."""
    material = campaign.material
    wins = np.zeros((len(material.systems), len(material.systems)))
    ties = np.zeros_like(wins)
    n_outputs: dict[int, int] = {}  # different ones, by passage
    for _, event, item in standing(campaign):
        if "odds" not in item:
            continue
        passage, systems = item["passage"], [output["systems"] for output in item["outputs"]]
        if passage not in n_outputs:
            n_outputs[passage] = len(material.twins(passage))
        worth = weight(item["odds"], len(systems), n_outputs[passage])
        for left, right, outcome in compared(systems, ranks_of(campaign.protocol, event.body["answer"])).tolist():
            if outcome == Outcome.TIE:
                ties[left, right] += worth
                ties[right, left] += worth
            else:
                won, lost = (left, right) if outcome == Outcome.LEFT_BETTER else (right, left)
                wins[won, lost] += worth
    return wins, ties


def weighted_wins(campaign: Campaign) -> list[dict[str, Any]]:
    """A record a system of an active campaign, the best first; none where nothing was drawn, or is decided yet."""
    if campaign.active is None:
        return []
    wins, ties = weighted_counts(campaign)
    if not wins.any():
        return []
    scores = ExpectedWins(unseen="skip").score(wins, ties)
    order = np.argsort(-scores, kind="stable").tolist()
    return [{"system": campaign.material.systems[s], "expected_wins": float(scores[s])} for s in order]
