"""Every vector on the agreement of metrics with people that the reference implementations gave.

Those of single tests, ranks and tables are in test_meta_small_vectors.py.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tercet.agreeing import measure
from tercet.human.assessments import wide_gaps
from tercet.stats.calibration import calibrate
from tercet.stats.correlation import (
    Grouping,
    correlation,
    correlations,
    difference_pearson,
    pair_relations,
)
from tercet.stats.permutation import permutation_tests
from tercet.stats.soft_accuracy import paired_permutation_p, soft_pairwise_accuracy
from tercet.study.metrics_task import Entry, average
from tests.agreeing.build import counted, gold_of
from tests.conftest import ROOT
from tests.oracles.permutation import exact_p as exact

GROUPS = ("syslevel", "kendall", "tiecal", "grouping", "spa", "permboth")
ELSEWHERE = ("significance_ranks",)
PATH = ROOT.parent / "shared" / "spec" / "meta_vectors.json"
VECTORS = json.loads(PATH.read_text(encoding="utf-8"))["vectors"] if PATH.exists() else []
MINE = [v for v in VECTORS if v["group"] in GROUPS and v["function"] not in ELSEWHERE]

Floats = npt.NDArray[np.float64]
Check = Callable[[dict[str, Any], dict[str, Any], float], None]


def floats(values: Any) -> Floats:
    """Scores in which None is missing."""
    return np.array(values, dtype=object).astype(np.float64)


def system_level(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    human = floats(given["human_mqm"])
    for name, scores in given["metrics"].items():
        wanted, metric = expected[name], floats(scores)
        for kind, key in (("pearson", "pearson"), ("spearman", "spearman"), ("tau-b", "kendall_b")):
            found = correlation(kind, human[:, None], metric[:, None])  # type: ignore[arg-type]
            assert found.value == pytest.approx(wanted[key], abs=tolerance)
            assert (found.n, found.groups) == (len(given["systems"]), 1)
            again = correlations(kind, human[None], metric[None])  # type: ignore[arg-type]
            assert again[0, 0] == found.value
        accuracy = measure("accuracy").found(gold_of(human), metric[:, None])
        assert (accuracy.value * accuracy.n, accuracy.n) == pytest.approx((wanted["agree"], wanted["pairs"]))
        assert accuracy.value == pytest.approx(wanted["pairwise_accuracy"], abs=tolerance)


def pooled_accuracy(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    """As a study pools directions."""
    by_pair = [
        measure("accuracy").found(gold_of(floats(p["human"])), floats(p["metric"])[:, None])
        for p in given["language_pairs"]
    ]
    assert sum(f.n for f in by_pair) == expected["pairs"]
    mean = average([Entry(f.value, weight=f.n) for f in by_pair])
    assert mean is not None
    assert mean.value == pytest.approx(expected["accuracy"], abs=tolerance)


def wmt_variants(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    gold, metric = counted([[given["cells_human_metric"][h + m] for m in "<=>"] for h in "<=>"])
    expected = {**expected, "DARR": expected["WMT12"]}
    for key, tau in expected.items():
        found = measure(f"kendall(variant={key.lower()})").found(gold, metric)
        assert found.value == pytest.approx(float("nan") if tau is None else tau, abs=tolerance, nan_ok=True)


def kendall_like(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    human, metric = floats(given["human"])[:, None], floats(given["metric"])[:, None]
    found = correlation("kendall-like", human, metric, threshold=given["threshold"])
    assert found.value == pytest.approx(expected["tau"], abs=tolerance)
    assert found.weights.tolist() == [expected["pairs"]]
    # the same by way of pairs and cells
    segment, better, worse = wide_gaps(human, given["threshold"])
    relations = pair_relations(metric, better, worse, segment)
    assert (relations.relation == 1).sum() == expected["concordant"]
    assert (relations.relation != 1).sum() == expected["discordant"]
    cells = np.zeros((3, 3), dtype=np.int64)
    cells[0] = np.bincount(1 - relations.relation[relations.known], minlength=3)
    darr = measure("kendall(variant=darr)").found(*counted(cells))
    assert darr.value == pytest.approx(expected["tau"], abs=tolerance)


def darr_pairs(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    names, scores = list(given["da"]), floats(list(given["da"].values()))[:, None]
    for key, strict in (("better_worse_strict_gt", True), ("better_worse_geq", False)):
        _, better, worse = wide_gaps(scores, given["threshold"], strict=strict)
        assert [[names[b], names[w]] for b, w in zip(better, worse, strict=True)] == expected[key]


def kendall_variants(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    human, metric = floats(given["human"])[:, None], floats(given["metric"])[:, None]
    kinds = {
        "b": ("tau-b", 0.0), "c": ("tau-c", 0.0), "23": ("tau-23", 0.0), "acc23": ("acc-23", 0.0),
        "acc23_eps0.5": ("acc-23", 0.5), "b_eps0.5": ("tau-b", 0.5), "scipy_tau_b": ("tau-b", 0.0),
        "pearson": ("pearson", 0.0), "spearman": ("spearman", 0.0),
    }  # fmt: skip
    assert set(kinds) == set(expected)
    for key, (kind, epsilon) in kinds.items():
        found = correlation(kind, human, metric, epsilon=epsilon)  # type: ignore[arg-type]
        assert found.value == pytest.approx(expected[key], abs=tolerance)


def tables(given: dict[str, Any]) -> tuple[Floats, Floats]:
    """People and metric, (systems, items)."""
    gold, metric = (floats(given[f"{who}_sys_major"]).reshape(given["num_sys"], -1) for who in ("gold", "metric"))
    return gold, metric


def grouped(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    gold, metric = tables(given)
    options: dict[str, dict[str, Any]] = {
        "pearson": {"kind": "pearson"},
        "spearman": {"kind": "spearman"},
        "kendall_b": {"kind": "tau-b"},
        "acc23": {"kind": "acc-23"},
        "kendall_like_thr1_micro": {"kind": "kendall-like", "threshold": 1.0},
        "pearson_nan_as_zero": {"kind": "pearson", "zero_nans": True},
    }
    names: dict[str, Grouping] = {"none": "none", "sys": "system", "item": "item"}
    assert set(names) == set(expected)
    for name, group in names.items():
        assert set(expected[name]) == set(options)
        for key, how in options.items():
            found = correlation(gold=gold, metric=metric, group=group, **how)
            assert found.value == pytest.approx(expected[name][key], abs=tolerance)


def pdp(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    assert difference_pearson(*tables(given)) == pytest.approx(expected["pdp_item"], abs=tolerance)


def tie_calibration(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    gold, metric = floats(given["human_rows"]).T, floats(given["metric_rows"]).T
    found = calibrate(gold, metric)
    assert found.value == pytest.approx(expected["acc_eq"], abs=tolerance)
    assert found.epsilon == pytest.approx(expected["epsilon"], abs=tolerance)
    if "tau23" in expected:
        assert found.values[0] == pytest.approx(expected["acc_eq_eps0"], abs=tolerance)
        assert len(found.epsilons) == expected["n_thresholds"]
        tau = calibrate(gold, metric, variant="tau-23")
        assert (tau.value, tau.epsilon) == pytest.approx((expected["tau23"], expected["tau23_epsilon"]), abs=tolerance)


def spa(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    """Exact: the reference's generator is ours, and the tolerance of the vector is for others."""
    found = soft_pairwise_accuracy(
        floats(given["human"]), floats(given["metric"]), draws=given["permutations"], seed=given["seed"]
    )
    assert found.value == pytest.approx(expected["spa"], abs=1e-12)
    np.testing.assert_array_equal(found.gold_p, floats(expected["human_p_upper"]))
    np.testing.assert_array_equal(found.metric_p, floats(expected["metric_p_upper"]))


