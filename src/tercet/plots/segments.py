"""Metric against people, segment by segment: every judged output as a point, and how the scores are spread.

Thousands of points hide each other: where there are many, cells are shaded by how many points they hold.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tercet.errors import InputError
from tercet.numbers import coefficient, counted, typeset
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, blank, drawing, label, scaled
from tercet.plots.layout import Axis, Span, span, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tercet.data import SegmentScores
    from tercet.data.spreads import Density

WIDTH, HEIGHT = 3.6, 3.2  # inches
PANEL, GAP = 2.4, 0.5  # inches of a histogram, and between two


def segment_scatter(data: SegmentScores) -> Figure:
    """Metric score across, human score up; better is to the right."""
    _require_some(data)
    across = span(data.scores.tolist(), pad=0.03)
    x = across if data.higher_is_better else across[::-1]
    up = span(data.gold.tolist(), pad=0.03)
    with drawing():
        figure, ax = axes(WIDTH, HEIGHT)
        if data.density is not None:
            _shaded(ax, data.density)
        else:
            ax.plot(data.scores, data.gold, "o", markersize=3, markerfacecolor=BAR, markeredgewidth=0, alpha=0.5)
        turned = "" if data.higher_is_better else ", lower is better: axis reversed"
        scaled(ax, Axis(x, tuple(ticks(x)), ""), Axis(up, tuple(ticks(up)), ""))
        ax.tick_params(length=2, pad=3)
        ax.set_xlabel(label(data.metric) + turned, parse_math=False)
        ax.set_ylabel("human score")
        ax.set_title(label(data.direction), pad=6, parse_math=False)
        if not math.isnan(data.agreement):
            r = typeset(coefficient(data.agreement))
            ax.set_title(f"r = {r}", loc="right", pad=6, fontsize=SIZE, fontweight="normal")
        ax.text(0.02, 0.98, counted(len(data.scores), "segment"), transform=ax.transAxes, va="top", fontsize=SIZE - 1)
    return figure


def score_histograms(data: SegmentScores) -> Figure:
    """How a metric's scores are spread, and beside it how people's are, with the median of each."""
    _require_some(data)
    width = 2 * PANEL + GAP
    with drawing():
        figure = blank(width, 0.75 * PANEL)
        for n, (spread, name) in enumerate(zip(data.spreads, (data.metric, "human score"), strict=True)):
            ax = figure.add_axes((n * (PANEL + GAP) / width, 0, PANEL / width, 1))
            ax.stairs(spread.counts, spread.edges, fill=True, color=BAR)
            x = span(spread.edges.tolist(), pad=0.02)
            up: Span = (0.0, 1.06 * int(spread.counts.max()))
            scaled(ax, Axis(x, tuple(ticks(x)), ""), Axis(up, tuple(ticks(up, 4)), ""))
            ax.axvline(spread.median, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
            ax.spines[["top", "right"]].set_visible(False)
            ax.tick_params(length=2, pad=3)
            ax.set_xlabel(label(name), parse_math=False)
        figure.axes[0].set_ylabel("segments")
        figure.axes[0].set_title(label(data.direction), pad=6, parse_math=False)
    return figure


def _require_some(data: SegmentScores) -> None:
    if not len(data.scores):
        raise InputError("There is no segment to draw.", hint="Give each a score of the metric and one of people.")


def _shaded(ax: Axes, cells: Density) -> None:
    """Cells that hold points, the darker the more, by the logarithm of their number; and the mean along the metric."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    colours = LinearSegmentedColormap.from_list("tercet", ["#dce6f2", "#1d4273"])
    shown = np.ma.masked_equal(cells.counts.T, 0)
    ax.pcolormesh(cells.across, cells.up, shown, cmap=colours, norm=LogNorm(1, max(2, int(cells.counts.max()))))
    middles = (cells.across[:-1] + cells.across[1:]) / 2
    ax.plot(middles, cells.means, color=INK, linewidth=1.0, zorder=3, label="mean of people")
    ax.legend(loc="lower right", frameon=False, fontsize=SIZE - 1, edgecolor=RULE)
