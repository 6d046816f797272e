"""Sentence-level measures against oracles, on ties, constants and few segments; winners."""

from __future__ import annotations

import math
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tercet import qe_evaluate
from tercet.data import SentenceLabels
from tercet.errors import InputError
from tercet.quality import measures
from tercet.report.quality import quality_tables
from tests.oracles import quality as oracle

LABELS = st.lists(st.integers(0, 20).map(float), min_size=1, max_size=30)


@given(LABELS, st.randoms(use_true_random=False))
def test_deltaavg_is_its_definition(labels: list[float], random: object) -> None:
    gold = np.array(labels)
    order = np.array(random.sample(range(len(labels)), len(labels)))  # type: ignore[attr-defined]
    wanted = oracle.deltaavg(gold[order].tolist())
    assert measures.deltaavg(gold, order, higher=True) == pytest.approx(wanted, abs=1e-9)
    assert measures.deltaavg(gold, order) == pytest.approx(-wanted, abs=1e-9)
    assert measures.deltaavg(gold, order, compat=True) == pytest.approx(abs(wanted), abs=1e-9)


@given(st.lists(st.integers(0, 9).map(float), min_size=4, max_size=12), st.integers(0, 99), st.booleans())
def test_a_resample_keeps_the_order_of_each_system(labels: list[float], seed: int, higher: bool) -> None:
    gold = np.array(labels)
    n = len(gold)
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(n), rng.permutation(n)]
    drawn = measures.resampled_deltaavg(gold, orders, 5, seed, higher=higher)
    draws = np.random.default_rng(seed).integers(n, size=(5, n))
    for o, order in enumerate(orders):
        rank = {int(item): place for place, item in enumerate(order)}
        for b, draw in enumerate(draws):
            in_order = sorted(draw.tolist(), key=lambda item: rank[item])
            wanted = oracle.deltaavg(gold[in_order].tolist())
            assert drawn[o, b] == pytest.approx(wanted if higher else -wanted, abs=1e-9)


@given(LABELS.filter(lambda x: len(set(x)) > 1), st.integers(0, 99))
def test_correlations_are_scipys(labels: list[float], seed: int) -> None:
    gold = np.array(labels)
    predicted = np.round(np.random.default_rng(seed).normal(size=len(gold)), 1)
    if len(set(predicted.tolist())) < 2:
        return
    assert measures.pearson(predicted, gold) == pytest.approx(stats.pearsonr(predicted, gold)[0], abs=1e-9)
    assert measures.spearman(predicted, gold) == pytest.approx(stats.spearmanr(predicted, gold)[0], abs=1e-9)
    assert measures.kendall(predicted, gold) == pytest.approx(stats.kendalltau(predicted, gold)[0], abs=1e-9)


def test_spearman_of_ranks_is_rho_where_there_are_no_ties() -> None:
    rng = np.random.default_rng(2)
    one, two = rng.permutation(20) + 1, rng.permutation(20) + 1
    assert measures.spearman_of_ranks(one, two) == pytest.approx(stats.spearmanr(one, two)[0])


def test_compat_rounds_errors_and_drops_the_sign() -> None:
    gold, worst = [0.1, 0.2, 0.3, 0.4], [0.904, 0.7, 0.4, 0.1]
    plain, compat = (qe_evaluate({"a": worst}, gold, compat=c, samples=40) for c in (False, True))
    assert plain.value("a", "deltaavg") == pytest.approx(-0.1)
    assert compat.value("a", "deltaavg") == pytest.approx(0.1)
    assert plain.value("a", "mae") == pytest.approx((0.804 + 0.5 + 0.1 + 0.3) / 4)
    assert compat.value("a", "mae") == pytest.approx((0.80 + 0.5 + 0.1 + 0.3) / 4)
    assert compat.value("a", "small-errors") == 0.25


