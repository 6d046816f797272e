"""Judgements of segments that are drawn anew, each with all that was said of it, to be counted from the start."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from tercet.data import Assessments, Errors, Ints, Kind, Rankings


def segment_draws(judgements: Rankings | Assessments, samples: int, seed: int) -> Iterator[Rankings | Assessments]:
    """As many segments as were judged, with replacement; one that is drawn twice is two segments.

    Of assessments, outputs and their repeats; other control items say nothing of agreement.
    """
    if isinstance(judgements, Assessments):
        judgements = judgements.part(np.isin(judgements.kind, (Kind.SYSTEM, Kind.REPEAT)))
    order = np.argsort(judgements.segment, kind="stable")
    _, first, sizes = np.unique(judgements.segment[order], return_index=True, return_counts=True)
    for sample in range(samples):
        chosen = np.random.default_rng([seed, sample]).integers(len(first), size=len(first))
        rows = order[_ranges(first[chosen], sizes[chosen])]
        segment = np.repeat(np.arange(len(first)), sizes[chosen])
        names = tuple(map(str, range(len(first))))
        taken = _tasks(judgements, rows) if isinstance(judgements, Rankings) else _rows(judgements, rows)
        yield dataclasses.replace(taken, segments=names, segment=segment)


def _tasks(rankings: Rankings, tasks: Ints) -> Rankings:
    """Some tasks, a task perhaps several times; their segments are named by who asked."""
    lengths = np.diff(rankings.starts)[tasks]
    items = _ranges(rankings.starts[tasks], lengths)
    return dataclasses.replace(
        rankings,
        segment=rankings.segment[tasks],
        judge=rankings.judge[tasks],
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        output=rankings.output[items],
        rank=rankings.rank[items],
        seconds=None,
        line=None,
        notes=(),
    )


def _rows(assessments: Assessments, rows: Ints) -> Assessments:
    """Some rows, a row perhaps several times, with their errors."""
    columns = ("judge", "system", "segment", "kind", "score", "z", "n", "task")
    taken = {name: getattr(assessments, name)[rows] for name in columns if getattr(assessments, name) is not None}
    scales = None if assessments.scales is None else {k: v[rows] for k, v in assessments.scales.items()}
    errors = None if assessments.errors is None else _errors(assessments.errors, rows)
    return dataclasses.replace(
        assessments, **taken, scales=scales, errors=errors, seconds=None, line=None, documents=None, notes=()
    )


def _errors(errors: Errors, rows: Ints) -> Errors:
    order = np.argsort(errors.row, kind="stable")
    low, high = (np.searchsorted(errors.row[order], rows, side=side) for side in ("left", "right"))
    mine = order[_ranges(low, high - low)]
    spans = {name: getattr(errors, name) for name in ("category", "severity", "start", "end")}
    taken: dict[str, Any] = {name: None if column is None else column[mine] for name, column in spans.items()}
    return dataclasses.replace(errors, row=np.repeat(np.arange(len(rows)), high - low), **taken)


def _ranges(starts: Ints, lengths: Ints) -> Ints:
    """The numbers from each start on, as many as its length.

    >>> _ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    return np.repeat(starts - ends + lengths, lengths) + np.arange(int(ends[-1]) if len(ends) else 0)
