"""The page of a comparison: complete, small, the same every time, and deaf to what the texts say."""

from __future__ import annotations

import base64
import dataclasses
import html
import json
import random
import re
import urllib.parse
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.data import Bucketing, Comparison, TestSet, Track
from tercet.metrics import METRICS
from tercet.metrics.ter import Ter
from tercet.report.html import compare_scripts
from tercet.report.html.compare import page, title
from tercet.report.html.compare_answer import signed
from tercet.report.html.compare_data import focus, link, marking, printed_column, segment_data, sets
from tercet.report.html.compare_scripts import packed_steps
from tercet.report.html.compare_where import _ticks
from tercet.report.scores import scores_table
from tests.report.compared import SPECS, compared, made

SYSTEMS = {
    "base": ["the ferry leaves", "", "it rains in the harbour at nine or so , they say", "a b"],
    "new": ["the grey ferry leaves", "x", "it rains at nine", "a b"],
    "other": ["ferry", "y", "it rains at nine in the harbour", "b a"],
}
REFERENCES = ["the grey ferry leaves", "x y", "it rains in the harbour at nine , as they always say there", "a b"]
ATTACK = "</script><script>hacked()</script> <img src=x onerror=hacked()> $data $policy ]]> \u202e\u2066 \x00"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Three systems, four segments in two documents."""
    return made(SYSTEMS, REFERENCES, ["s 1", "s 2", "s 3", "s 4"])


def unpacked(text: str) -> dict[str, Any]:
    """What the browser of segments knows."""
    found = re.search(r'id="segments-data">([^<]*)<', text)
    assert found
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return data


def test_the_same_comparison_gives_the_same_page(comparison: Comparison) -> None:
    assert page(comparison) == page(comparison)


def test_the_sections_of_a_page(comparison: Comparison) -> None:
    text = page(comparison)
    assert re.findall(r'<section id="(\w+)"', text) == ["answer", "where", "outputs", "segments", "about"]
    for told in (*comparison.answers, comparison.assumptions, comparison.signature, *comparison.notes):
        assert told in text
    assert title(comparison) == "2 systems against base"
    two = made({name: SYSTEMS[name] for name in ("base", "new")}, REFERENCES)
    assert title(two) == "new against base"
    assert "Clusters:" in text
    assert "Clusters:" not in page(two)


def test_nothing_is_loaded_and_no_style_stands_in_an_attribute(comparison: Comparison) -> None:
    text = page(comparison)
    assert not re.search(r"\ssrc=|<link|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    assert ' style="' not in text
    assert "default-src 'none'" in text


def test_the_data_hold_every_text_and_every_score_as_printed(comparison: Comparison) -> None:
    data = unpacked(page(comparison))
    assert data == segment_data(comparison)
    assert [row[0] for row in data["texts"]] == ["s 1", "s 2", "s 3", "s 4"]
    assert [row[1] for row in data["texts"]] == [[text] for text in REFERENCES]
    assert [list(column) for column in zip(*(row[2] for row in data["texts"]), strict=True)] == list(SYSTEMS.values())
    printed = scores_table(tercet.score(SYSTEMS, REFERENCES, metrics=SPECS, level="segment")).rows
    shown = [
        (system, str(i + 1), *(f"{data['scores'][m][s][i] / 100:.2f}" for m in range(len(SPECS))))
        for s, system in enumerate(SYSTEMS)
        for i in range(len(REFERENCES))
    ]
    assert shown == [tuple(row) for row in printed]


@given(st.floats(-1e6, 1e6), st.integers(0, 4))
def test_a_score_is_printed_as_everywhere(value: float, digits: int) -> None:
    (found,) = printed_column(np.array([value]), digits)
    assert f"{value:.{digits}f}" == (found if isinstance(found, str) else f"{found / 10**digits:.{digits}f}")


def test_facets_and_parts_are_columns(comparison: Comparison) -> None:
    facets = {"domain": ("news", "talk", "news", "news")}
    testset = dataclasses.replace(comparison.testset, facets=facets)
    by_facet = Bucketing("facet", "domain", "domain", "segment", (), (), np.zeros(4, dtype=np.int64))
    cuts = (*comparison.bucketings, by_facet)
    data = segment_data(dataclasses.replace(comparison, testset=testset, bucketings=cuts))
    assert data["facets"] == [
        {"name": "document", "values": ["doc0", "doc1"], "of": [0, 0, 1, 1]},
        {"name": "domain", "values": ["news", "talk"], "of": [0, 1, 0, 0]},
    ]
    assert [cut["of"] for cut in data["buckets"]] == [[0, 0, 1, 0]]  # facets have their own choice


def test_every_link_leads_to_segments(comparison: Comparison) -> None:
    track = Track("new", "base", (0, 1), (1,), ())
    text = page(dataclasses.replace(comparison, tracks=(track,)))
    known = unpacked(text)["sets"]
    links = [
        dict(urllib.parse.parse_qsl(html.unescape(each).removeprefix("#")))
        for each in re.findall(r'href="(#a=[^"]*)"', text)
    ]
    assert {each["set"] for each in links} == set(known)
    assert {"f0", "f1", "n0", "w1", "c0.0", "t0.changed", "t0.better"} == set(known) - {"n1", "w0"}
    assert known["c0.0"] == {"group": "empty outputs", "title": "base", "rows": [1]}
    assert all(each["a"] == "base" for each in links)
    assert [each.get("b") for each in links if each["set"] == "c0.0"] == [None]


def test_the_best_other_system_is_looked_at(comparison: Comparison) -> None:
    data = segment_data(comparison)
    assert focus(comparison) == "new"
    assert (data["a"], data["b"]) == (0, 1)
    best = made({"worst": SYSTEMS["other"], "best": REFERENCES, "base": SYSTEMS["base"]}, REFERENCES)
    assert focus(best) == "best"


MARKINGS = {
    "bleu": ("words", False, False, True), "bleu(lowercase=true)": ("words", True, False, True),
    "nist": ("words", True, False, True), "bleu(tokenize=none)": ("words", False, True, True),
    "chrf": ("characters", False, False, True), "chrf++": ("characters", False, False, True),
    "ter": ("edits", True, True, True), "ter(case_sensitive=true)": ("edits", False, True, True),
    "wer": ("edits", False, False, True), "per": ("words", False, False, False),
}  # fmt: skip


@pytest.mark.parametrize("spec", MARKINGS)
def test_marks_are_chosen_by_the_explanation(spec: str) -> None:
    found = marking(METRICS.make(spec))
    assert tuple(found.values()) == MARKINGS[spec]


def test_scripts_are_those_that_the_metric_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made({"A": ["a c d b"], "B": ["a b c"], "C": ["x"]}, [["x y", "a b c d"]], specs=["bleu", "ter"])
    bleu, ter = segment_data(found)["metrics"]
    assert "scripts" not in bleu
    assert ter["scripts"] == {"0": [[1, [[3, 1, 1]], "m4"]], "1": [[1, [], "m3i"]], "2": [[0, [], "mi"]]}
    monkeypatch.setattr(compare_scripts, "EXPLAINED", 8)  # two systems: by two references, and by both together
    assert list(segment_data(found)["metrics"][1]["scripts"]) == ["0", "1"]
    monkeypatch.setattr(compare_scripts, "LONGEST", 3)
    assert segment_data(found)["metrics"][1]["scripts"] == {"0": [None], "1": [None]}


@pytest.mark.parametrize("spec", ["ter", "ter(case_sensitive=true)", "ter(normalized=true)"])
def test_scripts_made_all_at_once_are_those_explained(comparison: Comparison, spec: str) -> None:
    metric = METRICS.make(spec)
    assert isinstance(metric, Ter)
    for system in SYSTEMS:
        assert compare_scripts._of_ter(comparison, metric, system) == compare_scripts._explained(
            comparison, metric, system
        )


@pytest.mark.parametrize("spec", ["cder", "moses-ter"])
def test_what_the_page_does_not_draw_is_not_sent(spec: str) -> None:
    script = METRICS.make(spec).explain("c d a b", ["a b c d"]).edits
    assert script is not None
    assert packed_steps(script) is None


def test_texts_and_names_are_no_markup() -> None:
    n = len(REFERENCES)
    found = made(
        {ATTACK: [ATTACK] * n, f"{ATTACK}2": ["a"] * n}, [f"{ATTACK} {ref}" for ref in REFERENCES], [ATTACK] * n
    )
    finding = dataclasses.replace(found.findings[0], sentence=f"“{ATTACK}” is lost.")
    hostile = dataclasses.replace(found, findings=(finding,), answers=(ATTACK,), notes=(ATTACK,), assumptions=ATTACK)
    text = page(hostile)
    assert not re.search(r"<img|<script>hacked", text)
    assert not set(text) & set("\x00\u202e\u2066")
    assert text.count("<script") == 3
    assert unpacked(text)["texts"][0][0] == ATTACK.replace("\u202e", "\ufffd").replace("\u2066", "\ufffd").replace(
        "\x00", "\ufffd"
    )


def test_quoted_words_do_not_turn_a_sentence(comparison: Comparison) -> None:
    finding = dataclasses.replace(comparison.findings[0], sentence="It misses “كلمة” (0 : 12).")
    text = page(dataclasses.replace(comparison, findings=(finding,)))
    assert "It misses “<bdi>كلمة</bdi>” (0 : 12)." in text


def test_segment_names_stay_unlike() -> None:
    testset = TestSet.of({"A": ["a"] * 3, "B": ["b"] * 3}, ["a"] * 3, segments=["\x00", "\x01", ""])
    assert segment_data(compared(testset, ["chrf"]))["segments"] == ["\ufffd", "\ufffd#2", "#3"]


def test_a_page_of_five_systems_is_small() -> None:
    chance = random.Random(1)  # noqa: S311 - for no secret
    words = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 9))) for _ in range(5000)]
    references = [" ".join(chance.choices(words, k=22)) for _ in range(3000)]
    systems = {
        f"S{i}": [" ".join(w if chance.random() < 0.7 else chance.choice(words) for w in r.split()) for r in references]
        for i in range(5)
    }
    assert len(page(made(systems, references, references, ["bleu", "chrf"])).encode()) < 5_000_000


def test_the_longest_lists_are_cut(comparison: Comparison) -> None:
    many = tuple(dataclasses.replace(comparison.ngrams[0], ngram=f"g{i}") for i in range(60))
    text = page(dataclasses.replace(comparison, ngrams=many, words=(), findings=comparison.findings[:1] * 30))
    assert "The first 25 of 60." in text
    assert "18 further findings" in text
    assert len(sets(dataclasses.replace(comparison, ngrams=many))) > 60


def test_a_finding_with_more_segments_than_it_links_to_says_so(comparison: Comparison) -> None:
    for n, told in ((1234, "first 2 of 1,234 segments"), (2, "2 segments"), (None, "2 segments")):
        finding = dataclasses.replace(comparison.findings[0], n_rows=n)
        assert f">{told}</a>" in page(dataclasses.replace(comparison, findings=(finding,)))


def test_nothing_found_is_said(comparison: Comparison) -> None:
    bare = dataclasses.replace(comparison, findings=(), bucketings=(), checks=(), ngrams=(), words=(), lengths=())
    text = page(bare)
    assert "Nothing stands out." in text
    assert '<section id="outputs"' not in text


def test_labels_of_an_axis_fit() -> None:
    many = [f"document-{i}" for i in range(12)]
    found = _ticks(many)
    assert len(found) == 6
    assert all(len(label) <= 7 for _, label in found)
    assert [label for _, label in _ticks(["1", "2–4", "over 99"])] == ["1", "2–4", ">99"]


def test_signs_and_addresses() -> None:
    assert [signed(v, 1) for v in (0.04, -0.04, 2.0, -3.25)] == ["±0.0", "±0.0", "+2.0", "−3.2"]
    assert link("f0", "a&b=c", "é #1") == "#a=%C3%A9+%231&b=a%26b%3Dc&set=f0"
    assert link("f0", "same", "same") == "#a=same&set=f0"
