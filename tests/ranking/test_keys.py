"""The keys of Python 2: hashes that are known, sets against a table filled by hand, judgements kept in a dictionary."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import Pairs
from tercet.ranking.base import Sampling
from tercet.ranking.keys import KeyedCounts, found_keys, key, string_hash
from tercet.ranking.trueskill import Counts, TrueSkill
from tests.oracles import python2
from tests.ranking.build import pairs

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@pytest.mark.parametrize(
    ("text", "known"),
    [("", 0), ("a", 12416037344), ("b", 12544037731), ("c", 12672038114), ("abc", 1453079729188098211)],
)
def test_hashes_that_are_known(text: str, known: int) -> None:
    assert string_hash(text) == known


def test_a_hash_ends_as_on_smaller_machines() -> None:
    """On those of 32 bits, hash("abc") is -1600925533."""
    assert string_hash("abc") % 2**32 == 2**32 - 1600925533


@given(names)
def test_a_hash_is_that_of_signed_words(text: str) -> None:
    assert string_hash(text) == python2.string_hash(text.encode()) % 2**64


def test_an_order_that_is_known() -> None:
    """Python 2 shows set("abc") as set(['a', 'c', 'b'])."""
    assert python2.set_order("abc") == ("a", "c", "b")
    assert [key(*two) for two in ("ab", "ba", "bc", "cb")] == [("a", "b"), ("a", "b"), ("c", "b"), ("c", "b")]


@given(st.lists(names, min_size=2, max_size=2, unique=True))
def test_a_key_is_the_order_of_a_set(two: list[str]) -> None:
    assert key(*two) == python2.set_order(two)


def shown(systems: tuple[str, ...], judgements: list[tuple[int, int, int]]) -> Pairs:
    """Pairs of these systems, each a task of its own."""
    left, right, outcome = np.array(judgements, dtype=np.int64).reshape(-1, 3).T.copy()
    every = np.arange(len(judgements))
    return Pairs(systems, left, right, outcome, every, every)


@st.composite
def campaigns(draw: st.DrawFn) -> Pairs:
    """Judgements of systems with short names, many of which collide."""
    systems = tuple(draw(st.lists(st.text("aeimquy", min_size=1, max_size=2), min_size=2, max_size=6, unique=True)))
    two = st.permutations(range(len(systems))).map(lambda order: order[:2])
    drawn = draw(st.lists(st.tuples(two, st.integers(0, 2)), max_size=30))
    return shown(systems, [(left, right, outcome) for (left, right), outcome in drawn])


@given(campaigns())
def test_what_is_found_is_what_a_dictionary_gives(data: Pairs) -> None:
    counts = KeyedCounts(data)
    found = counts.found(np.bincount(counts.cell, minlength=counts.n_cells))
    named = [data.systems[i] for i in data.left], [data.systems[i] for i in data.right], data.outcome.tolist()
    assert found.tolist() == python2.found(data.systems, zip(*named, strict=True))


@given(campaigns())
def test_without_keys_everything_is_found(data: Pairs) -> None:
    counts = Counts(data)
    found = counts.found(np.bincount(counts.cell, minlength=counts.n_cells))
    assert (found == found.transpose(1, 0, 2)[..., ::-1]).all()
    assert found.sum() == 2 * len(data)
    for i, j, outcome in zip(data.left, data.right, data.outcome, strict=True):
        assert found[i, j, outcome] > 0


def test_names_that_collide_hide_judgements() -> None:
    """a and i fall on the same place, and who was shown first comes first: each finds what shows it so."""
    first, second = found_keys(("a", "i", "b"))
    assert first[0].tolist() == [False, True, True]
    assert second[0].tolist() == [False, False, True]
    data = shown(("a", "i"), [(0, 1, 0)] * 3 + [(1, 0, 0)] * 2 + [(1, 0, 1)])
    counts = KeyedCounts(data)
    found = counts.found(np.bincount(counts.cell, minlength=counts.n_cells))
    assert found[0, 1].tolist() == [3, 0, 0]
    assert found[1, 0].tolist() == [2, 1, 0]


@pytest.mark.parametrize("resample", [False, True])
def test_only_names_that_collide_move_a_ranking(resample: bool) -> None:
    data = pairs([[0, 30, 60], [20, 0, 40], [10, 20, 0]])
    sampling = Sampling(samples=2000, seed=7, unit="pair")
    plain, keyed = (TrueSkill(resample=resample, compat=compat) for compat in (False, True))
    gaps = {}
    for systems in (("A", "B", "C"), ("a", "i", "b")):
        named = dataclasses.replace(data, systems=systems)
        gaps[systems] = plain.fit(named, sampling).scores - keyed.fit(named, sampling).scores
    assert np.abs(gaps["A", "B", "C"]).max() < (0.04 if resample else 1e-300)
    assert np.abs(gaps["a", "i", "b"]).max() > 0.1
