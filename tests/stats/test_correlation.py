"""Grouped correlations, relations of pairs and differences against their definitions."""

from __future__ import annotations

import itertools
import math
from typing import get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError
from tercet.stats.correlation import (
    Grouping,
    Kind,
    correlation,
    correlations,
    difference_pearson,
    pack,
    pair_relations,
)
from tests.oracles import correlation as oracle

Floats = npt.NDArray[np.float64]
Table = list[list[float]]

scores = st.one_of(st.integers(-2, 2).map(float), st.integers(-400, 400).map(lambda x: x / 8))
gaps = st.one_of(scores, scores, scores, st.just(math.nan))


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[Table, Table]:
    """People and a metric, with gaps."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    one = st.lists(st.lists(gaps, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    return draw(one), draw(one)


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("group", get_args(Grouping))
@given(tables=two_tables(), zero_nans=st.booleans(), epsilon=st.sampled_from([0.0, 1.0]), threshold=scores)
def test_groups_are_averaged_as_defined(
    kind: Kind, group: Grouping, tables: tuple[Table, Table], zero_nans: bool, epsilon: float, threshold: float
) -> None:
    gold, metric = tables
    epsilon = 0.0 if kind == "tau-c" else epsilon
    found = correlation(
        kind, np.array(gold), np.array(metric), group, epsilon=epsilon, threshold=threshold, zero_nans=zero_nans
    )
    wanted = oracle.grouped(kind, gold, metric, group, epsilon, threshold, zero_nans)
    assert found.value == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    each = [oracle.agreement(kind, g, m, epsilon, threshold) for g, m in oracle.groups(gold, metric, group)]
    np.testing.assert_allclose(found.values, [value for value, _ in each], atol=1e-12)
    used = [w if zero_nans or not math.isnan(value) else 0 for value, w in each]
    assert found.weights.tolist() == used
    assert found.groups == sum(w > 0 for w in used)
    assert found.n == int((~np.isnan(gold) & ~np.isnan(metric)).sum())


def test_kendall_like_is_that_of_all_pairs_together() -> None:
    rng = np.random.default_rng(1)
    gold, metric = rng.integers(0, 9, (2, 6, 30)).astype(float)
    found = correlation("kendall-like", gold, metric, "item", threshold=3)
    counts = [oracle.kendall_like(g, m, 0, 3) for g, m in oracle.groups(gold.tolist(), metric.tolist(), "item")]
    pooled = sum(tau * n for tau, n in counts if n) / sum(n for _, n in counts)
    assert found.value == pytest.approx(pooled, abs=1e-12)
    assert found.value != pytest.approx(np.mean(found.values), abs=1e-3)


def test_people_who_tie_are_discordant_without_a_threshold() -> None:
    gold, metric = np.array([[1.0], [1.0]]), np.array([[1.0], [2.0]])
    assert correlation("kendall-like", gold, metric).value == -1
    assert math.isnan(correlation("kendall-like", gold, metric, threshold=1).value)


def test_packed_entries_know_their_place() -> None:
    gold = np.arange(6.0).reshape(2, 3)
    metrics = np.stack([gold + 10, gold + 20])
    metrics[1, 0, 1] = np.nan
    for group, starts in (("none", [0, 5]), ("item", [0, 2, 3, 5]), ("system", [0, 2, 5])):
        packed = pack(group, gold, metrics)  # type: ignore[arg-type]
        assert packed.starts.tolist() == starts
        assert packed.gold.tolist() == packed.cell.tolist()
        assert (packed.metrics - packed.gold).tolist() == [[10.0] * 5, [20.0] * 5]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "tau"}, "no agreement called 'tau'"),
        ({"group": "segment"}, "no grouping called 'segment'"),
        ({"metric": np.zeros((3, 2))}, r"\(2, 3\) and those of a metric \(3, 2\)"),
        ({"metric": np.full((2, 3), np.inf)}, "infinite"),
        ({"epsilon": -1.0}, "epsilon is -1"),
        ({"epsilon": math.inf}, "epsilon is inf"),
        ({"kind": "tau-c", "epsilon": 0.5}, "tau-c"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, object], said: str) -> None:
    given = {"kind": "tau-b", "gold": np.zeros((2, 3)), "metric": np.zeros((2, 3)), "group": "item", "epsilon": 0.0}
    with pytest.raises(InputError, match=said):
        correlation(**given | change)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(3,), (2, 4)])
def test_versions_must_be_about_the_same_systems(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="same systems"):
        correlations("pearson", np.zeros((5, 3)), np.zeros(shape))


@given(two_tables())
def test_relations_are_the_signs_of_differences(tables: tuple[Table, Table]) -> None:
    values = np.array(tables[0])
    rows = list(itertools.product(range(values.shape[0]), range(values.shape[0]), range(values.shape[1])))
    left, right, item = np.array(rows).T
    for epsilon in (0.0, 1.0):
        found = pair_relations(values, left, right, item, epsilon)
        for (a, b, i), relation, known in zip(rows, found.relation.tolist(), found.known.tolist(), strict=True):
            gap = tables[0][a][i] - tables[0][b][i]
            assert known == (not math.isnan(gap))
            assert relation == (0 if math.isnan(gap) or abs(gap) <= epsilon else math.copysign(1, gap))


@pytest.mark.parametrize("group", get_args(Grouping))
@given(tables=two_tables())
def test_differences_are_those_of_the_oracle(group: Grouping, tables: tuple[Table, Table]) -> None:
    gold, metric = np.array(tables[0]), np.array(tables[1])
    found = difference_pearson(gold, metric, group)
    assert found == pytest.approx(oracle.differences(*tables, group), abs=1e-9, nan_ok=True)
    if group == "none":
        assert found == pytest.approx(correlation("pearson", gold, metric).value, abs=1e-9, nan_ok=True)


def test_differences_of_items_that_do_not_vary_have_no_correlation() -> None:
    metric = np.tile([0.1, 0.7, 0.3], (7, 1))  # whose means are not exact
    assert math.isnan(difference_pearson(np.arange(21.0).reshape(7, 3), metric))
