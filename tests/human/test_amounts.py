"""How much was judged: counted by a loop, per language pair and in all."""

from __future__ import annotations

import itertools
import pathlib

import pytest

import tercet
from tercet.data import Kind
from tercet.errors import InputError
from tests.human.build import Row, Task, build_assessments, build_rankings

HEADER = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
TASKS = [
    Task("ann", "1", [("a", 1), ("b+c", 2), ("d", 2)]),
    Task("ann", "1", [("d", 1), ("a", 2)]),
    Task("bob", "2", [("a", -1), ("b", 1), ("d", 3)]),
    Task("", "3", [("a", 1), ("ref", 1)]),
    Task("cat", "4", []),
]


def test_rankings_are_counted_as_comparisons_of_systems() -> None:
    (amount,) = tercet.amounts(build_rankings(TASKS))
    pairs = []
    for task in TASKS:
        systems = [(s, r) for name, r in task.items for s in name.split("+") if r > 0 and s != "ref"]
        pairs += [(task.segment, x[1] == y[1]) for x, y in itertools.combinations(systems, 2)]
    assert (amount.judgements, amount.ties) == (len(pairs), sum(tie for _, tie in pairs)) == (8, 3)
    assert (amount.systems, amount.segments, amount.judges, amount.tasks) == (4, 2, 2, 3)
    assert amount.compared == 3 + 1 + 1  # b+c was seen once
    assert amount.repeats == 1  # ann compared a and d again
    assert amount.per_system == 2.0
    assert amount.controls is None


def test_scores_are_counted_with_repeats_and_controls_by_themselves() -> None:
    rows = [
        Row("ann", "a", "1", 60),
        Row("ann", "a", "1", 62, Kind.REPEAT),
        Row("ann", "b", "1", 20, Kind.BAD_REFERENCE),
        Row("bob", "b", "2", 70, task=1),
        Row("bob", "ref", "2", 95, Kind.REFERENCE, task=1),
        Row("cat", "b", "3", float("nan"), task=2),
    ]
    (amount,) = tercet.amounts(build_assessments(rows))
    assert (amount.systems, amount.segments, amount.judges, amount.tasks) == (2, 2, 2, 2)
    assert (amount.judgements, amount.repeats, amount.controls, amount.per_system) == (3, 1, 2, 1.5)
    assert (amount.ties, amount.compared) == (None, None)
    assert "ties" not in tercet.amounts(build_assessments(rows)).as_records()[0]


@pytest.fixture
def several(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two language pairs, and a judge of both."""
    file = tmp_path / "several.csv"
    file.write_text(
        HEADER
        + "Czech,English,1,ann,a,b,c,1,2,3\n"
        + "German,English,1,ann,a,d,,1,1,\n"
        + "Czech,English,2,bob,a,b,c,1,1,3\n",
        encoding="utf-8",
    )
    return file


def test_every_language_pair_of_a_file_is_a_row_and_all_are_the_total(several: pathlib.Path) -> None:
    amounts = tercet.amounts(several)
    assert [r.pair for r in amounts] == ["cs-en", "de-en", "total"]
    assert [r.judgements for r in amounts] == [6, 1, 7]
    assert [r.ties for r in amounts] == [1, 1, 2]
    assert [r.systems for r in amounts] == [3, 2, 5]
    assert [r.judges for r in amounts] == [2, 1, 2]  # a judge of both counts once
    assert amounts.of("total").per_system == 7 / 5
    with pytest.raises(KeyError):
        amounts.of("fr-en")


def test_one_language_pair_can_be_asked_for(several: pathlib.Path) -> None:
    assert [r.pair for r in tercet.amounts(several, pair="deu-eng")] == ["de-en"]
    with pytest.raises(InputError, match="fr-en"):
        tercet.amounts(several, pair="fr-en")


def test_nothing_judged_has_no_average() -> None:
    (amount,) = tercet.amounts(build_rankings([Task("ann", "1", [])]))
    assert (amount.systems, amount.judgements, amount.tasks) == (0, 0, 0)
    assert amount.per_system != amount.per_system
