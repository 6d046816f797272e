"""METEOR's kernel beside its oracle, and the quirks that make its scores METEOR's."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.kernels.packing import offsets, pack_tokens
from tests.oracles import meteor as oracle
from tests.oracles.meteor import Stages

VOCABULARY = ("a", "ba", "c", "ca", "Aa", "BB", "𝒜a", "x", "the", ".")
FUNCTION = frozenset({"the", ".", "aa"})
SINGLE = ("exact", "stem", "synonym")
SLOTS = 5


def last_letter(word: str) -> str:
    """A stemmer that finds much in common."""
    return word[-1]


def table_of(entries: Sequence[tuple[Sequence[str], Sequence[str]]]) -> kernels.ParaphraseTable:
    """A paraphrase table from its phrases."""
    builder = kernels.ParaphraseBuilder(1 << 20)
    builder.add("".join(f"0.5\n{' '.join(one)}\n{' '.join(other)}\n" for one, other in entries).encode())
    return kernels.ParaphraseTable(builder.finish(bytes(32)))


@dataclasses.dataclass(frozen=True)
class Pair:
    """A hypothesis and a reference."""

    hyp: list[str]
    ref: list[str]


def task(pairs: Sequence[Pair], stages: Stages, *, characters: bool = False) -> tuple[Any, ...]:
    """What both kernels take, one reference a hypothesis."""
    hyps, refs = pack_tokens([p.hyp for p in pairs]), pack_tokens([p.ref for p in pairs])
    hyp_words, ref_words, lines = kernels.number_words(hyps, refs)
    words = kernels.unpack(lines)
    synsets = [sorted(stages.synsets.get(word, ())) for word in words]
    known = kernels.MeteorWords(
        lines,
        np.array([word.lower() in FUNCTION for word in words], np.uint8),
        characters,
        kernels.pack([stages.stem(word) for word in words]),
        (offsets(list(map(len, synsets))), np.array([s for own in synsets for s in own], np.int32)),
        table_of(stages.table) if stages.table else None,
    )
    matches = np.array([m for _ in pairs for m in stages.given], np.int32).reshape(-1, 4)
    where = offsets([len(stages.given)] * len(pairs))
    groups = np.arange(len(pairs) + 1)
    return (
        (hyp_words, hyps[2]),
        (ref_words, refs[2]),
        groups,
        known,
        list(stages.names),
        (where, matches),
        stages.equal_credit,
    )


def statistics(pairs: Sequence[Pair], stages: Stages, *, characters: bool = False, threads: int = 1) -> Any:
    """The kernel's statistics."""
    arguments = (*task(pairs, stages, characters=characters), SLOTS, threads)
    return kernels.meteor(*arguments).tolist()


def alignments(pairs: Sequence[Pair], stages: Stages) -> list[list[oracle.Found]]:
    """The kernel's alignments."""
    starts, rows = kernels.meteor_alignments(*task(pairs, stages))
    found = [oracle.Found(*row) for row in rows.tolist()]
    return [found[a:b] for a, b in itertools.pairwise(starts)]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Pair, Stages]:
    """Texts of few words, so that many matches compete, and stages that match much."""
    words = st.sampled_from(VOCABULARY[: draw(st.integers(2, len(VOCABULARY)))])
    hyp, ref = draw(st.lists(words, max_size=12)), draw(st.lists(words, max_size=12))
    phrase = st.lists(words, min_size=1, max_size=3)
    names = draw(st.permutations((*SINGLE, "paraphrase", "given")))[: draw(st.integers(1, 5))]
    matches = []
    if hyp and ref:
        matches = [(*r, *h) for r, h in draw(st.lists(st.tuples(spans(len(ref)), spans(len(hyp))), max_size=3))]
    stages = Stages(
        tuple(names) if draw(st.booleans()) else (*SINGLE, "paraphrase"),
        last_letter,
        {word: draw(st.frozensets(st.integers(0, 5), max_size=2)) for word in VOCABULARY},
        draw(st.lists(st.tuples(phrase, phrase), min_size=1, max_size=6)),
        matches,
        draw(st.booleans()),
    )
    return Pair(hyp, ref), stages


def spans(size: int) -> st.SearchStrategy[tuple[int, int]]:
    """Start and length of up to three words of a text."""
    starts = st.integers(0, size - 1)
    return starts.flatmap(lambda at: st.tuples(st.just(at), st.integers(1, min(3, size - at))))


@given(case=cases(), characters=st.booleans())
def test_kernel_equals_oracle(case: tuple[Pair, Stages], characters: bool) -> None:
    pair, stages = case
    assert alignments([pair], stages) == [oracle.align(stages, pair.hyp, pair.ref)]
    wanted = oracle.statistics(stages, pair.hyp, pair.ref, FUNCTION, characters=characters, slots=SLOTS)
    assert statistics([pair], stages, characters=characters) == [wanted]


def pair_of(hyp: str, ref: str) -> Pair:
    """Texts split at spaces."""
    return Pair(hyp.split(), ref.split())


def test_more_paths_than_the_beam_holds() -> None:
    """Hundreds of ways to align: which of them are forgotten decides."""
    stages = Stages(("exact", "stem"), last_letter)
    pair = pair_of("the a ba the ca x the a the ba ca the x a", "ca the the a x ba the a the ca the ba x the a the")
    assert alignments([pair], stages) == [oracle.align(stages, pair.hyp, pair.ref)]


@pytest.mark.thorough
def test_more_contested_words_than_bits_in_a_word() -> None:
    stages = Stages(("exact",))
    pair = Pair(["a", "x"] * 45, ["x", "x", "a"] * 30)
    assert alignments([pair], stages) == [oracle.align(stages, pair.hyp, pair.ref)]


