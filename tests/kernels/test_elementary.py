"""Logarithms, exponentials and powers are those of the C library to the bit, whatever the processor."""

from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet.metrics
from tercet import kernels
from tercet.metrics import elementary

NUMBERS = st.lists(st.floats(1e-300, 1e300), max_size=40)
METRICS = pathlib.Path(tercet.metrics.__file__).parent
MINE = re.compile(r"\bnp\.(log\w*|exp\w*|power|float_power)\(")


@given(NUMBERS, st.floats(-3, 3))
def test_each_number_is_that_of_python(numbers: list[float], exponent: float) -> None:
    values = np.array(numbers)
    small = np.log1p(values) - 300
    powers = [abs(math.log(x)) ** exponent if x != 1 else 1.0 for x in numbers]
    bases = np.array([abs(math.log(x)) if x != 1 else 1.0 for x in numbers])
    assert elementary.log(values).tolist() == [math.log(x) for x in numbers]
    assert elementary.exp(small).tolist() == [math.exp(x) for x in small.tolist()]
    assert elementary.power(bases, exponent).tolist() == powers


def test_many_numbers_are_those_of_python() -> None:
    """So many that numpy's own would differ in some, on a processor that computes eight at once."""
    shares = np.random.default_rng(1).uniform(0, 100, 100_000)
    assert elementary.log(shares).tolist() == list(map(math.log, shares.tolist()))
    assert elementary.exp(-shares).tolist() == list(map(math.exp, (-shares).tolist()))
    assert elementary.power(shares, 0.3).tolist() == [x**0.3 for x in shares.tolist()]


@pytest.mark.parametrize("function", [elementary.log, elementary.exp, lambda x: elementary.power(x, 2.5)])
def test_any_shape_and_32_bits(function: Callable[[np.ndarray], np.ndarray]) -> None:
    values = np.random.default_rng(2).uniform(1, 2, (3, 4, 2))
    assert function(values)[1, 2, 0] == function(values[1, 2, 0])
    assert np.array_equal(function(values[:, ::2].transpose(2, 0, 1)), function(values)[:, ::2].transpose(2, 0, 1))
    assert function(np.empty((0, 5))).shape == (0, 5)
    single = function(values.astype(np.float32))
    assert single.dtype == np.float32
    assert np.allclose(single, function(values), rtol=1e-6)


def test_ends() -> None:
    found = elementary.log(np.array([0.0, -1.0, math.inf, math.nan]))
    assert np.array_equal(found, [-math.inf, math.nan, math.inf, math.nan], equal_nan=True)
    assert elementary.exp(np.array([-math.inf, 1000.0])).tolist() == [0.0, math.inf]
    assert elementary.power(np.array([0.0, 2.0]), np.array([0.0, -1.0])).tolist() == [1.0, 0.5]
    with pytest.raises(ValueError, match="as many exponents"):
        kernels.powers(np.ones(2), np.ones(3))


def test_no_metric_asks_numpy() -> None:
    used = [path.name for path in METRICS.rglob("*.py") if MINE.search(path.read_text(encoding="utf-8"))]
    assert used == []
