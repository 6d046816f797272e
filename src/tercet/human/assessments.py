"""Assessments to statistics: standardised scores, quality control, better and worse.

Direct assessment follows Graham et al. (2013) and the findings of WMT17 to WMT21: scores of a judge become z-scores
by that judge's own mean and sample deviation; judges who do not rate degraded references lower are left out; scores
of the same system and segment are averaged first, then segments.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from tercet.data import UNKNOWN, Array, Assessments, Ints, Kind, Statistics
from tercet.errors import InputError
from tercet.human.scored import control_pairs, scored
from tercet.numbers import plain
from tercet.stats.control import bad_reference_test

Control = Literal["auto", "rank-sum", "t-test", "none"]
Standardize = Literal["auto", "given", "all", "system", "median", "none"]
LEVEL = 0.05


def standardized(assessments: Assessments, how: Standardize = "auto") -> Assessments:
    """Scores as z-scores of their judge, (x - mean) / sample deviation, in the column `z`.

    `given` takes those of the file, `all` computes them over all items of the judge, `system` over outputs of systems
    and their repeats only; `auto` is `given` where there are some. A judge whose scores do not vary is left out.
    `median` keeps the scale: each judge gets the median and the spread of all. Of several scales, such as adequacy and
    fluency, each is standardised by itself before their mean is taken, as WMT06 and WMT07 did with theirs.
    """
    scales = [assessments.score] if assessments.scales is None else list(assessments.scales.values())
    if how == "none":
        return dataclasses.replace(assessments, z=assessments.score)
    if how == "median":
        return dataclasses.replace(assessments, z=_mean([_aligned(scores, assessments.judge) for scores in scales]))
    if how == "auto":
        how = "given" if assessments.z is not None else "all"
    if how == "given":
        if assessments.z is None:
            raise InputError(f"{assessments.file} has no z-scores.", hint="Compute them: da(standardize=all).")
        without = np.isnan(assessments.z) & np.isfinite(assessments.score)
        if not without.any():
            return assessments
        note = (
            f"Scores without a z-score in the file, left out: {int(without.sum())}. da(standardize=all) computes them."
        )
        return dataclasses.replace(assessments.part(~without), notes=(*assessments.notes, note))
    counted = np.isfinite(assessments.score)
    if how == "system":
        counted &= _outputs(assessments)
    group = assessments.judge + 1
    size = len(assessments.judges) + 1
    z = _mean([_z(scores, group, counted, size) for scores in scales])
    flat = np.isnan(z) & np.isfinite(assessments.score)
    out = dataclasses.replace(assessments, z=z)
    if nobody := int((assessments.judge == UNKNOWN).sum()):
        note = f"Scores that do not say who gave them, standardised as those of one judge: {nobody}."
        out = dataclasses.replace(out, notes=(*out.notes, note))
    if flat.any():
        names = _judges(assessments, np.unique(assessments.judge[flat]))
        note = f"Judges whose scores do not vary, and were left out: {names} ({int(flat.sum())} scores)."
        out = dataclasses.replace(out.part(~flat), notes=(*out.notes, note))
    return out


def _z(scores: Array, group: Ints, counted: npt.NDArray[np.bool_], size: int) -> Array:
    """(x - mean) / deviation of the judge, over those of the judge's scores that count; NaN where they do not vary."""
    mean, deviation = _moments(group[counted], scores[counted], size)
    deviation[~(deviation > 0)] = np.nan
    z: Array = (scores - mean[group]) / deviation[group]
    return z


def _mean(scales: Sequence[Array]) -> Array:
    """The mean of several scales, NaN where one has no value."""
    return np.asarray(scales[0] if len(scales) == 1 else np.mean(scales, axis=0))


def _aligned(scores: Array, judge: Ints) -> Array:
    """Scores with each judge's median and spread made those of all (MITRE's normalisation, in Lavie's lecture).

    (x - median) / spread of the judge x spread of all + median of all, where spread is the distance of the quartiles;
    by deviations where a judge's quartiles are equal; only shifted where all scores of a judge are.

    >>> _aligned(np.array([1.0, 2.0, 3.0, 10.0, 20.0, 30.0]), np.array([0, 0, 0, 1, 1, 1])).tolist()
    [-8.75, 6.5, 21.75, -8.75, 6.5, 21.75]
    """
    aligned = np.full(len(scores), np.nan)
    known = np.isfinite(scores)
    every = scores[known]
    for one in np.unique(judge[known]):
        mine = known & (judge == one)
        theirs = scores[mine]
        spread, of_all = (float(np.subtract(*np.percentile(x, [75, 25]))) for x in (theirs, every))
        if spread == 0:
            spread, of_all = float(theirs.std()), float(every.std())
        scale = of_all / spread if spread > 0 else 1.0
        aligned[mine] = (theirs - np.median(theirs)) * scale + np.median(every)
    return aligned


def _moments(group: Ints, values: Array, size: int) -> tuple[Array, Array]:
    """Mean and sample deviation of each group, NaN where there is no such thing, 0 where all values are the same."""
    n = np.bincount(group, minlength=size)
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(group, values, size) / n
        square = np.bincount(group, (values - mean[group]) ** 2, size) / (n - 1)
    square[n < 2] = np.nan
    square[low == high] = 0.0  # the mean of equal values may be a hair off them
    return mean, np.sqrt(square)


