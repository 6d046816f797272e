"""Intervals and tests of segments that are drawn as they are read: another method, the same bytes everywhere."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.counting import Kept, Tally
from tercet.data import TestSet, statistics
from tercet.errors import InputError
from tercet.formats import table
from tercet.options.scoring import ScoreOptions
from tercet.sample import campaign

QUESTION: dict[str, Any] = {
    "metrics": ["bleu", "nist", "eed"],
    "ci": True,
    "paired": "randomization",
    "samples": 60,
    "trials": 99,
    "resampling": "streamed",
}


@pytest.fixture(scope="module")
def testset() -> TestSet:
    return campaign("en-de")


@pytest.fixture
def texts(testset: TestSet, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A file of 48 segments, in five blocks."""
    monkeypatch.setattr(statistics, "BLOCK", 10)
    table.write(testset, tmp_path / "texts.tsv")
    return tmp_path / "texts.tsv"


def test_shards_processes_threads_and_kept_blocks_give_the_same_bytes(
    texts: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    wanted = tercet.score(testset=texts, **QUESTION, threads=1)
    assert tercet.score(testset=texts, **QUESTION, threads=3) == wanted
    assert tercet.score(testset=texts, **QUESTION, engine="processes:2") == wanted
    parts = [tercet.score_shard(testset=texts, **QUESTION, shard=f"{i}/3", part=tmp_path / f"{i}") for i in (1, 2, 3)]
    assert tercet.merge(parts) == wanted
    for _ in range(2):
        assert tercet.score(testset=texts, **QUESTION, resume=tmp_path / "kept") == wanted
    assert "bs:60|ar:99|seed:12345|unit:segment|" in wanted.records[0].signature
    assert "|resampling:streamed|" in wanted.records[0].signature
    assert "resampling:streamed" in wanted.signature


def test_runs_of_a_system_are_tested_together(testset: TestSet) -> None:
    names = {"base#1": "amber", "base#2": "birch", "new#1": "cedar", "new#2": "delta"}
    systems = {run: list(testset.systems[name]) for run, name in names.items()}
    scores = tercet.score(systems, list(testset.references or ()), **QUESTION)
    whole = tercet.score(systems, list(testset.references or ()), **QUESTION | {"resampling": "whole"})
    assert [(r.system, r.score, r.runs, r.s_opt) for r in scores] == [
        (r.system, r.score, r.runs, r.s_opt) for r in whole
    ]
    for ours, theirs in zip(scores, whole, strict=True):
        assert ours.s_sel == pytest.approx(theirs.s_sel, rel=0.35)


def test_intervals_and_tests_are_those_of_the_whole_but_for_chance() -> None:
    """Of means of 4000 numbers, the interval is known: 1.96 standard errors."""
    rng = np.random.default_rng(1)
    hits = rng.random((3, 4000)) < np.array([[0.5], [0.5], [0.53]])
    systems = {name: ["a" if hit else "b" for hit in row] for name, row in zip("XYZ", hits, strict=True)}
    asked: dict[str, Any] = {"metrics": "wer", "samples": 2000, "ci": True}
    for paired in ("bootstrap", "randomization"):
        both = [
            tercet.score(systems, ["a"] * 4000, **asked, paired=paired, resampling=how) for how in ("streamed", "whole")
        ]
        for ours, theirs in zip(*both, strict=True):
            assert ours.score == theirs.score
            assert ours.low is not None
            assert ours.high is not None
            assert (ours.high - ours.low) / 2 == pytest.approx(100 * 1.96 * (0.25 / 4000) ** 0.5, rel=0.1)
            assert ours.p_value == (None if theirs.p_value is None else pytest.approx(theirs.p_value, abs=0.05))


def test_a_system_against_itself_is_no_better(testset: TestSet) -> None:
    outputs = list(testset.systems["amber"])
    for paired in ("bootstrap", "randomization"):
        how = QUESTION | {"paired": paired} | ({} if paired == "randomization" else {"trials": 10_000})
        scores = tercet.score({"A": outputs, "B": outputs}, list(testset.references or ()), **how)
        assert [r.p_value for r in scores if r.system == "B"] == [1.0, 1.0, 1.0]


def test_what_is_held_does_not_grow(texts: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = []
    add = Tally.add

    def noted(self: Tally, *args: Any) -> None:
        add(self, *args)
        held.append((len(self.rows), self.budget.whole - self.budget.left))

    monkeypatch.setattr(Tally, "add", noted)
    tercet.score(testset=texts, **QUESTION | {"metrics": "bleu"})
    assert len(held) == 5
    assert len(set(held)) == 1
    assert held[0] == (0, (60 + 99) * 5 * 10 * 8)  # five systems, ten numbers each
    assert Kept.of(ScoreOptions(ci=True)).rows


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"ci": False, "paired": None}, "resampling does nothing without ci or paired"),
        ({"unit": "document"}, "resampling does nothing with unit document"),
        ({"compat": True}, "resampling does nothing with compat"),
        ({"paired": "t", "trials": 10_000}, "resampling does nothing with paired t"),
        ({"aggregate": "mean"}, "resampling does nothing with aggregate mean"),
    ],
)
def test_what_is_not_streamed_is_refused(more: dict[str, Any], said: str) -> None:
    usual = {"samples": 1000, "trials": 10_000} if "ci" in more else {}
    with pytest.raises(InputError, match=said):
        ScoreOptions({"A": ["a"]}, ["a"], **QUESTION | usual | more)


def test_draws_of_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="not one segment to score"):
        tercet.score({"a": [], "b": []}, [], metrics=["bleu"], paired="bootstrap", resampling="streamed")
