"""Tests of two metrics: exact where all swaps can be made, and honest about what is not defined."""

from __future__ import annotations

import itertools
import math
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats

from tercet import kernels
from tercet.errors import InputError
from tercet.stats import calibration
from tercet.stats.calibration import calibrate
from tercet.stats.correlation import (
    Grouping,
    Kind,
    correlation,
    difference_pearson,
    difference_sums,
    pearson_of_sums,
)
from tercet.stats.permutation import (
    Unit,
    bootstrap_p,
    bootstrap_values,
    found_tests,
    pairs_tests,
    permutation_tests,
    sums_tests,
)
from tests.oracles import correlation as oracle

Floats = npt.NDArray[np.float64]
DRAWS = 30_000
SEED = 12345


def made_up(metrics: int, systems: int, items: int, seed: int = 1, noise: float = 1.0) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(systems, items)).round(1)
    return gold, np.stack([gold + noise * (1 + m) * rng.normal(size=gold.shape) for m in range(metrics)]).round(2)


def near(p: float, chance: float) -> bool:
    """Whether a share of draws is within five standard errors of its probability."""
    return abs(p - chance) <= 5 * math.sqrt(max(chance * (1 - chance), 1e-4) / DRAWS)


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("group", get_args(Grouping))
@pytest.mark.parametrize("unit", get_args(Unit))
def test_p_is_the_share_of_all_swaps(kind: Kind, group: Grouping, unit: Unit) -> None:
    gold, metrics = made_up(2, 3, 3, seed=4)
    metrics[1] *= 100  # standardised before they are swapped
    cells = {"both": np.arange(9).reshape(3, 3), "system": np.arange(9).reshape(3, 3) // 3}
    cells["input"] = cells["system"].T
    first, second = (np.reshape(oracle.standardized(m.ravel().tolist()), (3, 3)).tolist() for m in metrics)

    def difference(a: list[list[float]], b: list[list[float]]) -> float:
        low, high = (oracle.grouped(kind, gold.tolist(), m, group) for m in (b, a))
        return high - low

    observed = difference(first, second)
    every = [
        difference(*oracle.swapped(first, second, np.array(swaps)[cells[unit]].tolist()))
        for swaps in itertools.product([False, True], repeat=int(cells[unit].max()) + 1)
    ]
    # what is not defined speaks against significance
    at_least = np.mean([not d < observed - 1e-12 for d in every])
    at_most = np.mean([not d > observed + 1e-12 for d in every])
    p = permutation_tests(kind, gold, metrics, group, unit=unit, draws=DRAWS, seed=SEED, threads=2)
    assert near(p[0, 1], float(at_least))
    assert near(p[1, 0], float(at_most))
    assert np.isnan(np.diag(p)).all()


def test_every_pair_of_metrics_is_tested_by_itself() -> None:
    gold, metrics = made_up(4, 5, 20)
    done: list[int] = []
    p = permutation_tests("pearson", gold, metrics, "item", draws=200, seed=SEED, progress=done.append)
    assert done == [1] * 6
    for i, j in itertools.combinations(range(4), 2):
        alone = permutation_tests("pearson", gold, metrics[[j, i]], "item", draws=200, seed=SEED)
        assert (alone[1, 0], alone[0, 1]) == (p[i, j], p[j, i])
        assert p[i, j] + p[j, i] >= 1 - 1e-12


def test_only_entries_that_all_three_have_are_compared() -> None:
    gold, metrics = made_up(2, 6, 30)
    gold[0, 3] = metrics[0, 1, 4] = metrics[1, 2, 5] = np.nan
    whole = permutation_tests("tau-b", gold, metrics, "item", draws=300, seed=SEED)
    for place in ((0, 3), (1, 4), (2, 5)):
        gold[place] = metrics[0][place] = metrics[1][place] = np.nan
    np.testing.assert_array_equal(permutation_tests("tau-b", gold, metrics, "item", draws=300, seed=SEED), whole)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_metric_is_no_better_than_itself_on_another_scale(kind: Kind) -> None:
    gold, metrics = made_up(1, 5, 12)
    same = np.concatenate([metrics, 7 * metrics + 0.1])
    assert permutation_tests(kind, gold, same, "item", draws=200, seed=SEED)[0, 1] == 1
    assert permutation_tests(kind, gold, same, "item", draws=200, seed=SEED)[1, 0] == 1


@pytest.mark.parametrize("kind", ["pearson", "spearman", "tau-b", "tau-c"])
def test_what_is_not_defined_has_no_p(kind: Kind) -> None:
    gold, metrics = made_up(3, 5, 12)
    metrics[1] = 0.1  # a third of a tenth is not exact
    p = permutation_tests(kind, gold, metrics, "item", draws=100, seed=SEED)
    assert np.isnan(p[1]).all()
    assert np.isnan(p[:, 1]).all()
    assert not np.isnan(p[0, 2])
    nothing = permutation_tests(kind, np.full((3, 3), np.nan), np.zeros((2, 3, 3)), draws=10, seed=SEED)
    assert np.isnan(nothing).all()


def test_a_metric_that_does_not_vary_can_be_accurate() -> None:
    gold = np.zeros((4, 9))
    gold[0, ::3] = 1
    metrics = np.stack([np.full((4, 9), 0.1), np.random.default_rng(1).normal(size=(4, 9))])
    p = permutation_tests("acc-23", gold, metrics, "item", draws=500, seed=SEED)
    assert p[0, 1] < 0.05


def test_early_stop_reads_the_same_draws() -> None:
    gold, metrics = made_up(5, 6, 25, noise=0.4)
    metrics[1] = metrics[0] + 0.05 * np.random.default_rng(2).normal(size=gold.shape)
    stopped = permutation_tests("pearson", gold, metrics, draws=1000, seed=SEED, early_stop=True)
    whole = permutation_tests("pearson", gold, metrics, draws=1000, seed=SEED)
    lengths = set()
    for i, j in itertools.combinations(range(5), 2):
        for end in range(100, 1001, 100):
            counted = permutation_tests("pearson", gold, metrics[[i, j]], draws=end, seed=SEED)
            p = np.round(counted * (end + 1) - 1) / end  # as mt-metrics-eval has it: without what was found
            first = correlation("pearson", gold, metrics[i]).value >= correlation("pearson", gold, metrics[j]).value
            better = p[0, 1] if first else p[1, 0]
            if better < 0.02 or better > 0.5 or end == 1000:
                lengths.add(end)
                assert (stopped[i, j], stopped[j, i]) == (p[0, 1], p[1, 0])
                break
    assert min(lengths) == 100
    assert not np.array_equal(stopped, whole, equal_nan=True)


def test_no_p_is_zero() -> None:
    """What was found is one of the draws that chance could have given (Phipson and Smyth 2010)."""
    gold, metrics = made_up(2, 6, 25, noise=0.01)
    metrics[1] = np.random.default_rng(2).normal(size=gold.shape)
    p = permutation_tests("pearson", gold, metrics, draws=99, seed=SEED)
    assert (p[0, 1], p[1, 0]) == (0.01, 1.0)
    assert permutation_tests("pearson", gold, metrics, draws=99, seed=SEED, early_stop=True)[0, 1] == 0


def test_pairs_are_swapped_where_outcomes_differ() -> None:
    """All tosses of the coins that matter, with each metric's own epsilon."""
    gold, metrics = made_up(2, 3, 3, seed=2)
    gold[2, 2] = np.nan
    epsilons = [0.5, 0.1]
    gains: list[list[tuple[int, int]]] = []
    for i in range(3):
        rows = [s for s in range(3) if not np.isnan(gold[s, i])]
        pairs = list(itertools.combinations(rows, 2))
        group = []
        for a, b in pairs:
            right = [
                oracle.outcomes(gold[[a, b], i].tolist(), m[[a, b], i].tolist(), e)[::4]
                for m, e in zip(metrics, epsilons, strict=True)
            ]
            group.append((sum(right[0]) - sum(right[1]), len(pairs)))
        gains.append(group)
    flat = [(gain, n) for group in gains for gain, n in group]
    observed = sum(gain / n for gain, n in flat) / 3
    tosses = [
        sum(s * abs(gain) / n for s, (gain, n) in zip(signs, flat, strict=True)) / 3
        for signs in itertools.product((-1, 1), repeat=len(flat))
    ]
    p = pairs_tests(gold, metrics, "item", epsilons, draws=DRAWS, seed=SEED, threads=2)
    assert near(p[0, 1], float(np.mean(np.array(tosses) >= observed - 1e-12)))
    assert near(p[1, 0], float(np.mean(np.array(tosses) <= observed + 1e-12)))
    low, high = (
        correlation("acc-23", gold, m, "item", epsilon=e).value for m, e in zip(metrics, epsilons, strict=True)
    )
    assert observed == pytest.approx(low - high)
    again = permutation_tests("acc-23", gold, metrics, "item", epsilons=epsilons, draws=DRAWS, seed=SEED)
    np.testing.assert_array_equal(again, p)


def test_pairs_leave_out_what_a_metric_lacks() -> None:
    gold, metrics = made_up(3, 5, 30)
    metrics[1, 2, 3] = np.nan
    p = pairs_tests(gold, metrics, "item", [0.1, 0.2, 0.3], draws=300, seed=SEED)
    gold[2, 3] = np.nan
    part = pairs_tests(gold, metrics, "item", [0.1, 0.2, 0.3], draws=300, seed=SEED)
    assert (p[0, 1], p[1, 2]) == (part[0, 1], part[1, 2])
    metrics[1] = np.nan
    nothing = pairs_tests(gold, metrics, "item", [0.1, 0.2, 0.3], draws=300, seed=SEED)
    assert np.isnan(nothing[1]).all()
    assert nothing[0, 2] == part[0, 2]


def test_calibrated_accuracy_is_tested() -> None:
    gold, metrics = made_up(3, 6, 200, noise=0.3)
    gold = gold.round()
    epsilons = [calibrate(gold, m).epsilon for m in metrics]
    assert len(set(epsilons)) == 3
    p = pairs_tests(gold, metrics, "item", epsilons, draws=1000, seed=SEED)
    assert p[0, 1] < 0.05
    assert p[1, 0] > 0.95
    quick = pairs_tests(gold, metrics, "item", epsilons, draws=1000, seed=SEED, early_stop=True)
    assert (quick[0, 1] < 0.05) == (p[0, 1] < 0.05)


def test_more_pairs_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "MOST_PAIRS", 100)
    gold, metrics = made_up(2, 5, 30)
    with pytest.raises(InputError, match="11175 pairs"):
        pairs_tests(gold, metrics, "none", [0.0, 0.0], draws=9, seed=SEED)


