"""What people said becomes gold: scores and comparisons of every level, from every kind of judgement."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.agreeing.gold import (
    DaRR,
    Gold,
    RankedPairs,
    by_document,
    comparison_gold,
    given_gold,
    make,
    segment_gold,
    system_gold,
)
from tercet.agreeing.people import People, chosen_systems
from tercet.data import Assessments, MetricScores
from tercet.errors import InputError, SpecError
from tercet.options.agreeing import GoldOptions
from tercet.options.judging import RankedOutputs
from tercet.ranking import ranker
from tercet.ranking.base import Sampling
from tercet.sample import judgements
from tests.ranking.build import assessments, rankings

FEW = Sampling(samples=40, seed=1)


def raw(*rows: tuple[str, str, str, float]) -> Assessments:
    """Rows of judge, system, segment and score."""
    return assessments(rows)


# Two judges, three systems and a reference, two segments.
SCORED = raw(
    ("j", "A", "1", 90),
    ("j", "B", "1", 60),
    ("k", "B", "1", 70),
    ("j", "C", "1", 66),
    ("j", "A", "2", 50),
    ("k", "C", "2", 75),
    ("j", "refA", "1", 100),
    ("k", "refA", "2", 98),
)
RANKED = rankings("1 j: A=1 B=2 C=2", "1 k: B=1 A=2 ref=3", "2 j: C=1 A=1", "2 k: A=1 B=-1 C=2")


def table(gold: Gold) -> dict[tuple[str, str], float]:
    """Scores that are there, by system and item."""
    return {
        (s, i): float(v)
        for s, row in zip(gold.systems, gold.scores, strict=True)
        for i, v in zip(gold.items, row, strict=True)
        if np.isfinite(v)
    }


def compared(gold: Gold) -> list[tuple[str, str, int, str]]:
    """Left, right, outcome and segment of every comparison."""
    p = gold.comparisons
    return sorted(
        (gold.systems[a], gold.systems[b], int(o), gold.items[s])
        for a, b, o, s in zip(p.left, p.right, p.outcome, p.segment, strict=True)
    )


def test_scores_of_segments_are_means_over_judges() -> None:
    gold = segment_gold(SCORED, ranker("da(standardize=none)"))
    assert table(gold) == {("A", "1"): 90, ("B", "1"): 65, ("C", "1"): 66, ("A", "2"): 50, ("C", "2"): 75}
    assert gold.level == "segment"
    assert gold.notes == ("References among the systems, left out: refA.",)
    with_reference = segment_gold(SCORED, ranker("da(standardize=none)"), references=True)
    assert table(with_reference)["refA", "2"] == 98
    assert not with_reference.notes


def test_references_count_when_judges_are_standardised_on_every_level() -> None:
    """A judge's mean and deviation are over all that the judge scored, whether references take part or not."""
    rows = [
        (j, s, str(n), 20.0 * k + 7 * n + ord(j))
        for j in "jk"
        for k, s in enumerate(("A", "B", "refA"))
        for n in (1, 2, 3)
    ]
    data = raw(*rows)
    with_reference = table(segment_gold(data, ranker("da"), references=True))
    without = table(segment_gold(data, ranker("da")))
    assert without == {key: value for key, value in with_reference.items() if key[0] != "refA"}
    systems = system_gold(data, ranker("da"), FEW)
    assert systems.systems == ("A", "B")
    for s, score in zip(systems.systems, systems.scores[:, 0].tolist(), strict=True):
        assert score == pytest.approx(np.mean([v for key, v in without.items() if key[0] == s]))


def test_scores_of_systems_come_with_those_of_resamples() -> None:
    gold = system_gold(SCORED, ranker("da(standardize=none)"), FEW)
    assert gold.systems == ("A", "B", "C")
    assert gold.items == ("",)
    assert gold.scores[:, 0].tolist() == [70, 65, 70.5]
    assert gold.sampled is not None
    assert gold.sampled.shape == (40, 3)
    assert "References among the systems, left out: refA." in gold.notes
    assert system_gold(SCORED, ranker("da(standardize=none)"), FEW, RankedOutputs(references=True)).systems == (
        "A",
        "B",
        "C",
        "refA",
    )


