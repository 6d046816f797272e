"""TERp's kernel against its oracle, and against that of TER where the two must agree."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tercet.metrics import explained
from tests.conftest import at_most
from tests.kernels.packing import offsets, pack_tokens
from tests.oracles.terp import KINDS, Phrases, Result, Search, moved

WORDS = ("cat", "cats", "dog", "dogs", "hound", "pet", "the", "a")
STEMS = {"cats": "cat", "dogs": "dog"}
SYNSETS = {"dog": (1, 4), "hound": (1,), "pet": (2, 4, 7), "cat": (7,)}
UNIT = (1.0,) * 6
TERPA = (1.4269364675533365, 0.2588527567630183, 1.5565478292505814, 0.5620538767397316, 0.0, 0.0)

costs = st.one_of(st.just(UNIT), st.just(TERPA), st.tuples(*[st.sampled_from((0.0, 0.1, 0.25, 0.3, 1.0, 1.5))] * 6))
texts = st.lists(st.sampled_from(WORDS), max_size=9)
sides = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple)
tables = st.dictionaries(st.tuples(sides, sides), st.sampled_from((0.0, 0.2, 0.5, 1.0)), max_size=8)


@dataclasses.dataclass(frozen=True)
class How:
    """What is known, and how edits are searched."""

    costs: tuple[float, ...] = UNIT
    beam: float = 20.0
    shifts: str = "relax"
    stems: bool = False
    synsets: bool = False
    stop_words: frozenset[str] = frozenset()
    phrases: Phrases = dataclasses.field(default_factory=dict)

    def oracle(self, hyp: list[str], ref: list[str]) -> Result:
        """The oracle's edits."""

        def same_stem(one: str, other: str) -> bool:
            return self.stems and STEMS.get(one, one) == STEMS.get(other, other)

        def common_synset(one: str, other: str) -> bool:
            return self.synsets and bool(set(SYNSETS.get(one, ())) & set(SYNSETS.get(other, ())))

        named = dict(zip(KINDS, self.costs, strict=False))
        search = Search(named, self.beam, self.shifts, same_stem, common_synset, self.stop_words, self.phrases)
        return search.run(hyp, ref)

    def arguments(self, hyps: list[list[str]], refs: list[list[list[str]]]) -> dict[str, Any]:
        """What the kernel takes."""
        flat = [ref for group in refs for ref in group]
        packed = pack_tokens(hyps), pack_tokens([*flat, list(WORDS)])  # all words have a number
        hyp_words, ref_words, lines = kernels.number_words(*packed)
        words = kernels.unpack(lines)
        numbers = [SYNSETS.get(word, ()) for word in words]
        ours, theirs = ([[words.index(w) for w in pair[side]] for pair in self.phrases] for side in (0, 1))
        return {
            "hyps": (hyp_words, packed[0][2]),
            "refs": (ref_words, packed[1][2]),
            "groups": offsets([len(group) for group in refs]),
            "n_words": len(words),
            "stems": kernels.pack([STEMS.get(word, word) for word in words]) if self.stems else None,
            "synsets": (offsets(list(map(len, numbers))), np.array([n for some in numbers for n in some], np.int32))
            if self.synsets
            else None,
            "stop_words": np.array([word in self.stop_words for word in words], np.uint8) if self.stop_words else None,
            "phrases": (*ids(ours), *ids(theirs), np.array([*self.phrases.values()], np.float64))
            if self.phrases
            else None,
            "costs": list(self.costs),
            "beam": self.beam,
            "shifts": self.shifts,
        }

    def rows(self, hyps: list[list[str]], refs: list[list[list[str]]], threads: int = 1) -> list[list[float]]:
        """The kernel's statistics."""
        rows: list[list[float]] = kernels.terp(**self.arguments(hyps, refs), threads=threads).tolist()
        return rows


def ids(rows: list[list[int]]) -> tuple[Any, Any]:
    """Numbered words end to end, and where each row begins."""
    return np.array([n for row in rows for n in row], np.int32), offsets([len(row) for row in rows])


