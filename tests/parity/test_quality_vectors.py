"""The vectors of the groups qe-sent and qe-word."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest
from replication import quality_wmt14
from replication.__main__ import recorded

from tercet.formats.qe_words import OK
from tercet.quality import measures
from tercet.quality.wordlevel import ClassCounts, statistics, summary

Vector = dict[str, Any]


@pytest.fixture(scope="module")
def vectors(shared: pathlib.Path) -> dict[str, list[Vector]]:
    """By function; every vector of the groups."""
    found: dict[str, list[Vector]] = {}
    for v in json.loads((shared / "spec" / "meta_vectors.json").read_text())["vectors"]:
        if v["group"] in ("qe-sent", "qe-word"):
            found.setdefault(v["function"], []).append(v)
    return found


def test_every_function_of_the_groups_is_tested_here(vectors: dict[str, list[Vector]]) -> None:
    assert {name: len(found) for name, found in vectors.items()} == {"deltaavg": 3, "qe_word_level": 3}


def test_sentences(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["deltaavg"]:
        given, expected, within = v["input"], v["expected"], v["tolerance"]
        gold, predicted = np.array(given["gold_scores"]), np.array(given["predicted_scores"])
        ranks, gold_ranks = np.array(given["predicted_rank"]), np.array(given["gold_rank"])
        order = np.argsort(ranks)
        assert measures.deltaavg(gold, order, higher=True) == pytest.approx(expected["deltaavg"], abs=within), v["id"]
        oracle = measures.deltaavg(gold, np.argsort(gold_ranks), higher=True)
        assert oracle == pytest.approx(expected["deltaavg_oracle"], abs=within)
        assert measures.deltaavg(-gold, order) == pytest.approx(expected["deltaavg"], abs=within)
        assert measures.spearman_of_ranks(ranks, gold_ranks) == pytest.approx(expected["spearman_script"], abs=within)
        assert measures.mae(predicted, gold) == pytest.approx(expected["mae"], abs=within)
        assert measures.rmse(predicted, gold) == pytest.approx(expected["rmse"], abs=within)
        assert measures.ranks_of(measures.best_first(gold, higher=True)).tolist() == given["gold_rank"]
        assert measures.ranks_of(measures.best_first(predicted, higher=True)).tolist() == given["predicted_rank"]


def test_words(vectors: dict[str, list[Vector]]) -> None:
    for v in vectors["qe_word_level"]:
        rows, expected, within = v["input"]["confusion_gold_rows_predicted_columns"], v["expected"], v["tolerance"]
        renamed = {label: OK if label == v["input"]["ok_label"] else label for label in rows}
        labels = list(renamed.values())
        counts = ClassCounts.of_sums(statistics(np.array([[rows[g][p] for p in rows] for g in rows])))
        fp, fn = counts.predicted - counts.hits, counts.gold - counts.hits
        for i, label in enumerate(rows):
            wanted = expected["per_class"][label]
            mine = {
                "tp": counts.hits[i],
                "fp": fp[i],
                "fn": fn[i],
                "tn": counts.total[0] - counts.hits[i] - fp[i] - fn[i],
                "precision": counts.precision()[i],
                "recall": counts.recall()[i],
                "f1": counts.f1()[i],
                "mcc": counts.mcc()[i],
                "N": counts.gold[i],
            }
            assert mine == pytest.approx(wanted, abs=within), (v["id"], label)
        for name in ("f1_all", "f1_err", "mcc_all", "mcc_err"):
            value = float(summary(counts, labels, name.replace("_", "-")))
            assert value == pytest.approx(expected[f"weighted_{name}"], abs=within), (v["id"], name)
        assert float(summary(counts, labels, "accuracy")) == pytest.approx(expected["accuracy"], abs=within)


def test_the_confusion_matrix_of_the_paper_gives_its_printed_numbers(vectors: dict[str, list[Vector]]) -> None:
    v = next(v for v in vectors["qe_word_level"] if "printed" in v["expected"])
    rows, printed = v["input"]["confusion_gold_rows_predicted_columns"], v["expected"]["printed"]
    counts = ClassCounts.of_sums(statistics(np.array([[rows[g][p] for p in rows] for g in rows])))
    order = list(rows)
    mine = {
        "precision_O": round(float(counts.precision()[order.index("O")]), 4),
        "recall_O": round(float(counts.recall()[order.index("O")]), 4),
        "f1_F": round(float(counts.f1()[order.index("F")]), 4),
        "f1_A": round(float(counts.f1()[order.index("A")]), 4),
    }
    # the paper multiplies precision and recall that are already rounded
    p, r = mine["precision_O"], mine["recall_O"]
    mine["f1_O"] = round(2 * p * r / (p + r), 4)
    assert mine == printed
    assert float(counts.f1()[order.index("O")]) == pytest.approx(0.69325, abs=5e-6)


def test_wmt14_task_1_2(shared: pathlib.Path) -> None:
    """MAE and RMSE of ten of eleven systems, DeltaAvg of all six that ranked, and the winners of both tables."""
    found = list(quality_wmt14.rows())
    before = recorded()
    assert [row.key for row in found if row.verdict == "NO" or before[row.key] != row.cells()[3]] == []
    stated = {row.what for row in found if row.verdict == "stated"}
    assert stated == {"DFKI-svr-xdata mae", "DFKI-svr-xdata rmse", "DCU-rtm-tree spearman"}
    assert len(found) == 36
