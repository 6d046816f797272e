"""Judgements for tests, written as a person would."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tercet.data import Assessments, Kind, Outcome, Pairs, Rankings


def rankings(*tasks: str, systems: Sequence[str] = (), pair: str = "xx-yy") -> Rankings:
    """Tasks such as "seg1 judge1: a=1 b+c=2 d=-1"."""
    names: dict[str, int] = {s: i for i, s in enumerate(systems)}
    outputs: dict[tuple[int, ...], int] = {}
    segments: dict[str, int] = {}
    judges: dict[str, int] = {}
    segment, judge, starts, output, rank = [], [], [0], [], []
    for task in tasks:
        head, _, items = task.partition(":")
        seg, who = head.split()
        segment.append(segments.setdefault(seg, len(segments)))
        judge.append(judges.setdefault(who, len(judges)))
        for item in items.split():
            ids, _, r = item.partition("=")
            own = tuple(names.setdefault(s, len(names)) for s in ids.split("+"))
            output.append(outputs.setdefault(own, len(outputs)))
            rank.append(int(r))
        starts.append(len(output))
    columns = (np.array(c, dtype=np.int64) for c in (segment, judge, starts, output, rank))
    return Rankings(pair, tuple(names), tuple(segments), tuple(judges), tuple(outputs), *columns)


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
    names: list[dict[str, int]] = [{}, {}, {}]
    ids = np.array(
        [[known.setdefault(row[k], len(known)) for k, known in enumerate(names)] for row in rows], dtype=np.int64
    ).reshape(-1, 3)
    judges, systems, segments = (tuple(n) for n in names)
    kind = np.array(kinds if kinds is not None else [Kind.SYSTEM] * len(rows), dtype=np.int64)
    score = np.array([row[3] for row in rows], dtype=np.float64)
    return Assessments("xx-yy", systems, segments, judges, ids[:, 0], ids[:, 1], ids[:, 2], kind, score)
