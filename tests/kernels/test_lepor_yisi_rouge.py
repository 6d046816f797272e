"""The kernels of LEPOR, YiSi and ROUGE beside their oracles, and on input that is meant to hurt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.kernels import strategies
from tests.kernels.packing import offsets, pack_tokens, packed_words, unpack_tokens
from tests.kernels.strategies import Segment
from tests.oracles import lepor, rouge, yisi

LETTERS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(strategies.segments(), st.integers(0, 3), st.integers(1, 3))
def test_factors_of_lepor(segments: list[Segment], window: int, order: int) -> None:
    found = kernels.lepor(*packed_words(segments), window, order, 2)
    wanted = [lepor.factors(s.hyp.split(), ref.split(), window, order) for s in segments for ref in s.refs]
    np.testing.assert_allclose(found, np.array(wanted).reshape(-1, 4 + order), rtol=1e-15)


@given(LETTERS, LETTERS, st.integers(0, 3))
def test_places_that_lepor_compares(hyp: list[str], ref: list[str], window: int) -> None:
    numbers = {word: i for i, word in enumerate(dict.fromkeys(ref))}
    ids = [np.array([numbers.get(word, -1) for word in side], dtype=np.int32) for side in (hyp, ref)]
    found = [tuple(pair) for pair in kernels.lepor_matches(ids[0], ids[1], window).tolist()]
    assert found == ([(i, i) for i in range(len(hyp))] if hyp == ref else lepor.pairs(hyp, ref, window))


@given(st.lists(strategies.texts(), max_size=4))
def test_single_spaces(lines: list[str]) -> None:
    found = unpack_tokens(kernels.split_single_spaces(kernels.pack(lines), 1))
    assert found == [line.strip().split(" ") if line.strip() else [] for line in lines]


@given(LETTERS, LETTERS, st.integers(1, 4), st.sampled_from(["lcs", "exact"]))
def test_shares_of_yisi(hyp: list[str], ref: list[str], order: int, how: str) -> None:
    hyp, ref = ([word * 2 + "xy"[i % 2] for i, word in enumerate(side)] for side in (hyp, ref))
    hyps, refs = pack_tokens([hyp]), pack_tokens([ref])
    hyp_ids, ref_ids, words = kernels.number_words(hyps, refs)
    names = kernels.unpack(words)
    weights = {word: 1.0 + i % 3 for i, word in enumerate(names)}
    given_weights = np.array([weights[word] for word in names])
    sides = (hyp_ids, hyps[2]), (ref_ids, refs[2])
    found = kernels.yisi(*sides, offsets([1]), words, given_weights, how, None, order, 1)
    same = yisi.letters if how == "lcs" else lambda a, b: 1.0 if a == b else 1e-5
    wanted = yisi.shares(hyp, ref, order, same, weights.__getitem__)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-12)


def test_vectors_of_yisi() -> None:
    hyps = pack_tokens([["Cat", "dog", "fish"]])
    refs = pack_tokens([["cat", "wolf", "tree"]])
    hyp_ids, ref_ids, words = kernels.number_words(hyps, refs)
    known = {"dog": [1.0, 0.0], "wolf": [0.6, 0.8], "tree": [-1.0, 0.0]}
    names = kernels.unpack(words)
    there = [name for name in names if name in known]
    places = np.array([there.index(name) if name in known else -1 for name in names], dtype=np.int64)
    vectors = places, np.array([known[name] for name in there])
    sides = (hyp_ids, hyps[2]), (ref_ids, refs[2])
    found = kernels.yisi(*sides, offsets([1]), words, np.ones(len(names)), "vectors", vectors, 1, 1)
    # cat: 1 by case; dog ~ wolf: 0.6; fish and tree: nothing, and no negative similarity
    np.testing.assert_allclose(found[0], [1.6 / 3, 1.6 / 3])


@given(st.binary(max_size=40), st.binary(max_size=40), st.integers(1, 9))
def test_longest_common_substring(one: bytes, other: bytes, times: int) -> None:
    a, b = (bytes(c % 4 + 97 for c in text).decode() * times for text in (one, other))
    assert kernels.longest_common_substring(a, b) == yisi.common(a.encode(), b.encode())


@pytest.mark.thorough
def test_longest_common_substring_of_long_words() -> None:
    one, other = "a" * 1_000_000, "b" + "a" * 999_999
    assert kernels.longest_common_substring(one, other) == 999_999
    assert kernels.longest_common_substring(one, "c" * 1_000_000) == 0
    rng = np.random.default_rng(1)
    left, middle, right = ("".join(rng.choice(list(letters), 5000)) for letters in ("abc", "abcdef", "def"))
    assert kernels.longest_common_substring(left + middle, "x" + middle + right) >= 5000


@given(strategies.segments(), st.integers(0, 3))
def test_statistics_of_rouge(segments: list[Segment], order: int) -> None:
    found = kernels.rouge(*packed_words(segments), order, 2)
    wanted = [rouge.rouge(s.hyp.split(), [ref.split() for ref in s.refs], order) for s in segments]
    assert found.tolist() == wanted


@given(st.lists(st.sampled_from("ab"), max_size=200), st.lists(st.sampled_from("ab"), max_size=200))
def test_long_subsequences(hyp: list[str], ref: list[str]) -> None:
    """Of more words than fit into one number."""
    found = kernels.rouge(pack_tokens([hyp]), pack_tokens([ref]), offsets([1]), 0, 1)
    row = [0] * (len(ref) + 1)
    for word in hyp:
        diagonal = 0
        for j, other in enumerate(ref, start=1):
            diagonal, row[j] = row[j], diagonal + 1 if word == other else max(row[j], row[j - 1])
    assert found[0, 0] == row[-1]


@given(st.lists(strategies.texts(), max_size=4))
def test_words_of_rouge(lines: list[str]) -> None:
    lowered = kernels.lower(kernels.pack(lines), "python")
    assert unpack_tokens(kernels.tokenize_rouge(lowered, False, False, 1)) == [rouge.words(line) for line in lines]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("příliš žluťoučký", ["příliš", "žluťoučký"]),
        ("हिन्दी में, एक।", ["हिन्दी", "में", "एक"]),
        ("a_b-c's 3½ €5 x\x00y", ["a", "b", "c", "s", "3½", "5", "x", "y"]),
    ],
)
def test_words_of_any_script(text: str, wanted: list[str]) -> None:
    assert unpack_tokens(kernels.tokenize_rouge(kernels.pack([text]), True, True, 1)) == [wanted]


STEMS = {
    "caresses": "caress",
    "ponies": "poni",
    "cats": "cat",
    "dies": "die",
    "flies": "fli",
    "agreed": "agre",
    "plastered": "plaster",
    "motoring": "motor",
    "conflated": "conflat",
    "hopping": "hop",
    "falling": "fall",
    "filing": "file",
    "happy": "happi",
    "enjoy": "enjoy",
    "spied": "spi",
    "died": "die",
    "relational": "relat",
    "conditional": "condit",
    "rationally": "ration",
    "geology": "geolog",
    "hopefully": "hope",
    "triplicate": "triplic",
    "formalize": "formal",
    "adoption": "adopt",
    "replacement": "replac",
    "controlling": "control",
    "skies": "sky",
    "news": "news",
    "dying": "die",
    "yyyy": "yyyi",
    "hypothesis": "hypothesi",
    "1990s": "1990",
    "abed": "abe",
    "aaaa": "aaaa",
}


@pytest.mark.parametrize("word", STEMS)
def test_stems_of_porter(word: str) -> None:
    assert unpack_tokens(kernels.tokenize_rouge(kernels.pack([word]), True, False, 1)) == [[STEMS[word]]]


def test_short_words_are_not_stemmed() -> None:
    found = unpack_tokens(kernels.tokenize_rouge(kernels.pack(["was has"]), True, False, 1))
    assert found == [["was", "has"]]


def test_many_words() -> None:
    n = 20_000
    hyp, ref = [f"w{i}" for i in range(n)], [f"w{i + 1}" for i in range(n)]
    pair = pack_tokens([hyp]), pack_tokens([ref]), offsets([1])
    assert kernels.rouge(*pair, 0, 1)[0].tolist() == [n - 1, n, n, (n - 1) / n]
    row = kernels.lepor(*pair, 2, 2, 1)[0]
    assert row[2:].tolist() == [n, n, n - 1, n - 2]
    assert row[1] == pytest.approx(math.exp(-(n - 1) / n / n))


def test_what_does_not_fit_is_refused() -> None:
    words = pack_tokens([["a"]])
    ids = np.zeros(1, dtype=np.int32)
    rows = offsets([1])
    lines = kernels.pack(["a"])
    one = np.ones(1)
    with pytest.raises(ValueError, match="window"):
        kernels.lepor(words, words, rows, -1, 1, 1)
    with pytest.raises(ValueError, match="order"):
        kernels.rouge(words, words, rows, -1, 1)
    with pytest.raises(ValueError, match="no such word"):
        kernels.lepor_matches(ids - 2, ids, 2)
    with pytest.raises(ValueError, match="no such word"):
        kernels.yisi((ids + 1, rows), (ids, rows), rows, lines, one, "lcs", None, 1, 1)
    with pytest.raises(ValueError, match="weight"):
        kernels.yisi((ids, rows), (ids, rows), rows, lines, -one, "lcs", None, 1, 1)
    bad = np.ones(1, dtype=np.int64), np.ones((1, 2))
    with pytest.raises(ValueError, match="no such vector"):
        kernels.yisi((ids, rows), (ids, rows), rows, lines, one, "vectors", bad, 1, 1)
