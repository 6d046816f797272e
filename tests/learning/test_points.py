"""Many points at once score what each of them scores alone, and a search finds the same with them."""

from __future__ import annotations

import numpy as np
import pytest

import tercet
from tercet.agreeing import measure
from tercet.agreeing.accuracy import AccuracyWithTies
from tercet.agreeing.base import Measure, ScoreMeasure
from tercet.agreeing.segcor import LengthWeightedPearson
from tercet.errors import MissingExtraError
from tercet.learning.parameters import chosen, moved
from tercet.learning.points import Points, scores_of
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tests.conftest import absent
from tests.contract.metric_checks import EMPTY_PAIRS, OUTPUTS, REFERENCES, learn, statistics
from tests.learning.build import Small, assessments, rankings, texts
from tests.learning.test_objectives import direction

SPECS = {
    "meteor(language=de, modules=exact+stem)": ["alpha=0:1:0.5", "beta=0:2:0.5", "gamma=0:1:0.5", "weights.2", "delta"],
    "meteor-lecture(language=de)": ["alpha=0:1:0.25", "beta=0:3:0.5"],
    "chrf": ["beta"],
    "chrf++(eps_smoothing=true)": ["beta"],
    "chrf-original": ["beta"],
    "hlepor": ["alpha=1:9:4", "weight_length=1:3:1"],
    "gtm": ["beta"],
    "length-ratio": ["expected=0.5:2:0.5"],
}


def some(metric: Metric, parameters: list[str], n: int = 40) -> Points:
    """Points of a grid, in no order."""
    own = chosen(metric, parameters)
    rng = np.random.default_rng(4)
    return Points(metric, own, np.stack([rng.choice(p.values(), n) for p in own], axis=1))


@pytest.mark.parametrize("spec", ["small", *SPECS])
def test_many_points_score_what_each_of_them_does(spec: str) -> None:
    metric: Metric = Small() if spec == "small" else METRICS.make(spec)
    parameters = ["alpha", "beta", "gamma", "weights"] if spec == "small" else SPECS[spec]
    hyps, refs = zip(*zip(OUTPUTS, REFERENCES, strict=True), *EMPTY_PAIRS, strict=True)
    try:
        rows = statistics(metric, hyps, refs, learn(metric, REFERENCES))
    except MissingExtraError as error:
        absent(f"{spec} needs something that is not installed: {error}")
    points = some(metric, parameters)
    stats = rows[: len(rows) // 2 * 2].reshape(2, -1, rows.shape[-1])
    found = scores_of(points, stats, lambda m: m.retuned(stats))
    sign = 1.0 if metric.higher_is_better else -1.0
    for value, point in zip(found, points.values.tolist(), strict=True):
        own = moved(metric, points.parameters, point)
        assert np.array_equal(value, sign * own.score(own.retuned(stats)), equal_nan=True), str(own)
    assert len(np.unique(found, axis=0)) > 1


def test_home_is_the_metric_that_was_given() -> None:
    own = Small(alpha=0.25)
    points = Points(own, chosen(own, ["alpha"]), np.array([[0.5], [0.25]]))
    assert points.metrics == [Small(alpha=0.5), own]
    assert points.metrics[1] is own


@pytest.mark.parametrize("lacking", [False, True])
@pytest.mark.parametrize(
    "spec",
    ["pearson", "spearman", "kendall", "segcor", "acc-eq", "acc-eq(group=system)", "acc-eq(group=none)", "pdp"],
)
def test_parts_are_what_the_measure_says_of_them(spec: str, lacking: bool) -> None:
    whole = texts()
    own = direction(spec, "segment", assessments(whole), whole)
    golds = [own.gold(part) for part in range(4)]
    inside = [own.inside(golds[0].items, part) for part in range(4)]
    scores = np.random.default_rng(3).normal(size=(7, *golds[0].scores.shape)).round(1)
    scores[0] = 0.5
    scores[:, 1, 3] = np.nan
    if lacking:
        scores[2, 0, 5] = np.nan  # now they do not lack the same scores
    found = measure(spec).of_parts(golds, inside, scores, 2)
    wanted = [[measure(spec).found(g, s[:, i]).value for s in scores] for g, i in zip(golds, inside, strict=True)]
    assert np.array_equal(found, np.array(wanted), equal_nan=True)


@pytest.mark.parametrize("objective", ["pearson", "segcor", "acc-eq", "spearman", "pair-accuracy", None])
@pytest.mark.parametrize("spec", ["small", "chrf"])
def test_a_search_finds_the_same_one_by_one(spec: str, objective: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = texts()
    paired = objective in ("pair-accuracy", None)

    def tuned() -> tercet.Tuning:
        return tercet.tune(
            Small() if spec == "small" else spec,
            testset=whole,
            judgements=rankings(whole) if paired else assessments(whole),
            objective=objective,
            parameters=["weights.2=0:1:0.5", "alpha=0:1:0.25"] if spec == "small" else ["beta"],
            folds=3,
            threads=1,
        )

    fast = tuned()

    monkeypatch.setattr(
        Points, "scores", lambda self, _, retuned: np.stack([m.score(retuned(m)) for m in self.metrics])
    )
    for fast_way in (ScoreMeasure, AccuracyWithTies, LengthWeightedPearson):
        monkeypatch.setattr(fast_way, "of_parts", Measure.of_parts)
    assert tuned() == fast
