"""Results as figures: what `.plot()` gives and `--plot` writes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from tercet.data import (
    Agreement,
    Annotators,
    MetaEvaluation,
    Ranking,
    RankingAnnotator,
    Scatter,
    SegmentScores,
)
from tercet.data.agreement import KINDS, AgreementRecord
from tercet.data.head_to_head import HeadToHead, mark
from tercet.errors import InputError
from tercet.numbers import counted
from tercet.options.agreeing import MetaPicture
from tercet.plots.annotators import AnnotatorRow, annotators
from tercet.plots.calibration import calibration_curve
from tercet.plots.head_to_head import head_to_head
from tercet.plots.intervals import IntervalRow, score_intervals
from tercet.plots.rank_ranges import RangeRow, rank_ranges
from tercet.plots.scatter import scatter
from tercet.plots.segments import score_histograms, segment_scatter
from tercet.plots.side_by_side import side_by_side
from tercet.plots.significance import significance_matrix
from tercet.plots.top_n import top_n_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ranges_figure(ranking: Ranking) -> Figure:
    """Rank ranges and clusters."""
    rows = [RangeRow(r.system, r.score, r.rank_low, r.rank_high, r.cluster) for r in ranking]
    return rank_ranges(rows, ranking.pair)


def head_to_head_figure(table: HeadToHead, title: str = "") -> Figure:
    """The heat map of every two systems, with the marks of their sign tests."""
    p = table.p_values
    n = range(len(table.systems))
    marks = [["" if i == j else mark(float(p[i, j])) for j in n] for i in n]
    return head_to_head(table.systems, table.shares(), marks, title=title)


def judges_figure(judges: Annotators) -> Figure:
    """How far each judge agrees with the others: kappa of rankings, correlation of scores; and how far all do."""
    ranked = all(isinstance(r, RankingAnnotator) for r in judges)
    rows = [
        AnnotatorRow(r.judge, r.kappa if isinstance(r, RankingAnnotator) else r.correlation, r.comparable)
        for r in judges
    ]
    overall = math.nan if judges.overall is None else judges.overall
    measure = "kappa with the other judges" if ranked else "correlation with the mean of the other judges"
    return annotators(rows, overall, measure)


def meta_figure(evaluation: MetaEvaluation, plot: MetaPicture | None = None) -> Figure:
    """One picture of an evaluation: of the first direction, and for a scatter or segments of the best metric.

    Without a wish, systems by their scores if there are some, or segments, or else the agreement of all metrics.
    """
    systems, segments = _best(evaluation.scatters), _best(evaluation.segments)
    plot = plot or ("scatter" if systems else "segments" if segments else None)
    if plot is None:
        name = [f"{r.direction} {r.measure}".strip() for r in evaluation]
        return score_intervals(
            [IntervalRow(n, r.metric, r.value, r.low, r.high) for n, r in zip(name, evaluation, strict=True)]
        )
    if plot == "scatter" and systems:
        return scatter(systems)
    if plot == "top-n" and evaluation.curves:
        return top_n_curves([c for c in evaluation.curves if c.direction == evaluation.curves[0].direction])
    if plot == "significance" and evaluation.tests:
        return significance_matrix(evaluation.tests[0])
    if plot == "calibration" and evaluation.calibrations:
        return calibration_curve(evaluation.calibrations[0])
    if plot == "segments" and segments:
        return segment_scatter(segments)
    if plot == "histogram" and segments:
        return score_histograms(segments)
    raise InputError(
        f"There is no {plot} to draw.",
        hint="Scatter and top-n need systems, calibration acc-eq; segments and histogram need --level segment and "
        "a measure of scores, such as pearson.",
    )


Scored = TypeVar("Scored", Scatter, SegmentScores)


def _best(metrics: Sequence[Scored]) -> Scored | None:
    """Those of the metric that agrees best."""
    return max(metrics, key=lambda m: -math.inf if math.isnan(m.agreement) else m.agreement, default=None)


def agreement_figure(agreement: Agreement) -> Figure:
    """Coefficients with their intervals; of every two judges or groups where there are some, beside that of all.

    Judges who cannot be compared with another one are counted below.
    """
    known = [r for r in agreement if r.kappa is not None and not math.isnan(r.kappa)]
    if not known:
        raise InputError(
            "No two judgements are of the same thing, so that there is no agreement to draw.",
            hint="Let several judges see the same items: tercet campaign create --overlap 2.",
        )
    left_out = f"left out: {counted(agreement.alone, 'judge')} who shared nothing" if agreement.alone else ""
    parts = [r for r in agreement if r.first is not None and r.kappa is not None]
    whole = [r for r in known if r.first is None]
    if not parts:
        measures = dict.fromkeys("alpha" if r.kind.startswith("alpha") else "kappa" for r in whole)
        measure = " and ".join(measures)
        names = [_called(r) for r in whole] if len(whole) > 1 else ["all judges"]
        rows = [IntervalRow(measure, n, _number(r.kappa), r.low, r.high) for n, r in zip(names, whole, strict=True)]
        return score_intervals(rows, shown=(0, 1), below=left_out)
    pairs = [AnnotatorRow(_called(r), _number(r.kappa), r.comparable, r.low, r.high) for r in parts]
    by_alpha = all(r.kind == "alpha" for r in parts)
    overall = whole[0].kappa if by_alpha and len(whole) == 1 else None
    return annotators(pairs, _number(overall), "alpha" if by_alpha else "kappa", who="pair", below=left_out)


def _called(record: AgreementRecord) -> str:
    """Whose coefficient it is."""
    if record.first is None:
        return " ".join(filter(None, (KINDS[record.kind], record.scale)))
    again = " again" if record.kind == "intra" else ""
    pair = record.first if record.first == record.second else f"{record.first}, {record.second}"
    return " ".join(filter(None, (f"{pair}{again}", record.scale)))


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def rankings_figure(rankings: Mapping[str, Ranking]) -> Figure:
    """The same systems ranked in several ways, by the names of the ways, such as three rankers."""
    columns = [
        (name, {r.system: -float(place) for place, r in enumerate(ranking)}) for name, ranking in rankings.items()
    ]
    return side_by_side(columns, next(iter(rankings.values())).pair)