hows = st.builds(
    How,
    costs=costs,
    beam=st.sampled_from((0.0, 0.3, 1.0, 2.0, 20.0)),
    shifts=st.sampled_from(("noshift", "exact", "relax", "relax")),
    stems=st.booleans(),
    synsets=st.booleans(),
    stop_words=st.sampled_from((frozenset(), frozenset({"the", "a"}), frozenset(WORDS))),
    phrases=st.one_of(st.just({}), tables),
)


@given(hyp=texts, ref=texts, how=hows)
def test_edits_are_those_of_the_oracle(hyp: list[str], ref: list[str], how: How) -> None:
    (row,) = how.rows([hyp], [[ref]])
    assert row == [*how.oracle(hyp, ref).counts(), len(ref)]


@at_most(30)
@given(data=st.data(), costs=costs, beam=st.sampled_from((1.0, 4.0, 20.0)))
def test_long_texts_with_much_to_shift(data: st.DataObject, costs: tuple[float, ...], beam: float) -> None:
    ref = [f"w{i}" for i in range(data.draw(st.integers(10, 24)))]
    hyp = list(ref)
    for _ in range(data.draw(st.integers(1, 3))):
        start, length, place = (data.draw(st.integers(0, 8)) for _ in range(3))
        hyp = moved(hyp, start, min(start + length, len(hyp) - 1), place)
    del hyp[data.draw(st.integers(0, len(hyp) - 1))]
    how = How(costs, beam)
    (row,) = how.rows([hyp], [[ref]])
    assert row == [*how.oracle(hyp, ref).counts(), len(ref)]


def test_blocks_move_fifty_words_and_no_more() -> None:
    for between in (48, 49, 50, 51):
        middle = [f"w{i}" for i in range(between)]
        hyp, ref = ["cat", "dog", *middle], [*middle, "cat", "dog"]
        for shifts in ("exact", "relax"):
            how = How(shifts=shifts)
            (row,) = how.rows([hyp], [[ref]])
            assert row == [*how.oracle(hyp, ref).counts(), len(ref)]


@given(hyp=texts, ref=texts, how=hows)
def test_the_script_does_what_is_counted(hyp: list[str], ref: list[str], how: How) -> None:
    number, shifts, steps = kernels.terp_script(**how.arguments([hyp], [[ref]]), row=0)
    script, matches = explained.terp_script(shifts, steps, len(hyp))
    assert number == 0
    kinds = [*steps[:, 4].tolist(), *[3] * len(shifts)]
    assert [kinds.count(kind) for kind in range(7)] == how.rows([hyp], [[ref]])[0][:7]
    order = list(range(len(hyp)))
    for shift in script.shifts:
        rest = [place for place in order if place not in shift.words]
        order = [*rest[: shift.place], *shift.words, *rest[shift.place :]]
    assert [edit.hypothesis for edit in script.edits if edit.hypothesis is not None] == order
    assert [edit.reference for edit in script.edits if edit.reference is not None] == list(range(len(ref)))
    for match in matches:
        (i, end), (j, ref_end) = match.hypothesis, match.reference
        if match.kind == "exact":
            assert hyp[i:end] == ref[j:ref_end]
        elif match.kind == "paraphrase":
            whole = [theirs for (ours, theirs) in how.phrases if ours == tuple(ref[j:ref_end])]
            assert any(set(hyp[i:end]) <= set(words) for words in whole)


def test_the_reference_of_the_lowest_cost_counts() -> None:
    refs = [["the", "dog", "a", "a", "a"], ["the", "hound", "a"], ["the", "pet"]]
    how = How((0.1, 1.0, 1.0, 1.0, 0.0, 0.0))
    hyps, groups = [["a"], ["the", "hound"]], [[["a"]], refs]
    assert how.rows(hyps, groups)[1] == [1, 0, 0, 0, 0, 0, 0, 0, 10 / 3]
    number, shifts, steps = kernels.terp_script(**how.arguments(hyps, groups), row=1)
    assert (number, shifts.tolist()) == (2, [])
    assert steps.tolist() == [[0, 1, 0, 1, 7], [1, 1, 1, 1, 7], [2, 0, 2, 1, 0]]
    for row in (-1, 2):
        with pytest.raises(ValueError, match="no such row"):
            kernels.terp_script(**how.arguments(hyps, groups), row=row)


