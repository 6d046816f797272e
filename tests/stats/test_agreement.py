"""Kappa, alpha and quality control against their plain definitions."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from tercet.errors import InputError
from tercet.options.judging import Weighting
from tercet.stats.agreement import (
    Metric,
    band,
    cohen_kappa,
    count_pairs,
    expected_agreement,
    fleiss_kappa,
    groups,
    kappa_from_counts,
    krippendorff_alpha,
    pairs_within,
    sizes,
)
from tercet.stats.control import bad_reference_test, longest_run, paired_t

# Krippendorff (2011), example C: four observers, twelve units, missing values; alpha as he prints it.
RELIABILITY = """
    1 2 3 3 2 1 4 1 2 . . .
    1 2 3 3 2 2 4 1 2 5 . 3
    . 3 3 3 2 3 4 2 2 5 1 .
    1 2 3 3 2 4 4 1 2 5 1 .
"""
PRINTED: dict[Metric, str] = {"nominal": "0.743", "ordinal": "0.815", "interval": "0.849"}

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(-3, 4)), max_size=25)


def alpha_oracle(units: list[int], values: list[float], metric: Metric) -> float:
    """Alpha from the distances of all pairs, ordinal ones by the counts between two categories."""
    by_unit: dict[int, list[float]] = defaultdict(list)
    for unit, value in zip(units, values, strict=True):
        by_unit[unit].append(value)
    kept = [each for each in by_unit.values() if len(each) > 1]
    pooled = [value for each in kept for value in each]
    counts = Counter(pooled)

    def distance(a: float, b: float) -> float:
        if metric == "nominal":
            return float(a != b)
        if metric == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(n for category, n in counts.items() if low <= category <= high)
        return (between - (counts[a] + counts[b]) / 2) ** 2 if a != b else 0.0

    n = len(pooled)
    if n < 2 or len(counts) < 2:
        return math.nan
    observed = sum(distance(a, b) / (len(each) - 1) for each in kept for a, b in itertools.permutations(each, 2)) / n
    expected = sum(distance(a, b) for a, b in itertools.permutations(pooled, 2)) / (n * (n - 1))
    return 1 - observed / expected


@pytest.mark.parametrize("metric", PRINTED)
def test_alpha_of_the_textbook(metric: Metric) -> None:
    rows = [row.split() for row in RELIABILITY.strip().splitlines()]
    cells = [(unit, int(cell)) for row in rows for unit, cell in enumerate(row) if cell != "."]
    units, values = (np.array(column) for column in zip(*cells, strict=True))
    found = krippendorff_alpha(units, values, metric)
    assert f"{found:.3f}" == PRINTED[metric]
    assert found == pytest.approx(alpha_oracle(units.tolist(), values.tolist(), metric), rel=1e-12)


@pytest.mark.parametrize("metric", PRINTED)
@given(rows=ROWS)
def test_alpha_is_its_definition(metric: Metric, rows: list[tuple[int, int]]) -> None:
    units, values = [u for u, _ in rows], [float(v) for _, v in rows]
    found = krippendorff_alpha(np.array(units, dtype=np.int64), np.array(values), metric)
    assert found == pytest.approx(alpha_oracle(units, values, metric), abs=1e-12, nan_ok=True)


def test_interval_alpha_of_large_values_keeps_its_digits() -> None:
    units, values = np.array([0, 0, 1, 1, 2, 2]), np.array([1.0, 2, 4, 4, 7, 6])
    near, far = (krippendorff_alpha(units, values + shift, "interval") for shift in (0, 1e9))
    assert near == pytest.approx(far, rel=1e-9)


@pytest.mark.parametrize("value", [1.0, np.nan])
@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_of_values_that_are_alike_is_undefined(value: float, metric: Metric) -> None:
    assert np.isnan(krippendorff_alpha(np.array([0, 0, 1, 1]), np.full(4, value), metric))


def test_alpha_knows_no_other_distance() -> None:
    with pytest.raises(InputError, match="no distance called 'polar'"):
        krippendorff_alpha(np.array([0, 0]), np.array([1, 2]), "polar")  # type: ignore[arg-type]


@given(ROWS)
def test_groups_number_equal_rows_alike(rows: list[tuple[int, int]]) -> None:
    columns = [np.array([row[i] for row in rows], dtype=np.int64) for i in (0, 1)]
    found = groups(*columns)
    assert set(found.tolist()) == set(range(len(set(rows))))
    for (a, x), (b, y) in itertools.combinations(zip(rows, found.tolist(), strict=True), 2):
        assert (a == b) == (x == y)
    assert sizes(found).tolist() == [rows.count(row) for row in rows]


@given(ROWS)
def test_pairs_are_counted_as_if_each_were_looked_at(rows: list[tuple[int, int]]) -> None:
    rows = sorted(rows)
    item, label = (np.array([row[i] for row in rows], dtype=np.int64) for i in (0, 1))
    pairs = [(i, j) for i, j in itertools.combinations(range(len(rows)), 2) if rows[i][0] == rows[j][0]]
    first, second = pairs_within(item)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == pairs
    assert count_pairs(item, label) == (sum(rows[i] == rows[j] for i, j in pairs), len(pairs))


def test_kappa_without_anything_to_compare_is_undefined() -> None:
    nothing, no_pairs, all_ties = (kappa_from_counts(*counts) for counts in ((0, 0, 0, 0), (0, 0, 1, 4), (3, 3, 9, 9)))
    assert all(map(math.isnan, nothing))
    assert math.isnan(no_pairs.kappa)
    assert no_pairs.p_expected == pytest.approx(0.25**2 + 0.75**2 / 2)
    assert (all_ties.p_agree, all_ties.p_expected) == (1, 1)
    assert math.isnan(all_ties.kappa)


def test_who_always_ties_agrees_by_chance() -> None:
    assert expected_agreement(1, 0.3) == 0.3
    assert expected_agreement(0, 0) == 0.5


WORDS = {
    -0.01: "poor",
    0.0: "slight",
    0.2: "slight",
    0.201: "fair",
    0.5: "moderate",
    0.61: "substantial",
    0.81: "almost perfect",
    1.0: "almost perfect",
    math.nan: "",
}


@pytest.mark.parametrize(("kappa", "words"), WORDS.items())
def test_a_kappa_in_words(kappa: float, words: str) -> None:
    assert band(kappa) == words


SCORES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=12)


@given(SCORES)
def test_bad_references_as_scipy_tests_them(pairs: list[tuple[int, int]]) -> None:
    original, bad = (np.array([p[i] for p in pairs], dtype=float) for i in (0, 1))
    found = bad_reference_test(original, bad)
    if len({*original, *bad}) == 1:
        assert all(map(math.isnan, found))
        return
    want = scipy.stats.mannwhitneyu(original, bad, alternative="greater", method="asymptotic", use_continuity=True)
    assert found.p_ranksum == want.pvalue
    if len(set((bad - original).tolist())) > 1:
        paired = scipy.stats.ttest_rel(bad, original, alternative="less")
        assert (found.t, found.p_paired_t) == pytest.approx((paired.statistic, paired.pvalue), rel=1e-9)


def test_a_judge_who_is_always_as_far_off_is_certain() -> None:
    """The limit of the t-test, where the differences do not vary: -inf one way, no evidence the other."""
    high, low = np.array([100.0, 90.0]), np.array([10.0, 0.0])
    assert bad_reference_test(high, low)[1:] == (0, -math.inf)
    assert bad_reference_test(low, high)[1:] == (1, math.inf)


def test_bad_references_need_some() -> None:
    assert all(map(math.isnan, bad_reference_test(np.zeros(0), np.zeros(0))))
    one = bad_reference_test(np.array([80.0]), np.array([20.0]))
    assert math.isnan(one.p_paired_t)
    assert one.p_ranksum == pytest.approx(0.5)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-4, 4)), max_size=20))
def test_paired_t_of_groups_is_that_of_each(rows: list[tuple[int, int]]) -> None:
    group, gap = np.array([g for g, _ in rows], dtype=np.int64), np.array([x for _, x in rows], dtype=float)
    t, p = paired_t(gap, group, 4)
    for g in range(4):
        mine = gap[group == g]
        if len(mine) < 2 or not mine.any():
            assert math.isnan(t[g])
            assert math.isnan(p[g])
        elif len(set(mine.tolist())) > 1:
            want = scipy.stats.ttest_1samp(mine, 0)
            assert (t[g], p[g]) == pytest.approx((want.statistic, want.pvalue), rel=1e-9)
        else:
            assert p[g] == 0


@given(st.lists(st.integers(0, 2), max_size=20))
def test_the_longest_run(values: list[int]) -> None:
    runs = [len(list(run)) for _, run in itertools.groupby(values)]
    assert longest_run(np.array(values)) == max(runs, default=0)


LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@given(LABELS, st.sampled_from(["none", "linear", "quadratic"]))
def test_cohens_kappa_is_scikit_learns(pairs: list[tuple[int, int]], weights: Weighting) -> None:
    first, second = np.array(pairs).T
    ours = cohen_kappa(first, second, weights)
    seen = sorted({*first.tolist(), *second.tolist()})
    if len(seen) == 1:
        assert math.isnan(ours.kappa)
        return
    # its weights count places in the list of labels, ours the distance of their values
    every = list(range(seen[0], seen[-1] + 1))
    theirs = cohen_kappa_score(first, second, labels=every, weights=None if weights == "none" else weights)
    assert ours.kappa == pytest.approx(theirs, abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=12))
def test_fleiss_kappa_is_its_definition(units: list[list[int]]) -> None:
    """Every unit has three judges: mean share of agreeing pairs, and squared shares of labels."""
    agree = [sum(a == b for a, b in itertools.combinations(unit, 2)) / 3 for unit in units]
    counted = Counter(label for unit in units for label in unit)
    expected = sum((n / (3 * len(units))) ** 2 for n in counted.values())
    ours = fleiss_kappa(np.repeat(np.arange(len(units)), 3), np.array(units).ravel())
    assert (ours.p_agree, ours.p_expected) == pytest.approx((sum(agree) / len(units), expected))
    if len(counted) > 1:
        assert ours.kappa == pytest.approx((ours.p_agree - expected) / (1 - expected))


def test_fleiss_kappa_of_his_paper() -> None:
    """Fleiss (1971): 30 patients and six psychiatrists are too long; ten subjects by fourteen raters give .210."""
    table = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
    rows = [[int(n) for n in line.split()] for line in table.split("|")]
    unit = np.repeat(np.arange(10), 14)
    label = np.concatenate([np.repeat(np.arange(5), row) for row in rows])
    found = fleiss_kappa(unit, label)
    assert [round(x, 3) for x in found] == [0.378, 0.213, 0.210]


def test_kappas_of_nothing_are_undefined() -> None:
    nothing = np.array([], dtype=np.int64)
    assert all(math.isnan(x) for x in (*cohen_kappa(nothing, nothing), *fleiss_kappa(nothing, nothing)))
