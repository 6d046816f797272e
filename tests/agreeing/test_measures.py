"""Every registered measure keeps the same promises; each has figures of its own besides."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import get_args

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreeing import MEASURES, measure
from tercet.agreeing.base import DrawnUnit, Draws
from tercet.agreeing.gold import Gold
from tercet.agreeing.kendall import COEFFICIENTS, OfPairs
from tercet.errors import InputError, SpecError
from tercet.spec import option_docs
from tercet.stats.correlation import Grouping
from tests.agreeing.build import SAMPLES, SYSTEMS, counted, gold_for, gold_of, metric_for
from tests.oracles import correlation as oracle

VARIANTS = (
    *MEASURES,
    *(f"kendall(variant={v})" for v in ("wmt11", "wmt12", "wmt13", "wmt14", "hties", "darr", "c")),
    "pearson(group=item)",
    "pearson(group=system)",
    "spearman(group=item, zero_nans=true)",
    "kendall(group=item)",
    "accuracy(alpha=0.2)",
    "acc-eq(calibration=held-out)",
    "acc-eq(calibration=none)",
    "acc-eq(group=system)",
    "pearson(abs=true)",
    "pdp(group=system)",
    "pdp(group=none)",
)


def unit_for(spec: str) -> DrawnUnit:
    """What a measure can draw."""
    how = measure(spec)
    if how.takes == "pairs" or "alpha" in spec:
        return "judgements"
    grouped = getattr(how, "group", "none") != "none"
    return "items" if grouped or how.levels[0] != "system" or how.looks_at else "systems"


@pytest.mark.parametrize("spec", VARIANTS)
def test_perfect_agreement_is_one(spec: str) -> None:
    how = measure(spec)
    gold = gold_for(how)
    if how.takes == "scores":
        found = how.found(gold, gold.scores)
        assert found.value == pytest.approx(1)
        assert found.n > 0
    else:
        # the scores that the comparisons were made of, with the same ties
        from tests.agreeing.build import table

        assert how.found(gold, table(1)).value > 0.7 - (0.4 if spec.endswith("wmt11)") else 0)


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_better_metric_agrees_better(spec: str) -> None:
    how = measure(spec)
    gold = gold_for(how)
    good = metric_for(gold)
    noise = np.random.default_rng(0).permutation(good.ravel()).reshape(good.shape)
    bad = -good if "abs" not in spec else noise
    assert how.found(gold, good).value > how.found(gold, bad).value


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_larger_scale_changes_nothing(spec: str) -> None:
    how = measure(spec)
    gold = gold_for(how)
    metric = metric_for(gold)
    first, second = how.found(gold, metric), how.found(gold, metric * 8 + 3)
    assert second.value == pytest.approx(first.value)
    assert first.n == second.n


@pytest.mark.parametrize("spec", VARIANTS)
def test_resamples_lie_around_the_whole(spec: str) -> None:
    how = measure(spec)
    gold = gold_for(how)
    metrics = np.stack([metric_for(gold, 3), metric_for(gold, 4)])
    draws = Draws(unit_for(spec), SAMPLES, 5, 1)
    found = how.resampled(gold, metrics, draws)
    assert found.shape == (2, SAMPLES)
    whole = [how.found(gold, m).value for m in metrics]
    for value, row in zip(whole, found, strict=True):
        there = row[np.isfinite(row)]
        assert len(there) > SAMPLES / 2
        assert there.min() - 0.05 <= value <= there.max() + 0.05
    again = how.resampled(gold, metrics, Draws(unit_for(spec), SAMPLES, 5, 2))
    assert np.array_equal(found, again, equal_nan=True), "threads change nothing"


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_spec_says_itself(spec: str) -> None:
    how = measure(spec)
    assert measure(str(how)) == how
    assert all(option_docs(type(how)).values())
    assert how.card.title
    assert how.card.paper
    assert how.levels


@pytest.mark.parametrize("spec", VARIANTS)
def test_missing_scores_are_left_out(spec: str) -> None:
    how = measure(spec)
    gold = gold_for(how)
    metric = metric_for(gold)
    whole = how.found(gold, metric)
    gap = metric.copy()
    gap[-1] = np.nan
    found = how.found(gold, gap)
    assert found.n < whole.n
    assert np.isfinite(found.value)


def test_pearson_is_scipys() -> None:
    gold = gold_for(measure("pearson"))
    metric = metric_for(gold)
    expected = scipy.stats.pearsonr(gold.scores[:, 0], metric[:, 0]).statistic
    assert measure("pearson").found(gold, metric).value == pytest.approx(expected)
    expected = scipy.stats.kendalltau(gold.scores[:, 0], metric[:, 0]).statistic
    assert measure("kendall").found(gold, metric).value == pytest.approx(expected)


def test_a_constant_metric_is_not_defined() -> None:
    gold = gold_for(measure("pearson"))
    assert np.isnan(measure("pearson").found(gold, np.full((len(SYSTEMS), 1), 0.3)).value)
    pairs = gold_for(measure("kendall(variant=wmt14)"))
    constant = np.full((len(SYSTEMS), 30), 0.5)
    values = {v: measure(f"kendall(variant={v})").found(pairs, constant).value for v in ("wmt12", "wmt13", "wmt14")}
    assert values["wmt12"] == -1
    assert np.isnan(values["wmt13"])
    assert values["wmt14"] == 0
    ties = float((pairs.comparisons.outcome == 1).mean())
    assert measure("kendall(variant=hties)").found(pairs, constant).value == pytest.approx(ties)


def test_abs_keeps_a_reversed_metric() -> None:
    gold = gold_for(measure("pearson"))
    metric = metric_for(gold)
    plain = measure("pearson").found(gold, metric).value
    assert measure("pearson(abs=true)").found(gold, -metric).value == pytest.approx(plain)
    draws = Draws("judgements", SAMPLES, 1, 1)
    turned = measure("pearson(abs=true)").resampled(gold, -metric[None], draws)
    assert np.allclose(turned, measure("pearson").resampled(gold, metric[None], draws))


def test_an_epsilon_makes_ties() -> None:
    gold = gold_for(measure("kendall(variant=wmt14)"))
    metric = metric_for(gold)
    wide = measure("kendall(variant=wmt14, epsilon=99)").found(gold, metric)
    assert wide.value == 0
    with pytest.raises(SpecError, match="epsilon must be"):
        measure("kendall(variant=c, epsilon=1)")


def test_a_matrix_is_a_variant_of_ones_own() -> None:
    gold = gold_for(measure("kendall(variant=wmt14)"))
    metric = metric_for(gold).round(1)  # with ties
    for variant, rows in COEFFICIENTS.items():
        matrix = "/".join(" ".join("X" if np.isnan(cell) else f"{cell:.0f}" for cell in row) for row in rows)
        own = measure(f'kendall(matrix="{matrix}")')
        assert measure(str(own)) == own
        assert own.found(gold, metric) == measure(f"kendall(variant={variant})").found(gold, metric)
    # only where both see a difference, and what is wrong counts nothing: all that counts is right
    assert measure('kendall(matrix="1 X 0/X X X/0 X 1")').found(gold, metric).value > 0
    assert measure('kendall(matrix="1 X X/X X X/X X 1")').found(gold, metric).value == 1


@pytest.mark.parametrize("matrix", ["1", "1 0 -1", "1 0 -1/X X X", "1 0 -1/X X X/-1 0 2", "1 0/X X/0 1", " "])
def test_a_matrix_is_three_rows_of_three(matrix: str) -> None:
    with pytest.raises(SpecError, match="matrix must be three rows of three of 1, 0, -1, X, not"):
        measure(f'kendall(matrix="{matrix}")')


def test_a_matrix_stands_in_place_of_a_variant() -> None:
    with pytest.raises(SpecError, match="matrix must be left out with variant=wmt14"):
        measure('kendall(variant=wmt14, matrix="1 0 -1/X X X/-1 0 1")')
    with pytest.raises(SpecError, match="group must be none with a matrix"):
        measure('kendall(group=item, matrix="1 0 -1/X X X/-1 0 1")')


def test_a_measure_says_what_it_needs() -> None:
    scores, pairs = gold_for(measure("pearson")), gold_for(measure("kendall(variant=wmt14)"))
    with pytest.raises(InputError, match="no comparisons"):
        measure("kendall(variant=wmt14)").found(scores, metric_for(scores))
    with pytest.raises(InputError, match="no scores"):
        measure("pearson").found(pairs, metric_for(pairs))


def test_lengths_weigh_segments() -> None:
    how, gold = measure("segcor"), gold_for(measure("segcor"))
    metric = metric_for(gold)
    assert gold.texts is not None
    # a weight of n is n segments
    often = np.concatenate([np.repeat(i, len(text.split())) for i, text in enumerate(gold.texts)])
    expected = scipy.stats.pearsonr(gold.scores[:, often].ravel(), metric[:, often].ravel()).statistic
    assert how.found(gold, metric).value == pytest.approx(expected)
    one = dataclasses.replace(gold, texts=tuple("a-b c" for _ in gold.items))
    assert how.found(one, metric).value == pytest.approx(measure("pearson").found(gold, metric).value)
    split = dataclasses.replace(gold, texts=tuple("a, b" if i % 2 else "a b" for i in range(30)))
    assert measure("segcor(tokenize=13a)").found(split, metric) != how.found(split, metric)
    assert np.isnan(how.found(gold, np.full_like(metric, 0.1)).value)
    with pytest.raises(InputError, match="there are none"):
        how.found(dataclasses.replace(gold, texts=None), metric)
    with pytest.raises(SpecError, match="no tokenizer called"):
        measure("segcor(tokenize=luck)")


def test_accuracy_on_pairs_is_half_of_a_tau() -> None:
    gold = gold_for(measure("pair-accuracy"))
    metric = np.round(metric_for(gold), 1)  # with ties
    tau = measure("kendall(variant=wmt12)").found(gold, metric)
    found = measure("pair-accuracy").found(gold, metric)
    assert found.value == pytest.approx((1 + tau.value) / 2)
    assert found.n == tau.n


cells = st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=3, max_size=3)


def tau(counts: list[list[int]], variant: str) -> float:
    """Of comparisons that were counted."""
    return measure(f"kendall(variant={variant})").found(*counted(counts)).value


@given(cells)
def test_taus_of_wmt_have_their_properties(counts: list[list[int]]) -> None:
    turned = [row[::-1] for row in counts]  # the metric says the opposite
    for variant in ("wmt13", "wmt14"):
        assert tau(turned, variant) == pytest.approx(-tau(counts, variant), nan_ok=True)
    (a, b, c), (d, e, f), (g, h, i) = counts
    right, wrong, tied = a + i, c + g, b + h

    def share(part: int, whole: int) -> float:
        return part / whole if whole else math.nan

    wanted = {
        "wmt11": share(right - wrong - tied - d - e - f, right + wrong + tied + d + e + f),
        "wmt12": share(right - wrong - tied, right + wrong + tied),
        "wmt13": share(right - wrong, right + wrong),
        "wmt14": share(right - wrong, right + wrong + tied),
        "hties": share(right - wrong + e, right + wrong + tied + d + e + f),
        "darr": share(right - wrong - tied, right + wrong + tied),
    }
    assert set(wanted) == set(get_args(OfPairs))
    for variant, value in wanted.items():
        assert tau(counts, variant) == pytest.approx(value, abs=1e-12, nan_ok=True)


scores = st.one_of(st.integers(-2, 2).map(float), st.just(math.nan))


tables = st.lists(st.tuples(*[scores] * 6), min_size=2, max_size=5)


@pytest.mark.parametrize("group", get_args(Grouping))
@given(rows=tables, epsilon=st.sampled_from([0.5, 1.0, 2.0]))
def test_tau_b_with_epsilon_is_that_of_the_oracle(
    group: Grouping, rows: list[tuple[float, ...]], epsilon: float
) -> None:
    """People's three columns beside the metric's: as it is, in a part, and in a resample that draws everything."""
    how = measure(f"kendall(group={group}, epsilon={epsilon})")
    people, metric = (np.array([row[k : k + 3] for row in rows]) for k in (0, 3))
    gold = Gold("made up", "", "segment", tuple(f"S{i}" for i in range(len(rows))), ("1", "2", "3"), people)
    wanted = oracle.grouped("tau-b", people.tolist(), metric.tolist(), group, epsilon)
    assert how.found(gold, metric).value == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    inside = np.array([True, True, False])
    part = dataclasses.replace(gold, items=("1", "2"), values=people[:, :2])
    wanted = oracle.grouped("tau-b", people[:, :2].tolist(), metric[:, :2].tolist(), group, epsilon)
    of_parts = how.of_parts([gold, part], [np.ones(3, dtype=bool), inside], metric[None], 1)
    assert of_parts[1, 0] == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_tau_b_with_epsilon_in_resamples() -> None:
    """By items as the general rule has it, and by judgements as the oracle says of each."""
    how = measure("kendall(epsilon=0.2)")
    gold = gold_for(how)
    metric = metric_for(gold)
    assert gold.sampled is not None
    drawn = how.resampled(gold, metric[None], Draws("judgements", SAMPLES, 1, 1))[0]
    wanted = [oracle.agreement("tau-b", people.tolist(), metric[:, 0].tolist(), 0.2)[0] for people in gold.sampled]
    assert drawn == pytest.approx(wanted, abs=1e-12)
    plain = measure("kendall").resampled(gold, metric[None], Draws("judgements", SAMPLES, 1, 1))[0]
    assert not np.allclose(drawn, plain)
    by_item = measure("kendall(group=item, epsilon=0.2)")
    gold = gold_for(by_item)
    whole = by_item.resampled(gold, gold.scores[None], Draws("items", SAMPLES, 1, 1))[0]
    assert not np.allclose(whole, 1), "ties cost, in resamples as well"
    assert whole.min() <= by_item.found(gold, gold.scores).value <= whole.max()


def test_tests_of_tau_b_with_epsilon_exchange_items() -> None:
    """Scores of two metrics have no epsilon in common, so that what each gives on an item is exchanged."""
    how = measure("kendall(group=item, epsilon=0.2)")
    gold = gold_for(how)
    assert [test for test in how.tests(gold) if test.startswith("perm-")] == ["perm-item"]
    assert not any(t.startswith("perm-") for t in measure("kendall(epsilon=0.2)").tests(gold))
    good = metric_for(gold)
    bad = np.random.default_rng(0).permutation(good.ravel()).reshape(good.shape)
    metrics = np.stack([good, bad, good])
    p = how.permuted(gold, metrics, [how.found(gold, m) for m in metrics], Draws("items", 500, 1, 1))
    assert p[0, 1] < 0.01 < 0.99 < p[1, 0]
    assert p[0, 2] == p[2, 0] == 1


@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=6))
def test_accuracy_counts_pairs_of_signs(systems: list[tuple[float, float]]) -> None:
    there = [(g, m) for g, m in systems if not math.isnan(g) and not math.isnan(m)]
    agree = [((g > h) - (g < h)) == ((m > n) - (m < n)) for (g, m), (h, n) in itertools.combinations(there, 2)]
    found = measure("accuracy").found(gold_of([g for g, _ in systems]), np.array([[m] for _, m in systems]))
    assert found.n == len(agree)
    assert found.value == pytest.approx(sum(agree) / len(agree) if agree else math.nan, nan_ok=True)
