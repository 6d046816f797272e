"""Active collection: odds of what is drawn, weights that undo them, beliefs that follow what counts."""

from __future__ import annotations

import collections
import itertools
import json
import math
import pathlib
import random
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.campaigns.active import UNIFORM, Beliefs, compared, weight
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.judged import standing
from tercet.campaigns.status import campaign_status
from tercet.campaigns.weighing import Duels, decided, shares
from tercet.data import Outcome, TestSet
from tercet.errors import InputError
from tercet.ranking.wins import ExpectedWins
from tests.campaigns.build import answer_all, created
from tests.server.processes import many

ALONE = [[0], [1], [2], [3]]


def test_draws_follow_what_is_not_known() -> None:
    beliefs = Beliefs(4)
    assert beliefs.first_odds(ALONE) == pytest.approx([0.25] * 4)
    beliefs.learn(np.array([(0, 1, Outcome.LEFT_BETTER)] * 50))
    odds = beliefs.first_odds(ALONE)
    assert min(odds[2:]) > max(odds[:2]) > 0
    beliefs.out[2] += 100  # many have it on lease: another is drawn
    assert beliefs.first_odds(ALONE)[2] < beliefs.first_odds(ALONE)[3]
    assert beliefs.first_odds([[0, 1], [2], [3]])[0] == pytest.approx(sum(beliefs.first_odds(ALONE)[:2]))


@pytest.mark.parametrize("outputs", [[[0], [1], [2], [3], [4]], [[0, 3], [1], [2], [4]]])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("uniform", [UNIFORM, 1.0])
def test_odds_are_those_of_what_is_shown_in_any_order(n: int, outputs: list[list[int]], uniform: float) -> None:
    beliefs, rng = Beliefs(5, uniform), random.Random(7)  # noqa: S311
    judged = [(0, 1, 0), (1, 2, 0), (0, 2, 1), (3, 4, 2)] * 9
    beliefs.learn(np.array(judged))
    beliefs.out[:] = [0, 3, 1, 0, 0]
    sets = list(itertools.combinations(range(len(outputs)), n))
    odds = {frozenset(some): beliefs.odds(some, outputs) for some in sets}
    assert sum(odds.values()) == pytest.approx(1, abs=1e-12)
    assert min(odds.values()) >= uniform / len(sets) * (1 - 1e-12)  # so no weight is more than 1 / uniform
    draws = [beliefs.draw(n, outputs, rng) for _ in range(4000)]
    assert all(draw.odds == pytest.approx(odds[frozenset(draw.outputs)], rel=1e-12) for draw in draws)
    seen = collections.Counter(frozenset(draw.outputs) for draw in draws)
    assert all(abs(seen[some] / 4000 - p) < 5 * (p / 4000) ** 0.5 for some, p in odds.items())


def test_odds_of_systems_far_apart_are_numbers() -> None:
    beliefs = Beliefs(6)
    beliefs.mu, beliefs.variance = np.linspace(0.0, 5e5, 6), np.full(6, 1e-9)
    odds = [beliefs.odds(some, [[s] for s in range(6)]) for some in itertools.combinations(range(6), 3)]
    assert all(math.isfinite(p) and p > 0 for p in odds)
    assert sum(odds) == pytest.approx(1, abs=1e-12)


def test_weighing_by_odds_undoes_the_draw() -> None:
    """Every course that three judgements can take, with its probability: no chance is left in this test."""
    chances = {(0, 1): (0.6, 0.1, 0.3), (0, 2): (0.9, 0.0, 0.1), (1, 2): (0.5, 0.3, 0.2)}  # of each outcome
    systems, depth = [[0], [1], [2]], 3
    weighed, plain = np.zeros((3, 3)), np.zeros((3, 3))

    def go_on(past: list[tuple[int, int, int]], chance: float, ours: Any, theirs: Any) -> None:
        if len(past) == depth:
            weighed.__iadd__(chance * ours)
            plain.__iadd__(chance * theirs)
            return
        beliefs = Beliefs(3)
        beliefs.learn(np.array([(0, 2, Outcome.LEFT_BETTER)] * 60 + past * 5))  # what is learnt decides what is drawn
        for (a, b), outcomes in chances.items():
            odds = beliefs.odds((a, b), systems)
            for outcome, p in enumerate(outcomes):
                won = np.zeros((3, 3))
                if outcome != Outcome.TIE:
                    won[(a, b) if outcome == Outcome.LEFT_BETTER else (b, a)] = 1
                more = (ours + won * weight(odds, 2, 3), theirs + won)
                go_on([*past, (a, b, outcome)], chance * odds * p, *more)

    go_on([], 1.0, np.zeros((3, 3)), np.zeros((3, 3)))
    truth = np.zeros((3, 3))  # wins that uniform choice is to give
    for (a, b), (first, _, second) in chances.items():
        truth[a, b], truth[b, a] = depth * first / 3, depth * second / 3
    np.testing.assert_allclose(weighed, truth, rtol=1e-12)
    assert np.abs(plain - truth).max() > 0.1
    share = [counted.sum(axis=1) / (counted.sum(axis=1) + counted.sum(axis=0)) for counted in (weighed, plain, truth)]
    np.testing.assert_allclose(share[0], share[2], rtol=1e-12)
    assert np.abs(share[1] - share[2]).max() > 0.02


