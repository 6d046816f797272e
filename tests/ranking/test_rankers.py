"""Every registered ranker keeps the same promises; each has figures of its own besides."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import scipy.optimize

from tercet.data import Assessments, Errors, Pairs
from tercet.errors import InputError, SpecError
from tercet.options.judging import Unit
from tercet.ranking import RANKERS, Ranker, ranker
from tercet.ranking.base import Sampling, by_unit
from tercet.ranking.bradley_terry import BradleyTerry
from tercet.ranking.rank import ranked
from tercet.ranking.trueskill import TrueSkill, beliefs, matches
from tercet.ranking.wins import ExpectedWins, Others
from tercet.sample import judgements
from tests.ranking.build import assessments, pairs, rankings

WINS = [[0, 30, 60, 80], [20, 0, 40, 70], [10, 20, 0, 45], [5, 10, 25, 0]]
TIES = [[0, 10, 5, 5], [10, 0, 8, 3], [5, 8, 0, 9], [5, 3, 9, 0]]
SHORT = Sampling(samples=40, seed=7)
VARIANTS = (
    *RANKERS,
    "expected-wins(unseen=skip)",
    "expected-wins(unseen=half)",
    "others(ties=true)",
    "bradley-terry(ties=drop)",
    "hopkins-may(compat=true, iterations=20, burn_in=5)",
    "trueskill(resample=true)",
    "trueskill(compat=true)",
    "trueskill(resample=true, compat=true)",
    "trueskill(opponents=uniform)",
    "trueskill(players=3)",
    "da(standardize=none, shared_segments=true)",
    "esa(standardize=all)",
)


def data_for(method: Ranker) -> Any:
    """Judgements that it can rank, in which systems are as good as their names say: A, then B, ..."""
    if issubclass(method.takes, Pairs):
        if getattr(method, "players", 2) > 2:
            lines = [f"{i} j{i % 3}: A=1 B={1 + (i % 3 > 0)} C={2 + i % 2} D=4" for i in range(30)]
            from tercet.human.pairs import pairwise

            return pairwise(rankings(*lines))
        return pairs(WINS, TIES)
    rows = [(f"j{i % 3}", s, str(i), 80.0 - 15 * k + (7 * i) % 11) for i in range(20) for k, s in enumerate("ABCD")]
    data = assessments(rows)
    major = np.repeat(np.arange(len(rows)), data.system + data.segment % 2)  # each an error more than the one before
    zero = np.zeros(len(major), dtype=np.int64)
    return dataclasses.replace(data, errors=Errors(major, ("Accuracy",), zero, ("Major",), zero))


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_better_system_comes_first(spec: str) -> None:
    method = ranker(spec)
    data = data_for(method)
    records = ranked(data.systems, method.fit(data, SHORT), 0.95)
    assert [r.system for r in records] == ["A", "B", "C", "D"]
    assert all(1 <= r.rank_low <= r.rank_high <= 4 for r in records)
    clusters = [r.cluster for r in records]
    assert clusters[0] == 1
    assert set(np.diff(clusters)) <= {0, 1}


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(spec: str) -> None:
    method = ranker(spec)
    data = data_for(method)
    one = method.fit(data, dataclasses.replace(SHORT, threads=1))
    two = method.fit(data, dataclasses.replace(SHORT, threads=2))
    assert one.sampled.tobytes() == two.sampled.tobytes()
    assert one.scores.tobytes() == two.scores.tobytes()
    assert one.sampled.shape == (SHORT.samples, 4)
    other = method.fit(data, dataclasses.replace(SHORT, seed=8))
    assert not np.array_equal(one.sampled, other.sampled)


@pytest.mark.parametrize("spec", VARIANTS)
def test_every_unit_that_it_names_can_be_drawn(spec: str) -> None:
    method = ranker(spec)
    data = data_for(method)
    drawn = {unit: method.fit(data, dataclasses.replace(SHORT, unit=unit)).sampled for unit in method.units}
    assert all(np.isfinite(s).all() for s in drawn.values())


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_spec_survives_printing(spec: str) -> None:
    assert ranker(str(ranker(spec))) == ranker(spec)


@pytest.mark.parametrize("name", list(RANKERS))
def test_a_ranker_has_a_card(name: str) -> None:
    card = RANKERS.load(name).card
    assert all((card.title, card.definition, card.paper, card.scale, card.reference))


@pytest.mark.parametrize(
    "spec",
    ["trueskill(sigma=0)", "trueskill(players=1)", "trueskill(players=3, resample=true)", "trueskill(beta=-1)",
     "trueskill(players=3, compat=true)", "trueskill(opponents=uniform, compat=true)",
     "hopkins-may(burn_in=200)", "hopkins-may(radius=-1)", "bradley-terry(prior=-1)", "da(alpha=1)",
     "mqm(weights=Major)", 'mqm(weights="Major:x")', "expected-wins(unseen=never)", "trueskil"],
)  # fmt: skip
def test_a_wrong_option_is_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        ranker(spec)


def test_unseen_opponents() -> None:
    wins = np.array([[0.0, 3, 0], [1, 0, 0], [0, 0, 0]])
    ties = np.zeros((3, 3))
    assert ExpectedWins().score(wins, ties).tolist() == pytest.approx([0.375, 0.125, 0.0])
    assert ExpectedWins(unseen="half").score(wins, ties).tolist() == pytest.approx([0.625, 0.375, 0.5])
    skipped = ExpectedWins(unseen="skip").score(wins, ties)
    assert skipped[:2].tolist() == pytest.approx([0.75, 0.25])
    assert np.isnan(skipped[2])


def test_others_pool_all_opponents() -> None:
    wins, ties = np.array([[0.0, 3], [1, 0]]), np.array([[0.0, 4], [4, 0]])
    assert Others().score(wins, ties).tolist() == [0.75, 0.25]
    assert Others(ties=True).score(wins, ties).tolist() == [7 / 8, 5 / 8]


@pytest.mark.parametrize("prior", [0.0, 0.1, 2.0])
def test_bradley_terry_is_the_maximum_of_its_likelihood(prior: float) -> None:
    wins, ties = np.array(WINS, dtype=float), np.array(TIES, dtype=float)
    won = wins + ties / 2

    def minus_likelihood(s: Any) -> float:
        p = 1 / (1 + np.exp(s[None, :] - s[:, None]))
        alone = 1 / (1 + np.exp(-s))
        return -float((won * np.log(p)).sum() + prior * (np.log(alone) + np.log(1 - alone)).sum())

    best = scipy.optimize.minimize(minus_likelihood, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    found = BradleyTerry(prior=prior).score(wins, ties)
    np.testing.assert_allclose(found, best - best.mean(), atol=1e-5)
    assert found.sum() == pytest.approx(0)


def test_bradley_terry_of_many_samples_is_that_of_each() -> None:
    wins = np.random.default_rng(1).integers(1, 30, size=(5, 4, 4)).astype(float)
    wins[:, np.arange(4), np.arange(4)] = 0
    ties = np.zeros_like(wins)
    each = [BradleyTerry().score(w, t) for w, t in zip(wins, ties, strict=True)]
    np.testing.assert_allclose(BradleyTerry().score(wins, ties), each, atol=1e-9)


def test_bradley_terry_without_a_prior_refuses_a_system_that_always_wins() -> None:
    wins = np.array([[0.0, 5, 5], [0, 0, 3], [0, 2, 0]])
    with pytest.raises(InputError, match="not finite"):
        BradleyTerry(prior=0).score(wins, np.zeros((3, 3)))
    assert np.isfinite(BradleyTerry().score(wins, np.zeros((3, 3)))).all()


def test_matches_hold_every_choice_of_players() -> None:
    from tercet.human.pairs import pairwise

    sets, starts, ranks = matches(pairwise(rankings("1 j: A=1 B=2 C=2", "2 j: C=1 A=2 B=3")), 3)
    assert sets.tolist() == [[0, 1, 2]]
    assert starts.tolist() == [0, 2]
    assert ranks.tolist() == [[1, 2, 2], [2, 3, 1]]
    with pytest.raises(InputError, match="No task ranks 4 systems"):
        matches(pairwise(rankings("1 j: A=1 B=2")), 4)


def test_beliefs_are_surer_of_who_was_judged_more() -> None:
    found = beliefs(pairs([[0, 9, 0], [1, 0, 1], [0, 0, 0]]), TrueSkill(beta=0.5))
    assert found["A"][0] > found["B"][0]
    assert found["C"][1] > found["A"][1] > found["B"][1]


@pytest.mark.parametrize(("unit", "starts"), [("pair", [0, 1, 2, 3, 4]), ("task", [0, 3, 4]), ("segment", [0, 4])])
def test_units_cut_the_pairs_up(unit: Unit, starts: list[int]) -> None:
    from tercet.human.pairs import cells, pairwise

    data = pairwise(rankings("1 j: A=1 B=2 C=3", "1 k: A=1 B=2"))
    found = by_unit(data, unit, cells(data))
    assert found[1].tolist() == starts


def test_larger_units_have_wider_spreads() -> None:
    """All pairs of a segment say the same, so that drawing pairs pretends to know more than there is."""
    from tercet.human.pairs import pairwise

    lines = [f"{s} j{j}: A={1 + s % 2} B={2 - s % 2}" for s in range(40) for j in range(10)]
    data = pairwise(rankings(*lines))
    sampling = Sampling(samples=400, seed=1)
    spread = {
        unit: ExpectedWins().fit(data, dataclasses.replace(sampling, unit=unit)).sampled[:, 0].std()
        for unit in ("pair", "task", "segment")
    }
    assert spread["task"] == pytest.approx(spread["pair"], rel=0.3)  # a task is one pair here
    assert spread["segment"] == pytest.approx(spread["pair"] * np.sqrt(10), rel=0.3)


def test_what_wmt_ran_draws_pairs() -> None:
    for spec in ("trueskill(compat=true)", "trueskill(resample=true)", "hopkins-may(compat=true)"):
        assert ranker(spec).units[0] == "pair"
    assert ranker("trueskill(players=3)").units == ("pair",)
    assert all(RANKERS.make(name).units[0] == "segment" for name in RANKERS)


def test_the_demo_has_something_for_every_protocol() -> None:
    from tercet.ranking.rank import rank

    for protocol, method in (("rankings", "expected-wins"), ("da", "da"), ("mqm", "mqm"), ("esa", "esa")):
        found = rank(judgements("en-de", protocol), method=method, samples=100)
        assert {r.system for r in found} == {"amber", "birch", "cedar", "delta", "ember"}
        assert found.records[-1].system == "ember"


def test_nothing_left_of_a_system_is_an_error() -> None:
    data = assessments([("j", "a", "1", 10.0), ("j", "a", "2", 30.0), ("flat", "b", "1", 5.0), ("flat", "b", "2", 5.0)])
    assert isinstance(data, Assessments)
    with pytest.raises(InputError, match="nothing is left of the judgements of b"):
        ranker("da").fit(data, SHORT)


@pytest.mark.parametrize("prior", [1e-9, 1e-6, 1e-5, 1e-4, 1e-3])
def test_bradley_terry_with_a_tiny_prior_is_that_without(prior: float) -> None:
    wins, ties = np.array(WINS, dtype=float), np.array(TIES, dtype=float)
    without = BradleyTerry(prior=0).score(wins, ties)
    np.testing.assert_allclose(BradleyTerry(prior=prior).score(wins, ties), without, atol=1e-3)


def test_tasks_are_resampled_once() -> None:
    from tercet.human.pairs import pairwise

    data = pairwise(rankings(*(f"{i} j: A={1 + i % 3 // 2} B={2 - i % 3 // 2}" for i in range(30))))
    tasks = dataclasses.replace(SHORT, unit="task")
    one, other = (ranker(spec).fit(data, tasks).sampled for spec in ("trueskill", "trueskill(resample=true)"))
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    "options", [{"samples": 0}, {"samples": True}, {"samples": 2.5}, {"seed": -1}, {"seed": 2**64}]
)
def test_samples_and_seeds_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="must be a whole number"):
        Sampling(**options)
