"""The vectors of the groups williams, fisher, outliers, topn and tables, and those of ranks by tests.

The group significance is held by `test_significance.py`, the rest of permboth by `test_meta_vectors.py`.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

from tercet.stats.correlation import correlations
from tercet.stats.dependent import fisher_interval, williams, williams_tests
from tercet.stats.ranks import significance_ranks
from tercet.stats.robust import mad_outliers, top_n, top_sizes
from tercet.study.metrics_task import Entry, average, out_of_sequence

Vector = dict[str, Any]


@pytest.fixture(scope="module")
def vectors(shared: pathlib.Path) -> dict[str, list[Vector]]:
    """By function; every vector of the groups is there, so that none is left out when the file grows."""
    groups = ("williams", "fisher", "outliers", "topn", "tables")
    found: dict[str, list[Vector]] = {}
    for v in json.loads((shared / "spec" / "meta_vectors.json").read_text())["vectors"]:
        if v["group"] in groups or v["function"] == "significance_ranks":
            found.setdefault(v["function"], []).append(v)
    return found


def test_every_function_of_the_groups_is_tested_here(vectors: dict[str, list[Vector]]) -> None:
    assert {name: len(found) for name, found in vectors.items()} == {
        "average_over_directions": 3,
        "fisher_z_interval": 3,
        "mad_outliers": 3,
        "out_of_sequence_marks": 1,
        "significance_ranks": 1,
        "top_n_pearson": 1,
        "williams_from_scores": 7,
        "williams_test": 4,
    }


def test_williams(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["williams_test"]:
        found = williams(**v["input"])
        assert found == pytest.approx((v["expected"]["t"], v["expected"]["p_one_sided"]), abs=v["tolerance"]), v["id"]


def test_williams_from_scores(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["williams_from_scores"]:
        given, expected = v["input"], v["expected"]
        three = np.array([given["human"], given["metric1"], given["metric2"]])
        (r1, r2), (_, r12) = correlations("pearson", three[:2], three[1:]).tolist()
        assert [r1, r2, r12] == pytest.approx([expected[k] for k in ("r1", "r2", "r12")], abs=v["tolerance"])
        p = williams_tests(three[0], three[1:])
        names = v["id"].removeprefix("williams-wmt23-")
        first = names.startswith(expected["better"] + "-")
        assert (p[0, 1] if first else p[1, 0]) == pytest.approx(expected["p_one_sided"], abs=v["tolerance"]), v["id"]
        assert first or names.endswith("-" + expected["better"])


def test_fisher(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["fisher_z_interval"]:
        found = fisher_interval(**v["input"])
        assert found == pytest.approx(v["expected"]["interval"], abs=1e-12), v["id"]
        assert found == pytest.approx(v["expected"]["printed"], abs=v["tolerance"]), v["id"]


def test_outliers(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["mad_outliers"]:
        found = mad_outliers(np.array(v["input"]["human_system_scores"]), v["input"]["cutoff"])
        expected = v["expected"]
        assert np.flatnonzero(found.mask).tolist() == expected["outlier_indices"], v["id"]
        assert (found.median, found.mad) == pytest.approx((expected["median"], expected["mad"]), abs=v["tolerance"])


def test_top_n(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["top_n_pearson"]:
        given, expected = v["input"], v["expected"]
        sizes = given["n_values"]
        assert list(top_sizes(len(given["systems"]))) == sizes
        found = top_n(np.array(given["human"]), np.array(list(given["metrics"].values())), sizes)
        for row, metric in zip(found, given["metrics"], strict=True):
            wanted = [expected[str(size)][metric] for size in sizes]
            assert row.tolist() == pytest.approx(wanted, abs=v["tolerance"]), (v["id"], metric)


def test_averages(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["average_over_directions"]:
        given, expected = v["input"], v["expected"]
        found = average([Entry(r, w) for r, w in zip(given["values"], given["half_widths"], strict=True)])
        assert found is not None
        assert found.value == pytest.approx(expected["average"], abs=v["tolerance"]), v["id"]
        assert found.half_width == pytest.approx(expected["average_half_width"], abs=v["tolerance"]), v["id"]


def test_out_of_sequence_marks(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["out_of_sequence_marks"]:
        found = out_of_sequence([Entry(r) for r in v["input"]["column_in_main_order"]])
        assert found == v["expected"]["marked"], v["id"]


def test_ranks(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["significance_ranks"]:
        found = significance_ranks(np.array(v["input"]["p_upper"]), v["input"]["alpha"])
        assert found.tolist() == v["expected"]["ranks"], v["id"]
