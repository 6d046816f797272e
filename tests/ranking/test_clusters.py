"""Ranks, ranges, clusters: ties, edges, and the formal rule against its definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.ranking.clusters import by_range, by_tests, clipped, rank_range, ranks


def test_equal_scores_are_ordered_by_variance_then_by_name() -> None:
    scores = np.array([0.5, 0.5, 0.5, 0.7])
    assert ranks(scores, np.arange(4)).tolist() == [4, 3, 2, 1]
    assert ranks(scores, np.arange(4), np.array([0.3, 0.2, 0.1, 0.0])).tolist() == [2, 3, 4, 1]


def test_nan_is_last() -> None:
    assert ranks(np.array([np.nan, -5.0, 1.0]), np.arange(3)).tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("samples", "confidence", "cut"), [(1000, 0.95, 25), (100, 0.95, 3), (1, 0.95, 0), (2, 0.95, 0)]
)
def test_something_is_always_left(samples: int, confidence: float, cut: int) -> None:
    assert clipped(samples, confidence) == cut
    assert rank_range([3] * samples, confidence) == (3, 3)


def partitions(n: int) -> list[list[int]]:
    """Every way to cut n systems, in order, into clusters."""
    return [[1 + sum(cuts[:i]) for i in range(n)] for cuts in itertools.product((0, 1), repeat=max(0, n - 1))]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), min_size=1, max_size=6))
def test_clusters_are_the_most_that_the_definition_allows(ranges: list[tuple[int, int]]) -> None:
    low, high = [a for a, _ in ranges], [a + b for a, b in ranges]

    def allowed(clusters: list[int]) -> bool:
        n = len(clusters)
        return all(
            clusters[i] == clusters[j] or low[i] > high[j] or low[j] > high[i] for i in range(n) for j in range(i)
        )

    def downwards(clusters: list[int]) -> bool:
        """Clusters follow the order of scores, so that a later one may not lie above an earlier one."""
        return all(clusters[i] == clusters[j] or low[j] > high[i] for j in range(len(clusters)) for i in range(j))

    fits = [c for c in partitions(len(ranges)) if allowed(c) and downwards(c)]
    assert by_range(low, high) == max(fits, key=lambda c: c[-1])


def test_the_reference_script_can_cut_through_a_range() -> None:
    low, high = [1, 1, 3, 5, 5], [4, 2, 4, 6, 6]
    assert by_range(low, high) == [1, 1, 1, 2, 2]
    assert by_range(low, high, compat=True) == [1, 1, 2, 3, 3]


def test_a_cluster_ends_only_where_all_above_beat_all_below() -> None:
    better = np.zeros((4, 4), dtype=bool)
    better[0, 1:] = True
    better[1, 3] = better[2, 3] = True
    assert by_tests(better) == [1, 2, 2, 3]
    better[1, 3] = False
    assert by_tests(better) == [1, 2, 2, 2]
    assert by_tests(np.zeros((1, 1), dtype=bool)) == [1]
