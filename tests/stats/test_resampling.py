"""Draws, sums and tests against their plain definitions."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import stats
from tercet.options.groups import Resampling
from tercet.stats import resampling
from tercet.stats.decision import p_values

Array = npt.NDArray[np.float64]


def ratio(sums: Array) -> Array:
    """A score as many metrics have it: errors over length."""
    out: Array = 100 * sums[..., 0] / sums[..., 1]
    return out


def made_up(systems: int, n: int, seed: int = 7, *, fractions: bool = False) -> Array:
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, 9, (systems, n)), rng.integers(5, 30, (systems, n))], axis=-1).astype(float)
    return rows + rng.random(rows.shape) if fractions else rows


@pytest.mark.parametrize("fractions", [False, True])
@pytest.mark.parametrize("compat", [False, True])
def test_bootstrap_is_its_definition(fractions: bool, compat: bool) -> None:
    rows = made_up(2, 57, fractions=fractions)
    found = stats.bootstrap(rows, ratio, 90, np.random.default_rng(3), compat=compat)
    draws = np.random.default_rng(3).choice(57, size=(90, 57), replace=True)
    kind = np.float32 if compat else np.float64
    expected = np.array([[ratio(system.astype(kind)[draw].sum(axis=0)) for draw in draws] for system in rows])
    if compat:
        assert found.tolist() == expected.tolist()
    else:
        assert found == pytest.approx(expected, rel=1e-12)


def test_chunks_of_draws_are_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test set too large for one piece of memory has the same p-values."""
    rows = made_up(3, 41)
    whole = stats.bootstrap(rows, ratio, 100, np.random.default_rng(5))
    p_whole = stats.paired_randomization(rows[0], rows[1:], ratio, 640, np.random.default_rng(5))
    monkeypatch.setattr(resampling, "_CHUNK_BYTES", 41 * 64)
    assert len(list(resampling._index_chunks(41, 100, np.random.default_rng(5)))) > 5
    assert len(list(resampling._mask_chunks(41, 640, np.random.default_rng(5)))) > 5
    assert (stats.bootstrap(rows, ratio, 100, np.random.default_rng(5)) == whole).all()
    again = stats.paired_randomization(rows[0], rows[1:], ratio, 640, np.random.default_rng(5))
    assert (again == p_whole).all()


@pytest.mark.parametrize("compat", [False, True])
def test_randomization_is_its_definition(compat: bool) -> None:
    rows = made_up(3, 30)
    found = stats.paired_randomization(rows[0], rows[1:], ratio, 500, np.random.default_rng(1), compat=compat)
    swaps = np.random.default_rng(1).integers(2, size=(500, 30), dtype=bool)
    for p, system in zip(found, rows[1:], strict=True):
        real = abs(ratio(system.sum(axis=0)) - ratio(rows[0].sum(axis=0)))
        extreme = 0
        for swap in swaps:
            first = np.where(swap[:, None], rows[0], system).sum(axis=0)
            second = np.where(swap[:, None], system, rows[0]).sum(axis=0)
            gap = abs(ratio(first) - ratio(second))
            extreme += bool(gap > real if compat else gap >= real)
        assert p == (extreme + 1) / 501


@pytest.mark.parametrize("compat", [False, True])
def test_the_paired_bootstrap_is_its_definition(compat: bool) -> None:
    """Two-sided about the observed difference; with `compat` sacreBLEU's, whose differences have lost their sign."""
    rows = made_up(2, 40, fractions=True)
    base, system = stats.bootstrap(rows, ratio, 300, 1)
    real = float(ratio(rows[1].sum(axis=0)) - ratio(rows[0].sum(axis=0)))
    p, share = stats.paired_bootstrap(base, system, real, compat=compat)
    if compat:
        sizes = [abs(b - a) for a, b in zip(base, system, strict=True)]
        extreme = sum(size - np.mean(sizes) > abs(real) for size in sizes)
    else:
        extreme = sum(abs(b - a - real) >= abs(real) for a, b in zip(base, system, strict=True))
    assert p == (extreme + 1) / 301
    assert share == pytest.approx(np.mean(system > base))


def test_what_is_not_defined_has_no_p() -> None:
    rows = made_up(2, 30)
    rows[1, :, 1] = 0
    for paired in ("bootstrap", "randomization"):
        with np.errstate(all="ignore"):
            facts = stats.significance(
                {"a": rows[:1], "b": rows[1:] * [0, 1]},
                ratio,
                "a",
                Resampling(paired=paired),
            )
        assert np.isnan(facts["b"]["p_value"])  # type: ignore[arg-type]


