"""Rankings to pairs: skips, references, shared outputs, counts."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import SKIPPED, Outcome, Pairs, Rankings
from tercet.human.pairs import cells, counts, expand, matrices, n_cells, pairwise
from tests.ranking.build import rankings

BETTER, TIE, WORSE = Outcome.LEFT_BETTER, Outcome.TIE, Outcome.RIGHT_BETTER


def triples(pairs: Pairs) -> list[tuple[str, str, Outcome]]:
    columns = zip(pairs.left, pairs.right, pairs.outcome, strict=True)
    return [(pairs.systems[a], pairs.systems[b], Outcome(o)) for a, b, o in columns]


def test_the_smaller_rank_wins() -> None:
    found = pairwise(rankings("1 j: a=1 b=2", "2 j: b=3 a=3", "3 k: b=2 a=1"))
    assert triples(found) == [("a", "b", BETTER), ("b", "a", TIE), ("b", "a", WORSE)]
    assert found.task.tolist() == [0, 1, 2]
    assert found.segment.tolist() == [0, 1, 2]


def test_an_output_that_was_not_judged_takes_its_task_or_its_pairs() -> None:
    data = rankings("1 j: a=1 b=-1 c=2", "2 j: a=1 b=2")
    whole = pairwise(data)
    assert triples(whole) == [("a", "b", BETTER)]
    assert whole.notes == (
        "Tasks with outputs that were not judged (rank -1): 1; the tasks were left out.",
        "Systems that no judgement is left of, and were left out: c.",
    )
    assert whole.systems == ("a", "b")
    assert triples(pairwise(data, on_skip="pair")) == [("a", "c", BETTER), ("a", "b", BETTER)]


def test_references_are_left_out_and_counted_unless_they_are_asked_for() -> None:
    data = rankings("1 j: a=2 ref=1 b=3")
    found = pairwise(data)
    assert found.systems == ("a", "b")
    assert triples(found) == [("a", "b", BETTER)]
    assert found.notes == ("Ranks of references (ref) that were left out: 1.",)
    assert len(pairwise(data, references=True)) == 3


def test_shared_outputs_tie_and_inherit_the_rank() -> None:
    found = pairwise(rankings("1 j: a+b=2 c=1"))
    assert triples(found) == [("a", "b", TIE), ("a", "c", WORSE), ("b", "c", WORSE)]


def test_a_task_without_items_gives_nothing() -> None:
    assert len(pairwise(rankings("1 j:", "2 j: a=1"))) == 0


def test_every_system_has_the_rank_of_the_output_that_it_shares() -> None:
    whole = expand(rankings("1 j: a+b=2 c=1", "2 j: a=1 b=2 c=2"))
    assert [whole.output_name(o) for o in whole.output] == [*"abcabc"]
    assert whole.rank.tolist() == [2, 2, 1, 1, 2, 2]
    assert whole.starts.tolist() == [0, 3, 6]


@st.composite
def tasks(draw: st.DrawFn) -> Rankings:
    names = ["a", "b", "c", "d", "ref1", "e"]
    lines = []
    for _ in range(draw(st.integers(0, 6))):
        shown = draw(st.permutations(names))[: draw(st.integers(0, 6))]
        items: list[list[str]] = []
        for s in shown:
            if items and draw(st.integers(0, 3)) == 0:
                items[-1].append(s)
            else:
                items.append([s])
        ranks = draw(st.lists(st.sampled_from([1, 2, 3, 5, SKIPPED]), min_size=len(items), max_size=len(items)))
        body = " ".join(f"{'+'.join(i)}={r}" for i, r in zip(items, ranks, strict=True))
        lines.append(f"{draw(st.integers(1, 3))} j{draw(st.integers(1, 2))}: {body}")
    return rankings(*lines, systems=names)


@given(tasks(), st.booleans(), st.booleans())
def test_pairwise_is_what_a_slow_reader_would_write_down(data: Rankings, whole_task: bool, references: bool) -> None:
    expected = []
    for t in range(len(data)):
        items = [
            (data.systems[s], int(data.rank[i]))
            for i in range(data.starts[t], data.starts[t + 1])
            for s in data.outputs[data.output[i]]
        ]
        if whole_task and any(r == SKIPPED for _, r in items):
            continue
        kept = [(s, r) for s, r in items if r != SKIPPED and (references or not s.startswith("ref"))]
        for (a, x), (b, y) in itertools.combinations(kept, 2):
            expected.append((a, b, BETTER if x < y else TIE if x == y else WORSE))
    found = pairwise(data, on_skip="task" if whole_task else "pair", references=references)
    assert triples(found) == expected


@given(tasks())
def test_counts_are_the_sums_of_cells(data: Rankings) -> None:
    found = pairwise(data, on_skip="pair", references=True)
    wins, ties = counts(found)
    n = len(found.systems)
    for i, j in itertools.permutations(range(n), 2):
        mine = [
            o if a == i else 2 - o
            for a, b, o in zip(found.left, found.right, found.outcome, strict=True)
            if {int(a), int(b)} == {i, j}
        ]
        assert wins[i, j] == mine.count(BETTER)
        assert ties[i, j] == mine.count(TIE)
    stacked = np.stack([np.bincount(cells(found), minlength=n_cells(n))] * 2)
    assert (matrices(stacked, n)[0] == wins).all()
