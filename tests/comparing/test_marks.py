"""What is marked in the segments of a comparison, by what the metrics count."""

from __future__ import annotations

import pytest

import tercet
from tercet.comparing import marks
from tercet.comparing.fault_words import fault_words
from tercet.comparing.marks import (
    _edits_of,
    at_once,
    counted_edits,
    counted_matches,
    marking,
    one_by_one,
    packed_edits,
    word_places,
)
from tercet.metrics import METRICS
from tests.meteor.files import installed
from tests.report.compared import made

SYSTEMS = {
    "base": ["the ferry leaves", "", "it rains in the harbour at nine or so , they say", "a b"],
    "new": ["the grey ferry leaves", "x", "it rains at nine", "a b"],
    "other": ["ferry", "y", "it rains at nine in the harbour", "b a"],
}
REFERENCES = ["the grey ferry leaves", "x y", "it rains in the harbour at nine , as they always say there", "a b"]
MARKINGS = {
    "bleu": ("words", False, False, True), "bleu(lowercase=true)": ("words", True, False, True),
    "nist": ("words", True, False, True), "bleu(tokenize=none)": ("words", False, True, True),
    "chrf": ("characters", False, False, True), "chrf++": ("characters", False, False, True),
    "ter": ("edits", True, True, True), "ter(case_sensitive=true)": ("edits", False, True, True),
    "wer": ("edits", False, False, True), "per": ("matches", False, False, True),
}  # fmt: skip


@pytest.mark.parametrize("spec", MARKINGS)
def test_marks_are_chosen_by_the_explanation(spec: str) -> None:
    plain = marking(METRICS.make(spec))
    assert (plain.kind, plain.fold, plain.spaces, plain.own) == MARKINGS[spec]


def test_systems_that_are_too_many_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = made({"A": ["a c d b"], "B": ["a b c"], "C": ["x"]}, [["x y", "a b c d"]], specs=["bleu", "ter"])
    ter = METRICS.make("ter")
    assert list(counted_edits(comparison, ter)) == ["A", "B", "C"]
    assert comparison.marks[1].edits == counted_edits(comparison, ter)
    monkeypatch.setattr(marks, "EXPLAINED", 8)  # two systems: by two references, and by both together
    assert list(counted_edits(comparison, ter)) == ["A", "B"]
    monkeypatch.setattr(marks, "LONGEST", 3)
    assert counted_edits(comparison, ter) == {"A": (None,), "B": (None,)}


@pytest.mark.parametrize("spec", ["ter", "ter(case_sensitive=true)", "ter(normalized=true)"])
def test_edits_made_all_at_once_are_those_explained(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    metric, comparison = METRICS.make(spec), made(SYSTEMS, REFERENCES)
    assert metric.edits_at_once
    for longest in (marks.LONGEST, 20):
        monkeypatch.setattr(marks, "LONGEST", longest)
        for system in SYSTEMS:
            edits = at_once(comparison, metric, system)
            assert edits == one_by_one(comparison, metric, system, _edits_of)
            assert (None in edits) == (longest == 20)


@pytest.mark.parametrize("spec", ["cder", "moses-ter"])
def test_what_no_page_draws_is_not_packed(spec: str) -> None:
    script = METRICS.make(spec).explain("c d a b", ["a b c d"]).edits
    assert script is not None
    assert packed_edits(0, script) is None


@pytest.mark.parametrize("spec", ["meteor", "per"])
def test_matches_are_those_that_the_metric_made(spec: str) -> None:
    if spec == "meteor":
        installed()
    ours = ["The ferries leave the small U.S. harbour at nine!", "x"]
    theirs = [["A ship", "The ferry leaves the little US harbour, at nine!"], ["y"]]
    comparison, metric = made({"A": ours, "B": ["a", "b"]}, theirs, specs=["chrf"]), METRICS.make(spec)
    first, second = counted_matches(comparison, metric)["A"]
    assert first is not None
    assert second is not None
    explained = metric.explain(ours[0], theirs[0])
    assert first.reference == 1
    for text, places, words, side in (
        (ours[0], first.hypothesis, explained.hypothesis, "hypothesis"),
        (theirs[0][1], first.references, explained.reference, "reference"),
    ):
        assert [text[start:end].lower().replace(".", "") for start, end, _ in places] == [
            word.lower().replace(".", "") for word in words
        ]
        kinds = [""] * len(words)
        for match in explained.matches:
            for place in range(*getattr(match, side)):
                kinds[place] = match.kind
        assert [kind for _, _, kind in places] == kinds
    assert [kind for *_, kind in second.hypothesis] == [""]


def test_words_that_are_not_written_so_have_no_place() -> None:
    assert word_places("ab cd", ["ab", "zz", "cd"]) == [(0, 2), None, (3, 5)]
    assert word_places("ab ab cd", ["ab", "cd"]) == [(0, 2), None]  # a word between them was passed over
    assert word_places("İab", ["ab"]) == [None]  # and so was this one
    assert word_places("", ["a"]) == [None]


def test_the_words_behind_a_fault() -> None:
    systems = {
        "base": ["It cost 3,500 euros in Berlin", "she said Hello there"],
        "new": ["It cost much in berlin", "это she sagte there"],
    }
    references = ["It cost 3,500 euros in Berlin", "she said Hello there"]
    sources = ["Es kostete 3.500 Euro in Berlin", "sie sagte Hallo da"]
    found = tercet.compare(systems, references, sources=sources, metrics=["chrf"], samples=40)
    words = fault_words(found)
    kinds = [check.kind for check in found.checks]
    assert words[kinds.index("numbers"), 1] == {0: ("3,500",)}
    assert words[kinds.index("case"), 1] == {0: ("Berlin", "berlin")}
    assert words[kinds.index("script"), 1] == {1: ("это",)}
    assert words[kinds.index("untranslated"), 1] == {1: ("sagte",)}
    assert words[kinds.index("numbers"), 0] == {}
    for (place, system), rows in words.items():
        assert set(rows) <= set(found.checks[place].rows(system))
