"""Scores of bert-score, COMET and ESIM on tiny models, and what the conformance tool does not ask for."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.encoders import encoder
from tercet.metrics.neural.comet import Comet
from tercet.metrics.yisi_vectors import Yisi1, Yisi2

ENCODERS = ("bert-uncased", "bert-cased-multilingual", "roberta", "xlmr")
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def golden(shared: pathlib.Path) -> pathlib.Path:
    return shared / "golden" / "neural"


@pytest.fixture(scope="module")
def rows(golden: pathlib.Path) -> Rows:
    lines = (golden / "inputs.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def expected(golden: pathlib.Path, name: str) -> Any:
    return json.loads((golden / "expected" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.thorough
def test_every_item_agrees(shared: pathlib.Path) -> None:
    command = [sys.executable, str(shared / "tools" / "conform_neural.py"), "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stderr + done.stdout)[-2000:]
    assert "58800 of 58800 items agree" in done.stdout


@pytest.mark.parametrize("model", ENCODERS)
def test_tokens_are_those_of_transformers(model: str, golden: pathlib.Path, rows: Rows) -> None:
    """Fast ones of every segment; slow ones where they differ."""
    wanted, reader = expected(golden, f"tokens.{model}"), encoder(golden / "models" / model)
    for side in ("mt", "ref"):
        texts = [row[side].strip() for row in rows]
        fast = [list(tokens.ids) for tokens in reader.tokens(texts)]
        assert fast == list(
            wanted["fast"][side].values() if isinstance(wanted["fast"][side], dict) else wanted["fast"][side]
        )
        slow = dict(
            zip([str(row["id"]) for row in rows], (list(t.ids) for t in reader.tokens(texts, "slow")), strict=True)
        )
        for number, ids in wanted["slow"][side].items():
            assert slow[number] == ids, number


@pytest.mark.parametrize("model", ["comet-unified-ref", "xcomet"])
@pytest.mark.parametrize("run", ["src_mt_ref", "src_mt"])
def test_marked_errors_are_those_of_comet(model: str, run: str, golden: pathlib.Path, rows: Rows) -> None:
    metric = tercet.metric(f'comet(model="{golden / "models" / model}", encoder="{golden / "models" / "xlmr"}")')
    assert isinstance(metric, Comet)
    references = [row["ref"] for row in rows] if "ref" in run else None
    batch = metric.batch([row["mt"] for row in rows], references, [row["src"] for row in rows])
    wanted = expected(golden, model)["runs"][run]["metadata"]["error_spans"]
    for verdict, spans in zip(metric.verdicts(batch), wanted, strict=True):
        assert [(s.text, s.start, s.end, s.severity) for s in verdict.spans] == [
            (s["text"], s["start"], s["end"], s["severity"]) for s in spans
        ]
        assert [s.confidence for s in verdict.spans] == pytest.approx([s["confidence"] for s in spans], abs=1e-5)


def test_sentence_similarity(golden: pathlib.Path, rows: Rows) -> None:
    by_id = {row["id"]: row for row in rows}
    for model, wanted in expected(golden, "sentence-vectors").items():
        some = [by_id[number] for number in wanted["ids"]]
        outputs = [row["mt"] for row in some]
        where = golden / "models" / model
        cosines = tercet.metric(f'cosine(model="{where}")').segments(outputs, [row["ref"] for row in some])
        np.testing.assert_allclose(cosines, wanted["cosine_mt_ref"], atol=1e-5)
        crossed = tercet.metric(f'cosine-source(model="{where}")').segments(
            outputs, sources=[row["src"] for row in some]
        )
        np.testing.assert_allclose(crossed, wanted["cosine_src_mt"], atol=1e-5)


def test_the_formula_of_yisi(golden: pathlib.Path, rows: Rows) -> None:
    wanted = expected(golden, "yisi-formula")
    assert len(wanted) > 8
    for name, shares in wanted.items():
        if name == "ids":
            continue
        kind, model, _, n, weights = name.split(".")
        where, order = str(golden / "models" / model), int(n[1:])
        metric = Yisi1(model=where, n=order, weights=weights) if kind == "yisi1" else Yisi2(model=where, n=order)
        batch = metric.batch([r["mt"] for r in rows], [r["ref"] for r in rows], [r["src"] for r in rows])
        for column, part in zip(metric.statistics(batch).T, "PRF", strict=False):
            np.testing.assert_allclose(column, shares[part], atol=1e-5, err_msg=name)


def test_the_attention_baseline_of_esim(golden: pathlib.Path, rows: Rows) -> None:
    where, below = golden / "models" / "att", golden / "models" / "bert-uncased"
    metric = tercet.metric(f'esim(model="{where}", encoder="{below}")')
    wanted = [np.nan if value is None else value for value in expected(golden, "att")["pred"]]
    scores = metric.segments([row["mt"] for row in rows], [row["ref"] for row in rows])
    np.testing.assert_allclose(scores, wanted, atol=2e-5)
    named = tercet.metric(f'esim(model="{where}")').segments(["a cat"], ["the cat"])  # config.json names the encoder
    assert named == metric.segments(["a cat"], ["the cat"])
