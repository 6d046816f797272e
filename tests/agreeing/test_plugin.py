"""A measure of another package, which has `found` and nothing else, has intervals and tests like any other."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.agreeing import measure
from tercet.agreeing.base import Draws, Found, Measure, PairMeasure
from tercet.agreeing.gold import Gold
from tercet.agreeing.significance import Compared, p_values
from tercet.data import Array
from tercet.metric_base import Card
from tercet.options.agreeing import Certainty
from tercet.sample import campaign, judgements
from tests.agreeing.build import gold_for, metric_for

CARD = Card("Its own", "A definition.", "none", "-1 to 1", "the definition")


@dataclasses.dataclass(frozen=True)
class Plain(Measure):
    """Pearson's r, as somebody else may write it."""

    name = "plain"
    card = CARD

    def found(self, gold: Gold, metric: Array) -> Found:
        both = np.isfinite(gold.scores) & np.isfinite(metric)
        x, y = gold.scores[both], metric[both]
        if len(x) < 2 or not np.ptp(x) or not np.ptp(y):
            return Found(float("nan"), len(x))
        return Found(float(np.corrcoef(x, y)[0, 1]), len(x))


@dataclasses.dataclass(frozen=True)
class PlainTau(Measure):
    """Kendall's tau of WMT14 over comparisons, one by one."""

    name = "plain-tau"
    levels = ("segment",)
    card = CARD

    @property
    def takes(self) -> Any:
        return "pairs"

    def found(self, gold: Gold, metric: Array) -> Found:
        pairs = gold.comparisons
        gap = metric[pairs.left, pairs.segment] - metric[pairs.right, pairs.segment]
        decided = (pairs.outcome != 1) & np.isfinite(gap)
        agree = np.sign(gap[decided]) * (1 - pairs.outcome[decided])
        return Found(float(agree.mean()), int(np.isfinite(gap).sum()))


FEW: Any = {"samples": 40}
TEXTS = campaign("en-de")


@pytest.mark.parametrize(
    ("protocol", "level", "how"),
    [
        ("rankings", "system", Plain()),
        ("da", "segment", Plain()),
        ("da", "document", Plain()),
        ("rankings", "segment", PlainTau()),
        ("da", "segment", PlainTau()),
    ],
)
def test_only_found_is_needed(protocol: str, level: Any, how: Measure) -> None:
    people = judgements("en-de", protocol)
    found = tercet.meta(testset=TEXTS, judgements=people, metrics=["chrf", "bleu"], level=level, measures=how, **FEW)
    for record in found:
        assert record.low is not None
        assert record.high is not None
        assert record.low <= record.value + 0.05
        assert record.rank is not None
    assert np.isfinite(found.tests[0].p[0, 1])


@pytest.mark.parametrize("unit", ["judgements", "systems"])
def test_resamples_of_systems_are_like_those_of_the_kernels(unit: Any) -> None:
    gold = gold_for(measure("pearson"))
    metrics = metric_for(gold)[None]
    slow = Plain().resampled(gold, metrics, Draws(unit, 400, 1, 1))
    fast = measure("pearson").resampled(gold, metrics, Draws(unit, 400, 1, 1))
    assert np.nanquantile(slow, [0.1, 0.5, 0.9]) == pytest.approx(np.nanquantile(fast, [0.1, 0.5, 0.9]), abs=0.05)


@pytest.mark.parametrize("unit", ["judgements", "items"])
def test_resamples_of_comparisons_are_like_those_of_ours(unit: Any) -> None:
    own = measure("kendall(variant=wmt14)")
    assert isinstance(own, PairMeasure)
    gold = gold_for(own)
    metrics = metric_for(gold)[None]
    slow, fast = (how.resampled(gold, metrics, Draws(unit, 400, 1, 1)) for how in (PlainTau(), own))
    assert np.quantile(slow, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(fast, [0.1, 0.5, 0.9]), abs=0.03)
    assert slow.std() > 0


def test_exchanged_segments_are_tested_like_ours() -> None:
    own = measure("kendall(variant=wmt14)")
    gold = gold_for(own)
    metrics = np.stack([metric_for(gold, seed) for seed in (3, 4, 5)])
    metrics[1, 2, 5] = np.nan
    slow, fast = (
        p_values(
            how,
            Compared(gold, metrics, tuple(how.found(gold, m) for m in metrics)),
            Certainty(test="perm-item", draws=1500),
        )
        for how in (PlainTau(), own)
    )
    assert slow is not None
    assert fast is not None
    assert slow[1] == pytest.approx(fast[1], abs=0.05, nan_ok=True)


@pytest.mark.parametrize("gold", [gold_for(measure("pearson")), gold_for(measure("acc-eq")), gold_for(PlainTau())])
def test_every_interval_and_test_that_is_declared_works(gold: Gold) -> None:
    how: Measure = PlainTau() if gold.pairs is not None else Plain()
    metrics = np.stack([metric_for(gold, 3), metric_for(gold, 4)])
    figures = tuple(how.found(gold, m) for m in metrics)
    for interval in how.intervals(gold):
        if interval != "none":
            sampled = how.resampled(gold, metrics, Draws(interval, 40, 1, 1))  # type: ignore[arg-type]
            assert sampled.shape[0] == 2
            assert np.isfinite(sampled).any()
    for test in how.tests(gold):
        if test not in ("none", "overlap"):
            made = p_values(how, Compared(gold, metrics, figures), Certainty(test=test, draws=30))
            assert made is not None
            assert np.isfinite(made[1][0, 1])
