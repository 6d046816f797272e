"""n-grams and words against a plain count."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tercet.comparing import ngrams
from tercet.comparing.checks import repeats
from tercet.comparing.kinds import KINDS
from tercet.comparing.words import Words, number
from tercet.data import TestSet
from tercet.stats.classical import sign_test
from tercet.stats.correction import benjamini_hochberg
from tercet.text import tokenizer
from tests.comparing.build import small_sets
from tests.oracles import comparing as oracle


def counted(testset: TestSet) -> Words:
    """The words of a test set."""
    return number(testset, tokenizer("none"), 1)


@given(small_sets())
def test_words_are_those_of_the_texts(testset: TestSet) -> None:
    words = counted(testset)
    for name, texts in testset.systems.items():
        column = words.systems[name]
        rows: list[list[str]] = [[] for _ in texts]
        for i, row in zip(column.ids, column.segment, strict=True):
            rows[row].append(words.vocabulary[i])
        assert rows == [text.split() for text in texts]
        assert column.lengths.tolist() == [len(text.split()) for text in texts]
    assert testset.references is not None
    assert words.source is not None
    for k, column in enumerate(words.references):
        expected = [len(own[k].split()) if k < len(own) else 0 for own in testset.references]
        assert column.lengths.tolist() == expected


@given(small_sets())
def test_ngrams_are_counted_as_the_oracle_does(testset: TestSet) -> None:
    words = counted(testset)
    refs = [[r.split() for r in own] for own in testset.references or ()]
    outputs = [[text.split() for text in texts] for texts in testset.systems.values()]
    seen = {n for own in ngrams.ngram_differences(words, "S0") for n in [own]}
    every: dict[tuple[str, str], tuple[int, int, int, int]] = {}
    for kind, count in (("matched", oracle.matched), ("spurious", oracle.spurious)):
        for order in ngrams.ORDERS:
            theirs, mine = ([count(w, r, order) for w, r in zip(own, refs, strict=True)] for own in outputs)
            for text, facts in oracle.differences(mine, theirs).items():
                every[kind, text] = facts
    for n in seen:
        facts = (n.system_count, n.baseline_count, n.segments_for, n.segments_against)
        assert every[n.kind, n.ngram] == facts
        most: Counter[tuple[str, ...]] = Counter()
        for own in refs:
            in_segment: Counter[tuple[str, ...]] = Counter()
            for reference in own:
                in_segment |= oracle.ngrams(reference, n.order)
            most += in_segment
        assert n.reference_count == most[tuple(n.ngram.split())]
        assert n.log_odds == pytest.approx(math.log((n.system_count + 0.5) / (n.baseline_count + 0.5)))
        assert set(n.rows) <= set(range(len(testset)))
        assert len(n.rows) == max(n.segments_for, n.segments_against)
    # what is not told is told by a neighbour with the same segments, or is one that neither side has more of
    told = {(n.kind, n.segments_for, n.segments_against) for n in seen}
    few = len(seen) < ngrams.KEPT
    assert not few or all((k, f[2], f[3]) in told for (k, _), f in every.items() if f[2] != f[3])


@given(small_sets())
def test_repeats(testset: TestSet) -> None:
    words = counted(testset)
    for name, texts in testset.systems.items():
        expected = [oracle.repeats(text.split()) for text in texts]
        assert repeats(words.systems[name], words).tolist() == expected


def test_an_ngram_that_is_always_missed_is_found() -> None:
    reference = [f"the red house stands in street number {i}" for i in range(20)]
    changed = [text.replace("red house", "crimson building") for text in reference]
    words = counted(TestSet.of({"A": reference, "B": changed}, reference))
    found = ngrams.ngram_differences(words, "A")
    lost = next(n for n in found if n.kind == "matched")
    assert "red house" in lost.ngram
    assert (lost.system_count, lost.baseline_count, lost.segments_against) == (0, 20, 20)
    assert lost.p_value < 0.001
    assert lost.rows == tuple(range(20))
    extra = next(n for n in found if n.kind == "spurious")
    assert "crimson building" in extra.ngram
    assert extra.reference_count == 0
    said = ngrams.word_differences(words, "A")
    assert {(w.kind, w.word) for w in said if w.system == "B" and w.p_value < 0.05} == {
        ("over", "crimson"),
        ("over", "building"),
        ("under", "red"),
        ("under", "house"),
    }
    assert not [w for w in said if w.system == "A"]


def test_only_what_can_be_significant_is_corrected_for() -> None:
    reference = ["x y"] * 8 + [f"w{i}" for i in range(50)]
    changed = ["x z"] * 8 + [f"v{i}" for i in range(50)]
    words = counted(TestSet.of({"A": reference, "B": changed}, reference))
    (y,) = (n for n in ngrams.ngram_differences(words, "A") if n.kind == "matched" and n.ngram.endswith("y"))
    assert y.p_value == pytest.approx(KINDS * float(sign_test(0, 8)))
    assert y.p_value < 0.05


def test_tests_of_all_systems_are_one_family() -> None:
    reference = ["x y"] * 9 + ["s t"] * 10
    systems = {"A": ["x y"] * 9 + ["t"] * 5 + ["k"] * 5}
    systems["B"] = ["x z"] * 9 + systems["A"][9:]
    alone = counted(TestSet.of(systems, reference))
    systems["C"] = systems["A"][:9] + systems["A"][:8:-1]  # as much of t and k, elsewhere
    both = counted(TestSet.of(systems, reference))
    p = [min(n.p_value for n in ngrams.ngram_differences(words, "A") if n.system == "B") for words in (alone, both)]
    assert p[0] == pytest.approx(KINDS * float(sign_test(0, 9)))
    assert p[1] == pytest.approx(p[0] * 6 / 4)  # of y, x y, z and x z; and of t and k


def test_words_are_tested_against_the_baseline_as_well() -> None:
    reference = ["the cat sat there"] * 30
    odd = ["the cat sat there again"] * 30  # both say a word too many
    words = counted(TestSet.of({"A": odd, "B": odd, "C": reference}, reference))
    p = {(w.system, w.word): (w.p_value, w.p_baseline) for w in ngrams.word_differences(words, "A")}
    assert p["B", "again"][0] < 0.001
    assert p["B", "again"][1] == 1
    turned = {(w.system, w.word): w.p_baseline for w in ngrams.word_differences(words, "C")}
    assert turned["B", "again"] < 0.001


def test_false_discovery_as_scipy_has_it() -> None:
    from scipy.stats import false_discovery_control

    p = np.random.default_rng(1).random(50) ** 3
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))
    assert benjamini_hochberg([]).tolist() == []
