"""The example package works once it is installed, and so do the ranker, the measure and the gold of the page."""

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
    added = {("metric", "relative-length"), ("metric", "exact-match"), ("tokenizer", "hyphens"), ("format", "jsonl")}
    assert added <= found


def test_a_card_is_shown(installed: pathlib.Path) -> None:
    card = tercet(installed, "show", "relative-length")
    assert "Tokens of the translation over tokens of the reference" in card
    assert "option tokenize" in card


def test_the_format_feeds_the_metrics(installed: pathlib.Path) -> None:
    segments = [
        {"reference": "one two three", "systems": {"A": "one two three", "B": "One-two three"}},
        {"reference": "four five six", "systems": {"A": "four five", "B": "four five six"}},
    ]
    (installed / "set.jsonl").write_text("".join(f"{json.dumps(s)}\n" for s in segments), encoding="utf-8")
    metrics = (
        "relative-length(tokenize=none)",
        "relative-length(tokenize=hyphens)",
        "exact-match(lowercase=true)",
        "chrf",
    )
    asked = [word for metric in metrics for word in ("-m", metric)]
    out = json.loads(tercet(installed, "score", "-t", "set.jsonl", *asked, "--paired", "bootstrap", "-f", "json"))
    scores = {(r["system"], r["metric"]): r["score"] for r in out["records"]}
    assert scores["A", "relative-length(tokenize=none)"] == pytest.approx(100 * 5 / 6)
    assert scores["B", "relative-length(tokenize=none)"] == pytest.approx(100 * 5 / 6)
    assert scores["B", "relative-length(tokenize=hyphens)"] == pytest.approx(100)
    assert scores["A", "exact-match(lowercase=true)"] == 50
    assert all(r["p_value"] is not None for r in out["records"] if r["system"] == "B")
    assert all("|reconstruction|" in r["signature"] for r in out["records"] if r["metric"] != "chrf")


def test_levels_come_for_free(installed: pathlib.Path) -> None:
    (installed / "hyp.txt").write_text("a b\na b c d\n", encoding="utf-8")
    (installed / "ref.txt").write_text("a b c d\na b c d\n", encoding="utf-8")
    how = ("-m", "relative-length", "--level", "segment", "-f", "jsonl")
    lines = tercet(installed, "score", "hyp.txt", "-r", "ref.txt", *how).splitlines()
    assert [json.loads(line)["score"] for line in lines] == [50, 100]


def of_the_page(installed: pathlib.Path, group: str, mark: str) -> None:
    """Add a package made of the example on the page that has a mark, with the entry point on the page."""
    page = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    declared = re.search(rf'^(\[project\.entry-points\."{group}"\]\n.+?)^```$', page, re.MULTILINE | re.DOTALL)
    assert declared
    ((name, value),) = tomllib.loads(declared[1])["project"]["entry-points"][group].items()
    example = next(b.text for b in blocks(page) if mark in b.text)
    parts = [e.source for e in doctest.DocTestParser().get_examples(example) if e.source.startswith(("from ", "@"))]
    imports = (
        "import dataclasses\nimport numpy as np\nfrom tercet.metric_base import Card\nfrom tercet.spec import option\n"
    )
    module = value.partition(":")[0].replace(".", "/")
    (installed / f"{module}.py").write_text(imports + "".join(parts), encoding="utf-8")
    called = f"tercet-{name}"
    info = installed / f"{called.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {called}\nVersion: 0.1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n", encoding="utf-8")


def sample(installed: pathlib.Path, *names: str) -> None:
    """Put files of the demo beside the packages."""
    for name in names:
        text = (importlib.resources.files("tercet.sample") / name).read_text(encoding="utf-8")
        (installed / name).write_text(text, encoding="utf-8")


def test_the_ranker_of_the_page(installed: pathlib.Path) -> None:
    of_the_page(installed, "tercet.rankers", "(CountRanker)")
    sample(installed, "de-en.rankings.csv")
    how = ("-m", "copeland(draw=0)", "-f", "jsonl")
    ranked = [json.loads(line) for line in tercet(installed, "rank", "de-en.rankings.csv", *how).splitlines()]
    assert [(r["system"], r["score"]) for r in ranked][::4] == [("amber", 1.0), ("ember", 0.0)]
    assert "option draw" in tercet(installed, "show", "copeland")


def test_the_measure_and_the_gold_of_the_page(installed: pathlib.Path) -> None:
    of_the_page(installed, "tercet.measures", "(Measure)")
    of_the_page(installed, "tercet.golds", "(Comparing)")
    sample(installed, "en-de.tsv", "en-de.rankings.csv")
    asked = ("meta", "-t", "en-de.tsv", "-j", "en-de.rankings.csv", "-m", "chrf", "-m", "ter", "-f", "jsonl")
    top = [json.loads(line) for line in tercet(installed, *asked, "--measure", "top-share(k=3)").splitlines()]
    assert [(r["measure"], r["value"], r["n"]) for r in top] == [("top-share(k=3)", 1.0, 5)] * 2
    how = ("--level", "segment", "--measure", "kendall(variant=hties)")
    decided, both = (tercet(installed, *asked, *how, *gold).splitlines() for gold in (("--gold", "decided"), ()))
    assert json.loads(decided[0])["n"] < json.loads(both[0])["n"]
    assert "option k" in tercet(installed, "show", "top-share")
    assert "Pairs of rankings without ties" in tercet(installed, "show", "decided")
