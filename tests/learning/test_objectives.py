"""Objectives give, for many metrics and all parts at once, what the measure says of each."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tercet.agreeing import measure
from tercet.agreeing.machines import Computed
from tercet.agreeing.people import People
from tercet.agreeing.sides import from_texts
from tercet.data import Judgements, Rankings, TestSet
from tercet.errors import InputError
from tercet.learning.directions import LearningDirection, chosen_items
from tercet.learning.objectives import PairObjective, ScoreObjective, objective
from tercet.metric_base import Metric
from tercet.metrics import metric
from tercet.options.agreeing import GoldOptions, MetaLevel
from tests.learning.build import SYSTEMS, Small, assessments, part_of, rankings, texts

POINTS = (Small(), Small(alpha=0.0), Small(gamma=1.0, beta=2.0), Small(weights=(0.25, 1.0)), Small(weights=(0.0, 0.0)))
PAIRED = [
    "kendall(variant=wmt11)",
    "kendall(variant=wmt12)",
    "kendall(variant=wmt13)",
    "kendall(variant=wmt14)",
    "kendall(variant=hties)",
    "kendall(variant=wmt14, epsilon=0.2)",
    "pair-accuracy",
]


def direction(
    spec: str,
    level: MetaLevel = "segment",
    data: Judgements | None = None,
    testset: TestSet | None = None,
    own: Metric | None = None,
    folds: int = 3,
    without: tuple[str, ...] = (),
) -> LearningDirection:
    """One language pair."""
    whole = testset or texts()
    base = People(asked=GoldOptions(samples=40, without=without), direction="xx-yy")
    who, machines = from_texts(whole, {"own": own or Small()}, data or rankings(whole), (), base, "xx-yy")
    assert isinstance(machines, Computed)
    return LearningDirection("xx-yy", who, whole, own or Small(), machines.count, measure(spec), level, folds, 7)


def looked_up(found: LearningDirection) -> np.ndarray:
    """Every part of every metric, one by one, in the way of `meta`."""
    return np.array([[found.found(m, part).value for m in POINTS] for part in range(found.folds + 1)])


@pytest.mark.parametrize("spec", PAIRED)
def test_comparisons(spec: str) -> None:
    own = direction(spec)
    goal = objective([own], 1)
    assert isinstance(goal, PairObjective)
    assert np.array_equal(goal.values(POINTS), looked_up(own), equal_nan=True)


def test_a_metric_that_ties_everything_is_not_defined_in_wmt13() -> None:
    assert np.isnan(objective([direction("kendall(variant=wmt13)")], 1).values(POINTS)[:, -1]).all()


@pytest.mark.parametrize(
    ("spec", "level"),
    [
        ("pearson", "segment"),
        ("pearson(group=item)", "segment"),
        ("pearson(abs=true)", "segment"),
        ("spearman", "segment"),
        ("kendall", "segment"),
        ("kendall(variant=c)", "document"),
        ("acc-eq", "segment"),
        ("pdp", "segment"),
        ("segcor", "segment"),
        ("pearson", "document"),
        ("pearson", "system"),
        ("spearman", "system"),
        ("accuracy", "system"),
        ("spa(draws=20)", "system"),
    ],
)
def test_scores(spec: str, level: MetaLevel) -> None:
    whole = texts()
    own = direction(spec, level, assessments(whole), whole)
    goal = objective([own], 1)
    assert isinstance(goal, ScoreObjective)
    found, wanted = goal.values(POINTS[:-1]), looked_up(own)[:, :-1]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.isfinite(found).all()


def test_systems_by_rankings_are_ranked_anew_in_every_part() -> None:
    own = direction("pearson", "system")
    golds = [own.gold(part).scores.tolist() for part in (0, 1, 2, 3, -1, -2, -3)]
    assert len({str(g) for g in golds}) == 7
    np.testing.assert_allclose(objective([own], 1).values(POINTS[:-1]), looked_up(own)[:, :-1], rtol=1e-12)


@pytest.mark.parametrize(("spec", "level"), [("kendall(variant=wmt14)", "segment"), ("pearson", "system")])
def test_a_part_is_what_its_segments_alone_would_be(spec: str, level: MetaLevel) -> None:
    whole = texts()
    data = rankings(whole)
    own = direction(spec, level, data, whole)
    for part in (1, 2, -1, -3):
        names = {s for s, here in zip(whole.segments, own.inside(whole.segments, part), strict=True) if here}
        small, some = part_of(data, whole, names)
        alone = direction(spec, level, some, small)
        for m in POINTS[:3]:
            assert own.found(m, part) == alone.found(m, 0)


def test_folds_cut_up_the_segments_and_share_the_judged_ones() -> None:
    own = direction("kendall(variant=wmt14)", folds=4)
    names = own.testset.segments
    held = [own.inside(names, -k) for k in range(1, 5)]
    assert np.array_equal(np.sum(held, axis=0), np.ones(len(names)))
    for k, fold in enumerate(held, 1):
        assert np.array_equal(own.inside(names, k), ~fold)
    data = own.people.judgements
    assert isinstance(data, Rankings)
    judged = {data.segments[i] for i in data.segment}
    sizes = [sum(s in judged for s, here in zip(names, fold, strict=True) if here) for fold in held]
    assert max(sizes) - min(sizes) <= 1
    again = direction("kendall(variant=wmt14)", folds=4)
    assert again.fold_of == own.fold_of
    assert dataclasses.replace(own, seed=8, golds={}).fold_of != own.fold_of


def test_documents_stay_whole() -> None:
    whole = texts()
    own = direction("pearson", "document", assessments(whole), whole)
    assert set(own.fold_of) == set(whole.documents or ())
    assert sorted(own.gold(-1).items + own.gold(-2).items + own.gold(-3).items) == sorted(own.gold(0).items)


def test_too_many_folds_are_refused() -> None:
    whole = texts(segments=6)
    with pytest.raises(InputError, match="for 7 folds of xx-yy"):
        objective([direction("kendall(variant=wmt14)", data=rankings(whole), testset=whole, folds=7)], 1)


def test_items_of_a_gold_are_cut_with_their_comparisons() -> None:
    gold = direction("kendall(variant=wmt14)").gold(0)
    keep = np.arange(len(gold.items)) % 3 == 1
    cut = chosen_items(gold, keep)
    assert cut.items == tuple(i for i, k in zip(gold.items, keep, strict=True) if k)
    assert len(cut.comparisons) == keep[gold.comparisons.segment].sum()
    before = [gold.items[s] for s in gold.comparisons.segment if keep[s]]
    assert [cut.items[s] for s in cut.comparisons.segment] == before


def test_a_system_that_the_texts_lack_does_not_count() -> None:
    whole = texts()
    less = dataclasses.replace(whole, systems={n: t for n, t in whole.systems.items() if n != SYSTEMS[2]})
    data = rankings(whole)
    own = direction("kendall(variant=wmt12)", data=data, testset=less)
    assert np.array_equal(objective([own], 1).values(POINTS), looked_up(own))


def test_lower_is_better() -> None:
    own = direction("kendall(variant=wmt14)", own=metric("ter"))
    assert objective([own], 1).values([metric("ter")])[0, 0] == own.found(metric("ter"), 0).value
    whole = texts()
    scored = direction("pearson", "segment", assessments(whole), whole, own=metric("ter"))
    assert objective([scored], 1).values([metric("ter")])[0, 0] == pytest.approx(scored.found(metric("ter"), 0).value)


def test_directions_are_averaged() -> None:
    one, other = direction("kendall(variant=wmt14)"), direction("kendall(variant=wmt14)", testset=texts(9, 30))
    both = objective([one, other], 1).values(POINTS)
    np.testing.assert_allclose(both, (looked_up(one) + looked_up(other)) / 2, rtol=1e-14)


def test_shares_are_pooled() -> None:
    whole, less = texts(), texts(9, 30)
    one = direction("accuracy", "system", assessments(whole), whole)
    other = direction("accuracy", "system", assessments(less, 5), less, without=(SYSTEMS[0],))
    assert [d.found(Small(), 0).n for d in (one, other)] == [6, 3]
    found = objective([one, other], 1).values(POINTS[:3])
    np.testing.assert_allclose(found, (6 * looked_up(one) + 3 * looked_up(other))[:, :3] / 9)


def near_ties(goal: PairObjective, own: Metric) -> float:
    """Comparisons that rounding decides, as a share of those of the smaller direction's smallest part."""
    found = []
    for tally, where in zip(goal._tallies, goal.directions, strict=True):
        scores = own.score(tally.rows)
        close = np.abs(scores[tally.left] - scores[tally.right]) < 1e-9
        found.append(np.abs(tally.credit[0, close]).sum() / min(where.found(own, p).n for p in goal.parts))
    return float(sum(found))


