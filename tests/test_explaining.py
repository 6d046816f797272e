"""`explain` as a function: where texts come from, what is refused, and what its nouns compute."""

from __future__ import annotations

import math
import pathlib
from typing import Any

import pytest

import tercet
from tercet.data import Edit, EditScript, Explanation, Factor, Match, Ngram, NgramOrder, NgramTable, Shift
from tercet.sample import campaign
from tercet.signing import apart

HYP, OTHER, REF = "the small cat sat", "sat the cat", "the black cat sat"


def test_one_or_two_hypotheses() -> None:
    one = tercet.explain("chrf", HYP, REF)
    assert [each.system for each in one] == [""]
    two = tercet.explain("chrf", [HYP, OTHER], [REF])
    assert [each.system for each in two] == ["hypothesis 1", "hypothesis 2"]
    assert [each.score for each in two] == tercet.metric("chrf").segments([HYP, OTHER], [REF, REF]).tolist()
    assert len(two) == 2
    assert [record["score"] for record in two.as_records()] == [each.score for each in two]


def test_the_signature_is_that_of_the_score() -> None:
    found = tercet.explain("chrf++", HYP, [REF, OTHER])
    scores = tercet.score({"a": [HYP]}, [[REF, OTHER]], metrics=["chrf++"])
    assert apart(found.signature)[0] == f"explain|{next(iter(scores)).signature}"
    alone = tercet.explain("chrf++", HYP, [REF]), tercet.explain("chrf++", OTHER, [REF])
    assert len({found.signature for found in alone}) == 2


@pytest.mark.parametrize("metric", ["chrf", "nist", "bleu(effective_order=true)"])
def test_a_segment_of_a_test_set_scores_as_in_it(metric: str) -> None:
    testset = campaign("en-de")
    found = tercet.explain(metric, testset=testset, segment="7", systems=["amber", "ember"])
    scores = tercet.score(testset=testset, metrics=[metric], level="segment")
    for each in found:
        assert each.score == scores.value(each.system, each.metric, "7")
    assert [each.system for each in found] == ["amber", "ember"]


def test_a_test_set_from_a_file(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "texts.tsv"
    file.write_text(f"segment\tsource\treference\tA\nx\tq\t{REF}\t{HYP}\n", encoding="utf-8")
    found = tercet.explain("ter", testset=file, segment="x")
    assert [(each.system, each.score) for each in found] == [("A", 25.0)]


NAMED = {"testset": campaign("en-de"), "segment": "7"}
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "no hypothesis"),
    "no reference": ({"hypotheses": HYP}, "needs references"),
    "empty references": ({"hypotheses": HYP, "references": []}, "needs references"),
    "three": ({"hypotheses": [HYP] * 3, "references": REF}, "3 hypotheses"),
    "both": ({**NAMED, "systems": "amber", "hypotheses": HYP}, "a test set or hypotheses"),
    "a segment of nothing": ({"hypotheses": HYP, "references": REF, "segment": "1"}, "There is no file"),
    "which segment": ({"testset": NAMED["testset"], "systems": "amber"}, "Which segment"),
    "no such segment": ({**NAMED, "segment": "77", "systems": "amber"}, "no segment '77'. It has 48 segments, 1 to 48"),
    "a segment misspelt": ({**NAMED, "segment": "7x", "systems": "amber"}, "no segment '7x'. It has 7 and others"),
    "no such system": ({**NAMED, "systems": "oak"}, "no system 'oak'. It has amber"),
    "too many systems": (NAMED, "has 5 systems. Name one or two"),
    "three systems": ({**NAMED, "systems": ["amber", "birch", "cedar"]}, "3 hypotheses"),
}


