"""Greedy matching of token vectors against its oracle, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles.soft_matching import share

NUMBER = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0])


def texts(draw: Any, dimension: int, number: int) -> list[list[tuple[list[float], float]]]:
    """Texts of tokens, each with its vector and weight."""
    token = st.tuples(st.lists(NUMBER, min_size=dimension, max_size=dimension), st.sampled_from([0.0, 0.5, 1.0, 2.0]))
    rows: list[list[tuple[list[float], float]]] = draw(
        st.lists(st.lists(token, max_size=4), min_size=number, max_size=number)
    )
    return rows


def packed(side: list[list[tuple[list[float], float]]], dimension: int) -> tuple[Any, Any, Any]:
    rows = np.array([vector for text in side for vector, _ in text], dtype=np.float32).reshape(-1, dimension)
    ends = np.cumsum([0, *map(len, side)], dtype=np.int64)
    return rows, ends, np.array([weight for text in side for _, weight in text], dtype=np.float64)


@given(data=st.data(), dimension=st.sampled_from([1, 3, 8, 17]), floored=st.booleans(), threads=st.sampled_from([1, 3]))
def test_shares_equal_the_oracle(data: st.DataObject, dimension: int, floored: bool, threads: int) -> None:
    sizes = data.draw(st.lists(st.integers(1, 3), max_size=4))
    hyps, refs = texts(data.draw, dimension, len(sizes)), texts(data.draw, dimension, sum(sizes))
    groups = np.cumsum([0, *sizes], dtype=np.int64)
    shares = kernels.soft_shares(packed(hyps, dimension), packed(refs, dimension), groups, floored, threads)
    assert shares.shape == (len(refs), 2)
    for i, hyp in enumerate(hyps):
        for r in range(groups[i], groups[i + 1]):
            ours, theirs = [v for v, _ in hyp], [v for v, _ in refs[r]]
            wanted = (
                share(ours, theirs, [w for _, w in hyp], floored),
                share(theirs, ours, [w for _, w in refs[r]], floored),
            )
            np.testing.assert_allclose(shares[r], wanted, rtol=1e-12, atol=1e-12)


def side(**other: Any) -> tuple[Any, Any, Any]:
    given = {"rows": np.ones((2, 3), dtype=np.float32), "ends": np.array([0, 2]), "weights": np.ones(2)} | other
    return given["rows"], given["ends"], given["weights"]


@pytest.mark.parametrize(
    ("hyp", "ref", "groups"),
    [
        (side(weights=np.ones(3)), side(), [0, 1]),
        (side(weights=-np.ones(2)), side(), [0, 1]),
        (side(weights=np.array([1.0, np.nan])), side(), [0, 1]),
        (side(ends=np.array([0, 3])), side(), [0, 1]),
        (side(ends=np.array([1, 2])), side(), [0, 1]),
        (side(rows=np.ones((2, 4), dtype=np.float32)), side(), [0, 1]),
        (side(), side(), [0, 2]),
        (side(), side(), [0]),
    ],
)
def test_what_does_not_fit_is_refused(hyp: Any, ref: Any, groups: list[int]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        kernels.soft_shares(hyp, ref, np.array(groups, dtype=np.int64), True, 1)


def test_a_text_is_most_similar_to_itself() -> None:
    rows = np.random.default_rng(3).normal(size=(9, 20)).astype(np.float32)
    one = (rows, np.array([0, 9]), np.ones(9))
    np.testing.assert_allclose(kernels.soft_shares(one, one, np.array([0, 1]), False, 1), [[1.0, 1.0]], rtol=1e-15)
