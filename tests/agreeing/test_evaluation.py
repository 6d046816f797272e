"""`meta` over the demo campaign and small files: levels, golds, intervals, tests."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import spec
from tercet.agreeing.machines import Computed
from tercet.data import MetricScores
from tercet.errors import InputError
from tercet.report.meta import meta_table
from tercet.sample import judgements
from tests.agreeing.small import BAD, ERRORS, FEW, GOOD, HUMAN, TEXTS, WHOLE, beside, scores


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
    found = tercet.meta(scores=[HUMAN, BAD], interval=interval, **(FEW if interval == "systems" else {}))
    (r,) = found.records
    if interval == "none":
        assert r.low is None
        assert r.half_width is None
    else:
        assert r.low is not None
        assert r.high is not None
        assert -1 <= r.low < r.value < r.high <= 1
        wanted = None if interval == "fisher" else pytest.approx((r.high - r.low) / 2)
        assert r.half_width == wanted, "ends that lie unevenly have no ±"


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
        draws=None if test in ("williams", "overlap", "judgements") else 200,
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


def test_human_translations_decide_about_outliers() -> None:
    """As at WMT20, where they were judged among the systems and stand in the file of scores."""
    means = [0.30, 0.28, 0.27, 0.25, 0.20, 0.10, -0.02]
    metric = scores("X", [3.0, 2.0, 4.0, 2.5, 1.2, 0.2, -3.0])
    systems = (*metric.systems, "Human-A.0", "Human-B.0")
    judged = dataclasses.replace(
        metric, metric="HUMAN", systems=systems, values=np.array([[v] for v in (*means, 0.32, 0.30)])
    )
    (plain,) = tercet.meta(scores=[scores("HUMAN", means), metric], interval="none").records
    (beside,) = tercet.meta(scores=[judged, metric], interval="none").records
    assert (plain.n, plain.n_without_outliers) == (7, 6)
    assert (beside.n, beside.n_without_outliers) == (7, 5)


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


def test_metrics_without_references_are_marked() -> None:
    """Those that were named; scores and texts that know it themselves need not be."""
    known = dataclasses.replace(BAD, reference_free=True)
    found = tercet.meta(scores=[HUMAN, GOOD, known, ERRORS], lower=["errors"], reference_free=["errors"])
    assert [(r.metric, r.reference_free) for r in found] == [("good", None), ("bad", True), ("errors", True)]
    names = [row[0] for row in meta_table(found).rows]
    assert names == ["good", "errors †", "bad †"]
    assert "† without references." in meta_table(found).notes
    texts = tercet.meta(**WHOLE | FEW | {"metrics": ["chrf", "length-ratio"]})
    assert [r.reference_free for r in texts] == [None, True]


def test_a_headline_says_where_a_metric_was_held_against_less() -> None:
    fewer = dataclasses.replace(GOOD, systems=GOOD.systems[1:], values=HUMAN.values[1:])
    found = tercet.meta(scores=[HUMAN, fewer, BAD, ERRORS], lower=["errors"], interval="none")
    assert [r.fewer for r in found] == [True, None, None]
    assert found.answers[0].startswith(
        "System level, Pearson's r: good agrees best with people (1.000, n = 5). Others were held against more, up to "
        "6, which is not the same. Of those with 6, errors agrees best (.99"
    )
    table = meta_table(found)
    assert [row[2] for row in table.rows] == ["5*", "6", "6"]
    assert "* held against less than other metrics: --common restricts all to what all have." in table.notes
    whole = tercet.meta(scores=[HUMAN, fewer, BAD, ERRORS], lower=["errors"], common=True)
    assert [r.fewer for r in whole] == [None] * 3
    assert not any("held against" in said for said in (*whole.answers, *meta_table(whole).notes))


def test_what_nobody_asked_for_does_not_clash_with_a_file() -> None:
    """Without -m, the usual metrics but for those of the files."""
    people = judgements("en-de", "da")
    chrf = tercet.meta(testset=TEXTS, judgements=people, metrics=["chrf"], **FEW).scores
    beside = tercet.meta(testset=TEXTS, judgements=people, scores=chrf, **FEW)
    assert [r.metric for r in beside] == ["bleu", "ter", "chrf"]
    usual = tercet.meta(testset=TEXTS, judgements=people, **FEW)
    alone = tercet.meta(testset=TEXTS, judgements=people, scores=usual.scores, **FEW)
    assert [r.metric for r in alone] == ["bleu", "chrf", "ter"]
    assert [r.value for r in alone] == [r.value for r in usual]
    with pytest.raises(InputError, match="bleu, chrf are computed, and stand in the files as well"):
        tercet.meta(testset=TEXTS, judgements=people, scores=usual.scores, metrics=["chrf", "bleu"], **FEW)


def test_a_metric_may_stand_beside_submitted_ones() -> None:
    """In any mixture, a figure is what it is alone."""
    people = judgements("en-de", "da")
    given: Any = {"testset": TEXTS, "judgements": people, **FEW}
    for level in ("system", "segment"):
        alone = tercet.meta(**given, metrics=["chrf", "ter"], level=level)
        ter = [s for s in alone.scores if s.metric == "ter"]
        found = tercet.meta(**given, metrics=["mine=chrf"], scores=ter, level=level)
        assert [r.metric for r in found] == ["mine", "ter"]
        assert found.value("mine") == alone.value("chrf")
        assert found.value("ter") == alone.value("ter")
        assert np.array_equal(found.tests[0].p, alone.tests[0].p, equal_nan=True)
        assert "|metrics:mine=chrf|" in found.signature
    ter = list(tercet.meta(**given, metrics=["ter"], level="segment").scores)
    hybrids = tercet.meta(**given, metrics=["chrf"], scores=ter, test="hybrids", interval="none")
    assert np.isfinite(hybrids.tests[0].p[0, 1])


def test_peoples_scores_may_stand_among_the_submitted() -> None:
    human = dataclasses.replace(beside("HUMAN"), values=beside("HUMAN").values ** 2)
    found = tercet.meta(testset=TEXTS, scores=[human, beside("x", "en-de")], metrics=["chrf"], interval="none")
    assert [(r.metric, r.direction) for r in found] == [("chrf", "en-de"), ("x", "en-de")]


def test_metrics_of_different_n_are_named_and_may_be_made_equal() -> None:
    fewer = dataclasses.replace(GOOD, systems=GOOD.systems[1:], values=GOOD.values[1:])
    found = tercet.meta(scores=[HUMAN, fewer, BAD])
    assert [r.n for r in found] == [5, 6]
    assert any("not all metrics have the same scores, which are 6 at most: good 5" in note for note in found.notes)
    same = tercet.meta(scores=[HUMAN, fewer, BAD], common=True)
    assert [r.n for r in same] == [5, 5]
    assert not any("not all metrics" in note for note in same.notes)
    assert same.value("bad") != found.value("bad")


@pytest.mark.parametrize("level", ["system", "document"])
def test_common_means_are_of_the_segments_that_all_have(level: Any) -> None:
    """Means of submitted segments, and scores of texts beside them."""
    people = judgements("en-de", "mqm")
    options: Any = {"testset": TEXTS, "judgements": people, "test": "none", "interval": "none"}
    of_level: Any = {"level": level, **({"judged": 0.1} if level == "document" else {})}
    ter = next(iter(tercet.meta(**options, metrics=["ter"], level="segment").scores))
    holes = np.where(np.arange(len(ter.items)) < 5, np.nan, ter.values)
    holes[1:, 2] = ter.values[1:, 2]  # one output of the third segment is missing, all of four others
    fewer = dataclasses.replace(ter, values=holes)
    kept = [i for i in range(len(TEXTS)) if i > 4]
    whole = {name: [texts[i] for i in kept] for name, texts in TEXTS.systems.items()}
    assert TEXTS.references is not None
    assert TEXTS.documents is not None
    some = tercet.TestSet.of(
        whole,
        [TEXTS.references[i] for i in kept],
        segments=[TEXTS.segments[i] for i in kept],
        documents=[TEXTS.documents[i] for i in kept],
    )
    cut = dataclasses.replace(ter, items=ter.items[5:], values=ter.values[:, 5:])
    wanted = tercet.meta(**options | {"testset": some}, metrics=["chrf"], scores=[cut], **of_level)
    found = tercet.meta(**options, metrics=["chrf"], scores=[fewer], **of_level, common=True)
    assert [(r.metric, r.value, r.n) for r in found] == [(r.metric, r.value, r.n) for r in wanted]
    plain = tercet.meta(**options, metrics=["chrf"], scores=[fewer], **of_level)
    assert plain.value("chrf") != found.value("chrf")
    assert any("ter has no score of 4 of" in note for note in plain.notes)
    twice = [dataclasses.replace(s, metric=name) for name, s in (("a", ter), ("b", fewer))]
    both = tercet.meta(scores=twice, judgements=people, common=True, test="none", interval="none", **of_level)
    assert both.value("a") == both.value("b")


def test_an_epsilon_that_ties_everything_is_named() -> None:
    names = tuple(map(str, range(6)))
    human = MetricScores("HUMAN", "", "segment", ("A", "B"), names, np.array([[0.0] * 5 + [1.0], [0.0] * 6]))
    wrong = MetricScores("wrong", "", "segment", ("A", "B"), names, np.array([[1.0, 2, 3, 4, 5, 0], [0.0] * 5 + [4]]))
    right = dataclasses.replace(wrong, metric="right", values=human.values)
    found = tercet.meta(scores=[human, wrong, right], level="segment", measures="acc-eq", **FEW)
    assert any("every pair a tie" in note and note.endswith("for wrong.") for note in found.notes)
    assert found.value("wrong") == pytest.approx(5 / 6)


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


def test_a_test_needs_no_interval() -> None:
    options: Any = {"testset": TEXTS, "judgements": judgements("en-de"), "level": "segment"}
    (r,) = tercet.meta(**options, metrics=["chrf"], interval="none").records
    assert (r.low, r.rank) == (None, None), "one metric has nothing to be tested against"
    found = tercet.meta(**options, metrics=["chrf", "bleu"], interval="none")
    assert found.tests
    assert [(r.low, r.rank) for r in found] == [(None, 1), (None, 2)]


def test_intervals_of_few_systems_are_not_there_rather_than_nan() -> None:
    few = [dataclasses.replace(s, systems=s.systems[:3], values=s.values[:3]) for s in (HUMAN, GOOD)]
    (r,) = tercet.meta(scores=few, interval="fisher").records
    assert (r.low, r.high, r.half_width) == (None, None, None)


@pytest.mark.parametrize("test", ["auto", "none"])
def test_two_systems_are_the_best_of_nothing(test: Any) -> None:
    """They lie on a line whatever they are: r is 1 without an interval, and neither heads the table nor has a rank."""
    two = dataclasses.replace(GOOD, metric="two", systems=GOOD.systems[:2], values=HUMAN.values[:2])
    found = tercet.meta(scores=[HUMAN, GOOD, BAD, two], interval="systems", test=test, **FEW)
    r = next(r for r in found if r.metric == "two")
    assert r.value == pytest.approx(1)
    assert (r.low, r.high, r.n, r.rank) == (None, None, 2, None)
    assert not r.winner
    table = meta_table(found)
    assert [row[0] for row in table.rows] == ["good", "bad", "two"]
    assert {table.rows[i][0] for i, _ in table.best} <= {"good", "bad"}
    assert "good agrees best" in found.answers[0]


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


def test_a_level_is_scored_once_and_a_spec_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[tuple[str, str]] = []
    read: list[str] = []
    at, reading = Computed._at, spec.read

    def counted(self: Computed, name: str, level: Any, kept: Any) -> MetricScores:
        scored.append((name, level))
        return at(self, name, level, kept)

    def noted(text: str) -> Any:
        read.append(text)
        return reading(text)

    monkeypatch.setattr(Computed, "_at", counted)
    monkeypatch.setattr(spec, "read", noted)
    tercet.meta(
        testset=TEXTS,
        judgements=judgements("en-de", "da"),
        metrics=["bleu", "chrf"],
        measures=["pearson", "spa"],
        **FEW,
    )
    assert sorted(scored) == sorted((m, level) for m in ("bleu", "chrf") for level in ("system", "segment"))
    asked = [text for text in read if text in ("bleu", "chrf", "pearson", "spa")]
    # a measure once more for its name in words, unless that is known from before
    assert all(asked.count(metric) == 1 for metric in ("bleu", "chrf"))
    assert all(1 <= asked.count(measure) <= 2 for measure in ("pearson", "spa"))
    assert read.count("13a") <= 1, "the tokenizer of bleu"


def test_scores_that_do_not_say_their_pair_are_of_the_only_one_that_others_say() -> None:
    told = dataclasses.replace(GOOD, direction="cs-en")
    found = tercet.meta(scores=[HUMAN, told, BAD], interval="none", test="none")
    assert [(r.metric, r.direction, r.n) for r in found] == [(s.metric, "cs-en", 6) for s in (GOOD, BAD)]
    people = dataclasses.replace(HUMAN, direction="cs-en")
    beside = tercet.meta(scores=[GOOD, BAD], human=people, interval="none", test="none")
    assert [(r.metric, r.direction, r.n) for r in beside] == [(s.metric, "cs-en", 6) for s in (GOOD, BAD)]
    other = dataclasses.replace(GOOD, direction="de-en")
    with pytest.raises(InputError, match=r"scores of bad do not say .* and others are of cs-en, de-en"):
        tercet.meta(scores=[HUMAN, told, other, BAD], interval="none", test="none")


def test_what_people_judged_and_no_metric_has_is_counted() -> None:
    def table(name: str, systems: Sequence[str], items: Sequence[str]) -> MetricScores:
        values = np.random.default_rng(len(name)).normal(size=(len(systems), len(items)))
        return MetricScores(name, "", "segment", tuple(systems), tuple(items), values)

    segments = [str(i) for i in range(10)]
    human = table("HUMAN", ["A", "B", "C", "D", "E", "refA"], segments)
    asked: dict[str, Any] = {"human": human, "level": "segment", "measures": "pearson", "interval": "none"}
    some = tercet.meta(scores=[table("m", "AB", segments[:9]), table("mm", "AB", segments[:9])], **asked)
    assert "No metric has a score of 3 of 5 systems that people judged: C, D, E." in some.notes
    assert "No metric has a score of 1 of 10 segments that people judged: 9." in some.notes
    every = tercet.meta(scores=[table("m", "ABCDE", segments)], **asked)
    assert not any("No metric" in note for note in every.notes)
