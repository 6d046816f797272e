"""Blocks: sums and fingerprints are those of fixed blocks of segments, whatever the parts in which texts are read."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import counting, limits, scoring
from tercet.counting import in_blocks
from tercet.data import TestSet, statistics, total
from tercet.formats import table
from tercet.formats.columns import parts
from tercet.sample import campaign
from tercet.signing import Seen, fingerprints

METRICS = ["bleu", "chrf", "ter", "nist", "yisi-0", "meteor"]


@pytest.fixture(scope="module")
def testset() -> TestSet:
    return campaign("en-de")


@pytest.fixture
def seven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of seven segments: 48 segments are seven blocks, the last one shorter."""
    monkeypatch.setattr(statistics, "BLOCK", 7)


def test_a_sum_is_a_sum_of_sums_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """In whole numbers every order gives the same; not so here."""
    rows = np.array([[1e16, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [-1e16, 1.0]])
    assert total(rows).tolist() == [0, 5]
    monkeypatch.setattr(statistics, "BLOCK", 2)
    assert total(rows).tolist() == [2, 5]  # (1e16 + 1) + (1 + 1) - 1e16
    assert total(np.stack([rows, rows])).tolist() == [[2, 5], [2, 5]]
    some = np.array([0, 3, 4])  # of three blocks, as they stand in the test set
    assert total(rows[some], some).tolist() == [0, 3]
    assert total(rows[some]).tolist() == [0, 3]
    whole = tercet.Statistics(("a",), rows[None], lambda stats: stats[..., 0])
    assert whole.corpus() == [2]
    assert whole.part(np.array([1, 2, 3, 4])).part(np.array([0, 1, 2])).places.tolist() == [1, 2, 3]  # type: ignore[union-attr]
    assert total(np.zeros((3, 0, 2))).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("size", [1, 5, 7, 20, 48, 1000])
def test_blocks_begin_where_they_begin(testset: TestSet, size: int, seven: None) -> None:
    blocks = [
        (index, [s for piece in pieces for s in piece.segments]) for index, pieces in in_blocks(parts(testset, size))
    ]
    assert [index for index, _ in blocks] == list(range(7))
    assert [len(names) for _, names in blocks] == [7] * 6 + [6]
    assert [name for _, names in blocks for name in names] == list(testset.segments)


def test_blocks_that_are_skipped_are_not_needed(testset: TestSet, seven: None) -> None:
    third = [s for index, pieces in in_blocks(parts(testset, 4)) if index == 2 for p in pieces for s in p.segments]
    assert third == list(testset.segments[14:21])


def test_nothing_is_one_empty_block() -> None:
    empty = TestSet.of({"a": []}, [])
    assert [(index, [len(p) for p in pieces]) for index, pieces in in_blocks([empty])] == [(0, [0])]
    one = TestSet.of({"a": ["x"]}, ["x"])
    assert [(index, [len(p) for p in pieces]) for index, pieces in in_blocks([one, empty])] == [(0, [1])]


@pytest.mark.parametrize("more", [{}, {"level": "document"}, {"level": "segment"}, {"ci": True, "unit": "document"}])
def test_the_parts_do_not_matter(
    testset: TestSet, more: dict[str, Any], seven: None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.write(testset, tmp_path / "set.tsv")
    whole = tercet.score(testset=testset, metrics=METRICS, **more)
    for size in (3, 7, 10, 48):
        monkeypatch.setattr(counting, "PART", size)
        assert tercet.score(testset=tmp_path / "set.tsv", metrics=METRICS, **more) == whole


def test_long_lines_come_in_shorter_parts_and_score_the_same(
    testset: TestSet, seven: None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"hyp": testset.systems["amber"], "src": testset.sources}
    for name, texts in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in texts or ()), encoding="utf-8")
    names: Any = ({"a": tmp_path / "hyp"}, [tmp_path / "src"])
    usual = tercet.score(*names, metrics=METRICS)
    monkeypatch.setattr(limits, "PART", 1500)
    assert tercet.score(*names, metrics=METRICS) == usual


def test_every_way_in_gives_one_number(testset: TestSet, seven: None) -> None:
    scores = tercet.score(testset=testset, metrics=METRICS)
    compared = tercet.compare(testset, metrics=METRICS, samples=200)
    references = list(testset.references or ())
    for metric in METRICS:
        own = tercet.metric(metric)
        for name, texts in testset.systems.items():
            assert own.corpus(list(texts), references) == scores.value(name, str(own))
        shown = {s.system: s.score for s in compared.scores if s.metric == str(own)}
        assert shown == {name: scores.value(name, str(own)) for name in testset.systems}
    documents = tercet.score(testset=testset, metrics=["nist"], level="document")
    counted = scoring.statistics(testset, tercet.metric("nist"))
    for document in testset.document_rows():
        values = dict(zip(testset.systems, counted.part(document.rows).corpus().tolist(), strict=True))
        assert {name: documents.value(name, "nist", document.name) for name in testset.systems} == values


def test_fingerprints_are_of_blocks(testset: TestSet, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = fingerprints(testset)
    monkeypatch.setattr(statistics, "BLOCK", 48)
    assert fingerprints(testset) == usual  # one block: what it always was
    monkeypatch.setattr(statistics, "BLOCK", 47)
    assert not set(fingerprints(testset).values()) & set(usual.values())
    for size in (1, 7, 40):
        seen = Seen()
        for part in parts(testset, size):
            seen.add(part)
        assert seen.fingerprints() == fingerprints(testset)
