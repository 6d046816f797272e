"""METEOR 1.5 on real texts: every vector, every golden score with its 23 numbers, and the example that it came with."""

from __future__ import annotations

import functools
import json
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import Array, Batch, References, Texts
from tercet.formats import sgml
from tercet.metrics.meteor.metric import Meteor
from tercet.text import tokenizer
from tests.meteor import files
from tests.parity.tables import Row, read_lines, read_table

MODULES = {"exact": "exact", "exact_stem": "exact+stem", "exact_stem_synonym": "exact+stem+synonym"}
COLUMNS = [
    ("en", ["meteor15", *(f"meteor15.{m}" for m in MODULES)]),
    ("de", ["meteor15.exact_stem"]),
    ("ru", ["meteor15.exact_stem"]),
    ("cs", ["meteor15.exact"]),
    ("fi", ["meteor15.lower.exact_stem"]),
    ("hi", ["meteor15.lower.exact"]),
    ("zh", ["meteor15.lower.exact", "meteor15.lower.exact@zh"]),
]


@pytest.fixture(scope="module")
def installed() -> None:
    """METEOR's own files are there."""
    files.installed()


@functools.lru_cache(maxsize=2)
def texts(shared: pathlib.Path, name: str) -> dict[str, Row]:
    """The texts of a set, by segment."""
    dataset, pair = name.split(".")
    (path,) = (shared / "data" / dataset).glob(f"newstest*.{pair}.tsv.gz")
    return {row["segment"]: row for row in read_table(path)}


def metric(column: str, language: str) -> Meteor:
    """The configuration behind a column."""
    _, *rest = column.partition("@")[0].split(".")
    given = {"modules": MODULES[rest[-1]]} if rest else {}
    known = "other" if language in ("hi", "zh") else language
    spec = ", ".join(f"{k}={v}" for k, v in {"language": known, **given}.items())
    found = tercet.metric(f"meteor({spec}, normalize={'lower' if 'lower' in rest else 'full'})")
    assert isinstance(found, Meteor)
    return found


def batch(shared: pathlib.Path, name: str, rows: list[Row], system: str, column: str) -> Batch:
    """The texts that a column was computed from."""
    found = texts(shared, name)
    sides = [[found[row["segment"]][of] for row in rows] for of in (system, "reference")]
    if column.endswith("@zh"):
        zh = tokenizer("zh")
        sides = [[" ".join(zh(line)) for line in side] for side in sides]
    return Batch(Texts.of(sides[0]), References.of(sides[1]))