def controlled(assessments: Assessments, how: Control = "auto", level: float = LEVEL) -> Assessments:
    """Without the judges who do not rate degraded references lower than what they were made from.

    `rank-sum` is the test of the WMT papers, `t-test` the paired one of the reference code. A file that gives z-scores
    has been through this, so that `auto` leaves it alone; otherwise `auto` is `rank-sum` if there are such items.
    """
    if how == "auto":
        testable = (assessments.kind == Kind.BAD_REFERENCE).any() and assessments.z is None
        how = "rank-sum" if testable else "none"
    if how == "none":
        return assessments
    whose, original, bad = control_pairs(scored(assessments), Kind.BAD_REFERENCE)
    failed = []
    for judge in np.unique(assessments.judge):
        test = bad_reference_test(original[whose == judge], bad[whose == judge])
        p = test.p_ranksum if how == "rank-sum" else test.p_paired_t
        passes = p < level if how == "rank-sum" else p <= level
        if not passes:
            failed.append(judge)
    if not failed:
        return assessments
    out = np.isin(assessments.judge, failed)
    if out.all():
        raise InputError(
            f"{assessments.file}: no judge passes quality control at p = {plain(level)}.",
            hint="Leave it out with da(control=none), or collect more control items.",
        )
    names = _judges(assessments, np.array(failed))
    note = f"Judges who failed quality control, and were left out: {names} ({int(out.sum())} scores)."
    return dataclasses.replace(assessments.part(~out), notes=(*assessments.notes, note))


def segment_means(assessments: Assessments, values: Array) -> Statistics:
    """Means of each system and segment as statistics [mean, 1], (systems, segments, 2); [0, 0] where there is none."""
    kept = np.flatnonzero(np.isfinite(values))
    shape = (len(assessments.systems), len(assessments.segments))
    cell = assessments.system[kept] * shape[1] + assessments.segment[kept]
    n = np.bincount(cell, minlength=shape[0] * shape[1])
    sums = np.bincount(cell, values[kept], shape[0] * shape[1]).astype(np.float64)  # whole numbers, if there are none
    mean = np.divide(sums, n, out=np.zeros_like(sums), where=n > 0)
    table = np.stack([mean, (n > 0).astype(np.float64)], axis=-1)
    return Statistics(assessments.systems, table.reshape(*shape, 2), mean_of)


def mean_of(stats: Array) -> Array:
    """[sum, count] to the mean, NaN where nothing was counted."""
    with np.errstate(invalid="ignore"):
        mean: Array = stats[..., 0] / stats[..., 1]
    return mean


def outputs_only(assessments: Assessments) -> Assessments:
    """What was said of the systems' outputs: SYSTEM and REPEAT items."""
    return assessments.part(_outputs(assessments))


def judged_systems(assessments: Assessments) -> Assessments:
    """Without systems of which there are control items only, such as a reference under a name of its own."""
    there = np.unique(assessments.system[_outputs(assessments)])
    alone = [s for i, s in enumerate(assessments.systems) if i not in there]
    if not alone:
        return assessments
    kept = np.isin(assessments.system, there)
    place = np.cumsum(np.isin(np.arange(len(assessments.systems)), there)) - 1
    out = assessments.part(kept)
    return dataclasses.replace(
        out,
        systems=tuple(assessments.systems[i] for i in there.tolist()),
        system=place[out.system],
        notes=(
            *assessments.notes,
            f"Systems whose outputs nobody judged, left out of the ranking: {', '.join(alone)}.",
        ),
    )


def _outputs(assessments: Assessments) -> npt.NDArray[np.bool_]:
    return np.isin(assessments.kind, (Kind.SYSTEM, Kind.REPEAT))


def better_worse(assessments: Assessments, least: float = 25.0, *, strict: bool = False) -> tuple[Ints, Ints, Ints]:
    """daRR: segment, better and worse system, wherever mean raw scores differ by `least` points or more.

    The papers say "more than 25", and their data have "25 or more"; `strict` follows the papers. Two systems with the
    same output are a pair as well, if their scores differ: scores alone do not say which outputs are the same.
    """
    outputs = outputs_only(assessments)
    return wide_gaps(present(segment_means(outputs, outputs.score)), least, strict=strict)


def present(means: Statistics) -> Array:
    """Means of each system and segment, (systems, segments), NaN where there is none."""
    return np.where(means.rows[..., 1] > 0, means.rows[..., 0], np.nan)


def wide_gaps(scores: Array, least: float, *, strict: bool = False) -> tuple[Ints, Ints, Ints]:
    """Segment, better and worse system wherever scores (systems, segments) differ by `least` or more, NaN left out.

    >>> [column.tolist() for column in wide_gaps(np.array([[90.0], [60.0], [80.0]]), 25)]
    [[0], [0], [1]]
    """
    none = np.zeros(0, dtype=np.int64)
    gaps: list[tuple[Ints, Ints, Ints]] = [(none, none, none)]
    for i in range(len(scores)):
        gap = scores[i] - scores
        worse, segment = np.nonzero(gap > least if strict else gap >= least)
        gaps.append((segment, np.full(len(segment), i), worse))
    segment, better, worse = (np.concatenate(column) for column in zip(*gaps, strict=True))
    order = np.lexsort((worse, better, segment))
    return segment[order], better[order], worse[order]


def _judges(assessments: Assessments, judges: Ints) -> str:
    return ", ".join("unnamed" if j == UNKNOWN else assessments.judges[j] for j in judges.tolist())
