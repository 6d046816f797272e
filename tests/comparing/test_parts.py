"""The test of parts against the plainest permutation test, and its level on differences that are mostly 0."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tercet.comparing import parts


def plain_z(ranks: np.ndarray, inside: np.ndarray) -> float:
    """Mean ranks inside less outside; either side's variance is that of all if its own is smaller."""
    spread = ranks.var(ddof=1)
    error = sum(max(spread, ranks[side].var(ddof=1)) / side.sum() for side in (inside, ~inside))
    return float((ranks[inside].mean() - ranks[~inside].mean()) / error**0.5)


def test_z_is_its_definition_and_p_near_that_of_the_rank_sum_test() -> None:
    rng = np.random.default_rng(1)
    gains = rng.normal(size=(2, 60)).round(1)
    members = np.arange(60) % 2
    gains[1, members == 1] += 0.4
    for row in range(2):
        ((places, (z,), (p,)),) = parts.part_tests([members], gains[row : row + 1], seed=3)
        assert places.tolist() == [0, 1]
        ranks = scipy_stats.rankdata(gains[row])
        assert z[1] == pytest.approx(plain_z(ranks, members == 1))
        assert z[0] == pytest.approx(-z[1])
        other = scipy_stats.mannwhitneyu(
            gains[row, members == 1], gains[row, members == 0], use_continuity=False, method="asymptotic"
        )
        assert p[1] == pytest.approx(other.pvalue, abs=0.02)


def test_small_parts_and_segments_in_none_are_not_tested() -> None:
    members = np.array([-1] * 15 + [0] * 20 + [1] * 9 + [2] * 12)
    ((places, z, p),) = parts.part_tests([members], np.ones((1, len(members))), seed=1)
    assert places.tolist() == [0, 2]
    assert z.tolist() == [[0, 0]]
    assert p.tolist() == [[1, 1]]


def share_found(members: np.ndarray, gains: np.ndarray) -> float:
    """In how many of the rows, each by itself, some part is found unlike the rest at .05."""
    p = [parts.part_tests([members], row[None], seed=2)[0][2].min() for row in gains]
    return float((np.array(p) < 0.05).mean())


@pytest.mark.thorough
def test_the_level_holds_where_most_differences_are_nothing() -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(0, 6, 400)
    gains = np.where(rng.random((100, 400)) < 0.05, -1.0 / (1 + sizes), 0.0)  # and cost more in one part than another
    assert share_found(sizes, gains) < 0.115  # 100 trials at 0.05: three standard errors above


@pytest.mark.thorough
def test_the_level_holds_where_systems_differ_more_in_one_part_to_either_side() -> None:
    """Rank sums without the part's own spread call 18 % of such pairs different."""
    rng = np.random.default_rng(5)
    members = (np.arange(400) >= 40).astype(np.int64)
    spread = np.where(members == 0, 10.0, 1.0)
    assert share_found(members, spread * rng.normal(size=(100, 400))) < 0.115


def test_parts_of_all_systems_are_one_family() -> None:
    rng = np.random.default_rng(7)
    members, gains = np.arange(120) % 3, rng.normal(size=(4, 120))
    ((_, z, p),) = parts.part_tests([members], gains, seed=2)
    alone = np.stack([parts.part_tests([members], gains[i : i + 1], seed=2)[0][2][0] for i in range(4)])
    assert (p >= alone).all()
    order = np.argsort(-np.abs(z).ravel())
    assert (np.diff(p.ravel()[order]) >= 0).all()  # p falls with z, whichever system's


def test_a_part_that_differs_is_found_among_many() -> None:
    rng = np.random.default_rng(6)
    members = np.arange(1000) // 20
    gains = rng.normal(size=(1, 1000))
    gains[0, members == 30] -= 2
    ((_, z, p),) = parts.part_tests([members], gains, seed=2)
    assert np.flatnonzero(p[0] < 0.01).tolist() == [30]
    assert z[0, 30] < -4