@pytest.mark.parametrize("spec", [s for s in PAIRED if "epsilon" not in s])
def test_a_grid_is_its_points(spec: str) -> None:
    goal = objective([direction(spec), direction(spec, testset=texts(9, 30))], 2)
    assert isinstance(goal, PairObjective)
    assert goal.has_grid
    alphas, betas, gammas = np.array([0.0, 0.3, 1.0]), np.array([0.0, 0.7]), np.array([0.0, 0.45, 0.8, 1.0])
    own = Small(weights=(0.9, 0.4))
    found = goal.grid(own, alphas, betas, gammas)
    points = [dataclasses.replace(own, alpha=a, beta=b, gamma=g) for a in alphas for b in betas for g in gammas]
    wanted = goal.values(points)
    assert found.shape == wanted.shape
    off = np.abs(found - wanted) > 1e-12
    assert off.mean() < 0.2
    for i in np.flatnonzero(off.any(axis=0)):
        assert np.abs(found - wanted)[:, i].max() <= 2 * near_ties(goal, points[i]), str(points[i])


def test_a_tolerance_is_not_for_the_kernel() -> None:
    goal = objective([direction("kendall(variant=wmt14, epsilon=0.1)")], 1)
    assert isinstance(goal, PairObjective)
    assert not goal.has_grid
