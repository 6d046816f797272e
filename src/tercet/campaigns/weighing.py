"""Expected wins of an active campaign, as if every choice of outputs had been as likely as any other.

Near systems are shown together more often than others, and more often while it goes well or badly for them: shares of
wins as they were collected lean with the draw. Tasks that weigh by the inverse of their odds (`active.weight`) do not:
sums of such weights have the expectation that they would have under uniform choice, whatever was believed meanwhile.

The interval sums up the squares of what each task moves a system's score by, to first order. Tasks are the steps of a
martingale, so that these squares tell its variance although each draw depends on all answers before it. Where two
systems have met seldom, squares alone are too small: one win of each over the other, of the usual weight, is added
there, and a task moves the more, the more of the weight it has. (Of six such ways the one that held in simulations of
5 and 10 systems with 100 to 3000 pairs.) The ends are those of the logit, so that they are shares, too.
"""

from __future__ import annotations

import statistics
from typing import Any, NamedTuple

import numpy as np

from tercet.campaigns.active import compared, weight
from tercet.campaigns.campaign import Campaign, ranks_of
from tercet.campaigns.judged import standing
from tercet.data import Array, Ints, Outcome
from tercet.ranking.wins import ExpectedWins

_WIDTH = statistics.NormalDist().inv_cdf(0.975)


class Duels(NamedTuple):
    """Judgements of two systems that are no ties: the task that each is of, who won, who lost, and what it weighs."""

    task: Ints
    won: Ints
    lost: Ints
    weight: Array


def decided(campaign: Campaign) -> Duels:
    """What was decided by the tasks that were drawn."""
    rows: list[tuple[int, int, int, float]] = []
    n_outputs: dict[int, int] = {}  # different ones, by passage
    drawn = ((event, item) for _, event, item in standing(campaign) if "odds" in item)
    for task, (event, item) in enumerate(drawn):
        passage, systems = item["passage"], [output["systems"] for output in item["outputs"]]
        if passage not in n_outputs:
            n_outputs[passage] = len(campaign.material.twins(passage))
        worth = weight(item["odds"], len(systems), n_outputs[passage])
        for left, right, outcome in compared(systems, ranks_of(campaign.protocol, event.body["answer"])).tolist():
            if outcome != Outcome.TIE:
                won, lost = (left, right) if outcome == Outcome.LEFT_BETTER else (right, left)
                rows.append((task, won, lost, worth))
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    tasks, winners, losers = table[:, :3].T.astype(np.int64)
    return Duels(tasks, winners, losers, table[:, 3])


def shares(judged: Duels, n: int) -> Array:
    """Expected wins of n systems and the ends of their intervals of 95 %, (3, n); NaN where there is none."""
    wins = np.zeros((n, n))
    np.add.at(wins, (judged.won, judged.lost), judged.weight)
    scores = ExpectedWins(unseen="skip").score(wins, np.zeros_like(wins))
    squares = np.zeros((n, n))
    np.add.at(squares, (judged.won, judged.lost), judged.weight**2)
    pair = (judged.won, judged.lost)
    both = (wins + wins.T)[pair]
    usual = (squares + squares.T)[pair] / both  # weight of a judgement of these two
    missed = (wins.T[pair] + usual) / (both + 2 * usual)  # the share that the winner lacks
    moved = missed * judged.weight / both / (1 - judged.weight / (both + 2 * usual))
    opponents = (wins + wins.T > 0).sum(axis=-1)
    by_task = np.zeros((int(judged.task.max(initial=-1)) + 1, n))
    np.add.at(by_task, (judged.task, judged.won), moved / opponents[judged.won])
    np.add.at(by_task, (judged.task, judged.lost), -moved / opponents[judged.lost])
    within = (scores > 0) & (scores < 1)
    share = np.where(within, scores, np.nan)
    odds, half = np.log(share / (1 - share)), _WIDTH * np.sqrt((by_task**2).sum(axis=0)) / (share * (1 - share))
    return np.stack([scores, 1 / (1 + np.exp(half - odds)), 1 / (1 + np.exp(-half - odds))])


def weighted_wins(campaign: Campaign) -> list[dict[str, Any]]:
    """A record a system of an active campaign, the best first; none where nothing was drawn, or is decided yet."""
    if campaign.active is None:
        return []
    judged, systems = decided(campaign), campaign.material.systems
    if not len(judged.weight):
        return []
    scores, low, high = shares(judged, len(systems))
    order = np.argsort(-scores, kind="stable").tolist()
    return [
        {"system": systems[s], "expected_wins": float(scores[s]), "low": float(low[s]), "high": float(high[s])}
        for s in order
    ]
