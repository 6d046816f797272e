"""Tables of meta-evaluation: agreement, tests, curves, and metrics among published ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tercet.agreeing.places import placed
from tercet.agreeing.published import published, standings
from tercet.data import MetaEvaluation, MetricAgreement, MetricTests, TopCurve
from tercet.data.table import Table
from tercet.errors import InputError
from tercet.numbers import coefficient
from tercet.report import render
from tercet.report.html import agreement_block
from tercet.report.meta import among_table, curves_table, meta_table, p_table

NAN = float("nan")


def record(
    metric: str, value: float, direction: str = "de-en", measure: str = "pearson", **more: Any
) -> MetricAgreement:
    level, n, name = more.pop("level", "system"), more.pop("n", 8), "Pearson's r" if measure == "pearson" else ""
    return MetricAgreement(metric, level, measure, direction, value, n=n, in_words=name, **more)


def evaluation(*records: MetricAgreement, **more: Any) -> MetaEvaluation:
    return MetaEvaluation(placed(records), "meta|signature", **more)


@pytest.mark.parametrize(
    ("value", "half", "digits", "shown"),
    [
        (0.977, 0.009, 3, ".977 ± .009"),
        (1.0, 0.0, 3, "1.000 ± .000"),
        (-0.5, None, 3, "-.500"),
        (-1.0, None, 2, "-1.00"),
        (0.5, NAN, 3, ".500"),
        (NAN, None, 3, "n/a"),
        (NAN, 0.5, 3, "n/a"),
        (0.12345, None, 5, ".12345"),
        (0.6, None, 0, "1"),
        (10.5, None, 3, "10.500"),
        (-0.0001, None, 3, ".000"),
    ],
)
def test_figures(value: float, half: float | None, digits: int, shown: str) -> None:
    assert coefficient(value, digits, half) == shown


def test_one_measure_and_direction_need_no_columns() -> None:
    table = meta_table(evaluation(record("a", 0.5, n=7), record("b", 0.9, n=7), answers=("b is best.",), notes=("n",)))
    assert table.header == ("metric", "Pearson's r", "n")
    assert table.rows == (("b", ".900", "7"), ("a", ".500", "7"))
    assert table.best == {(0, 1)}
    assert table.notes == ("b is best.", "n", "meta|signature")


def test_several_have_columns_and_rules() -> None:
    found = evaluation(
        record("a", 0.5),
        record("b", 0.50004),
        record("a", NAN, measure="kendall"),
        record("b", 0.1, measure="kendall"),
        record("a", 0.3, direction="en-de", measure="kendall"),
    )
    table = meta_table(found)
    assert table.header == ("metric", "direction", "measure", "value", "n")
    assert table.rules == {1, 3}
    assert table.best == {(0, 3), (1, 3)}, "equal as printed are both the best, and one alone is not"


def test_the_best_are_those_that_no_other_is_better_than() -> None:
    found = evaluation(
        record("a", 0.5, rank=2, winner=False), record("b", 0.8, rank=1, winner=True), record("c", 0.7, winner=True)
    )
    table = meta_table(found)
    assert [row[0] for row in table.rows] == ["b", "c", "a"]
    assert table.best == {(0, 1), (1, 1)}


def test_ranks_outliers_and_epsilon_where_there_are_some() -> None:
    found = evaluation(
        record("a", 0.5, rank=1, without_outliers=0.25, n_without_outliers=7, epsilon=0.0625),
        record("b", NAN, rank=None),
    )
    table = meta_table(found, digits=1)
    assert table.header == ("metric", "Pearson's r", "n", "rank", "without outliers", "epsilon")
    assert table.rows == (("a", ".5", "8", "1", ".2 (7)", "0.0625"), ("b", "n/a", "8", "–", "–", "–"))
    same = evaluation(record("a", 0.5, without_outliers=0.5, n_without_outliers=8))
    assert meta_table(same).header == ("metric", "Pearson's r", "n"), "no system stands far off"


@pytest.mark.parametrize(
    ("records", "order", "bold"),
    [
        ([record("a", 1.0, n=2, fewer=True), record("b", 0.9), record("c", 0.8)], "bca", "b"),
        ([record("a", 0.9)], "a", ""),
        ([record("a", 0.9, winner=False), record("b", 0.8, winner=False)], "ab", ""),
        ([record("a", 0.7, winner=True), record("b", 0.8, winner=True), record("c", NAN, winner=False)], "bac", "ab"),
        ([record("a", NAN), record("b", 0.80001), record("c", 0.8)], "bca", "bc"),
        ([record("a", NAN, winner=False), record("b", 0.8, winner=True)], "ba", ""),
    ],
)
def test_a_page_has_the_order_and_the_bold_of_the_terminal(
    records: list[MetricAgreement], order: str, bold: str
) -> None:
    found = evaluation(*records)
    table, block = meta_table(found), agreement_block(found.records, "")
    assert "".join(row[0] for row in table.rows) == "".join(row[0].text for row in block.rows) == order
    assert {row[0].text for row in block.rows if row[1].bold} == {table.rows[i][0] for i, _ in table.best} == set(bold)


@pytest.mark.parametrize("style", ["table", "markdown", "latex"])
def test_names_are_shown_as_they_are(style: Any) -> None:
    name = "a_b|<c> & 50% 中文 مرحبا"
    text = render(meta_table(evaluation(record(name, 0.5))), style)
    assert "50" in text
    assert "中文" in text
    if style == "latex":
        assert r"a\_b" in text
        assert r"\&" in text
    if style == "markdown":
        assert r"a_b\|&lt;c&gt;" in text


def tests_of_two() -> MetricTests:
    return MetricTests("de-en", "system", "pearson", "williams", ("b", "a"), np.array([[NAN, 0.0123], [0.9877, NAN]]))


tests_of_two.__test__ = False  # type: ignore[attr-defined]


def test_p_values() -> None:
    table = p_table(tests_of_two())
    assert table.header == ("", "b", "a")
    assert table.rows == (("b", "–", ".012"), ("a", ".988", "–"))
    assert table.best == {(0, 2)}
    assert table.notes[0].startswith("de-en, system level, pearson: p that")
    assert "(Williams's test, one-sided p ≤ .05" in table.notes[0]


def test_p_values_that_are_not_there() -> None:
    nothing = MetricTests("", "system", "pearson", "williams", ("b", "a"), np.full((2, 2), NAN))
    table = p_table(nothing)
    assert table.rows == (("b", "–", "n/a"), ("a", "n/a", "–"))
    assert not table.best


def test_curves_of_several_directions() -> None:
    curves = [
        TopCurve("de-en", "pearson", "a", (4, 5), (0.5, 0.75)),
        TopCurve("en-de", "pearson", "a", (4, 5, 6), (NAN, 0.5, 0.25)),
    ]
    table = curves_table(curves)
    assert table.header == ("metric", "direction", "best 6", "best 5", "best 4")
    assert table.rows == (("a", "de-en", "", ".750", ".500"), ("a", "en-de", ".250", ".500", "n/a"))
    assert curves_table(curves[:1]).header == ("metric", "best 5", "best 4")


def among_tables(found: MetaEvaluation, name: str) -> list[Table]:
    """The tables of the metrics among those of a campaign."""
    return [among_table(table, found.signature) for table in standings(found, name)]


def test_a_metric_in_a_published_table() -> None:
    (table,) = among_tables(evaluation(record("mine", 0.9765, half_width=0.01)), "wmt15")
    assert table.header == ("metric", "de-en", "place")
    names = [row[0] for row in table.rows]
    mine = names.index("→ mine")
    assert table.rows[mine][1] == ".976 ± .010" or table.rows[mine][1] == ".977 ± .010"
    values = [float(row[1].split()[0]) for row in table.rows if row[1] != "n/a"]
    assert values == sorted(values, reverse=True)
    assert table.best == {(mine, 0)}
    others = published("wmt15").select("system", "pearson", "into-en")
    higher = sum((row["de-en"].value or 0) > 0.977 for row in others.values() if "de-en" in row)
    assert table.rows[mine][2] == str(1 + higher)
    assert table.notes[-1] == "meta|signature"


@pytest.mark.parametrize(("name", "testset"), [("wmt14", "newstest2014"), ("wmt15", "newstest2015")])
def test_a_published_table_says_of_which_test_set_it_is(name: str, testset: str) -> None:
    (table,) = among_tables(evaluation(record("mine", 0.9)), name)
    assert f"figures of {testset} and its judgements" in table.notes[0]
    assert f"figures of what was given, which compare if that is {testset}, too" in table.notes[0]


def test_several_directions_are_averaged_and_groups_are_apart() -> None:
    found = evaluation(*(record("mine", 0.9, direction=d) for d in ("de-en", "fi-en", "en-de")))
    into, out = among_tables(found, "wmt15")
    assert into.header == ("metric", "de-en", "fi-en", "average", "place")
    assert out.header == ("metric", "en-de", "place")
    row = next(r for r in into.rows if r[0] == "→ mine")
    assert row[-1] == "–", "an average over two of five directions has no place"


def test_a_value_that_is_not_defined_has_no_place() -> None:
    (table,) = among_tables(evaluation(record("mine", NAN)), "wmt15")
    assert table.rows[-1] == ("→ mine", "n/a", "–")


@pytest.mark.parametrize(
    ("own", "name", "message"),
    [
        (record("mine", 0.9), "wmt99", "no published results called 'wmt99'"),
        (record("mine", 0.9, direction="zh-en"), "wmt15", "no direction 'zh-en'"),
        (record("mine", 0.9, direction=""), "wmt15", "no direction ''"),
        (record("mine", 0.9, measure="kendall"), "wmt15", "needs the measure pearson"),
        (record("mine", 0.9, level="document"), "wmt15", "no document level"),
    ],
)
def test_what_has_no_published_table_is_refused(own: MetricAgreement, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        among_tables(evaluation(own), name)
