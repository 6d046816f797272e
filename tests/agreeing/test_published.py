"""The published tables: the figures of the list, averages that are the mean of their directions, and places in them."""

from __future__ import annotations

import csv
import importlib.util
import math
import pathlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreeing.published import PUBLISHED, STATISTICS, among, place, published
from tercet.data import MetricAgreement
from tercet.data.published import AVERAGE, AmongRow, Group
from tercet.errors import InputError
from tests.conftest import ROOT

GROUPS: tuple[Group, ...] = ("into-en", "from-en")
NAN = float("nan")


def program() -> Any:
    """scripts/make_published.py as a module: scripts/ is not a package."""
    spec = importlib.util.spec_from_file_location("make_published", ROOT / "scripts" / "make_published.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def source(shared: pathlib.Path) -> pathlib.Path:
    return shared / "published" / "metric-task-results.csv"


def records(values: Mapping[str, float], level: str = "system", metric: str = "mine") -> list[MetricAgreement]:
    """The user's figures, by direction."""
    measure = {"system": "pearson", "segment": "kendall(variant=wmt14)"}[level]
    return [MetricAgreement(metric, level, measure, name, value, half_width=0.01) for name, value in values.items()]


def own(rows: tuple[AmongRow, ...]) -> AmongRow:
    (found,) = [row for row in rows if row.own]
    return found


def test_the_file_is_what_the_program_writes(shared: pathlib.Path) -> None:
    made = program()
    assert made.TARGET.read_text(encoding="utf-8") == made.text(source(shared))


def test_every_figure_of_the_list_is_there(shared: pathlib.Path) -> None:
    with source(shared).open(encoding="utf-8", newline="") as file:
        expected = Counter(
            (
                f"wmt{r['year'][2:]}",
                *(r[name] for name in ("level", "group", "metric", "direction")),
                # the list calls that column of WMT14 by another name; only one metric has both
                "kendall-hties"
                if r["statistic"] == "kendall-wmt13" and r["metric"] != "DISCOTK-LIGHT-KOOL"
                else r["statistic"],
                r["value"] if r["value"] in ("n/a", "nan") else str(float(r["value"])),
                str(float(r["ci95"])) if r["ci95"] else "",
            )
            for r in csv.DictReader(file)
        )
    found = Counter(
        (
            name,
            *(r.level, r.group, r.metric, r.direction, r.statistic),
            "n/a" if r.value is None else str(r.value),
            "" if r.half_width is None else str(r.half_width),
        )
        for name in PUBLISHED
        for r in published(name).records
    )
    assert found == expected
    assert found.total() == 1324


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("level", STATISTICS)
@pytest.mark.parametrize("group", GROUPS)
def test_averages_are_means_of_their_directions(name: str, level: str, group: Group) -> None:
    table = published(name)
    rows = table.select(level, STATISTICS[level], group)
    assert len(rows) > 10
    for row in rows.values():
        values = [row[d].value for d in table.averaged(level, group) if row[d].value is not None]
        mean = math.fsum(v for v in values if v is not None) / len(values)
        printed = row[AVERAGE].value
        assert printed is not None
        assert math.isnan(printed) == math.isnan(mean)
        assert math.isnan(mean) or abs(mean - printed) < 0.0011


def test_what_was_left_out_of_an_average() -> None:
    table = published("wmt14")
    assert set(table.directions("system", "from-en")) - set(table.averaged("system", "from-en")) == {"en-de"}
    assert table.averaged("segment", "from-en") == table.directions("segment", "from-en")
    assert "en-de" not in table.select("system", "pearson", "from-en")["PER"]


def test_cells_that_are_no_numbers() -> None:
    rows = published("wmt15").select("system", "pearson", "into-en")
    assert rows["USAAR-ZWICKEL-COSINE-MEAN"]["fi-en"].value != rows["USAAR-ZWICKEL-COSINE-MEAN"]["fi-en"].value
    missing = rows["USAAR-ZWICKEL-METEOR-MEDIAN"]["fr-en"]
    assert (missing.value, missing.half_width) == (None, None)


def test_names_that_are_not_there() -> None:
    with pytest.raises(InputError, match=r"no published results called 'wmt13'.*wmt14, wmt15"):
        published("wmt13")
    with pytest.raises(InputError, match=r"no segment pearson into-en.*segment kendall-wmt14 into-en"):
        published("wmt15").select("segment", "pearson", "into-en")


@pytest.mark.parametrize(
    ("direction", "value", "expected"),
    [("de-en", 1.0, 1), ("de-en", 0.9814, 1), ("de-en", 0.9805, 1), ("de-en", 0.9804, 2), ("en-de", -1.0, 33)],
)
def test_places(direction: str, value: float, expected: int) -> None:
    assert place(published("wmt15"), "system", direction, value) == expected


@given(
    name=st.sampled_from(PUBLISHED),
    level=st.sampled_from(list(STATISTICS)),
    group=st.sampled_from(GROUPS),
    data=st.data(),
)
def test_a_published_value_stands_where_it_stood(name: str, level: str, group: Group, data: st.DataObject) -> None:
    table = published(name)
    direction = data.draw(st.sampled_from(table.directions(level, group)))
    rows = table.select(level, STATISTICS[level], group)
    values = [row[direction].value for row in rows.values() if direction in row]
    numbers = sorted((v for v in values if v is not None and not math.isnan(v)), reverse=True)
    value = data.draw(st.sampled_from(numbers))
    assert place(table, level, direction, value) == numbers.index(value) + 1
    assert place(table, level, direction, value - 0.0004) == numbers.index(value) + 1
    assert place(table, level, direction, -2.0) == len(numbers) + 1


def test_places_by_average_count_whole_rows_only() -> None:
    table = published("wmt14")
    rows = table.select("system", "pearson", "from-en")
    assert rows["PARMESAN"][AVERAGE].value == 0.962  # of en-cs alone
    assert place(table, "system", AVERAGE, 0.960, "from-en") == 1
    assert place(table, "system", AVERAGE, 0.9594, "from-en") == 1  # as NIST, printed
    assert place(table, "system", AVERAGE, 0.958, "from-en") == 2


@pytest.mark.parametrize(
    ("level", "direction", "value", "words"),
    [
        ("system", "zh-en", 0.5, r"no direction 'zh-en' at the system level.*cs-en, .*en-ru"),
        ("system", "de-fr", 0.5, "no direction 'de-fr'"),
        ("document", "de-en", 0.5, "no document level"),
        ("system", "de-en", NAN, "not defined"),
        ("system", "average", 0.5, "two averages"),
    ],
)
def test_what_has_no_place(level: str, direction: str, value: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        place(published("wmt15"), level, direction, value)


def test_a_metric_among_the_published() -> None:
    values = {"cs-en": 0.97, "de-en": 0.95, "fi-en": 0.96, "fr-en": 0.98, "ru-en": 0.99}
    found = among(published("wmt15"), "system", records(values))
    assert list(found) == ["into-en"]
    rows = found["into-en"]
    mine = own(rows)
    assert len(rows) == 43
    assert mine.cells[AVERAGE].value == pytest.approx(0.97)
    assert mine.cells[AVERAGE].half_width == pytest.approx(0.01)
    assert mine.cells["de-en"].place == place(published("wmt15"), "system", "de-en", 0.95)
    assert mine.place == mine.cells[AVERAGE].place == place(published("wmt15"), "system", AVERAGE, 0.97, "into-en")
    at = rows.index(mine)
    averages = [row.cells[AVERAGE].value or 0.0 for row in rows if row.complete and row.place is not None]
    assert averages == sorted(averages, reverse=True)
    assert rows[at - 1].cells[AVERAGE].value == 0.971
    assert (rows[at - 1].place, rows[at + 1].place) == (at, at + 2)
    assert [row.complete for row in rows] == sorted((row.complete for row in rows), reverse=True)
    assert all(row.place is None for row in rows if not row.complete)


def test_equal_values_share_a_place() -> None:
    table = published("wmt15")
    top = table.select("segment", "kendall-wmt14", "from-en")["BEER"]
    same = {d: top[d].value or 0.0 for d in table.directions("segment", "from-en")}
    rows = among(table, "segment", records(same, "segment"))["from-en"]
    assert [(row.metric, row.place) for row in rows[:3]] == [("BEER", 1), ("mine", 1), (rows[2].metric, 3)]


def test_a_metric_with_gaps_stands_below() -> None:
    (rows,) = among(published("wmt15"), "system", records({"de-en": 0.999})).values()
    mine = own(rows)
    assert (mine.complete, mine.place, mine.cells["de-en"].place) == (False, None, 1)
    assert mine.cells[AVERAGE].value == pytest.approx(0.999)
    assert mine.cells[AVERAGE].place is None
    assert rows[[row.complete for row in rows].index(False)] == mine


def test_a_direction_that_is_not_averaged() -> None:
    (rows,) = among(published("wmt14"), "system", records({"en-de": 0.5})).values()
    mine = own(rows)
    assert (mine.complete, mine.cells[AVERAGE].value, mine.cells["en-de"].place) == (False, None, 1)
    whole = {"en-fr": 0.9, "en-hi": 0.9, "en-cs": 0.9, "en-ru": 0.9}
    (rows,) = among(published("wmt14"), "system", records({**whole, "en-de": -1.0})).values()
    assert own(rows).cells[AVERAGE].value == pytest.approx(0.9)
    (rows,) = among(published("wmt14"), "system", records(whole)).values()
    assert own(rows).complete


def test_values_that_are_not_defined_and_unknown_intervals() -> None:
    given_records = records({"de-en": NAN, "cs-en": 0.5})
    given_records.append(MetricAgreement("mine", "system", "pearson", "fr-en", 0.5))
    (rows,) = among(published("wmt15"), "system", given_records).values()
    mine = own(rows)
    assert mine.cells["de-en"].place is None
    assert mine.cells[AVERAGE].half_width is None
    assert math.isnan(mine.cells[AVERAGE].value or 0.0)
    assert rows[-1].cells[AVERAGE].value is not None


def test_several_metrics_and_groups() -> None:
    given_records = [*records({"de-en": 0.9, "en-de": 0.9}), *records({"de-en": 0.8}, metric="BLEU")]
    found = among(published("wmt15"), "system", given_records)
    assert {group: [row.metric for row in rows if row.own] for group, rows in found.items()} == {
        "into-en": ["mine", "BLEU"],
        "from-en": ["mine"],
    }
    assert [row.own for row in found["into-en"] if row.metric == "BLEU"] == [False, True]


@pytest.mark.parametrize(
    ("given_records", "words"),
    [
        (records({"zh-en": 0.5}), "no direction 'zh-en'"),
        (records({"de-en": 0.5}) * 2, "mine is there twice in de-en"),
        ([], r"nothing to show.*needs the measure pearson"),
        (records({"de-en": 0.5}, "segment"), "nothing to show"),
        ([MetricAgreement("mine", "system", "spearman", "de-en", 0.5)], "nothing to show"),
    ],
)
def test_records_that_cannot_be_shown(given_records: list[MetricAgreement], words: str) -> None:
    with pytest.raises(InputError, match=words):
        among(published("wmt15"), "system", given_records)
    with pytest.raises(InputError, match="no word level"):
        among(published("wmt15"), "word", given_records)
