"""The vectors of the group `ir`: trec_eval's measures, its ties, and shares of the monolingual run."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.searching.measures import MEASURES, relative

Vector = dict[str, Any]


@pytest.fixture(scope="module")
def vectors(shared: pathlib.Path) -> list[Vector]:
    every = json.loads((shared / "spec" / "meta_vectors.json").read_text())["vectors"]
    return [v for v in every if v["group"] == "ir"]


def test_every_vector_of_the_group_is_tested_here(vectors: list[Vector]) -> None:
    assert {v["id"]: v["function"] for v in vectors} == {
        "ir-report-seed": "relative_to_monolingual",
        "ir-small": "ir_measures",
        "ir-ties": "ir_measures",
    }


def test_measures(vectors: list[Vector]) -> None:
    for v in vectors:
        if v["function"] != "ir_measures":
            continue
        expected, near = v["expected"], v["tolerance"]
        found = tercet.retrieval({"run": v["input"]["run_scores"]}, v["input"]["qrels"], complete=False)
        each = {(r.query, r.measure): r.value for r in found.queries}
        assert {query for query, _ in each} == set(expected["per_query"]), v["id"]
        for query, values in expected["per_query"].items():
            assert [each[query, m] for m in MEASURES] == pytest.approx(
                [values[name] for name in MEASURES.values()], abs=near
            ), (v["id"], query)
        if "mean" in expected:
            assert [found.value("run", m) for m in MEASURES] == pytest.approx(
                [expected["mean"][name] for name in MEASURES.values()], abs=near
            ), v["id"]


def test_missing_queries_count_nothing_when_complete(vectors: list[Vector]) -> None:
    (v,) = (v for v in vectors if v["id"] == "ir-ties")
    found = tercet.retrieval({"run": v["input"]["run_scores"]}, v["input"]["qrels"])
    per_query = v["expected"]["per_query"].values()
    for measure, name in MEASURES.items():
        total = sum(values[name] for values in per_query)
        assert found.value("run", measure) == pytest.approx(total if measure == "rel" else total / 3, abs=1e-6)


def test_shares_of_the_monolingual_run(vectors: list[Vector]) -> None:
    (v,) = (v for v in vectors if v["function"] == "relative_to_monolingual")
    assert v["input"]["columns"] == list(MEASURES)
    rows = {name: np.array(row, dtype=float) for name, row in v["input"]["rows"].items()}
    for name, expected in v["expected"].items():
        assert relative(rows[name], rows["monolingual"]) == pytest.approx(expected, abs=v["tolerance"]), name
