"""Histograms and densities, of whatever numbers there are."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data.spreads import rising_edges
from tercet.stats.spreads import density, histogram

LARGEST = sys.float_info.max
numbers = st.floats(allow_nan=False, allow_infinity=False)
ordinary = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


@given(st.lists(numbers, max_size=20), st.integers(1, 30))
def test_every_number_has_a_bin(values: list[float], bins: int) -> None:
    edges, found = rising_edges(np.array(values), bins), histogram(np.array(values), bins)
    assert (edges[1:] > edges[:-1]).all()
    assert np.isfinite(edges).all()
    assert found.counts.sum() == len(values)
    assert density(np.array(values), np.array(values[::-1]), bins).counts.sum() == len(values)


@given(st.lists(ordinary, min_size=1, max_size=20), st.integers(1, 30))
def test_ordinary_numbers_have_the_bins_of_numpy(values: list[float], bins: int) -> None:
    counts, edges = np.histogram(values, bins)
    found = histogram(np.array(values), bins)
    assert found.edges.tolist() == edges.tolist()
    assert found.counts.tolist() == counts.tolist()
    assert found.median == np.median(values)
    cells, _, _ = np.histogram2d(values, values[::-1], bins)
    assert density(np.array(values), np.array(values[::-1]), bins).counts.tolist() == cells.tolist()


@pytest.mark.parametrize(
    "values", [[57.3, math.nextafter(57.3, 58)], [LARGEST, -LARGEST], [LARGEST] * 2, [0.0, 5e-324]]
)
def test_numbers_that_are_too_close_or_too_far_apart(values: list[float]) -> None:
    """NumPy's own edges of these are refused, or no numbers."""
    assert histogram(np.array(values), 20).counts.sum() == 2


def test_what_is_no_row_of_numbers() -> None:
    for wrong in ([float("nan")], [float("inf")], [[1.0]]):
        with pytest.raises(ValueError, match="a row of finite numbers"):
            histogram(np.array(wrong), 3)
    with pytest.raises(ValueError, match="two coordinates"):
        density(np.zeros(2), np.zeros(3), 2)
