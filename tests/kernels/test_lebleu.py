"""LeBLEU's kernel against its oracle, and the metric's means, smoothing and references."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import kernels
from tercet.errors import SpecError
from tests.conftest import at_most
from tests.kernels.packing import pack_tokens
from tests.oracles import lebleu

WORDS = ("a", "ab", "abc", "cab", "houses", "house", "mouse", "ähnlich", "ähnlichen", "中文", "𝒜", "b" * 30)
lists = st.lists(st.sampled_from(WORDS), max_size=8)


def hits(hyp: list[str], ref: list[str], max_n: int = 4, threshold: float = 0.4, sampling: int = 2000) -> list[float]:
    """The kernel's row of one pair."""
    owners = np.zeros(1, dtype=np.int64)
    (row,) = kernels.lebleu(pack_tokens([hyp]), pack_tokens([ref]), owners, max_n, threshold, sampling, 1).tolist()
    return list(row)


@at_most(60)
@given(lists, lists, st.integers(1, 4), st.sampled_from((0.0, 0.25, 0.4, 0.5, 0.75, 1.0)))
def test_hits_are_those_of_the_oracle(hyp: list[str], ref: list[str], max_n: int, threshold: float) -> None:
    wanted = lebleu.lebleu(hyp, ref, max_n, threshold, 2000)
    assert hits(hyp, ref, max_n, threshold) == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@at_most(40)
@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abd"), max_size=30), st.integers(2, 40))
def test_long_texts_are_sampled_on_a_grid(hyp: list[str], ref: list[str], sampling: int) -> None:
    wanted = lebleu.lebleu(hyp, ref, 1, 0.4, sampling)
    assert hits(hyp, ref, 1, 0.4, sampling) == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def test_threads_and_order_do_not_change_a_bit() -> None:
    rows = [[WORDS[i * j % 12] for j in range(i % 9)] for i in range(100)]
    owners = np.arange(100, dtype=np.int64)
    packed = pack_tokens(rows), pack_tokens(rows[::-1]), owners
    alone = kernels.lebleu(*packed, 4, 0.4, 2000, 1)
    assert np.array_equal(kernels.lebleu(*packed, 4, 0.4, 2000, 3), alone)


def test_long_texts_and_long_words_come_to_an_end() -> None:
    words = [f"w{i}" for i in range(100_000)]
    assert hits(words, words)[4:] == [500.0] * 4
    long = "é" * 20_000
    assert hits([long, "a"], [long + "x", "a"])[0] == 1 + 1 - 1 / 20_001


def test_a_repeated_word_gets_no_more_than_there_is() -> None:
    assert hits(["a"] * 5, ["a"])[0] == 1
    assert hits(["a", "b"], [])[:4] == [0] * 4


@pytest.mark.parametrize("bad", [{"max_n": 0}, {"threshold": 1.5}, {"sampling": 5}])
def test_options_that_make_no_sense_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"n-gram|threshold"):
        hits(["a"], ["a"], **bad)  # type: ignore[arg-type]
    with pytest.raises(SpecError):
        tercet.metric("lebleu(" + ", ".join(f"{k}={v}" for k, v in bad.items()) + ")")


def test_owners_must_be_hypotheses() -> None:
    one = pack_tokens([["a"]])
    for owners in ([1], [-1], [0, 0]):
        with pytest.raises(ValueError, match="owner"):
            kernels.lebleu(one, one, np.array(owners, dtype=np.int64), 4, 0.4, 2000, 1)


def test_means_and_smoothing() -> None:
    """Two words in common, no pair of them: precisions 1 and 0, the longer orders are not there."""
    score = {name: tercet.metric(name).corpus(["aaaa bbbb"], ["bbbb aaaa"]) for name in NAMES}
    (one, two) = hits(["aaaa", "bbbb"], ["bbbb", "aaaa"])[:2]
    assert one == 2.0
    assert two == pytest.approx(4 / 9)
    assert score["lebleu"] == pytest.approx((1 + 4 / 9) / 2)
    assert score["lebleu(mean=geometric)"] == pytest.approx(math.sqrt(4 / 9))
    assert score["lebleu(threshold=0.9)"] == 0.5
    assert score["lebleu(threshold=0.9, mean=geometric)"] == 0
    assert score["lebleu(threshold=0.9, mean=geometric, smoothing=true)"] == pytest.approx(math.sqrt(1 / 2))


NAMES = (
    *("lebleu", "lebleu(mean=geometric)", "lebleu(threshold=0.9)", "lebleu(threshold=0.9, mean=geometric)"),
    "lebleu(threshold=0.9, mean=geometric, smoothing=true)",
)


def test_the_best_reference_counts() -> None:
    metric = tercet.metric("lebleu")
    assert metric.segments(["a house", "b"], [["x", "a house"], ["b", "b b b"]]).tolist() == [1, 1]
    assert metric.corpus(["", "a b"], ["a b", "a b"]) == pytest.approx(math.exp(1 - 6 / 3))
