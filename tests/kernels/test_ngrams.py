"""Counts of n-grams and Kneser-Ney models against their oracle; tables of frequencies."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.kernels.packing import pack_tokens
from tests.oracles import kneser_ney as oracle

words = st.sampled_from(["a", "b", "c", "d", "é", "語", "x"])
sentences = st.lists(st.lists(words, max_size=9), max_size=25)
unseen = st.lists(st.lists(words | st.just("new")), max_size=3)


def counted(texts: list[list[str]], order: int, threads: int = 1, *, markers: bool = True) -> kernels.NgramCounter:
    """The kernel's n-grams."""
    counter = kernels.NgramCounter(order, markers)
    counter.add(pack_tokens(texts), threads)
    counter.count(threads)
    return counter


def arpa_lines(counter: kernels.NgramCounter, threads: int = 1) -> list[str]:
    """The model of n-grams as an ARPA file."""
    model = kernels.KneserNey(counter, threads)
    out = ["\\data\\", *(f"ngram {n}={counter.size(n)}" for n in range(1, counter.order + 1))]
    for n in range(1, counter.order + 1):
        out += [f"\\{n}-grams:", *model.lines(n, 0, counter.size(n)).decode().splitlines()]
    return [*out, "\\end\\"]


@given(
    sentences.filter(any), st.integers(1, 4), st.integers(1, 3), st.lists(st.lists(words | st.just("new")), max_size=4)
)
def test_a_model_is_that_of_the_oracle(
    texts: list[list[str]], order: int, threads: int, others: list[list[str]]
) -> None:
    full = [text for text in texts if text]
    wanted = oracle.Model(full, order)
    counter = counted(texts, order, threads)
    assert (counter.lines, counter.words) == (len(full), sum(map(len, full)))
    model = kernels.KneserNey(counter, threads)
    for n in range(1, order + 1):
        values, estimated = model.discounts(n)
        assert list(values) == pytest.approx(wanted.discounts[n][0])
        assert estimated == wanted.discounts[n][1]
    made = kernels.ArpaModel()
    assert made.read(kernels.pack(arpa_lines(counter, threads)))[1] == ""
    assert made.finish() == ""
    logs = made.score(pack_tokens(others + full), True, threads)[:, 0].tolist()
    assert logs == pytest.approx([wanted.log10(text) for text in others + full], rel=1e-5, abs=1e-5)


@given(sentences.filter(any), st.integers(1, 3))
def test_probabilities_of_the_oracle_sum_to_one(texts: list[list[str]], order: int) -> None:
    model = oracle.Model([text for text in texts if text], order)
    for history in ((), ("a",), ("<s>", "a"), ("a", "b")):
        if len(history) < order:
            assert math.isclose(sum(model.probability(word, history) for word in model.vocabulary), 1)


@given(sentences, st.integers(1, 4), st.integers(1, 3))
def test_n_grams_are_counted(texts: list[list[str]], order: int, threads: int) -> None:
    counter = counted(texts, order, threads, markers=False)
    for n in range(1, order + 1):
        wanted = Counter(" ".join(text[i : i + n]) for text in texts for i in range(len(text) - n + 1))
        lines = counter.counted_lines(n, 0, counter.size(n), 0).decode().splitlines()
        assert dict(line.split("\t") for line in lines) == {gram: str(count) for gram, count in wanted.items()}
        assert sorted(counter.counts(n).tolist()) == sorted(wanted.values())


