"""Assessments to statistics: z-scores, control, means, penalties, daRR."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import Assessments, Errors, Kind
from tercet.errors import InputError
from tercet.human.assessments import (
    better_worse,
    controlled,
    judged_systems,
    outputs_only,
    segment_means,
    standardized,
)
from tercet.human.penalties import penalties
from tests.ranking.build import assessments

SMALL = assessments([("j", "a", "1", 10.0), ("j", "a", "2", 30.0), ("k", "b", "1", 50.0), ("k", "b", "2", 90.0)])


def test_z_scores_are_those_of_the_judge() -> None:
    z = standardized(SMALL).z
    assert z is not None
    np.testing.assert_allclose(z, [-0.70710678, 0.70710678, -0.70710678, 0.70710678])


def test_z_scores_of_systems_only() -> None:
    kinds = [Kind.SYSTEM, Kind.SYSTEM, Kind.REFERENCE]
    data = assessments([("j", "a", "1", 10.0), ("j", "a", "2", 30.0), ("j", "a", "3", 100.0)], kinds)
    z = standardized(data, "system").z
    assert z is not None
    np.testing.assert_allclose(z, [-0.70710678, 0.70710678, 80 / np.sqrt(200)])


def test_given_z_scores_are_kept() -> None:
    data = dataclasses.replace(SMALL, z=np.array([1.0, 2.0, 3.0, 4.0]))
    assert standardized(data).z is data.z
    with pytest.raises(InputError, match="no z-scores"):
        standardized(SMALL, "given")


def test_a_judge_whose_scores_do_not_vary_is_left_out_and_named() -> None:
    data = assessments([("j", "a", "1", 10.0), ("j", "a", "2", 30.0), ("flat", "a", "1", 5.0), ("flat", "b", "1", 5.0)])
    out = standardized(data)
    assert len(out) == 2
    assert out.notes == ("Judges whose scores do not vary, and were left out: flat (2 scores).",)


def control_items(judge: str, bad: float) -> list[tuple[tuple[str, str, str, float], Kind]]:
    rows = []
    for i in range(10):
        rows.append(((judge, "a", str(i), 60.0 + i), Kind.SYSTEM))
        rows.append(((judge, "a", str(i), bad + i), Kind.BAD_REFERENCE))
    return rows


@pytest.mark.parametrize("how", ["auto", "rank-sum", "t-test"])
def test_judges_who_do_not_see_bad_references_are_left_out(how: str) -> None:
    items = [*control_items("careful", 20.0), *control_items("careless", 60.0)]
    data = assessments([row for row, _ in items], [kind for _, kind in items])
    out = controlled(data, how)  # type: ignore[arg-type]
    assert {out.judges[j] for j in out.judge} == {"careful"}
    assert out.notes == ("Judges who failed quality control, and were left out: careless (20 scores).",)
    assert len(outputs_only(out)) == 10


def test_files_with_z_scores_were_checked_before() -> None:
    items = control_items("careless", 60.0)
    data = assessments([row for row, _ in items], [kind for _, kind in items])
    assert controlled(dataclasses.replace(data, z=data.score)) is not None
    with pytest.raises(InputError, match="no judge passes"):
        controlled(data)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.floats(0, 100)), min_size=1, max_size=30))
def test_segments_are_averaged_first(rows: list[tuple[int, int, float]]) -> None:
    data = assessments([("j", f"s{s}", f"g{g}", x) for s, g, x in rows])
    found = segment_means(data, data.score)
    for i, system in enumerate(data.systems):
        means = []
        for segment in data.segments:
            own = [x for s, g, x in rows if (f"s{s}", f"g{g}") == (system, segment)]
            if own:
                means.append(np.mean(own))
        assert found.corpus()[i] == pytest.approx(np.mean(means))


def with_errors(*errors: tuple[int, str, str]) -> Assessments:
    categories = tuple(dict.fromkeys(c for _, c, _ in errors))
    severities = tuple(dict.fromkeys(s for _, _, s in errors))
    columns = Errors(
        np.array([r for r, _, _ in errors]),
        categories,
        np.array([categories.index(c) for _, c, _ in errors]),
        severities,
        np.array([severities.index(s) for _, _, s in errors]),
    )
    return dataclasses.replace(SMALL, errors=columns)


def test_the_most_specific_weight_counts_in_any_case() -> None:
    data = with_errors((0, "Fluency/Punctuation", "MINOR"), (0, "Fluency/Grammar", "minor"), (2, "Accuracy", "Odd"))
    weights = {"Minor": 1.0, "Minor/Fluency": 2.0, "Minor/Fluency/Punctuation": 0.1}
    found, unknown = penalties(data, weights)
    assert found.tolist() == pytest.approx([2.1, 0.0, 0.0, 0.0])
    assert unknown == ("Odd/Accuracy",)


def test_penalties_need_errors() -> None:
    with pytest.raises(InputError, match="no errors marked"):
        penalties(SMALL, {})


def test_rows_keep_their_errors_when_others_go() -> None:
    data = with_errors((0, "A", "x"), (2, "B", "y"), (3, "A", "y"))
    part = data.part(np.array([False, True, True, True]))
    assert part.errors is not None
    assert part.errors.row.tolist() == [1, 2]
    assert [part.errors.categories[c] for c in part.errors.category] == ["B", "A"]


def test_better_worse_needs_25_points() -> None:
    rows = [("j", "a", "1", 75.0), ("j", "b", "1", 50.0), ("j", "c", "1", 49.0), ("j", "a", "2", 10.0)]
    segment, better, worse = better_worse(assessments(rows))
    assert list(zip(segment, better, worse, strict=True)) == [(0, 0, 1), (0, 0, 2)]
    assert len(better_worse(assessments(rows), strict=True)[0]) == 1


def test_a_missing_score_takes_nobody_else_with_it() -> None:
    data = assessments([("j", "a", "1", 10.0), ("j", "a", "2", 30.0), ("j", "b", "1", math.nan)])
    out = standardized(data)
    assert out.notes == ()
    assert out.z is not None
    np.testing.assert_allclose(out.z, [-0.70710678, 0.70710678, math.nan])


@pytest.mark.parametrize("score", [70.1, 12.34, 1 / 3])
def test_equal_scores_do_not_vary_whatever_their_mean_rounds_to(score: float) -> None:
    rows = [("flat", "a", str(i), score) for i in range(6)]
    out = standardized(assessments([*rows, ("j", "a", "1", 10.0), ("j", "a", "2", 30.0)]))
    assert len(out) == 2


def test_no_scores_at_all_are_no_crash() -> None:
    data = assessments([("j", "a", "1", math.nan)])
    assert segment_means(data, data.score).rows.tolist() == [[[0.0, 0.0]]]


def test_scores_without_the_z_of_the_file_are_left_out_and_counted() -> None:
    out = standardized(dataclasses.replace(SMALL, z=np.array([1.0, math.nan, 3.0, 4.0])))
    assert len(out) == 3
    assert out.notes[0].endswith("left out: 1. da(standardize=all) computes them.")


def test_scores_of_nobody_are_said_to_be_one_judges() -> None:
    out = standardized(assessments([("", "a", "1", 1.0), ("", "a", "2", 3.0)]))
    assert out.notes == ("Scores that do not say who gave them, standardised as those of one judge: 2.",)


def test_systems_with_control_items_only_are_left_out() -> None:
    rows = [("j", "a", "1", 1.0), ("j", "refA", "1", 99.0), ("j", "b", "1", 3.0)]
    out = judged_systems(assessments(rows, [Kind.SYSTEM, Kind.REFERENCE, Kind.SYSTEM]))
    assert out.systems == ("a", "b")
    assert out.system.tolist() == [0, 1]
    assert out.notes == ("Systems whose outputs nobody judged, left out of the ranking: refA.",)


def test_the_median_of_a_judge_becomes_that_of_all() -> None:
    """A strict judge and a mild one of other spread agree; who always says the same is only shifted."""
    rows = [
        (judge, "s", str(i), score)
        for judge, scores in (("mild", [80, 85, 90, 95]), ("strict", [10, 20, 30, 40]), ("flat", [50, 50, 50, 50]))
        for i, score in enumerate(map(float, scores))
    ]
    z = standardized(assessments(rows), "median").z
    assert z is not None
    every = [score for *_, score in rows]
    assert z[:4] == pytest.approx(z[4:8])
    assert z[8:] == pytest.approx([np.median(every)] * 4)
    low, high = np.percentile(z[:4], [25, 75])
    assert (np.median(z[:4]), high - low) == pytest.approx(
        (np.median(every), np.subtract(*np.percentile(every, [75, 25])))
    )