def test_scores_of_systems_from_rankings() -> None:
    gold = system_gold(RANKED, ranker("expected-wins"), FEW)
    assert set(gold.systems) == {"A", "B", "C"}
    assert any("references" in note.lower() for note in gold.notes)
    assert any("not judged" in note for note in gold.notes), "the task with a rank of -1"


def test_rankings_give_no_scores_of_segments() -> None:
    with pytest.raises(InputError, match="no scores of segments"):
        segment_gold(RANKED, None)


def test_pairs_of_rankings() -> None:
    gold = comparison_gold(RANKED, RankedPairs())
    assert compared(gold) == [
        ("A", "B", 0, "1"),
        ("A", "C", 0, "1"),
        ("B", "A", 0, "1"),
        ("B", "C", 1, "1"),
        ("C", "A", 1, "2"),
    ]
    assert ("A", "C", 0, "2") in compared(comparison_gold(RANKED, RankedPairs(), RankedOutputs(on_skip="pair")))
    assert any(
        "ref" in row[:2] for row in compared(comparison_gold(RANKED, RankedPairs(), RankedOutputs(references=True)))
    )
    with pytest.raises(InputError, match="no scores"):
        _ = gold.scores


def test_darr_from_assessments() -> None:
    gold = comparison_gold(SCORED, DaRR())
    assert compared(gold) == [("A", "B", 0, "1"), ("C", "A", 0, "2")], "24 points of A and C on segment 1 are too few"
    assert gold.notes == ("References among the systems, left out: refA.",)
    with pytest.raises(InputError, match="no comparison"):  # both differ by just 25
        comparison_gold(SCORED, DaRR(strict=True))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("least", [0.0, 25.0, 60.0])
def test_darr_from_scores_of_a_file(least: float, strict: bool) -> None:
    values = np.array([[90.0, 10, np.nan], [65, 35, 3], [65, 95, 3]])
    scores = MetricScores("HUMAN", "", "segment", ("A", "B", "C"), ("1", "2", "3"), values)
    expected = sorted(
        ("ABC"[i], "ABC"[j], 0, "123"[n])
        for i, j in itertools.permutations(range(3), 2)
        for n in range(3)
        if values[i, n] > values[j, n]
        and (values[i, n] - values[j, n] > least if strict else values[i, n] - values[j, n] >= least)
    )
    assert expected
    assert compared(given_gold(scores, DaRR(least=least, strict=strict))) == expected


def test_darr_of_a_file_turns_scores_for_which_lower_is_better() -> None:
    scores = MetricScores("HUMAN", "", "segment", ("A", "B"), ("1",), np.array([[0.0], [50.0]]), False)
    assert compared(given_gold(scores, DaRR())) == [("A", "B", 0, "1")]


def test_what_gives_no_comparison_is_refused() -> None:
    with pytest.raises(InputError, match="no comparison of two systems"):
        comparison_gold(SCORED, DaRR(least=99))
    scores = MetricScores("HUMAN", "", "segment", ("A", "B"), ("1",), np.array([[0.0], [5.0]]))
    with pytest.raises(InputError, match="differ enough"):
        given_gold(scores, DaRR())
    with pytest.raises(InputError, match="needs rankings"):
        given_gold(scores, RankedPairs())
    with pytest.raises(InputError, match="no rankings to take pairs from"):
        comparison_gold(SCORED, RankedPairs())
    with pytest.raises(InputError, match="has rankings"):
        comparison_gold(RANKED, DaRR())


def test_scores_of_a_file_leave_references_out_and_say_so() -> None:
    scores = MetricScores("HUMAN", "", "system", ("refA", "A", "B"), ("",), np.array([[3.0], [2.0], [1.0]]))
    gold = given_gold(scores)
    assert gold.systems == ("A", "B")
    assert gold.scores.tolist() == [[2.0], [1.0]]
    assert gold.notes == ("References among the systems, left out: refA.",)
    assert given_gold(scores, references=True).systems == ("refA", "A", "B")
    assert not given_gold(scores, references=True).notes