def test_bootstrap_values_are_the_kernels() -> None:
    gold, metrics = made_up(2, 5, 12)
    found = bootstrap_values("tau-b", gold, metrics, "item", "both", 50, 7, threads=2)
    assert found.shape == (2, 50)
    plain = kernels.bootstrap_agreements("tau-b", gold, metrics, np.zeros(2), "item", "both", 0.0, False, 50, 0, 7, 1)
    np.testing.assert_array_equal(found, plain.T)
    assert found.mean(axis=1) == pytest.approx([correlation("tau-b", gold, m, "item").value for m in metrics], abs=0.15)
    ties = bootstrap_values("acc-23", gold, metrics, "item", "input", 20, 7, epsilons=[0.0, 3.0])
    assert (ties[1] != bootstrap_values("acc-23", gold, metrics, "item", "input", 20, 7)[1]).any()


def test_bootstrap_p_is_the_share_of_samples_without_a_difference() -> None:
    gold, metrics = made_up(3, 6, 40)
    values = bootstrap_values("pearson", gold, metrics, "none", "input", 200, 3)
    p = bootstrap_p(values)
    for i, j in itertools.permutations(range(3), 2):
        assert p[i, j] == (np.sum(values[i] <= values[j]) + 1) / 201
    assert np.isnan(np.diag(p)).all()


