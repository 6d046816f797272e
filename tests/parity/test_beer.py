"""BEER 2.0 with the model of its authors: every vector, every golden score in every language, Chinese words too."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import numpy as np
import pytest

from tercet.metrics.beer import Beer
from tercet.text import tokenizer
from tests.parity.tables import read_table


@pytest.mark.parametrize("arguments", [("--only", "BEER"), ("--golden", "--only", "beer")], ids=["vectors", "golden"])
def test_the_program_agrees_on_every_item(shared: pathlib.Path, arguments: tuple[str, ...]) -> None:
    command = [sys.executable, str(shared / "tools" / "conform.py"), "--verbose", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stderr + done.stdout)[-2000:]
    assert "(100.00%)" in done.stdout


def test_chinese_words(shared: pathlib.Path) -> None:
    """The column of texts that were cut into words first."""
    metric = Beer(model=str(shared / "spec" / "metrics" / "data" / "beer_default_model.json"))
    rows = read_table(shared / "golden" / "wmt19-metrics.en-zh.segments.tsv.gz")
    (path,) = (shared / "data" / "wmt19-metrics").glob("newstest*.en-zh.tsv.gz")
    texts = {row["segment"]: row for row in read_table(path)}
    zh = tokenizer("zh")
    sides = [[" ".join(zh(texts[r["segment"]][side or r["system"]])) for r in rows] for side in ("", "reference")]
    wanted = [float(r["beer@zh"]) for r in rows]
    assert len(wanted) > 100
    np.testing.assert_allclose(metric.segments(sides[0], sides[1]), wanted, atol=1e-9, rtol=0)