def test_words_of_one_hash_are_one_word() -> None:
    """`Aa` and `BB` collide in Java; so do two Hindi words of WMT14."""
    for one, other in (("Aa", "BB"), ("हेड", "हैं")):
        assert alignments([Pair([one], [other])], Stages(("exact", "stem"))) == [[oracle.Found(0, 0, 1, 0, 1)]]
    assert alignments([pair_of("Aa", "AB")], Stages(("exact",))) == [[]]


def test_a_single_weak_match_has_no_credit() -> None:
    """A stem counts half a word, which is cut to none: of two stems the one that saves a chunk is taken, or none."""
    stages = Stages(("exact", "stem"), last_letter)
    assert alignments([pair_of("ba x", "ca x")], stages)[0][0].stage == 1
    ways = pair_of("x ba c da", "c ca")
    assert alignments([ways], stages) == [oracle.align(stages, ways.hyp, ways.ref)]
    full = dataclasses.replace(stages, equal_credit=True)
    assert len(alignments([ways], full)[0]) == 2


def test_identical_texts_are_matched_by_the_first_stage_alone() -> None:
    stages = Stages(("exact", "paraphrase"), table=[(["a", "x"], ["a", "x"])])
    assert [m.stage for m in alignments([pair_of("a x a x", "a x a x")], stages)[0]] == [0, 0, 0, 0]
    assert alignments([pair_of("a x", "a x")], Stages(("stem",), last_letter)) == [[]]


def test_characters_are_units_of_utf_16() -> None:
    rows = statistics([pair_of("𝒜a the", "𝒜a .")], Stages(("exact",)), characters=True)
    assert rows[0][:8] == [6.0, 4.0, 3.0, 1.0, 3.0, 3.0, 0.0, 0.0]
    assert rows[0][-3:] == [1.0, 1.0, 1.0]


def many() -> list[Pair]:
    """More pairs than a block of work holds."""
    words = VOCABULARY
    return [
        Pair([words[i * k % 10] for k in range(i % 17)], [words[(i + k * k) % 10] for k in range(i % 13)])
        for i in range(400)
    ]


def test_threads_do_not_matter() -> None:
    stages = Stages((*SINGLE, "paraphrase"), last_letter, {"x": frozenset({1}), "c": frozenset({1})}, [(["a"], ["c"])])
    alone = statistics(many(), stages)
    assert statistics(many(), stages, threads=3) == alone
    assert alone[37] == oracle.statistics(stages, many()[37].hyp, many()[37].ref, FUNCTION, slots=SLOTS)


def test_several_references_have_a_row_each() -> None:
    hyps, refs = pack_tokens([["a"], ["x", "c"]]), pack_tokens([["a"], ["x"], ["x", "c"]])
    hyp_words, ref_words, lines = kernels.number_words(hyps, refs)
    known = kernels.MeteorWords(lines, np.zeros(3, np.uint8), False, None, None, None)
    groups = np.array([0, 1, 3])
    rows = kernels.meteor((hyp_words, hyps[2]), (ref_words, refs[2]), groups, known, ["exact"], None, False, 4, 2)
    assert rows[:, -1].tolist() == [1.0, 1.0, 2.0]
    assert rows[:, 0].tolist() == [1.0, 2.0, 2.0]


@pytest.mark.thorough
def test_too_many_candidates_are_an_error_that_names_the_segment() -> None:
    pairs = [pair_of("a", "a"), Pair(["a"] * 5000, ["a"] * 5000)]
    with pytest.raises(OverflowError, match=r"^1$"):
        statistics(pairs, Stages(("exact",)))


def refused(says: str, **changes: Any) -> None:
    """The kernel does not take a task with these changes."""
    names = ("hyps", "refs", "groups", "words", "stages", "given", "equal_credit")
    stages = Stages(("exact", "given"), given=[(0, 1, 0, 1)])
    arguments = dict(zip(names, task([pair_of("a x", "x")], stages), strict=True)) | {"slots": 4, "threads": 1}
    with pytest.raises(ValueError, match=says):
        kernels.meteor(**arguments | changes)


def test_what_does_not_fit_is_refused() -> None:
    ids, rows = np.array([0, 1], np.int32), np.array([0, 2])
    refused("no such word", hyps=(np.array([0, 9], np.int32), rows))
    refused("no such word", hyps=(np.array([0, -1], np.int32), rows))
    refused("rows must rise", hyps=(ids, np.array([0, 3])))
    refused("groups must rise", groups=np.array([0, 2]))
    refused("no choice called exakt", stages=["exakt"])
    refused("no table", stages=["paraphrase"])
    refused("no matches", stages=["given"], given=None)
    refused("a slot for every stage", slots=1)
    for row in ([0, 1, 2, 1], [0, 2, 0, 1], [-1, 1, 0, 1], [0, 1, 0, 0]):
        refused("outside of its text", given=(np.array([0, 1]), np.array([row], np.int32)))
    refused("matches of every reference", given=(np.array([0, 1, 1]), np.array([[0, 1, 0, 1]], np.int32)))


@pytest.mark.parametrize(
    ("says", "arguments"),
    [
        ("one mark a word", (np.zeros(3, np.uint8), False, None, None, None)),
        ("one stem a word", (np.zeros(2, np.uint8), False, kernels.pack(["a"]), None, None)),
        ("synsets of every", (np.zeros(2, np.uint8), False, None, (np.array([0, 1]), np.array([1], np.int32)), None)),
        ("must rise", (np.zeros(2, np.uint8), False, None, (np.array([0, 1, 3]), np.array([1], np.int32)), None)),
    ],
)
def test_words_and_what_is_known_of_them_belong_together(says: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=says):
        kernels.MeteorWords(kernels.pack(["a", "b"]), *arguments)
