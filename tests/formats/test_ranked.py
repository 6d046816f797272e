"""People's scores as rankers write them: official results of WMT, and what `tercet rank` writes."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import tercet
from tercet.data import Ranking
from tercet.errors import InputError
from tercet.formats import HUMAN, detect_scores, read_scores, write_scores
from tercet.report import render_records
from tercet.sample import judgements
from tests.formats.files import put

OFFICIAL = (
    "nt.A.1.de-en.txt 0.567 (1.0, 1.0)\n++++++++++\nnt.B.0.de-en.txt -0.3 (2.0, 3.0)\nnt.C.de-en.txt -4e-1 (2, 3)\n"
)


def ranking() -> Ranking:
    return tercet.rank(judgements("en-de"), method="expected-wins", samples=20)


@pytest.mark.parametrize("ending", ["", "\r"])
def test_an_official_result(tmp_path: pathlib.Path, ending: str) -> None:
    file = put(tmp_path, "official.txt", "\ufeff" + OFFICIAL.replace("\n", ending + "\n"))
    assert detect_scores(file) == "ranking"
    (found,) = read_scores(file, pair="deu-eng")
    assert (found.metric, found.direction, found.level, found.items) == (HUMAN, "de-en", "system", ("",))
    assert found.systems == ("nt.A.1.de-en.txt", "nt.B.0.de-en.txt", "nt.C.de-en.txt")
    assert found.values.tolist() == [[0.567], [-0.3], [-0.4]]
    assert found.higher_is_better
    assert read_scores(file)[0].direction == "", "the file does not say"


@pytest.mark.parametrize("style", ["csv", "tsv", "json", "jsonl"])
def test_what_rank_writes_is_read_again(tmp_path: pathlib.Path, style: str) -> None:
    ranked = ranking()
    text = render_records(ranked.as_records(), ranked.signature, style)  # type: ignore[arg-type]
    file = put(tmp_path, f"ranked.{style}.gz", text)
    assert detect_scores(file) == "ranking"
    (found,) = read_scores(file)
    assert dict(zip(found.systems, found.values[:, 0].tolist(), strict=True)) == {r.system: r.score for r in ranked}


def test_all_official_results_are_read(shared: pathlib.Path) -> None:
    files = sorted((shared / "data").glob("wmt1[56]*/official-trueskill.*.txt"))
    assert len(files) == 9
    for file in files:
        (found,) = read_scores(file)
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("+")]
        assert len(found.systems) == len(lines)
        values = found.values[:, 0]
        assert np.all(np.diff(values) <= 0), "the best system is first"


WRONG = {
    "no ranks": ("A 0.5 (1.0, 1.0)\nB 0.4\n", "line 2", "'B 0.4' is no line of a ranking"),
    "no number": ("A 0.5 (1.0, 1.0)\n\nB x (2.0, 2.0)\n", "line 3", "is no line"),
    "infinite": ("A 0.5 (1.0, 1.0)\nB 1e999 (2.0, 2.0)\n", "line 2", "is no line"),
    "twice": ("A 0.5 (1.0, 1.0)\n+++\nA 0.4 (2.0, 2.0)\n", "line 3", "'A' is on line 1 already"),
    "twice in a table": ("system,score,rank_low\nA,1,1\nA,2,2\n", "line 3", "line 2"),
    "no system": ("system,score,rank_low\n,1,1\n", "line 2", "not named"),
    "a word": ("system,score,rank_low\nA,high,1\n", "line 2", "'high'"),
    "no score at all": ("system,score,rank_low\nA,,1\n", "has no scores"),
    "a record": ('{"system": "A", "score": true, "rank_low": 1}\n', "line 1", "no record of a ranking"),
    "a nameless record": ('{"score": 1, "rank_low": 1}\n', "line 1", "no record of a ranking"),
    "records": ('{"records": [{"system": "A", "rank_low": 1}]}', "record 1", "no record of a ranking"),
}


@pytest.mark.parametrize(("content", "words"), [(c, w) for c, *w in WRONG.values()], ids=WRONG)
def test_what_is_wrong_is_said(tmp_path: pathlib.Path, content: str, words: list[str]) -> None:
    file = put(tmp_path, "ranked", content)
    with pytest.raises(InputError) as caught:
        read_scores(file)
    assert str(file) in str(caught.value)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.hint


def test_a_missing_score_stays_missing(tmp_path: pathlib.Path) -> None:
    for name, content in (
        ("a.csv", "system,score,rank_low\nA,1,1\nB,NA,2\n"),
        ("a.jsonl", '{"system": "A", "score": 1, "rank_low": 1}\n{"system": "B", "score": null}\n'),
    ):
        (found,) = read_scores(put(tmp_path, name, content))
        assert found.values[0, 0] == 1
        assert np.isnan(found.values[1, 0])


def test_a_ranking_is_of_systems_and_is_not_written_here(tmp_path: pathlib.Path) -> None:
    file = put(tmp_path, "official.txt", OFFICIAL)
    with pytest.raises(InputError, match="system level, and the segment level"):
        read_scores(file, level="segment")
    with pytest.raises(InputError, match="does not say the domain"):
        read_scores(file, domain="news")
    with pytest.raises(InputError, match="not written as ranking"):
        write_scores(read_scores(file), tmp_path / "again", "ranking")
    with pytest.raises(InputError, match="standard input"):
        read_scores("-", "ranking")
