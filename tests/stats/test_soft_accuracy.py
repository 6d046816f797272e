"""Soft pairwise accuracy: its tests one by one, and what becomes of gaps."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest

from tercet.errors import InputError
from tercet.stats import soft_accuracy
from tercet.stats.soft_accuracy import paired_permutation_p, soft_pairwise_accuracy
from tests.oracles.permutation import exact_p

Floats = npt.NDArray[np.float64]


def made_up(systems: int, items: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).integers(-9, 9, (systems, items)).astype(float)


def test_p_values_are_shares_of_random_signs() -> None:
    scores = made_up(4, 7)  # whole numbers, whose sums are exact
    found = paired_permutation_p(scores, draws=300, seed=11)
    drawn = np.random.default_rng(11).random((300, 7), dtype=np.float32)
    signs = [[1 if x > 0.5 else -1 for x in row] for row in drawn]
    for i, j in itertools.product(range(4), repeat=2):
        if i >= j:
            assert math.isnan(found[i, j])
            continue
        gaps = scores[i] - scores[j]
        assert found[i, j] == sum(np.dot(row, gaps) >= gaps.sum() for row in signs) / 300


def test_the_value_is_one_less_the_mean_difference() -> None:
    gold, metric = made_up(4, 30), made_up(4, 30, 2)
    found = soft_pairwise_accuracy(gold, metric, draws=200, seed=5)
    pairs = list(itertools.combinations(range(4), 2))
    human, said = paired_permutation_p(gold, 200, 5), paired_permutation_p(metric, 200, 5)
    assert found.value == pytest.approx(1 - np.mean([abs(human[i, j] - said[i, j]) for i, j in pairs]))
    assert (found.items, found.items_left_out, found.systems_left_out) == (30, 0, 0)
    assert soft_pairwise_accuracy(gold, gold, draws=1000, seed=4).value == 1


def test_gaps_take_an_item_from_all_and_an_empty_system_away() -> None:
    gold, metric = made_up(5, 20), made_up(5, 20, 2)
    gold[1, 3] = metric[4, 7] = metric[4, 3] = np.nan
    gold[2] = np.nan
    found = soft_pairwise_accuracy(gold, metric, draws=1000, seed=4)
    assert (found.items, found.items_left_out, found.systems_left_out) == (18, 2, 1)
    items, systems = np.delete(np.arange(20), [3, 7]), np.array([0, 1, 3, 4])
    whole = soft_pairwise_accuracy(gold[np.ix_(systems, items)], metric[np.ix_(systems, items)], draws=1000, seed=4)
    assert found.value == whole.value
    np.testing.assert_array_equal(found.gold_p[np.ix_(systems, systems)], whole.gold_p)
    assert np.isnan(found.metric_p[2]).all()
    assert np.isnan(found.metric_p[:, 2]).all()


@pytest.mark.parametrize("shape", [(1, 5), (0, 5), (3, 0)])
def test_too_little_has_no_value(shape: tuple[int, int]) -> None:
    assert math.isnan(soft_pairwise_accuracy(np.zeros(shape), np.zeros(shape), draws=1000, seed=4).value)


def test_all_scores_missing_has_no_value() -> None:
    found = soft_pairwise_accuracy(np.full((3, 4), np.nan), np.zeros((3, 4)), draws=1000, seed=4)
    assert math.isnan(found.value)
    assert found.systems_left_out == 3


def test_tables_must_be_alike() -> None:
    with pytest.raises(InputError, match=r"\(3, 4\) and those of a metric \(4, 3\)"):
        soft_pairwise_accuracy(np.zeros((3, 4)), np.zeros((4, 3)), draws=1000, seed=4)


def test_signs_too_many_to_keep_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = made_up(3, 9)
    whole = paired_permutation_p(scores, 100, 6)
    monkeypatch.setattr(soft_accuracy, "_KEPT", 0)
    monkeypatch.setattr(soft_accuracy, "_CHUNK", 70)
    assert len(list(soft_accuracy._signs(100, 9, 6))) > 10
    np.testing.assert_array_equal(paired_permutation_p(scores, 100, 6), whole)


def test_drawn_p_values_come_near_the_exact_ones() -> None:
    scores = np.random.default_rng(3).normal(size=(4, 10))
    drawn = paired_permutation_p(scores, 20_000, 4)
    for i, j in itertools.combinations(range(4), 2):
        assert drawn[i, j] == pytest.approx(exact_p(scores[i].tolist(), scores[j].tolist()), abs=0.02)
