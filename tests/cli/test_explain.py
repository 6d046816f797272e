"""`tercet explain` as a person runs it."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import pty
import re
import subprocess
import sys

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.report.explanations import explanation_lines, plain_text

HYP, OTHER, REF = "the small cat sat", "sat the cat", "the black cat sat"


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and complaints."""
    done = click.testing.CliRunner().invoke(app, ["explain", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


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


def test_a_line_of_files(tmp_path: pathlib.Path) -> None:
    lines = {
        "a": f"nothing\n{HYP}\n",
        "b": f"nothing\n{OTHER}\n",
        "ref": f"nothing\n{REF}\n",
        "src": "nichts\n猫 坐着\n",
    }
    a, b, ref, src = (tmp_path / f"{name}.txt" for name in lines)
    for path, text in zip((a, b, ref, src), lines.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    texts = ("--hyp", a, "--hyp2", b, "--ref", ref, "--source", src)
    status, out, _ = run("ter", *texts, "--segment", "2", "-f", "json")
    assert status == 0
    records = json.loads(out)["records"]
    assert [(r["system"], r["segment"], r["source"]) for r in records] == [("a", "2", "猫 坐着"), ("b", "2", "猫 坐着")]
    assert [r["score"] for r in records] == [e.score for e in tercet.explain("ter", [HYP, OTHER], REF)]
    shown = run("ter", *texts, "--segment", "2")[1].splitlines()
    assert [line.split() for line in shown[:2]] == [["segment", "2"], ["source", "猫", "坐着"]]
    for wrong, told in (
        ((), "Say which line: --segment"),
        (("--segment", "3"), "no segment '3'"),
        (("--segment", "2", "--hyp", tmp_path / "c.txt"), "There is no file"),
    ):
        status, out, err = run("ter", *texts, *wrong)
        assert (status, out) == (2, "")
        assert told in err


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "per", "sentbleu"])
def test_the_name_of_the_output_says_what_it_is(metric: str, tmp_path: pathlib.Path) -> None:
    texts = ("--hyp", HYP, "--hyp2", OTHER, "--ref", REF)
    for name, begins in (("page.html", "<!doctype html>"), ("page.svg", "<svg "), ("page.txt", "hypothesis 1: ")):
        assert run(metric, *texts, "-o", tmp_path / name) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert run(metric, *texts, "-f", "json", "-o", tmp_path / "page.json") == (0, "", "")
    assert json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))["records"]
    assert len(list(tmp_path.iterdir())) == 4


def test_a_table_holds_the_numbers_of_the_formula(tmp_path: pathlib.Path) -> None:
    command = ["explain", "ter", "--hyp", "the cat sat", "--ref", "the cat sat down", "-o"]
    for name in ("out.csv", "out.md"):
        assert click.testing.CliRunner().invoke(app, [*command, str(tmp_path / name)]).exit_code == 0
    rows = csv.DictReader((tmp_path / "out.csv").read_text(encoding="utf-8").splitlines())
    values = {row["name"]: float(row["value"]) for row in rows}
    assert (values["score"], values["edits"]) == (25, 1)
    told = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert "| score | 25.0000 |" in told
    assert "| edits | 1 |" in told


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
