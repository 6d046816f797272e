"""Planning: simulated campaigns have the abilities that they were given, and answers agree with theory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

import tercet
from tercet.data import Outcome
from tercet.errors import InputError
from tercet.human.pairs import counts
from tercet.ranking.bradley_terry import BradleyTerry
from tercet.ranking.plan import decided_share, scores_of, simulated, step_of
from tercet.sample import judgements
from tests.ranking.build import assessments, rankings


@pytest.mark.parametrize(("gap", "ties"), [(0.05, 0.25), (0.2, 0.0), (0.3, 0.6)])
def test_simulated_judgements_have_the_shares_that_were_asked_for(gap: float, ties: float) -> None:
    step = step_of(gap, ties)
    assert decided_share(step, ties) == pytest.approx(0.5 + gap)
    n = 40_000
    found = simulated(np.array([step, 0.0]), n, 2, ties, np.random.default_rng(1))
    wins, _ = counts(found)
    decided = wins.sum()
    assert wins[0, 1] / decided == pytest.approx(0.5 + gap, abs=4 * math.sqrt(0.25 / decided))
    equal = simulated(np.zeros(2), n, 2, ties, np.random.default_rng(2))
    assert (equal.outcome == Outcome.TIE).mean() == pytest.approx(ties, abs=4 * math.sqrt(0.25 / n))


def test_bradley_terry_finds_the_abilities_again() -> None:
    """Without ties the simulation is Bradley and Terry's model itself."""
    abilities = np.array([1.0, 0.4, 0.0, -0.9])
    found = simulated(abilities, 200_000, 4, 0.0, np.random.default_rng(3))
    wins, ties = counts(found)
    strengths = BradleyTerry(prior=0).score(wins.astype(float), ties.astype(float))
    np.testing.assert_allclose(strengths, abilities - abilities.mean(), atol=0.02)


@pytest.mark.thorough
def test_two_systems_separate_as_often_as_theory_says() -> None:
    """The share of bootstrap samples that turn the order round is about the normal tail of the observed share."""
    gap, n, campaigns = 0.1, 250, 400
    found = tercet.plan(systems=2, gap=gap, ties=0.0, size=2, budget=n, campaigns=campaigns, samples=400, seed=3)
    at = next(r for r in found.as_records() if r["judgements"] == n)
    # separated when the observed share is so far above .5 that 97.5 % of resamples stay above it
    share, deviation = 0.5 + gap, math.sqrt((0.5 + gap) * (0.5 - gap) / n)
    theory = scipy.stats.norm.sf(1.96 - (share - 0.5) / deviation)
    assert at["separated"] == pytest.approx(theory, abs=4 * math.sqrt(0.25 / campaigns))


def test_more_judgements_and_wider_gaps_help() -> None:
    near = tercet.plan(systems=3, gap=0.05, budget=2000, campaigns=40, samples=100)
    far = tercet.plan(systems=3, gap=0.2, budget=2000, campaigns=40, samples=100)
    assert near.records[-1]["separated"] > near.records[0]["separated"]
    assert far.records[-1]["separated"] > near.records[-1]["separated"]
    assert far.enough is not None
    assert f"{far.enough} judgements keep all systems apart" in far.answer
    assert near.enough is None
    assert near.answer.startswith("Not even 2000 judgements")


@pytest.mark.parametrize("method", ["expected-wins", "trueskill", "bradley-terry"])
def test_every_ranker_of_pairs_can_be_planned_with(method: str) -> None:
    found = tercet.plan(systems=2, gap=0.3, method=method, budget=1000, campaigns=10, samples=50)
    assert found.records[-1]["ordered"] == 1.0
    assert method in found.signature


def test_scores_are_planned_with_in_deviations() -> None:
    data = scores_of(np.array([0.5, 0.0]), 40_000, np.random.default_rng(4))
    means = [data.score[data.system == s].mean() for s in (0, 1)]
    assert means == pytest.approx([0.5, 0.0], abs=0.04)
    found = tercet.plan(systems=2, gap=0.5, method="da(standardize=given)", budget=1000, campaigns=20, samples=40)
    assert found.records[-1]["separated"] == 1.0


