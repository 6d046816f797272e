"""`tercet explain` as a person runs it."""

from __future__ import annotations

import inspect
import json
import os
import pathlib
import pty
import re
import subprocess
import sys

import pytest
import typer.testing

import tercet
from tercet.cli.app import app
from tercet.report.explanations import explanation_lines, plain_text

HYP, OTHER, REF = "the small cat sat", "sat the cat", "the black cat sat"


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and complaints."""
    done = typer.testing.CliRunner().invoke(app, ["explain", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_without_arguments_it_shows_an_example() -> None:
    status, out, _ = run()
    assert status == 0
    assert "For example" in out
    assert "tercet explain " in out


def test_options_are_the_parameters_of_the_function() -> None:
    (command,) = (c.callback for c in app.registered_commands if c.name == "explain")
    assert command is not None
    shell, library = inspect.signature(command).parameters, inspect.signature(tercet.explain).parameters
    assert set(shell) - {"style", "output"} == set(library)
    for name in set(library) - {"metric"}:  # which must be given in a library
        assert shell[name].default == library[name].default, name


def test_the_command_prints_what_the_function_returns() -> None:
    status, out, err = run("ter", "--hyp", HYP, "--hyp2", OTHER, "--ref", REF)
    assert (status, err) == (0, "")
    found = tercet.explain("ter", [HYP, OTHER], [REF])
    assert out == plain_text(explanation_lines(found, 100))
    status, out, _ = run("ter", "--hyp", HYP, "--hyp", OTHER, "--ref", REF, "-f", "json")
    assert status == 0
    read = json.loads(out)
    assert read["signature"] == found.signature
    assert read["records"] == json.loads(json.dumps(found.as_records()))


def test_a_segment_of_a_test_set(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "texts.tsv"
    file.write_text(f"segment\treference\tA\tB\nx\t{REF}\t{HYP}\t{OTHER}\n", encoding="utf-8")
    status, out, _ = run("chrf", "-t", file, "--segment", "x", "--system", "B", "-f", "json")
    assert status == 0
    assert [record["system"] for record in json.loads(out)["records"]] == ["B"]


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "per", "sentbleu"])
def test_the_name_of_the_output_says_what_it_is(metric: str, tmp_path: pathlib.Path) -> None:
    texts = ("--hyp", HYP, "--hyp2", OTHER, "--ref", REF)
    for name, begins in (("page.html", "<!doctype html>"), ("page.svg", "<svg "), ("page.txt", "hypothesis 1: ")):
        assert run(metric, *texts, "-o", tmp_path / name) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert run(metric, *texts, "-f", "json", "-o", tmp_path / "page.json") == (0, "", "")
    assert json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))["records"]
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["ter", "--hyp", HYP], "needs references"),
        (["tre", "--hyp", HYP, "--ref", REF], "Did you mean ter"),
        (["ter", "--ref", REF], "no hypothesis"),
        (["ter", "--hyp", HYP, "--ref", REF, "-o", "nowhere/page.html"], "The folder of nowhere"),
        (["ter", "--testset", "nowhere.tsv", "--segment", "1"], "nowhere.tsv"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[str], told: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_a_terminal_gets_colour_and_its_width() -> None:
    """On a real terminal of 60 columns: colours, the same words, and nothing wider."""
    here, there = pty.openpty()
    environment = {**os.environ, "COLUMNS": "60", "LINES": "50", "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "tercet", "explain", "bleu", "--hyp", HYP, "--ref", REF]
    done = subprocess.Popen(command, stdout=there, env=environment)
    os.close(there)
    seen = b""
    while True:
        try:
            read = os.read(here, 4096)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        seen += read
    os.close(here)
    assert done.wait() == 0
    text = seen.decode("utf-8").replace("\r\n", "\n")
    assert "\x1b[" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    wanted = plain_text(explanation_lines(tercet.explain("bleu", HYP, REF), 60))
    assert [line.rstrip() for line in plain.split("\n")] == wanted.split("\n")