@given(sentences, st.integers(1, 4), sentences, st.integers(1, 3))
def test_frequencies_are_looked_up(texts: list[list[str]], n: int, others: list[list[str]], threads: int) -> None:
    counter = counted(texts, 4, markers=False)
    lines = [
        line for k in range(1, 5) for line in counter.counted_lines(k, 0, counter.size(k), 1).decode().splitlines()
    ]
    table = kernels.NgramFrequencies()
    assert table.read(kernels.pack(lines)) == (len(lines), "")
    assert len(table) == len(lines)
    known = Counter(tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1))
    grams = [[tuple(text[i : i + n]) for i in range(len(text) - n + 1)] for text in others]
    values, starts = table.look_up(pack_tokens(others), n, threads)
    assert np.diff(starts).tolist() == list(map(len, grams))
    assert values.tolist() == [known[gram] if known[gram] > 1 else 0 for row in grams for gram in row]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("the cat", "a tab"),
        ("\t3", "a tab"),
        ("the cat\tmany", "no whole number"),
        ("the cat\t0", "no whole number"),
        ("the  cat\t2", "one blank"),
        ("the cat \t2", "one blank"),
    ],
)
def test_a_bad_line_of_frequencies_is_named(line: str, wrong: str) -> None:
    read, complaint = kernels.NgramFrequencies().read(kernels.pack(["the\t4", line]))
    assert (read, wrong in complaint) == (1, True)
    assert kernels.NgramFrequencies().read(kernels.pack(["a b\t4", "a b\t4"]))[1] == "it is there twice"


def long_text() -> list[list[str]]:
    """Enough for several parts and blocks."""
    draw = np.random.default_rng(1)
    lengths = draw.integers(0, 30, 6000).tolist()
    return [[f"w{i}" for i in (draw.zipf(1.3, length) % 500).tolist()] for length in lengths]


def test_threads_do_not_change_a_byte() -> None:
    texts = long_text()
    alone = arpa_lines(counted(texts, 3))
    assert all(arpa_lines(counted(texts, 3, threads), threads) == alone for threads in (2, 5))


def test_n_grams_of_parts_and_blocks_are_counted() -> None:
    texts = long_text()
    counter = kernels.NgramCounter(3, False)
    for part in (texts[:4000], texts[4000:]):
        counter.add(pack_tokens(part), 3)
    counter.count(3)
    assert (counter.lines, counter.words) == (sum(map(bool, texts)), sum(map(len, texts)))
    for n in (1, 2, 3):
        wanted = Counter(" ".join(text[i : i + n]) for text in texts for i in range(len(text) - n + 1))
        lines = counter.counted_lines(n, 0, counter.size(n), 0).decode().splitlines()
        assert dict(line.split("\t") for line in lines) == {gram: str(count) for gram, count in wanted.items()}


def test_markers_and_odd_words_are_left_out() -> None:
    counter = kernels.NgramCounter(2, True)
    assert counter.add(pack_tokens([["<s>", "a", "</s>"], ["<unk>"], ["b c", "\t", "d"], ["\v"]]), 1) == 6
    counter.count(1)
    assert (counter.lines, counter.words) == (2, 2)


def test_what_is_not_there_is_refused() -> None:
    counter = kernels.NgramCounter(2, True)
    with pytest.raises(ValueError, match="not counted"):
        counter.size(1)
    counter.count(1)
    with pytest.raises(ValueError, match="no n-grams"):
        kernels.KneserNey(counter, 1)
    with pytest.raises(ValueError, match="of sentences"):
        kernels.KneserNey(counted([["a"]], 1, markers=False), 1)
    with pytest.raises(ValueError, match="no such order"):
        counter.size(3)
    with pytest.raises(ValueError, match="counted already"):
        counter.add(pack_tokens([["a"]]), 1)
    with pytest.raises(ValueError, match="order must be"):
        kernels.NgramCounter(0, True)


def test_words_of_a_text_sum_to_its_score() -> None:
    made = kernels.ArpaModel()
    made.read(kernels.pack(arpa_lines(counted([["a", "b", "c"], ["a", "b"], ["b", "c", "a"]], 3))))
    made.finish()
    texts = [["a", "b", "c"], [], ["zzz", "b"]]
    rows = made.words(pack_tokens(texts), True, 2)
    sums = [rows[0:4, 0].sum(), rows[4:5, 0].sum(), rows[5:8, 0].sum()]
    assert sums == pytest.approx(made.score(pack_tokens(texts), True, 1)[:, 0].tolist(), rel=1e-6)
    assert rows[:, 1].tolist() == [2, 3, 3, 3, 1, 0, 1, 2]
