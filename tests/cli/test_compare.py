"""`tercet compare` as a person, a merge request and a build run it."""

from __future__ import annotations

import json
import pathlib

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tests.cli.test_cli import run

REFERENCE = [f"the {n} old cats sat on the mat near the door" for n in ("two", "three", "four", "five")] * 5
BAD = [text.replace("old cats", "young dogs") for text in REFERENCE]


@pytest.fixture(autouse=True)
def files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two systems and a reference in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (("good", REFERENCE), ("bad", BAD), ("ref", REFERENCE)):
        pathlib.Path(f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def invoke(*arguments: str) -> click.testing.Result:
    """In this process, with a quick metric."""
    return click.testing.CliRunner().invoke(app, ["compare", *arguments, "--samples", "50"])


QUICK = ("-r", "ref.txt", "-m", "chrf")


def test_the_answer_comes_first_and_the_numbers_are_those_of_score() -> None:
    done = invoke("bad.txt", "good.txt", *QUICK)
    assert done.exit_code == 0
    assert done.output.startswith("good is better than bad by chrf (+")
    scores = click.testing.CliRunner().invoke(
        app, ["score", "bad.txt", "good.txt", *QUICK, "--ci", "--paired", "bootstrap", "--samples", "50"]
    )
    assert scores.exit_code == 0
    assert scores.output in done.output


def test_the_name_of_the_output_says_its_format() -> None:
    refused = invoke("bad.txt", "good.txt", *QUICK, "-o", "out.doc")
    assert refused.exit_code != 0
    assert not pathlib.Path("out.doc").exists()
    assert "no format is known by .doc" in refused.output
    assert ".html" in refused.output
    assert invoke("bad.txt", "good.txt", *QUICK, "-o", "out.csv").exit_code == 0
    assert pathlib.Path("out.csv").read_text(encoding="utf-8").startswith("system,metric,")
    assert invoke("bad.txt", "good.txt", *QUICK, "-f", "csv", "-o", "out.doc").exit_code == 0


def test_a_program_gets_everything() -> None:
    assert invoke("bad.txt", "good.txt", *QUICK, "-f", "json", "-o", "out").exit_code == 0
    by_name = invoke("bad.txt", "good.txt", *QUICK, "-o", "out.json")
    assert by_name.exit_code == 0
    text = pathlib.Path("out").read_text(encoding="utf-8")
    assert text == pathlib.Path("out.json").read_text(encoding="utf-8")
    found = json.loads(text)
    bad, good = (pathlib.Path(f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("bad", "good"))
    same = tercet.compare({"bad": bad, "good": good}, REFERENCE, metrics=["chrf"], samples=50)
    assert found == json.loads(json.dumps(same.to_dict()))


@pytest.mark.parametrize("style", ["table", "jsonl", "csv", "tsv", "markdown", "latex", "html"])
def test_every_format_goes_to_a_pipe_and_to_a_file(style: str) -> None:
    piped = invoke("bad.txt", "good.txt", *QUICK, "-f", style)
    written = invoke("bad.txt", "good.txt", *QUICK, "-f", style, "-o", "out")
    assert (piped.exit_code, written.exit_code, written.output) == (0, 0, "")
    assert pathlib.Path("out").read_text(encoding="utf-8") == piped.output
    assert "good" in piped.output


def test_a_page_by_the_name_of_the_output() -> None:
    assert invoke("bad.txt", "good.txt", *QUICK, "-o", "page.html").exit_code == 0
    assert pathlib.Path("page.html").read_text(encoding="utf-8").startswith("<!")


def test_a_build_fails_when_a_metric_falls() -> None:
    assert invoke("good.txt", "-o", "first.json", *QUICK, "bad.txt").exit_code == 0
    for name in ("good", "bad"):
        pathlib.Path(f"{name}.now.txt").write_text(pathlib.Path(f"{name}.txt").read_text(), encoding="utf-8")
    pathlib.Path("good.txt").write_text("\n".join(BAD) + "\n", encoding="utf-8")
    done = invoke("good.txt", *QUICK, "--baseline", "first.json", "--fail-if-worse", "chrf")
    assert done.exit_code == 3
    assert "20 of 20 outputs of good have changed: by chrf 0 got better and 20 worse." in done.output
    assert "good, worse: " in done.output
    fine = invoke("good=good.now.txt", *QUICK, "--baseline", "first.json", "--fail-if-worse", "chrf")
    assert fine.exit_code == 0
    other = invoke("bad=good.now.txt", *QUICK, "--baseline", "first.json", "--fail-if-worse", "chrf")
    assert other.exit_code == 0  # it got better


def test_a_build_fails_when_a_system_is_worse_than_the_baseline() -> None:
    assert invoke("good.txt", "bad.txt", *QUICK, "--fail-if-worse", "chrf").exit_code == 3
    assert invoke("bad.txt", "good.txt", *QUICK, "--fail-if-worse", "chrf").exit_code == 0
    assert invoke("good.txt", "bad.txt", *QUICK).exit_code == 0


def test_what_is_watched_must_be_measured() -> None:
    status, _, error = run("compare", "good.txt", "bad.txt", *QUICK, "--fail-if-worse", "ter")
    assert status == 2
    assert "ter is not among the metrics" in error


def test_the_message_of_a_failure_stands_on_stderr() -> None:
    status, out, error = run("compare", "good.txt", "bad.txt", *QUICK, "--fail-if-worse", "chrf", "-f", "csv")
    assert status == 3
    assert out.startswith("system,metric,score,")
    assert error.startswith("tercet: worse: bad than good by chrf (-")
