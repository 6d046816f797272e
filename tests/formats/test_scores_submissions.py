"""Whole files of submissions to the metrics task."""

from __future__ import annotations

import dataclasses
import pathlib

import numpy as np
import pytest

from tercet.errors import InputError
from tercet.formats import read_scores, write_scores
from tercet.formats.submissions import LAYOUTS
from tests.formats.files import put
from tests.formats.test_scores import NAN, made, plain, refused

CELLS = {
    "metric": "BEER",
    "pair": "cs-en",
    "testset": "newstest",
    "document": "d.7",
    "domain": "news",
    "reference": "refA",
    "ensemble": "non-ensemble",
    "available": "no",
}


def lines(layout: str, *rows: dict[str, str]) -> str:
    """Lines of a layout; what a row does not say is as in CELLS."""
    return "".join("\t".join({**CELLS, **row}[field] for field in LAYOUTS[layout]) + "\n" for row in rows)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("named", [True, False])
def test_every_year(tmp_path: pathlib.Path, layout: str, named: bool) -> None:
    segment = layout.endswith("seg")
    rows = [
        {"metric": metric, "pair": pair, "system": system, "segment": number, "score": f"{len(metric)}.{number}"}
        for metric in ("BEER", "X")
        for pair in ("cs-en", "en-cs")
        for system in ("b", "a.1")
        for number in (("10", "9") if segment else ("5",))
    ]
    found = read_scores(put(tmp_path, "scores", lines(layout, *rows)), layout if named else None)
    assert [(s.metric, s.direction) for s in found] == [
        ("BEER", "cs-en"),
        ("BEER", "en-cs"),
        ("X", "cs-en"),
        ("X", "en-cs"),
    ]
    for scores in found:
        n = len(scores.metric)
        assert scores.systems == ("b", "a.1")
        called = {"9": n + 0.9, "10": n + 0.1} if segment else {"": n + 0.5}
        if layout == "wmt20-seg":  # as the judgements of that year call them, and in the order of the file
            called = {"d.7::10": n + 0.1, "d.7::9": n + 0.9}
        assert (scores.level, scores.items) == ("segment" if segment else "system", tuple(called))
        np.testing.assert_array_equal(scores.values, np.array([list(called.values())] * 2))


def test_hybrids_are_systems(tmp_path: pathlib.Path) -> None:
    path = put(
        tmp_path, "M.sys.score", lines("wmt14-sys", *({"system": str(i), "score": str(i / 7)} for i in range(9)))
    )
    (found,) = read_scores(path)
    assert found.systems == tuple(map(str, range(9)))
    assert found.values[3, 0] == 3 / 7


def test_what_is_missing_is_nan_and_empty_lines_are_nothing(tmp_path: pathlib.Path) -> None:
    text = lines(
        "wmt14-seg",
        {"system": "A", "segment": "2", "score": "1e-3"},
        {"system": "B", "segment": "4", "score": "-2"},
        {"system": "B", "segment": "2", "score": "3"},
    )
    (found,) = read_scores(put(tmp_path, "M.seg.score.gz", "\n" + text.replace("\n", "\r\n") + "\n\n"))
    assert found.items == ("2", "4")
    assert repr(found.values.tolist()) == "[[0.001, nan], [3.0, -2.0]]"


def test_choosing_a_language_pair(tmp_path: pathlib.Path) -> None:
    path = put(
        tmp_path,
        "M.sys.score",
        lines("wmt14-sys", {"system": "A", "score": "1"}, {"system": "A", "score": "2", "pair": "Czech-German"}),
    )
    notes: list[str] = []
    (found,) = read_scores(path, pair="ces-deu", notes=notes)
    assert (found.direction, found.values.tolist()) == ("cs-de", [[2.0]])
    assert notes == [f"{path}: rows of others than those asked for, left out: 1."]
    refused(path, "nothing of the language pair 'fi-en'", "cs-en, cs-de", pair="fi-en")
    refused(path, "has scores of the system level, and the segment level is wanted", level="segment")
    refused(path, "does not say the reference", reference="refA")


@pytest.mark.parametrize("what", ["testset", "domain", "reference"])
def test_choosing_among_what_a_metric_was_scored_with(tmp_path: pathlib.Path, what: str) -> None:
    rows = ({"system": "A", "score": "1", what: "one"}, {"system": "A", "score": "2", what: "two"})
    path = put(tmp_path, "M.sys.score", lines("wmt23-sys", *rows))
    refused(path, f"more than one {what}: one, two", f"{what}='one'")
    (found,) = read_scores(path, **{what: "two"})  # type: ignore[arg-type]
    assert found.values.tolist() == [[2.0]]
    refused(path, f"nothing of the {what} 'three'", "one, two", **{what: "three"})


def test_metrics_may_differ_in_their_references(tmp_path: pathlib.Path) -> None:
    rows = ({"system": "A", "score": "1"}, {"system": "A", "score": "2", "metric": "Kiwi", "reference": "src"})
    assert [s.metric for s in read_scores(put(tmp_path, "all.sys.score", lines("wmt23-sys", *rows)))] == [
        "BEER",
        "Kiwi",
    ]


def test_segments_of_several_domains_are_one_test_set(tmp_path: pathlib.Path) -> None:
    rows = (
        {"system": "A", "score": "1", "segment": "1", "domain": "news"},
        {"system": "A", "score": "2", "segment": "2", "domain": "social", "document": "e"},
    )
    path = put(tmp_path, "M.seg.score", lines("wmt23-seg", *rows))
    (found,) = read_scores(path)
    assert (found.items, found.values.tolist()) == (("1", "2"), [[1.0, 2.0]])
    (found,) = read_scores(path, domain="social")
    assert (found.items, found.values.tolist()) == (("2",), [[2.0]])


