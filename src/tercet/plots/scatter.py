"""A metric's scores of the systems against people's, as the metrics task of WMT15 shows them (Stanojević et al. 2015).

Grey ellipses are the intervals: as wide as the metric's, as high as people's. They are not tilted. Better is always to
the right: the axis of a metric for which lower is better runs the other way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tercet.data import Array, Scatter
from tercet.errors import InputError
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label
from tercet.plots.labels import beside_points, extent

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
MARGIN = 0.07  # of the range, on either side
NAMES = SIZE - 1.0  # points


def scatter(data: Scatter, *, regression: bool = False) -> Figure:
    """A point a system, with its name; outliers hollow; the least-squares line if asked for, with and without them.

    >>> data = Scatter("de-en", "bleu", ("a", "b"), (0.2, -0.1), (31.0, 27.5), (False, False))
    >>> [text.get_text() for text in scatter(data).axes[0].texts]
    ['a', 'b']
    """
    x, y = np.array(data.scores, dtype=np.float64), np.array(data.gold, dtype=np.float64)
    shown = np.isfinite(x) & np.isfinite(y)
    if not shown.any():
        raise InputError("There is no system to draw.", hint="Give each a score of the metric and one of people.")
    outliers = np.array(data.outliers, dtype=bool) & shown
    with drawing():
        figure, ax = axes(*((5.6, 4.6) if shown.sum() > MANY else (4.2, 3.4)))
        across, up = _bounds(data.score_low, data.score_high, x), _bounds(data.gold_low, data.gold_high, y)
        ax.set(xlim=_limits(x, across, shown), ylim=_limits(y, up, shown))
        if not data.higher_is_better:
            ax.invert_xaxis()
        for i in np.flatnonzero(shown).tolist():
            _interval(ax, across[:, i], up[:, i])
        if regression:
            _line(ax, x[shown], y[shown], "-", "all systems")
            if outliers.any():
                _line(ax, x[shown & ~outliers], y[shown & ~outliers], (0, (4, 2)), "without outliers")
        _points(ax, x, y, shown & ~outliers, "o", BAR, "system")
        _points(ax, x, y, outliers, "D", "white", "outlier")
        _names(ax, [label(s) for s, there in zip(data.systems, shown, strict=True) if there], x[shown], y[shown])
        if regression or outliers.any():
            ax.legend(loc="upper left", bbox_to_anchor=(0, -0.42 / figure.get_figheight()), ncols=4, **LEGEND)
        _captions(ax, data, shown)
    return figure


def _bounds(low: Sequence[float], high: Sequence[float], values: Array) -> Array:
    """Lower and upper ends of intervals, (2, n); where there is none, the value itself."""
    if not low or not high:
        return np.stack([values, values])
    bounds = np.array([low, high], dtype=np.float64)
    return np.where(np.isfinite(bounds).all(axis=0), bounds, values)


def _limits(values: Array, bounds: Array, shown: npt.NDArray[np.bool_]) -> tuple[float, float]:
    known = np.concatenate([values[None], bounds])[:, shown]
    room = MARGIN * float(np.ptp(known)) or 0.5
    return float(known.min()) - room, float(known.max()) + room


def _interval(ax: Axes, across: Array, up: Array) -> None:
    """An ellipse, or a line if one of the intervals is not known."""
    from matplotlib.patches import Ellipse

    width, height = float(across[1] - across[0]), float(up[1] - up[0])
    if width > 0 and height > 0:
        middle = float(across.mean()), float(up.mean())
        ax.add_patch(Ellipse(middle, width, height, facecolor="#80808026", edgecolor=RULE, linewidth=0.5, zorder=1))
    elif width > 0 or height > 0:
        ax.plot(across, up, color=RULE, linewidth=1.2, solid_capstyle="butt", zorder=1)


def _line(ax: Axes, x: Array, y: Array, style: Any, name: str) -> None:
    """The least-squares line over the range of the metric's scores; none where they are all the same."""
    if len(x) < 2 or np.ptp(x) == 0:
        return
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    ends = np.array([x.min(), x.max()])
    ax.plot(ends, y.mean() + slope * (ends - x.mean()), color=INK, linewidth=0.8, linestyle=style, zorder=2, label=name)


def _points(ax: Axes, x: Array, y: Array, which: npt.NDArray[np.bool_], marker: str, fill: str, name: str) -> None:
    if which.any():
        style: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": fill, "markeredgecolor": INK, "zorder": 4}
        ax.plot(x[which], y[which], marker, markeredgewidth=0.6, label=name, **style)


def _names(ax: Axes, names: Sequence[str], x: Array, y: Array) -> None:
    """Names beside their points, and a line to those that had to go far."""
    points_an_inch = 72
    size = np.array(ax.figure.get_size_inches()) * points_an_inch  # type: ignore[union-attr]
    points = ax.transLimits.transform(np.column_stack([x, y])) * size
    placed = beside_points(points, [extent(name, NAMES) for name in names], *size.tolist())
    for name, point, place in zip(names, points, placed, strict=True):
        if place.lead:
            ends = np.array([point, place.lead]) / size
            line: dict[str, Any] = {"color": "#8a8a8a", "linewidth": 0.4, "clip_on": False, "zorder": 3}
            ax.plot(*ends.T, transform=ax.transAxes, **line)
        left, base = (np.array([place.x, place.y + 0.25 * NAMES]) / size).tolist()
        style: dict[str, Any] = {"fontsize": NAMES, "ha": "left", "va": "baseline", "zorder": 5, "parse_math": False}
        style["bbox"] = {"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 0}
        ax.text(left, base, name, transform=ax.transAxes, **style)


def _captions(ax: Axes, data: Scatter, shown: npt.NDArray[np.bool_]) -> None:
    """Titles of the axes, the correlation, and who is not in the picture."""
    turned = "" if data.higher_is_better else " (lower is better: axis reversed)"
    missing = [label(s) for s, there in zip(data.systems, shown, strict=True) if not there]
    left_out = f"\nnot shown, as a score is missing: {', '.join(missing)}" if missing else ""
    ax.set_xlabel(label(data.metric) + turned + left_out, parse_math=False)
    ax.set_ylabel("human score")
    ax.tick_params(length=2, pad=3)
    ax.set_title(label(data.direction), pad=6, parse_math=False)
    if not math.isnan(data.agreement):
        r = f"{data.agreement:.3f}".replace("0.", ".", 1).replace("-", "−")
        ax.set_title(f"r = {r}", loc="right", pad=6, fontsize=SIZE, fontweight="normal")
