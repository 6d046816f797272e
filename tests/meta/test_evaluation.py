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
    "no measure": ({"scores": [HUMAN, GOOD], "measures": []}, "no measure"),
    "scored and not judged": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "human": HUMAN, "samples": 40},
        "have A, B, C, D, E, F, which nobody judged",
    ),
    "scored on other names": (
        {"testset": TEXTS, "human": scores("HUMAN", [1.0, 2.0]), "names": {"A": "nobody"}},
        "not in the test set",
    ),
    "name of nobody in both": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "human": HUMAN, "names": {"Z": "amber"}},
        "Z=amber names a system that is not in the judgements",
    ),
    "lower of texts": ({"testset": TEXTS, "judgements": judgements("en-de"), "lower": ["bleu"]}, "know whether lower"),
    "metrics of scores": ({"scores": [HUMAN, GOOD], "metrics": ["bleu"]}, "need texts"),
    "another pair": ({"testset": TEXTS, "judgements": judgements("en-de"), "pair": "de-en"}, "nothing of de-en"),
    "comparisons for pearson": ({"testset": TEXTS, "judgements": judgements("en-de"), "gold": "pairs"}, "needs scores"),
    "scores for comparisons": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "gold": "trueskill", "level": "segment"},
        "needs comparisons",
    ),
    "comparisons of systems": ({"scores": [HUMAN, GOOD], "measures": "kendall(variant=wmt14)"}, "on segments"),
    "a ranker of scores": ({"scores": [HUMAN, GOOD], "gold": "trueskill"}, "people's scores are given"),
    "items of systems": ({"scores": [HUMAN, GOOD], "interval": "items"}, "no items to draw"),
    "both of systems": ({"scores": [HUMAN, GOOD], "interval": "both"}, "no items to draw"),
    "fisher of accuracy": ({"scores": [HUMAN, GOOD], "interval": "fisher", "measures": "accuracy"}, "does not fit"),
    "correction": ({"scores": [HUMAN, GOOD], "correction": "bonferroni"}, "correction must be one of"),
    "on_skip": ({"scores": [HUMAN, GOOD], "on_skip": "all"}, "on_skip must be one of"),
    "judged": ({"scores": [HUMAN, GOOD], "judged": 2}, "share from 0 to 1"),
    "unit": ({"testset": TEXTS, "judgements": judgements("en-de"), "unit": "word"}, "not 'word'"),
    "name of nobody": ({"scores": [HUMAN, GOOD], "names": {"Z": "A"}}, "no system Z"),
    "several scores of people": ({"scores": [GOOD], "human": [GOOD, BAD]}, "several scores of people"),
    "several directions of people": (
        {"testset": TEXTS, "human": [scores("HUMAN", [1.0, 2.0], direction=d) for d in ("de-en", "en-de")]},
        "are of de-en, en-de",
    ),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_said(options: Any, message: str) -> None:
    with pytest.raises(tercet.TercetError, match=message):
        tercet.meta(**options)


def test_segments_must_be_those_of_the_texts() -> None:
    others = dataclasses.replace(TEXTS, segments=tuple(f"x{s}" for s in TEXTS.segments))
    with pytest.raises(InputError, match="judges segment"):
        tercet.meta(testset=others, judgements=judgements("en-de"), metrics=["chrf"])


def test_a_judged_system_without_texts_may_be_left_out() -> None:
    people = judgements("en-de")
    fewer = dataclasses.replace(TEXTS, systems={s: t for s, t in TEXTS.systems.items() if s != "cedar"})
    with pytest.raises(InputError, match="judges cedar"):
        tercet.meta(testset=fewer, judgements=people, metrics=["chrf"], **FEW)
    found = tercet.meta(testset=fewer, judgements=people, metrics=["chrf"], without=["cedar"], **FEW)
    assert found.records[0].n == 4
    assert "without:cedar" in found.signature


def test_peoples_scores_may_have_other_names() -> None:
    theirs = dataclasses.replace(HUMAN, systems=tuple("UVWXYZ"))
    with pytest.raises(InputError, match=r"it has A, B, C, \.\.\., and they U, V, W"):
        tercet.meta(scores=[GOOD], human=theirs, interval="none")
    names = dict(zip("UVWXYZ", "ABCDEF", strict=True))
    found = tercet.meta(scores=[GOOD], human=theirs, names=names, interval="none")
    assert found.value("good") == tercet.meta(scores=[GOOD], human=HUMAN, interval="none").value("good")


def test_human_may_be_a_name_among_the_scores() -> None:
    found = tercet.meta(scores=[HUMAN, GOOD, BAD], human="good", interval="none")
    assert [r.metric for r in found] == ["bad"], "neither the gold nor other scores of people are metrics"
    assert "gold:good" in found.signature


