"""How the metrics tasks are computed again: the small steps, and that no figure was left out."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from replication.__main__ import recorded
from replication.metrics import changed, last_digit, printed, published
from replication.metrics_wmt15 import CHRF, MTEVAL, PAIRS, escaped, moses, of_segments
from replication.metrics_wmt19 import as_bytes, without_numerals
from replication.rows import read_lines

import tercet
from tercet.data import TestSet

TEXTS = TestSet.of({"A": ["a cat sat & slept here", "no"]}, ["the cat sat & slept there", "yes"])


def test_a_figure_has_the_digits_that_were_printed() -> None:
    assert printed(".378") == (0.378, 3, 0.0005)
    assert printed("-0.04009") == (-0.04009, 5, 0.000005)


@pytest.mark.parametrize(("ours", "verdict"), [(0.37849, "yes"), (0.3775, "yes"), (0.3786, "NO"), (0.3774, "NO")])
def test_the_last_digit_decides(ours: float, verdict: str) -> None:
    assert last_digit("c", "w", ".378", ours).verdict == verdict


def test_averages_of_the_two_groups_are_told_apart(shared: pathlib.Path) -> None:
    cells = published(2014)
    assert cells["segment", "SENTBLEU", "into-en", "kendall-wmt14"] == (".285", ".013")
    assert cells["segment", "SENTBLEU", "from-en", "kendall-wmt14"] == (".269", ".011")
    assert ("segment", "UPC-IPA", "en-hi", "kendall-wmt14") not in cells  # n/a


def test_texts_are_put_through_something_on_both_sides() -> None:
    found = changed(TEXTS, escaped)
    assert found.systems["A"][0] == "a cat sat &amp; slept here"
    assert found.references is not None
    assert found.references[0] == ("the cat sat &amp; slept there",)
    assert found.segments == TEXTS.segments


def test_sentbleu_is_a_number_of_32_bits() -> None:
    hyps, refs = list(TEXTS.systems["A"]), ["the cat sat & slept there", "yes"]
    counts = tercet.metric("moses-bleu")
    rows = counts.statistics(counts.batch(hyps, refs))
    exact = np.exp((np.log(rows[:, 2:6] + 1) - np.log(rows[:, 6:] + 1)).mean(axis=1))  # nothing is too short here
    ours = tercet.metric("sentbleu").segments(hyps, refs)
    np.testing.assert_allclose(ours, exact, rtol=1e-6)
    assert (ours.astype(np.float32) == ours).all()


def test_a_byte_is_a_character_and_no_space() -> None:
    assert len(as_bytes("ä b")) == 4
    assert as_bytes("à b").split() == [as_bytes("à"), "b"]  # its second byte is a space in Latin-1
    assert as_bytes("plain") == "plain"


def test_fractions_are_no_digits() -> None:
    tokens = tercet.tokenizer("intl")
    assert tokens("14½-13½.") == ["14½-13½."]
    assert len(tokens(without_numerals("14½-13½."))) == 4
    assert without_numerals("Ab 14") == "ab 14"


def test_every_figure_of_the_reference_programs_is_there(shared: pathlib.Path) -> None:
    lines = [line.split("\t") for line in read_lines(shared / "data" / "wmt15-news" / "attainable.tsv")[1:]]
    known = recorded()
    assert len(lines) == 40
    assert [
        key for d, level, m, *_ in lines if (key := f"WMT15 {d} {level}: {m}, reference programs") not in known
    ] == []


def test_every_printed_cell_of_the_baselines_is_there() -> None:
    known = recorded()
    systems, segments = [*MTEVAL, *moses("en"), *CHRF], [*of_segments("en")]
    wanted = [(level, m) for level, names in (("system", systems), ("segment", segments)) for m in names]
    assert len(wanted) == 11
    for pair in PAIRS:
        for level, metric in wanted:
            assert f"WMT15 {pair} {level}: {metric}, printed" in known
            assert f"WMT15 {pair} {level}: ± of {metric}, printed" in known