def test_a_pilot_gives_abilities() -> None:
    found = tercet.plan(judgements("en-de"), budget=2000, campaigns=5, samples=50)
    assert "systems:5" in found.signature
    assert found.records[-1]["clusters"] > 3


def test_the_next_systems_are_those_of_which_least_is_known() -> None:
    data = rankings(*["1 j: A=1 B=2 C=3"] * 30, "2 j: D=1 A=2", systems=["A", "B", "C", "D"])
    shown = {tuple(tercet.propose_next(data, n=2, seed=seed)) for seed in range(30)}
    assert {first for first, _ in shown} == {"D"}
    assert {second for _, second in shown} == {"A", "B", "C"}
    assert sorted(tercet.propose_next(data)) == ["A", "B", "C", "D"]
    with pytest.raises(InputError, match="n must be from 2 to the 4 systems"):
        tercet.propose_next(data, n=5)


@pytest.mark.parametrize(
    "options",
    [
        {"systems": 1},
        {"gap": 0},
        {"gap": 0.5},
        {"budget": 1},
        {"ties": 1.0},
        {"size": 1},
        {"campaigns": 0},
        {"power": 2},
    ],
)
def test_nonsense_is_refused(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(options))} must be"):
        tercet.plan(**options)  # type: ignore[arg-type]


def test_a_pilot_of_scores_is_refused() -> None:
    with pytest.raises(InputError, match="no rankings to estimate"):
        tercet.plan(assessments([("j", "a", "1", 1.0)]))
    with pytest.raises(InputError, match="no rankings"):
        tercet.propose_next(assessments([("j", "a", "1", 1.0)]))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"confidence": 2}, "confidence must be a number between"),
        ({"seed": -1}, "seed must be"),
        ({"budget": 100.5}, "budget must be"),
        ({"systems": 2.5}, "systems must be"),
        ({"systems": 50, "budget": 20}, "budget must be 50 or more"),
        ({"method": "mqm"}, "mark errors are not simulated"),
        ({"method": "da", "judgements": judgements("en-de")}, "does not say how those vary"),
    ],
)
def test_what_cannot_be_planned(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        tercet.plan(**options)


def test_few_scores_of_many_systems_start_with_one_each() -> None:
    found = tercet.plan(systems=5, method="da", budget=200, campaigns=2, samples=20)
    assert found.records[0]["judgements"] >= 5


def test_beliefs_may_lie_far_apart() -> None:
    assert tercet.propose_next({"A": (0.0, 1.0), "B": (5000.0, 0.5), "C": (9000.0, 0.5)}, n=2) == ["A", "B"]
    with pytest.raises(InputError, match="no number"):
        tercet.propose_next({"A": (math.nan, 1.0), "B": (0.0, 0.5)}, n=2)


@pytest.mark.thorough
def test_the_answer_does_not_hang_on_the_budget() -> None:
    """Theory for two systems at a gap of .1 without ties: (1.96 + .84)^2 * .24 / .01, some 190 judgements."""
    answers = [
        tercet.plan(gap=0.1, ties=0.0, size=2, budget=b, campaigns=200, seed=1).enough for b in (700, 1000, 1600)
    ]
    assert all(a is not None and 150 < a < 240 for a in answers), answers


def test_records_say_what_is_enough_and_which_pairs_are_apart() -> None:
    found = tercet.plan(systems=3, gap=0.25, budget=1000, campaigns=20, samples=100)
    assert [r["enough"] for r in found.records] == [r["separated"] >= 0.8 for r in found.records]
    assert all(r["separated"] <= r["pairs_apart"] <= 1 for r in found.records)


def test_many_systems_far_away_can_be_drawn() -> None:
    assert sorted(tercet.propose_next({"A": (0.0, 1.0), "B": (1.0, 0.5), "C": (3000.0, 0.5)}, n=3)) == ["A", "B", "C"]


def test_a_pilot_of_one_system_is_refused() -> None:
    with pytest.raises(InputError, match="no two outputs"):
        tercet.plan(rankings("1 j: A=1"))
