"""Figures of results, fit for print: white ground, one font, readable without colour.

    rank_ranges            where each system stands, and the clusters
    head_to_head           how often each system beat each other one
    annotators             how well each judge agrees with the rest
    scatter                a metric's scores of the systems against people's
    top_n_curves           agreement of metrics among the best N systems
    significance_matrix    which metrics are significantly better than which
    calibration_curve      accuracy by the difference up to which two scores are a tie
    save                   a figure as .svg, .pdf or .png
    draw_...               a result of `rank`, `head_to_head`, `agreement` or `meta` as a figure in a file

Each function takes plain data and returns a matplotlib `Figure`. matplotlib is imported when a figure is drawn, and
its global state (pyplot) is not touched.
"""

from __future__ import annotations

from tercet.plots.annotators import AnnotatorRow, annotators
from tercet.plots.calibration import calibration_curve
from tercet.plots.canvas import save
from tercet.plots.head_to_head import head_to_head
from tercet.plots.rank_ranges import RangeRow, rank_ranges
from tercet.plots.results import (
    draw_annotators,
    draw_calibration,
    draw_head_to_head,
    draw_ranking,
    draw_scatter,
    draw_significance,
    draw_top_n,
)
from tercet.plots.scatter import scatter
from tercet.plots.significance import significance_matrix
from tercet.plots.top_n import top_n_curves

__all__ = [
    "AnnotatorRow",
    "RangeRow",
    "annotators",
    "calibration_curve",
    "draw_annotators",
    "draw_calibration",
    "draw_head_to_head",
    "draw_ranking",
    "draw_scatter",
    "draw_significance",
    "draw_top_n",
    "head_to_head",
    "rank_ranges",
    "save",
    "scatter",
    "significance_matrix",
    "top_n_curves",
]
