"""Bootstrap samples of counts: their distribution, and that they depend on nothing but their number."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles.counts import sampled_count

Ints = npt.NDArray[np.int64]


def sampled(
    units: Sequence[Sequence[int]], cells: int, samples: int, first: int = 0, seed: int = 1, threads: int = 2
) -> Ints:
    """What the kernel draws: (samples, cells)."""
    cell = np.array([c for unit in units for c in unit], np.int64)
    starts = np.cumsum([0, *map(len, units)], dtype=np.int64)
    return kernels.sampled_counts(cell, starts, cells, samples, first, seed, threads)


def singles(counts: Sequence[int]) -> list[list[int]]:
    """Units of one pair each, so many for each cell."""
    return [[cell] for cell, count in enumerate(counts) for _ in range(count)]


def probability(values: Ints, chances: npt.NDArray[np.float64]) -> float:
    """How probable such values are (chi-square), rare ones at either end taken together."""
    expected = chances * len(values)
    common = np.flatnonzero(expected >= 5)
    ends = np.clip(np.arange(len(chances)), common[0], common[-1])
    wanted = np.bincount(ends, weights=expected)[common[0] :]
    seen = np.bincount(ends[values], minlength=common[-1] + 1)[common[0] :]
    return float(scipy.stats.chisquare(seen, wanted).pvalue)


# few successes: one by one; at 10 and more by rejection; above a half from the other side
BINOMIAL = [
    (1, 4),
    (5, 12),
    (5, 995),
    (12, 5),
    (10, 30),
    (9, 31),
    (30, 10),
    (50, 50),
    (300, 700),
    (40, 960),
    (9000, 999),
]


@pytest.mark.parametrize(("first", "second"), BINOMIAL)
def test_a_count_of_two_is_binomial(first: int, second: int) -> None:
    n = first + second
    found = sampled(singles([first, second]), 2, 40_000)
    assert (found.sum(axis=1) == n).all()
    chances = scipy.stats.binom.pmf(np.arange(n + 1), n, first / n)
    assert probability(found[:, 0], chances) > 1e-4


@pytest.mark.parametrize("counts", [[3, 5, 2], [100, 0, 300, 50], [1, 1, 1, 1, 1], [2000, 1, 10, 700]])
def test_counts_of_pairs_are_multinomial(counts: list[int]) -> None:
    found = sampled(singles(counts), len(counts), 40_000)
    n, share = sum(counts), np.array(counts) / sum(counts)
    assert (found.sum(axis=1) == n).all()
    spread = n * (np.diag(share) - np.outer(share, share))
    assert (np.abs(found.mean(axis=0) - counts) <= 5 * np.sqrt(np.diag(spread) / len(found))).all()
    # the standard error of a covariance of nearly normal numbers
    error = np.sqrt((spread**2 + np.outer(np.diag(spread), np.diag(spread))) / len(found))
    assert (np.abs(np.cov(found.T) - spread) <= 6 * error + 1e-12).all()


UNITS = [[0, 1, 1], [2], [], [0, 0, 2, 3], [1], [3, 3, 3]]


def test_counts_of_units_have_their_covariance() -> None:
    table = np.array([np.bincount(np.array(unit, int), minlength=4) for unit in UNITS])
    found = sampled(UNITS, 4, 40_000)
    spread = len(UNITS) * np.cov(table.T, bias=True)
    assert (np.abs(found.mean(axis=0) - table.sum(axis=0)) < 5 * np.sqrt(np.diag(spread) / len(found))).all()
    error = np.sqrt((spread**2 + np.outer(np.diag(spread), np.diag(spread))) / len(found))
    assert (np.abs(np.cov(found.T) - spread) < 6 * error).all()


@pytest.mark.parametrize("units", [UNITS, [[0], [1], [1], [3]]], ids=["units", "pairs"])
def test_counts_are_distributed_as_those_of_the_oracle(units: list[list[int]]) -> None:
    rng = random.Random(4)  # noqa: S311
    wanted = np.array([sampled_count(units, 4, rng) for _ in range(4000)])
    found = sampled(units, 4, 4000)
    for ours, theirs in zip(found.T, wanted.T, strict=True):
        table = np.array([np.bincount(values, minlength=20) for values in (ours, theirs)])
        table = table[:, table.sum(axis=0) > 10]
        assert table.shape[1] < 2 or scipy.stats.chi2_contingency(table).pvalue > 1e-4


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=5), st.integers(0, 10))
def test_a_sample_is_made_of_whole_units(units: list[list[int]], seed: int) -> None:
    """Units that are all alike give the same counts whatever is drawn; others sums of as many as there are."""
    alike = [units[0]] * len(units)
    wanted = np.bincount(np.array(units[0] * len(units), int), minlength=4)
    assert (sampled(alike, 4, 3, seed=seed) == wanted).all()
    possible = {
        tuple(sum(drawn, ())) for drawn in itertools.combinations_with_replacement(map(tuple, units), len(units))
    }
    counts = [[cells.count(c) for c in range(4)] for cells in possible]
    assert all(row in counts for row in sampled(units, 4, 20, seed=seed).tolist())


@pytest.mark.parametrize("units", [UNITS, singles([30, 50, 7, 200])], ids=["units", "pairs"])
def test_samples_depend_on_nothing_but_their_number(units: list[list[int]]) -> None:
    alone = sampled(units, 4, 30, threads=1).tolist()
    assert sampled(units, 4, 30, threads=2).tolist() == alone
    assert sampled(units, 4, 30, threads=5).tolist() == alone
    assert sampled(units, 4, 12).tolist() + sampled(units, 4, 18, first=12).tolist() == alone
    assert sampled(units, 4, 30, seed=2).tolist() != alone
    assert len({str(row) for row in alone}) > 15


@given(st.lists(st.lists(st.integers(0, 3), max_size=9), min_size=1, max_size=9), st.integers(0, 10))
def test_cells_in_which_nothing_counts_change_no_sample(units: list[list[int]], seed: int) -> None:
    """Few cells are added a row at a time, many item by item."""
    few, many = sampled(units, 4, 9, seed=seed), sampled(units, 200, 9, seed=seed)
    assert many[:, :4].tolist() == few.tolist()
    assert not many[:, 4:].any()


def test_nothing_to_draw() -> None:
    assert sampled([], 3, 2).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert sampled([], 0, 2).shape == (2, 0)
    assert sampled([[0]], 1, 0).shape == (0, 1)
    assert sampled([[]], 2, 1).tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("cell", "starts", "cells", "samples", "first", "said"),
    [
        ([0, 2], [0, 1, 2], 2, 1, 0, "cell"),
        ([0, -1], [0, 1, 2], 2, 1, 0, "cell"),
        ([0, 1], [0, 1], 2, 1, 0, "units"),
        ([0, 1], [0, 3], 2, 1, 0, "units"),
        ([0, 1], [0, 2, 1, 2], 2, 1, 0, "units"),
        ([0, 1], [1, 2], 2, 1, 0, "units"),
        ([0, 1], [], 2, 1, 0, "units"),
        ([], [0], -1, 1, 0, "cells"),
        ([0, 1], [0, 2], 2, -1, 0, "runs"),
        ([0, 1], [0, 2], 2, 1, -1, "runs"),
    ],
)
def test_wrong_input_is_refused(cell: Any, starts: Any, cells: int, samples: int, first: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        kernels.sampled_counts(np.array(cell, np.int64), np.array(starts, np.int64), cells, samples, first, 0, 1)
