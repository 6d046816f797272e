"""Figures of results, fit for print: white ground, one font, readable without colour.

    rank_ranges            where each system stands, and the clusters
    head_to_head           how often each system beat each other one
    annotators             how well each judge agrees with the rest
    scatter                a metric's scores of the systems against people's
    top_n_curves           agreement of metrics among the best N systems
    significance_matrix    which metrics are significantly better than which
    segment_scatter        a metric's scores of the segments against people's, as density where there are many
    score_histograms       how these scores are spread
    side_by_side           the same names in several columns: systems by three rankers, metrics in two years
    calibration_curve      accuracy by the difference up to which two scores are a tie
    confusion_matrices     how often each true tag was given as each tag
    cost_curve             what publishing more translations costs, and how many of them are not good
    label_distributions    how labels of quality are spread
    layout                 limits, ticks and places of names as plain data; painted here, and as SVG in pages
    save                   a figure, such as `.plot()` of an answer gives, as .svg, .pdf or .png

Each function takes plain data and returns a matplotlib `Figure`. matplotlib is imported when a figure is drawn, and
its global state (pyplot) is not touched.
"""

from __future__ import annotations

from tercet.plots.annotators import AnnotatorRow, annotators
from tercet.plots.calibration import calibration_curve
from tercet.plots.canvas import save
from tercet.plots.costs import cost_curve
from tercet.plots.head_to_head import head_to_head
from tercet.plots.quality import confusion_matrices, label_distributions
from tercet.plots.rank_ranges import RangeRow, rank_ranges
from tercet.plots.scatter import scatter
from tercet.plots.segments import score_histograms, segment_scatter
from tercet.plots.side_by_side import side_by_side
from tercet.plots.significance import significance_matrix
from tercet.plots.top_n import top_n_curves

__all__ = [
    "AnnotatorRow",
    "RangeRow",
    "annotators",
    "calibration_curve",
    "confusion_matrices",
    "cost_curve",
    "head_to_head",
    "label_distributions",
    "rank_ranges",
    "save",
    "scatter",
    "score_histograms",
    "segment_scatter",
    "side_by_side",
    "significance_matrix",
    "top_n_curves",
]
