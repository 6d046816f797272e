"""The search finds what looking at every point finds, and moves nothing without a reason."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tercet.data import Array
from tercet.errors import InputError
from tercet.learning import search
from tercet.learning.objectives import objective
from tercet.learning.parameters import chosen
from tercet.learning.search import KEPT, Best, Space, _around, _strides, evolution, grid, refine
from tercet.metric_base import Metric
from tests.learning.build import Small, assessments, texts
from tests.learning.test_objectives import direction

TAU = "kendall(variant=wmt14)"
FEW = ["alpha=0:1:0.25", "gamma=0:1:0.5", "weights.2=0:1:0.5"]


def space(*parameters: str, metric: Metric | None = None) -> Space:
    """Some parameters of the small metric."""
    own = metric or Small()
    return Space(own, chosen(own, parameters))


def every(where: Space) -> list[Metric]:
    """The metrics of all points, and the one at home."""
    return [where.metric, *(where.at(p) for p in itertools.product(*(q.values() for q in where.parameters)))]


@pytest.mark.parametrize("kernel", [True, False])
def test_a_grid_finds_the_best_of_every_part(kernel: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    own = direction(TAU)
    goal, where = objective([own], 1), space(*FEW)
    assert where.harmonic(goal)
    if not kernel:
        monkeypatch.setattr(Space, "harmonic", lambda *_: False)
    best, points = grid(goal, where)
    assert points == where.points() == 5 * 3 * 3
    for part in goal.parts:
        tops = [own.found(m, part).value for m in every(where)]
        winner = best.settled(part, lambda m, part=part: own.found(m, part).value)  # type: ignore[misc]
        assert own.found(winner, part).value == max(tops)


def test_scores_have_a_grid_as_well() -> None:
    whole = texts()
    own = direction("pearson", "segment", assessments(whole), whole)
    goal, where = objective([own], 1), space("alpha", "weights.1")
    assert not where.harmonic(goal)
    best, _ = grid(goal, where)
    assert best.values[0][0] == max(objective([own], 1).values(every(where))[0])


def test_the_kernel_is_for_its_own_parameters() -> None:
    goal = objective([direction(TAU)], 1)
    assert not space("weights").harmonic(goal)
    assert space("weights", "beta").harmonic(goal)


def test_a_grid_around_the_kernel_names_its_points() -> None:
    """Parameters in any order, inner and outer ones mixed."""
    goal, where = objective([direction(TAU)], 1), space("weights.2=0:1:0.5", "gamma=0:1:0.5", "alpha=0:1:0.5")
    best, _ = grid(goal, where)
    for point, value in zip(best.points[0], best.values[0], strict=True):
        assert where.at(point).effective("weights")[1] == point[0]
        assert goal.values([where.at(point)])[0, 0] == pytest.approx(value, abs=0.05)


def test_equals_are_settled_by_the_way_home() -> None:
    where = space("alpha=0:1:0.25")
    best = Best(where, 1)
    points = np.array([[0.0], [0.75], [1.0], [0.5], [0.25]])
    best.add(np.array([[0.3, 0.9, 0.9, 0.1, np.nan]]), points.__getitem__)
    assert best.points[0].tolist() == [[0.75], [1.0], [0.0], [0.5], [0.25]]
    assert best.settled(0, lambda m: 0.9 if m.effective("alpha") > 0.5 else 0.0) == Small(alpha=0.75)
    assert best.settled(0, lambda _: math.nan) == Small(alpha=0.75)


def test_few_are_kept_and_they_are_the_best() -> None:
    where = space("alpha=0:1:0.001")
    best = Best(where, 1)
    values, points = np.sin(np.arange(1001.0) * 7), where.parameters[0].values()[:, None]
    for part in np.array_split(np.arange(1001), 7):
        best.add(values[None, part], lambda i, part=part: points[part][i])  # type: ignore[misc]
    assert best.values[0].tolist() == sorted(values, reverse=True)[:KEPT]


def test_home_is_among_the_points_even_outside_of_the_range() -> None:
    goal, where = objective([direction(TAU)], 1), space("gamma=0:0.25:0.25", metric=Small(gamma=1.0))
    best, _ = grid(goal, where)
    assert best.points[0].tolist() != []
    assert sorted(p[0] for p in best.points[0]) == [0.0, 0.25, 1.0]
    assert where.at([1.0]) is where.metric


def test_a_grid_that_is_too_large_is_refused() -> None:
    goal = objective([direction("kendall(variant=wmt14, epsilon=0.1)")], 1)
    with pytest.raises(InputError, match="The grid has 250 000 000 points") as error:
        grid(goal, space("alpha=0.0001:0.5:0.0001", "gamma=0.00001:0.5:0.00001"))
    assert "--search scipy" in error.value.hint


def test_a_coarse_grid_is_refined() -> None:
    whole = texts()
    own = direction("pearson", "segment", assessments(whole), whole)
    goal, where = objective([own], 1), space("alpha=0:1:0.01", "gamma=0:1:0.01", "weights.2=0:1:0.01")
    seen: list[int] = []
    best, points = refine(goal, where, lambda _, n: seen.append(n))
    assert sum(seen) == points < where.points() / 50
    again, _ = refine(goal, where)
    for part in goal.parts:
        assert np.array_equal(best.points[part], again.points[part])
        near = _around(where, best.points[part][0], np.ones(3, dtype=np.int64))
        assert goal.values(where.some(near))[part].max() <= best.values[part][0]
    fine, _ = grid(goal, space("alpha=0:1:0.1", "gamma=0:1:0.1", "weights.2=0:1:0.1"))
    assert all(a[0] >= b[0] for a, b in zip(best.values, fine.values, strict=True))


def test_without_a_coarse_grid_home_is_refined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "COARSE", {True: 3, False: 3})
    goal, where = objective([direction(TAU)], 1), space("alpha", "gamma")
    best, _ = refine(goal, where)
    assert best.values[0][0] >= goal.values([where.metric])[0, 0]


def test_strides_and_the_points_that_they_lead_to() -> None:
    where = space("alpha=0:1:0.05", "beta=0:2:0.05")
    assert _strides(where, 3) is None
    for points, strides in ((4, [20, 40]), (30, [5, 10]), (10**6, [1, 1])):
        found = _strides(where, points)
        assert found is not None
        assert found.tolist() == strides
    near = _around(where, np.array([0.95, 1.0]), np.array([2, 10])).tolist()
    steps = [[a, b] for a in (0.85, 0.95, 1.0) for b in (0.5, 1.0, 1.5)]
    assert near == [point for point in steps if point != [0.95, 1.0]]


def test_evolution_is_repeatable_and_no_worse_than_home() -> None:
    goal, where = objective([direction(TAU)], 1), space("alpha", "beta=0.5:1.5:0.1", "weights.2")
    seen: list[int] = []
    best, points = evolution(goal, where, 3, lambda _, n: seen.append(n))
    again, _ = evolution(goal, where, 3)
    other, _ = evolution(goal, where, 4)
    assert sum(seen) == points > 100
    for part in goal.parts:
        assert np.array_equal(best.points[part], again.points[part])
        home = goal.values([where.metric])[part, 0]
        assert best.values[part][0] >= home
    assert any(not np.array_equal(a, b) for a, b in zip(best.points, other.points, strict=True))


def test_evolution_rounds_and_stays_inside() -> None:
    goal, where = objective([direction(TAU)], 1), space("alpha=0.333:0.667:0.1", "gamma=0.5:0.5:0.1")
    best, _ = evolution(goal, where, 1)
    found: Array = np.concatenate(best.points)
    inside = found[~(found == where.home).all(axis=1)]
    assert ((inside[:, 0] >= 0.333) & (inside[:, 0] <= 0.667)).all()
    assert set(inside[:, 1]) <= {0.5}
    between = inside[(inside[:, 0] > 0.333) & (inside[:, 0] < 0.667), 0]
    assert np.array_equal(between, np.round(between, 2))
