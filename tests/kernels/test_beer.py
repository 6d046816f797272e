"""BEER's features: kernel and oracle agree on anything, on long texts, and on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tercet.data import Array
from tercet.metrics.beer import FEATURES
from tests.kernels import strategies
from tests.kernels.packing import offsets, packed_lines
from tests.kernels.strategies import Segment
from tests.oracles import beer

SPACED = st.lists(st.sampled_from(["a", "b", "ab", "é", "𝒜", "a-", "-b", " ", "  "]), max_size=14).map(" ".join)


def rows(segments: list[Segment], threads: int = 1) -> Array:
    """The kernel's."""
    return kernels.beer(*packed_lines(segments), threads)


def check(segments: list[Segment]) -> None:
    wanted = [beer.features(s.hyp, ref) for s in segments for ref in s.refs]
    np.testing.assert_allclose(rows(segments), np.array(wanted).reshape(-1, 62), rtol=1e-14, atol=0)


@given(segments=strategies.segments())
def test_features_of_anything(segments: list[Segment]) -> None:
    check(segments)


@given(hyp=SPACED, refs=st.lists(SPACED, min_size=1, max_size=3))
def test_features_of_few_words(hyp: str, refs: list[str]) -> None:
    check([Segment(hyp, refs)])


@pytest.mark.parametrize("hyp", ["", " ", "  a", "a  ", " a  b ", "a b c d e f g", "\x00", "a\tb", "a\u3000b"])
@pytest.mark.parametrize("ref", ["", "  ", "a", " a b", "g f e d c b a"])
def test_features_at_the_edges(hyp: str, ref: str) -> None:
    check([Segment(hyp, [ref])])


def test_threads_do_not_change_a_bit() -> None:
    segments = [Segment("a b c " * (i % 7), ["b c a " * (i % 5), "a"]) for i in range(400)]
    alone = rows(segments)
    assert alone.shape == (800, 62)
    for threads in (2, 5):
        assert np.array_equal(rows(segments, threads), alone)


def test_no_segment() -> None:
    assert rows([]).shape == (0, len(FEATURES))


def test_a_word_of_a_megabyte() -> None:
    word = "é" * 500_000
    found = rows([Segment(word, [word, word[1:]])])
    assert found[0, FEATURES.index("char6.f.1.0")] == 1.0
    assert found[1, FEATURES.index("ngram1.a")] == 0.0
    assert found[1, FEATURES.index("len_disbalance_char.d.1.0")] == 500_000 / 499_999 - 1


def test_a_line_of_many_words() -> None:
    """Half a million pairs of equal words need no table of pairs, and five thousand different words no more memory."""
    same = rows([Segment("a " * 100_000, ["a " * 99_999])])[0]
    n, m = 100_000, 99_999
    assert same[FEATURES.index("skip1000000.a")] == pytest.approx(m * (m - 1) / (n * (n - 1)))
    words = [f"w{i}" for i in range(5_000)]
    turned = rows([Segment(" ".join(words), [" ".join(reversed(words))])])[0]
    assert turned[FEATURES.index("skip1000000.b")] == 0.0
    assert turned[FEATURES.index("ngram1.b")] == 5_000 / 5_002


def test_arrays_that_do_not_fit_are_refused() -> None:
    lines = kernels.pack(["a", "b"])
    with pytest.raises(ValueError, match="group"):
        kernels.beer(lines, lines, offsets([1]), 1)
    with pytest.raises(ValueError, match="groups"):
        kernels.beer(lines, lines, offsets([1, 2]), 1)