def test_expected_wins_of_an_active_campaign_weigh_by_the_logged_odds(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "pairs", testset=many(20), assignment="active", items=40, annotators=1)
    with Campaign.open(path) as campaign:
        answer_all(campaign, "a1")
        wins = np.zeros((5, 5))
        for _, event, item in standing(campaign):
            left, right = (output["systems"][0] for output in item["outputs"])
            if event.body["answer"]["better"] != "same":
                won = (left, right) if event.body["answer"]["better"] == "first" else (right, left)
                wins[won] += 1 / (10 * item["odds"])  # of five systems, two can be drawn in ten ways
        judged, weighed = decided(campaign), np.zeros((5, 5))
        np.add.at(weighed, (judged.won, judged.lost), judged.weight)
        np.testing.assert_allclose(weighed, wins, rtol=1e-12)
        scores = ExpectedWins(unseen="skip").score(wins, np.zeros((5, 5)))
        told = {record["system"]: record["expected_wins"] for record in campaign_status(path)["wins"]}
        assert told == pytest.approx(dict(zip(campaign.material.systems, scores.tolist(), strict=True)), nan_ok=True)
        assert all(r["low"] < r["expected_wins"] < r["high"] for r in campaign_status(path)["wins"] if r["low"])
    assert campaign_status(created(tmp_path, "pairs", testset=many(3))[0])["wins"] == []


def collected(n: int, tasks: int, chance: Any, rng: random.Random) -> Duels:
    """Pairs that were drawn by what was learnt of those before; chance[a, b] is that of a against b."""
    beliefs, systems, rows = Beliefs(n), [[s] for s in range(n)], []
    for task in range(tasks):
        draw = beliefs.draw(2, systems, rng)
        first, second = draw.outputs
        outcome = Outcome.TIE
        if rng.random() < 0.8:
            better = rng.random() < chance[first, second]
            outcome = Outcome.LEFT_BETTER if better else Outcome.RIGHT_BETTER
            won = (first, second) if better else (second, first)
            rows.append((task, *won, weight(draw.odds, 2, n)))
        beliefs.learn(np.array([(first, second, outcome)]))
    table = np.array(rows)
    ids, winners, losers = table[:, :3].T.astype(np.int64)
    return Duels(ids, winners, losers, table[:, 3])


@pytest.mark.parametrize(("n", "tasks", "spread"), [(5, 150, 1.0), (6, 200, 3.0)])
def test_intervals_of_weighed_wins_hold(n: int, tasks: int, spread: float) -> None:
    skills, rng = np.linspace(0.0, spread, n), random.Random(1717)  # noqa: S311
    chance = 1 / (1 + np.exp(skills - skills[:, None]))
    truth = (chance.sum(axis=1) - 0.5) / (n - 1)
    held = []
    for _ in range(60):
        scores, low, high = shares(collected(n, tasks, chance, rng), n)
        assert (low < scores).all() and (scores < high).all()  # noqa: PT018
        held.append((low <= truth) & (truth <= high))
    assert 0.93 <= np.mean(held) <= 0.985


def test_weighed_wins_without_an_interval() -> None:
    """Nothing is lost, or nothing decided: there is no share between 0 and 1."""
    scores, low, high = shares(Duels(np.arange(3), np.zeros(3, np.int64), np.ones(3, np.int64), np.ones(3)), 3)
    np.testing.assert_array_equal(scores, [1.0, 0.0, np.nan])
    assert np.isnan([low, high]).all()


