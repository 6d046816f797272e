"""Metrics of METEOR's form: what they give to the kernel is what their score is made of."""

from __future__ import annotations

import dataclasses
from typing import cast

import numpy as np
import pytest

import tercet
from tercet.errors import MissingExtraError
from tercet.learning.points import INNER, HarmonicMetric
from tercet.learning.search import Space
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.sample import exercise
from tests.conftest import absent
from tests.contract.metric_checks import EMPTY_PAIRS, OUTPUTS, REFERENCES, learn, statistics
from tests.learning.build import Small

HARMONIC = [name for name in METRICS if isinstance(METRICS.make(name), HarmonicMetric)]


@pytest.mark.parametrize("metric", [Small(), *map(METRICS.make, HARMONIC)], ids=lambda m: m.name)
def test_the_score_is_made_of_its_factors(metric: Metric) -> None:
    hyps, refs = zip(*zip(OUTPUTS, REFERENCES, strict=True), *EMPTY_PAIRS, strict=True)
    try:
        rows = statistics(metric, hyps, refs, learn(metric, REFERENCES))
    except MissingExtraError as error:
        absent(f"{metric.name} needs something that is not installed: {error}")
    precision, recall, fragmentation = cast(HarmonicMetric, metric).factors(rows)
    for alpha, beta, gamma in ((0.5, 1.0, 0.5), (0.0, 0.0, 1.0), (1.0, 2.0, 0.0), (0.85, 0.2, 0.6)):
        there = dataclasses.replace(metric, alpha=alpha, beta=beta, gamma=gamma)  # type: ignore[type-var]
        again = cast(HarmonicMetric, there).factors(rows)
        for one, other in zip(again, (precision, recall, fragmentation), strict=True):
            assert np.array_equal(one, other, equal_nan=True), "a factor depends on what it is combined by"
        some = (precision > 0) & (recall > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1 / ((1 - alpha) / precision + alpha / recall)
            expected = np.where(some, mean * (1 - gamma * fragmentation**beta), 0.0)
        np.testing.assert_allclose(there.score(rows), expected, rtol=1e-12, atol=1e-15)
        assert some.sum() >= len(OUTPUTS)


def test_meteor_is_one_of_them() -> None:
    assert {"meteor", "meteor-lecture"} <= set(HARMONIC)
    assert all(hasattr(METRICS.make("meteor"), name) for name in INNER)


@pytest.mark.parametrize("spec", ["meteor", "meteor(language=en, modules=exact+stem)", "meteor-lecture"])
def test_the_kernel_and_the_formula_find_the_same(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, better = exercise()

    def tuned() -> tercet.Tuning:
        parameters = ["alpha=0:1:0.25", "beta=0:2:1", "gamma=0:1:0.25"]
        return tercet.tune(
            spec, testset=texts, judgements=better, objective="pair-accuracy", parameters=parameters, folds=3
        )

    try:
        fast = tuned()
    except MissingExtraError as error:
        absent(f"{spec} needs something that is not installed: {error}")
    monkeypatch.setattr(Space, "harmonic", lambda *_: False)
    slow = tuned()
    assert fast.record("all").value == slow.record("all").value
    assert str(tercet.metric(fast.spec)) == fast.spec
    told = tercet.meta(
        testset=texts,
        judgements=better,
        metrics=[fast.spec],
        measures="pair-accuracy",
        level="segment",
        interval="none",
        test="none",
    )
    assert fast.record("all").value == told.records[0].value


def test_meteors_eight_are_tuned_where_they_stand() -> None:
    texts, better = exercise()
    try:
        found = tercet.tune(
            "meteor(language=en)",
            testset=texts,
            judgements=better,
            objective="pair-accuracy",
            parameters=["delta=0.5:1:0.5", "weights=0.6:1:0.4"],
            folds=3,
        )
    except MissingExtraError as error:
        absent(f"meteor needs something that is not installed: {error}")
    assert found.points == 2**5
    assert [p.default for p in found.profiles] == [0.75, 1.0, 0.6, 0.8, 0.6]
    assert found.record("all").settings is not None
    if found.spec != found.default:
        assert "weights=" in found.spec
        assert "alpha" not in found.spec
