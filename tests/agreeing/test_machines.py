"""The metrics' side: scores of texts and of files at every level, and in the order that people's have."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.agreeing.gold import Gold
from tercet.agreeing.machines import Computed, Submitted, aligned
from tercet.data import Array, MetricScores, Statistics, TestSet
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.options.agreeing import MetaLevel
from tercet.sample import campaign
from tercet.scoring import statistics

TEXTS = campaign("en-de")
NAN = float("nan")


def computed(*specs: str) -> Computed:
    return Computed(TEXTS, {spec: tercet.metric(spec) for spec in specs}, statistics, "en-de")


def gold_of(systems: str, items: str = "") -> Gold:
    """People's side, of which only the names matter here."""
    names = tuple(items) or ("",)
    return Gold("g", "", "segment" if items else "system", tuple(systems), names, np.zeros((len(systems), len(names))))


def scores(systems: str, items: str, values: Array, *, higher: bool = True) -> MetricScores:
    return MetricScores("M", "", "segment", tuple(systems), tuple(items), values, higher)


@pytest.mark.parametrize("level", ["system", "document", "segment"])
def test_texts_are_scored_as_score_does(level: MetaLevel) -> None:
    found = computed("bleu", "ter").scores(level)
    expected = tercet.score(testset=TEXTS, metrics=["bleu", "ter"], level="corpus" if level == "system" else level)
    by = {(r.metric, r.system, r.segment or ""): r.score for r in expected}
    assert len(by) == sum(each.values.size for each in found)
    for each in found:
        assert (each.direction, each.level, each.higher_is_better) == ("en-de", level, each.metric == "bleu")
        for (s, system), (i, item) in itertools.product(enumerate(each.systems), enumerate(each.items)):
            assert each.values[s, i] == by[each.metric, system, item]


def test_statistics_are_counted_once_for_all_levels() -> None:
    calls: list[str] = []

    def count(testset: TestSet, metric: Metric) -> Statistics:
        calls.append(str(metric))
        return statistics(testset, metric)

    machines = Computed(TEXTS, {"a": tercet.metric("chrf"), "b": tercet.metric("bleu")}, count)
    for level in ("system", "segment", "document", "system"):
        machines.scores(level)
    assert calls == ["chrf", "bleu"]


def test_texts_without_documents_have_no_scores_of_documents() -> None:
    bare = dataclasses.replace(TEXTS, documents=None)
    with pytest.raises(InputError, match="no documents"):
        Computed(bare, {"chrf": tercet.metric("chrf")}, statistics).scores("document")


SEGMENTS = scores("AB", "123", np.array([[1.0, 3.0, NAN], [NAN, NAN, NAN]]))


def test_scores_of_segments_serve_systems_by_their_mean() -> None:
    (found,) = Submitted([SEGMENTS]).scores("system")
    assert (found.level, found.items) == ("system", ("",))
    assert found.values[0, 0] == 2.0
    assert np.isnan(found.values[1, 0])


def test_scores_of_segments_serve_documents_that_are_known() -> None:
    (found,) = Submitted([SEGMENTS], {"1": "d", "2": "e", "9": "f"}).scores("document")
    assert found.items == ("d", "e"), "nobody knows the document of segment 3"
    assert found.values[0].tolist() == [1.0, 3.0]
    with pytest.raises(InputError, match="no document is known for any segment"):
        Submitted([SEGMENTS], {"9": "f"}).scores("document")


def test_scores_of_the_level_go_before_means() -> None:
    own = MetricScores("M", "", "system", ("A", "B"), ("",), np.array([[7.0], [8.0]]))
    (found,) = Submitted([SEGMENTS, own]).scores("system")
    assert found is own


def test_a_metric_without_the_level_is_left_out_unless_all_are() -> None:
    own = MetricScores("N", "", "system", ("A",), ("",), np.array([[7.0]]))
    assert [s.metric for s in Submitted([SEGMENTS, own]).scores("segment")] == ["M"]
    with pytest.raises(InputError, match=r"at the segment level\. There are scores at the level system"):
        Submitted([own]).scores("segment")
    with pytest.raises(InputError, match="document level"):
        Submitted([SEGMENTS]).scores("document")


@given(st.permutations("ABCD"), st.permutations("1234"), st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_scores_come_in_the_order_of_people(
    systems: list[str], items: list[str], n_systems: int, n_items: int, higher: bool
) -> None:
    """Whatever is missing or in another order on either side; by a loop over names."""
    values = np.arange(16.0).reshape(4, 4)
    metric = scores("ABCD", "1234", values, higher=higher)
    gold = gold_of("".join(systems[:n_systems]) + "Z", "".join(items[:n_items]) + "9")
    found = aligned(metric, gold)
    for (s, system), (i, item) in itertools.product(enumerate(gold.systems), enumerate(gold.items)):
        if system == "Z" or item == "9":
            assert np.isnan(found[s, i])
        else:
            assert found[s, i] == (1 if higher else -1) * values["ABCD".index(system), "1234".index(item)]


def test_no_common_name_is_an_error_that_shows_both_sides() -> None:
    metric = scores("ABCDE", "12", np.zeros((5, 2)))
    with pytest.raises(InputError) as error:
        aligned(metric, gold_of("XY", "12"))
    assert "M scores no system that people judged: it has A, B, C, ..., and they X, Y." in str(error.value)
    assert "--name" in str(error.value)
    with pytest.raises(InputError, match=r"M scores no item that people judged: it has 1, 2, and they 7, 8"):
        aligned(metric, gold_of("AB", "78"))
