"""Draws of a block by itself against their oracle, and against the laws that they follow."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles.streamed import streamed_sums


@given(st.integers(0, 200), st.integers(0, 3), st.integers(0, 40), st.integers(0, 2**64 - 1), st.integers(0, 2**31 - 1))
def test_sums_are_those_of_the_oracle(n: int, k: int, samples: int, seed: int, block: int) -> None:
    rows = np.random.default_rng(n).normal(size=(n, k))
    for swaps in (False, True):
        wanted = streamed_sums(rows.tolist(), samples, seed, block, swaps) if n else [[0.0] * k] * samples
        for threads in (1, 3):
            sums = kernels.streamed_sums(rows, samples, seed, block, swaps, threads)
            assert sums.shape == (samples, k)
            assert sums.tolist() == wanted


@pytest.mark.parametrize("n", [511, 512, 513, 1500])
def test_draws_go_on_over_what_is_drawn_at_once(n: int) -> None:
    rows = np.random.default_rng(n).integers(9, size=(n, 2)).astype(float)
    for swaps in (False, True):
        assert kernels.streamed_sums(rows, 2, 1, 2, swaps, 1).tolist() == streamed_sums(rows.tolist(), 2, 1, 2, swaps)


def test_weights_follow_poissons_law_and_swaps_a_coin() -> None:
    """Of 400 000 draws, by chi squared: 21.7 would come once in a hundred times with 9 degrees of freedom."""
    ones = np.eye(400)
    weights = kernels.streamed_sums(ones, 1000, 5, 0, swaps=False, threads=1)
    counts = np.array([*(np.sum(weights == i) for i in range(9)), np.sum(weights >= 9)])
    law = np.array([math.exp(-1) / math.factorial(i) for i in range(9)])
    law = np.append(law, 1 - law.sum())
    assert float((((counts - 400_000 * law) ** 2) / (400_000 * law)).sum()) < 21.7
    coins = kernels.streamed_sums(ones, 1000, 5, 0, swaps=True, threads=1)
    assert set(np.unique(coins)) == {0.0, 1.0}
    assert abs(coins.mean() - 0.5) < 0.003


def test_blocks_samples_and_seeds_draw_for_themselves() -> None:
    ones = np.eye(64)
    drawn = [kernels.streamed_sums(ones, 2, seed, block, False, 1) for seed, block in ((1, 0), (1, 1), (2, 0))]
    rows = np.concatenate(drawn)
    assert len({row.tobytes() for row in rows}) == 6
    assert np.abs(np.corrcoef(rows) - np.eye(6)).max() < 0.5


@pytest.mark.parametrize(("samples", "block"), [(-1, 0), (1, -1), (2**31, 0), (1, 2**31)])
def test_what_cannot_be_is_refused(samples: int, block: int) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        kernels.streamed_sums(np.ones((1, 1)), samples, 0, block, False, 1)
