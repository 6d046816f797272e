"""Agreement among the best N systems only, as the metrics task of WMT19 shows it (Ma et al. 2019, Figure 5).

Metrics of interest are in colour, each with a marker and a dash of its own, the others in grey. Names stand at the ends
of the lines.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet.data import TopCurve
from tercet.errors import InputError
from tercet.plots.canvas import INK, RULE, SIZE, axes, drawing, label
from tercet.plots.labels import spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 4.2, 2.8  # inches
ROW = 0.125  # of a name
GAP = 16.0  # points between the axes and the names
POINTS = 72.0  # an inch
GREY, GREY_TEXT = "#b0b0b0", "#6b6b6b"
# Okabe and Ito's colours, of those that are dark enough for lines: they suit the colour-blind
COLOURS = ("#0072b2", "#d55e00", "#007d5c", "#a8467d", INK)
MARKERS = ("o", "s", "^", "D", "v", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1.5, 1, 1.5)))
BEST = 5  # metrics in colour if none are named


def top_n_curves(curves: Sequence[TopCurve], *, highlight: Collection[str] | None = None) -> Figure:
    """A line a metric, from the few best systems to all of them; gaps where agreement is not defined.

    `highlight` names the metrics in colour; if it is left out, the five that agree best on all systems are.

    >>> curves = [TopCurve("de-en", "pearson", m, (4, 5), (r, 0.9)) for m, r in (("bleu", 0.1), ("chrf", 0.5))]
    >>> [text.get_text() for text in top_n_curves(curves).axes[0].texts]
    ['bleu', 'chrf']
    """
    if not any(curve.sizes for curve in curves):
        raise InputError("There is no curve to draw.", hint="Give at least one metric with one size.")
    named = _best(curves) if highlight is None else set(highlight)
    if unknown := sorted(named - {curve.metric for curve in curves}):
        raise InputError(
            f"There is no curve of {unknown[0]}.", hint=f"There are {', '.join(c.metric for c in curves)}."
        )
    sizes = sorted({size for curve in curves for size in curve.sizes})
    with drawing():
        figure, ax = axes(WIDTH, max(HEIGHT, ROW * len(curves)))
        _frame(ax, curves, sizes)
        styles = _styles([curve.metric for curve in curves if curve.metric in named])
        for curve in sorted(curves, key=lambda c: c.metric in named):  # colours over grey
            _curve(ax, curve, styles.get(curve.metric))
        _names(ax, curves, styles)
    return figure


def _best(curves: Sequence[TopCurve]) -> set[str]:
    ordered = sorted(curves, key=lambda c: -math.inf if math.isnan(_end(c)[1]) else _end(c)[1], reverse=True)
    return {curve.metric for curve in ordered[:BEST]}


def _end(curve: TopCurve) -> tuple[float, float]:
    """The last point that is defined."""
    known = [(float(n), r) for n, r in zip(curve.sizes, curve.values, strict=True) if not math.isnan(r)]
    return known[-1] if known else (math.nan, math.nan)


def _styles(metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {
        metric: {
            "color": COLOURS[i % len(COLOURS)],
            "marker": MARKERS[i % len(MARKERS)],
            "linestyle": DASHES[i % len(DASHES)],
        }
        for i, metric in enumerate(metrics)
    }


def _frame(ax: Axes, curves: Sequence[TopCurve], sizes: Sequence[int]) -> None:
    values = np.array([v for c in curves for v in (*c.values, *c.low, *c.high) if not math.isnan(v)] or [0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    room = 0.04 * (high - low) or 0.05
    ax.set(xlim=(sizes[0] - 0.3, sizes[-1] + 0.3), ylim=(low - room, min(high + room, max(high, 1.0) + 0.01)))
    every = math.ceil(len(sizes) / 16)
    ticks = sizes[::-1][::every]
    ax.set_xticks(ticks, [f"all {n}" if n == sizes[-1] else str(n) for n in ticks])
    ax.grid(axis="y", linewidth=0.4, linestyle=(0, (1, 2)))
    if low < 0 < high:
        ax.axhline(0, color=RULE, linewidth=0.8, zorder=1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=2, pad=3)
    ax.set_xlabel("best systems by human score")
    ax.set_ylabel(label(curves[0].measure), parse_math=False)
    ax.set_title(label(curves[0].direction), pad=8, parse_math=False)


def _curve(ax: Axes, curve: TopCurve, style: dict[str, Any] | None) -> None:
    if style is None:
        ax.plot(curve.sizes, curve.values, color=GREY, linewidth=0.8, zorder=2)
        return
    if curve.low and curve.high:
        ax.fill_between(curve.sizes, curve.low, curve.high, color=style["color"], alpha=0.1, linewidth=0, zorder=2)
    ax.plot(
        curve.sizes,
        curve.values,
        linewidth=1.3,
        markersize=3.2,
        markeredgecolor="white",
        markeredgewidth=0.3,
        zorder=3,
        **style,
    )


def _names(ax: Axes, curves: Sequence[TopCurve], styles: dict[str, dict[str, Any]]) -> None:
    """To the right, in the order in which the lines end, each with a thin line to its own."""
    width, height = (float(side) * POINTS for side in ax.figure.get_size_inches())  # type: ignore[union-attr]
    ends = [ax.transLimits.transform(_end(curve)) for curve in curves]
    wanted = [0.0 if math.isnan(end[1]) else float(end[1]) * height for end in ends]
    places = spread(wanted, ROW * POINTS, 0.0, height)
    for curve, end, place in zip(curves, ends, places, strict=True):
        style = styles.get(curve.metric)
        colour = GREY_TEXT if style is None else style["color"]
        defined = not math.isnan(end[1])
        left, up = 1 + GAP / width, place / height
        if defined:
            line: dict[str, Any] = {"color": colour, "linewidth": 0.4, "clip_on": False, "zorder": 1}
            ax.plot([end[0], left], [end[1], up], transform=ax.transAxes, **line)
        text: dict[str, Any] = {"fontsize": SIZE - 1, "color": colour, "weight": "bold" if style else "normal"}
        shown = label(curve.metric) + ("" if defined else " (n/a)")
        ax.text(left + 2 / width, up, shown, transform=ax.transAxes, va="center", parse_math=False, **text)
