"""Explanations as pages and pictures: complete, well formed, and deaf to what the words say."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ElementTree

import pytest

import tercet
from tercet.data import Explanation, Explanations, Match
from tercet.data.marks import direction, marked_texts
from tercet.errors import InputError
from tercet.plots.explained import advance
from tercet.report.html.blocks import AlignmentBlock
from tercet.report.html.explanations import explanation_page, explanation_report
from tercet.report.html.pictures import picture
from tests.report.test_explanations import HOSTILE, METRICS, TEXTS

ATTACK = '</script><script>hacked()</script> "><img src=x onerror=hacked()> $policy ]]> &lt; '
SVG = "{http://www.w3.org/2000/svg}"


def both(metric: str, language: str = "en") -> Explanations:
    """Two hypotheses of a language."""
    one, other, reference = TEXTS[language]
    return tercet.explain(metric, [one, other], reference)


def aligned(*kinds: str) -> Explanations:
    """An alignment of every kind, along the diagonal."""
    words = tuple(f"w{i}" for i in range(len(kinds)))
    matches = tuple(Match((i, i + 1), (i, i + 1), kind) for i, kind in enumerate(kinds))
    one = Explanation("m", 0.5, hypothesis=words, reference=words, matches=matches)
    return Explanations((one,), "s")


def test_a_soft_alignment_is_shaded_by_how_similar_words_are() -> None:
    """Also words that are not beside each other; a word beside several is exact where one of them is it."""
    words, others = ("a", "b"), ("a", "c", "d")
    matches = Match((0, 1), (0, 1), "exact"), Match((1, 2), (0, 1), "similar")
    near = (0.85, 0.1, -0.3), (0.79, 0.41, 1.0)
    one = Explanation("m", 0.5, hypothesis=words, reference=others, matches=matches, similarities=near)
    assert one.shades() == [[4, 0, 0], [3, 2, 4]]
    page = explanation_page(Explanations((one,), "s"))
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page.partition('class="xray"')[2])
    cells = [re.findall(r'<td(?: class="(.*?)")?(?: title="(.*?)")?>(.*?)</td>', row) for row in rows]
    assert cells == [
        [("l4 best", "exact: a – a, 0.85", "x"), ("l3 best", "similar: b – a, 0.79", "s")],
        [("", "", ""), ("l2", "b – c, 0.41", "")],
        [("", "", ""), ("l4", "b – d, 1.00", "")],
    ]
    assert "the greener, the more similar" in page
    assert "the greener, the more similar" in picture(Explanations((one,), "s"))
    assert [mark.kind for mark in marked_texts(one)[1].marks] == ["exact", "", ""]
    plain = dataclasses.replace(one, similarities=())
    assert "greener" not in explanation_page(Explanations((plain,), "s"))


SECTIONS = {
    "bleu": ["Texts", "Formula", "n-grams"],
    "chrf++": ["Texts", "Formula", "n-grams"],
    "ter": ["Texts", "Formula", "Edits", "Alignment"],
    "per": ["Texts", "Formula", "Alignment"],
}


@pytest.mark.parametrize("metric", SECTIONS)
def test_the_sections_of_a_page(metric: str) -> None:
    report = explanation_report(both(metric))
    assert [section.title for section in report.sections] == SECTIONS[metric]
    assert report.signature == both(metric).signature


@pytest.mark.parametrize("metric", METRICS)
def test_the_numbers_of_the_page_are_those_of_the_score(metric: str) -> None:
    found = both(metric)
    page = explanation_page(found)
    for each in found:
        assert f"{each.score:.{each.digits}f}" in page
    assert explanation_page(found) == page


def test_lower_is_better_is_said() -> None:
    assert "lower is better" in explanation_page(both("ter"))
    assert "lower is better" not in explanation_page(both("bleu"))


def test_the_segment_and_its_source_stand_above() -> None:
    page = explanation_page(dataclasses.replace(both("ter"), segment="news-2", source="Ein <b>Satz</b>"))
    assert "<li>Segment: news-2</li><li>Source: Ein &lt;b&gt;Satz&lt;/b&gt;</li>" in page
    assert "Source:" not in explanation_page(both("ter"))


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("metric", [*METRICS, "sentbleu"])
def test_a_picture_is_well_formed_and_has_every_word(metric: str, language: str) -> None:
    found = both(metric, language)
    text = picture(found)
    root = ElementTree.fromstring(text)  # noqa: S314 - our own
    assert root.tag == f"{SVG}svg"
    drawn = "".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))
    for each in found:
        for word in (*each.hypothesis, *each.reference):
            assert word in drawn
    width = float(root.attrib["width"])
    assert all(0 <= float(box.attrib["x"]) <= width for box in root.iter(f"{SVG}rect") if "x" in box.attrib)


@pytest.mark.parametrize("metric", METRICS)
def test_words_are_words_on_pages_and_pictures(metric: str) -> None:
    attack = f"{ATTACK} {HOSTILE}"
    found = tercet.explain(metric, [attack, "a"], f"red {attack} c")
    page, drawn = explanation_page(found), picture(found)
    ElementTree.fromstring(drawn)  # noqa: S314 - our own
    for text in (page, drawn):
        assert not re.search(r"<(img|b)\b|onerror=hacked\(\)>|<script>hacked", text)
        assert not set(text) & set("\x00\x07\x1b\x9b\u202e\u2066")


@pytest.mark.thorough
def test_a_page_and_a_picture_of_a_giant_are_small() -> None:
    long = " ".join(f"w{i % 700}" for i in range(19_000))
    found = tercet.explain("bleu", [long, "x" * 1_000_000], long)
    assert len(explanation_page(found)) < 3_000_000
    assert len(picture(found)) < 1_000_000
    edits = tercet.explain("ter", long[:40_000], long[200:40_000])
    assert "more" in explanation_page(edits)
    assert len(explanation_page(edits)) < 3_000_000
    assert all(section.title != "Alignment" for section in explanation_report(edits).sections)


def test_every_kind_has_its_letter_and_colour() -> None:
    found = aligned("exact", "stem", "synonym", "paraphrase", "gapped")
    page = explanation_page(found)
    cells = re.findall(r'<td class="k(\d)" title="(\w+): [^"]*">(\w)</td>', page)
    assert cells == [
        ("2", "exact", "x"),
        ("0", "stem", "s"),
        ("3", "synonym", "y"),
        ("1", "paraphrase", "p"),
        ("5", "gapped", "g"),
    ]
    drawn = picture(found)
    for number in "20315":
        assert f'class="k{number}"' in drawn
    assert "x exact; s stem; y synonym; p paraphrase; g gapped" in drawn


def test_two_hypotheses_share_the_reference() -> None:
    page = explanation_page(both("per"))
    assert page.count('<table class="xray">') == 1
    assert page.count('<th scope="colgroup"') == 2
    one = aligned("exact").records[0]
    other = Explanation("m", 0.1, hypothesis=("a",), reference=("a",), matches=(Match((0, 1), (0, 1), "exact"),))
    apart = Explanations((one, other), "s")
    assert explanation_page(apart).count('<table class="xray">') == 2
    assert picture(apart).count("x exact") == 2


def test_meteor_has_its_x_ray() -> None:
    spec = "meteor-lecture(modules=exact+stem)"
    found = tercet.explain(spec, "the ferries were leaving", "the ferry leaves early")
    page, drawn = explanation_page(found), picture(found)
    assert re.findall(r'title="(\w+: [^"]*)"', page)[-3:] == [
        "exact: the – the",
        "stem: ferries – ferry",
        "stem: leaving – leaves",
    ]
    assert drawn.count('class="k2"') == 1
    assert drawn.count('class="k0"') == 2
    assert [section.title for section in explanation_report(found).sections] == ["Texts", "Formula", "Alignment"]


def test_an_alignment_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no alignment"):
        AlignmentBlock("nothing", ())


def test_without_details_the_statistics_are_shown() -> None:
    plain = Explanations((Explanation("plain", 2.5, (("characters", 5.0),)),), "s")
    assert [section.title for section in explanation_report(plain).sections] == ["Formula"]
    assert ">characters</th>" in explanation_page(plain)
    assert "characters: 5" in picture(plain)


def test_nothing_is_said_to_be_nothing() -> None:
    page = explanation_page(tercet.explain("bleu", "", "a b"))
    assert '<span class="nothing">nothing</span>' in page
    ElementTree.fromstring(picture(tercet.explain("ter", "", "")))  # noqa: S314 - our own


def test_directions() -> None:
    assert [direction([text]) for text in ("abc", "12 نص", "…", "עברית abc")] == ["ltr", "rtl", "ltr", "rtl"]
    assert 'dir="rtl"' in explanation_page(both("ter", "ar"))


def test_widths_are_estimates() -> None:
    assert advance("") == 0
    assert advance("iii") < advance("mmm")
    assert advance("e\u0301") == advance("e")