def test_scale_and_direction() -> None:
    gold, said = [0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.3, 0.2]
    plain = qe_evaluate({"a": said}, gold, samples=40)
    percent = qe_evaluate({"a": said}, gold, samples=40, scale=100.0)
    turned = qe_evaluate({"a": [-x for x in said]}, [-x for x in gold], samples=40, higher=True)
    for measure in ("mae", "rmse", "deltaavg"):
        assert percent.value("a", measure) == pytest.approx(100 * plain.value("a", measure))  # type: ignore[operator]
        assert turned.value("a", measure) == pytest.approx(plain.value("a", measure))
    assert plain.value("oracle", "deltaavg") == pytest.approx(0.1)


def test_constant_predictions_and_few_segments() -> None:
    constant = qe_evaluate({"a": [0.5] * 5}, [0.1, 0.2, 0.3, 0.4, 0.5], samples=40)
    assert math.isnan(constant.value("a", "pearson"))  # type: ignore[arg-type]
    assert constant.value("a", "deltaavg") == pytest.approx(oracle.deltaavg([-0.1, -0.2, -0.3, -0.4, -0.5]))
    assert constant.record("a", "pearson").p_best is None
    one = qe_evaluate({"a": [0.5]}, [0.25], samples=40)
    assert (one.value("a", "mae"), one.value("a", "deltaavg")) == (0.25, 0)
    flat = qe_evaluate({"a": [1.0, 2.0, 3.0, 4.0]}, [1.0] * 4, samples=40)
    assert flat.value("a", "deltaavg") == pytest.approx(0, abs=1e-12)
    assert math.isnan(flat.value("a", "kendall"))  # type: ignore[arg-type]


def test_what_was_not_submitted_is_not_measured() -> None:
    names, ranks = ("1", "2", "3", "4"), np.array([1, 2, 3, 4])
    ranked = SentenceLabels(names, None, ranks)
    scored = SentenceLabels(names, np.array([0.1, 0.2, 0.3, 0.4]), None, unranked=True)
    answer = qe_evaluate({"ranked": ranked, "scored": scored}, [0.1, 0.2, 0.3, 0.5], samples=40)
    assert answer.value("ranked", "mae") is None
    assert answer.value("ranked", "spearman-ranks") == 1
    assert answer.value("scored", "deltaavg") is None
    assert answer.winners("mae") == ["scored"]
    by_score = qe_evaluate({"scored": scored}, [0.1, 0.2, 0.3, 0.5], samples=40, order="score")
    assert by_score.value("scored", "deltaavg") == answer.value("ranked", "deltaavg")


def test_segments_without_a_true_label_are_left_out() -> None:
    full = qe_evaluate({"a": [1.0, 2.0, 9.0, 4.0, 5.0]}, [1.5, 2.0, math.nan, 3.0, 5.0], samples=40)
    less = qe_evaluate({"a": [1.0, 2.0, 4.0, 5.0]}, [1.5, 2.0, 3.0, 5.0], samples=40)
    assert [r.value for r in full] == [r.value for r in less]
    assert full.notes == ("1 of 5 segments have no true label (nan) and are left out.",)
    with pytest.raises(InputError, match="has no labels but nan"):
        qe_evaluate({"a": [1.0]}, [math.nan])


