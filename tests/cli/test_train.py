"""`tercet train`: the same answer as the function, a model file beside it."""

from __future__ import annotations

import json
import pathlib

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.sample import write_exercise

GIVEN = ["-t", "exercise.tsv", "-j", "exercise.pairs.tsv", "--folds", "3", "--strength", "0.01", "--strength", "1"]
PARTS = ["-m", "chrf", "-m", "errors=ter"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_exercise()


def run(*arguments: str) -> tuple[int, str]:
    done = click.testing.CliRunner().invoke(app, arguments)
    return done.exit_code, done.stdout


def answer(kind: str) -> tercet.Training:
    return tercet.train(
        kind,  # type: ignore[arg-type]
        metrics={"chrf": "chrf", "errors": "ter"},
        testset="exercise.tsv",
        judgements="exercise.pairs.tsv",
        folds=3,
        strengths=[0.01, 1.0],
    )


@pytest.mark.parametrize("kind", ["beer", "beer-1.1", "combine"])
def test_the_command_prints_what_the_function_returns(kind: str) -> None:
    status, printed = run("train", kind, *PARTS, *GIVEN, "-f", "json", "--model", "model.json")
    assert status == 0
    found = answer(kind)
    assert json.loads(printed) == {"signature": found.signature, "records": found.as_records()}
    content = json.loads(pathlib.Path("model.json").read_text(encoding="utf-8"))
    assert {key: value for key, value in content.items() if key != "signature"} == found.content
    pathlib.Path("hyp.txt").write_text("a cat\n", encoding="utf-8")
    status, printed = run("score", "hyp.txt", "-r", "hyp.txt", "-m", f"{kind}(model=model.json)", "-f", "json")
    assert status == 0
    assert f"model-signature:{content['signature']}" in printed


def test_the_table_has_a_row_a_metric_and_the_weights() -> None:
    status, printed = run("train", "combine", *PARTS, *GIVEN)
    assert status == 0
    lines = printed.splitlines()
    assert lines[0].split() == ["metric", "all", "held-out"]
    assert [line.split()[0] for line in lines[2:6]] == ["combination", "-" * len("combination"), "chrf", "errors"]
    assert answer("combine").answer in printed
    assert any(line.startswith("Weights: chrf ") for line in lines)
    assert not list(pathlib.Path().glob("*.json"))


@pytest.mark.parametrize(
    "more", [["--model", "no/where.json"], ["-o", "no/where.txt"], ["--folds", "99"], ["--strength", "-1"]]
)
def test_bad_input_is_one_message(more: list[str]) -> None:
    assert run("train", "beer", *GIVEN, *more)[0] == 2
