"""`tercet rank`, `agreement`, `choose` and `plan` as a person runs them."""

from __future__ import annotations

import csv
import io
import json
import pathlib

import pytest

import tercet
from tercet.cli.app import app
from tercet.plots.canvas import save
from tercet.report import FORMATS
from tests.cli.test_cli import invoke, run

HEADER = "srclang,trglang,segmentId,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
ROWS = "".join(f"cs,en,{s},j{s % 3},A,B,C,{1 + s % 2},{2 - s % 2 + (s % 5 == 0)},{3 + s % 2}\n" for s in range(1, 41))


def here(capsys: pytest.CaptureFixture[str], *arguments: str | pathlib.Path) -> tuple[int, str, str]:
    """As `run`, in this process, which is faster."""
    try:
        app([str(a) for a in arguments], standalone_mode=False)
        status = 0
    except SystemExit as stop:
        status = int(str(stop.code))
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.fixture
def rankings(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "rankings.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    return path


def test_rank_prints_what_the_function_returns(rankings: pathlib.Path) -> None:
    status, out, err = run("rank", rankings, "-m", "expected-wins", "--unit", "task", "-f", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    expected = tercet.rank(rankings, method="expected-wins", unit="task")
    assert found == {"signature": expected.signature, "records": expected.as_records()}
    assert list(found["records"][0]) == ["system", "score", "rank_low", "rank_high", "cluster"]


def test_agreement_prints_what_the_function_returns(rankings: pathlib.Path) -> None:
    found = json.loads(invoke("agreement", rankings, "--compat", "-f", "json")[1])
    expected = tercet.agreement(rankings, compat=True)
    assert found["signature"] == expected.signature
    assert [r["kind"] for r in found["records"]] == [r.kind for r in expected]
    assert list(found["records"][0])[:5] == ["kind", "kappa", "p_agree", "p_expected", "comparable"]


def test_amounts_are_of_all_language_pairs_and_go_with_nothing_else(
    rankings: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rankings.write_text(HEADER + ROWS + ROWS.replace("cs,en", "de,en"), encoding="utf-8")
    records = json.loads(here(capsys, "agreement", rankings, "--amounts", "-f", "json")[1])["records"]
    assert records == tercet.amounts(rankings).as_records()
    assert [r["pair"] for r in records] == ["cs-en", "de-en", "total"]
    for other in ("--compat", "--annotators", "--no-references"):
        status, _, err = here(capsys, "agreement", rankings, "--amounts", other)
        assert status == 2
        assert "--amounts" in err


def test_several_rankers_stand_side_by_side(
    rankings: pathlib.Path, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    figure = tmp_path / "rankers.svg"
    methods = ("-m", "others", "-m", "expected-wins")
    status, out, _ = here(capsys, "rank", rankings, *methods, "-f", "json", "--figure", figure)
    several = tercet.rank(rankings, method=["others", "expected-wins"])
    assert (status, json.loads(out)) == (0, {"signature": several.signature, "records": several.as_records()})
    assert "expected-wins" in figure.read_text(encoding="utf-8")
    status, _, err = here(capsys, "rank", rankings, *methods, "--head-to-head")
    assert status == 2
    assert "one ranker" in err


COMMANDS = {
    "rank": ("rank", "-m", "expected-wins"),
    "side by side": ("rank", "-m", "expected-wins", "-m", "others"),
    "head to head": ("rank", "-m", "others", "--head-to-head", "--counts"),
    "agreement": ("agreement",),
    "annotators": ("agreement", "--annotators"),
    "amounts": ("agreement", "--amounts"),
    "annotator": ("agreement", "--annotator", "j1"),
    "choose": ("choose", "-m", "expected-wins", "-m", "others", "--folds", "4"),
    "plan": ("plan", "--budget", "40", "--campaigns", "2", "--samples", "20"),
}


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_format_goes_to_a_pipe_and_to_a_file(
    rankings: pathlib.Path,
    command: tuple[str, ...],
    style: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    verb, *options = command
    status, piped, err = here(capsys, verb, rankings, *options, "-f", style)
    assert status == 0, err
    assert "\x1b" not in piped
    assert here(capsys, verb, rankings, *options, "-f", style, "-o", tmp_path / "out")[:2] == (0, "")
    assert (tmp_path / "out").read_text(encoding="utf-8") == piped
    if style == "csv":
        records = json.loads(here(capsys, verb, rankings, *options, "-f", "json")[1])["records"]
        assert next(csv.reader(io.StringIO(piped))) == list(records[0])


def test_standard_input_and_gzip(rankings: pathlib.Path) -> None:
    piped = run("rank", "-", "--judgements-format", "rankings", "-m", "others", stdin=rankings.read_bytes())
    assert piped[0] == 0
    assert piped[1] == invoke("rank", rankings, "-m", "others")[1]


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_figures(
    rankings: pathlib.Path, tmp_path: pathlib.Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    many = pathlib.Path(tercet.__file__).parent / "sample"
    for k, command in enumerate(
        (
            ("rank", rankings, "-m", "others"),
            ("rank", rankings, "-m", "others", "--head-to-head"),
            *(
                ("agreement", many / f"en-de.{kind}", "--annotators")
                for kind in ("rankings.csv", "da.csv", "mqm.tsv", "esa.csv")
            ),
        )
    ):
        figure = tmp_path / f"{k}.{suffix}"
        assert here(capsys, *command, "--figure", figure)[0] == 0
        assert figure.stat().st_size > 1000


def test_figures_of_agreement_are_those_of_python(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = pathlib.Path(tercet.__file__).parent / "sample" / "en-de.rankings.csv"
    answer, judges = tercet.agreement(people), tercet.annotators(people)
    assert judges.overall == next(r.kappa for r in answer if r.kind == "inter")
    for name, python, options in (("all", answer, ()), ("judges", judges, ("--annotators",))):
        save(python.plot(), tmp_path / "python.svg")
        assert here(capsys, "agreement", people, *options, "--figure", tmp_path / f"{name}.svg")[0] == 0
        assert (tmp_path / f"{name}.svg").read_bytes() == (tmp_path / "python.svg").read_bytes()


def test_judges_who_share_nothing_make_no_figure(
    rankings: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = here(capsys, "agreement", rankings, "--annotators", "-o", tmp_path / "a.svg")
    assert status == 2
    assert "Nothing can be drawn of 3 judges" in err
    assert not (tmp_path / "a.svg").exists()


def test_what_was_left_out_is_said_beside_the_records(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rankings.csv"
    path.write_text(HEADER + ROWS + "cs,en,99,j1,A,B,C,1,-1,2\ncs,en,100,j1,,,,,,\n", encoding="utf-8")
    status, out, err = invoke("rank", path, "-m", "others", "-f", "csv")
    assert status == 0
    assert "left out" not in out
    assert "Tasks with outputs that were not judged (rank -1): 1; the tasks were left out." in err
    assert "skipped" in err
    assert "the tasks were left out." in invoke("rank", path, "-m", "others")[1]


def test_names_come_from_the_test_set(rankings: pathlib.Path, tmp_path: pathlib.Path) -> None:
    texts = tmp_path / "texts.tsv"
    texts.write_text("segment\ta\tb\tthird\n1\tx\ty\tz\n", encoding="utf-8")
    status, _, err = invoke("rank", rankings, "-t", texts, "-m", "others")
    assert status == 2
    assert "judges C, which the test set does not have" in err
    assert "third is left" in err
    out = invoke("rank", rankings, "-t", texts, "--name", "C=third", "-m", "others", "-f", "csv")[1]
    assert {line.partition(",")[0] for line in out.splitlines()[1:]} == {"a", "b", "third"}


FAULTS = {
    "missing column": (HEADER.replace("judgeId", "who") + ROWS, "judge"),
    "no number": (HEADER + ROWS + "cs,en,41,j1,A,B,C,1,two,3\n", "line 42"),
    "rank of zero": (HEADER + ROWS + "cs,en,41,j1,A,B,C,1,0,3\n", "line 42"),
    "system twice": (HEADER + ROWS + "cs,en,41,j1,A,B,A,1,2,3\n", "line 42"),
    "two languages": (HEADER + ROWS + "de,en,41,j1,A,B,C,1,2,3\n", "line 42"),
    "too few cells": (HEADER + ROWS + "cs,en,41,j1,A\n", "line 42"),
    "empty file": ("", "empty"),
    "header only": (HEADER, "no"),
    "one system": (HEADER + "cs,en,41,j1,A,,,1,,\n", "no two outputs"),
    "not judgements": ("once upon a time\nthere was a text\n", "format"),
}


@pytest.mark.parametrize(("text", "complaint"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_sentence_with_the_line(
    text: str, complaint: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "faulty.csv"
    path.write_text(text, encoding="utf-8")
    status, out, err = here(capsys, "rank", path, "-m", "others")
    assert (status, out) == (2, "")
    assert err.startswith("tercet: ")
    assert "faulty.csv" in err
    assert complaint in err
    assert "Traceback" not in err


WRONG = {
    "method of another kind": (("-m", "da"), "da cannot rank"),
    "no such method": (("-m", "trueskil"), "Did you mean trueskill"),
    "samples": (("-m", "others", "--samples", "0"), "samples must be"),
    "confidence": (("-m", "others", "--confidence", "1"), "confidence must be a number between 0 and 1"),
    "figure": (("-m", "others", "--figure", "x.bmp"), ".bmp"),
    "folder of the figure": (("-m", "others", "--figure", "no/x.svg"), "folder"),
    "name": (("-m", "others", "--name", "A"), "no map of names"),
    "unknown name": (("-m", "others", "--name", "Z=Y"), "has no system Z"),
    "pair": (("-m", "others", "--pair", "de-en"), "de-en"),
}


@pytest.mark.parametrize(("options", "complaint"), WRONG.values(), ids=WRONG)
def test_a_wrong_option_is_explained(
    rankings: pathlib.Path,
    options: tuple[str, ...],
    complaint: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = here(capsys, "rank", rankings, *options)
    assert status == 2
    assert complaint in err
    assert "Traceback" not in err
    assert [p.name for p in tmp_path.iterdir()] == ["rankings.csv"]