def exact_p(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    assert exact(given["a"], given["b"]) == pytest.approx(expected["p_exact"], abs=tolerance)
    drawn = paired_permutation_p(np.array([given["a"], given["b"]]), 20_000, 4)
    assert drawn[0, 1] == pytest.approx(expected["p_exact"], abs=0.01)


def perm_both(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    gold = floats(given["gold"])[:, None]
    metrics = np.stack([floats(given[m])[:, None] for m in ("metric1", "metric2")])
    for kind, key in (("pearson", "pearson"), ("tau-b", "kendall")):
        values = [correlation(kind, gold, m).value for m in metrics]  # type: ignore[arg-type]
        assert values[1] - values[0] == pytest.approx(expected[f"delta_{key}"], abs=1e-9)
        p = permutation_tests(kind, gold, metrics, draws=200_000, seed=12345)  # type: ignore[arg-type]
        assert p[1, 0] == pytest.approx(expected[f"p_{key}_exact"], abs=tolerance / 10)


CHECKS: dict[str, Check] = {
    "system_level": system_level,
    "pairwise_accuracy": pooled_accuracy,
    "kendall_wmt_variants": wmt_variants,
    "kendall_like_darr": kendall_like,
    "da_to_darr": darr_pairs,
    "kendall_variants": kendall_variants,
    "grouped_correlation": grouped,
    "pairwise_difference_pearson": pdp,
    "acc_eq_tie_calibration": tie_calibration,
    "soft_pairwise_accuracy": spa,
    "paired_permutation_exact": exact_p,
    "perm_both": perm_both,
}


@pytest.mark.parametrize("vector", MINE, ids=lambda v: v["id"])
def test_vector(vector: dict[str, Any]) -> None:
    CHECKS[vector["function"]](vector["input"], vector["expected"], vector["tolerance"])


def test_there_are_vectors_of_every_group(shared: pathlib.Path) -> None:
    assert {v["group"] for v in MINE} == set(GROUPS)
