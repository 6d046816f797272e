"""Metric against people, segment by segment: every judged output as a point, and how the scores are spread.

Thousands of points hide each other: where there are many, cells are shaded by how many points they hold.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tercet.data import SegmentScores
from tercet.errors import InputError
from tercet.numbers import coefficient, counted, typeset
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label, scaled
from tercet.plots.layout import Axis, Span, span, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.6, 3.2  # inches
PANEL, GAP = 2.4, 0.5  # inches of a histogram, and between two
MANY = 500  # points that are drawn as density
CELLS = 32  # across
BINS = 30


def segment_scatter(data: SegmentScores) -> Figure:
    """Metric score across, human score up; better is to the right.

    >>> data = SegmentScores("de-en", "chrf", np.array([60.0, 80.0]), np.array([41.0, 57.5]))
    >>> [text.get_text() for text in segment_scatter(data).axes[0].texts]
    ['2 segments']
    """
    gold, scores = _known(data)
    across = span(scores.tolist(), pad=0.03)
    x = across if data.higher_is_better else across[::-1]
    up = span(gold.tolist(), pad=0.03)
    with drawing():
        figure, ax = axes(WIDTH, HEIGHT)
        if len(scores) > MANY:
            _density(ax, data, across, up)
        else:
            ax.plot(scores, gold, "o", markersize=3, markerfacecolor=BAR, markeredgewidth=0, alpha=0.5)
        turned = "" if data.higher_is_better else ", lower is better: axis reversed"
        scaled(ax, Axis(x, tuple(ticks(x)), ""), Axis(up, tuple(ticks(up)), ""))
        ax.tick_params(length=2, pad=3)
        ax.set_xlabel(label(data.metric) + turned, parse_math=False)
        ax.set_ylabel("human score")
        ax.set_title(label(data.direction), pad=6, parse_math=False)
        if not math.isnan(data.agreement):
            r = typeset(coefficient(data.agreement))
            ax.set_title(f"r = {r}", loc="right", pad=6, fontsize=SIZE, fontweight="normal")
        ax.text(0.02, 0.98, counted(len(scores), "segment"), transform=ax.transAxes, va="top", fontsize=SIZE - 1)
    return figure


def score_histograms(data: SegmentScores) -> Figure:
    """How a metric's scores are spread, and beside it how people's are, with the median of each.

    >>> data = SegmentScores("de-en", "chrf", np.array([60.0, 80.0]), np.array([41.0, 57.5]))
    >>> [ax.get_xlabel() for ax in score_histograms(data).axes]
    ['chrf', 'human score']
    """
    from matplotlib.figure import Figure

    gold, scores = _known(data)
    width = 2 * PANEL + GAP
    with drawing():
        figure = Figure(figsize=(width, 0.75 * PANEL), facecolor="white")
        for n, (values, name) in enumerate(((scores, data.metric), (gold, "human score"))):
            ax = figure.add_axes((n * (PANEL + GAP) / width, 0, PANEL / width, 1))
            x = span(values.tolist(), pad=0.02)
            counts, _, _ = ax.hist(values, bins=BINS, range=x, color=BAR, edgecolor="white", linewidth=0.3)
            up: Span = (0.0, 1.06 * float(np.max(counts)))
            scaled(ax, Axis(x, tuple(ticks(x)), ""), Axis(up, tuple(ticks(up, 4)), ""))
            ax.axvline(float(np.median(values)), color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
            ax.spines[["top", "right"]].set_visible(False)
            ax.tick_params(length=2, pad=3)
            ax.set_xlabel(label(name), parse_math=False)
        figure.axes[0].set_ylabel("segments")
        figure.axes[0].set_title(label(data.direction), pad=6, parse_math=False)
    return figure


def _known(data: SegmentScores) -> tuple[np.ndarray, np.ndarray]:
    shown = np.isfinite(data.gold) & np.isfinite(data.scores)
    if not shown.any():
        raise InputError("There is no segment to draw.", hint="Give each a score of the metric and one of people.")
    return data.gold[shown], data.scores[shown]


def _density(ax: Axes, data: SegmentScores, across: Span, up: Span) -> None:
    """Cells that hold points, the darker the more, by the logarithm of their number; and the mean along the metric."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    gold, scores = _known(data)
    counts, columns, rows = np.histogram2d(scores, gold, bins=CELLS, range=[across, up])
    colours = LinearSegmentedColormap.from_list("tercet", ["#dce6f2", "#1d4273"])
    shown = np.where(counts > 0, counts, np.nan).T
    ax.pcolormesh(columns, rows, shown, cmap=colours, norm=LogNorm(1, max(2.0, float(counts.max()))))
    middles = (columns[:-1] + columns[1:]) / 2
    place = np.clip(np.digitize(scores, columns) - 1, 0, CELLS - 1)
    total, n = np.bincount(place, gold, CELLS), np.bincount(place, minlength=CELLS)
    means = np.divide(total, n, out=np.full(CELLS, np.nan), where=n >= 5)
    ax.plot(middles, means, color=INK, linewidth=1.0, zorder=3, label="mean of people")
    ax.legend(loc="lower right", frameon=False, fontsize=SIZE - 1, edgecolor=RULE)