def test_the_default_bootstrap_holds_its_level_and_the_compatible_one_does_not() -> None:
    """600 pairs of systems whose outputs were exchanged at random: 30 are expected, with a standard error of 5.3."""
    rng = np.random.default_rng(4)
    rejected = {False: 0, True: 0}
    for _ in range(600):
        base, system = made_up(2, 100, int(rng.integers(10**6)))
        rows = np.where(rng.random(100)[:, None] < 0.5, np.stack([base, system]), np.stack([system, base]))
        sampled = stats.bootstrap(rows, ratio, 200, int(rng.integers(10**6)))
        real = float(np.diff(ratio(rows.sum(axis=1)))[0])
        for compat in rejected:
            p, _ = stats.paired_bootstrap(sampled[0], sampled[1], real, compat=compat)
            rejected[compat] += p < 0.05
    assert 30 - 3 * 5.3 < rejected[False] < 30 + 3 * 5.3
    assert rejected[True] > 30 + 4 * 5.3


def test_a_system_against_itself_is_not_significant_unless_sacrebleu_is_wanted() -> None:
    rows = made_up(1, 40, fractions=True)
    same = {"a": rows, "b": rows}
    for paired, draws in (("bootstrap", 1000), ("randomization", 10_000)):
        honest = stats.significance(same, ratio, "a", Resampling(paired=paired))  # type: ignore[arg-type]
        quirk = stats.significance(same, ratio, "a", Resampling(paired=paired, compat=True))  # type: ignore[arg-type]
        assert honest["b"]["p_value"] == 1
        assert quirk["b"]["p_value"] == 1 / (draws + 1)
    assert stats.significance(same, ratio, "a", Resampling(paired="bootstrap"))["b"]["win_share"] == 0.5


def test_threads_do_not_change_a_bit() -> None:
    rows = made_up(4, 333, fractions=True)
    one, many = (
        stats.significance(
            {f"s{i}": r[None] for i, r in enumerate(rows)},
            ratio,
            "s0",
            Resampling(paired="randomization", trials=300, threads=n),
            ci=True,
        )
        for n in (1, 3)
    )
    assert one == many


def test_a_seed_moves_the_interval_and_the_same_seed_does_not() -> None:
    rows = {"a": made_up(1, 50)}
    low = [stats.significance(rows, ratio, "a", Resampling(seed=s), ci=True)["a"]["low"] for s in (1, 1, 2)]
    assert low[0] == low[1] != low[2]


def test_runs_of_several_seeds_follow_clark_et_al() -> None:
    base, new = made_up(3, 60, seed=1), made_up(3, 60, seed=2)
    how = Resampling(paired="randomization", trials=200)
    facts = stats.significance({"base": base, "new": new}, ratio, "base", how, ci=True)
    scores = stats.bootstrap(np.concatenate([base, new]), ratio, 1000, np.random.default_rng(12345))
    assert facts["new"]["runs"] == 3
    assert facts["new"]["s_opt"] == pytest.approx(np.std(ratio(new.sum(axis=1)), ddof=1))
    assert facts["new"]["s_sel"] == pytest.approx(np.std(scores[3:], axis=1, ddof=1).mean())
    p = stats.paired_randomization(base.sum(axis=0), new.sum(axis=0)[None], ratio, 200, np.random.default_rng(12345))
    assert facts["new"]["p_value"] == p[0]
    like_multeval = dataclasses.replace(how, compat=True)
    long = stats.paired_randomization(
        np.concatenate(base), np.concatenate(new)[None], ratio, 200, np.random.default_rng(12345), compat=True
    )
    assert stats.significance({"base": base, "new": new}, ratio, "base", like_multeval)["new"]["p_value"] == long[0]


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=12))
def test_holm_is_its_definition(p_values: list[float]) -> None:
    adjusted = stats.holm(p_values)
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, p_values[i] * (len(p_values) - rank)))
        assert adjusted[i] == pytest.approx(highest)
    assert (adjusted >= np.array(p_values)).all()


@given(st.integers(0, 5))
def test_all_pairs_are_the_pairs(seed: int) -> None:
    """The same p-values as those of each baseline in turn."""
    rows = made_up(4, 25, seed, fractions=bool(seed % 2))
    values = ratio(rows.sum(axis=1))
    first, second = np.triu_indices(4, 1)
    chance = resampling.all_pairs_chance(rows, ratio, 200, np.random.default_rng(3))
    found = np.full((4, 4), np.nan)
    found[first, second] = found[second, first] = p_values(values[second] - values[first], chance, values.max())
    for base in range(4):
        others = [i for i in range(4) if i != base]
        p = stats.paired_randomization(rows[base], rows[others], ratio, 200, np.random.default_rng(3))
        assert found[base, others].tolist() == p.tolist()


def test_all_pairs_in_chunks_are_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made_up(3, 41)
    whole = resampling.all_pairs_chance(rows, ratio, 640, np.random.default_rng(5))
    monkeypatch.setattr(resampling, "_CHUNK_BYTES", 41 * 64)
    again = resampling.all_pairs_chance(rows, ratio, 640, np.random.default_rng(5))
    assert (again == whole).all()
