"""The sections of a campaign as HTML: what is said is there, and as text."""

from __future__ import annotations

import copy
import re
from typing import Any

from tercet.report.html.campaign import MOST_SHOWN, campaign_page, sections, summary

ATTACK = "<img src=x onerror='hacked()'>"
VIEW: dict[str, Any] = {
    "campaign": {
        "name": "news.db", "protocol": "esa", "title": "Mark errors", "pair": "en-de", "systems": ["A", ATTACK],
        "assignment": "shared", "paused": False, "closed": True, "answers": 3, "items": 4, "last": 9,
    },
    "annotators": [
        {"id": "a1", "name": ATTACK, "answers": 3, "batches": 1, "last": 1.0, "excluded": None, "checks": 4,
         "passed": 1, "flags": ATTACK, "median_seconds": 2.25, "kappa": 0.5, "intra_kappa": None},
        {"id": "a2", "name": "b", "answers": 0, "batches": 0, "last": None, "excluded": ATTACK, "checks": 0,
         "passed": 0, "flags": "", "median_seconds": None},
    ],
    "languages": [{"pair": "en-de", "answers": 3, "items": None}],
    "agreement": [{"kind": "inter", "kappa": -0.25, "p_agree": 0.5, "p_expected": None, "comparable": 7}],
    "ranking": {
        "signature": "rank|x",
        "records": [
            {"system": "A", "score": 1.5, "rank_low": 1, "rank_high": 1, "cluster": 1},
            {"system": ATTACK, "score": -1.5, "rank_low": 2, "rank_high": 3, "cluster": 2},
            {"system": "C", "score": -1.6, "rank_low": 2, "rank_high": 3, "cluster": 2},
        ],
    },
    "wins": [{"system": ATTACK, "expected_wins": 0.625, "low": 0.25, "high": 0.75}],
    "undecided": [{"first": ATTACK, "second": "C", "judgements": 5, "needed": None}],
    "stop": {"settled": False, "reason": "1 neighbour is undecided.", "needed": None},
    "notes": [ATTACK],
}  # fmt: skip
ANNOTATION: dict[str, Any] = {
    "segment": ATTACK, "document": "d", "annotator": ATTACK, "kind": "output", "source": ATTACK, "reference": None,
    "outputs": [{"systems": ["A", ATTACK], "text": "one two three"}], "seconds": 1.0, "time": 1.0,
    "answer": {"outputs": [{"score": 80, "spans": [
        {"side": "target", "start": 0, "end": 7, "severity": "minor", "category": None},
        {"side": "target", "start": 4, "end": 13, "severity": "major", "category": "A/B"},
        {"side": "target", "start": None, "end": None, "severity": "minor", "category": None},
    ]}]},
}  # fmt: skip


def bodies(**more: Any) -> dict[str, str]:
    """The sections by their names."""
    return {section.id: str(body) for section, body in sections(VIEW, **more)}


def test_every_section_says_its_numbers() -> None:
    parts = bodies()
    assert list(parts) == ["ranking", "wins", "undecided", "annotators", "agreement"]
    assert parts["ranking"].count('class="rule"') == 1  # between the clusters
    assert 'x="1" y=".15" width="2"' in parts["ranking"]  # ranks 2 to 3
    assert "2–3" in parts["ranking"]
    assert ".625" in parts["wins"]
    assert "0.250 to 0.750" in parts["wins"]
    assert "more than can be told" in parts["undecided"]
    assert '<span class="bad">1 of 4</span>' in parts["annotators"]
    assert "-.250" in parts["agreement"]
    assert summary(VIEW)[0] == "3 of 4 answers by 1 annotator; the campaign is closed."


def test_only_who_may_decide_gets_buttons() -> None:
    assert "<button" not in bodies()["annotators"]
    assert re.findall(r'data-action="(\w+)" data-annotator="(\w+)"', bodies(actions=True)["annotators"]) == [
        ("exclude", "a1"),
        ("reopen", "a2"),
    ]


def test_nothing_hostile_is_markup_and_no_style_is_inline() -> None:
    page = campaign_page(VIEW, [ANNOTATION], {"a.csv": ATTACK})
    for text in (page, *bodies(actions=True).values()):
        assert "<img" not in text
        assert " style=" not in text


def test_spans_over_one_another_are_cut_into_pieces() -> None:
    page = campaign_page(VIEW, [ANNOTATION], {})
    marks = re.findall(r'<mark data-severity="(\w+)" title="([^"]*)">([^<]*)</mark>', page)
    assert marks == [
        ("minor", "minor", "one "),
        ("major", "minor; major, A/B", "two"),
        ("major", "major, A/B", " three"),
    ]
    assert "minor (missing)" in page
    assert "score 80" in page


def test_a_page_of_very_many_answers_shows_some_and_says_so() -> None:
    many = [copy.deepcopy(ANNOTATION) | {"segment": str(i)} for i in range(MOST_SHOWN + 1)]
    page = campaign_page(VIEW, many, {})
    assert page.count('<section class="given">') == MOST_SHOWN
    assert f"The first {MOST_SHOWN} of {MOST_SHOWN + 1} answers" in page


def test_a_campaign_without_answers_has_a_page() -> None:
    view = copy.deepcopy(VIEW)
    view |= {"ranking": {"signature": "", "records": []}, "wins": [], "undecided": [], "agreement": []}
    assert [section.id for section, _ in sections(view)] == ["annotators"]
