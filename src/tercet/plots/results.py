"""Results as figures in files: what `--figure` draws."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from tercet.data import (
    Agreement,
    Annotators,
    Calibration,
    MetricTests,
    Ranking,
    RankingAnnotator,
    Scatter,
    TopCurve,
)
from tercet.formats.lines import File
from tercet.plots.annotators import AnnotatorRow, annotators
from tercet.plots.calibration import calibration_curve
from tercet.plots.canvas import save
from tercet.plots.head_to_head import head_to_head
from tercet.plots.rank_ranges import RangeRow, rank_ranges
from tercet.plots.scatter import scatter
from tercet.plots.significance import significance_matrix
from tercet.plots.top_n import top_n_curves
from tercet.ranking.head_to_head import HeadToHead, mark


def draw_ranking(ranking: Ranking, path: File) -> None:
    """Rank ranges and clusters."""
    rows = [RangeRow(r.system, r.score, r.rank_low, r.rank_high, r.cluster) for r in ranking]
    save(rank_ranges(rows, ranking.pair), path)


def draw_head_to_head(table: HeadToHead, path: File, title: str = "") -> None:
    """The heat map of every two systems, with the marks of their sign tests."""
    p = table.p_values()
    n = range(len(table.systems))
    marks = [["" if i == j else mark(float(p[i, j])) for j in n] for i in n]
    save(head_to_head(table.systems, table.shares(), marks, title=title), path)


def draw_annotators(judges: Annotators, found: Agreement, path: File) -> None:
    """How far each judge agrees with the others: kappa of rankings, correlation of scores."""
    ranked = all(isinstance(r, RankingAnnotator) for r in judges)
    rows = [
        AnnotatorRow(r.judge, r.kappa if isinstance(r, RankingAnnotator) else r.correlation, r.comparable)
        for r in judges
    ]
    overall = next((r.kappa for r in found if r.kind == "inter"), None)
    measure = "kappa" if ranked else "correlation"
    save(annotators(rows, math.nan if overall is None else overall, measure), path)


def draw_scatter(data: Scatter, path: File, *, regression: bool = False) -> None:
    """A metric's scores of the systems against people's."""
    save(scatter(data, regression=regression), path)


def draw_top_n(curves: Sequence[TopCurve], path: File, *, highlight: Collection[str] | None = None) -> None:
    """Agreement among the best N systems, a line a metric."""
    save(top_n_curves(curves, highlight=highlight), path)


def draw_significance(tests: MetricTests, path: File) -> None:
    """Which metrics are significantly better than which."""
    save(significance_matrix(tests), path)


def draw_calibration(data: Calibration, path: File) -> None:
    """Accuracy by the difference up to which two scores are a tie."""
    save(calibration_curve(data), path)