SHARES = st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0])


@given(st.data(), SHARES)
def test_documents_are_means_of_enough_segments(data: st.DataObject, share: float) -> None:
    """A loop over documents would say the same."""
    names = [str(n) for n in range(data.draw(st.integers(1, 8)))]
    documents = {n: data.draw(st.sampled_from("abc")) for n in names}
    number = st.one_of(st.just(float("nan")), st.integers(-5, 5).map(float))
    # not every segment of a document need be among those that were judged
    judged = [n for n in names if data.draw(st.booleans())] or names[:1]
    values = np.array([[data.draw(number) for _ in judged] for _ in range(2)])
    gold = by_document(Gold("g", "", "segment", ("A", "B"), tuple(judged), values), documents, share)
    partly = 0
    for s, d in itertools.product(range(2), range(len(gold.items))):
        members = [n for n in names if documents[n] == gold.items[d]]
        there = [values[s, judged.index(n)] for n in members if n in judged and np.isfinite(values[s, judged.index(n)])]
        enough = bool(there) and len(there) >= share * len(members)
        partly += bool(there) and not enough
        found = gold.scores[s, d]
        assert found == pytest.approx(np.mean(there)) if enough else np.isnan(found)
    assert len(gold.notes) == bool(partly)
    assert not partly or f"left out: {partly}." in gold.notes[0]


def test_a_segment_without_a_document_is_refused() -> None:
    gold = Gold("g", "", "segment", ("A",), ("1", "2"), np.ones((1, 2)))
    with pytest.raises(InputError, match="'2' was judged, and no document"):
        by_document(gold, {"1": "d"})


def test_people_make_every_gold_once() -> None:
    people = People(judgements=SCORED, asked=GoldOptions(samples=40))
    assert people.gold("system", "scores") is people.gold("system", "scores")
    assert people.gold("segment", "scores").spec == "da"
    assert people.gold("segment", "pairs").spec == "darr"


def test_the_direction_that_was_asked_for_names_the_gold() -> None:
    assert (
        People(direction="xx-yy", judgements=SCORED, asked=GoldOptions(samples=40)).gold("system", "scores").direction
        == "xx-yy"
    )


def test_systems_are_left_out_of_every_gold() -> None:
    people = People(judgements=RANKED, asked=GoldOptions(without=["C"], samples=40))
    assert set(people.gold("system", "scores").systems) == {"A", "B"}
    sampled = people.gold("system", "scores").sampled
    assert sampled is not None
    assert sampled.shape == (40, 2)
    pairs = people.gold("segment", "pairs")
    assert {name for row in compared(pairs) for name in row[:2]} == {"A", "B"}
    assert compared(pairs) == [
        r for r in compared(People(judgements=RANKED).gold("segment", "pairs")) if "C" not in r[:2]
    ]


def test_a_system_that_is_not_there_cannot_be_left_out() -> None:
    with pytest.raises(InputError, match="no system Z to leave out"):
        People(judgements=SCORED, asked=GoldOptions(without=["Z"], samples=40)).gold("system", "scores")
    with pytest.raises(InputError, match="Every system is left out"):
        People(judgements=SCORED, asked=GoldOptions(without=["A", "B", "C"], samples=40)).gold("system", "scores")


def test_chosen_systems_keep_their_order_and_renumber_comparisons() -> None:
    gold = comparison_gold(RANKED, RankedPairs())
    place = [gold.systems.index(s) for s in ("C", "A")]
    kept = chosen_systems(gold, sorted(place))
    assert compared(kept) == [row for row in compared(gold) if "B" not in row[:2]]


SEGMENTS = MetricScores(
    "HUMAN", "", "segment", ("A", "B", "C"), ("1", "2"), np.array([[1.0, 3], [5, np.nan], [np.nan] * 2])
)


