"""Star, verdict, cluster, sentence, exit code and printed interval of a comparison say one thing."""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.cli.compare import _worse
from tercet.data import Comparison, TestSet
from tercet.report.comparison import comparison_scores, difference_table
from tercet.report.scores import scores_table
from tercet.sample import campaign
from tests.comparing.build import small_sets
from tests.conftest import at_most

METRICS = ["bleu", "chrf", "ter", "rouge-l", "length-ratio"]


def check(found: Comparison) -> int:
    """All that a reader sees of every two systems; how many differences are significant."""
    stars = {
        row[0]: [cell.rstrip().endswith("*") for cell in row[1:]] for row in scores_table(comparison_scores(found)).rows
    }
    printed = {row[0]: row[1:] for row in difference_table(found).rows}
    n_sure = 0
    for m, metric in enumerate(found.metrics):
        if len(found.systems) > 2:
            _check_first_cluster(found, metric.metric)
        for a in found.systems:
            for b in found.systems:
                if a == b:
                    continue
                d = found.difference(metric.metric, a, b)
                sure = d.p_value < 0.05
                n_sure += sure
                assert sure == (d.low > 0 or d.high < 0) == (d.verdict != "undecided")
                assert np.isnan(d.difference) or d.low <= d.difference <= d.high
                mirrored = found.difference(metric.metric, b, a)
                assert (d.p_value, d.low, d.high) == pytest.approx(
                    (mirrored.p_value, -mirrored.high, -mirrored.low), nan_ok=True
                )
                if sure:
                    good = (d.difference > 0) == metric.higher_is_better
                    assert d.verdict == ("better" if good else "worse")
                    assert (found.score(metric.metric, a).rank < found.score(metric.metric, b).rank) == good
                if found.score(metric.metric, a).cluster != found.score(metric.metric, b).cluster:
                    assert sure
        for system in found.others:
            d = found.difference(metric.metric, system)
            assert stars[system][m] == (d.verdict != "undecided")
            assert bool(_worse(found, [metric.metric])) == any(
                found.difference(metric.metric, s).verdict == "worse" for s in found.others
            )
            assert "nan" not in printed[system][m]
            assert not re.search(r"[+-]0\.0+\b", printed[system][m])
            ends = re.search(r"\[(\S+), (\S+)\]", printed[system][m])
            if ends and "n/a" not in ends[0]:
                low, high = map(float, ends.groups())
                assert (low > 0 or high < 0) == (d.verdict != "undecided"), printed[system][m]
    return n_sure


def _check_first_cluster(found: Comparison, metric: str) -> None:
    """Only systems of which no two differ are said not to be told apart."""
    first = found.clusters(metric)[0]
    [answer] = [a for a in found.answers if metric in re.split(", | and ", a.removeprefix("By "))]
    pairs = itertools.combinations(first, 2)
    alike = all(found.difference(metric, *pair).verdict == "undecided" for pair in pairs)
    assert ("not told apart" in answer) == (alike and len(first) > 1)
    assert (f"some of these {len(first)} differ significantly" in answer) == (not alike)


def often(paired: str, n: int) -> Any:
    """How often outputs are exchanged, where they are."""
    return {"trials": n} if paired == "randomization" else {}


@at_most(20)
@given(
    small_sets(3),
    st.sampled_from(["bootstrap", "randomization"]),
    st.sampled_from(["none", "holm", "bh"]),
    st.booleans(),
)
def test_small_sets_with_ties_and_equals(testset: TestSet, paired: Any, correction: Any, same: bool) -> None:
    if same:
        testset = dataclasses.replace(testset, systems=dict.fromkeys(testset.systems, testset.systems["S0"]))
    found = tercet.compare(
        testset, metrics=METRICS, paired=paired, correction=correction, samples=80, **often(paired, 80)
    )
    n_sure = check(found)
    if same:
        assert n_sure == 0
        assert all(answer.startswith("By ") and "not told apart" in answer for answer in found.answers)


@pytest.mark.parametrize("paired", ["bootstrap", "randomization"])
@pytest.mark.parametrize("correction", ["none", "holm", "bh"])
def test_a_campaign(paired: Any, correction: Any) -> None:
    found = tercet.compare(
        campaign("de-en"),
        metrics=["bleu", "ter"],
        paired=paired,
        correction=correction,
        samples=400,
        **often(paired, 400),
    )
    assert check(found) > 20


def test_a_cluster_in_which_some_differ() -> None:
    reference = ["the", "cat", "sat", "on", "the", "mat"]
    systems = {
        name: [" ".join(reference[:5] if i in wrong else reference) for i in range(100)]
        for name, wrong in {"first": set[int](), "middle": {1, 2, 3}, "last": set(range(11, 21))}.items()
    }
    found = tercet.compare(TestSet.of(systems, [[" ".join(reference)]] * 100), metrics=["ter"], samples=400)
    assert found.clusters("ter") == [["first", "middle", "last"]]
    assert check(found) == 2  # one pair, seen from both sides
    assert found.answers[0].startswith(
        "By ter, first, middle and last share the first cluster: some of these 3 differ significantly, but no line"
    )
