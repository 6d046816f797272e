"""A metric's scores of the systems against people's, as the metrics task of WMT15 shows them (Stanojević et al. 2015).

Grey ellipses are the intervals: as wide as the metric's, as high as people's. They are not tilted. Better is always to
the right: the axis of a metric for which lower is better runs the other way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.data import Scatter
from tercet.errors import InputError
from tercet.numbers import coefficient, typeset
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label, scaled
from tercet.plots.labels import extent
from tercet.plots.layout import Point, ScatterLayout, name_places, scatter_layout, trend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEGEND: dict[str, Any] = {
    "frameon": False,
    "fontsize": SIZE - 1,
    "borderpad": 0,
    "handletextpad": 0.4,
    "columnspacing": 1.2,
}
MANY = 15  # systems that need a larger figure
NAMES = SIZE - 1.0  # points


def scatter(data: Scatter, *, regression: bool = False, colour: str = BAR) -> Figure:
    """A point a system, with its name; outliers hollow; the least-squares line if asked for, with and without them.

    `colour` is that of the metric, where it has one in other figures.

    >>> data = Scatter("de-en", "bleu", ("a", "b"), (0.2, -0.1), (31.0, 27.5), (False, False))
    >>> [text.get_text() for text in scatter(data).axes[0].texts]
    ['a', 'b']
    """
    layout = scatter_layout(data)
    if not layout.points:
        raise InputError("There is no system to draw.", hint="Give each a score of the metric and one of people.")
    usual, outliers = ([p for p in layout.points if p.outlier == far] for far in (False, True))
    with drawing():
        figure, ax = axes(*((5.6, 4.6) if len(layout.points) > MANY else (4.2, 3.4)))
        scaled(ax, layout.x, layout.y)
        for point in layout.points:
            _interval(ax, point)
        if regression:
            _line(ax, layout.points, "-", "all systems")
            if outliers:
                _line(ax, usual, (0, (4, 2)), "without outliers")
        _points(ax, usual, "o", colour, "system")
        _points(ax, outliers, "D", "white", "outlier")
        _names(ax, layout)
        if regression or outliers:
            ax.legend(loc="upper left", bbox_to_anchor=(0, -0.42 / figure.get_figheight()), ncols=4, **LEGEND)
        _captions(ax, data, layout)
    return figure


def _interval(ax: Axes, point: Point) -> None:
    """An ellipse, or a line if one of the intervals is not known."""
    from matplotlib.patches import Ellipse

    width, height = point.high - point.low, point.gold_high - point.gold_low
    if width > 0 and height > 0:
        middle = (point.low + point.high) / 2, (point.gold_low + point.gold_high) / 2
        ax.add_patch(Ellipse(middle, width, height, facecolor="#80808026", edgecolor=RULE, linewidth=0.5, zorder=1))
    elif width > 0 or height > 0:
        ends = [point.low, point.high], [point.gold_low, point.gold_high]
        ax.plot(*ends, color=RULE, linewidth=1.2, solid_capstyle="butt", zorder=1)


def _line(ax: Axes, points: Sequence[Point], style: Any, name: str) -> None:
    """The least-squares line over the range of the metric's scores, if there is one."""
    ends = trend(points)
    if ends is not None:
        ax.plot(*ends, color=INK, linewidth=0.8, linestyle=style, zorder=2, label=name)


def _points(ax: Axes, points: Sequence[Point], marker: str, fill: str, name: str) -> None:
    if points:
        style: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": fill, "markeredgecolor": INK, "zorder": 4}
        ax.plot([p.x for p in points], [p.y for p in points], marker, markeredgewidth=0.6, label=name, **style)


def _names(ax: Axes, layout: ScatterLayout) -> None:
    """Names beside their points, and a line to those that had to go far."""
    points_an_inch = 72
    size = np.array(ax.figure.get_size_inches()) * points_an_inch  # type: ignore[union-attr]
    names = [label(point.system) for point in layout.points]
    placed = name_places(layout, [extent(name, NAMES) for name in names], *size.tolist())
    for name, point, place in zip(names, layout.points, placed, strict=True):
        if place is None:
            continue
        if place.lead:
            ends = np.array([(layout.x.place(point.x), layout.y.place(point.y)), np.array(place.lead) / size])
            line: dict[str, Any] = {"color": "#8a8a8a", "linewidth": 0.4, "clip_on": False, "zorder": 3}
            ax.plot(*ends.T, transform=ax.transAxes, **line)
        left, base = (np.array([place.x, place.y + 0.25 * NAMES]) / size).tolist()
        style: dict[str, Any] = {"fontsize": NAMES, "ha": "left", "va": "baseline", "zorder": 5, "parse_math": False}
        style["bbox"] = {"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 0}
        ax.text(left, base, name, transform=ax.transAxes, **style)


def _captions(ax: Axes, data: Scatter, layout: ScatterLayout) -> None:
    """Titles of the axes, the correlation, and who is not in the picture."""
    missing = ", ".join(label(system) for system in layout.missing)
    left_out = f"\nnot shown, as a score is missing: {missing}" if missing else ""
    ax.set_xlabel(label(data.metric) + layout.x.name + left_out, parse_math=False)
    ax.set_ylabel(layout.y.name)
    ax.tick_params(length=2, pad=3)
    ax.set_title(label(data.direction), pad=6, parse_math=False)
    if not math.isnan(data.agreement):
        r = typeset(coefficient(data.agreement))
        ax.set_title(f"r = {r}", loc="right", pad=6, fontsize=SIZE, fontweight="normal")