def test_given_scores_of_segments_serve_documents_and_systems() -> None:
    people = People(given=[SEGMENTS], documents={"1": "d", "2": "d"})
    systems = people.gold("system", "scores")
    assert systems.items == ("",)
    assert systems.scores[:2, 0].tolist() == [2.0, 5.0]
    assert np.isnan(systems.scores[2, 0]), "nobody scored it"
    documents = people.gold("document", "scores")
    assert table(documents) == {("A", "d"): 2.0}, "B was judged in part"
    half = dataclasses.replace(people, asked=GoldOptions(judged=0.5), made={})
    assert table(half.gold("document", "scores")) == {("A", "d"): 2.0, ("B", "d"): 5.0}


def test_given_scores_of_the_level_go_first() -> None:
    own = MetricScores("HUMAN", "", "system", ("A", "B"), ("",), np.array([[7.0], [8.0]]))
    assert People(given=[SEGMENTS, own]).gold("system", "scores").scores[:, 0].tolist() == [7.0, 8.0]


def test_given_scores_of_another_level_are_refused() -> None:
    own = MetricScores("HUMAN", "", "system", ("A", "B"), ("",), np.array([[7.0], [8.0]]))
    with pytest.raises(InputError, match="not there at the segment level"):
        People(given=[own]).gold("segment", "scores")
    with pytest.raises(InputError, match="no documents to compare by"):
        People(given=[SEGMENTS]).gold("document", "scores")
    with pytest.raises(InputError, match="people's scores are given"):
        People(given=[own], how=ranker("trueskill")).gold("system", "scores")


def test_documents_of_judgements_serve_where_there_is_no_test_set() -> None:
    data = judgements("en-de", "mqm")
    assert isinstance(data, Assessments)
    assert data.documents is not None
    gold = People(judgements=data).gold("document", "scores")
    assert set(gold.items) == set(data.documents)


@pytest.mark.parametrize(("spec", "kind"), [("pairs", RankedPairs), ("darr(least=10)", DaRR)])
def test_golds_have_specs(spec: str, kind: type) -> None:
    assert isinstance(make(spec), kind)
    assert str(make(spec)) == spec
    assert make(make(spec)) == make(spec)


def test_rankers_are_golds_too() -> None:
    assert str(make("trueskill")) == "trueskill"
    with pytest.raises(SpecError, match="no ranker"):
        make("nobody")
    with pytest.raises(SpecError, match="least"):
        make("darr(least=-1)")


@pytest.mark.parametrize("protocol", ["da", "esa", "mqm"])
def test_the_protocols_of_the_demo(protocol: str) -> None:
    """Scores of systems are the means of those of segments, whatever people did."""
    data = judgements("en-de", protocol)
    people = People(judgements=data, asked=GoldOptions(samples=40))
    segments, systems = people.gold("segment", "scores"), people.gold("system", "scores")
    assert segments.spec == systems.spec == protocol
    place = [segments.systems.index(s) for s in systems.systems]
    assert np.nanmean(segments.scores[place], axis=1) == pytest.approx(systems.scores[:, 0])


def slow_darr(data: Assessments, least: float) -> set[tuple[str, str, str]]:
    """Better, worse and segment, by a loop over raw means."""
    means: dict[tuple[str, str], list[float]] = {}
    for system, segment, kind, score in zip(data.system, data.segment, data.kind, data.score, strict=True):
        if kind in (0, 1) and np.isfinite(score):
            means.setdefault((data.systems[system], data.segments[segment]), []).append(float(score))
    mean = {key: float(np.mean(v)) for key, v in means.items()}
    return {(a, b, s) for (a, s), x in mean.items() for (b, t), y in mean.items() if s == t and x - y >= least}


def test_darr_of_the_demo_is_what_a_loop_finds() -> None:
    data = judgements("en-de", "da")
    assert isinstance(data, Assessments)
    gold = comparison_gold(data, DaRR())
    assert {(a, b, s) for a, b, _, s in compared(gold)} == slow_darr(data, 25)
    assert gold.notes, "what was left out when the file was read"
