"""The published tables, again from raw judgements: nothing is off, and nothing has changed."""

from __future__ import annotations

import pathlib

from replication.__main__ import complaints, recorded, rows
from replication.rankings import as_converted
from replication.rows import Row

from tercet.human.pairs import counts, pairwise
from tests.ranking.build import rankings


def test_the_replication_stands(shared: pathlib.Path) -> None:
    found = rows()
    assert complaints(found) == []
    assert len(found) == len(recorded()) > 500


def test_a_change_is_seen() -> None:
    key, figure = next(iter(recorded().items()))
    campaign, _, what = key.partition(": ")
    moved = Row(campaign, what, figure, figure + "1")
    assert any(line.startswith(f"{key}: was {figure}, is {figure}1") for line in complaints([moved]))


def test_a_task_that_was_sent_twice_counts_as_the_organisers_had_it() -> None:
    once = rankings("1 j: a=1 b+c=2", "2 j: a=1 b=2", "2 k: a=2 b=1")
    assert as_converted(once) is once
    twice = pairwise(as_converted(rankings("1 j: c=1 a=1", "2 j: a=1 b+c=2", "2 j: b+c=1 a=1", "1 j: c=1 b=2")))
    wins, ties = counts(twice)
    named = dict(zip(twice.systems, range(3), strict=True))
    a, b, c = (named[name] for name in "abc")
    # the two of 1 as they are; of 2, twice: each system of either list against each other one of both lists
    assert (wins[a, b], ties[a, b], wins[b, a]) == (4, 4, 0)
    assert (wins[a, c], ties[a, c], wins[c, a]) == (4, 5, 0)
    assert (wins[b, c], ties[b, c], wins[c, b]) == (2, 4, 3)


def test_verdicts() -> None:
    assert Row("c", "w", 1.0, 1.01, tolerance=0.01).verdict == "yes"
    assert Row("c", "w", 1.0, 1.02, tolerance=0.01).verdict == "NO"
    assert Row("c", "w", 1.0, 1.02, tolerance=0.01, stated="why").verdict == "stated"
    assert Row("c", "w", "3-4", "3-5", near="one edge").verdict == "yes"
    assert Row("c", "w", "3-4", "3-5").verdict == "NO"
