"""Agreement of metrics with people, swaps and resamples of it, against their definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles import correlation as oracle

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
KINDS = ["pearson", "spearman", "tau-b", "tau-c", "tau-23", "acc-23", "kendall-like"]
GROUPINGS = ["none", "item", "system"]
UNITS = ["both", "system", "input"]

scores = st.one_of(st.integers(-2, 2).map(float), st.integers(-400, 400).map(lambda x: x / 8))
entries = st.lists(st.tuples(scores, scores), max_size=7)


def correlated(kind: str, groups: list[list[tuple[float, float]]], epsilon: float, threshold: float) -> Floats:
    """Values and weights by the kernel: (2, groups)."""
    gold, metric = (np.array([e[k] for g in groups for e in g], float) for k in (0, 1))
    starts = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    epsilon = 0.0 if kind == "tau-c" else epsilon
    return np.array(kernels.correlate_groups(kind, gold, metric, starts, epsilon, threshold, 2))


@pytest.mark.parametrize("kind", KINDS)
@given(groups=st.lists(entries, max_size=4), epsilon=st.sampled_from([0.0, 0.125, 1.0, 7.0]), threshold=scores)
def test_groups_are_those_of_the_oracle(
    kind: str, groups: list[list[tuple[float, float]]], epsilon: float, threshold: float
) -> None:
    found = correlated(kind, groups, epsilon, threshold)
    for group, value, weight in zip(groups, *found, strict=True):
        gold, metric = [g for g, _ in group], [m for _, m in group]
        wanted = oracle.agreement(kind, gold, metric, 0.0 if kind == "tau-c" else epsilon, threshold)
        assert (value, weight) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("levels", [1, 2, 9, 10_000])
@pytest.mark.parametrize("n", [96, 97, 200])
def test_long_groups_are_those_of_the_oracle(kind: str, levels: int, n: int) -> None:
    rng = np.random.default_rng(n)
    gold = rng.integers(0, levels, n)
    group = list(zip(gold.tolist(), (gold // 2 + rng.integers(0, levels, n)).tolist(), strict=True))
    for epsilon, threshold in ((0.0, 0.0), (2.0, 3.0), (0.0, 20_000.0)):
        value, weight = correlated(kind, [group], epsilon, threshold)[:, 0]
        columns = [g for g, _ in group], [m for _, m in group]
        wanted = oracle.agreement(kind, *columns, 0.0 if kind == "tau-c" else epsilon, threshold)
        assert (value, weight) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("n", [2, 50, 5000])
def test_scipy_agrees(n: int) -> None:
    rng = np.random.default_rng(n)
    for levels in (3, 100_000):
        gold = rng.integers(0, levels, n).astype(float) + np.arange(n) % 2
        metric = gold + rng.integers(0, levels, n)
        peers: dict[str, Callable[..., Any]] = {
            "pearson": scipy.stats.pearsonr,
            "spearman": scipy.stats.spearmanr,
            "tau-b": scipy.stats.kendalltau,
            "tau-c": lambda g, m: scipy.stats.kendalltau(g, m, variant="c"),
        }
        for kind, peer in peers.items():
            found = correlated(kind, [list(zip(gold, metric, strict=True))], 0.0, 0.0)[0, 0]
            assert found == pytest.approx(peer(gold, metric).statistic, abs=1e-12)


@pytest.mark.parametrize("value", [0.1, 1e-300, 1e17, 0.1 + 0.2])
@pytest.mark.parametrize("kind", ["pearson", "spearman", "tau-b", "tau-c"])
def test_what_does_not_vary_has_no_correlation(kind: str, value: float) -> None:
    for n in (2, 3, 10, 1001):
        same, other = [value] * n, [float(x) for x in range(n)]
        for group in (zip(same, other, strict=True), zip(other, same, strict=True)):
            assert math.isnan(correlated(kind, [list(group)], 0.0, 0.0)[0, 0])


@pytest.mark.parametrize("scale", [1e-120, 1e-30, 1e120])
def test_scale_does_not_matter(scale: float) -> None:
    group = [(1.0, 5.0), (2.0, 1.0), (4.0, 3.0), (8.0, 4.0)]
    scaled = [(g * scale, m * scale) for g, m in group]
    plain = correlated("pearson", [group], 0.0, 0.0)[0, 0]
    assert correlated("pearson", [scaled], 0.0, 0.0)[0, 0] == pytest.approx(plain, abs=1e-12)


def table(rows: int, columns: int) -> st.SearchStrategy[list[list[float]]]:
    """Scores, some of them missing."""
    one = st.one_of(scores, scores, scores, st.just(math.nan))
    return st.lists(st.lists(one, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@pytest.mark.parametrize("kind", KINDS)
@given(gold=table(3, 6), metrics=table(2, 6))
def test_versions_are_those_of_the_oracle(kind: str, gold: list[list[float]], metrics: list[list[float]]) -> None:
    found = kernels.correlate_versions(kind, np.array(gold), np.array(metrics), 0.0, 1.0, 2)
    for g, row in zip(gold, found.tolist(), strict=True):
        for m, value in zip(metrics, row, strict=True):
            wanted = oracle.grouped(kind, [g], [m], "none", threshold=1.0)
            assert value == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def swaps_of(n_units: int, draws: int, seed: int) -> npt.NDArray[np.bool_]:
    """Which units the kernel swaps, (draws, units), told by two entries of the unit that turn around with it."""
    rising, falling, starts = np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([0, 2])
    columns = [
        kernels.permutation_differences(
            "pearson", rising, falling, rising, starts, np.array([u, u]), n_units, 0.0, False, draws, 0, seed, 2
        )
        for u in range(n_units)
    ]
    found = np.stack(columns, axis=1)
    assert set(found.ravel().round(12).tolist()) <= {-2.0, 2.0}
    return found < 0


def arranged(table: npt.NDArray[Any], group: str) -> npt.NDArray[Any]:
    """A table in the order of its groups."""
    return np.ascontiguousarray((table.T if group == "item" else table).ravel())


def swap_differences(
    kind: str, group: str, unit: str, gold: Floats, first: Floats, second: Floats, **options: Any
) -> tuple[Floats, Floats]:
    """Differences after swaps by the kernel and by the oracle."""
    systems, items = gold.shape
    cells = {
        "both": np.arange(gold.size).reshape(gold.shape),
        "system": np.repeat(np.arange(systems)[:, None], items, axis=1),
        "input": np.repeat(np.arange(items)[None], systems, axis=0),
    }[unit]
    n_units = int(cells.max()) + 1
    n_groups = {"none": 1, "item": items, "system": systems}[group]
    starts = np.linspace(0, gold.size, n_groups + 1).astype(np.int64)
    usual = {"threshold": 0.0, "zero_nans": False, "draws": 40, "first_draw": 0, "seed": 5, "threads": 2} | options
    people, one, other, units = (arranged(x, group) for x in (gold, first, second, cells))
    found = kernels.permutation_differences(kind, people, one, other, starts, units, n_units, **usual)
    swaps = swaps_of(n_units, usual["draws"], usual["seed"])
    wanted = []
    for swap in swaps:
        hybrids = oracle.swapped(first.tolist(), second.tolist(), swap[cells].tolist())
        low, high = (
            oracle.grouped(kind, gold.tolist(), h, group, 0.0, usual["threshold"], usual["zero_nans"]) for h in hybrids
        )
        wanted.append(high - low)
    return found, np.array(wanted)


def three_tables(seed: int, systems: int, items: int, levels: int) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    gold, first, second = rng.integers(0, levels, (3, systems, items)).astype(float)
    return gold, gold + first, 3 * gold - second


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", GROUPINGS)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("levels", [2, 1000])
def test_swaps_are_those_of_the_oracle(kind: str, group: str, unit: str, levels: int) -> None:
    for seed, zero_nans in ((1, False), (2, True)):
        tables = three_tables(seed, 4, 5, levels)
        found, wanted = swap_differences(kind, group, unit, *tables, zero_nans=zero_nans, threshold=1.0)
        np.testing.assert_allclose(found, wanted, atol=1e-11)
        assert len(set(wanted.round(9))) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [23, 64, 127, 128])
def test_swaps_in_larger_groups(kind: str, n: int) -> None:
    """Counts leave a byte, ranks nearly do, and then do."""
    for levels in (3, 100_000):
        found, wanted = swap_differences(
            kind, "item", "both", *three_tables(n, n, 2, levels), draws=3 if n > 100 else 33
        )
        np.testing.assert_allclose(found, wanted, atol=1e-11)


def test_swaps_that_leave_next_to_no_variance() -> None:
    """Sums of squares lose their digits there; where nothing varies, the correlation is not defined."""
    gold = np.array([[1.0, 2.0, 4.0, 3.0]])
    first, second = np.array([[0.0, 0.0, 1e4, 1e4]]), np.array([[1e4, 1e4, 1e-3, 2e-3]])
    found, wanted = swap_differences("pearson", "none", "both", gold, first, second, draws=320)
    np.testing.assert_allclose(found, wanted, atol=1e-11)
    constant = np.array([[0.1, 0.1, 0.7, 0.7]]), np.array([[0.7, 0.7, 0.1, 0.1]])
    found, wanted = swap_differences("pearson", "none", "both", gold, *constant, draws=320)
    np.testing.assert_allclose(found, wanted, atol=1e-11)
    assert 0 < np.isnan(found).sum() < 320


def test_swaps_are_fair_and_independent() -> None:
    swaps = swaps_of(6, 4096, 9)
    numbers = swaps @ (1 << np.arange(6))
    assert scipy.stats.chisquare(np.bincount(numbers, minlength=64)).pvalue > 1e-4
    following = 2 * swaps[:-1].ravel() + swaps[1:].ravel()
    assert scipy.stats.chisquare(np.bincount(following, minlength=4)).pvalue > 1e-4


@pytest.mark.parametrize("kind", ["pearson", "tau-b", "tau-c"])
def test_draws_depend_on_nothing_but_their_number(kind: str) -> None:
    gold, first, second = (x.ravel() for x in three_tables(3, 5, 8, 1000))
    starts, unit = np.array([0, 20, 40]), np.arange(40)

    def found(draws: int, start: int = 0, seed: int = 1, threads: int = 1) -> list[float]:
        differences = kernels.permutation_differences(
            kind, gold, first, second, starts, unit, 40, 0.0, False, draws, start, seed, threads
        )
        return list(differences)

    alone = found(100)
    assert found(100, threads=2) == alone
    assert found(100, threads=7) == alone
    assert found(64) + found(36, 64) == alone
    assert found(100, seed=2) != alone
    assert len(set(alone)) > 50
    assert found(0) == []


def test_coins_are_tossed_as_often_as_they_are_counted() -> None:
    for counts in ([0], [1], [7], [64], [65], [200]):
        found = kernels.coin_sums(np.array(counts), np.ones(1), 20_000, 0, 3, 2)
        heads = (found + counts[0]) / 2
        chances = scipy.stats.binom.pmf(np.arange(counts[0] + 1), counts[0], 0.5)
        common = chances * len(found) >= 5
        seen = np.bincount(heads.astype(int), minlength=counts[0] + 1)
        assert seen[~common].sum() <= 50
        wanted = chances[common] / chances[common].sum() * seen[common].sum()
        assert counts == [0] or scipy.stats.chisquare(seen[common], wanted).pvalue > 1e-4
    both = kernels.coin_sums(np.array([2, 3]), np.array([10.0, 1.0]), 4000, 0, 3, 1)
    assert set(both.tolist()) == {10.0 * a + b for a in (-2, 0, 2) for b in (-3, -1, 1, 3)}
    assert kernels.coin_sums(np.array([2, 3]), np.array([10.0, 1.0]), 3000, 1000, 3, 2).tolist() == both[1000:].tolist()


def bootstrapped(kind: str, gold: Floats, metrics: Floats, group: str, drawn: str, **options: Any) -> Floats:
    usual = {"threshold": 1.0, "zero_nans": False, "samples": 12, "first_sample": 0, "seed": 8, "threads": 2} | options
    epsilons = usual.pop("epsilons", np.zeros(len(metrics)))
    return kernels.bootstrap_agreements(kind, gold, metrics, epsilons, group, drawn, **usual)


def counts_drawn(systems: int, items: int, drawn: str) -> Ints:
    """How often the kernel draws each system or item, (samples, n): groups of which one says 1 and others -1."""
    by = "item" if drawn == "input" else "system"
    n = items if drawn == "input" else systems
    gold = np.arange(float(systems * items)).reshape(systems, items)
    metrics = np.stack([-gold] * n)
    for u in range(n):
        place = (u, slice(None), u) if drawn == "input" else (u, u, slice(None))
        metrics[place] *= -1
    values = bootstrapped("pearson", gold, metrics, by, drawn)
    return ((values + 1) / 2 * n).round().astype(np.int64)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", GROUPINGS)
@pytest.mark.parametrize("drawn", ["system", "input"])
@pytest.mark.parametrize("zero_nans", [False, True])
def test_samples_are_those_of_the_oracle(kind: str, group: str, drawn: str, zero_nans: bool) -> None:
    gold, first, second = three_tables(6, 4, 5, 4)
    gold[1, 2] = first[3, 3] = np.nan
    counts = counts_drawn(4, 5, drawn)
    assert (counts.sum(axis=1) == (5 if drawn == "input" else 4)).all()
    assert len({str(row) for row in counts}) > 6
    found = bootstrapped(kind, gold, np.stack([first, second]), group, drawn, zero_nans=zero_nans)
    for row, count in zip(found, counts, strict=True):
        chosen = np.repeat(np.arange(len(count)), count).tolist()
        places = (list(range(4)), chosen) if drawn == "input" else (chosen, list(range(5)))
        for value, metric in zip(row, (first, second), strict=True):
            people, said = (oracle.drawn(x.tolist(), *places) for x in (gold, metric))
            wanted = oracle.grouped(kind, people, said, group, threshold=1.0, zero_nans=zero_nans)
            assert value == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("group", GROUPINGS)
def test_systems_and_items_are_drawn_together(group: str) -> None:
    """Of three systems and three items, every one of the 729 samples comes as often as any other."""
    gold, metric, _ = three_tables(4, 3, 3, 1000)
    wanted = [
        oracle.grouped("pearson", oracle.drawn(gold.tolist(), s, i), oracle.drawn(metric.tolist(), s, i), group)
        for s, i in itertools.product(itertools.product(range(3), repeat=3), repeat=2)
    ]
    found = bootstrapped("pearson", gold, metric[None], group, "both", samples=50_000)[:, 0]
    kinds, place = np.unique(np.array(wanted).round(9), return_inverse=True)
    chances = np.bincount(place) / len(wanted)
    at = np.searchsorted(kinds, found.round(9))  # NaN comes last, in both
    np.testing.assert_allclose(kinds[at], found, atol=1e-8)
    assert scipy.stats.chisquare(np.bincount(at, minlength=len(kinds)), chances * len(found)).pvalue > 1e-4


def test_each_metric_has_its_epsilon() -> None:
    gold, first, _ = three_tables(6, 4, 5, 40)
    both = bootstrapped("acc-23", gold, np.stack([first, first]), "item", "both", epsilons=np.array([0.0, 9.0]))
    for m, epsilon in enumerate((0.0, 9.0)):
        alone = bootstrapped("acc-23", gold, first[None], "item", "both", epsilons=np.array([epsilon]))
        assert alone[:, 0].tolist() == both[:, m].tolist()
    assert both[:, 0].tolist() != both[:, 1].tolist()


def test_samples_depend_on_nothing_but_their_number() -> None:
    gold, first, second = three_tables(3, 5, 8, 1000)
    for group in GROUPINGS:
        alone = bootstrapped("tau-b", gold, np.stack([first, second]), group, "both", threads=1).tolist()
        assert bootstrapped("tau-b", gold, np.stack([first, second]), group, "both", threads=5).tolist() == alone
        rest = bootstrapped("tau-b", gold, first[None], group, "both", first_sample=5, samples=7)
        assert rest[:, 0].tolist() == [row[0] for row in alone[5:]]
        assert bootstrapped("tau-b", gold, first[None], group, "both", seed=1)[:, 0].tolist() != [r[0] for r in alone]


ONE, TWO, STARTS = np.ones(1), np.arange(2.0), np.array([0, 2])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: kernels.correlate_groups("tau", TWO, TWO, STARTS, 0.0, 0.0, 1), "no choice"),
        (lambda: kernels.correlate_groups("tau-b", TWO, ONE, STARTS, 0.0, 0.0, 1), "as many scores"),
        (lambda: kernels.correlate_groups("tau-b", TWO, TWO, np.array([0, 1]), 0.0, 0.0, 1), "starts"),
        (lambda: kernels.correlate_groups("tau-b", TWO, TWO, np.array([0, 2, 1, 2]), 0.0, 0.0, 1), "starts"),
        (lambda: kernels.correlate_groups("tau-b", TWO, TWO, np.array([], np.int64), 0.0, 0.0, 1), "starts"),
        (lambda: kernels.correlate_groups("tau-b", TWO, TWO / 0, STARTS, 0.0, 0.0, 1), "numbers"),
        (lambda: kernels.correlate_groups("tau-b", TWO, TWO, STARTS, -1.0, 0.0, 1), "epsilon"),
        (lambda: kernels.correlate_groups("tau-b", TWO, TWO, STARTS, 0.0, math.nan, 1), "threshold"),
        (lambda: kernels.correlate_versions("tau-b", TWO[None], ONE[None], 0.0, 0.0, 1), "as many scores"),
        (lambda: kernels.correlate_versions("tau-b", TWO[None], TWO[None] / 0, 0.0, 0.0, 1), "infinite"),
        (lambda: swap_call(unit=np.array([0, 2])), "unit"),
        (lambda: swap_call(unit=np.array([0, -1])), "unit"),
        (lambda: swap_call(n_units=-1), "units"),
        (lambda: swap_call(first=ONE), "one value an entry"),
        (lambda: swap_call(second=TWO * math.nan), "numbers"),
        (lambda: swap_call(first_draw=1), "multiple"),
        (lambda: swap_call(draws=-1), "draws"),
        (lambda: kernels.coin_sums(np.array([1]), TWO, 1, 0, 0, 1), "as many weights"),
        (lambda: kernels.coin_sums(np.array([-1]), ONE, 1, 0, 0, 1), "count"),
        (lambda: bootstrapped("tau-b", TWO[None], TWO[None], "item", "both"), "incompatible"),
        (lambda: bootstrapped("tau-b", TWO[None], ONE[None, None], "item", "both"), "shape"),
        (lambda: bootstrapped("tau-b", TWO[None], TWO[None, None], "items", "both"), "no choice"),
        (lambda: bootstrapped("tau-b", TWO[None], TWO[None, None], "item", "items"), "no choice"),
        (lambda: bootstrapped("tau-b", TWO[None], TWO[None, None], "item", "both", epsilons=TWO), "epsilon"),
        (lambda: bootstrapped("tau-b", TWO[None], TWO[None, None], "item", "both", epsilons=-ONE), "epsilon"),
        (lambda: bootstrapped("tau-b", TWO[None], TWO[None, None], "item", "both", samples=-1), "draws"),
    ],
)
def test_wrong_input_is_refused(call: Callable[[], Any], said: str) -> None:
    with np.errstate(all="ignore"), pytest.raises((ValueError, TypeError), match=said):
        call()


def swap_call(**options: Any) -> Floats:
    usual = {
        "kind": "tau-b", "gold": TWO, "first": TWO, "second": TWO, "starts": STARTS, "unit": np.arange(2),
        "n_units": 2, "threshold": 0.0, "zero_nans": False, "draws": 1, "first_draw": 0, "seed": 0, "threads": 1,
    }  # fmt: skip
    return kernels.permutation_differences(**usual | options)  # type: ignore[arg-type]


def test_nothing_at_all() -> None:
    nothing, zero = np.empty(0), np.array([0])
    assert [x.tolist() for x in kernels.correlate_groups("pearson", nothing, nothing, zero, 0.0, 0.0, 1)] == [[], []]
    for kind in KINDS:
        found = kernels.permutation_differences(
            kind, nothing, nothing, nothing, np.array([0, 0]), np.empty(0, np.int64), 0, 0.0, False, 3, 0, 0, 1
        )
        assert np.isnan(found).tolist() == [True] * 3
        assert np.isnan(kernels.correlate_versions(kind, np.empty((1, 0)), np.empty((1, 0)), 0.0, 0.0, 1)).all()
        for group in GROUPINGS:
            assert np.isnan(bootstrapped(kind, np.empty((0, 3)), np.empty((1, 0, 3)), group, "input")).all()
            assert np.isnan(bootstrapped(kind, np.empty((3, 0)), np.empty((1, 3, 0)), group, "system")).all()
