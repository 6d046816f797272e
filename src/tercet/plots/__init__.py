"""Figures of results, fit for print: white ground, one font, readable without colour.

    rank_ranges     where each system stands, and the clusters
    head_to_head    how often each system beat each other one
    annotators      how well each judge agrees with the rest
    save            a figure as .svg, .pdf or .png
    draw_...        a result of `rank`, `head_to_head` or `agreement` as a figure in a file

Each function takes plain data and returns a matplotlib `Figure`. matplotlib is imported when a figure is drawn, and
its global state (pyplot) is not touched.
"""

from __future__ import annotations

from tercet.plots.annotators import AnnotatorRow, annotators
from tercet.plots.canvas import save
from tercet.plots.head_to_head import head_to_head
from tercet.plots.rank_ranges import RangeRow, rank_ranges
from tercet.plots.results import draw_annotators, draw_head_to_head, draw_ranking

__all__ = [
    "AnnotatorRow",
    "RangeRow",
    "annotators",
    "draw_annotators",
    "draw_head_to_head",
    "draw_ranking",
    "head_to_head",
    "rank_ranges",
    "save",
]
