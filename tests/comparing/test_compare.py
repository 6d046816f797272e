"""`compare` as a function: what it takes, what it refuses, and how its answer shows itself."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import tercet
from tercet.data import Comparison, TestSet
from tercet.errors import InputError
from tercet.sample import campaign

A, B, REF = ["a cat sat", "it is so"], ["the cat sat", "it was so"], ["the cat sat", "it was so"]


@pytest.fixture(scope="module")
def found() -> Comparison:
    """The sample, with a source and documents."""
    return tercet.compare(campaign("de-en"), metrics=["bleu", "chrf"], samples=200)


def test_lists_files_and_test_sets_are_the_same(tmp_path: pathlib.Path) -> None:
    for name, lines in (("A", A), ("B", B), ("ref", REF)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "all.tsv").write_text(
        "reference\tA\tB\n" + "".join(f"{r}\t{a}\t{b}\n" for r, a, b in zip(REF, A, B, strict=True)), encoding="utf-8"
    )
    ways: list[Comparison] = [
        tercet.compare({"A": A, "B": B}, REF, samples=40),
        tercet.compare(TestSet.of({"A": A, "B": B}, REF), samples=40),
        tercet.compare(tmp_path / "all.tsv", samples=40),
        tercet.compare(testset=tmp_path / "all.tsv", samples=40),
        tercet.compare({n: tmp_path / f"{n}.txt" for n in "AB"}, [tmp_path / "ref.txt"], samples=40),
    ]
    assert all(each.to_dict() == ways[0].to_dict() for each in ways[1:])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"hypotheses": {"A": A}, "references": REF}, "two systems or more"),
        ({"hypotheses": {"A": A, "B": B}}, "bleu needs references|compare needs references"),
        ({"hypotheses": {"A": A, "B": B}, "references": REF, "baseline": "C"}, "no system 'C'"),
        ({"hypotheses": {"A": A, "B": B}, "references": REF, "metrics": []}, "no metric"),
        ({"hypotheses": {"A": A, "B": B}, "references": REF, "facets": ["domain"]}, "no column 'domain'"),
        ({"hypotheses": {"A": A, "B": B}, "references": REF, "samples": 3}, "samples must be"),
        ({"hypotheses": {"A": A, "B": B}, "references": REF, "unit": "document"}, "no documents"),
        ({"hypotheses": {"A#1": A, "A#2": B, "C": B}, "references": REF}, "several runs of A"),
        ({"hypotheses": {"A": [], "B": []}, "references": []}, "not one segment"),
        ({"hypotheses": {"A": A[:1], "B": B[:1]}, "references": REF[:1]}, "two segments or more"),
        ({"hypotheses": "x.tsv", "testset": "y.tsv"}, "given twice"),
        ({"hypotheses": {"A": A, "B": B}, "references": REF, "baseline": "gone.json"}, "gone.json"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        tercet.compare(**given)


def test_a_column_can_be_a_facet(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "all.tsv"
    rows = [("news" if i % 2 else "chat", "old" if i < 20 else "new", "the cat", "a cat", "the cat") for i in range(40)]
    path.write_text(
        "domain\tfacet:age\treference\tA\tB\n" + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8"
    )
    found = tercet.compare(path, metrics=["chrf"], samples=40, facets=["domain"])
    assert found.systems == ("A", "B")
    cuts = {cut.name: [(b.label, b.n) for b in cut.buckets] for cut in found.bucketings if cut.kind == "facet"}
    assert cuts == {"age": [("old", 20), ("new", 20)], "domain": [("chat", 20), ("news", 20)]}


def test_the_json_holds_everything_and_no_nan(found: Comparison) -> None:
    text = json.dumps(found.to_dict(), allow_nan=False)
    again = json.loads(text)
    assert again["format"] == "tercet-comparison-1"
    assert again["signature"] == found.signature
    assert [r["score"] for r in again["records"]] == [s.score for s in found.scores]
    assert again["testset"]["outputs"]["amber"] == list(found.testset.systems["amber"])
    assert again["segment_scores"] == found.segment_scores.tolist()
    assert again["tests"][0]["p"][0][0] is None
    assert [f["sentence"] for f in again["findings"]] == [f.sentence for f in found.findings]


def test_data_frames(found: Comparison) -> None:
    frames = found.frames()
    n, systems = len(found.testset), len(found.systems)
    assert frames["scores"].height == 2 * systems
    assert frames["pairs"].height == 2 * systems * (systems - 1)
    assert frames["segments"].height == 2 * systems * n
    one = frames["segments"].row(n + 2, named=True)
    assert one == {
        "metric": "bleu",
        "system": found.systems[1],
        "segment": found.testset.segments[2],
        "score": found.segment_scores[0, 1, 2],
    }
    assert set(frames["checks"]["check"]) == {c.kind for c in found.checks}
    assert frames["findings"]["sentence"].to_list() == [f.sentence for f in found.findings]
    with pytest.raises(KeyError, match="there are scores"):
        found.frame("nothing")


def test_a_notebook_shows_text_as_text() -> None:
    found = tercet.compare({"<b>A": A, "B&": B}, REF, metrics=["chrf"], samples=40)
    shown = found._repr_html_()
    assert "<b>A" not in shown
    assert "&lt;b&gt;A" in shown
    assert f"{found.score('chrf', 'B&').score:.2f}" in shown


def test_the_same_input_gives_the_same_answer_on_any_threads() -> None:
    testset = campaign("zh-en")
    one, two = (tercet.compare(testset, metrics=["bleu"], samples=200, threads=n) for n in (1, 2))
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())


def test_few_segments_are_noted() -> None:
    said = "Tests on fewer than 30 segments mean little; there are {}."
    for n, told in ((29, True), (30, False)):
        texts = ["one two"] * n
        found = tercet.compare({"A": texts, "B": texts}, texts, metrics=["chrf"], samples=40)
        assert (said.format(n) in found.notes) is told


def test_hostile_text() -> None:
    odd = ["", "<script>alert(1)</script>", "a\x00b", "\u202eevil", "w" * 100_000, "3 " * 1000, "😀 漢字", "²", " "]
    found = tercet.compare({"A": odd, "B": ["x"] * 9}, ["a b 3 Merkel."] * 9, sources=odd, metrics=["chrf"], samples=40)
    assert json.loads(json.dumps(found.to_dict()))["testset"]["outputs"]["A"] == odd


def test_without_a_source_nothing_is_said_of_it() -> None:
    found = tercet.compare({"A": A, "B": B}, REF, samples=40)
    assert not {"copy", "untranslated", "language"} & {c.kind for c in found.checks}
    assert any("Without the source" in note for note in found.notes)


def test_text_without_spaces_is_counted_in_characters() -> None:
    found = tercet.compare({"A": ["我去东京", "你好"], "B": ["我去北京", "你好"]}, ["我去东京", "你好"], samples=40)
    assert found.lengths[0].words == 6
    assert "words:zh" in found.signature


def test_metrics_that_say_the_same_say_it_once(found: Comparison) -> None:
    best = "amber is significantly better than all others."
    assert found.answers == (f"By bleu and chrf, {best}",)
    more = tercet.compare(campaign("de-en"), metrics=["bleu", "chrf", "ter"], samples=1000)
    assert [told.partition(",")[0] for told in more.answers] == ["By bleu and chrf", "By ter"]
