"""`meta` over the demo campaign and small files: levels, golds, intervals, tests, and what is refused."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import MetricScores
from tercet.errors import InputError
from tercet.sample import campaign, judgements

TEXTS = campaign("en-de")
FEW: Any = {"samples": 40, "draws": 50}


def scores(metric: str, values: list[float], *, direction: str = "", higher: bool = True) -> MetricScores:
    """System scores of A, B, ..."""
    systems = tuple(chr(65 + i) for i in range(len(values)))
    return MetricScores(metric, direction, "system", systems, ("",), np.array(values)[:, None], higher)


HUMAN = scores("HUMAN", [0.9, 0.7, 0.5, 0.2, 0.1, -0.4])
GOOD = scores("good", [90.0, 72.0, 55.0, 18.0, 12.0, -35.0])
BAD = scores("bad", [1.0, 5.0, 2.0, 6.0, 3.0, 4.0])
ERRORS = scores("errors", [-v for v in (90.0, 72.0, 55.0, 18.0, 12.0, -35.0)], higher=False)


@pytest.mark.parametrize("gold", [None, "trueskill", "expected-wins", "bradley-terry"])
def test_systems_by_rankings(gold: str | None) -> None:
    found = tercet.meta(testset=TEXTS, judgements=judgements("en-de"), metrics=["bleu", "ter"], gold=gold, **FEW)
    assert [r.metric for r in found] == ["bleu", "ter"], "in the order asked"
    for r in found:
        assert r.direction == "en-de"
        assert r.n == 5
        assert r.low is not None
        assert r.high is not None
        assert r.low <= r.value + 0.02
        assert r.value > 0.8, "TER is turned around: lower is better"
    assert f"gold:{gold or 'trueskill'}" in found.signature
    assert found.tests[0].test == "williams"
    assert {c.metric for c in found.curves} == {"bleu", "ter"}
    assert found.answers


def test_a_metric_may_have_a_name() -> None:
    found = tercet.meta(testset=TEXTS, judgements=judgements("en-de"), metrics={"mine": "chrf(beta=3)"}, **FEW)
    assert [r.metric for r in found] == ["mine"]
    assert found.value("mine") == found.records[0].value


def test_segments_by_rankings() -> None:
    found = tercet.meta(
        testset=TEXTS,
        judgements=judgements("en-de"),
        metrics=["chrf"],
        level="segment",
        measures=["kendall(variant=wmt12)", "kendall(variant=wmt14)"],
        **FEW,
    )
    wmt12, wmt14 = found.records
    assert wmt12.value <= wmt14.value, "a tie of the metric is wrong in the one, and nothing in the other"
    assert wmt12.n == wmt14.n > 500


@pytest.mark.parametrize("protocol", ["da", "mqm", "esa"])
def test_segments_by_assessments(protocol: str) -> None:
    people = judgements("en-de", protocol)
    found = tercet.meta(
        testset=TEXTS,
        judgements=people,
        metrics=["chrf", "bleu"],
        level="segment",
        measures=["acc-eq", "pearson", "kendall(group=item)", "pdp"],
        **FEW,
    )
    assert len(found) == 8
    assert all(0 < r.value < 1 for r in found)
    assert found.records[0].epsilon is not None
    assert len(found.calibrations) == 2
    assert f"gold:{protocol}" in found.signature


def test_documents() -> None:
    found = tercet.meta(
        testset=TEXTS, judgements=judgements("en-de", "da"), metrics=["chrf"], level="document", judged=0.5, **FEW
    )
    assert found.records[0].n > 5
    assert found.records[0].value > 0.5
    assert found.records[0].level == "document"


def test_darr_takes_wide_differences_only() -> None:
    people = judgements("en-de", "da")
    sizes = [
        tercet.meta(
            testset=TEXTS,
            judgements=people,
            metrics=["chrf"],
            level="segment",
            gold=f"darr(least={least})",
            measures="kendall(variant=darr)",
            **FEW,
        )
        .records[0]
        .n
        for least in (0, 25, 50)
    ]
    assert sizes[0] > sizes[1] > sizes[2] > 0


def test_spa_looks_at_segments() -> None:
    found = tercet.meta(
        testset=TEXTS, judgements=judgements("en-de", "mqm"), metrics=["chrf"], measures=["spa", "accuracy"], **FEW
    )
    spa, accuracy = found.records
    assert 0.5 < spa.value <= 1
    assert spa.level == accuracy.level == "system"
    assert spa.low is None
    assert spa.n == accuracy.n == 10


def test_scores_instead_of_texts() -> None:
    found = tercet.meta(scores=[HUMAN, GOOD, BAD, ERRORS], measures=["pearson", "kendall"], **FEW)
    assert found.value("good", "pearson") > 0.99
    assert found.value("errors", "pearson") == found.value("good", "pearson")
    assert found.value("bad", "kendall") < 0.5
    assert {r.metric for r in found} == {"good", "bad", "errors"}
    good = next(r for r in found if r.metric == "good")
    assert good.winner
    assert good.rank == 1


def test_people_may_stand_in_another_file(tmp_path: pathlib.Path) -> None:
    people, metrics = tmp_path / "people.tsv", tmp_path / "metrics.tsv"
    people.write_text("system\tHUMAN\nA\t3\nB\t2\nC\t1\nD\t0\n", encoding="utf-8")
    metrics.write_text("system\tX\nA\t30\nB\t21\nC\t12\nD\t\n", encoding="utf-8")
    found = tercet.meta(scores=metrics, human=people, interval="none", test="none")
    assert found.records[0].n == 3
    assert found.value("X") == pytest.approx(1, abs=1e-3)


def test_every_direction_of_a_file_is_evaluated() -> None:
    other = [scores(s.metric, list(s.values[:, 0]), direction="de-en") for s in (HUMAN, GOOD)]
    first = [scores(s.metric, list(s.values[:, 0]), direction="en-de") for s in (HUMAN, GOOD)]
    found = tercet.meta(scores=[*first, *other], interval="none", test="none")
    assert [r.direction for r in found] == ["en-de", "de-en"]


@pytest.mark.parametrize("interval", ["systems", "fisher", "none"])
def test_intervals_of_scores(interval: Any) -> None:
    found = tercet.meta(scores=[HUMAN, BAD], interval=interval, **FEW)
    (r,) = found.records
    if interval == "none":
        assert r.low is None
        assert r.half_width is None
    else:
        assert r.low is not None
        assert r.high is not None
        assert -1 <= r.low < r.value < r.high <= 1
        assert r.half_width == pytest.approx((r.high - r.low) / 2)


@pytest.mark.parametrize(
    "test", ["williams", "perm-both", "perm-system", "boot-system", "hybrids", "judgements", "overlap"]
)
def test_every_test_sees_a_clear_difference(test: Any) -> None:
    people = judgements("en-de", "da")
    found = tercet.meta(
        testset=TEXTS,
        judgements=people,
        metrics={"chrf": "chrf", "length": "per(lowercase=true)"},
        measures="pearson",
        test=test,
        samples=200,
        draws=200,
    )
    (tests,) = found.tests
    assert tests.test == test
    p = tests.p[0, 1]
    assert 0 <= p <= 1
    assert np.isnan(tests.p[0, 0])


CORRECTIONS: Any = ("none", "holm")


def test_holm_never_makes_a_p_value_smaller() -> None:
    plain, holm = (
        tercet.meta(scores=[HUMAN, GOOD, BAD, ERRORS], interval="none", correction=c).tests[0] for c in CORRECTIONS
    )
    better = plain.p < 0.5
    assert (holm.p[better] >= plain.p[better]).all()
    assert "holm" in holm.test


def test_outliers_and_systems_left_out() -> None:
    people = scores("HUMAN", [0.5, 0.48, 0.52, 0.47, 0.51, 0.49, -3.0])
    metric = scores("X", [1.0, 2.0, 1.5, 2.5, 1.2, 2.2, -30.0])
    (r,) = tercet.meta(scores=[people, metric], interval="none").records
    assert r.value > 0.9
    assert r.without_outliers is not None
    assert r.without_outliers < -0.5
    assert (r.n, r.n_without_outliers) == (7, 6)
    (left,) = tercet.meta(scores=[people, metric], interval="none", without=["G"]).records
    assert left.value == pytest.approx(r.without_outliers)


REFUSED = {
    "neither": ({}, "either a test set"),
    "both": ({"testset": TEXTS, "scores": [GOOD]}, "either a test set"),
    "no people": ({"scores": [GOOD]}, "what people think"),
    "no people for texts": ({"testset": TEXTS}, "what people think"),
    "unknown measure": ({"scores": [HUMAN, GOOD], "measures": "peerson"}, "no measure"),
    "unknown lower": ({"scores": [HUMAN, GOOD], "lower": ["ter"]}, "no scores of ter"),
    "unknown without": ({"scores": [HUMAN, GOOD], "without": ["Z"]}, "no system Z"),
    "level of a measure": ({"scores": [HUMAN, GOOD], "measures": "acc-eq"}, "not a measure of the system level"),
    "level of scores": ({"scores": [HUMAN, GOOD], "level": "segment"}, "segment level"),
    "groups of systems": ({"scores": [HUMAN, GOOD], "measures": "pearson(group=item)"}, "one score a system"),
    "alpha": ({"scores": [HUMAN, GOOD], "alpha": 2.0}, "alpha must lie"),
    "level": ({"scores": [HUMAN, GOOD], "level": "word"}, "level must be one of"),
    "pearson of rankings": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "level": "segment", "measures": "pearson"},
        "no scores of segments",
    ),
    "darr of rankings": (
        {
            "testset": TEXTS,
            "judgements": judgements("en-de"),
            "level": "segment",
            "gold": "darr",
            "measures": "kendall(variant=darr)",
        },
        "has rankings, not scores",
    ),
    "judgements of segments": (
        {
            "testset": TEXTS,
            "judgements": judgements("en-de", "da"),
            "level": "segment",
            "interval": "judgements",
            "measures": "pearson",
        },
        "no judgements to draw",
    ),
    "no metric": ({"testset": TEXTS, "judgements": judgements("en-de"), "metrics": []}, "no metric"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_said(options: Any, message: str) -> None:
    with pytest.raises(tercet.TercetError, match=message):
        tercet.meta(**options)


def test_segments_must_be_those_of_the_texts() -> None:
    others = dataclasses.replace(TEXTS, segments=tuple(f"x{s}" for s in TEXTS.segments))
    with pytest.raises(InputError, match="judges segment"):
        tercet.meta(testset=others, judgements=judgements("en-de"), metrics=["chrf"])
