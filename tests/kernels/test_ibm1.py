"""IBM model 1's kernels against their oracle: EM on threads, tables, scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.kernels.packing import pack_tokens
from tests.oracles import ibm1 as oracle

words = st.lists(st.sampled_from(["das", "haus", "ein", "buch", "ist", "x", "y", "z"]), max_size=7)
others = st.lists(st.sampled_from(["the", "house", "a", "book", "is", "x", "q"]), max_size=7)
corpora = st.lists(st.tuples(words, others), max_size=12)
probabilities = st.dictionaries(
    st.tuples(st.sampled_from(["", "das", "haus", "x"]), st.sampled_from(["the", "house", "x"])),
    st.sampled_from([0.001, 0.25, 0.5, 1.0]),
    min_size=1,
)


def trained(
    corpus: list[tuple[list[str], list[str]]], iterations: int, empty_word: bool, threads: int = 1, longest: int = 100
) -> tuple[dict[tuple[str, str], float], list[float]]:
    """The kernel's table and likelihoods, all pairs added at once."""
    trainer = kernels.Ibm1Trainer(empty_word, longest)
    trainer.add(pack_tokens([s for s, _ in corpus]), pack_tokens([t for _, t in corpus]))
    trainer.prepare(threads)
    likelihoods = [trainer.iterate(threads) for _ in range(iterations)]
    sources, targets = kernels.unpack(trainer.sources), kernels.unpack(trainer.targets)
    columns = [column.tolist() for column in trainer.entries(0.0, threads)]
    table = {(sources[s], targets[t]): p for s, t, p in zip(*columns, strict=True)}
    return table, likelihoods


@given(corpora, st.integers(1, 5), st.booleans(), st.integers(1, 3))
def test_em_is_that_of_the_oracle(
    corpus: list[tuple[list[str], list[str]]], iterations: int, empty_word: bool, threads: int
) -> None:
    full = [(s, t) for s, t in corpus if s and t]
    wanted, likelihoods = oracle.train(full, iterations, empty_word=empty_word)
    found, found_likelihoods = trained(corpus, iterations, empty_word, threads)
    assert found == pytest.approx({pair: p for pair, p in wanted.items() if p > 0}, rel=1e-5)
    if full:
        assert found_likelihoods == pytest.approx(likelihoods, rel=1e-6)


def test_threads_do_not_change_a_bit() -> None:
    draw = np.random.default_rng(1)
    vocabulary = [f"w{i}" for i in range(300)]

    def sentence() -> list[str]:
        return [vocabulary[i] for i in (draw.zipf(1.5, draw.integers(1, 20)) % 300).tolist()]

    corpus = [(sentence(), sentence()) for _ in range(3000)]
    alone = trained(corpus, 3, True)
    for threads in (2, 5):
        assert trained(corpus, 3, True, threads) == alone


def test_likelihood_rises_and_rows_sum_to_one() -> None:
    corpus = [(s.split(), t.split()) for s, t in [("das haus", "the house"), ("das buch", "the book")] * 3]
    table, likelihoods = trained(corpus, 20, False)
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[0] == pytest.approx(12 * math.log(1 / 3))
    assert table["das", "the"] > 0.9
    sums = {source: sum(p for (s, _), p in table.items() if s == source) for source, _ in table}
    assert sums == pytest.approx(dict.fromkeys(sums, 1.0), rel=1e-6)


def test_long_and_empty_sentences_are_left_out() -> None:
    trainer = kernels.Ibm1Trainer(True, 2)
    left = trainer.add(pack_tokens([["a"], ["a"] * 3, [], ["b"]]), pack_tokens([["x"], ["x"], ["x"], ["y"] * 3]))
    assert (left, trainer.pairs, trainer.target_words) == (3, 1, 1)


def test_entries_come_likely_ones_first_and_pruned() -> None:
    trainer = kernels.Ibm1Trainer(False, 100)
    trainer.add(pack_tokens([["a"]] * 4), pack_tokens([["x"], ["y"], ["x"], ["z"]]))
    trainer.prepare(1)
    trainer.iterate(1)
    source, target, probability = trainer.entries(0.25, 1)
    assert kernels.unpack(trainer.targets) == ["x", "y", "z"]
    assert (source.tolist(), target.tolist(), probability.tolist()) == ([1, 1, 1], [0, 1, 2], [0.5, 0.25, 0.25])
    assert [column.tolist() for column in trainer.entries(0.3, 1)] == [[1], [0], [0.5]]


def table_of(entries: dict[tuple[str, str], float]) -> kernels.Ibm1Table:
    """The kernel's table."""
    table = kernels.Ibm1Table()
    assert table.read(kernels.pack([f"{s}\t{t}\t{p}" for (s, t), p in entries.items()])) == (len(entries), "")
    return table


@given(probabilities, st.lists(st.tuples(words, others), min_size=1, max_size=4), st.sampled_from([1e-7, 0.01, 1.0]))
def test_scores_are_those_of_the_oracle(
    entries: dict[tuple[str, str], float], corpus: list[tuple[list[str], list[str]]], floor: float
) -> None:
    sides = pack_tokens([s for s, _ in corpus]), pack_tokens([t for _, t in corpus])
    rows = kernels.ibm1(*sides, table_of(entries), floor, 2)
    assert rows[:, 0].tolist() == pytest.approx([oracle.score(s, t, entries, floor) for s, t in corpus], rel=1e-6)
    assert rows[:, 1].tolist() == [len(t) for _, t in corpus]
    same = {(word, word): 1.0 for side in corpus for part in side for word in part}
    alone = kernels.ibm1(*sides, None, floor, 1)[:, 0].tolist()
    assert alone == pytest.approx([oracle.score(s, t, same, floor) for s, t in corpus], rel=1e-9)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("a\tb", "an entry is"),
        ("a\tb\t0.5\tc", "an entry is"),
        ("", "an entry is"),
        ("a b c 0.5", "an entry is"),
        ("a\tb\tx", "no number from 0 to 1"),
        ("a\tb\t1.5", "no number from 0 to 1"),
        ("a\tb\t-0.1", "no number from 0 to 1"),
        ("a\tb\tnan", "no number from 0 to 1"),
        ("a\tb\t", "no number from 0 to 1"),
        ("a\t\t0.5", "no target word"),
        (" b 0.5", "no target word"),
        ("s\tt\t0.5", "there twice"),
    ],
)
def test_a_bad_entry_is_named(line: str, wrong: str) -> None:
    table = kernels.Ibm1Table()
    read, found = table.read(kernels.pack(["s\tt\t0.5", "NULL t 0.25", line]))
    assert read == 2
    assert wrong in found
    assert len(table) == 2
