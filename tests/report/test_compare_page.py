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
from tercet.comparing.distributions import distribution
from tercet.data import Bucketing, Comparison, TestSet, Track
from tercet.numbers import score
from tercet.report.html.compare import page, title
from tercet.report.html.compare_data import link, printed_column, segment_data, sets
from tercet.report.html.compare_where import _ticks
from tercet.report.html.systems import Looks
from tercet.report.naming import short_names
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
    assert score(value, digits) == (found if isinstance(found, str) else f"{found / 10**digits:.{digits}f}")


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
    assert comparison.focus == "new"
    assert (data["a"], data["b"]) == (0, 1)
    best = made({"worst": SYSTEMS["other"], "best": REFERENCES, "base": SYSTEMS["base"]}, REFERENCES)
    assert best.focus == "best"


def test_scripts_are_those_that_the_metric_counted() -> None:
    comparison = made({"A": ["a c d b"], "B": ["a b c"], "C": ["x"]}, [["x y", "a b c d"]], specs=["bleu", "ter"])
    bleu, ter = segment_data(comparison)["metrics"]
    assert "scripts" not in bleu
    assert ter["scripts"] == {"0": [[1, [[3, 1, 1]], "m4"]], "1": [[1, [], "m3i"]], "2": [[0, [], "mi"]]}
    bare = segment_data(dataclasses.replace(comparison, marks=()))["metrics"]
    assert [(m["marks"], m["own"]) for m in bare] == [("words", False)] * 2


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
    for n, told in ((1234, "first 2 of 1234 segments"), (2, "2 segments"), (None, "2 segments")):
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


def test_addresses() -> None:
    assert link("f0", "a&b=c", "é #1") == "#a=%C3%A9+%231&b=a%26b%3Dc&set=f0"
    assert link("f0", "same", "same") == "#a=same&set=f0"


def test_examples_and_parts_lead_to_segments(comparison: Comparison) -> None:
    text = page(comparison)
    data = unpacked(text)
    links = [
        dict(urllib.parse.parse_qsl(html.unescape(h).lstrip("#"))) for h in re.findall(r'href="(#[^"]*=[^"]*)"', text)
    ]
    segments = [each["seg"] for each in links if "seg" in each]
    assert segments
    assert set(segments) <= set(data["segments"])
    parts = [each["bucket"].split(".") for each in links if "bucket" in each]
    assert parts
    assert all(int(part) in data["buckets"][int(cut)]["of"] for cut, part in parts)


def test_examples_are_those_that_differ_most(comparison: Comparison) -> None:
    cut = comparison.bucketings[0]
    first, names = comparison.segment_scores[0], list(comparison.systems)
    gaps = np.abs(first[names.index(comparison.focus)] - first[names.index(comparison.baseline)])
    for place in range(len(cut.buckets)):
        rows = comparison.examples(cut, place, 2)
        assert set(rows) <= set(cut.rows(place))
        assert all(gaps[row] > 0 for row in rows)
        rest = [gaps[row] for row in cut.rows(place) if row not in rows]
        assert len(rows) < 2 or max(rest, default=0) <= min(gaps[row] for row in rows)


def test_a_distribution_counts_every_segment_once() -> None:
    testset = TestSet.of({"A": ["a b"] * 40, "B": ["a x", *["x"] * 39]}, ["a b"] * 40)
    found = compared(testset, ["chrf", "ter"])
    for metric in ("chrf", "ter"):
        spread = found.distribution(metric)
        assert spread.shares.sum(axis=1) == pytest.approx([1, 1])
        assert len(spread.edges) == spread.shares.shape[1] + 1
    scores = found.segment_scores.copy()
    scores[0, 0, :2] = np.nan, np.inf
    broken = distribution("chrf", scores[0])
    assert broken.shares[0, -1] == 1.0  # what has no score is not counted, and infinity is the last
    nothing = distribution("chrf", np.full_like(scores[0], np.nan))
    assert nothing.shares.sum() == 0


@given(st.lists(st.text("ab.-_1", max_size=8), min_size=2, max_size=5, unique=True))
def test_short_names_stay_unlike(names: list[str]) -> None:
    short = short_names(names)
    assert len(set(short)) == len(names)
    assert all(part in whole for part, whole in zip(short, names, strict=True))


def test_every_system_has_its_colour() -> None:
    names = [f"S{i}" for i in range(20)]
    looks = Looks.of(names, ["S7", "S3"])
    assert looks.colours["S7"] == "c0 d0"
    assert looks.colours["S3"] == "c1 d0"
    assert len(set(looks.colours.values())) == 20
    assert looks.name("S1") == '<span class="system c3 d0"><bdi>S1</bdi></span>'


def test_words_of_findings_go_along(comparison: Comparison) -> None:
    finding = dataclasses.replace(comparison.findings[0], kind="ngrams", words=("the grey", "\x00"))
    known = sets(dataclasses.replace(comparison, findings=(finding,), fault_words={(0, 0): {1: ("x",)}}))
    assert known["f0"]["words"] == ["the grey", "\ufffd"]
    assert known["c0.0"]["by_row"] == {1: ["x"]}
    assert known["n0"]["words"] == [comparison.ngrams[0].ngram]
