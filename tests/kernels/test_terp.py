"""TERp's kernel against its oracle, and against that of TER where the two must agree."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tercet.metrics import explained
from tests.kernels.packing import offsets, pack_tokens, packed_words
from tests.kernels.strategies import Segment, segments
from tests.oracles.terp import KINDS, Pair, Phrase

WORDS = ("cat", "cats", "dog", "dogs", "hound", "pet", "the", "a")
STEMS = {"cats": "cat", "dogs": "dog"}
SYNSETS = {"dog": (1, 4), "hound": (1,), "pet": (2, 4, 7), "cat": (7,)}
UNIT = (1.0,) * 7

costs = st.tuples(*[st.sampled_from((0.0, 0.1, 0.25, 0.3, 1.0, 1.5))] * 7)
texts = st.lists(st.sampled_from(WORDS), max_size=9)


@dataclasses.dataclass(frozen=True)
class Knows:
    """Which kinds of matches are looked for."""

    stems: bool = False
    synsets: bool = False


def arguments(
    hyps: list[list[str]], refs: list[list[list[str]]], knows: Knows, phrases: Any, prices: tuple[float, ...]
) -> tuple[Any, Any, Any, int, Any, Any, Any, list[float]]:
    """What the kernel takes; phrases are given a reference."""
    flat = [ref for group in refs for ref in group]
    packed = pack_tokens(hyps), pack_tokens(flat)
    hyp_words, ref_words, lines = kernels.number_words(*packed)
    words = kernels.unpack(lines)
    numbers = [SYNSETS.get(word, ()) for word in words]
    return (
        (hyp_words, packed[0][2]),
        (ref_words, packed[1][2]),
        offsets([len(group) for group in refs]),
        len(words),
        kernels.pack([STEMS.get(word, word) for word in words]) if knows.stems else None,
        (offsets([len(n) for n in numbers]), np.array([n for each in numbers for n in each], dtype=np.int32))
        if knows.synsets
        else None,
        None
        if phrases is None
        else (offsets([len(p) for p in phrases]), np.array([m for p in phrases for m in p], np.int32).reshape(-1, 4)),
        list(prices),
    )


def call(
    hyps: list[list[str]],
    refs: list[list[list[str]]],
    knows: Knows,
    phrases: Any,
    prices: tuple[float, ...],
    threads: int = 1,
) -> list[list[float]]:
    """The kernel's statistics."""
    rows = kernels.terp(*arguments(hyps, refs, knows, phrases, prices), threads)
    return [[float(value) for value in row] for row in rows]


def expected(
    hyp: list[str], ref: list[str], knows: Knows, phrases: list[Phrase], prices: tuple[float, ...]
) -> list[int]:
    """The oracle's edits."""
    stems = {word: STEMS.get(word, word) for word in WORDS} if knows.stems else {}
    whole = {kind: round(price * 10000) for kind, price in zip(KINDS, prices, strict=True)}
    return Pair(hyp, ref, whole, stems, SYNSETS if knows.synsets else {}, phrases).edits()


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[str], list[str], list[Phrase]]:
    """Two texts, and phrases of them that are called paraphrases."""
    hyp, ref = draw(texts), draw(texts)
    phrases: list[Phrase] = []
    for _ in range(draw(st.integers(0, 4)) if hyp and ref else 0):
        r, h = draw(st.integers(0, len(ref) - 1)), draw(st.integers(0, len(hyp) - 1))
        ref_length, length = draw(st.integers(1, min(3, len(ref) - r))), draw(st.integers(1, min(3, len(hyp) - h)))
        phrases.append((r, ref_length, h, length))
    return hyp, ref, phrases


@given(pair=pairs(), knows=st.builds(Knows, st.booleans(), st.booleans()), prices=costs)
def test_edits_are_those_of_the_oracle(
    pair: tuple[list[str], list[str], list[Phrase]], knows: Knows, prices: tuple[float, ...]
) -> None:
    hyp, ref, phrases = pair
    (found,) = call([hyp], [[ref]], knows, [phrases], prices)
    assert found == [*expected(hyp, ref, knows, phrases, prices), len(ref)]


@pytest.mark.parametrize("seed", range(4))
def test_long_texts_in_the_beam(seed: int) -> None:
    draw = np.random.default_rng(seed)
    ref = [f"w{i}" for i in range(draw.integers(34, 40))]
    start, cut = draw.integers(4, 20, 2)
    hyp = [*ref[start + cut :], *ref[start : start + cut]]
    prices = tuple(draw.choice((0.0, 0.1, 0.25, 1.0, 1.5), 7))
    phrases = [(5, 3, 8, 1), (20, 1, len(hyp) - 4, 3)] if seed % 2 else []
    (found,) = call([hyp], [[ref]], Knows(), [phrases], prices)
    assert found[:-1] == expected(hyp, ref, Knows(), phrases, prices)


@given(segments())
def test_exact_matches_at_unit_costs_are_ter(some: list[Segment]) -> None:
    rows = call([s.hyp.split() for s in some], [[r.split() for r in s.refs] for s in some], Knows(), None, UNIT)
    wanted = kernels.ter(*packed_words(some), 1).tolist()
    assert [[sum(row[:7]), row[7]] for row in rows] == wanted


