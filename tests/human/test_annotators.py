"""One judge at a time."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import tercet
from tercet.data import Kind
from tercet.data.agreement import AssessmentAnnotator, RankingAnnotator
from tercet.errors import InputError
from tercet.human.annotators import annotator_page, annotators
from tercet.stats.agreement import kappa_from_counts
from tercet.stats.control import bad_reference_test
from tests.human.build import Row, Task, build_assessments, build_rankings, intra_oracle, labels
from tests.human.test_agreement import ROWS, TASKS


def rankers(tasks: list[Task]) -> dict[str, RankingAnnotator]:
    return {r.judge: r for r in annotators(build_rankings(tasks)) if isinstance(r, RankingAnnotator)}


def scorers(rows: list[Row]) -> dict[str, AssessmentAnnotator]:
    return {r.judge: r for r in annotators(build_assessments(rows)) if isinstance(r, AssessmentAnnotator)}


@given(TASKS)
def test_a_judge_is_compared_with_every_other(tasks: list[Task]) -> None:
    found = rankers(tasks)
    assert set(found) == {t.judge for t in tasks} - {""}
    every = labels(tasks)
    for name, record in found.items():
        mine, others = ([x for x in every if (x[0] == name) == own] for own in (True, False))
        pairs = [(a[3], b[3]) for a in mine for b in others if a[1:3] == b[1:3]]
        assert record.pairs == len(mine)
        assert record.comparable == len(pairs)
        agree = sum(a == b for a, b in pairs) / len(pairs) if pairs else math.nan
        assert record.p_agree == pytest.approx(agree, nan_ok=True)
        share, rest = (sum(x[3] == "=" for x in part) / len(part) if part else math.nan for part in (mine, others))
        assert record.ties == pytest.approx(share, nan_ok=True)
        chance = share * rest + (1 - share) * (1 - rest) / 2
        kappa = math.nan if chance == 1 else (agree - chance) / (1 - chance)
        assert record.kappa == pytest.approx(kappa, nan_ok=True)
        own = intra_oracle(mine)
        assert record.intra_comparable == own[1]
        assert record.intra_kappa == pytest.approx(kappa_from_counts(*own).kappa, nan_ok=True)


def test_runs_of_the_same_ranks() -> None:
    """All alike is one answer, whatever the rank; an empty task in between does not break a run."""
    ranks: list[tuple[int, ...]] = [(1, 2, 2), (1, 1, 1), (3, 3, 3), (), (2, 2, 2), (2, 2), (1, 2, 3)]
    tasks = [Task("x", str(i), list(zip("abc", r, strict=False)), 10.0 + i) for i, r in enumerate(ranks)]
    other = Task("y", "0", [("a", 1), ("b", 1)])
    record = rankers([tasks[0], other, *tasks[1:]])["x"]
    assert (record.longest_run, record.tasks) == (3, 6)
    assert record.median_seconds == np.median([10.0, 11, 12, 14, 15, 16])
    assert rankers([other])["y"].median_seconds is None


def test_flags_of_a_judge_who_does_not_look() -> None:
    good = [Task(j, str(s), [("a", 1), ("b", 2), ("c", 3)], 60.0) for j in "wxyz" for s in range(12)]
    lazy = [Task("lazy", str(s), [("a", 1), ("b", 1), ("c", 1)], 3.0) for s in range(12)]
    blind = [Task("blind", str(s), [("c", 1), ("b", 2), ("a", 3 + s % 2)], 60.0) for s in range(12)]
    shaky = [Task("shaky", "new", [("a", 1 + s % 2), ("b", 2 - s % 2)], 60.0) for s in range(12)]
    found = rankers(good + lazy + blind + shaky)
    assert found["x"].flags == "12 tasks in a row got the same ranks"
    assert found["lazy"].p_agree == 0
    assert found["lazy"].flags == (
        "agrees with the others no more than by chance; ties in 100 % of the pairs; "
        "12 tasks in a row got the same ranks; a task takes 3.0 s"
    )
    assert found["blind"].flags == "agrees with the others no more than by chance"
    assert found["shaky"].flags == "repeats agree only slightly (kappa -.09)"


def test_a_page_on_one_ranker() -> None:
    def task(judge: str, segment: str, ranks: tuple[int, int], seconds: float) -> Task:
        return Task(judge, segment, list(zip(("a", "b+c"), ranks, strict=True)), seconds)

    tasks = [
        *(task("x", "1", (1, 2), 10.0), task("y", "1", (2, 1), 10.0), task("z", "1", (2, 1), 10.0)),
        *(task("x", "2", (1, 1), 20.0), task("y", "2", (1, 2), 10.0)),
        *(task("x", "3", (2, 1), 60.0), task("y", "3", (1, 1), 10.0)),
        *(task("x", "4", (1, 2), 80.0), task("y", "4", (1, 2), 10.0)),
        *(task("x", "5", (1, 1), 80.0), task("y", "5", (1, 1), 10.0)),
        *(task("x", "6", (1, 2), math.nan), task("y", "6", (1, 1), 10.0), task("z", "6", (1, 2), 10.0)),
    ]
    page = annotator_page(build_rankings(tasks), "x")
    facts = dict(page)
    assert (facts["judge"], facts["tasks"], facts["comparable"]) == ("x", 6, 8)
    assert [facts[f] for f in facts if f.startswith("majority prefers")] == [1, 1, 1]
    assert [facts[f] for f in facts if f.startswith("majority ties")] == [1, 1]
    assert facts["no majority"] == 1
    assert [f for f, _ in page if f.startswith("contested")] == [f"contested: segment {s}" for s in (1, 2, 3, 6)]
    assert facts["contested: segment 1"] == "a better than b+c; 2 of 2 say otherwise"
    assert facts["contested: segment 2"] == "a as good as b+c; 1 of 1 say otherwise"
    assert (facts["median seconds, first half"], facts["median seconds, second half"]) == (20, 80)


@given(ROWS)
def test_a_scorer_is_compared_with_the_mean_of_the_others(rows: list[Row]) -> None:
    there = [r for r in rows if r.judge and not math.isnan(r.score)]

    def means(judge: str) -> dict[tuple[str, str], float]:
        mine: dict[tuple[str, str], list[float]] = {}
        for r in there:
            if r.judge == judge and r.kind in (Kind.SYSTEM, Kind.REPEAT):
                mine.setdefault((r.system, r.segment), []).append(r.score)
        return {output: sum(scores) / len(scores) for output, scores in mine.items()}

    of = {judge: means(judge) for judge in {r.judge for r in rows} - {""}}
    found = scorers(rows)
    assert set(found) == set(of)
    for judge, record in found.items():
        both = [
            (mean, float(np.mean(others)))
            for output, mean in of[judge].items()
            if (others := [of[j][output] for j in of if j != judge and output in of[j]])
        ]
        assert record.comparable == len(both)
        x, y = np.array(both).T if both else (np.zeros(0), np.zeros(0))
        if len(both) > 1 and np.ptp(x) > 1e-9 and np.ptp(y) > 1e-9:
            assert record.correlation == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-6)
        mine = [r.score for r in there if r.judge == judge]
        assert record.items == len(mine)
        assert record.mean == pytest.approx(np.mean(mine) if mine else math.nan, nan_ok=True)
        assert record.sd == pytest.approx(np.std(mine, ddof=1) if len(mine) > 1 else math.nan, nan_ok=True)


def sitting(judge: str, pairs: list[tuple[float, float]], seconds: float = 9.0, **others: float) -> list[Row]:
    """Outputs with their degraded twins, and other items by their kind."""
    rows = [
        row
        for i, (original, bad) in enumerate(pairs)
        for row in (
            Row(judge, "a", str(i), original, Kind.SYSTEM, 1, seconds),
            Row(judge, "a", str(i), bad, Kind.BAD_REFERENCE, 1, seconds),
        )
    ]
    return rows + [Row(judge, "a", "0", score, Kind[kind], 1, seconds) for kind, score in others.items()]


def test_control_items_of_a_scorer() -> None:
    pairs = [(80.0, 20.0), (70.0, 45.0), (90.0, 30.0), (65.0, 10.0), (85.0, 60.0)]
    rows = [*sitting("x", pairs, REFERENCE=95.0, REPEAT=76.0), Row("x", "a", "9", 12.0, Kind.BAD_REFERENCE, 1)]
    record = scorers(rows)["x"]
    original, bad = np.array(pairs).T
    test = bad_reference_test(original, bad)
    assert (record.bad_pairs, record.p_ranksum, record.p_paired_t) == (5, test.p_ranksum, test.p_paired_t)
    assert (record.repeats, record.mean_difference) == (1, 4)
    assert (record.mean_system, record.mean_reference) == (78, 95)
    assert record.mean_bad == pytest.approx((165 + 12) / 6)
    assert (record.median_seconds, record.flags) == (9, "")


def test_flags_of_a_scorer_who_does_not_look() -> None:
    rows = sitting("same", [(50.0, 50.0)] * 5, seconds=2.0, REFERENCE=50.0)
    rows += sitting("up", [(10.0, 30.0), (20.0, 30.0)], REFERENCE=85.0)
    found = scorers(rows)
    assert found["same"].longest_run == 11
    assert found["same"].flags == (
        "gives every item the same score; does not rate degraded outputs lower; "
        "rates degraded outputs as high as those of systems; rates systems as high as references; "
        "rates references 50 on average; 11 items in a row got the same score; "
        "an item of the fastest sitting takes 2.0 s"
    )
    assert found["up"].flags.startswith("does not rate degraded outputs lower (p = .9")
    against = [Row(j, "a", str(i), float(i if j == "x" else -i)) for i in range(30) for j in "xy"]
    assert scorers(against)["x"].flags == "does not correlate with the others"


def test_judges_of_a_file_with_z_scores_have_passed() -> None:
    """A part of a campaign cannot repeat the check of the whole: nobody of WMT21's files is said to fail."""
    data = build_assessments(sitting("up", [(10.0, 30.0), (20.0, 30.0)], REPEAT=12.0))
    given = dataclasses.replace(data, z=data.score / 10)
    assert "Repeats of judges who failed quality control, left out of `repeats`: 1." in tercet.agreement(data).notes
    assert tercet.agreement(data).of("repeats").comparable == 0
    passed = tercet.agreement(given)
    assert passed.of("repeats").comparable == 1
    note = "The file gives z-scores: its judges are taken to have passed quality control."
    assert note in passed.notes
    judges = tercet.annotators(given)
    assert "degraded outputs lower" not in judges.records[0].flags
    tested = "on degraded outputs, by rank sums and by paired t; p-values are not corrected for their number."
    assert judges.notes == (note, f"1 judge is tested {tested}")
    two = [*sitting("up", [(10.0, 30.0), (20.0, 30.0)]), *sitting("down", [(30.0, 10.0), (30.0, 20.0)])]
    assert tercet.annotators(build_assessments(two)).notes == (f"2 judges are tested {tested}",)


