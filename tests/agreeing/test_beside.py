"""What was found earlier beside what is found now: `tercet meta --beside`."""

from __future__ import annotations

import csv
import io
import json
import pathlib
from typing import Any

import pytest

from tercet.errors import InputError
from tercet.formats.agreements import read_agreements
from tests.cli.test_judgements import here

ONE = "system,HUMAN,a,b,c\nA,1,1,2,1\nB,2,2,1,3\nC,3,3,3.5,2\nD,4,4,4,1\nE,5,4.5,5,5\n"
OTHER = "system,HUMAN,b,a,नया\nA,1,1,2,1\nB,2,2,1,3\nC,3,3,3.5,2\nD,4,4,4,1\nE,5,4.5,5,5\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def years(tmp_path: pathlib.Path, capsys: Capture) -> tuple[pathlib.Path, pathlib.Path]:
    """What was found in the one year, and scores of the other."""
    for name, text in (("one.csv", ONE), ("two.csv", OTHER)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert here(capsys, "meta", "--scores", tmp_path / "one.csv", "-o", tmp_path / "2014.json")[0] == 0
    return tmp_path / "2014.json", tmp_path / "two.csv"


def test_two_years_stand_side_by_side(years: tuple[pathlib.Path, pathlib.Path], capsys: Capture) -> None:
    earlier, scores = years
    status, out, err = here(capsys, "meta", "--scores", scores, "--beside", earlier)
    assert (status, err) == (0, "")
    header, _, *rows = out.splitlines()
    assert header.split() == ["metric", "2014", "place", "now", "place"]
    placed = [(row.split()[0], row.split()[-1]) for row in rows[:4]]
    assert placed == [("b", "1"), ("a", "2"), ("नया", "3"), ("c", "–")]
    assert "compare places, not figures" in out
    assert out.splitlines()[-1].startswith("meta|scores:b+a+नया|")
    out = here(capsys, "meta", "--scores", scores, "--beside", earlier, "-f", "csv")[1]
    records = list(csv.DictReader(io.StringIO(out)))
    assert [(r["column"], r["metric"], r["place"]) for r in records] == [
        *(("2014", metric, place) for metric, place in zip("abc", "123", strict=True)),
        *(("now", metric, place) for metric, place in zip(("b", "a", "नया"), "123", strict=True)),
    ]
    assert records[0]["value"] == records[3]["value"], "the same scores under another name"


def test_they_are_drawn(years: tuple[pathlib.Path, pathlib.Path], capsys: Capture, tmp_path: pathlib.Path) -> None:
    earlier, scores = years
    picture = tmp_path / "years.svg"
    scores.write_text(ONE, encoding="utf-8")  # with letters that every font has
    assert here(capsys, "meta", "--scores", scores, "--beside", earlier, "-o", picture)[0] == 0
    assert picture.read_bytes().startswith(b"<?xml")
    status, _, err = here(capsys, "meta", "--scores", scores, "--beside", earlier, "-o", picture, "--plot", "scatter")
    assert (status, err) == (2, "tercet: --plot does nothing with beside. Leave out --plot.\n")


def test_only_what_is_alike_is_put_beside(years: tuple[pathlib.Path, pathlib.Path], capsys: Capture) -> None:
    earlier, scores = years
    status, _, err = here(capsys, "meta", "--scores", scores, "--beside", earlier, "--measure", "kendall")
    assert (status, "has no kendall of the system level" in err, "It has pearson" in err) == (2, True, True)
    measures = ("--measure", "kendall", "--measure", "pearson")
    status, _, err = here(capsys, "meta", "--scores", scores, "--beside", earlier, *measures)
    assert (status, "One measure stands beside an earlier one" in err) == (2, True)


def test_directions_are_columns(years: tuple[pathlib.Path, pathlib.Path], capsys: Capture) -> None:
    earlier, scores = years
    found = json.loads(earlier.read_text(encoding="utf-8"))
    both = [{**r, "direction": pair} for pair in ("de-en", "en-de") for r in found["records"]]
    earlier.write_text(json.dumps({"records": both}), encoding="utf-8")
    out = here(capsys, "meta", "--scores", scores, "--beside", earlier)[1]
    assert out.splitlines()[0].split()[1:6] == ["2014", "de-en", "place", "2014", "en-de"]
    earlier.write_text(json.dumps({"records": [*both, both[0]]}), encoding="utf-8")
    assert "has a metric twice" in here(capsys, "meta", "--scores", scores, "--beside", earlier)[2]


@pytest.mark.parametrize(
    "change", [{"metric": 1}, {"value": "x"}, {"value": 1e999}, {"n": -1}, {"n": 0.5}, {"low": []}, {"direction": None}]
)
def test_what_is_no_agreement_is_refused(change: dict[str, Any], tmp_path: pathlib.Path) -> None:
    record = {"metric": "a", "level": "system", "measure": "pearson", "direction": "", "value": None, "n": 3}
    path = tmp_path / "found.json"
    path.write_text(json.dumps({"records": [record]}), encoding="utf-8")
    (read,) = read_agreements(path)
    assert (read.metric, repr(read.value), read.n) == ("a", "nan", 3)
    path.write_text(json.dumps({"records": [{**record, **change}]}), encoding="utf-8")
    with pytest.raises(InputError, match=r"found\.json, record 1: .* is no agreement of a metric"):
        read_agreements(path)


@pytest.mark.parametrize("text", ["", "\n", '{"records": []}'])
def test_nothing_is_not_put_beside_anything(text: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "found.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="has no records"):
        read_agreements(tmp_path / "found.json")
