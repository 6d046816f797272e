"""Draws, sums and tests against their plain definitions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import stats
from tercet.stats import resampling

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


def test_a_system_against_itself_is_not_significant_unless_sacrebleu_is_wanted() -> None:
    rows = made_up(1, 40, fractions=True)
    same = {"a": rows, "b": rows}
    for paired, draws in (("bootstrap", 1000), ("randomization", 10_000)):
        honest = stats.significance(same, ratio, "a", stats.Resampling(paired=paired))  # type: ignore[arg-type]
        quirk = stats.significance(same, ratio, "a", stats.Resampling(paired=paired, compat=True))  # type: ignore[arg-type]
        assert honest["b"]["p_value"] == 1
        assert quirk["b"]["p_value"] == 1 / (draws + 1)
    assert stats.significance(same, ratio, "a", stats.Resampling(paired="bootstrap"))["b"]["win_share"] == 0.5


def test_threads_do_not_change_a_bit() -> None:
    rows = made_up(4, 333, fractions=True)
    one, many = (
        stats.significance(
            {f"s{i}": r[None] for i, r in enumerate(rows)},
            ratio,
            "s0",
            stats.Resampling(ci=True, paired="randomization", trials=300, threads=n),
        )
        for n in (1, 3)
    )
    assert one == many


def test_a_seed_moves_the_interval_and_the_same_seed_does_not() -> None:
    rows = {"a": made_up(1, 50)}
    low = [stats.significance(rows, ratio, "a", stats.Resampling(ci=True, seed=s))["a"]["low"] for s in (1, 1, 2)]
    assert low[0] == low[1] != low[2]


def test_runs_of_several_seeds_follow_clark_et_al() -> None:
    base, new = made_up(3, 60, seed=1), made_up(3, 60, seed=2)
    how = stats.Resampling(ci=True, paired="randomization", trials=200)
    facts = stats.significance({"base": base, "new": new}, ratio, "base", how)
    scores = stats.bootstrap(np.concatenate([base, new]), ratio, 1000, np.random.default_rng(12345))
    assert facts["new"]["runs"] == 3
    assert facts["new"]["s_opt"] == pytest.approx(np.std(ratio(new.sum(axis=1)), ddof=1))
    assert facts["new"]["s_sel"] == pytest.approx(np.std(scores[3:], axis=1, ddof=1).mean())
    long = stats.paired_randomization(
        np.concatenate(base), np.concatenate(new)[None], ratio, 200, np.random.default_rng(12345)
    )
    assert facts["new"]["p_value"] == long[0]


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
    found = resampling.all_pairs_randomization(rows, ratio, 200, np.random.default_rng(3))
    for base in range(4):
        others = [i for i in range(4) if i != base]
        p = stats.paired_randomization(rows[base], rows[others], ratio, 200, np.random.default_rng(3))
        assert found[base, others].tolist() == p.tolist()


def test_all_pairs_in_chunks_are_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made_up(3, 41)
    whole = resampling.all_pairs_randomization(rows, ratio, 640, np.random.default_rng(5))
    monkeypatch.setattr(resampling, "_CHUNK_BYTES", 41 * 64)
    again = resampling.all_pairs_randomization(rows, ratio, 640, np.random.default_rng(5))
    assert (again == whole).all()
