"""`tercet train ibm1`: the options of the function for a shell, its table in `score`, test sets without references."""

from __future__ import annotations

import json
import pathlib

import click.testing
import pytest

from tercet.cli.app import app
from tercet.sample import campaign


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = campaign("de-en")
    assert texts.sources is not None
    assert texts.references is not None
    columns = {"src.de": list(texts.sources), "ref.en": [refs[0] for refs in texts.references]}
    columns |= {f"{name}.en": list(texts.systems[name]) for name in ("amber", "ember")}
    for name, lines in columns.items():
        pathlib.Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def run(*arguments: str) -> tuple[int, str]:
    done = click.testing.CliRunner().invoke(app, arguments)
    return done.exit_code, done.output


def test_a_table_is_trained_and_used() -> None:
    code, shown = run("train", "ibm1", "src.de", "ref.en", "-o", "table.gz", "--iterations", "3")
    assert code == 0
    assert "48 pairs of sentences" in shown
    assert shown.splitlines()[0].split() == ["round", "log-likelihood", "perplexity"]
    code, shown = run("score", "amber.en", "ember.en", "-s", "src.de", "-m", "ibm1(table=table.gz)", "-f", "json")
    assert code == 0
    records = {r["system"]: r["score"] for r in json.loads(shown)["records"]}
    assert records["amber.en"] > records["ember.en"]


def test_records_and_files() -> None:
    code, shown = run("train", "ibm1", "src.de", "ref.en", "-o", "table", "-f", "json", "--no-empty-word")
    assert code == 0
    found = json.loads(shown.partition("\ntercet: ")[0])
    assert [r["iteration"] for r in found["records"]] == [1, 2, 3, 4, 5]
    assert pathlib.Path("table").read_text(encoding="utf-8").startswith(f"# tercet {found['signature']}\n")


def test_mistakes_are_said() -> None:
    assert "For example" in run("train", "ibm1")[1]
    for wrong in (("src.de", "ref.en"), ("src.de", "nowhere", "-o", "t"), ("src.de", "ref.en", "-o", "no/t")):
        assert run("train", "ibm1", *wrong)[0] == 2
        assert not pathlib.Path("t").exists()


def test_a_table_without_references_is_enough() -> None:
    texts = campaign("de-en")
    assert texts.sources is not None
    rows = zip(texts.segments, texts.sources, texts.systems["amber"], texts.systems["ember"], strict=True)
    table = "segment\tsource\tamber\tember\n" + "".join("\t".join(row) + "\n" for row in rows)
    pathlib.Path("set.tsv").write_text(table, encoding="utf-8")
    code, shown = run("score", "-t", "set.tsv", "-m", "length-ratio", "-m", "lm", "--ci")
    assert code == 0
    assert "nrefs:0" in shown
    judged = "segment\tbetter\tworse\n" + "".join(f"{segment}\tamber\tember\n" for segment in texts.segments)
    pathlib.Path("pairs.tsv").write_text(judged, encoding="utf-8")
    how = ("-m", "length-ratio", "--level", "segment", "-f", "json")
    code, shown = run("meta", "-t", "set.tsv", "-j", "pairs.tsv", *how)
    assert code == 0
    assert json.loads(shown.partition("\ntercet: ")[0])["records"][0]["n"] > 0
