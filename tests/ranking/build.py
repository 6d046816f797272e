"""Judgements for tests, written as a person would."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tercet.data import Assessments, Kind, Outcome, Pairs, Rankings
from tests.human.build import Row, Task, build_assessments, build_rankings


def rankings(*tasks: str, systems: Sequence[str] = ()) -> Rankings:
    """Tasks such as "seg1 judge1: a=1 b+c=2 d=-1"."""
    found = []
    for task in tasks:
        head, _, items = task.partition(":")
        segment, judge = head.split()
        split = [item.partition("=") for item in items.split()]
        found.append(Task(judge, segment, [(ids, int(rank)) for ids, _, rank in split]))
    return build_rankings(found, systems)


def pairs(wins: Sequence[Sequence[int]], ties: Sequence[Sequence[int]] | None = None) -> Pairs:
    """Pairs with these counts, each a task of its own; systems are called A, B, ..."""
    n = len(wins)
    rows: list[tuple[int, int, int]] = []
    for i in range(n):
        for j in range(n):
            rows += [(i, j, int(Outcome.LEFT_BETTER))] * wins[i][j]
            if ties and i < j:
                rows += [(i, j, int(Outcome.TIE))] * ties[i][j]
    left, right, outcome = (np.array([r[k] for r in rows], dtype=np.int64) for k in range(3))
    every = np.arange(len(rows), dtype=np.int64)
    return Pairs(tuple(chr(65 + i) for i in range(n)), left, right, outcome, every, every)


def assessments(rows: Sequence[tuple[str, str, str, float]], kinds: Sequence[Kind] | None = None) -> Assessments:
    """Rows of judge, system, segment and score."""
    every = kinds if kinds is not None else [Kind.SYSTEM] * len(rows)
    return build_assessments([Row(*row, kind=kind) for row, kind in zip(rows, every, strict=True)])