@given(pair=pairs(), knows=st.builds(Knows, st.booleans(), st.booleans()), prices=costs)
def test_the_script_does_what_is_counted(
    pair: tuple[list[str], list[str], list[Phrase]], knows: Knows, prices: tuple[float, ...]
) -> None:
    hyp, ref, phrases = pair
    given = [hyp], [[ref]], knows, [phrases], prices
    number, shifts, steps = kernels.terp_script(*arguments(*given), 0)
    script, matches = explained.terp_script(shifts, steps, len(hyp))
    counts = script.counts()
    assert number == 0
    assert [counts.get(kind, 0) for kind in KINDS] == call(*given)[0][:-1]
    order = list(range(len(hyp)))
    for shift in script.shifts:
        rest = [place for place in order if place not in shift.words]
        order = [*rest[: shift.place], *shift.words, *rest[shift.place :]]
    assert [edit.hypothesis for edit in script.edits if edit.hypothesis is not None] == order
    assert [edit.reference for edit in script.edits if edit.reference is not None] == list(range(len(ref)))
    known = Pair(hyp, ref, dict.fromkeys(KINDS, 0), STEMS, SYNSETS if knows.synsets else {}, phrases)
    for match in matches:
        (i, end), (j, ref_end) = match.hypothesis, match.reference
        if (end - i, ref_end - j) != (1, 1):
            assert match.kind == "paraphrase"
            assert (j, ref_end - j, i, end - i) in phrases
        else:
            assert is_such(match.kind, known, i, j)


def is_such(kind: str, known: Pair, i: int, j: int) -> bool:
    """Whether two words match in this way."""
    one, other = known.hyp[i], known.ref[j]
    if kind == "exact":
        return one == other
    if kind == "stem":
        return STEMS.get(one, one) == STEMS.get(other, other)
    if kind == "synonym":
        return bool(set(known.synsets.get(one, ())) & set(known.synsets.get(other, ())))
    return any(p[1] == p[3] == 1 and p[0] == j and known.hyp[p[2]] == one for p in known.phrases)


def test_the_script_is_that_of_the_reference_that_counts() -> None:
    refs = [["the", "dog", "a", "a", "a"], ["the", "hound", "a"], ["the", "pet"]]
    given = [["a"], ["the", "hound"]], [[["a"]], refs], Knows(), None, (0.1, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    number, shifts, steps = kernels.terp_script(*arguments(*given), 1)
    assert (number, shifts.tolist()) == (2, [])
    assert steps.tolist() == [[0, 1, 0, 1, 7], [1, 1, 1, 1, 7], [0, 0, 2, 1, 0]]
    for row in (-1, 2):
        with pytest.raises(ValueError, match="no such row"):
            kernels.terp_script(*arguments(*given), row)


def test_the_reference_of_the_lowest_cost_counts() -> None:
    refs = [["the", "dog", "a", "a", "a"], ["the", "hound", "a"], ["the", "pet"]]
    (row,) = call([["the", "hound"]], [refs], Knows(), None, (0.1, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    assert row == [1, 0, 0, 0, 0, 0, 0, 10 / 3]


def test_as_many_threads_as_one_likes() -> None:
    draw = np.random.default_rng(3)
    hyps = [list(draw.choice(WORDS, draw.integers(0, 12))) for _ in range(200)]
    refs = [[list(draw.choice(WORDS, draw.integers(0, 12))) for _ in range(2)] for _ in range(200)]
    one = call(hyps, refs, Knows(True, True), None, UNIT)
    assert call(hyps, refs, Knows(True, True), None, UNIT, threads=4) == one


def test_a_hundred_thousand_words() -> None:
    words = [f"w{i % 1000}" for i in range(100_000)]
    (row,) = call([["x", *words]], [[[*words, "y"]]], Knows(True, True), None, UNIT)
    assert row == [1, 1, 0, 0, 0, 0, 0, 100_001]
    (row,) = call([["cat"] * 20_000], [[["dog"] * 20_000]], Knows(True, True), None, UNIT)
    assert row == [0, 0, 20_000, 0, 0, 0, 0, 20_000]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"costs": [1.0] * 6}, "one cost a kind of edit"),
        ({"costs": [1.0] * 6 + [-0.1]}, "a cost is from 0 to 1000"),
        ({"costs": [1.0] * 6 + [float("nan")]}, "a cost is from 0 to 1000"),
        ({"n_words": 1}, "no such word"),
        ({"stems": kernels.pack(["a"])}, "one stem a word"),
        ({"synsets": (offsets([1]), np.zeros(1, np.int32))}, "synsets of every word"),
        ({"synsets": (offsets([1, 1]), np.zeros(1, np.int32))}, "synsets must rise"),
        ({"phrases": (offsets([]), np.zeros((0, 4), np.int32))}, "paraphrases of every reference"),
        ({"phrases": (offsets([1]), np.array([[0, 1, 0, 2]], np.int32))}, "outside of its text"),
        ({"phrases": (offsets([1]), np.array([[0, 0, 0, 1]], np.int32))}, "outside of its text"),
        ({"phrases": (offsets([1]), np.array([[0, 2**31 - 1, 0, 1]], np.int32))}, "outside of its text"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], told: str) -> None:
    fine: dict[str, Any] = {
        "hyps": (np.array([0], np.int32), offsets([1])),
        "refs": (np.array([1], np.int32), offsets([1])),
        "groups": offsets([1]),
        "n_words": 2,
        "stems": None,
        "synsets": None,
        "phrases": None,
        "costs": [1.0] * 7,
        "threads": 1,
    }
    assert kernels.terp(**fine).tolist() == [[0, 0, 1, 0, 0, 0, 0, 1]]
    with pytest.raises(ValueError, match=told):
        kernels.terp(**{**fine, **change})