def test_segments_that_are_numbered_in_each_document(tmp_path: pathlib.Path) -> None:
    rows = [
        {"metric": metric, "system": "A", "document": document, "segment": "1", "score": score}
        for metric, document, score in (("M", "d", "1"), ("M", "e", "2"), ("N", "e", "3"))
    ]
    for layout, told in {"wmt20-seg": 0, "wmt23-seg": 1}.items():  # in 2020 they always are
        notes: list[str] = []
        first, second = read_scores(put(tmp_path, "M.seg.score", lines(layout, *rows)), notes=notes)
        assert (first.items, second.items) == (("d::1", "e::1"), ("e::1",))
        assert len(notes) == told
    assert "document::segment" in notes[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("M\tde-en\tt\tA\t1\t0.5\n\nM\tde-en\tt\tA\t1\t0.5\n", [", line 3", "system 'A', segment '1'", "on line 1"]),
        ("M\tde-en\tt\tA\t1\n" * 2, [", line 2", "system 'A' is on line 1 already"]),
        ("M\tde-en\tt\tA\t1\nM\tde-en\tt\tB\tgood\n", [", line 2", "score 'good'"]),
        ("M\tde-en\tt\tA\t1\nM\tde-en\tt\tB\tnan\n", [", line 2", "score 'nan'"]),
        ("M\tde-en\tt\tA\t1\nM\tde-en\tt\tB\t1_0\n", [", line 2", "score '1_0'"]),
        ("M\tde-en\tt\tA\t1\nM\tde-en\tt\tB\t1\t1\n", [", line 2", "6 fields, wmt14-sys 5"]),
        ("M\tde-en\tt\tA\t1\nM\tde\tt\tB\t1\n", [", line 2", "pair 'de'"]),
        ("M\tde-en\tt\tA\t1\nM\tde-en\tt\t\t1\n", [", line 2", "system ''"]),
        ("M\tde-en\tt\tA\t1\t1\nM\tde-en\tt\tA\t01\t1\n", [", line 2", "segment '01'"]),
        ("A\t0.5\n", ["two fields a line", "human-scores/"]),
        ("M,de-en\n", [", line 1", "1 fields"]),
        ("", ["is empty"]),
    ],
)
def test_faults(tmp_path: pathlib.Path, text: str, words: list[str]) -> None:
    refused(put(tmp_path, "M.x.score", text), *words)


def test_a_file_that_would_be_nearly_all_missing(tmp_path: pathlib.Path) -> None:
    rows = ({"system": f"s{i}", "segment": str(i + 1), "score": "1"} for i in range(5000))
    refused(put(tmp_path, "M.seg.score", lines("wmt14-seg", *rows)), "5000 scores for 5000 systems and 5000 items")


def test_the_layout_that_is_written(tmp_path: pathlib.Path) -> None:
    scores = [made("M", [[0.1, NAN], [1.0, 1 / 3]])]
    path = tmp_path / "M.seg.score"
    write_scores(scores, path, testset="news")
    assert path.read_text() == (
        "M\tde-en\tnews\tA\t1\t0.1\nM\tde-en\tnews\tB\t1\t1.0\nM\tde-en\tnews\tB\t2\t0.3333333333333333\n"
    )
    assert plain(read_scores(path)) == plain(scores)
    write_scores(scores, path, "wmt23-seg", testset="news", domain="talks", reference="refB")
    assert path.read_text().startswith("M\tde-en\tnews\ttalks\tall\trefB\tA\t1\t0.1\n")
    write_scores([made("M", [[1.5]], level="system")], path, "wmt23-sys", testset="news", reference="src")
    assert path.read_text() == "M\tde-en\tnews\tall\tsrc\tA\t1.5\n"


@pytest.mark.parametrize(
    ("scores", "layout", "options", "words"),
    [
        (made("M", [[1.0]]), "wmt14-sys", {"testset": "t"}, r"segment level as wmt14-sys.*wmt14-seg \(segment level\)"),
        (made("M", [[1.0]]), "wmt19-seg", {"testset": "t"}, "as wmt19-seg"),
        (made("M", [[1.0]], level="document"), "submission", {"testset": "t"}, "of the document level"),
        (made("M", [[1.0]]), "submission", {}, "must name the testset"),
        (made("M", [[1.0]]), "wmt23-seg", {"testset": "t"}, "must name the reference"),
        (made("M", [[1.0]], ""), "submission", {"testset": "t"}, "must name the language pair"),
        (made("M\t", [[1.0]]), "submission", {"testset": "t"}, "a tab or a line break"),
        (made("M", [[1.0]]), "submission", {"testset": "t\n"}, "a tab or a line break"),
    ],
)
def test_what_a_submission_cannot_hold(
    tmp_path: pathlib.Path, scores: object, layout: str, options: dict[str, str], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        write_scores([scores], tmp_path / "M.score", layout, **options)  # type: ignore[list-item]
    assert not list(tmp_path.iterdir())


def test_segments_without_numbers_are_not_written(tmp_path: pathlib.Path) -> None:
    scores = dataclasses.replace(made("M", [[1.0, 2.0]]), items=("1", "d:2"))
    with pytest.raises(InputError, match="segment 'd:2' of M"):
        write_scores([scores], tmp_path / "M.score", testset="t")
