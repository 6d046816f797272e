"""Paired tests of differences, against enumeration and scipy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats

from tercet.stats.paired import paired_t, sign_flips, signed_rank


def enumerated(row: np.ndarray) -> float:
    """The share of all sign patterns with as large a sum."""
    signs = np.array(list(itertools.product((-1, 1), repeat=len(row))))
    return float((np.abs(signs @ row) >= abs(row.sum()) - 1e-9).mean())


ROWS = np.array([
    [0.2, 0.4, 0.0, -0.2, 0.6, 0.2, 0.2, 0.4],
    [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, -0.2],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.31, -0.17, 0.05, 0.44, -0.02, 0.09, 0.28, 0.11],
])  # fmt: skip


def test_sign_flips_come_to_what_all_patterns_give() -> None:
    found = sign_flips(ROWS, 40_000, seed=3)
    assert found == pytest.approx([enumerated(row) for row in ROWS], abs=0.01)
    assert found[2] == 1.0


def test_ties_are_ties_whatever_the_rounding() -> None:
    row = np.array([[0.1, 0.2, 0.3, -0.6 + 0.1 + 0.2]])  # many patterns sum up to the same but for the last bits
    assert sign_flips(row, 40_000, seed=1)[0] == pytest.approx(enumerated(row[0]), abs=0.01)


def test_a_seed_is_a_result_and_parts_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sign_flips(ROWS, 1000, seed=7)
    assert whole.tolist() == sign_flips(ROWS, 1000, seed=7).tolist()
    assert whole.tolist() != sign_flips(ROWS, 1000, seed=8).tolist()
    monkeypatch.setattr("tercet.stats.paired._TOGETHER", 600)
    assert whole == pytest.approx(sign_flips(ROWS, 1000, seed=7), abs=0.06)


def test_t_is_scipys() -> None:
    rows = ROWS[[0, 1, 3]]
    assert paired_t(rows) == pytest.approx(scipy.stats.ttest_1samp(rows, 0.0, axis=1).pvalue)


def test_signed_ranks_are_scipys_and_ties_are_ties_whatever_the_rounding() -> None:
    found = signed_rank(ROWS)
    clean = [np.array([2, 4, -2, 6, 2, 2, 4]), np.array([1, 1, 1, 1, 1, 1, 1, -1]), ROWS[3]]
    assert found[[0, 1, 3]] == pytest.approx([scipy.stats.wilcoxon(row).pvalue for row in clean])
    assert found[2] == 1.0
    assert signed_rank(np.array([[0.1 + 0.2 - 0.3, 0.0]])).tolist() == [1.0]


def test_t_of_what_does_not_vary_is_undefined() -> None:
    assert np.isnan(paired_t(np.array([[0.1, 0.1, 0.1], [0.0, 0.0, 0.0]]))).all()
    assert np.isnan(paired_t(np.array([[0.5]]))).all()
