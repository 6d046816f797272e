"""EED's kernels against their oracles: text, three versions, costs, and segments side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import kernels
from tests.kernels.packing import offsets, packed_lines
from tests.kernels.strategies import Segment, segments, sentences, texts
from tests.oracles import eed

VERSIONS = ("python", "cpp", "wmt19")
DEFAULTS = {"alpha": 2.0, "deletion": 0.2, "insertion": 1.0, "substitution": 1.0, "rho": 0.3}
PIECES = (
    *("1", "2", "٣", "²", ".", ",", "!", "?", " ", "  ", "\t", "\xa0", "Mr", "Mrs", "Prof", "Gen", "Ms", "D", "r", "X"),
    *("e", "g", "i", "U", "S", "é", "中", "\u3000"),
)

costs = st.fixed_dictionaries({name: st.sampled_from((0.0, 0.1, 0.2, 0.3, 1.0, 2.0)) for name in DEFAULTS})
tricky = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


def prepared(lines: list[str], threads: int = 1) -> list[str]:
    """The lines as the kernel prepares them."""
    return kernels.unpack(kernels.eed_text(kernels.pack(lines), threads))


def scored(items: list[Segment], version: str, prices: Any, threads: int = 1) -> list[list[float]]:
    """The kernel's rows."""
    rows: list[list[float]] = kernels.eed(*packed_lines(items), version, **prices, threads=threads).tolist()
    return rows


@given(st.lists(st.one_of(tricky, tricky, texts()), max_size=4))
def test_text_is_prepared_by_the_programs_rules(lines: list[str]) -> None:
    assert prepared(lines) == [eed.prepare(line) for line in lines]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Hello, world.", "Hello , world ."),
        ("It rose by 3.5 %, or 3 . 5 . 7", "It rose by 3 .5 % , or 3.5 . 7"),
        ("Mr. Smith and Mr Dr Who", "Mr. Smith and Mr.r Who"),
        ("e . g . this, i . e . that", "e.g. this , e.g. that"),
        ("  two  spaces  ", " two spaces"),
        ("", ""),
    ],
)
def test_text_by_example(line: str, wanted: str) -> None:
    assert prepared([line]) == [wanted] == [eed.prepare(line)]


@pytest.mark.parametrize("version", VERSIONS)
@given(items=segments(), prices=st.one_of(st.just(DEFAULTS), costs))
def test_scores_are_those_of_the_oracle(version: str, items: list[Segment], prices: Any) -> None:
    wanted = [min((eed.eed(s.hyp, r, version, **prices) for r in s.refs), key=lambda row: row[0]) for s in items]
    assert scored(items, version, prices) == wanted


@pytest.mark.parametrize("version", VERSIONS)
@given(data=st.data())
def test_lanes_do_not_see_each_other(version: str, data: st.DataObject) -> None:
    """More segments than lanes, of all sizes: each as if it were alone."""
    line = st.one_of(sentences(), st.just(""), st.text("ab ", max_size=30))
    items = [Segment(data.draw(line), [data.draw(line)]) for _ in range(19)]
    together = scored(items, version, DEFAULTS)
    assert together == [scored([item], version, DEFAULTS)[0] for item in items]


@pytest.mark.parametrize("version", VERSIONS)
def test_long_texts_run_alone(version: str) -> None:
    """Beyond 65536 characters, and between short ones."""
    items = [Segment("ab", ["ab"]), Segment("ab " * 22_000, ["b"]), Segment("x", ["ab"])]
    assert scored(items, version, DEFAULTS) == [eed.eed(item.hyp, item.refs[0], version) for item in items]


def test_threads_do_not_change_a_bit() -> None:
    lines = [f"the {i} cats, sat on mat number {i % 7}. " * (i % 5) for i in range(1300)]
    assert prepared(lines, 3) == prepared(lines)
    items = [Segment(lines[i], [lines[(i * 7) % 1300], lines[(i * 11) % 1300]][: 1 + i % 2]) for i in range(1300)]
    for version in VERSIONS:
        assert scored(items, version, DEFAULTS, 3) == scored(items, version, DEFAULTS)


def test_hostile_text_is_prepared_in_linear_time() -> None:
    many = "i . e . " * 100_000
    assert prepared([many]) == ["e.g. " * 99_999 + "e.g."]


@pytest.mark.parametrize("bad", [{"alpha": -1.0}, {"rho": float("nan")}, {"deletion": 1e9}])
def test_costs_that_are_none_are_refused(bad: dict[str, Any]) -> None:
    lines = kernels.pack(["a"])
    with pytest.raises(ValueError, match="a cost is from 0 to 1000"):
        kernels.eed(lines, lines, offsets([1]), "cpp", **{**DEFAULTS, **bad}, threads=1)


def test_japanese_is_normalised_and_nothing_else() -> None:
    metric = tercet.metric("eed(version=cpp, language=ja)")
    assert metric.segments(["ＡＢＣ　ﾊﾝｶｸ. "], ["ABC ハンカク."]).tolist() == [0.0]
    assert tercet.metric("eed(version=cpp)").segments(["ＡＢＣ　ﾊﾝｶｸ. "], ["ABC ハンカク."])[0] > 0.3


def test_the_versions_differ_and_the_corpus_is_their_mean() -> None:
    hyps, refs = ["Hello there", "no overlap whatsoever"], ["Hello there", "completely different words"]
    found = [tercet.metric(f"eed(version={version})").segments(hyps, refs) for version in VERSIONS]
    assert len({row[1] for row in found}) == 3
    assert [row[0] == 0 for row in found] == [False, True, True]
    assert tercet.metric("eed").corpus(hyps, refs) == np.mean(found[0])
