"""`rank` and `head_to_head`: defaults, names, what does not go together."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data.head_to_head import mark
from tercet.errors import InputError
from tercet.ranking.head_to_head import pair_tests
from tercet.sample import judgements
from tests.ranking.build import assessments, pairs, rankings

RANKED = rankings(*(f"{i} j: A=1 B=2 C=3" for i in range(9)), "10 j: C=1 A=2 ref=1")
SCORED = assessments([(f"j{i % 2}", s, str(i), 60.0 - 9 * k + i) for i in range(6) for k, s in enumerate("AB")])


@pytest.mark.parametrize(
    ("protocol", "method"), [("rankings", "trueskill"), ("da", "da"), ("mqm", "mqm"), ("esa", "esa")]
)
def test_every_protocol_has_its_usual_ranker(protocol: str, method: str) -> None:
    found = tercet.rank(judgements("en-de", protocol), samples=40)
    assert found.signature.startswith(f"rank|method:{method}|samples:40|")


def test_records_and_clusters() -> None:
    found = tercet.rank(RANKED, method="expected-wins")
    assert [r["system"] for r in found.as_records()] == ["A", "B", "C"]
    assert found.value("A") == pytest.approx((1 + 9 / 10) / 2)
    assert [s for group in found.clusters() for s in group] == ["A", "B", "C"]
    few = "Ranges were drawn from 10 segments; from fewer than 20 they are too narrow."
    assert found.notes == ("Ranks of references (ref) that were left out: 1.", few)
    assert few not in tercet.rank(RANKED, method="expected-wins", unit="pair").notes
    with_references = tercet.rank(RANKED, method="expected-wins", references=True)
    assert {r.system for r in with_references} == {"A", "B", "C", "ref"}


@pytest.mark.parametrize(
    ("data", "options", "complaint"),
    [
        (RANKED, {"method": "da"}, "da cannot rank the judgements, which holds rankings. Use expected-wins or"),
        (SCORED, {"method": "others"}, "others cannot rank .* assessments of single outputs. Use da or esa or mqm"),
        (SCORED, {"compat": True}, "options for those"),
        (SCORED, {"on_skip": "pair"}, "options for those"),
        (SCORED, {"unit": "task"}, "da draws segment, not 'task'"),
        (RANKED, {"on_skip": "line"}, "on_skip must be one of task, pair"),
        (RANKED, {"confidence": 0}, "confidence must be a number between 0 and 1"),
        (RANKED, {"judgements_format": "pairs"}, "belongs to a file"),
        (rankings("1 j: A=1"), {}, "no two outputs that were ranked"),
        (assessments([("j", "A", "1", 1.0), ("j", "A", "2", 2.0)]), {}, "judges 1 systems"),
        (assessments([("j", "A", "1", 5.0), ("j", "B", "1", 5.0)]), {}, "nothing is left of the judgements of A, B"),
    ],
)
def test_what_does_not_go_together(data: Any, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        tercet.rank(data, **options)


def test_head_to_head_counts_and_marks() -> None:
    table = pair_tests(pairs([[0, 30, 3], [10, 0, 0], [3, 0, 0]], [[0, 5, 0], [5, 0, 2], [0, 2, 0]]))
    records = {(r["row"], r["column"]): r for r in table.as_records()}
    assert records["B", "A"]["share"] == 0.75
    assert (records["B", "A"]["wins"], records["B", "A"]["ties"], records["B", "A"]["losses"]) == (30, 5, 10)
    assert records["B", "A"]["p_value"] == records["A", "B"]["p_value"] == pytest.approx(0.0022214337732)
    assert records["B", "A"]["mark"] == "‡"
    assert np.isnan(records["C", "B"]["share"])
    assert records["C", "B"]["p_value"] == 1.0
    assert [mark(p) for p in (0.01, 0.05, 0.1, 0.11)] == ["‡", "†", "⋆", ""]


def test_sign_tests_count_segments_and_those_of_wmt_judgements() -> None:
    """Ten judges agree on each of four segments: that is four times the same, not forty times."""
    data = rankings(*(f"{s} j{j}: A={1 + s // 4} B={2 - s // 4}" for s in range(5) for j in range(10)))
    by_segment = tercet.head_to_head(data).as_records()[0]
    assert by_segment["p_value"] == pytest.approx(2 * (1 + 5) / 2**5)
    assert (by_segment["wins"], by_segment["losses"]) == (10, 40)
    assert tercet.head_to_head(data, compat=True).as_records()[0]["p_value"] == pytest.approx(2.386e-5, rel=1e-3)


def test_pairs_are_drawn_where_wmt_did() -> None:
    def unit(**options: Any) -> str:
        ranking: tercet.Ranking = tercet.rank(RANKED, samples=40, **options)
        return ranking.signature.split("|unit:")[1].split("|")[0]

    assert unit() == unit(method="expected-wins") == "segment"
    assert unit(compat=True) == unit(method="trueskill(compat=true)") == "pair"
    assert unit(compat=True, unit="task") == "task"
    with pytest.raises(InputError, match="trueskill draws pair, not 'segment'"):
        unit(method="trueskill(players=3)", unit="segment")


def test_clusters_of_direct_assessment_are_made_by_two_sided_tests() -> None:
    """A is better than B with p = .035 on one side, .07 on both."""
    rows = [("j", s, f"{i}{s}", 50.0 + 70 * i % 50 + 5 * (s == "A")) for i in range(56) for s in "AB"]

    def clusters(method: str) -> list[list[str]]:
        return tercet.rank(assessments(rows), method=method, samples=40).clusters()

    assert clusters("da") == [["A", "B"]]
    assert clusters("da(compat=true)") == clusters("da(alpha=0.1)") == [["A"], ["B"]]


def test_head_to_head_has_the_order_that_is_asked_for() -> None:
    table, usual = (
        tercet.head_to_head(RANKED, order=("C", "A", "B")),
        tercet.head_to_head(RANKED, order=("A", "B", "C")),
    )
    assert table.systems == ("C", "A", "B")
    assert np.array_equal(table.p_values, usual.p_values[np.ix_([2, 0, 1], [2, 0, 1])]), "tests are not made again"
    with pytest.raises(InputError, match="has no system Z"):
        tercet.head_to_head(RANKED, order=("Z", "A"))
    with pytest.raises(InputError, match="no rankings to compare"):
        tercet.head_to_head(SCORED)


def test_judgements_are_checked_when_they_are_made() -> None:
    for wrong in (
        {"starts": RANKED.starts[::-1].copy()},
        {"outputs": ((99,), *RANKED.outputs[1:])},
        {"rank": RANKED.rank - 1},
        {"judge": RANKED.judge + 5},
        {"systems": ("A", "A", "C", "ref")},
    ):
        with pytest.raises(InputError):
            dataclasses.replace(RANKED, **wrong)
    with pytest.raises(InputError):
        dataclasses.replace(SCORED, kind=SCORED.kind + 9)


@pytest.mark.parametrize("unit", ["pair", "task", "segment"])
def test_systems_that_are_always_equal_share_a_cluster(unit: Any) -> None:
    data = rankings(*(f"{i} j: a={1 + i % 3} b={1 + i % 3} c={1 + (i + 1) % 3}" for i in range(60)))
    found = tercet.rank(data, method="expected-wins", unit=unit, samples=200)
    clusters = {r.system: r.cluster for r in found}
    assert clusters["a"] == clusters["b"]


def test_errors_alone_are_not_ranked_by_score() -> None:
    with pytest.raises(InputError, match=r"has no scores\. If it has errors, rank it by those: --method mqm"):
        tercet.rank(judgements("en-de", "mqm"), method="da")


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry", "expected-wins"])
def test_a_system_that_no_judgement_is_left_of_is_not_ranked(method: str) -> None:
    data = rankings(*["1 j: A=1 B=2"] * 9, "2 j: A=1 GHOST=-1")
    found = tercet.rank(data, method=method, samples=40)
    assert [r.system for r in found] == ["A", "B"]
    assert "Systems that no judgement is left of, and were left out: GHOST." in found.notes


def test_latex_is_as_papers_have_it() -> None:
    from tercet.report import render
    from tercet.report.rankings import head_to_head_table, paper_table

    found = tercet.rank(RANKED, method="expected-wins")
    assert render(paper_table(found), "latex").splitlines()[:6] == [
        r"\begin{tabular}{lrrr}",
        r"\hline",
        r"\# & score & range & system \\",
        r"\hline",
        r"1 & 0.95 & 1 & A \\",
        r"\hline",
    ]
    table = head_to_head_table(tercet.head_to_head(RANKED, order=("A", "B", "C")), found)
    assert table.rows[-2] == ("expected wins", ".95", ".50", ".05")
