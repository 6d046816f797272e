"""Tie calibration against its definition: every epsilon tried."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given

from tercet.errors import InputError
from tercet.stats import calibration
from tercet.stats.calibration import calibrate, calibrate_held_out, calibrated_values, entry_pairs
from tercet.stats.correlation import Grouping, correlation, pack
from tests.oracles import correlation as oracle
from tests.stats.test_correlation import Floats, Table, two_tables


def made_up(systems: int = 6, items: int = 40, seed: int = 1) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 4, (systems, items)).astype(float)
    return gold, gold + rng.normal(size=gold.shape)


@pytest.mark.parametrize("group", get_args(Grouping))
@given(tables=two_tables())
def test_the_curve_is_accuracy_at_every_epsilon(group: Grouping, tables: tuple[Table, Table]) -> None:
    gold, metric = tables
    found = calibrate(np.array(gold), np.array(metric), group)
    wanted = oracle.calibrated(gold, metric, group)
    assert found.epsilons.tolist() == [epsilon for epsilon, _ in wanted]
    np.testing.assert_allclose(found.values, [value for _, value in wanted], atol=1e-12)
    best = max((value for _, value in wanted), key=lambda v: -math.inf if math.isnan(v) else v)
    assert found.value == pytest.approx(best, abs=1e-12, nan_ok=True)
    if not math.isnan(best):
        assert found.epsilon == next(epsilon for epsilon, value in wanted if value > best - 1e-12)


@pytest.mark.parametrize("group", get_args(Grouping))
@given(tables=two_tables())
def test_many_metrics_and_parts_at_once(group: Grouping, tables: tuple[Table, Table]) -> None:
    gold, metric = map(np.array, tables)
    less = gold.copy()
    less[:, ::2] = np.nan
    metrics = np.stack([metric, -metric, np.round(metric)])
    found = calibrated_values(np.stack([gold, less]), metrics, group, threads=2)
    wanted = [[calibrate(g, m, group).value for m in metrics] for g in (gold, less)]
    assert found is not None
    assert np.array_equal(found, wanted, equal_nan=True)


@pytest.mark.parametrize(("limit", "low"), [("_EXACT", 1), ("MOST_PAIRS", 10)])
def test_too_many_pairs_are_not_taken_at_once(limit: str, low: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, metric = made_up()
    gold[np.random.default_rng(2).random(gold.shape) < 0.3] = np.nan
    assert calibrated_values(gold[None], metric[None]) is not None
    monkeypatch.setattr(calibration, limit, low)
    assert calibrated_values(gold[None], metric[None]) is None


def test_groups_of_many_sizes_leave_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, metric = made_up()
    gold[np.random.default_rng(2).random(gold.shape) < 0.3] = np.nan
    exact = calibrate(gold, metric)
    monkeypatch.setattr(calibration, "_EXACT", 1)
    rounded = calibrate(gold, metric)
    np.testing.assert_allclose(rounded.values, exact.values, atol=1e-12)


def test_equal_values_take_the_first_epsilon() -> None:
    """Two pairs are won and lost in turn: rounding must not make a later maximum the first."""
    gold = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 5.0, np.nan]])
    metric = np.array([[0.0, 0.0, 0.5], [0.3, 0.1, 0.2], [0.2, 9.0, np.nan]])
    found = calibrate(gold, metric)
    best = [e for e, v in zip(found.epsilons, found.values, strict=True) if v > found.value - 1e-12]
    assert found.epsilon == best[0]


def test_tau_is_twice_the_accuracy_less_one() -> None:
    gold, metric = made_up()
    accuracy, tau = calibrate(gold, metric), calibrate(gold, metric, variant="tau-23")
    assert tau.epsilon == accuracy.epsilon > 0
    assert tau.value == pytest.approx(2 * accuracy.value - 1)
    at = correlation("acc-23", gold, metric, "item", epsilon=accuracy.epsilon)
    assert at.value == pytest.approx(accuracy.value)


def test_a_sample_of_pairs_is_fair() -> None:
    gold, metric = made_up(8, 300)
    packed = pack("item", gold, metric[None])
    every = entry_pairs(packed)
    number = {pair: k for k, pair in enumerate(zip(every.first.tolist(), every.second.tolist(), strict=True))}
    assert len(number) == 300 * 28
    some = entry_pairs(packed, 0.25, seed=3)
    chosen = [number[pair] for pair in zip(some.first.tolist(), some.second.tolist(), strict=True)]
    assert chosen == sorted(set(chosen))
    assert some.group.tolist() == every.group[chosen].tolist()
    assert abs(len(chosen) / 8400 - 0.25) < 5 * math.sqrt(0.25 * 0.75 / 8400)
    steps = np.bincount(np.diff(chosen), minlength=4)[1:4] / len(chosen)
    assert steps == pytest.approx([0.25, 0.1875, 0.1406], abs=0.04)
    assert entry_pairs(packed, 0.25, seed=4).first.tolist() != some.first.tolist()


def test_a_sample_is_calibrated_nearly_as_the_whole() -> None:
    gold, metric = made_up(10, 400)
    whole, part = calibrate(gold, metric), calibrate(gold, metric, sample_rate=0.5)
    assert part.value == pytest.approx(whole.value, abs=0.03)
    assert len(part.epsilons) < 0.6 * len(whole.epsilons)
    assert calibrate(gold, metric, sample_rate=0.5).epsilon == part.epsilon


def test_more_pairs_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "MOST_PAIRS", 1000)
    gold, metric = made_up()
    with pytest.raises(InputError, match=r"28680 pairs.*sample rate of 0\.031 or less"):
        calibrate(gold, metric, "none")
    assert 500 < len(calibrate(gold, metric, "none", sample_rate=0.031).epsilons) < 1300


@pytest.mark.parametrize("rate", [0.0, -1.0, 1.5, math.nan])
def test_a_sample_rate_is_a_share(rate: float) -> None:
    with pytest.raises(InputError, match="sample rate"):
        calibrate(*made_up(), sample_rate=rate)


def test_held_out_items_have_no_say_in_their_epsilon() -> None:
    gold, metric = made_up(6, 41)
    found = calibrate_held_out(gold, metric, folds=3, seed=7)
    part = np.random.default_rng(7).permutation(np.arange(41) % 3)
    values, sizes = [], []
    for fold in range(3):
        others = calibrate(gold[:, part != fold], metric[:, part != fold])
        assert found.epsilons[fold] == others.epsilon
        values.append(correlation("acc-23", gold[:, part == fold], metric[:, part == fold], "item",
                                  epsilon=others.epsilon).value)  # fmt: skip
        sizes.append((part == fold).sum())
    assert found.values.tolist() == values
    assert found.value == pytest.approx(np.average(values, weights=sizes))
    assert found.epsilon == pytest.approx(np.mean(found.epsilons))
    assert found.value <= calibrate(gold, metric).value


def test_held_out_folds_must_have_items() -> None:
    for folds in (0, 1, 41):
        with pytest.raises(InputError, match="40 items"):
            calibrate_held_out(*made_up(), folds=folds)


def test_nothing_to_calibrate() -> None:
    nothing = np.full((3, 4), np.nan)
    found = calibrate(nothing, nothing)
    assert math.isnan(found.value)
    assert (found.epsilon, found.epsilons.tolist()) == (0.0, [0.0])
    assert math.isnan(calibrate_held_out(nothing, nothing).value)
