"""A plain install has no polars: everything but Parquet and data frames works, and those say what to install."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

import tercet
from tercet.data import TestSet
from tercet.formats import table

PROGRAM = """
import importlib.abc, pathlib, sys

class Refuses(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("polars", "pandas"):
            raise ModuleNotFoundError("No module named 'polars'", name="polars")

sys.meta_path.insert(0, Refuses())
import tercet
from tercet.sample import campaign, judgements

texts, ranked = campaign("en-de"), judgements("en-de")
tercet.formats.table.write(texts, "texts.tsv")
assert tercet.score(testset="texts.tsv", metrics=["bleu", "chrf"]).value("amber", "chrf") > 0
pathlib.Path("s.sgm").write_text('<tstset setid="s"><doc docid="d" sysid="X"><seg id="1">x</seg></doc></tstset>')
assert tercet.read_testset("s.sgm").systems["X"][0] == "x"
pathlib.Path("pairs.csv").write_text("segment,better,worse\\n1,a,b\\n")
assert len(tercet.read_judgements("pairs.csv").systems) == 2
found = tercet.meta(testset=texts, judgements=ranked, metrics="chrf", interval="none")
tercet.write_scores(found.scores, "scores.tsv")
assert tercet.read_scores("scores.tsv")[0].metric == "chrf"
compared = tercet.compare(testset="texts.tsv", metrics="chrf", samples=200)
assert compared._repr_html_()
for fails in (
    lambda: tercet.read_testset("texts.parquet"),
    lambda: tercet.read_scores("scores.parquet"),
    lambda: tercet.write_scores(found.scores, "new.parquet"),
    lambda: compared.frame("scores"),
):
    try:
        fails()
    except tercet.MissingExtraError as error:
        print(error)
assert "polars" not in sys.modules
"""


@pytest.mark.thorough
def test_a_plain_install_is_complete(tmp_path: pathlib.Path) -> None:
    table.write(TestSet.of({"A": ["x"]}), tmp_path / "texts.parquet")
    (tmp_path / "scores.parquet").write_bytes((tmp_path / "texts.parquet").read_bytes())
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    hint = "needs the package polars, which is not installed. Install it with `pip install 'tercet[frames]'`."
    assert done.stdout.splitlines()[:3] == [f"Parquet {hint}"] * 3
    assert "A data frame needs Polars or pandas" in done.stdout


def test_a_frame_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, library, None)
    found = tercet.compare({"A": ["a", "b"], "B": ["b", "a"]}, ["a", "a"], metrics="chrf", samples=40)
    with pytest.raises(tercet.MissingExtraError, match=r"tercet\[frames\]"):
        found.frames()