def test_one_score_for_all_correlates_with_nobody() -> None:
    """Also where the mean of the others differs in its last bits only."""
    rows = [Row(j, "a", str(i), s) for i in range(9) for j, s in (("x", i + 0.1), ("y", 0.3), ("z", 0.7))]
    found = scorers(rows)
    assert [math.isnan(found[j].correlation) for j in "xyz"] == [True, True, True]
    assert found["y"].flags.startswith("gives every item the same score")
    assert found["x"].flags == ""


def test_a_page_on_one_scorer() -> None:
    rows = [Row("x", "a", "1", 50.0, seconds=5.0), Row("x", "b", "1", 90.0, seconds=7.0)]
    rows += [Row("y", "a", "1", 40.0), Row("y", "b", "1", 20.0), Row("z", "b", "1", 31.0)]
    facts = dict(annotator_page(build_assessments(rows), "x"))
    assert facts["mean difference from the others"] == pytest.approx((10 + 64.5) / 2)
    contested = [(f, v) for f, v in facts.items() if f.startswith("contested")]
    assert contested == [
        ("contested: segment 1, b", "90; the others' mean is 25.5"),
        ("contested: segment 1, a", "50; the others' mean is 40"),
    ]
    assert (facts["median seconds, first half"], facts["median seconds, second half"]) == (5, 7)


def test_records_are_flat_and_notes_are_kept() -> None:
    found = annotators(build_rankings([Task("x", "1", []), Task("", "1", [("a", 1), ("b", 1)])]))
    assert found.notes == ("Tasks that do not say who judged, left out (compat counts them as inter): 1.",)
    (record,) = found.as_records()
    assert next(iter(record)) == "judge"
    assert (record["tasks"], record["pairs"], record["longest_run"], record["flags"]) == (0, 0, 0, "")
    assert len(annotators(build_assessments([Row("", "a", "1", 3.0)]))) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judge": "nobody"}, "has no judge 'nobody'. There are: x, y"),
        ({"judge": "x", "weights": "Major:1"}, "weights are of errors"),
    ],
)
def test_a_page_of_nobody(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        annotator_page(build_rankings([Task(j, "1", [("a", 1)]) for j in "xy"]), **options)
