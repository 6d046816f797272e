"""The answer in words: each rule at its edge."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tercet.agreeing.answers import CARRIED_BY, FAILS_BELOW, FALLS_BY, MOST, answers
from tercet.data import MetaEvaluation, MetricAgreement, MetricTests, Scatter, TopCurve

TWO = "Williams's test, one-sided p ≤ .05, 2 tests, not corrected for their number: --correction holm"
NONE = f"b cannot be told from it ({TWO})."
NAN = float("nan")


def record(metric: str, value: float, **more: Any) -> MetricAgreement:
    level, n = more.pop("level", "system"), more.pop("n", 10)
    return MetricAgreement(metric, level, "pearson", "de-en", value, n=n, in_words="Pearson's r", **more)


def table_of(metrics: str, p: list[list[float]], alpha: float = 0.05) -> MetricTests:
    return MetricTests("de-en", "system", "pearson", "williams", tuple(metrics), np.array(p), alpha)


def said(*records: MetricAgreement, **more: Any) -> tuple[str, ...]:
    return answers(MetaEvaluation(records, "", **more))


def test_the_best_is_named_with_its_figure() -> None:
    assert said(record("a", 0.5), record("b", 0.9123, low=0.8, high=0.95)) == (
        "de-en, system level, Pearson's r: b agrees best with people (.912 [.800, .950], n = 10).",
    )


@pytest.mark.parametrize(("value", "shown"), [(1.0, "1.000"), (-0.5, "-.500"), (0.0, ".000")])
def test_figures_have_no_leading_zero(value: float, shown: str) -> None:
    assert f"({shown}, n = 10)" in said(record("a", value))[0]


def test_an_interval_that_is_not_defined_is_not_shown() -> None:
    assert "(.500, n = 10)" in said(record("a", 0.5, half_width=NAN))[0]


def test_without_a_direction_none_is_named() -> None:
    own = MetricAgreement("a", "segment", "acc-eq", "", 0.5, n=3, in_words="pairwise accuracy with ties")
    assert said(own) == ("Segment level, pairwise accuracy with ties: a agrees with people (.500, n = 3).",)


@pytest.mark.parametrize(("n", "level", "few"), [(3, "system", True), (4, "system", False), (3, "segment", False)])
def test_few_systems_say_next_to_nothing(n: int, level: str, few: bool) -> None:
    assert ("next to nothing" in said(record("a", 0.5, n=n, level=level))[0]) == few


def test_nothing_is_defined() -> None:
    assert said(record("a", NAN), record("b", NAN)) == (
        "de-en, system level, Pearson's r: not defined for any metric.",
    )


def test_what_is_not_defined_for_some_is_said() -> None:
    (found,) = said(record("a", 0.5), record("b", NAN), record("c", NAN))
    assert found.endswith("Not defined for b and c: scores that do not vary, or too few.")


def test_what_is_not_defined_is_not_called_alike() -> None:
    p = [[NAN, 0.2, NAN], [0.8, NAN, NAN], [NAN, NAN, NAN]]
    (found,) = said(record("a", 0.9), record("b", 0.8), record("c", NAN), tests=(table_of("abc", p),))
    assert "b cannot be told from it (" in found
    assert "told from c" not in found
    assert "Not defined for c" in found


def test_metrics_that_agree_equally_well_are_all_named() -> None:
    first = "de-en, system level, Pearson's r: a and b agree"
    assert said(record("b", 0.9), record("a", 0.9)) == (
        "de-en, system level, Pearson's r: b and a agree equally well with people (.900, n = 10).",
    )
    assert said(record("a", 0.9), record("b", 0.9), record("c", 0.1)) == (f"{first} best with people (.900, n = 10).",)
    p = [[NAN, 0.5], [0.5, NAN]]
    (found,) = said(record("a", 0.9), record("b", 0.9), tests=(table_of("ab", p),))
    assert "b cannot be told from a (" in found


APART = {
    "none": ([[NAN, 0.2], [0.8, NAN]], NONE),
    "all": (
        [[NAN, 0.025], [0.975, NAN]],
        "It is significantly better than b (Williams's test, one-sided p ≤ .05, corrected for 2 tests by Holm, "
        "unlike ranks: --correction holm).",
    ),
    "a single test": ([[NAN, 0.0251], [0.9749, NAN]], f"It is better than b by single tests ({TWO})."),
    "the edge of one": ([[NAN, 0.05], [0.95, NAN]], f"It is better than b by single tests ({TWO})."),
    "the edge": (
        [[NAN, 0.0501], [0.9499, NAN]],
        NONE,
    ),
    "no test": ([[NAN, NAN], [NAN, NAN]], "b cannot be told from it (Williams's test, one-sided p ≤ .05)."),
}


@pytest.mark.parametrize(("p", "sentence"), APART.values(), ids=APART)
def test_metrics_are_told_apart_by_the_tests_only(p: list[list[float]], sentence: str) -> None:
    (found,) = said(record("a", 0.9), record("b", 0.1), tests=(table_of("ab", p),))
    assert found.endswith(sentence)


def test_some_are_told_apart_and_some_are_not() -> None:
    p = [[NAN, 0.2, 0.01], [0.8, NAN, 0.2], [0.99, 0.8, NAN]]
    (found,) = said(record("a", 0.9), record("b", 0.8), record("c", 0.1), tests=(table_of("abc", p, 0.1),))
    how = "(Williams's test, one-sided p ≤ .1, corrected for 6 tests by Holm, unlike ranks: --correction holm)"
    assert found.endswith(f"It is significantly better than c {how}. It cannot be told from b.")


SINGLE = "Williams's test, one-sided p ≤ .05, 6 tests, not corrected for their number: --correction holm"
ALSO = "which are not corrected for their number"
TOGETHER = "Williams's test, one-sided p ≤ .05, corrected for 6 tests by Holm, unlike ranks: --correction holm"


@pytest.mark.parametrize(
    ("to_b", "to_c", "sentence"),
    [
        (0.001, 0.002, f"It is significantly better than b and c ({TOGETHER})."),
        (
            0.04,
            0.001,
            f"It is significantly better than c ({TOGETHER}). It is also better than b by single tests, {ALSO}.",
        ),
        (0.04, 0.03, f"It is better than b and c by single tests ({SINGLE})."),
        (0.2, 0.03, f"It is better than c by single tests ({SINGLE}). It cannot be told from b."),
        (0.2, 0.3, f"The other metrics cannot be told from it ({SINGLE})."),
    ],
)
def test_what_many_tests_alone_may_give_is_not_called_significant(to_b: float, to_c: float, sentence: str) -> None:
    p = [[NAN, to_b, to_c], [1 - to_b, NAN, 0.5], [1 - to_c, 0.5, NAN]]
    (found,) = said(record("a", 0.9), record("b", 0.8), record("c", 0.1), tests=(table_of("abc", p),))
    assert found.endswith(sentence)


def test_intervals_that_lie_apart_have_no_p_to_correct() -> None:
    p = np.array([[NAN, 0.0, 0.0], [1.0, NAN, 1.0], [1.0, 1.0, NAN]])
    tests = MetricTests("de-en", "system", "pearson", "overlap", tuple("abc"), p)
    (found,) = said(record("a", 0.9), record("b", 0.8), record("c", 0.1), tests=(tests,))
    assert "significantly" not in found
    assert "better than b and c by single tests (overlap of intervals" in found


def test_table_of_another_direction_do_not_count() -> None:
    other = MetricTests("fr-en", "system", "pearson", "williams", ("a", "b"), np.array([[NAN, 0.0], [1.0, NAN]]))
    (found,) = said(record("a", 0.9), record("b", 0.8), tests=(other,))
    assert "told" not in found
    assert "significantly" not in found


def curve(metric: str, half: float, whole: float, sizes: tuple[int, ...] = (4, 5, 6, 7, 8)) -> TopCurve:
    """Agreement over the best four, rising to all eight."""
    return TopCurve("de-en", "pearson", metric, sizes, tuple(np.linspace(half, whole, len(sizes)).tolist()))


FALLS = {
    "falls": (0.2, 0.9, True),
    "just below .5": (FAILS_BELOW - 1e-9, 0.9, True),
    "not below .5": (FAILS_BELOW, 0.9, False),
    "just .5 over all": (0.1, FAILS_BELOW, True),
    "below .5 over all": (0.1, FAILS_BELOW - 1e-9, False),
    "just .2": (0.3, 0.3 + FALLS_BY, True),
    "less than .2": (0.31, 0.5, False),
    "negative": (-0.5, 0.9, True),
    "not defined there": (NAN, 0.9, False),
    "not defined": (0.2, NAN, False),
}


@pytest.mark.parametrize(("half", "whole", "fails"), FALLS.values(), ids=FALLS)
def test_failing_among_the_best(half: float, whole: float, fails: bool) -> None:
    found = answers(MetaEvaluation((), "", curves=(curve("a", half, whole), curve("b", 0.9, 0.9))))
    assert bool(found) == fails
    if fails:
        assert re.fullmatch(r"de-en, among the best 4 of 8 systems a \(.* over all, .* there\) fails\.", found[0])


def test_several_fail() -> None:
    (found,) = answers(MetaEvaluation((), "", curves=(curve("a", 0.1, 0.9), curve("b", -0.2, 0.7))))
    assert found == (
        "de-en, among the best 4 of 8 systems a (.900 over all, .100 there) and b (.700 over all, -.200 there) fail."
    )


HALVES = {1: None, 3: None, 4: None, 5: 4, 6: 4, 8: 4, 9: 5, 12: 6}


@pytest.mark.parametrize(("whole", "half"), HALVES.items())
def test_the_better_half_is_four_or_more(whole: int, half: int | None) -> None:
    """Where there are four systems or fewer, the half would be all of them."""
    found = answers(MetaEvaluation((), "", curves=(curve("a", 0.1, 0.9, tuple(range(min(4, whole), whole + 1))),)))
    if half is None:
        assert found == ()
    else:
        assert f"among the best {half} of {whole} systems a" in found[0]


def points(outliers: str) -> Scatter:
    systems = tuple("ABCDEF")
    return Scatter("de-en", "a", systems, (0.0,) * 6, (0.0,) * 6, tuple(s in outliers for s in systems))


@pytest.mark.parametrize(("without", "carries"), [(0.9 - CARRIED_BY - 1e-9, True), (0.81, False), (NAN, False)])
def test_an_outlier_may_carry_the_agreement(without: float, carries: bool) -> None:
    found = said(
        record("a", 0.9, without_outliers=without),
        curves=(curve("a", 0.9, 0.9),),
        scatters=(points("F"),),
    )
    if carries:
        assert (
            found[-1]
            == "de-en, people put F far off the others, and that carries the agreement of a (.900 with, .800 without)."
        )
    else:
        assert found[-1] == "de-en, people put F far off the others; no metric owes much of its agreement to that."


def test_without_pearson_nothing_is_said_of_what_outliers_carry() -> None:
    own = MetricAgreement("a", "system", "accuracy", "de-en", 0.9, n=15, without_outliers=0.1)
    found = said(own, curves=(curve("a", 0.9, 0.9),), scatters=(points("EF"),))
    assert found[-1] == "de-en, people put E and F far off the others."


def test_without_outliers_nothing_is_said_of_them() -> None:
    assert len(said(record("a", 0.9), curves=(curve("a", 0.9, 0.9),), scatters=(points(""),))) == 1


@pytest.mark.parametrize("n", [MOST, MOST + 1, MOST + 5])
def test_long_lists_end(n: int) -> None:
    names = [f"m{i}" for i in range(n)]
    (found,) = said(record("a", 0.9), *(record(name, NAN) for name in names))
    listed = found.partition("Not defined for ")[2].partition(":")[0]
    shown = len(re.findall(r"m\d+", listed))
    assert shown == (n if n <= MOST else MOST - 1)
    assert (f"and {n - shown} others" in listed) == (n > MOST)


def test_every_direction_and_measure_has_its_answer() -> None:
    records = [
        MetricAgreement("a", "system", m, d, 0.5, n=9) for d in ("de-en", "en-de") for m in ("pearson", "accuracy")
    ]
    assert [a.partition(":")[0] for a in said(*records)] == [
        f"{d}, system level, {m}" for d in ("de-en", "en-de") for m in ("pearson", "accuracy")
    ]