def test_references_that_are_left_out_are_named() -> None:
    def with_reference(own: MetricScores) -> MetricScores:
        return dataclasses.replace(own, systems=("refA", *own.systems[1:]))

    given = [with_reference(HUMAN), with_reference(GOOD)]
    left = tercet.meta(scores=given, interval="none")
    assert left.records[0].n == 5
    assert "References among the systems, left out: refA." in left.notes
    kept = tercet.meta(scores=given, interval="none", references=True)
    assert kept.records[0].n == 6
    assert not kept.notes
    assert "references:true" in kept.signature


SIGNED = {
    "names": ({"metrics": {"mine": "chrf(beta=3)"}}, "metrics:mine=chrf(beta=3)"),
    "unit": ({"unit": "task"}, "unit:task"),
    "on_skip": ({"on_skip": "pair"}, "on_skip:pair"),
    "correction": ({"correction": "holm"}, "correction:holm"),
    "gold": ({"gold": "expected-wins"}, "gold:expected-wins"),
}


@pytest.mark.parametrize(("options", "fact"), SIGNED.values(), ids=SIGNED)
def test_what_moves_a_number_is_in_the_signature(options: dict[str, Any], fact: str) -> None:
    given = {"metrics": ["chrf"], "gold": "others"} | options
    plain = tercet.meta(testset=TEXTS, judgements=judgements("en-de"), metrics=["chrf"], gold="others", **FEW)
    found = tercet.meta(testset=TEXTS, judgements=judgements("en-de"), **given, **FEW)
    assert fact in found.signature.split("|")
    assert fact not in plain.signature.split("|")


def test_documents_that_were_judged_in_part_are_counted() -> None:
    people = judgements("en-de", "mqm")
    options: Any = {"testset": TEXTS, "judgements": people, "metrics": ["chrf"], "level": "document", "test": "none"}
    strict = tercet.meta(**options, interval="none")
    some = tercet.meta(**options, interval="none", judged=0.1)
    assert strict.records[0].n < some.records[0].n
    assert any("less than a share of 1 was judged" in note for note in strict.notes)
    assert "judged:0.1" in some.signature


def test_documents_of_scores_come_from_the_judgements() -> None:
    people = judgements("en-de", "mqm")
    segments = tercet.meta(
        testset=TEXTS, judgements=people, metrics=["chrf"], level="segment", test="none", interval="none"
    ).scores
    found = tercet.meta(scores=segments, judgements=people, level="document", test="none", interval="none")
    assert found.records[0].n > 0
    assert found.records[0].value > 0.5


@pytest.mark.parametrize("metrics", [1, 2])
def test_no_interval_means_no_test_of_comparisons(metrics: int) -> None:
    names = ["chrf", "bleu"][:metrics]
    options: Any = {"testset": TEXTS, "judgements": judgements("en-de"), "metrics": names, "level": "segment"}
    found = tercet.meta(**options, interval="none")
    assert not found.tests
    assert found.records[0].rank is None
    assert [t.test for t in tercet.meta(**options, interval="items", **FEW).tests] == ["boot-item"] * (metrics - 1)


def test_intervals_of_few_systems_are_not_there_rather_than_nan() -> None:
    few = [dataclasses.replace(s, systems=s.systems[:3], values=s.values[:3]) for s in (HUMAN, GOOD)]
    (r,) = tercet.meta(scores=few, interval="fisher").records
    assert (r.low, r.high, r.half_width) == (None, None, None)


def test_one_direction_of_many_may_lack_a_system() -> None:
    """What one side lacks is missing, not an error, as long as something is left; n says so."""
    fewer = dataclasses.replace(GOOD, systems=GOOD.systems[1:], values=GOOD.values[1:])
    other = dataclasses.replace(BAD, systems=BAD.systems[::-1], values=BAD.values[::-1])
    found = tercet.meta(scores=[HUMAN, fewer, other], interval="none", test="none")
    assert [r.n for r in found] == [5, 6]
    plain = tercet.meta(scores=[HUMAN, BAD], interval="none", test="none")
    assert found.value("bad") == plain.value("bad"), "order does not matter"


def test_threads_do_not_change_results() -> None:
    options: Any = {"testset": TEXTS, "judgements": judgements("en-de", "da"), "metrics": ["chrf", "bleu"], **FEW}
    one, two = (tercet.meta(**options, measures=["pearson", "kendall"], threads=n) for n in (1, 2))
    assert one.as_records() == two.as_records()
    assert np.array_equal(one.tests[1].p, two.tests[1].p, equal_nan=True)