@pytest.mark.parametrize(("arguments", "told"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_explained_is_told(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(tercet.InputError, match=told.replace("(", "\\(")):
        tercet.explain("chrf", **arguments)


def test_the_reference_that_counts_is_named() -> None:
    found = tercet.metric("ter").explain(HYP, ["quite another text", REF])
    assert found.reference == tuple(REF.split())
    assert found.notes == ("Of 2 references, number 2 counts.",)
    assert tercet.metric("ter").explain(HYP, REF).notes == ()


def test_long_n_grams_and_long_texts_are_not_listed() -> None:
    found = tercet.metric("bleu(order=30)").explain(HYP, REF)
    assert [each.order for each in found.ngrams[0].orders] == list(range(1, 11))
    assert found.notes == ("n-grams of more than 10 are not listed.",)
    long = tercet.metric("chrf").explain("ab" * 10_001, "ab" * 10_001)
    assert long.score == 100.0
    assert long.ngrams[0].orders == ()
    assert "20 000" in long.notes[0]


# -- nouns ---------------------------------------------------------------------------------------------------


def part(value: float, weight: float = 1.0) -> Factor:
    return Factor("part", value, weight=weight)


@pytest.mark.parametrize(
    ("operation", "parts", "value"),
    [
        ("product", [part(2), part(3)], 6.0),
        ("sum", [part(2), part(3)], 5.0),
        ("difference", [part(2), part(3)], -1.0),
        ("quotient", [part(3), part(2)], 1.5),
        ("mean", [part(2, 1), part(5, 2)], 4.0),
        ("geometric mean", [part(2), part(8)], 4.0),
        ("geometric mean", [part(2), part(0)], 0.0),
        ("harmonic mean", [part(1, 0.5), part(3, 0.5)], 1.5),
        ("harmonic mean", [part(0), part(3)], 0.0),
        ("rule", [part(2), part(3)], 99.0),
    ],
)
def test_a_number_follows_from_its_parts(operation: Any, parts: list[Factor], value: float) -> None:
    assert Factor("whole", 99.0, operation, tuple(parts)).computed() == pytest.approx(value)


def test_of_n_grams_alike_the_first_are_found() -> None:
    orders = (
        NgramOrder(1, (Ngram("a", 3, 2, 2), Ngram("b", 1, 1, 1), Ngram("c", 0, 1, 0))),
        NgramOrder(2, (Ngram("a a", 1, 0, 0), Ngram("a b", 1, 1, 1), Ngram("b a", 1, 0, 0), Ngram("b c", 0, 1, 0))),
    )
    table = NgramTable("word", ("a", "a", "b", "a"), (("a", "b", "c", "a"),), orders)
    assert table.hits() == [[True, True, True, False], [False, True, False]]
    assert table.longest() == [1, 2, 2, 0]
    assert table.shares() == [0.5, pytest.approx(2 / 3), pytest.approx(2 / 3), 0.0]
    assert table.hits(0) == [[True, True, False, True], [True, False, False]]
    assert [(each.hypothesis, each.reference, each.matched) for each in orders] == [(4, 4, 3), (3, 2, 1)]


def test_edits_are_counted() -> None:
    edits = (Edit("match", 1, 0), Edit("match", 0, 1), Edit("deletion", 2, None))
    script = EditScript(edits, (Shift((1,), 1, 0),))
    assert script.cost == 2
    assert script.counts()["deletion"] == script.counts()["shift"] == 1


def test_the_matrix_of_matches() -> None:
    found = Explanation(
        "m", 1.0, hypothesis=("a", "b"), reference=("x", "y", "z"), matches=(Match((1, 2), (0, 2), "paraphrase"),)
    )
    assert found.matrix() == [["", "", ""], ["paraphrase", "paraphrase", ""]]


def test_what_is_not_defined_is_null() -> None:
    found = Explanation("m", math.nan, (("length", math.inf),), Factor("score", math.nan, note="none"))
    assert found.as_record() == {
        "metric": "m",
        "score": None,
        "statistics": [{"name": "length", "value": None}],
        "formula": {"name": "score", "value": None, "note": "none"},
        "hypothesis": [],
        "reference": [],
    }


def test_factors_by_name() -> None:
    found = tercet.metric("ter").explain(HYP, REF)
    assert list(found.factors())[:3] == ["score", "percent", "edits a word"]
    assert found.factors()["edits a word"] == 0.25
