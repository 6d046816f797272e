"""Small judgements by hand, and agreement as a loop over every pair of judgements would have it."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tercet.data import UNKNOWN, Assessments, Kind, Rankings


class Task(NamedTuple):
    """Outputs as files write them ("a+b") with their ranks, in the order of display; the judge "" is unknown."""

    judge: str
    segment: str
    items: Sequence[tuple[str, int]]
    seconds: float = float("nan")


class Row(NamedTuple):
    """A score."""

    judge: str
    system: str
    segment: str
    score: float
    kind: Kind = Kind.SYSTEM
    task: int = 0
    seconds: float = float("nan")


def _number(names: dict[str, int], name: str) -> int:
    return names.setdefault(name, len(names)) if name else UNKNOWN


def build_rankings(tasks: Sequence[Task], systems_first: Sequence[str] = ()) -> Rankings:
    """The noun; some systems may be named before any task does."""
    systems: dict[str, int] = {name: i for i, name in enumerate(systems_first)}
    segments: dict[str, int] = {}
    judges: dict[str, int] = {}
    outputs: dict[tuple[int, ...], int] = {}
    items = [
        (outputs.setdefault(tuple(_number(systems, s) for s in name.split("+")), len(outputs)), rank)
        for task in tasks
        for name, rank in task.items
    ]
    return Rankings(
        segment=np.array([_number(segments, t.segment) for t in tasks], dtype=np.int64),
        judge=np.array([_number(judges, t.judge) for t in tasks], dtype=np.int64),
        starts=np.cumsum([0, *(len(t.items) for t in tasks)]),
        output=np.array([output for output, _ in items], dtype=np.int64),
        rank=np.array([rank for _, rank in items], dtype=np.int64),
        seconds=np.array([t.seconds for t in tasks], dtype=np.float64),
        pair="",
        systems=tuple(systems),
        segments=tuple(segments),
        judges=tuple(judges),
        outputs=tuple(outputs),
    )


def build_assessments(rows: Sequence[Row]) -> Assessments:
    """The noun."""
    systems: dict[str, int] = {}
    segments: dict[str, int] = {}
    judges: dict[str, int] = {}
    return Assessments(
        judge=np.array([_number(judges, r.judge) for r in rows], dtype=np.int64),
        system=np.array([_number(systems, r.system) for r in rows], dtype=np.int64),
        segment=np.array([_number(segments, r.segment) for r in rows], dtype=np.int64),
        kind=np.array([r.kind for r in rows], dtype=np.int64),
        score=np.array([r.score for r in rows], dtype=np.float64),
        seconds=np.array([r.seconds for r in rows], dtype=np.float64),
        task=np.array([r.task for r in rows], dtype=np.int64),
        pair="",
        systems=tuple(systems),
        segments=tuple(segments),
        judges=tuple(judges),
    )


Label = tuple[str, str, tuple[str, str], str]  # judge, segment, outputs, relation
Counts = tuple[int, int, int, int]  # agree, comparable, ties, total


def labels(tasks: Sequence[Task], *, compat: bool = False, expand: bool = False) -> list[Label]:
    """Every pair of ranked outputs of every task; strict unless compat."""
    out: list[Label] = []
    for judge, segment, shown, _ in tasks:
        items = [(s, r) for name, r in shown for s in (name.split("+") if expand else [name]) if r > 0]
        for (a, x), (b, y) in itertools.combinations(items, 2):
            if not compat:
                if judge == "":
                    continue
                a, b = ("+".join(sorted(name.split("+"))) for name in (a, b))
                if a == b:
                    continue
                if a > b:
                    a, x, b, y = b, y, a, x
            out.append((judge, segment, (a, b), "<" if x < y else ">" if x > y else "="))
    return out


def inter_oracle(given: Sequence[Label], *, compat: bool = False) -> Counts:
    """Counts between judges."""
    pairs = [
        (one[3], other[3])
        for one, other in itertools.combinations(given, 2)
        if one[1:3] == other[1:3] and (compat or one[0] != other[0])
    ]
    return sum(a == b for a, b in pairs), len(pairs), sum(x[3] == "=" for x in given), len(given)


def intra_oracle(given: Sequence[Label]) -> Counts:
    """Counts within judges, over the segments where a judge repeats something."""
    places: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for each in given:
        if each[0]:
            places[each[:2]].append(each)
    agree = comparable = ties = total = 0
    for group in places.values():
        pairs = [(a[3], b[3]) for a, b in itertools.combinations(group, 2) if a[2] == b[2]]
        if pairs:
            agree += sum(a == b for a, b in pairs)
            comparable += len(pairs)
            ties += sum(x[3] == "=" for x in group)
            total += len(group)
    return agree, comparable, ties, total