def test_samples_that_are_not_defined_speak_against_a_difference() -> None:
    gold, metrics = np.array([[1.0], [2.0], [3.0]]), np.array([[[1.0], [2.0], [3.0]], [[3.0], [2.0], [1.0]]])
    p = bootstrap_p(bootstrap_values("pearson", gold, metrics, "none", "system", 3000, SEED))
    assert p[0, 1] == pytest.approx(1 / 9, abs=0.03), "of 27 samples three have one system only"
    metrics[1] = 5
    assert np.isnan(bootstrap_p(bootstrap_values("pearson", gold, metrics, "none", "system", 30, SEED))).all()


@pytest.mark.thorough
@pytest.mark.parametrize("unit", ["both", "system", "input"])
def test_any_agreement_is_tested_as_the_kernels_test_theirs(unit: Unit) -> None:
    gold, metrics = made_up(3, 4, 6)
    metrics[1, 0, 2] = np.nan
    fast = permutation_tests("pearson", gold, metrics, unit=unit, draws=DRAWS, seed=SEED)
    slow = found_tests(lambda m: correlation("pearson", gold, m).value, metrics, unit, draws=2000, seed=SEED)
    assert slow == pytest.approx(fast, abs=0.05, nan_ok=True)


@pytest.mark.thorough
def test_sums_of_items_are_exchanged_as_scores_are() -> None:
    gold, metrics = made_up(3, 5, 12)
    p = sums_tests(
        lambda two: difference_sums(gold, metrics[two] / metrics[two].std(axis=(1, 2), keepdims=True)),
        3,
        pearson_of_sums,
        draws=4000,
        seed=SEED,
    )
    slow = found_tests(lambda m: difference_pearson(gold, m), metrics, "input", draws=2000, seed=SEED)
    assert p == pytest.approx(slow, abs=0.05, nan_ok=True)


