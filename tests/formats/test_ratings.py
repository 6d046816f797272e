"""Ratings of segments in a directory of mt-metrics-eval, read and written; and what else is written for others."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tercet.data import Assessments, Rankings
from tercet.errors import InputError
from tercet.formats import appraise_rr, detect_judgements, judgement_pairs, mqm, ratings, read_judgements, records

ERROR = '{"start": 1, "end": 3, "category": "Style", "severity": "minor", "score": 1.0, "is_source_error": false}'
LOST = '{"start": 4, "end": 9, "category": "Omission", "severity": "major", "is_source_error": true}'


def folder(root: pathlib.Path, **files: str) -> pathlib.Path:
    """A directory with human-scores; names have two underscores for a dot."""
    (root / "human-scores").mkdir(parents=True)
    for name, text in files.items():
        (root / "human-scores" / name.replace("__", ".").replace("_", "-")).write_text(text, encoding="utf-8")
    return root


def said(path: pathlib.Path, pair: str | None = None) -> list[object]:
    found = read_judgements(path, pair=pair)
    assert isinstance(found, Assessments)
    marks: dict[int, list[tuple[str, str, int, int]]] = {}
    if (e := found.errors) is not None and e.start is not None and e.end is not None:
        for i, row in enumerate(e.row.tolist()):
            category = e.categories[e.category[i]] if e.category[i] >= 0 else ""
            marks.setdefault(row, []).append((category, e.severities[e.severity[i]], int(e.start[i]), int(e.end[i])))
    return [
        (
            "" if found.judge[r] < 0 else found.judges[found.judge[r]],
            found.systems[found.system[r]],
            found.segments[found.segment[r]],
            None if np.isnan(found.score[r]) else float(found.score[r]),
            marks.get(r, []),
        )
        for r in range(len(found))
    ]


def test_ratings_of_raters(tmp_path: pathlib.Path) -> None:
    one = f'A\t{{"errors": [{ERROR}, {LOST}]}}\tann\nA\tNone\tann\nB\t{{"errors": []}}\tann\nB\tNone\n'
    other = 'A\tNone\nA\t{"errors": [], "score": 70}\tbob\nB\tNone\nB\tNone\n'
    root = folder(tmp_path / "x", en_de__mqm__rater1__seg__rating=one, en_de__mqm__rater2__seg__rating=other)
    assert detect_judgements(root) == "ratings"
    assert judgement_pairs(root) == ["en-de"]
    expected = [
        ("ann", "A", "1", None, [("Style", "minor", 1, 3), ("Omission", "major", -1, -1)]),
        ("ann", "B", "1", None, []),
        ("bob", "A", "2", 70.0, []),
    ]
    assert said(root) == expected
    assert said(root / "human-scores" / "en-de.mqm.rater2.seg.rating") == expected  # the others stand beside it


def test_scores_where_there_are_no_ratings(tmp_path: pathlib.Path) -> None:
    root = folder(
        tmp_path / "x", en_de__DA__seg__score="A\t80\nA\tNone\nB\t7.5\nB\t0\n", en_de__DA__sys__score="A\t1\n"
    )
    assert said(root) == [("", "A", "1", 80.0, []), ("", "B", "1", 7.5, []), ("", "B", "2", 0.0, [])]
    more = folder(tmp_path / "y", en_de__DA__seg__score="A\t80\n", cs_en__DA__seg__score="A\t70\n")
    assert said(more, "cs-en") == [("", "A", "1", 70.0, [])]
    with pytest.raises(InputError, match="has judgements of cs-en, en-de"):
        read_judgements(more)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("en_de__x__seg__rating", "A\n", "is no rating"),
        ("en_de__x__seg__rating", "A\t{\n", "is no rating"),
        ("en_de__x__seg__rating", 'A\t{"errors": 1}\n', "is no rating"),
        ("en_de__x__seg__rating", 'A\t{"errors": [], "score": 101}\n', "the score is 101"),
        ("en_de__x__seg__rating", 'A\t{"errors": [{"start": 1, "end": 2}]}\n', "severity"),
        ("en_de__x__seg__rating", "A\tNone\n", "no ratings and no scores"),
        ("en_de__x__seg__rating", f'A\t{{"errors": [{ERROR}]}}\nB\tNone\nB\tNone\n', "'B' has 2 lines"),
        ("en_de__x__seg__score", "A\t-3\n", "outside 0 to 100"),
        ("en_de__x__seg__score", "A\tx\n", "no system and score"),
        ("en_de__seg__score", "A\t1\n", "names no human scores"),
    ],
)
def test_faults_are_named(tmp_path: pathlib.Path, name: str, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_judgements(folder(tmp_path / "x", **{name: text}))


def test_one_of_several_names_is_to_be_named(tmp_path: pathlib.Path) -> None:
    root = folder(tmp_path / "x", en_de__esa__seg__score="A\t80\n", en_de__da__seg__score="A\t70\n")
    with pytest.raises(InputError, match="called da, esa"):
        read_judgements(root)
    assert ratings.read(root / "human-scores" / "en-de.esa.seg.score").score.tolist() == [80.0]


def test_what_is_written_is_read(tmp_path: pathlib.Path) -> None:
    spans = '[{"start": 0, "end": 2, "severity": "minor", "category": "Style"}, {"severity": "major", "category": "x"}]'
    lines = [
        f'{{"lp": "en-de", "segment": "7", "judge": "ann <&>", "protocol": "esa", "items": [{{"systems": ["A"], '
        f'"score": 61.5, "spans": {spans}}}]}}',
        '{"lp": "en-de", "segment": "8", "protocol": "esa", "items": [{"systems": ["B"], "score": 3, "spans": []}]}',
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    judged = records.read(tmp_path / "x.jsonl")
    assert isinstance(judged, Assessments)
    (tmp_path / "f" / "human-scores").mkdir(parents=True)
    ratings.write(judged, tmp_path / "f", "en-de", "ESA", judged.segments)
    marks = [("Style", "minor", 0, 2), ("x", "major", -1, -1)]
    assert said(tmp_path / "f") == [("", "B", "2", 3.0, []), ("ann <&>", "A", "1", 61.5, marks)]
    mqm.write(judged, tmp_path / "x.tsv", lambda system, segment: ("so\turce", "tar\nget"))
    assert said(tmp_path / "x.tsv") == [("ann <&>", "A", "7", None, marks), ("", "B", "8", None, [])]
    with pytest.raises(InputError, match="marks errors here"):
        mqm.write(judged, tmp_path / "y.tsv", lambda system, segment: ("", "<v>"))


def test_rankings_for_appraise(tmp_path: pathlib.Path) -> None:
    line = (
        '{"lp": "en-de", "segment": "7\\"<", "judge": "j&", "protocol": "rr", "time": {"seconds": 61.25}, "items": '
        '[{"systems": ["a", "b"], "rank": 1}, {"systems": ["<c>"], "rank": -1}]}'
    )
    (tmp_path / "x.jsonl").write_text(line)
    before = records.read(tmp_path / "x.jsonl")
    assert isinstance(before, Rankings)
    appraise_rr.write(before, tmp_path / "x.xml")
    after = appraise_rr.read(tmp_path / "x.xml")
    for name in ("pair", "systems", "segments", "judges", "outputs"):
        assert getattr(after, name) == getattr(before, name)
    assert (after.rank.tolist(), after.seconds is not None and after.seconds.tolist()) == ([1, -1], [61.25])
    (tmp_path / "x.jsonl").write_text(line.replace("<c>", "a,b"))
    comma = records.read(tmp_path / "x.jsonl")
    assert isinstance(comma, Rankings)
    with pytest.raises(InputError, match="cannot hold the name 'a,b'"):
        appraise_rr.write(comma, tmp_path / "y.xml")
