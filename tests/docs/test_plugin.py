"""The example package works once it is installed: its metrics, its tokenizer and its format are there."""

from __future__ import annotations

import doctest
import importlib.resources
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

from tests.conftest import ROOT
from tests.docs.blocks import blocks

PLUGIN = ROOT / "examples" / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the package and what `pip install --target` would write beside it, without a network."""
    target = tmp_path_factory.mktemp("installed")
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(PLUGIN / "tercet_example", target / "tercet_example")
    info = target / f"tercet_example-{project['version']}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    groups = (
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    return target


def tercet(installed: pathlib.Path, *arguments: str) -> str:
    """What a command prints with the package installed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tercet", *arguments],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed), "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_is_listed(installed: pathlib.Path) -> None:
    found = {(r["kind"], r["name"]) for r in json.loads(tercet(installed, "list", "-f", "json"))["records"]}
    added = {("metric", "length-ratio"), ("metric", "exact-match"), ("tokenizer", "hyphens"), ("format", "jsonl")}
    assert added <= found


def test_a_card_is_shown(installed: pathlib.Path) -> None:
    card = tercet(installed, "show", "length-ratio")
    assert "Tokens of the translation over tokens of the reference" in card
    assert "option tokenize" in card


def test_the_format_feeds_the_metrics(installed: pathlib.Path) -> None:
    segments = [
        {"reference": "one two three", "systems": {"A": "one two three", "B": "One-two three"}},
        {"reference": "four five six", "systems": {"A": "four five", "B": "four five six"}},
    ]
    (installed / "set.jsonl").write_text("".join(f"{json.dumps(s)}\n" for s in segments), encoding="utf-8")
    metrics = ("length-ratio(tokenize=none)", "length-ratio(tokenize=hyphens)", "exact-match(lowercase=true)", "chrf")
    asked = [word for metric in metrics for word in ("-m", metric)]
    out = json.loads(tercet(installed, "score", "-t", "set.jsonl", *asked, "--paired", "bootstrap", "-f", "json"))
    scores = {(r["system"], r["metric"]): r["score"] for r in out["records"]}
    assert scores["A", "length-ratio(tokenize=none)"] == pytest.approx(100 * 5 / 6)
    assert scores["B", "length-ratio(tokenize=none)"] == pytest.approx(100 * 5 / 6)
    assert scores["B", "length-ratio(tokenize=hyphens)"] == pytest.approx(100)
    assert scores["A", "exact-match(lowercase=true)"] == 50
    assert all(r["p_value"] is not None for r in out["records"] if r["system"] == "B")
    assert all("|reconstruction|" in r["signature"] for r in out["records"] if r["metric"] != "chrf")


def test_levels_come_for_free(installed: pathlib.Path) -> None:
    (installed / "hyp.txt").write_text("a b\na b c d\n", encoding="utf-8")
    (installed / "ref.txt").write_text("a b c d\na b c d\n", encoding="utf-8")
    how = ("-m", "length-ratio", "--level", "segment", "-f", "jsonl")
    lines = tercet(installed, "score", "hyp.txt", "-r", "ref.txt", *how).splitlines()
    assert [json.loads(line)["score"] for line in lines] == [50, 100]


@pytest.fixture
def with_ranker(installed: pathlib.Path) -> pathlib.Path:
    """A package made of the ranker on the page, with the entry point on the page."""
    page = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    declared = re.search(r'^(\[project\.entry-points\."tercet\.rankers"\]\n.+?)^```$', page, re.MULTILINE | re.DOTALL)
    assert declared
    entries = tomllib.loads(declared[1])["project"]["entry-points"]["tercet.rankers"]
    example = next(b.text for b in blocks(page) if "(CountRanker)" in b.text)
    parts = [e.source for e in doctest.DocTestParser().get_examples(example) if e.source.startswith(("from ", "@"))]
    imports = "import dataclasses\nfrom tercet.metric import Card\nfrom tercet.spec import option\n"
    for name, value in entries.items():
        module = value.partition(":")[0].replace(".", "/")
        (installed / f"{module}.py").write_text(imports + "".join(parts), encoding="utf-8")
        info = installed / "tercet_ranker-0.1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tercet-ranker\nVersion: 0.1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[tercet.rankers]\n{name} = {value}\n", encoding="utf-8")
    return installed


def test_the_ranker_of_the_page(with_ranker: pathlib.Path) -> None:
    text = (importlib.resources.files("tercet.sample") / "de-en.rankings.csv").read_text(encoding="utf-8")
    (with_ranker / "rankings.csv").write_text(text, encoding="utf-8")
    how = ("-m", "copeland(draw=0)", "-f", "jsonl")
    ranked = [json.loads(line) for line in tercet(with_ranker, "rank", "rankings.csv", *how).splitlines()]
    assert [(r["system"], r["score"]) for r in ranked][::4] == [("amber", 1.0), ("ember", 0.0)]
    assert "option draw" in tercet(with_ranker, "show", "copeland")
