"""Assessments to scores that can be compared: of judges who are known, each output beside its control items."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from tercet.data import UNKNOWN, Array, Assessments, Ints, Judgements, Kind
from tercet.errors import InputError
from tercet.human.penalties import WEIGHTS, penalties, read_weights, unknown_severities
from tercet.stats.agreement import groups

CHECKED = "The file gives z-scores: its judges are taken to have passed quality control."


@dataclasses.dataclass(frozen=True, eq=False)
class ScoredOutputs:
    """Scores of assessments whose judge is known, a row each, in the order of the file."""

    judge: Ints
    kind: Ints
    segment: Ints
    output: Ints  # a number for each system and segment
    sitting: Ints  # a number for each judge, output and task: what was seen once, and again as a control item
    score: Array
    row: Ints  # of the assessments
    notes: tuple[str, ...]


def require_assessments(judgements: Judgements) -> Assessments:
    """Judgements that are no rankings must be assessments."""
    if not isinstance(judgements, Assessments):
        raise InputError(f"{judgements.file} has neither rankings nor assessments.", hint="Give one of the two.")
    return judgements


def weighed(assessments: Assessments, weights: str | None) -> str | None:
    """The weights by which errors stand in for scores: those that are given, or MQM's if there is nothing else."""
    errors_only = assessments.errors is not None and bool(np.isnan(assessments.score).all())
    return WEIGHTS if weights is None and errors_only else weights


def scores_used(assessments: Assessments, weights: str | None) -> dict[str, str]:
    """What a signature says of the scores: those of the file, or penalties of errors."""
    by_weight = weighed(assessments, weights)
    return {"scores": "given" if by_weight is None else f"penalties ({by_weight})"}


def scored(assessments: Assessments, weights: str | None = None) -> ScoredOutputs:
    """The scores that can be compared, or minus the penalties, with notes on those that cannot."""
    notes = []
    score = assessments.score
    if (given := weighed(assessments, weights)) is not None:
        penalty, unknown = penalties(assessments, read_weights(given))
        score = -penalty
        if unknown:
            notes.append(unknown_severities(unknown))
    there, known = np.isfinite(score), assessments.judge != UNKNOWN
    if n_missing := int((~there).sum()):
        notes.append(f"{n_missing} of {len(score)} rows have no score and were left out.")
    if n_unknown := int((there & ~known).sum()):
        notes.append(f"{n_unknown} scores do not say who gave them and were left out.")
    row = np.flatnonzero(there & known)
    judge, task = assessments.judge[row], assessments.task
    segment = assessments.segment[row]
    output = groups(assessments.system[row], segment)
    sitting = groups(judge, output, *(() if task is None else (task[row],)))
    return ScoredOutputs(judge, assessments.kind[row], segment, output, sitting, score[row], row, tuple(notes))


def own_means(given: ScoredOutputs) -> tuple[Ints, Array]:
    """A row of each output and judge, and the mean of the scores that the judge gave to it, repeats among them."""
    mine = np.flatnonzero(np.isin(given.kind, (Kind.SYSTEM, Kind.REPEAT)))
    number, mean = _means(groups(given.output[mine], given.judge[mine]), given.score[mine])
    return mine[number], mean


def control_pairs(given: ScoredOutputs, control: Kind) -> tuple[Ints, Array, Array]:
    """Judge, score of an output, and score of the control item that was made from it, for each such pair."""
    sides = []
    for kind in (Kind.SYSTEM, control):
        rows = np.flatnonzero(given.kind == kind)
        first, mean = _means(given.sitting[rows], given.score[rows])
        sides.append((rows[first], given.sitting[rows[first]], mean))
    (rows, here, original), (_, there, repeat) = sides
    _, a, b = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    return given.judge[rows[a]], original[a], repeat[b]


def _means(group: Ints, values: Array) -> tuple[Ints, Array]:
    """A row of each group, and the mean of the group."""
    _, first, number = np.unique(group, return_index=True, return_inverse=True)
    return first, np.bincount(number, values) / np.bincount(number)


def checked(assessments: Assessments) -> bool:
    """Whether judges were checked before: a file gives z-scores of those only who passed.

    A part of a campaign cannot repeat that check: WMT21 took all that a judge did in all language pairs.
    """
    return assessments.z is not None and bool((assessments.kind == Kind.BAD_REFERENCE).any())


def mean_or_nan(values: Array | npt.NDArray[np.bool_]) -> float:
    """The mean, NaN of nothing."""
    return float(np.mean(values)) if len(values) else float("nan")
