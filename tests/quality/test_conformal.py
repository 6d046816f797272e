"""Conformal intervals and thresholds: against MAPIE, by their definition, and by what they promise on new draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError
from tercet.quality import conformal

ERRORS = st.lists(st.integers(0, 50), min_size=1, max_size=60)
LEVELS = st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.9])


@given(ERRORS, LEVELS)
def test_the_quantile_leaves_no_more_than_alpha_above_it(errors: list[int], alpha: float) -> None:
    """Put in as one more, each of the errors and the new one are equally likely to be the largest."""
    values = np.array(errors, dtype=np.float64)
    quantile = conformal.conformal_quantile(values, alpha)
    n = len(values)
    if math.isinf(quantile):
        assert (n + 1) * (1 - alpha) > n - 1e-9
    else:
        assert (values <= quantile).sum() >= (n + 1) * (1 - alpha) - 1e-9
        assert (values < quantile).sum() < (n + 1) * (1 - alpha)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6)), min_size=1, max_size=40), LEVELS)
def test_a_source_counts_once_however_many_translations_it_has(rows: list[tuple[int, int]], alpha: float) -> None:
    values = np.array([value for value, _ in rows], dtype=np.float64)
    sources = np.array([source for _, source in rows])
    names = set(sources.tolist())

    def covered(limit: float) -> float:
        return sum(float((values[sources == name] <= limit).mean()) for name in names) / (len(names) + 1)

    enough = [value for value in values.tolist() if covered(value) >= 1 - alpha - 1e-9]
    assert conformal.conformal_quantile(values, alpha, sources) == min(enough, default=math.inf)
    alone = np.arange(len(values))
    assert conformal.conformal_quantile(values, alpha, alone) == conformal.conformal_quantile(values, alpha)

    losses = values / 9
    scores = -values

    def risk(limit: float) -> float:
        taken = np.where(scores <= limit, losses, 0)
        return (sum(float(taken[sources == name].mean()) for name in names) + 1) / (len(names) + 1)

    allowed = [limit for limit in scores.tolist() if risk(limit) <= alpha + 1e-9]
    assert conformal.risk_threshold(scores, losses, alpha, sources=sources) == max(allowed, default=-math.inf)


def test_promises_hold_where_sentences_have_several_translations() -> None:
    """Few sentences, ten translations of each, alike: as if they were independent, too little is covered."""
    rng = np.random.default_rng(7)
    n, m = 25, 10
    sources = np.repeat(np.arange(n), m)
    covered, plain, risks = [], [], []
    for _ in range(1500):
        hard = np.repeat(rng.uniform(size=2 * n), m)
        error = np.clip(hard + rng.normal(0, 0.1, size=2 * n * m), 0, 1.2)
        seen, new = error[: n * m], error[n * m :]
        covered.append((new <= conformal.conformal_quantile(seen, 0.1, sources)).mean())
        plain.append((new <= conformal.conformal_quantile(seen, 0.1)).mean())
        score, bad = rng.uniform(size=2 * n * m), error > 0.6
        threshold = conformal.risk_threshold(score[: n * m], bad[: n * m].astype(np.float64), 0.2, sources=sources)
        risks.append((bad[n * m :] & (score[n * m :] <= threshold)).mean())
    assert 0.895 < np.mean(covered) < 0.94
    assert np.mean(plain) < 0.895
    assert 0.17 < np.mean(risks) < 0.201


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("n", [99, 250])
def test_the_half_width_is_mapies(alpha: float, n: int) -> None:
    mapie = pytest.importorskip("mapie.regression")
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, 2))
    y = x @ [1.0, -2.0] + rng.standard_t(3, size=n)
    model = linear.LinearRegression().fit(x[: n // 2], y[: n // 2])
    rest, labels = x[n // 2 :], y[n // 2 :]
    oracle = mapie.SplitConformalRegressor(model, confidence_level=1 - alpha, prefit=True).conformalize(rest, labels)
    points, ends = oracle.predict_interval(x[:5])
    half = conformal.conformal_quantile(np.abs(labels - model.predict(rest)), alpha)
    assert conformal.intervals(points, half) == pytest.approx(ends[:, :, 0], abs=1e-12)


@given(
    st.floats(-2, 3),
    st.floats(0, 2) | st.just(math.inf),
    st.floats(0, 1),
)
def test_ends_within_the_labels_lose_no_label(predicted: float, half: float, label: float) -> None:
    (low, high) = conformal.intervals(np.array([predicted]), half)[0]
    (least, most) = conformal.intervals(np.array([predicted]), half, 0.0, 1.0)[0]
    assert 0 <= least <= most <= 1
    assert (least <= label <= most) >= (low <= label <= high)


def test_coverage_holds_by_group() -> None:
    """Long segments are harder: one width for all would cover them too seldom."""
    rng = np.random.default_rng(5)
    covered, plain = [], []
    for _ in range(300):
        group = rng.integers(2, size=400)
        error = np.abs(rng.normal(size=400)) * np.where(group == 1, 3.0, 1.0)
        quantiles = conformal.group_quantiles(error[:300], group[:300], 0.1)
        late, late_group = error[300:], group[300:]
        covered.append((late <= conformal.by_group(late_group, quantiles))[late_group == 1].mean())
        plain.append((late <= conformal.conformal_quantile(error[:300], 0.1))[late_group == 1].mean())
    assert 0.895 < np.mean(covered) < 0.92
    assert np.mean(plain) < 0.85


def test_groups_that_are_too_small_promise_nothing() -> None:
    quantiles = conformal.group_quantiles(np.array([1.0, 2.0]), ["a", "b"], 0.1)
    assert quantiles == {"a": math.inf, "b": math.inf}
    assert conformal.by_group(["c"], quantiles).tolist() == [math.inf]
    assert conformal.intervals(np.array([0.5]), math.inf, 0.0, 1.0).tolist() == [[0.0, 1.0]]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=200), st.integers(1, 6), st.integers(1, 40))
def test_groups_of_lengths_are_large_enough(lengths: list[int], groups: int, least: int) -> None:
    values = np.array(lengths, dtype=np.float64)
    edges = conformal.length_edges(values, groups, least)
    counts = np.bincount(conformal.length_groups(values, edges), minlength=len(edges) + 1)
    assert len(edges) < groups
    assert len(edges) == 0 or counts.min() >= least


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), min_size=1, max_size=40),
    st.sampled_from([0.05, 0.1, 0.3, 0.6]),
)
def test_the_risk_threshold_is_the_largest_that_is_allowed(rows: list[tuple[int, int]], alpha: float) -> None:
    scores = np.array([s for s, _ in rows], dtype=np.float64)
    losses = np.array([loss / 4 for _, loss in rows])
    n = len(rows)
    fine = [t for t in set(scores.tolist()) if (losses[scores <= t].sum() + 1) / (n + 1) <= alpha + 1e-12]
    assert conformal.risk_threshold(scores, losses, alpha) == max(fine, default=-math.inf)


def test_the_risk_is_held_on_new_segments() -> None:
    rng = np.random.default_rng(3)
    risks, shares = [], []
    for _ in range(400):
        score = rng.uniform(size=600)
        bad = rng.uniform(size=600) < score
        threshold = conformal.risk_threshold(score[:200], bad[:200].astype(np.float64), 0.1)
        selective = conformal.selective_threshold(score[:200], bad[:200], 0.2, 0.1)
        risks.append((bad[200:] & (score[200:] <= threshold)).mean())
        shares.append(selective / 2)  # the true share of bad ones up to t is t / 2
    assert np.mean(risks) < 0.1
    assert np.mean(risks) > 0.09  # not by taking next to nothing
    assert np.mean(np.array(shares) > 0.2) <= 0.1
    assert np.mean(np.array(shares) > 0.1) > 0.3


def test_published_ones_of_the_same_sources_are_not_counted_as_independent() -> None:
    """All translations of a sentence are bad or none is: the share of bad ones is wrong no more often than delta."""
    rng = np.random.default_rng(11)
    n, m = 120, 8
    sources = np.repeat(np.arange(n), m)
    wrong, careless = [], []
    for _ in range(400):
        score = np.repeat(rng.uniform(size=n), m)
        bad = np.repeat(rng.uniform(size=n) < score[::m], m)
        wrong.append(conformal.selective_threshold(score, bad, 0.25, 0.1, sources) / 2 > 0.25)
        careless.append(conformal.selective_threshold(score, bad, 0.25, 0.1) / 2 > 0.25)
    assert np.mean(wrong) <= 0.1
    assert np.mean(careless) > 0.15


def test_nothing_is_taken_where_nothing_can_be_promised() -> None:
    scores = np.array([1.0, 2.0, 3.0])
    assert conformal.risk_threshold(scores, np.zeros(3), 0.1) == -math.inf
    assert conformal.selective_threshold(scores, np.zeros(3, dtype=np.bool_), 0.1) == -math.inf
    empty = np.zeros(0)
    assert conformal.risk_threshold(empty, empty, 0.1) == -math.inf
    assert conformal.conformal_quantile(empty, 0.1) == math.inf


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: conformal.conformal_quantile(np.ones(3), 1.0), "A probability of 1 was asked for."),
        (lambda: conformal.conformal_quantile(np.array([np.nan]), 0.1), "An error of calibration is not finite."),
        (lambda: conformal.group_quantiles(np.ones(2), ["a"], 0.1), "There are 2 errors and 1 groups."),
        (
            lambda: conformal.conformal_quantile(np.ones(2), 0.1, np.ones(1, dtype=np.int64)),
            "There are 2 segments and 1 sources.",
        ),
        (lambda: conformal.risk_threshold(np.ones(2), np.ones(1), 0.1), "There are 2 scores and 1 losses."),
        (lambda: conformal.risk_threshold(np.ones(1), np.array([2.0]), 0.1), "Losses must be from 0 to 1."),
        (lambda: conformal.risk_threshold(np.ones(1), np.array([np.nan]), 0.1), "Losses must be from 0 to 1."),
    ],
)
def test_what_cannot_be_used_is_refused(call: object, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        call()  # type: ignore[operator]
    assert error.value.message == sentence
