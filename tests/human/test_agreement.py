"""Agreement of judges against loops over every pair of their judgements."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from tercet.data import Assessments, Errors, Judgements, Kind
from tercet.data.agreement import Agreement
from tercet.errors import InputError
from tercet.human.agreement import agreement
from tests.human.build import (
    Row,
    Task,
    build_assessments,
    build_rankings,
    inter_oracle,
    intra_oracle,
    labels,
)
from tests.stats.test_agreement import alpha_oracle

ITEMS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "refA", "a+b", "b+a", "c+refA"]), st.sampled_from([1, 2, 3, -1])),
    max_size=4,
)
TASKS = st.lists(st.builds(Task, st.sampled_from(["x", "y", ""]), st.sampled_from(["1", "2"]), ITEMS), max_size=8)


def counted(found: Agreement, kind: str) -> tuple[int | None, ...]:
    record = found.of(kind)
    return record.agree, record.comparable, record.ties, record.total


@given(TASKS, st.booleans(), st.booleans())
def test_kappa_counts_every_pair(tasks: list[Task], compat: bool, expand: bool) -> None:
    assume(not compat or not tasks or any(t.judge for t in tasks))  # that is refused
    found = agreement(build_rankings(tasks), compat=compat, expand=expand)
    given_labels = labels(tasks, compat=compat, expand=expand)
    assert counted(found, "inter") == inter_oracle(given_labels, compat=compat)
    assert counted(found, "intra") == intra_oracle(given_labels)


@given(TASKS)
def test_a_skipped_output_may_take_its_task_with_it(tasks: list[Task]) -> None:
    whole = [t for t in tasks if all(rank > 0 for _, rank in t.items)]
    found, expected = agreement(build_rankings(tasks), on_skip="task"), agreement(build_rankings(whole))
    assert [counted(found, r.kind) for r in found] == [counted(expected, r.kind) for r in expected]


@given(TASKS)
def test_references_may_be_left_out(tasks: list[Task]) -> None:
    def without(items: Any) -> list[tuple[str, int]]:
        named = (("+".join(s for s in name.split("+") if s != "refA"), rank) for name, rank in items)
        return [(name, rank) for name, rank in named if name]

    rest = [t._replace(items=without(t.items)) for t in tasks]
    found, expected = agreement(build_rankings(tasks), references=False), agreement(build_rankings(rest))
    assert [counted(found, r.kind) for r in found] == [counted(expected, r.kind) for r in expected]


@given(TASKS)
def test_alpha_is_that_of_the_first_judgements(tasks: list[Task]) -> None:
    found = agreement(build_rankings(tasks))
    ranks: dict[tuple[str, ...], int] = {}
    for judge, segment, items, _ in tasks:
        for name, rank in items:
            if judge and rank > 0:
                ranks.setdefault((segment, "+".join(sorted(name.split("+"))), judge), rank)
    check_alpha(found, "alpha", {key: [value] for key, value in ranks.items()})
    pairs: dict[tuple[str, ...], int] = {}
    for judge, segment, (a, b), relation in labels(tasks):
        pairs.setdefault((segment, f"{a} {b}", judge), "<=>".index(relation))
    check_alpha(found, "alpha-pairs", {key: [value, 2 - value] for key, value in pairs.items()})


def check_alpha(found: Agreement, kind: str, values: dict[tuple[str, ...], list[int]]) -> None:
    """Values by (unit..., judge); two values stand for the two directions of a pair, which are units of their own."""
    units: dict[object, int] = {}
    rows = [
        (units.setdefault((key[:-1], i), len(units)), float(value))
        for key, both in values.items()
        for i, value in enumerate(both)
    ]
    expected = alpha_oracle([u for u, _ in rows], [v for _, v in rows], "ordinal")
    assert found.of(kind).kappa == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert found.of(kind).total == len(values)


def test_which_output_is_written_first_does_not_matter() -> None:
    """Neither in the ranking nor in "a+b"; with compat, both do."""
    one = Task("x", "1", [("a", 1), ("b+c", 2), ("d", 2)])
    other = Task("y", "1", [("d", 3), ("c+b", 3), ("a", 2)])
    strict, compat = (agreement(build_rankings([one, other]), compat=c) for c in (False, True))
    assert counted(strict, "inter") == (3, 3, 2, 6)
    assert strict.of("inter").kappa == strict.of("alpha-pairs").kappa == 1
    assert counted(compat, "inter") == (0, 0, 2, 6)
    assert math.isnan(compat.of("inter").kappa or 0)
    assert compat.of("alpha-pairs") == strict.of("alpha-pairs")


def test_better_against_worse_is_farther_than_better_against_tie() -> None:
    """`alpha-pairs` is ordinal; kappa takes any two labels for equally different."""
    first = Task("x", "1", [("a", 1), ("b", 2), ("c", 3)])
    near, far = (Task("y", "1", [("a", a), ("b", b), ("c", 3)]) for a, b in ((1, 1), (2, 1)))
    alphas = [agreement(build_rankings([first, other])).of("alpha-pairs").kappa for other in (near, far)]
    assert alphas[0] is not None
    assert alphas[1] is not None
    assert alphas[0] > alphas[1]


def test_notes_count_what_was_left_out() -> None:
    tasks = [
        Task("x", "1", [("a", 1), ("b", -1), ("ref", 2)]),
        Task("x", "1", []),
        Task("", "1", [("a", 1), ("b", 2)]),
        Task("y", "1", [("a", 1), ("a", 2), ("b", 1)]),
        Task("y", "1", [("a", 1), ("b", 1)]),
    ]
    found = agreement(dataclasses.replace(build_rankings(tasks), notes=("3 lines were empty.",)), references=False)
    assert found.notes == (
        "3 lines were empty.",
        "Tasks with outputs that were not judged (rank -1): 1; the pairs of these outputs were left out.",
        "Ranks of references that were left out: 1.",
        "Tasks that do not say who judged, left out (compat counts them as inter): 1.",
        "1 pairs of an output with itself were left out (compat counts them).",
        "Alpha takes a judge's first judgement; 3 later ranks and 2 pairs were left out.",
        "2 judges of 2 judged nothing that another one judged as well.",
    )
    assert "|skipped:pair|references:out|tercet:" in found.signature


def test_records_begin_with_the_columns_of_the_verb() -> None:
    tasks = [Task(j, "1", [("a", 1), ("b", 2)]) for j in "xy"]
    rows = [Row(j, "a", "1", 50.0) for j in "xy"]
    for found in (agreement(build_rankings(tasks)), agreement(build_assessments(rows))):
        for record in found.as_records():
            assert list(record)[:5] == ["kind", "kappa", "p_agree", "p_expected", "comparable"]
            assert list(record) == list(found.as_records()[0])
    assert [r.kind for r in agreement(build_rankings(tasks))] == ["inter", "intra", "alpha", "alpha-pairs"]
    with pytest.raises(KeyError):
        found.of("inter")


def test_a_picture_has_the_whole_scale_and_only_what_can_be_compared() -> None:
    rows = [
        Row(j, s, g, score) for j, far in (("x", 0), ("y", 9)) for s, g, score in (("a", "1", 50 + far), ("b", "1", 20))
    ]
    axes = agreement(build_assessments(rows)).plot().axes[0]
    assert axes.get_title(loc="left") == "alpha"
    assert axes.get_xlim()[0] <= 0 < 1 <= axes.get_xlim()[1]
    alone = [Row("x", "a", "1", 50.0), Row("y", "a", "2", 60.0)]
    with pytest.raises(InputError, match="there is no agreement to draw"):
        agreement(build_assessments(alone)).plot()


ROWS = st.lists(
    st.builds(
        Row,
        st.sampled_from(["x", "y", "z", ""]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["1", "2"]),
        st.sampled_from([0.0, 20.0, 55.0, 90.0, math.nan]),
        st.sampled_from(Kind),
        st.integers(0, 1),
    ),
    max_size=20,
)


@given(ROWS)
def test_assessments_are_compared_by_the_mean_of_each_judge(rows: list[Row]) -> None:
    found = agreement(build_assessments(rows)).of("alpha")
    scores: dict[tuple[str, str, str], list[float]] = {}
    for r in rows:
        if r.judge and not math.isnan(r.score) and r.kind in (Kind.SYSTEM, Kind.REPEAT):
            scores.setdefault((r.system, r.segment, r.judge), []).append(r.score)
    units: dict[object, int] = {}
    numbers = [units.setdefault(key[:2], len(units)) for key in scores]
    means = [sum(s) / len(s) for s in scores.values()]
    assert found.kappa == pytest.approx(alpha_oracle(numbers, means, "interval"), abs=1e-9, nan_ok=True)
    assert found.comparable == sum(a == b for i, a in enumerate(numbers) for b in numbers[:i])


def test_repeats_are_compared_with_the_originals_of_their_sitting() -> None:
    def both(judge: str, task: int, original: float, repeat: float) -> list[Row]:
        return [Row(judge, "a", "1", original, Kind.SYSTEM, task), Row(judge, "a", "1", repeat, Kind.REPEAT, task)]

    shaky, calm = [(1.0, 9.0), (2.0, 11.0), (3.0, 13.5)], [(50.0, 50.0), (60.0, 60.0)]
    rows = [row for t, scores in enumerate(shaky) for row in both("shaky", t, *scores)]
    rows += [row for t, scores in enumerate(calm) for row in both("calm", t, *scores)]
    rows += both("new", 0, 30.0, 40.0)
    rows += [Row("new", "b", "1", 80.0, Kind.REPEAT, 1), Row("new", "b", "1", 70.0, Kind.BAD_REFERENCE, 1)]
    found = agreement(build_assessments(rows))
    record = found.of("repeats")
    gaps = np.array([8.0, 9.0, 10.5, 0.0, 0.0, 10.0])
    assert (record.comparable, record.total, record.judges) == (6, 7, 3)
    assert record.mean_difference == pytest.approx(gaps.mean())
    assert record.p_value == pytest.approx(scipy.stats.ttest_1samp(gaps, 0).pvalue)
    assert record.consistent == 0.5
    assert found.notes == (
        "1 repeats have no original, or share it with another repeat; those were averaged or left out.",
        "The share of consistent judges leaves out 1 with a single repeat.",
    )


def errors_only() -> Assessments:
    """Two judges who mark errors in two outputs: 1 and 1, 2 and 4."""
    rows = [Row(j, "a", s, math.nan) for j in "xy" for s in "12"]
    row = np.repeat(np.arange(4), [1, 2, 1, 4])
    none = np.full(len(row), -1)
    errors = Errors(row, (), none, ("minor",), np.zeros(len(row), dtype=np.int64))
    return dataclasses.replace(build_assessments(rows), errors=errors)


def test_errors_are_weighed() -> None:
    usual, heavy = agreement(errors_only()), agreement(errors_only(), weights="minor:3 major:9")
    for found in (usual, heavy):  # a scale does not change alpha
        assert found.of("alpha").kappa == pytest.approx(alpha_oracle([0, 1, 0, 1], [1, 2, 1, 4], "interval"))
        assert found.notes == ()
    assert usual.signature.startswith("agreement|scores:penalties (Major:5 Minor:1 ")
    unknown = agreement(errors_only(), weights="major:9")
    assert unknown.notes == ("Errors without a weight, which count nothing: minor.",)


def test_rows_that_are_means_are_told() -> None:
    means = dataclasses.replace(build_assessments([Row("x", "a", "1", 3.0)]), n=np.array([2]))
    assert agreement(means).notes == ("1 rows are means of several judgements and count as one.",)


@pytest.mark.parametrize("tasks", [[], [Task("x", "1", [])], [Task("x", "1", [("a", 1)])]])
def test_nothing_to_compare_is_undefined(tasks: list[Task]) -> None:
    for record in agreement(build_rankings(tasks)):
        assert record.comparable == 0
        assert record.kappa is not None
        assert math.isnan(record.kappa)
    assert agreement(build_assessments([])).of("repeats").comparable == 0


RANKED, SCORED = build_rankings([Task("x", "1", [("a", 1)])]), build_assessments([Row("x", "a", "1", 3.0)])


@pytest.mark.parametrize(
    ("judgements", "options", "message"),
    [
        (RANKED, {"on_skip": "line"}, "on_skip must be one of task, pair, not 'line'"),
        (RANKED, {"weights": "Major:1"}, "weights are of errors"),
        (RANKED, {"judgements_format": "pairs"}, "belongs to a file"),
        (build_rankings([Task("", "1", [("a", 1), ("b", 2)])]), {"compat": True}, "does not say who judged"),
        (None, {}, "not NoneType"),
        (SCORED, {"compat": True}, "has no rankings"),
        (SCORED, {"expand": True}, "has no rankings"),
        (SCORED, {"on_skip": "task"}, "has no rankings"),
        (SCORED, {"references": False}, "has no rankings"),
        (SCORED, {"weights": "Major:1"}, "no errors marked"),
        (Judgements("", (), (), ()), {}, "neither rankings nor assessments"),
    ],
)
def test_options_that_do_not_fit(judgements: Judgements, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        agreement(judgements, **options)


def test_a_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: str, form: str | None, pair: str | None) -> Judgements:
        assert (path, form, pair) == ("file.csv", "rankings", "cs-en")
        return build_rankings([Task(j, "1", [("a", 1), ("b", 2)]) for j in "xy"])

    monkeypatch.setattr("tercet.formats.read_judgements", read)
    assert agreement("file.csv", judgements_format="rankings", pair="cs-en").of("inter").p_agree == 1