def test_outcomes_of_an_item_may_be_exchanged_together() -> None:
    """By every way to exchange the items of two metrics."""
    gold, metrics = made_up(2, 4, 7)
    epsilons = [0.1, 0.4]
    p = pairs_tests(gold, metrics, "item", epsilons, unit="input", draws=DRAWS, seed=SEED)
    values = [correlation("acc-23", gold, m, "item", epsilon=e).values for m, e in zip(metrics, epsilons, strict=True)]
    gains = values[0] - values[1]
    sums = np.array([gains @ signs for signs in itertools.product([-1, 1], repeat=7)])
    assert p[0, 1] == pytest.approx(np.mean(sums >= gains.sum() - 1e-12), abs=0.02)
    assert p[1, 0] == pytest.approx(np.mean(sums <= gains.sum() + 1e-12), abs=0.02)
    with pytest.raises(InputError, match="not swapped by input"):
        pairs_tests(gold, metrics, "none", epsilons, unit="input", draws=9, seed=SEED)


def test_p_values_are_uniform_where_there_is_no_difference() -> None:
    """Two metrics with the same noise: the test must not find more than it promises."""
    found = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        gold = rng.normal(size=(4, 10))
        metrics = gold + rng.normal(size=(2, 4, 10))
        found.append(permutation_tests("pearson", gold, metrics, draws=200, seed=SEED)[0, 1])
    assert scipy.stats.kstest(found, "uniform").pvalue > 1e-3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "tau"}, "no agreement"),
        ({"unit": "item"}, "Nobody draws 'item'"),
        ({"draws": 0}, "0 draws"),
        ({"group": "segment"}, "no grouping"),
        ({"kind": "pearson", "epsilons": [0.0, 0.0]}, "no test of pearson with epsilons"),
        ({"unit": "system", "epsilons": [0.0, 0.0]}, "swaps system"),
        ({"epsilons": [0.0]}, "2 metrics have 1 epsilons"),
        ({"epsilons": [0.0, -1.0]}, "epsilon is -1"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, object], said: str) -> None:
    gold, metrics = made_up(2, 3, 4)
    given = {"kind": "acc-23", "gold": gold, "metrics": metrics, "group": "item", "draws": 9, "seed": SEED}
    with pytest.raises(InputError, match=said):
        permutation_tests(**given | change)  # type: ignore[arg-type]


def test_bootstraps_refuse_it_too() -> None:
    gold, metrics = made_up(2, 3, 4)
    for change, said in (({"kind": "tau"}, "no agreement"), ({"unit": "item"}, "Nobody"), ({"samples": 0}, "0 draws"),
                         ({"epsilons": [0.0, -1.0]}, "epsilon"), ({"group": "x"}, "no grouping"),
                         ({"gold": gold[:2]}, "do not fit")):  # fmt: skip
        given: dict[str, Any] = {"kind": "tau-b", "gold": gold, "metrics": metrics, "group": "item", "unit": "both"}
        given |= {"samples": 9, "seed": SEED}
        with pytest.raises(InputError, match=said):
            bootstrap_values(**given | change)
