"""The participants' kernels against their oracles, on several threads, and on what is hostile."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tercet import kernels
from tests.kernels.packing import offsets, pack_tokens, packed_words
from tests.kernels.strategies import Segment, segments
from tests.oracles import participants as oracle

WORDS = ("a", "b", "c", "cat", "cats", "chats", "hat")
texts = st.lists(st.sampled_from(WORDS), max_size=7)


def one(hyp: list[str], ref: list[str]) -> tuple[Any, Any, Any]:
    """A pair of texts as the kernels take it."""
    return pack_tokens([hyp]), pack_tokens([ref]), offsets([1])


@given(texts, texts, st.sampled_from([1.0, 1.5, 2.0]))
def test_runs(hyp: list[str], ref: list[str], exponent: float) -> None:
    found = kernels.word_runs(*one(hyp, ref), exponent, 1)[0]
    np.testing.assert_allclose(found, oracle.word_runs(hyp, ref, exponent), rtol=1e-12)


@given(
    st.lists(st.sampled_from("abcd"), max_size=6),
    st.lists(st.sampled_from("abcd"), max_size=6),
    st.integers(1, 7),
    st.integers(0, 2),
)
@example(["a", "a", "b"], ["b", "a", "c", "a"], 4, 0)  # a block that is longer than the other text
def test_inversions(hyp: list[str], ref: list[str], block: int, cost: int) -> None:
    found = kernels.inversions(*one(hyp, ref), block, cost, 1)[0].tolist()
    assert found == oracle.inversions(hyp, ref, block, cost)


@given(texts, texts, st.sampled_from([1.0, 1.2, 2.0]))
def test_the_first_chunks_of_apac(hyp: list[str], ref: list[str], beta: float) -> None:
    found = kernels.apac(*one(hyp, ref), 0.1, beta, 0, 1)[0, 0]
    assert found == pytest.approx(oracle.first_chunks(hyp, ref, beta), rel=1e-9)


@given(texts, texts, st.booleans(), st.integers(1, 5))
def test_tolerant_words(hyp: list[str], ref: list[str], both: bool, shortest: int) -> None:
    row = kernels.tbleu(*one(hyp, ref), 1, both, shortest, 1.0, 1.0, 1)[0]
    assert row.tolist()[:2] == [len(hyp), len(ref)]
    assert row[2] == pytest.approx(oracle.tolerant_unigrams(hyp, ref, both, shortest), abs=1e-12)


@given(segments().filter(lambda found: all(len(s.refs) == 1 for s in found)))
def test_without_tolerance_it_is_bleu(found: list[Segment]) -> None:
    packed = packed_words(found)
    tolerant = kernels.tbleu(*packed, 4, True, 1000, 1.0, 1.0, 1)
    assert tolerant.tolist() == kernels.bleu(*packed, 4, "closest", 1).tolist()


def calls(packed: tuple[Any, Any, Any], threads: int) -> list[list[list[float]]]:
    """What every kernel makes of the texts."""
    return [
        kernels.word_runs(*packed, 1.5, threads).tolist(),
        kernels.inversions(*packed, 20, 1, threads).tolist(),
        kernels.apac(*packed, 0.1, 1.2, -1, threads).tolist(),
        kernels.tbleu(*packed, 4, True, 3, 1.0, 1.0, threads).tolist(),
    ]


def test_threads_do_not_change_a_bit() -> None:
    hyps = [[WORDS[i * j % 7] for j in range(i % 13)] for i in range(120)]
    refs = [[WORDS[i * j % 5] for j in range((i + r) % 11)] for i in range(120) for r in range(1 + i % 2)]
    packed = pack_tokens(hyps), pack_tokens(refs), offsets([1 + i % 2 for i in range(120)])
    assert calls(packed, 1) == calls(packed, 3)


def test_a_huge_word_and_many_words() -> None:
    huge = "é" * 500_000
    runs, edits, chunks, tolerant = calls(one(["a", huge], [huge, "b"]), 1)
    assert (runs[0][0], edits[0], chunks[0][0], tolerant[0][2]) == (1, [2, 2], 1, 1)
    many = [f"w{i}" for i in range(600)]
    runs, edits, chunks, tolerant = calls(one(many, many[300:] + many[:300]), 1)
    assert (runs[0][:2], tolerant[0][2]) == ([600, 2], 600)
    assert edits[0] == [600, 600]  # blocks of 300 words are longer than any that is inverted
    assert chunks[0][0] == pytest.approx(300**1.2 * 1.1)


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        (kernels.word_runs, (0.0,)),
        (kernels.apac, (2.0, 1.2, -1)),
        (kernels.apac, (0.1, 0.5, -1)),
        (kernels.tbleu, (0, True, 3, 1.0, 1.0)),
        (kernels.inversions, (0, 1)),
        (kernels.inversions, (101, 1)),
    ],
)
def test_what_does_not_fit_is_refused(kernel: Callable[..., Any], options: tuple[Any, ...]) -> None:
    pair = one(["a"], ["a"])
    with pytest.raises(ValueError, match=r"must|from"):
        kernel(*pair, *options, 1)


def test_groups_that_end_nowhere_are_refused() -> None:
    hyps, refs, _ = one(["a"], ["a"])
    with pytest.raises(ValueError, match="within the references"):
        kernels.inversions(hyps, refs, offsets([2]), 5, 1, 1)
