"""The kernel of grids counts as its oracle does, which computes in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles import tuning as oracle

# powers of two only: their sums and products are exact in doubles, so that every tie of the oracle is one of the kernel
SHARES = st.sampled_from([Fraction(1, n) for n in (1, 2, 4, 8)])
PENALTIES = st.sampled_from([Fraction(n, 8) for n in range(9)])
NOTHING = 1e300


@st.composite
def cases(draw: st.DrawFn) -> dict[str, list]:  # type: ignore[type-arg]
    cells = draw(st.integers(1, 6))
    zero = draw(st.lists(st.booleans(), min_size=cells, max_size=cells))
    either = st.lists(SHARES, min_size=cells, max_size=cells)
    precision, recall = ([Fraction(0) if z else x for x, z in zip(draw(either), zero, strict=True)] for _ in range(2))
    row = st.lists(PENALTIES, min_size=cells, max_size=cells)
    penalties = [
        [Fraction(0) if z else x for x, z in zip(r, zero, strict=True)]
        for r in draw(st.lists(row, min_size=1, max_size=3))
    ]
    cell = st.integers(0, cells - 1)
    worth = st.integers(-3, 3)
    groups = draw(st.lists(st.lists(st.tuples(cell, cell, worth, worth), max_size=8), min_size=1, max_size=3))
    grid = st.lists(st.integers(0, 8), min_size=1, max_size=9, unique=True)
    alphas, gammas = ([Fraction(n, 8) for n in sorted(draw(grid))] for _ in range(2))
    return {
        "precision": precision,
        "recall": recall,
        "penalties": penalties,
        "groups": groups,
        "alphas": alphas,
        "gammas": gammas,
    }


def counted(case: dict[str, list], threads: int = 1) -> list:  # type: ignore[type-arg]
    """The same by the kernel."""
    flat = [c for group in case["groups"] for c in group]
    columns = np.array(flat, dtype=np.int64).reshape(-1, 4).T
    precision, recall = (
        np.array([NOTHING if x == 0 else float(1 / x) for x in case[side]]) for side in ("precision", "recall")
    )
    left, right, up, down = (np.ascontiguousarray(column) for column in columns)
    found: list[object] = kernels.harmonic_grid(
        precision,
        recall,
        np.array([[float(x) for x in row] for row in case["penalties"]]),
        left,
        right,
        up,
        down,
        np.cumsum([0, *(len(group) for group in case["groups"])]).astype(np.int64),
        np.array([float(x) for x in case["alphas"]]),
        np.array([float(x) for x in case["gammas"]]),
        threads,
    ).tolist()
    return found


@given(cases())
def test_a_grid_is_what_the_oracle_counts(case: dict[str, list]) -> None:  # type: ignore[type-arg]
    assert counted(case) == oracle.harmonic_grid(**case)


def test_many_comparisons_and_threads() -> None:
    rng = np.random.default_rng(1)
    cells, pairs = 300, 5000  # several blocks, the last of them not full
    precision, recall, fragmentation = rng.uniform(0.1, 1, (3, cells))
    left, right = rng.integers(0, cells, (2, pairs))
    up, down = rng.integers(-2, 3, (2, pairs))
    starts = np.array([0, 700, 700, pairs])
    alphas, gammas, penalties = np.linspace(0, 1, 11), np.linspace(0, 1, 5), fragmentation ** np.array([[0.5], [2]])
    common = (1 / precision, 1 / recall, penalties, left, right, up, down, starts, alphas, gammas)
    found = kernels.harmonic_grid(*common, 1)
    assert np.array_equal(kernels.harmonic_grid(*common, 3), found)
    for b, a, g in ((0, 0, 0), (1, 3, 4), (1, 10, 2)):
        scores = (1 - gammas[g] * penalties[b]) / ((1 - alphas[a]) / precision + alphas[a] / recall)
        gap = scores[left] - scores[right]
        worth = np.where(gap > 0, up, np.where(gap < 0, down, 0))
        assert found[b, a, g].tolist() == [worth[:700].sum(), 0, worth[700:].sum()]


def test_nothing_is_counted_of_nothing() -> None:
    none, whole = np.zeros(0), np.zeros(0, dtype=np.int64)
    empty = np.zeros(1, dtype=np.int64)
    found = kernels.harmonic_grid(none, none, np.zeros((2, 0)), whole, whole, whole, whole, empty, none, none, 1)
    assert found.shape == (2, 0, 0, 0)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"right": [2]}, "cell that is not there"),
        ({"left": [-1]}, "cell that is not there"),
        ({"up": [1, 1]}, "two cells and two counts"),
        ({"starts": [0, 2]}, "starts must rise"),
        ({"starts": [1, 1]}, "starts must rise"),
        ({"gammas": [0.5, 0.5]}, "gammas must rise"),
        ({"recall": [1.0]}, "precision, recall and penalties"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, list[float]], complaint: str) -> None:
    whole = ("left", "right", "up", "down", "starts")
    fine = {
        "precision": [1.0, 2.0],
        "recall": [1.0, 2.0],
        "penalties": [[0.0, 0.5]],
        "left": [0],
        "right": [1],
        "up": [1],
        "down": [-1],
        "starts": [0, 1],
        "alphas": [0.5],
        "gammas": [0.0, 0.5],
    }
    given_ = {**fine, **change}
    arrays = [np.array(v, dtype=np.int64 if k in whole else np.float64) for k, v in given_.items()]
    with pytest.raises(ValueError, match=complaint):
        kernels.harmonic_grid(*arrays, 1)  # type: ignore[arg-type, call-arg]