def test_as_many_threads_as_one_likes() -> None:
    draw = np.random.default_rng(3)
    hyps = [list(draw.choice(WORDS, draw.integers(0, 12))) for _ in range(200)]
    refs = [[list(draw.choice(WORDS, draw.integers(0, 12))) for _ in range(2)] for _ in range(200)]
    how = How(TERPA, 35.0, stems=True, synsets=True, phrases={(("a", "cat"), ("the", "dog")): 0.3})
    assert how.rows(hyps, refs, threads=4) == how.rows(hyps, refs)


def test_a_hundred_thousand_words() -> None:
    words = [f"w{i % 1000}" for i in range(100_000)]
    how = How(shifts="exact", stems=True, synsets=True)
    (row,) = how.rows([["x", *words]], [[[*words, "y"]]])
    assert row == [1, 1, 0, 0, 0, 0, 0, 0, 100_001]
    (row,) = how.rows([["cat"] * 20_000], [[["the"] * 20_000]])
    assert row == [0, 0, 20_000, 0, 0, 0, 0, 0, 20_000]


def test_a_search_that_would_take_all_memory_is_narrower() -> None:
    free = How((0.0, 0.0, 1.0, 1.0, 1.0, 1.0), shifts="noshift")  # no cell is dearer than another
    words = [f"w{i % 10}" for i in range(6000)]
    (row,) = free.rows([words], [[words[::-1]]])
    assert row[2] == 0
    assert row[0] == row[1]


@pytest.mark.thorough
def test_a_search_that_would_take_hours_ends() -> None:
    draw = np.random.default_rng(5)
    hyp, ref = (list(draw.choice(WORDS, 2000)) for _ in range(2))
    row, still = (How(TERPA, 35.0, shifts=shifts).rows([hyp], [[ref]])[0] for shifts in ("exact", "noshift"))
    assert row[3] < 100  # it would go on
    assert np.dot(row[:6], TERPA) <= np.dot(still[:6], TERPA)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"costs": [1.0] * 7}, "one cost a kind of edit"),
        ({"costs": [1.0] * 5 + [-0.1]}, "a cost is from 0 to 1000"),
        ({"costs": [1.0] * 5 + [float("nan")]}, "a cost is from 0 to 1000"),
        ({"beam": -1.0}, "a beam is from 0"),
        ({"beam": float("nan")}, "a beam is from 0"),
        ({"shifts": "some"}, "there is no choice called some"),
        ({"n_words": 1}, "no such word"),
        ({"stems": kernels.pack(["a"])}, "one stem a word"),
        ({"synsets": (offsets([1]), np.zeros(1, np.int32))}, "synsets of every word"),
        ({"synsets": (offsets([1, 1]), np.zeros(1, np.int32))}, "synsets must rise"),
        ({"stop_words": np.zeros(1, np.uint8)}, "whether it is a stop word, of every word"),
        ({"phrases": (*ids([[0]]), *ids([]), np.zeros(1))}, "two sides and a cost"),
        ({"phrases": (*ids([[0]]), *ids([[1]]), np.zeros(2))}, "two sides and a cost"),
        ({"phrases": (*ids([[0]]), *ids([[]]), np.zeros(1))}, "without words"),
        ({"phrases": (*ids([[0]]), *ids([[2]]), np.zeros(1))}, "no such word"),
        ({"phrases": (*ids([[0]]), *ids([[1]]), np.array([np.nan]))}, "costs from 0 to a million"),
        ({"phrases": (*ids([[0]]), *ids([[1]]), np.array([-1.0]))}, "costs from 0 to a million"),
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
        "stop_words": None,
        "phrases": None,
        "costs": [1.0] * 6,
        "beam": 20.0,
        "shifts": "exact",
        "threads": 1,
    }
    assert kernels.terp(**fine).tolist() == [[0, 0, 1, 0, 0, 0, 0, 0, 1]]
    with pytest.raises(ValueError, match=told):
        kernels.terp(**{**fine, **change})
