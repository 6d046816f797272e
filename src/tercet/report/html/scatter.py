"""Metric score against human score, as in the appendices of the metrics tasks: one view a metric.

Every system is a point; grey ellipses are as wide as the metric's interval and as high as people's. Outliers are
hollow. The first view is drawn here; the script on the page moves the same points to where another metric has them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len

from tercet.data.meta import Scatter
from tercet.numbers import coefficient, counted, typeset
from tercet.plots.labels import Placed
from tercet.plots.layout import Point, ScatterLayout, Span, gold_span, name_places, scatter_layout
from tercet.report.html import axes
from tercet.report.html.axes import Box, short, units
from tercet.report.html.blocks import ScatterBlock
from tercet.report.html.context import Context
from tercet.report.html.figures import pick, plot_figure
from tercet.report.html.markup import Html, element, joined
from tercet.report.html.text import clipped, isolated

BOX = Box()
HEIGHT = 316
LABEL = 22  # characters of a name beside a point
HINT = "Point at a system for its figures; click to follow it through this section."
NAMED = 3  # systems without a score that are named; of more, the number is told
POINT = 1.4  # units of the plot to a point of type, in which names are placed
Place = tuple[float, float, int]  # of a label beside its point; -1 ends there, 0 is centred, 1 starts there
ANCHORS = {-1: "end", 0: "middle", 1: "start"}


def draw(block: ScatterBlock, context: Context) -> Html:
    """The plot of the first metric, with the views of all for the script."""
    systems = list(dict.fromkeys(name for s in block.scatters for name in s.systems))
    shared = gold_span(block.scatters)
    layouts = [scatter_layout(scatter, shared) for scatter in block.scatters]
    views = [
        _view(data, layout, systems) | {"c": context.colour(data.metric)}
        for data, layout in zip(block.scatters, layouts, strict=True)
    ]
    numbers = [context.number(system) for system in systems]
    first = views[0]
    x, y = dataclasses.replace(layouts[0].x, name=first["name"]), layouts[0].y
    points = zip(systems, numbers, first["points"], strict=True)
    body = joined(
        axes.frame(BOX, x, y),
        *(_oval(x.span, y.span, point) for point in first["points"]),
        *(_point(system, number, x.span, y.span, point) for system, number, point in points),
    )
    label = f"Scatter plot: metric score against human score of {len(systems)} systems"
    chart = {"kind": "scatter", "box": BOX.data(), "y": list(y.span), "systems": numbers, "views": views}
    metrics = [s.metric for s in block.scatters]
    plot = axes.svg(HEIGHT, label, body, f"c{first['c']}")
    return plot_figure(context, chart, block.caption, plot, pick(metrics), first["told"], HINT)


def _view(scatter: Scatter, layout: ScatterLayout, systems: Sequence[str]) -> dict[str, Any]:
    """What changes from metric to metric: the axis, the points, where their names stand, what is said."""
    places = dict(zip((p.system for p in layout.points), _label_places(layout), strict=True))
    there = {p.system: p for p in layout.points}
    points = [_data(there[s], places[s], layout) if s in there else None for s in systems]
    told = [counted(len(there), "system")]
    if math.isfinite(scatter.agreement):
        told.insert(0, f"Pearson’s r = {typeset(coefficient(scatter.agreement))}")
    crowded = sum(place is None for place in places.values())
    missing = [s for s in systems if s not in there]
    if crowded:
        told.append(f"no room for {crowded} of the names")
    if missing:
        few = (
            ", ".join(isolated(s, LABEL) for s in missing) if len(missing) <= NAMED else counted(len(missing), "system")
        )
        told.append(f"without a score: {few}")
    name = axes.axis_label(clipped(scatter.metric, LABEL) + layout.x.name)
    return {
        "x": list(layout.x.span),
        "ticks": list(layout.x.ticks),
        "name": name,
        "told": "; ".join(told),
        "points": points,
    }


def _data(point: Point, place: Place | None, layout: ScatterLayout) -> list[Any]:
    """One point: score, human score, the ends of both intervals, the place of the label, whether an outlier."""
    x, y = layout.x.span, layout.y.span
    across = (None, None) if point.low == point.high else (short(point.low, x), short(point.high, x))
    up = (None, None) if point.gold_low == point.gold_high else (short(point.gold_low, y), short(point.gold_high, y))
    where = place or (None, None, None)
    return [short(point.x, x), short(point.y, y), *across, *up, *where, int(point.outlier)]


def _point(system: str, number: int, x: Span, y: Span, point: list[Any] | None) -> Html:
    """A system in the plot; one that this metric does not score is there, too, but not shown."""
    label, dot, lead = clipped(system, LABEL), element("circle", r=4), element("path")
    if point is None:
        return element("g", lead, dot, element("text", label), class_="pt none", data_s=number)
    score, gold, *_, dx, dy, anchor, outlier = point
    px, py = BOX.x(x, score), BOX.y(y, gold)
    text = element("text", label, class_="none")
    if dx is not None:
        lead = element("path", d=f"M0 0L{units(dx)} {units(dy - 4)}") if is_far(dx, dy) else lead
        text = element("text", label, x=units(dx), y=units(dy), text_anchor=ANCHORS[anchor])
    return element(
        "g",
        lead,
        dot,
        text,
        class_="pt out" if outlier else "pt",
        data_s=number,
        transform=f"translate({units(px)} {units(py)})",
    )


def _oval(x: Span, y: Span, point: list[Any] | None) -> Html:
    """Both intervals of a point as an ellipse under all points; of no size where there are none."""
    if point is None:
        return element("ellipse", class_="oval", rx=0, ry=0)
    score, gold, low, high, gold_low, gold_high, *_ = point
    left, right = (BOX.x(x, score if v is None else v) for v in (low, high))
    bottom, top = (BOX.y(y, gold if v is None else v) for v in (gold_low, gold_high))
    return element(
        "ellipse",
        class_="oval",
        cx=units((left + right) / 2),
        cy=units((top + bottom) / 2),
        rx=units(abs(right - left) / 2),
        ry=units(abs(bottom - top) / 2),
    )


def is_far(dx: float, dy: float) -> bool:
    """Whether a label stands so far from its point that a line must join them (the script has the same rule)."""
    return abs(dx) > 12 or abs(dy - 4) > 16


def _label_places(layout: ScatterLayout) -> list[Place | None]:
    """Where each name stands from its point, and which of its ends; None where there is no room."""
    widths = [0.58 * axes.FONT * cell_len(clipped(p.system, LABEL)) for p in layout.points]
    sizes = [(width / POINT, 1.2 * axes.FONT / POINT) for width in widths]
    placed = name_places(layout, sizes, BOX.width / POINT, BOX.height / POINT, bounded=True)
    return [
        None if place is None else _from_point(point, place, width, layout)
        for point, place, width in zip(layout.points, placed, widths, strict=True)
    ]


def _from_point(point: Point, place: Placed, width: float, layout: ScatterLayout) -> Place:
    left = POINT * place.x - layout.x.place(point.x) * BOX.width
    base = layout.y.place(point.y) * BOX.height - POINT * place.y - 0.25 * axes.FONT
    anchor = 1 if left >= 0 else -1 if left + width <= 0 else 0
    return round(left + (1 - anchor) / 2 * width, 1), round(base, 1), anchor
