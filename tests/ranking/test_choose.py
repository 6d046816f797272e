"""Held-out accuracy: radius, folds, oracle."""

from __future__ import annotations

import numpy as np
import pytest

import tercet
from tercet.errors import InputError
from tercet.ranking.choose import accuracy, best_radius, counted, oracle_accuracy, partial_order
from tercet.sample import judgements
from tests.ranking.build import assessments, pairs, rankings


def test_systems_chain_into_a_class() -> None:
    scores = np.array([0.0, 0.25, 0.5, 1.0])
    assert partial_order(scores, 0.25).tolist() == [1, 1, 1, 0]
    assert partial_order(scores, 0.0).tolist() == [3, 2, 1, 0]
    assert partial_order(np.array([1.0, 1.0]), 0.0).tolist() == [0, 0]


def test_the_smallest_of_equally_good_radii_is_taken() -> None:
    judged = counted(pairs([[0, 10], [0, 0]]))
    assert best_radius(np.array([0.3, 0.0]), judged) == 0.0
    ties = counted(pairs([[0, 1], [0, 0]], [[0, 9], [9, 0]]))
    assert best_radius(np.array([0.105, 0.0]), ties) == 0.11


def test_accuracy_and_oracle() -> None:
    judged = counted(pairs([[0, 6], [3, 0]], [[0, 1], [1, 0]]))
    assert accuracy(np.array([0, 1]), judged) == 0.6
    assert accuracy(np.array([0, 0]), judged) == 0.1
    assert accuracy(np.array([1, 0]), judged) == 0.3
    assert oracle_accuracy(judged) == 0.6


def test_no_ranker_beats_the_oracle() -> None:
    methods = ["expected-wins", "bradley-terry", "trueskill", "hopkins-may(iterations=30, burn_in=10)"]
    found = tercet.choose(judgements("de-en"), methods=methods, folds=5)
    records = found.as_records()
    assert records[-1]["method"] == "oracle"
    assert {r["method"] for r in records} == {*methods, "oracle"}
    accuracies = [r["accuracy"] for r in records[:-1]]
    assert accuracies == sorted(accuracies, reverse=True)
    assert max(accuracies) <= records[-1]["accuracy"]
    assert min(accuracies) > 0.5
    assert found.best == records[0]["method"]
    assert found == tercet.choose(judgements("de-en"), methods=methods, folds=5, threads=1)


def test_perfect_judgements_are_predicted_perfectly() -> None:
    data = rankings(*(f"{i} j: A=1 B=2 C=3" for i in range(20)))
    records = tercet.choose(data, methods=["expected-wins"], folds=10).as_records()
    assert [r["accuracy"] for r in records] == [1.0, 1.0]


@pytest.mark.parametrize("folds", [1, 0, 10_000])
def test_folds_must_fit(folds: int) -> None:
    with pytest.raises(InputError, match="folds must be"):
        tercet.choose(rankings("1 j: A=1 B=2 C=3"), folds=folds)


def test_only_rankings_and_only_rankers_of_pairs() -> None:
    with pytest.raises(InputError, match="no rankings to predict"):
        tercet.choose(assessments([("j", "a", "1", 1.0)]))
    with pytest.raises(InputError, match="da does not rank pairs"):
        tercet.choose(rankings("1 j: A=1 B=2"), methods=["da"])
