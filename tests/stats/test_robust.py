"""Outliers and the best systems only."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError
from tercet.stats.robust import mad_outliers, top_n, top_sizes

NAN = math.nan
score = st.integers(-20, 20).map(lambda k: k / 4)


@given(st.lists(st.one_of(score, st.just(NAN)), min_size=1, max_size=15), st.sampled_from([1.0, 2.5]))
def test_outliers_are_the_obvious_ones(scores: list[float], cutoff: float) -> None:
    there = [s for s in scores if not math.isnan(s)]
    found = mad_outliers(np.array(scores), cutoff)
    if not there:
        assert not found.mask.any()
        assert math.isnan(found.median)
        assert math.isnan(found.mad)
        return
    median = statistics.median(there)
    mad = 1.483 * statistics.median(abs(s - median) for s in there)
    assert (found.median, found.mad) == pytest.approx((median, mad))
    assert found.mask.tolist() == [mad > 0 and abs(s - median) / mad > cutoff for s in scores]


def test_scores_beside_decide_about_outliers_and_are_none() -> None:
    """Human translations that were judged, as at WMT20: with them, one more system stands far off."""
    systems = np.array([0.30, 0.28, 0.27, 0.25, 0.20, 0.10, -0.02])
    assert mad_outliers(systems).mask.tolist() == [False] * 6 + [True]
    beside = mad_outliers(systems, beside=np.array([0.32, 0.30, NAN]))
    assert beside.mask.tolist() == [False] * 5 + [True, True]
    assert (beside.median, beside.mad) == mad_outliers(np.append(systems, [0.32, 0.30]))[1:]


def test_exactly_at_the_cutoff_is_no_outlier() -> None:
    scores = np.array([-1.0, -1.0, 0.0, 1.0, 2.5 * 1.483])
    assert not mad_outliers(scores).mask.any()
    assert mad_outliers(scores, 2.4999).mask.tolist() == [False] * 4 + [True]


def test_a_deviation_of_zero_makes_no_outliers() -> None:
    assert not mad_outliers(np.array([1.0, 1.0, 1.0, 1.0, 50.0])).mask.any()


@given(st.lists(score, min_size=2, max_size=9), st.floats(0.1, 10), st.floats(-5, 5))
def test_outliers_do_not_depend_on_the_scale(scores: list[float], scale: float, shift: float) -> None:
    plain, moved = mad_outliers(np.array(scores)), mad_outliers(scale * np.array(scores) + shift)
    edge = np.abs(np.abs(np.array(scores) - plain.median) - 2.5 * plain.mad) < 1e-9
    if plain.mad > 0:
        assert (plain.mask | edge).tolist() == (moved.mask | edge).tolist()


@pytest.mark.parametrize(("n", "sizes"), [(0, ()), (1, (1,)), (3, (3,)), (4, (4,)), (7, (4, 5, 6, 7))])
def test_sizes_go_from_four_to_all(n: int, sizes: tuple[int, ...]) -> None:
    assert top_sizes(n) == sizes


@given(
    st.lists(st.tuples(score, score, st.one_of(score, st.just(NAN))), min_size=2, max_size=9, unique_by=lambda r: r[0])
)
def test_the_best_n_are_correlated_as_if_there_were_no_others(rows: list[tuple[float, ...]]) -> None:
    gold, *metrics = np.array(rows).T
    sizes = list(range(1, len(rows) + 1))
    found = top_n(gold, np.array(metrics), sizes)
    best = np.array(sorted(rows, key=lambda r: -r[0])).T
    for m, metric in enumerate(best[1:]):
        for k, size in enumerate(sizes):
            human, machine = best[0, :size], metric[:size]
            there = ~np.isnan(machine)
            pair = human[there], machine[there]
            flat = there.sum() < 2 or any(np.ptp(v) == 0 for v in pair)
            assert found[m, k] == pytest.approx(NAN if flat else np.corrcoef(*pair)[0, 1], abs=1e-9, nan_ok=True)


def test_systems_without_gold_are_not_among_the_best() -> None:
    gold = np.array([NAN, 3.0, 2.0, 1.0])
    metric = np.array([[99.0, 3.0, 2.0, 1.0]])
    assert top_n(gold, metric, [3]).tolist() == [[1.0]]
    with pytest.raises(InputError, match="The best 4 of 3 systems"):
        top_n(gold, metric, [4])


def test_of_equal_systems_the_first_is_first() -> None:
    gold = np.array([1.0, 2.0, 1.0, 0.0])
    metric = np.array([[1.0, 2.0, 50.0, 0.0]])
    assert top_n(gold, metric, [2]).tolist() == [[1.0]]
    many, metric = np.tile([1.0, 2.0], 50), np.zeros((1, 100))  # a sort that is not stable shows when there are many
    metric[0, 0] = -1  # of the first of the worse half, the 51st in all
    assert top_n(many, metric, [51]).tolist() == [[pytest.approx(1.0)]]


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="The best 0 of 4"):
        top_n(np.arange(4.0), np.zeros((1, 4)), [0])
    with pytest.raises(InputError, match="do not fit gold"):
        top_n(np.arange(4.0), np.zeros((1, 3)), [2])
    assert top_n(np.arange(4.0), np.zeros((2, 4)), []).shape == (2, 0)
