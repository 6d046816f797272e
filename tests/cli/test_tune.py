"""`tercet tune`: the same answer as the function, in every format, with a figure beside it."""

from __future__ import annotations

import csv
import io
import json
import pathlib

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.sample import write_exercise

ARGUMENTS = ["tune", "chrf", "-t", "exercise.tsv", "-j", "exercise.pairs.tsv", "--objective", "pair-accuracy"]
FEW = [*ARGUMENTS, "--parameter", "beta=1:3:0.5", "--folds", "3"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_exercise()


def run(*arguments: str) -> tuple[int, str]:
    done = click.testing.CliRunner().invoke(app, arguments)
    return done.exit_code, done.stdout


def answer() -> tercet.Tuning:
    return tercet.tune(
        "chrf",
        testset="exercise.tsv",
        judgements="exercise.pairs.tsv",
        objective="pair-accuracy",
        parameters=["beta=1:3:0.5"],
        folds=3,
    )


def test_the_command_prints_what_the_function_returns() -> None:
    status, printed = run(*FEW, "-f", "json")
    assert status == 0
    found = answer()
    assert json.loads(printed) == {"signature": found.signature, "records": found.as_records()}
    status, printed = run(*FEW, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [float(r["value"]) for r in rows] == [r.value for r in found]


def test_the_last_line_of_the_table_can_be_pasted() -> None:
    status, printed = run(*FEW)
    assert status == 0
    spec = printed.splitlines()[-1]
    assert str(tercet.metric(spec)) == spec == answer().spec
    assert answer().answer in printed


def test_a_figure_and_a_file() -> None:
    status, printed = run(*FEW, "--figure", "around.svg", "-o", "out.md", "-f", "markdown")
    assert (status, printed) == (0, "")
    assert "<svg" in pathlib.Path("around.svg").read_text(encoding="utf-8")
    assert pathlib.Path("out.md").read_text(encoding="utf-8").startswith("| part |")


@pytest.mark.parametrize(
    ("more", "status"),
    [(["--figure", "a.txt"], 2), (["-o", "no/where.txt"], 2), (["--parameter", "gamma"], 2), (["--folds", "99"], 2)],
)
def test_bad_input_is_one_message(more: list[str], status: int) -> None:
    assert run(*ARGUMENTS, *more)[0] == status
