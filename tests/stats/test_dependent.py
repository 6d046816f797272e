"""Williams's test and Fisher's interval: other ways to the same figures, and what is not defined."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from tercet.errors import InputError
from tercet.stats.dependent import fisher_interval, williams, williams_tests

Array = npt.NDArray[np.float64]
NAN = math.nan

correlation = st.floats(-0.99, 0.99)


def plain(r12: float, r13: float, r23: float, n: int) -> float:
    """The t of the textbook, with the determinant of the matrix of correlations."""
    det = float(np.linalg.det([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]]))
    mean = (r12 + r13) / 2
    return (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / (2 * (n - 1) / (n - 3) * det + mean**2 * (1 - r23) ** 3))


@given(correlation, correlation, correlation, st.integers(4, 200))
def test_williams_is_its_formula(r12: float, r13: float, r23: float, n: int) -> None:
    assume(np.linalg.det([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]]) > 1e-6)
    assume(abs(r12 - r13) > 1e-9)
    t, p = williams(r12, r13, r23, n)
    assert t == pytest.approx(plain(r12, r13, r23, n), rel=1e-6)
    assert p == pytest.approx(float(scipy.stats.t.sf(t, n - 3)), rel=1e-9)
    assert williams(r13, r12, r23, n) == pytest.approx((-t, 1 - p), abs=1e-9)


def test_williams_is_right_under_the_null() -> None:
    """Of metrics that are equally good, p is uniform: the test rejects as often as it says."""
    rng = np.random.default_rng(1)
    spread = np.linalg.cholesky(np.array([[1, 0.6, 0.6], [0.6, 1, 0.5], [0.6, 0.5, 1]]))
    found = []
    for _ in range(1500):
        gold, one, other = spread @ rng.normal(size=(3, 20))
        found.append(williams_tests(gold, np.stack([one, other]))[0, 1])
    assert scipy.stats.kstest(found, "uniform").pvalue > 0.01


@pytest.mark.parametrize("n", [-1, 0, 3])
def test_three_items_say_nothing(n: int) -> None:
    assert np.isnan(williams(0.9, 0.1, 0.2, n)).all()
    assert np.isnan(fisher_interval(0.9, n)).all()
    assert not np.isnan(williams(0.9, 0.1, 0.2, 4)).any()
    assert not np.isnan(fisher_interval(0.9, 4)).any()


def test_what_is_not_defined() -> None:
    assert np.isnan(williams(NAN, 0.5, 0.5, 10)).all()
    assert np.isnan(williams(0.4, -0.4, -1.0, 10)).all()  # a metric and its negative
    assert williams(0.5, 0.5, 1.0, 10) == (0.0, 0.5)  # a metric and itself
    assert np.isnan(williams(0.6, 0.5, 1.0, 10)).all()  # no such scores exist


def test_a_determinant_below_zero_by_rounding_is_zero() -> None:
    t, p = williams(1.0, 0.5, 0.5 - 1e-16, 10)
    assert math.isfinite(t)
    assert t > 0
    assert p < 0.05


scores = st.lists(st.tuples(*[st.integers(-9, 9).map(float)] * 3), min_size=3, max_size=12)


@given(scores)
def test_tests_of_two_metrics_are_williams_of_their_correlations(rows: list[tuple[float, ...]]) -> None:
    three = np.array(rows).T
    p = williams_tests(three[0], three[1:])
    assert np.isnan(np.diag(p)).all()
    constant = (np.ptp(three, axis=1) == 0).any()
    if constant or len(rows) < 4:
        assert np.isnan(p).all()
        return
    r = np.corrcoef(three)
    if abs(r[1, 2]) > 1 - 1e-9 or abs(r[0, 1] - r[0, 2]) < 1e-9 or max(abs(r[0, 1]), abs(r[0, 2])) > 1 - 1e-9:
        return  # rounding may decide; see below
    _, one_sided = williams(r[0, 1], r[0, 2], r[1, 2], len(rows))
    assert p[0, 1] == pytest.approx(one_sided, abs=1e-9)
    assert p[1, 0] == pytest.approx(1 - p[0, 1], abs=1e-12)


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=4, max_size=30), st.floats(0.1, 10))
def test_a_metric_is_no_better_than_itself_on_another_scale(rows: list[tuple[float, float]], scale: float) -> None:
    """However rounding goes: the correlations are the same, and what they differ by is divided by next to nothing."""
    gold, metric = np.array(rows).T
    assume(np.ptp(gold) > 0.5)
    assume(np.ptp(metric) > 0.5)
    p = williams_tests(gold, np.stack([metric, scale * metric + 3]))
    assert p[0, 1] == p[1, 0] == 0.5


def test_without_the_sign_a_metric_that_is_turned_around_is_as_good() -> None:
    rng = np.random.default_rng(3)
    gold = rng.normal(size=15)
    good, bad = gold + rng.normal(size=15) / 4, gold + 2 * rng.normal(size=15)
    wanted = williams_tests(gold, np.stack([good, bad]))
    assert wanted[0, 1] < 0.05
    for signs in (-1, 1), (1, -1), (-1, -1):
        turned = np.array(signs)[:, None] * np.stack([good, bad])
        assert williams_tests(gold, turned, absolute=True) == pytest.approx(wanted, nan_ok=True)
    assert williams_tests(gold, np.stack([-good, bad]))[0, 1] > 0.95


def test_two_metrics_are_compared_where_both_have_scores() -> None:
    rng = np.random.default_rng(4)
    gold, metrics = rng.normal(size=12), rng.normal(size=(3, 12))
    gold[0] = metrics[0, 3] = metrics[1, 5] = NAN
    p = williams_tests(gold, metrics)
    for i, j in (0, 1), (0, 2), (1, 2):
        kept = ~np.isnan(np.stack([gold, metrics[i], metrics[j]])).any(axis=0)
        alone = williams_tests(gold[kept], metrics[[i, j]][:, kept])
        assert (p[i, j], p[j, i]) == pytest.approx((alone[0, 1], alone[1, 0]))


def test_tables_that_do_not_fit() -> None:
    with pytest.raises(InputError, match=r"shape \(2, 3\) do not fit gold of the shape \(4,\)"):
        williams_tests(np.zeros(4), np.zeros((2, 3)))


@given(st.floats(-0.999, 0.999), st.integers(4, 1000), st.floats(0.5, 0.999))
def test_fishers_interval_is_that_of_scipy(r: float, n: int, level: float) -> None:
    low, high = fisher_interval(r, n, level)
    z = scipy.stats.norm(np.arctanh(r), 1 / math.sqrt(n - 3)).interval(level)
    assert (low, high) == pytest.approx(np.tanh(z), abs=1e-9)
    assert low < r < high
    assert fisher_interval(-r, n, level) == pytest.approx((-high, -low))


def test_fishers_interval_at_its_ends() -> None:
    assert fisher_interval(1.0, 10) == (1.0, 1.0)
    assert fisher_interval(-1.0, 10) == (-1.0, -1.0)
    assert np.isnan(fisher_interval(NAN, 10)).all()
    with pytest.raises(InputError, match="level of an interval is given as 95"):
        fisher_interval(0.5, 10, 95)
    with pytest.raises(InputError, match=r"given as 1\.5"):
        fisher_interval(1.5, 10)
