"""Hybrids against their definition: who is drawn, what is summed, and that nothing but the number decides."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import kernels
from tercet.errors import InputError
from tercet.stats.hybrids import HYBRIDS, choose, hybrid_means, hybrid_scores
from tests.oracles.hybrids import hybrid_sum

NAN = math.nan
ROWS = np.random.default_rng(5).normal(size=(4, 130, 3))


def test_the_papers_made_ten_thousand() -> None:
    assert HYBRIDS == 10_000


def test_every_pair_of_systems_is_as_likely_and_either_of_it() -> None:
    chosen = choose(5, 40, 20_000, seed=3)
    assert chosen.shape == (20_000, 40)
    pairs = [tuple(sorted(set(row))) for row in chosen.tolist()]
    assert {len(pair) for pair in pairs} == {2}  # one of 2^39 would have one system only
    counts = [pairs.count((i, j)) for i in range(5) for j in range(i + 1, 5)]
    assert sum(counts) == 20_000
    assert scipy.stats.chisquare(counts).pvalue > 1e-4
    first = chosen == chosen.min(axis=1, keepdims=True)
    per_item, per_hybrid = first.sum(axis=0), first.sum(axis=1)
    assert (np.abs(per_item - 10_000) < 5 * math.sqrt(5000)).all()
    chances = scipy.stats.binom.pmf(np.arange(41), 40, 0.5)
    middle = slice(10, 31)
    seen = np.bincount(per_hybrid, minlength=41)[middle]
    assert scipy.stats.chisquare(seen, chances[middle] / chances[middle].sum() * seen.sum()).pvalue > 1e-4


def test_items_are_chosen_independently() -> None:
    """Also across the 64 items that one random number decides."""
    chosen = choose(2, 200, 4000, seed=1)
    sides = np.where(chosen == 0, 1.0, -1.0)
    for step in (1, 63, 64, 65, 128):
        together = (sides[:, step:] * sides[:, :-step]).mean()
        assert abs(together) < 5 / math.sqrt(4000 * (200 - step))


def test_sums_are_those_of_the_oracle_bit_for_bit() -> None:
    found = kernels.hybrid_sums(ROWS, 50, 0, 9, 1)
    chosen = choose(4, 130, 50, seed=9)
    assert found.tolist() == [hybrid_sum(row, ROWS.tolist()) for row in chosen.tolist()]


def test_hybrids_depend_on_nothing_but_their_number() -> None:
    alone = kernels.hybrid_sums(ROWS, 40, 0, 9, 1).tolist()
    assert kernels.hybrid_sums(ROWS, 40, 0, 9, 3).tolist() == alone
    parts = kernels.hybrid_sums(ROWS, 15, 0, 9, 2).tolist() + kernels.hybrid_sums(ROWS, 25, 15, 9, 2).tolist()
    assert parts == alone
    assert kernels.hybrid_sums(ROWS, 40, 0, 10, 1).tolist() != alone
    assert choose(4, 130, 40, 9, threads=3).tolist() == choose(4, 130, 40, 9).tolist()
    assert kernels.hybrid_choices(4, 130, 25, 15, 9, 1).tolist() == choose(4, 130, 40, 9)[15:].tolist()


@given(
    st.integers(2, 4).flatmap(
        lambda systems: st.lists(
            st.lists(st.one_of(st.just(NAN), st.integers(-5, 5).map(float)), min_size=systems, max_size=systems),
            min_size=1,
            max_size=6,
        )
    ),
    st.integers(0, 5),
)
def test_means_are_over_the_outputs_that_have_a_score(columns: list[list[float]], seed: int) -> None:
    values = np.array(columns).T
    found = hybrid_means(values, 8, seed)
    for mean, chosen in zip(found.tolist(), choose(len(values), len(columns), 8, seed).tolist(), strict=True):
        there = [v for item, system in enumerate(chosen) if not math.isnan(v := values[system, item])]
        assert mean == pytest.approx(sum(there) / len(there) if there else NAN, nan_ok=True)


def test_a_corpus_score_is_that_of_the_hybrid_text() -> None:
    """BLEU of a hybrid from statistics is BLEU of the text that it would have."""
    words = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree"]
    rng = np.random.default_rng(2)
    texts = [[" ".join(rng.choice(words, 9)) for _ in range(30)] for _ in range(3)]
    references = [" ".join(rng.choice(words, 9)) for _ in range(30)]
    bleu = tercet.metric("bleu")
    rows = np.stack([bleu.statistics(bleu.batch(text, references)) for text in texts])
    found = hybrid_scores(rows, bleu.score, 6, seed=4)
    for score, chosen in zip(found.tolist(), choose(3, 30, 6, seed=4).tolist(), strict=True):
        text = [texts[system][item] for item, system in enumerate(chosen)]
        assert score == pytest.approx(bleu.corpus(text, references), rel=1e-12)


def test_no_items_and_no_hybrids() -> None:
    assert choose(2, 0, 3, seed=1).shape == (3, 0)
    assert choose(2, 5, 0, seed=1).shape == (0, 5)
    assert np.isnan(hybrid_means(np.empty((2, 0)), 3, seed=1)).all()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="needs two systems, and there are 1"):
        choose(1, 5, 3, seed=1)
    with pytest.raises(InputError, match="-1 hybrids"):
        choose(2, 5, -1, seed=1)
    for systems, items, hybrids, first, said in (
        (1, 1, 1, 0, "two systems"),
        (2, -1, 1, 0, "items"),
        (2, 1, -1, 0, "number of hybrids"),
        (2, 1, 1, -1, "first hybrid"),
    ):
        with pytest.raises(ValueError, match=said):
            kernels.hybrid_choices(systems, items, hybrids, first, 0, 1)
    with pytest.raises(ValueError, match="two systems"):
        kernels.hybrid_sums(ROWS[:1], 1, 0, 0, 1)
