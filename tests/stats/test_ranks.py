"""Ranks of values, and of metrics by their tests."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from tercet.errors import InputError
from tercet.stats.ranks import mean_ranks, significance_ranks

LEVELS = [0.001, 0.05, 0.051, 0.5, float("nan")]


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([-1.5, 0.0, -0.0, 2.0, 2.0000000000000004, np.inf]), min_size=n, max_size=n),
            min_size=1,
            max_size=3,
        )
    )
)
def test_equal_values_share_their_ranks(rows: list[list[float]]) -> None:
    values = np.array(rows)
    np.testing.assert_array_equal(mean_ranks(values), rankdata(values, axis=1), strict=True)
    np.testing.assert_array_equal(mean_ranks(values[0]), rankdata(values[0]), strict=True)


def test_a_row_with_nan_has_no_ranks() -> None:
    values = np.array([[1.0, np.nan, 0.0], [1.0, 3.0, 0.0]])
    np.testing.assert_array_equal(mean_ranks(values), rankdata(values, axis=1), strict=True)
    assert mean_ranks(np.zeros((2, 0))).shape == (2, 0)


def obvious(p: list[list[float]], alpha: float) -> list[int]:
    """Clusters as lists: a metric joins the last one unless a member beats it."""
    clusters: list[list[int]] = []
    for i in range(len(p)):
        if not clusters or any(p[j][i] <= alpha for j in clusters[-1]):
            clusters.append([])
        clusters[-1].append(i)
    return list(itertools.chain.from_iterable([rank] * len(c) for rank, c in enumerate(clusters, 1)))


@given(
    st.integers(0, 6).flatmap(
        lambda n: st.lists(st.lists(st.sampled_from(LEVELS), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_ranks_are_the_obvious_ones(p: list[list[float]]) -> None:
    found = significance_ranks(np.array(p).reshape(len(p), len(p)))
    assert found.tolist() == obvious(p, 0.05)


def test_only_the_current_rank_is_looked_at() -> None:
    """The third beats nobody, and the fourth is beaten by the first only, which is of an earlier rank."""
    p = np.full((4, 4), 0.5)
    p[0, 1] = p[0, 2] = p[0, 3] = 0.01
    assert significance_ranks(p).tolist() == [1, 2, 2, 2]


def test_the_level_itself_counts() -> None:
    p = np.array([[np.nan, 0.05], [0.95, np.nan]])
    assert significance_ranks(p, 0.05).tolist() == [1, 2]
    assert significance_ranks(p, 0.049).tolist() == [1, 1]


def test_a_table_that_is_not_square() -> None:
    with pytest.raises(InputError, match=r"shape \(2, 3\)"):
        significance_ranks(np.zeros((2, 3)))
