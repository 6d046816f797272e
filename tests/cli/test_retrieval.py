"""`tercet retrieval`: the same answer as the function, in every format and at every level."""

from __future__ import annotations

import csv
import io
import json
import pathlib

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.report import render
from tercet.report.retrieval import retrieval_tables
from tercet.sample import write_retrieval

SYSTEMS = ("amber", "birch", "cedar", "delta")
FILES = [*(f"{name}.tsv" for name in SYSTEMS), "qrels.txt"]
SEARCH = ["retrieval", *FILES, "--ceiling", "titles.tsv", "--collection", "pages.tsv"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_retrieval()
    lines = ["q01 Q0 page101 1 3 a", "q01 Q0 page102 2 2 a", "q02 Q0 page103 1 1 a"]
    pathlib.Path("one.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    pathlib.Path("two.run").write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")


def run(*arguments: str) -> tuple[int, str, str]:
    done = click.testing.CliRunner().invoke(app, arguments)
    return done.exit_code, done.stdout, done.stderr


def answer(**more: object) -> tercet.Retrieval:
    paths = {name: f"{name}.tsv" for name in SYSTEMS}
    return tercet.retrieval(paths, "qrels.txt", ceiling="titles.tsv", collection="pages.tsv", **more)  # type: ignore[arg-type]


def test_the_command_prints_what_the_function_returns() -> None:
    found = answer(metrics=["bleu", "chrf"])
    for level in ("system", "query", "metric"):
        status, out, error = run(*SEARCH, "-m", "bleu", "-m", "chrf", "-f", "json", "--level", level)
        assert (status, error) == (0, "")
        assert json.loads(out) == {"signature": found.signature, "records": found.as_records(level)}
    status, out, _ = run(*SEARCH, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [float(r["value"]) for r in rows] == [r.value for r in found]


def test_tables() -> None:
    found = answer(metrics=["chrf"])
    tables = retrieval_tables(found)
    assert [t.header[0] for t in tables] == ["system", "% of ceiling", "less ceiling", "metric"]
    assert run(*SEARCH, "-m", "chrf") == (0, "\n".join(render(t, "table") for t in tables), "")
    assert run(*SEARCH, "-m", "chrf", "-f", "latex") == (0, "\n".join(render(t, "latex") for t in tables), "")
    values, shares, differences, _ = tables
    assert values.header[1:] == ("P@5", "P@10", "NDCG@5", "NDCG@10", "MAP", "Rprec", "bpref", "rel")
    assert [row[0] for row in values.rows] == [*SYSTEMS, "ceiling"]
    assert values.rows[0][5] == f"{found.value('amber', 'MAP'):.4f}"
    assert values.rows[0][8] == f"{found.value('amber', 'rel'):.0f}"
    assert values.rules == {3}
    best = max(SYSTEMS, key=lambda name: found.value(name, "MAP"))
    assert {r for r, c in values.best if c == 5} == {SYSTEMS.index(best)}, "the ceiling takes no part"
    record = next(r for r in found if (r.system, r.measure) == ("delta", "P@10"))
    assert shares.rows[3][2] == f"{100 * (record.of_ceiling or 0):.1f}"
    assert record.p_value is not None
    assert record.p_value < 0.05
    assert differences.rows[3][2] == f"{record.delta:+.4f} p = {record.p_value:.3f}*".replace("= 0.", "= .")


def test_runs_and_names() -> None:
    status, out, error = run("retrieval", "first=one.run", "two.run", "qrels.txt")
    assert (status, error) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[2:4]] == ["first", "two"]
    assert "first lacks 10 of the 12 queries that were judged." in out
    status, out, error = run("retrieval", "one.run", "qrels.txt", "-f", "tsv")
    assert "one lacks 10 of the 12 queries" in error
    assert len(out.splitlines()) == 9
    status, out, _ = run("retrieval", "one.run", "qrels.txt", "--level", "query")
    assert out.startswith("system  query")
    assert len([line for line in out.splitlines() if line.startswith("one ")]) == 12 + 1


def test_files_in_the_wrong_order() -> None:
    status, _, error = run("retrieval", "qrels.txt", "one.run")
    assert status == 2
    assert (
        "qrels.txt, line 1: 4 columns where a run of 6 should stand" in error or "one.run, line 1: 6 columns" in error
    )
    status, _, error = run("retrieval", "one.run")
    assert status == 2
    assert "Name the judgements last" in error


def test_a_level_without_metrics_says_so() -> None:
    status, out, _ = run(*SEARCH, "--level", "metric")
    assert status == 0
    assert "give some with -m" in out