def numbers(rows: list[Row], column: str) -> Array:
    """A column of numbers; NaN where METEOR divides nothing by nothing."""
    return np.array([float(row[column]) for row in rows])


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("language", "columns"), COLUMNS, ids=[language for language, _ in COLUMNS])
def test_golden(shared: pathlib.Path, language: str, columns: list[str]) -> None:
    """Scores, precision, recall, penalty and statistics of every segment, and the score of every system."""
    lines = (shared / "golden" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    corpus = {(d["set"], d["system"], d["metric"]): d["score"] for d in map(json.loads, lines)}
    paths = sorted((shared / "golden").glob(f"*-{language}.segments.tsv.gz"))
    assert paths
    for path in paths:
        name = path.name.removesuffix(".segments.tsv.gz")
        segments, statistics = read_table(path), read_table(path.with_name(f"{name}.statistics.tsv.gz"))
        for system in sorted({row["system"] for row in segments}):
            scored, counted = ([row for row in rows if row["system"] == system] for rows in (segments, statistics))
            for column in columns:
                one, given = metric(column, language), batch(shared, name, scored, system, column)
                rows = one.statistics(given)
                what = f"{name} {system} {column}"
                np.testing.assert_allclose(one.score(rows), numbers(scored, column), atol=1e-9, err_msg=what)
                score = float(one.score(rows.sum(axis=0)))
                assert score == pytest.approx(corpus[name, system, column], abs=1e-9), what
                check_numbers(one, given, counted, column)


def check_numbers(one: Meteor, given: Batch, rows: list[Row], column: str) -> None:
    """METEOR's own 23 numbers, and what it makes of them; where nothing matches it has NaN, and we have 0."""
    found = one.prepared(given).statistics(threads=1)
    assert [" ".join(f"{value:g}" for value in row) for row in found] == [row[f"{column}.stats"] for row in rows]
    formula = one.formula(one.statistics(given))
    matched = found[:, -1] > 0
    for name, ours in (("precision", formula.precision), ("recall", formula.recall), ("penalty", formula.penalty)):
        np.testing.assert_allclose(ours[matched], numbers(rows, f"{column}.{name}")[matched], rtol=1e-12, err_msg=name)


@pytest.mark.usefixtures("installed")
def test_every_vector_agrees(shared: pathlib.Path) -> None:
    command = [sys.executable, str(shared / "tools" / "conform.py"), "--verbose", "--only", "METEOR"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stderr + done.stdout)[-2000:]
    assert "286 of    286" in done.stdout


@pytest.mark.usefixtures("installed")
def test_the_example_of_meteor(shared: pathlib.Path) -> None:
    """Segments, documents and the system of newstest2009 that METEOR's distribution has with its scores."""
    folder = shared / "data" / "meteor-example"
    testset = sgml.assemble([folder / "test.sgm.gz"], [folder / "ref.sgm.gz"])
    one = Meteor()
    rows = one.statistics(Batch(testset.systems["cmu-combo"], testset.references))
    segments = {(doc, n): float(s) for _, _, doc, n, s in scores(folder / "meteor-seg.scr.gz")}
    documents = {doc: float(s) for _, _, doc, s in scores(folder / "meteor-doc.scr.gz")}
    seen = 0
    for document in testset.document_rows():
        found = one.score(rows[document.rows])
        wanted = [segments[document.name, str(n)] for n in range(1, len(found) + 1)]
        np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=document.name)
        assert one.score(rows[document.rows].sum(axis=0)) == pytest.approx(documents[document.name], abs=1e-12)
        seen += len(found)
    assert seen == len(segments)
    assert one.score(rows.sum(axis=0)) == pytest.approx(0.299148440516935, abs=1e-14)


def scores(path: pathlib.Path) -> list[list[str]]:
    """Lines of METEOR's files of scores, as fields."""
    return [line.split("\t") for line in read_lines(path)]


def test_the_example_of_the_lecture(shared: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Its matching takes Iraq's for Iraqi, which neither Snowball nor WordNet does: a table says so."""
    vectors: list[dict[str, Any]] = json.loads((shared / "spec" / "meta_vectors.json").read_text())["vectors"]
    (vector,) = (v for v in vectors if v["id"] == "meteor-seed-0.3498")
    (tmp_path / "iraqi.txt").write_text("0.5\niraqi\niraq's\n")
    one = tercet.metric(f'meteor-lecture(modules=exact+stem+paraphrase, paraphrases="{tmp_path / "iraqi.txt"}")')
    found = one.align(vector["input"]["hypothesis"], vector["input"]["reference"])  # type: ignore[attr-defined]
    wanted = vector["expected"]
    assert (len(found.matches), found.chunks) == (vector["input"]["matches"], vector["input"]["chunks"])
    assert found.precision == pytest.approx(wanted["P"], abs=1e-12)
    assert found.recall == pytest.approx(wanted["R"], abs=1e-12)
    assert found.fmean == pytest.approx(wanted["Fmean"], abs=1e-12)
    assert found.fragmentation == wanted["frag"]
    assert found.penalty == pytest.approx(wanted["penalty"], abs=1e-12)
    assert found.score == pytest.approx(wanted["score"], abs=1e-12)
    assert round(found.score, 4) == wanted["printed"]["score"]