def test_outputs_that_are_all_alike_are_not_drawn(tmp_path: pathlib.Path) -> None:
    alike = TestSet.of({"A": ["x"], "B": ["x "]}, ["y"], sources=["z"])
    with pytest.raises(InputError, match="nothing to compare"):
        created(tmp_path, "pairs", testset=alike, assignment="active")


def test_an_active_campaign_spreads_and_ends(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "pairs", testset=many(20), assignment="active", items=60, annotators=8)
    with Campaign.open(path) as campaign:
        first = []
        for i in range(1, 9):  # all ask before anyone answers
            names, events = campaign.lease(campaign.state.annotators[f"a{i}"], 1)
            campaign.write(events)
            first += names
        assert campaign.active is not None
        assert sum(campaign.active.beliefs.out) == 2 * 60  # eight would be 80: the last ones got fewer
        drawn = [
            s
            for e in campaign.log.events()
            if e.kind == "leased"
            for i in e.body["items"]
            for o in i["outputs"]
            for s in o["systems"]
        ]
        assert len(set(drawn)) == 5
        assert all(0 < i["odds"] < 1 for e in campaign.log.events() if e.kind == "leased" for i in e.body["items"])
        done = sum(answer_all(campaign, f"a{i}") for i in range(1, 9))
        assert done == 60
        assert sum(campaign.active.beliefs.out) == 0
        with Campaign.open(path) as again:
            assert again.active is not None
            assert again.active.beliefs.mu.tolist() == campaign.active.beliefs.mu.tolist()
            assert again.active.beliefs.out == campaign.active.beliefs.out
    live, ranking = campaign_status(path), tercet.rank(path, method="bradley-terry")  # for which all judgements count
    assert live["ranking"]["records"] == ranking.as_records()
    assert any("bradley-terry" in note for note in live["notes"])


def test_pairs_of_shared_outputs() -> None:
    assert compared([[0], [1], [2]], [2, 2, 1]).tolist() == [
        [0, 1, Outcome.TIE],
        [0, 2, Outcome.RIGHT_BETTER],
        [1, 2, Outcome.RIGHT_BETTER],
    ]


def active(folder: pathlib.Path, **more: Any) -> pathlib.Path:
    tutorial = folder / "tutorial.jsonl"
    entry = {"source": "Haus", "reference": "house", "outputs": ["house", "home"], "feedback": "Look."}
    tutorial.write_text("".join(json.dumps(entry | {"expected": {}}) + "\n" for _ in range(3)))
    path: pathlib.Path = created(folder, "pairs", testset=many(20), assignment="active", tutorial=tutorial, **more)[0]
    return path


def test_a_tutorial_is_no_judgement_of_an_active_campaign(tmp_path: pathlib.Path) -> None:
    with Campaign.open(active(tmp_path, items=12, annotators=4)) as campaign:
        assert sum(answer_all(campaign, f"a{i}") for i in range(1, 5)) == 12 + 4 * 3


def test_a_tutorial_fills_no_quota_of_an_active_campaign(tmp_path: pathlib.Path) -> None:
    with Campaign.open(active(tmp_path, items=1000, annotators=1, quota=1)) as campaign:
        assert answer_all(campaign, "a1") == 3 + int(campaign.protocol.data["batch"])


def test_what_does_not_count_any_more_is_judged_again_and_not_believed(tmp_path: pathlib.Path) -> None:
    path = active(tmp_path, items=12, annotators=2)
    with Campaign.open(path) as campaign:
        assert campaign.active is not None
        start = campaign.active.beliefs.variance.tolist()
        assert answer_all(campaign, "a1") == 3 + 12
        told = campaign.active.beliefs.variance.tolist()
        campaign.write([campaign.undo(person := campaign.state.annotators["a1"], campaign.progress(person)["undo"])])
        assert answer_all(campaign, "a1") == 1  # the same again: it counts once
        campaign.active.relearn()
        assert campaign.active.beliefs.variance.tolist() == pytest.approx(told)
        campaign.write([campaign.decide("@o", "exclude", "a1", "clicks through")])
        assert answer_all(campaign, "a2") == 3 + 12
        theirs = campaign.active.beliefs
        assert 0 < theirs.variance.sum() < sum(start)  # which systems are drawn is left to chance
        with Campaign.open(path) as again:
            assert again.active is not None
            assert again.active.beliefs.variance.tolist() == theirs.variance.tolist()
