"""CharacTER's kernel against its oracle: shifts, ties, long texts and texts that repeat themselves."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import tercet
from tercet import kernels
from tercet.errors import InputError
from tests.kernels.packing import offsets, pack_tokens, packed_words
from tests.kernels.strategies import Segment, segments
from tests.oracles import character

WORDS = ("a", "b", "bb", "ä", "中", "𝒜", "\uffff")
HYP, REF = "on Tuesday the committee met in the hall", "the committee met on Tuesday in a hall"
lists = st.lists(st.sampled_from(WORDS), max_size=9)


def scored(hyp: list[str], ref: list[str]) -> list[float]:
    """The kernel's row of one pair."""
    (row,) = kernels.character(pack_tokens([hyp]), pack_tokens([ref]), offsets([1]), 1, 1).tolist()
    return list(row)


@given(items=segments())
def test_scores_are_those_of_the_oracle(items: list[Segment]) -> None:
    wanted = [character.character(s.hyp.split(), [r.split() for r in s.refs]) for s in items]
    assert kernels.character(*packed_words(items), 1, 1).tolist() == wanted


@given(hyp=lists, ref=lists)
def test_repeated_words_are_shifted_as_the_oracle_does(hyp: list[str], ref: list[str]) -> None:
    assert scored(hyp, ref) == character.pair(hyp, ref)


@given(hyp=lists, order=st.randoms(use_true_random=False))
def test_words_in_another_order(hyp: list[str], order: random.Random) -> None:
    ref = list(hyp)
    order.shuffle(ref)
    assert scored(hyp, ref) == character.pair(hyp, ref)


@given(short=lists, long=st.lists(st.sampled_from(WORDS), min_size=65, max_size=70))
def test_a_text_that_is_long_beside_the_other(short: list[str], long: list[str]) -> None:
    """Distances are then found from both ends of the text."""
    for hyp, ref in ((short, long), (long, short)):
        assert scored(hyp, ref) == character.pair(hyp, ref)


@pytest.mark.thorough
@pytest.mark.parametrize("vocabulary", [2, 3, 5, 20])
@pytest.mark.parametrize(("size", "wanted"), [(66, 66), (70, 60), (40, 128), (45, 131)])
def test_long_texts_of_few_words(monkeypatch: pytest.MonkeyPatch, vocabulary: int, size: int, wanted: int) -> None:
    """With a quick distance the oracle comes to an end."""
    monkeypatch.setattr(character, "distance", lambda hyp, ref, jumps: Levenshtein.distance(hyp, ref))
    rng = random.Random(vocabulary)  # noqa: S311
    hyp, ref = ([rng.choice("abcdefghijklmnopqrst"[:vocabulary]) for _ in range(n)] for n in (size, wanted))
    assert scored(hyp, ref) == character.pair(hyp, ref)
    moved = ref[30:50] + ref[:30] + ref[52:]
    assert scored(moved, ref) == character.pair(moved, ref)


@pytest.mark.thorough
@pytest.mark.parametrize(("words", "vocabulary"), [(66, 100), (90, 120)])
def test_texts_longer_than_a_machine_word(words: int, vocabulary: int) -> None:
    rng = random.Random(words)  # noqa: S311
    for _ in range(2):
        hyp, ref = ([f"w{rng.randrange(vocabulary)}" for _ in range(words)] for _ in range(2))
        moved = ref[20:50] + ref[:20] + ref[50:]
        assert scored(moved, ref) == character.pair(moved, ref)
        if words < 100:
            assert scored(hyp[:40] + ref[5:9], ref) == character.pair(hyp[:40] + ref[5:9], ref)


def test_ties_are_broken_by_code_points_and_not_by_units_of_utf_16() -> None:
    """Both shifts gain as much; U+1D49C comes after U+FFFF, though its first surrogate comes before."""
    hyp, ref = ["𝒜", "\uffff", "x"], ["x", "\uffff", "𝒜"]
    assert scored(hyp, ref) == character.pair(hyp, ref)


@pytest.mark.thorough
def test_texts_that_repeat_themselves_come_to_an_end() -> None:
    """Hundreds of thousands of shifts could be tried."""
    assert scored(["a", "b"] * 500, ["b", "a"] * 500)[1:3] == [0, 1]
    assert scored(["a"] * 400 + ["b"] * 400, ["b"] * 400 + ["a"] * 400)[1] == 0
    assert scored(["c"] + ["a"] * 1000, ["a"] * 1000 + ["c"])[1] == 0
    assert scored(["a", "b", "c"] * 60, ["c", "b", "a"] * 60) == [119 / 359, 2, 117, 359]
    assert scored(["a"] * 100_000, ["a"] * 99_999) == [2 / 199_999, 2, 0, 199_999]


def test_a_line_with_too_many_shifts_to_try_is_an_error() -> None:
    with pytest.raises(InputError, match=r"Segment 2 .* too many shifts to try.* TERCET_PATIENCE=4\."):
        tercet.metric("character").segments(["a", "a b " * 500_000], ["a", "b a " * 500_000])


@pytest.mark.parametrize("patience", [0, -1, 1001])
def test_patience_has_its_bounds(patience: int) -> None:
    empty = pack_tokens([]), pack_tokens([])
    with pytest.raises(ValueError, match="patience must be from 1 to 1000"):
        kernels.character(*empty, offsets([]), patience, 1)
    with pytest.raises(ValueError, match="patience must be from 1 to 1000"):
        kernels.character_shifts(*empty, patience)


def test_threads_do_not_change_a_bit() -> None:
    hyps = [[f"w{i * j % 13}" for j in range(i % 29)] for i in range(300)]
    refs = [[f"w{i * j % 11}" for j in range(i % 31)] for i in range(300)]
    packed = pack_tokens(hyps), pack_tokens(refs), offsets([1] * 300)
    assert kernels.character(*packed, 1, 3).tolist() == kernels.character(*packed, 1, 1).tolist()


def test_shifts_lead_to_the_text_that_is_compared() -> None:
    hyp, ref = HYP.split(), REF.split()
    assert kernels.character_shifts(pack_tokens([hyp]), pack_tokens([ref]), 1).tolist() == [[2, 3, 0]]
    assert kernels.character_shifts(pack_tokens([[]]), pack_tokens([[]]), 1).tolist() == []
    with pytest.raises(ValueError, match="a hypothesis and a reference"):
        kernels.character_shifts(pack_tokens([]), pack_tokens([]), 1)


def test_an_explanation_tells_the_shifts() -> None:
    found = tercet.metric("character").explain("on Tuesday the committee met", "the committee met on Tuesday")
    assert found.notes == ('"the committee met" is shifted to the front.',)
    assert len(found.matches) == 5
    assert found.factors()["character edits"] == 0
    assert found.factors()["shift cost"] > 0
