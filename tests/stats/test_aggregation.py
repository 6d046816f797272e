"""Scores of systems made of those of segments, by other means than the metric's own."""

from __future__ import annotations

import statistics as python
from typing import get_args

import numpy as np
import pytest

import tercet
from tercet.data.statistics import Statistics
from tercet.errors import InputError
from tercet.options.groups import AGGREGATE_NAMES, Aggregate
from tercet.sample import campaign, judgements
from tercet.stats.aggregation import LEAST, aggregated, arithmetic_geometric

SCORES = np.array([[0.5, 0.25, 1.0, 0.125], [0.5, 0.75, 0.0, 0.25]])
PLAIN = Statistics(("a", "b"), SCORES[..., None], lambda stats: stats[..., 0])
TEXTS = campaign("en-de")


def of(by: Aggregate, *, higher: bool = True) -> list[float]:
    values: list[float] = aggregated(PLAIN, by, higher_is_better=higher).corpus().tolist()
    return values


def test_each_by_hand() -> None:
    """The library's statistics module knows three of them."""
    first = SCORES[0].tolist()
    assert of("mean")[0] == python.fmean(first)
    assert of("median") == [python.median(row) for row in SCORES.tolist()]
    assert of("harmonic")[0] == pytest.approx(python.harmonic_mean(first))
    assert of("harmonic")[1] == pytest.approx(python.harmonic_mean([0.5, 0.75, LEAST, 0.25]))
    assert of("rms")[0] == pytest.approx(np.sqrt(np.mean(np.square(first))))
    both = python.fmean(first), python.geometric_mean(first)
    assert both[1] < of("agm")[0] < both[0]
    assert of("agm")[0] == pytest.approx(arithmetic_geometric(*map(np.asarray, both)).item())


def test_the_share_of_best_counts_ties_for_both_and_knows_which_way_is_better() -> None:
    assert of("best") == [0.5, 0.75]
    assert of("best", higher=False) == [0.75, 0.5]


@pytest.mark.parametrize("by", get_args(Aggregate))
def test_score_and_meta_agree_and_sign_it(by: Aggregate) -> None:
    found = tercet.score(testset=TEXTS, metrics=["chrf", "ter"], aggregate=by)
    segments = tercet.score(testset=TEXTS, metrics=["chrf"], level="segment")
    rows = np.array([[r.score for r in segments if r.system == s] for s in TEXTS.systems])
    plain = Statistics(tuple(TEXTS.systems), rows[..., None], lambda stats: stats[..., 0])
    wanted = aggregated(plain, by, higher_is_better=True).corpus().tolist()
    assert [found.value(system, "chrf") for system in TEXTS.systems] == pytest.approx(wanted)
    assert f"aggregate:{by}" in found.signature
    assert all(f"aggregate:{by}" in record.signature for record in found)
    assert f"Scores of systems are {AGGREGATE_NAMES[by]}." in found.notes
    held = tercet.meta(
        testset=TEXTS, judgements=judgements("en-de"), metrics=["chrf", "ter"], aggregate=by, test="none", samples=40
    )
    assert f"aggregate:{by}" in held.signature
    assert all(-1 <= record.value <= 1 for record in held)
    assert found.scales["ter"][0] is (by == "best")


def test_intervals_and_tests_but_for_the_median() -> None:
    found = tercet.score(testset=TEXTS, metrics="ter", aggregate="best", ci=True, paired="bootstrap", samples=100)
    for record in found:
        assert record.low is not None
        assert record.high is not None
        assert record.low <= record.score <= record.high
    with pytest.raises(InputError, match="neither intervals nor paired tests"):
        tercet.score(testset=TEXTS, metrics="ter", aggregate="median", ci=True)
    with pytest.raises(InputError, match="cannot be drawn again"):
        tercet.meta(
            testset=TEXTS, judgements=judgements("en-de", "da"), metrics="chrf", aggregate="median", test="hybrids"
        )
    with pytest.raises(InputError, match="aggregate does nothing"):
        tercet.score(testset=TEXTS, metrics="ter", aggregate="rms", level="segment")


def test_shards_have_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("parts")
    parts = [
        tercet.score_shard(
            testset=TEXTS, metrics=["chrf"], aggregate="agm", ci=True, samples=40, shard=f"{i}/2", part=p
        )
        for i, p in ((1, folder / "1.part"), (2, folder / "2.part"))
    ]
    whole = tercet.score(testset=TEXTS, metrics=["chrf"], aggregate="agm", ci=True, samples=40)
    assert tercet.merge(parts).as_records() == whole.as_records()
