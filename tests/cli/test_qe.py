"""`tercet qe evaluate` and `tercet qe labels`: the same answer as the functions, in every format; the sample."""

from __future__ import annotations

import importlib.util
import json
import pathlib
from typing import Any

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.report import render
from tercet.report.quality import quality_tables
from tercet.sample import write_quality
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_quality()


def run(*arguments: str) -> tuple[int, str, str]:
    done = click.testing.CliRunner().invoke(app, ["qe", *arguments])
    return done.exit_code, done.stdout, done.stderr


def program() -> Any:
    """scripts/make_quality.py as a module."""
    spec = importlib.util.spec_from_file_location("make_quality", ROOT / "scripts" / "make_quality.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_sample_is_what_the_program_draws() -> None:
    drawn = program().files()
    assert sorted(drawn) == sorted(path.name for path in pathlib.Path().iterdir())
    assert [name for name, text in drawn.items() if pathlib.Path(name).read_text(encoding="utf-8") != text] == []


def test_labels_then_evaluation() -> None:
    assert run("labels", "hter", "-t", "test.mt", "-p", "test.pe", "-o", "test.hter") == (0, "", "")
    found = tercet.qe_evaluate(
        {"forest": "forest.tsv", "length": "length.txt"}, "test.hter", scale=100.0, baseline="length", samples=100
    )
    command = ["evaluate", "forest.tsv", "length.txt", "-g", "test.hter", "--scale", "100", "--baseline", "length"]
    status, out, error = run(*command, "--samples", "100", "-f", "json")
    assert (status, error) == (0, "")
    assert json.loads(out) == {"signature": found.signature, "records": found.as_records()}
    for style in ("table", "markdown", "latex"):
        wanted = "\n".join(render(table, style) for table in quality_tables(found))
        assert run(*command, "--samples", "100", "-f", style) == (0, wanted, "")
    assert "• forest" in quality_tables(found)[1].rows[0][0]


def test_a_name_may_be_given_and_a_file_may_be_packed() -> None:
    import gzip

    pathlib.Path("packed.tsv.gz").write_bytes(gzip.compress(pathlib.Path("forest.tsv").read_bytes()))
    run("labels", "hter", "-t", "test.mt", "-p", "test.pe", "-o", "test.hter")
    records = json.loads(
        run("evaluate", "packed.tsv.gz", "ours=forest.tsv", "-g", "test.hter", "--samples", "40", "-f", "json")[1]
    )["records"]
    values = {(r["system"], r["measure"]): r["value"] for r in records}
    assert values["packed", "mae"] == values["ours", "mae"]


def test_words_with_gaps_spans_and_figures() -> None:
    run("labels", "gap-tags", "-t", "test.mt", "-p", "test.pe", "--no-shifts", "-o", "gaps.tags")
    status, out, _ = run("evaluate", "gaps.tags", "-g", "gaps.tags", "--gaps", "--target", "test.mt", "--samples", "40")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("word", "gap"))] == ["word", "gap"]
    run("labels", "tags", "-t", "test.mt", "-p", "test.pe", "--no-shifts", "-o", "test.tags")
    for picture, extra in (
        ("confusion", ["--picture", "confusion"]),
        ("labels", ["--picture", "labels"]),
        ("usual", []),
    ):
        command = ["evaluate", "forest.tags", "ridge.tags", "-g", "test.tags", "--samples", "40"]
        assert run(*command, "--figure", f"{picture}.svg", *extra)[0] == 0
    svg = {name: pathlib.Path(f"{name}.svg").read_text(encoding="utf-8") for name in ("confusion", "labels", "usual")}
    assert svg["usual"] == svg["confusion"] != svg["labels"]
    assert "true tag" in svg["confusion"]
    status, out, error = run(
        "evaluate", "forest.spans.tsv", "-g", "gold.spans.tsv", "--samples", "40", "--figure", "s.svg"
    )
    assert (status, error) == (0, "")
    assert "mpp-f1" in out
    status, _, error = run(
        *("evaluate", "forest.spans.tsv", "-g", "gold.spans.tsv", "--samples", "40"),
        *("--figure", "c.svg", "--picture", "confusion"),
    )
    assert (status, "no confusion matrix" in error) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["evaluate", "none.tsv", "-g", "length.txt"], "There is no file none.tsv."),
        (["evaluate", "forest.tsv", "-g", "test.mt"], "is no file of labels that is known"),
        (["evaluate", "forest.tags", "-g", "length.txt"], "forest.tags, line 1: the score is"),
        (["evaluate", "ridge.tags", "-g", "forest.tags", "--target", "test.en"], "forest.tags, line 1: 19 tags where"),
        (["evaluate", "ridge.tags", "-g", "forest.tags", "--replace", "GOOD"], "does not say which tag becomes which"),
        (["evaluate", "forest.tsv", "-g", "length.txt", "--samples", "2000000"], "samples must be a whole number"),
        (["labels", "hter", "-t", "test.mt"], "hter needs target and post-edits."),
        (["labels", "time", "-t", "test.mt", "--times", "test.en"], "test.en, line 1: the time is"),
        (["labels", "hter", "-t", "test.mt", "-p", "train.pe"], "There are 120 translations and 300 post-edits."),
    ],
)
def test_errors_are_one_sentence_and_what_to_do(arguments: list[str], sentence: str) -> None:
    status, out, error = run(*arguments)
    assert (status, out) == (2, "")
    assert sentence in error
    assert error.count("\n") == 1


def test_labels_in_other_formats() -> None:
    status, out, _ = run("labels", "time", "-t", "test.mt", "--times", "test.ms", "-f", "csv")
    rows = out.splitlines()
    assert rows[0] == "segment,kind,label"
    assert [row for row in rows if row.endswith(",")] == ["18,time,", "81,time,"]
    status, out, error = run("labels", "time", "-t", "test.mt", "--times", "test.ms")
    assert (status, out.splitlines().count("nan")) == (0, 2)
    assert error == "tercet: 2 of 120 times lie far off and are no labels (nan).\n"