def test_the_mean_of_training_is_a_trivial_baseline(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "train.hter"
    file.write_text("0.2\n0.4\nnan\n", encoding="utf-8")
    answer = qe_evaluate({"a": [0.1, 0.5]}, [0.1, 0.6], training=file, samples=40)
    assert answer.value("all training mean", "mae") == pytest.approx(0.25)
    assert [d.name for d in answer.distributions] == ["training", "gold", "a"]
    assert "training=" in answer.signature


def test_intervals_cover_what_they_say(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.tsv"
    rows = ["segment score low high", "2 .5 .25 .75", "1 .1 0 .2", "3 .2 .1 .3", "4 .9 -inf inf"]
    file.write_text("\n".join(rows[:-1]).replace(" ", "\t"), encoding="utf-8")
    answer = qe_evaluate({"a": file, "b": [0.1, 0.2, 0.3]}, [0.2, 0.8, 0.25], samples=40, scale=100.0)
    assert answer.value("a", "coverage") == pytest.approx(2 / 3)
    assert answer.value("a", "width") == pytest.approx(30)
    assert "coverage" not in {r.measure for r in answer if r.system == "b"}
    assert quality_tables(answer)[1].header[-2:] == ("coverage", "width")
    missing = qe_evaluate({"a": file}, [0.2, math.nan, 0.25], samples=40)
    assert missing.value("a", "coverage") == 1
    file.write_text("\n".join(rows).replace(" ", "\t"), encoding="utf-8")
    assert qe_evaluate({"a": file}, [0.2, 0.8, 0.25, 5.0], samples=40).value("a", "width") == math.inf
    file.write_text("score\tlow\thigh\n1\t0\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: an end of the interval is 'x'"):
        qe_evaluate({"a": file}, [1.0])


def test_equal_systems_all_win_and_equal_the_baseline() -> None:
    rng = np.random.default_rng(4)
    gold = rng.random(60)
    said = np.clip(gold + rng.normal(0, 0.1, 60), 0, 1)
    poor = 1 - gold + rng.normal(0, 0.3, 60)
    answer = qe_evaluate({"a": said, "b": said.copy(), "c": poor}, gold, samples=400, baseline="b")
    for measure in ("mae", "rmse", "deltaavg", "pearson"):
        assert answer.winners(measure) == ["a", "b"], measure
        assert answer.record("a", measure).like_baseline is True
        assert answer.record("c", measure).like_baseline is False
        assert answer.record("b", measure).p_best in (1.0, 0.5, None)


def test_a_test_that_is_not_defined_says_nothing() -> None:
    gold = np.random.default_rng(4).random(20)
    answer = qe_evaluate({"a": gold**2, "turned": -(gold**2)}, gold, samples=40)
    assert answer.record("turned", "pearson").winner is None
    assert answer.winners("pearson") == ["a"]


def test_significance_holds_its_level() -> None:
    """Two systems that are equally good: of a hundred pairs about five are told apart."""
    rng = np.random.default_rng(8)
    told_apart = 0
    for _ in range(120):
        gold = rng.random(80)
        pair = {name: gold + rng.normal(0, 0.2, 80) for name in "ab"}
        answer = qe_evaluate(pair, gold, samples=200)
        told_apart += len(answer.winners("mae")) == 1
    assert 3 <= told_apart <= 24  # one-sided, but the better one of two is tested: about a tenth


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (({}, [1.0]), "There are no predictions."),
        (({"a": [1.0, 2.0]}, [1.0]), "a has 2 segments of a, and the true labels are of 1."),
        (({"a": [float("nan")]}, [1.0]), "a is no list of finite numbers."),
        (({"a": ["x"]}, [1.0]), "a is no list of finite numbers."),
        (({"a": [1.0]}, [float("inf")]), "gold is no list of finite numbers."),
        (({"a": [1.0]}, []), "The gold file has no labels."),
    ],
)
def test_what_cannot_be_used_is_refused(call: tuple[dict[str, object], list[float]], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        qe_evaluate(*call)  # type: ignore[arg-type]
    assert error.value.message == sentence


def test_an_unknown_baseline_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="There is no system 'b' to be the baseline"):
        qe_evaluate({"a": [1.0]}, [1.0], baseline="b")
    file = tmp_path / "two.tsv"
    file.write_text("system\tsegment\tscore\na\t1\t1\nb\t1\t2\n", encoding="utf-8")
    with pytest.raises(InputError, match="There are two submissions called a"):
        qe_evaluate({"a": [1.0], "x": file}, [1.0], samples=40)
