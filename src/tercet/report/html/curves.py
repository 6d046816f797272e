"""Lines: agreement among the best N systems (WMT19, Figure 6), and accuracy by the difference that counts as a tie."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from tercet.data.meta import TopCurve
from tercet.numbers import counted
from tercet.plots.layout import (
    CalibrationLayout,
    LinesLayout,
    Span,
    Tick,
    accuracy_span,
    calibration_layout,
    is_drawable,
    lines_layout,
)
from tercet.report.html import axes
from tercet.report.html.axes import Box, short, units
from tercet.report.html.blocks import CalibrationBlock, TopCurveBlock
from tercet.report.html.context import Context
from tercet.report.html.figures import chips, pick, plot_figure
from tercet.report.html.markup import Html, element, joined
from tercet.report.html.systems import Looks
from tercet.report.html.text import clipped

LABEL = 15  # characters of a name at the end of a line
PITCH = 13.0  # from one label to the next
POINTS = 100  # of a calibration curve; it may come with one for each pair of segments


def draw_top(block: TopCurveBlock, context: Context) -> Html:
    """All lines, those to be noticed in colour, each with its name at the end."""
    curves = block.curves
    measures = ", ".join(dict.fromkeys(c.measure_title for c in curves))
    label = f"Line plot: {measures} of {len(curves)} metrics over the best N systems"
    across = (None, "best N systems by human score")
    return draw_lines(curves, block.highlight or None, context, block.caption, (across, measures, label))


def draw_lines(
    curves: Sequence[TopCurve],
    highlight: Collection[str] | None,
    context: Context,
    caption: str,
    axis: tuple[tuple[Sequence[Tick] | None, str], str, str],
    labels: Sequence[str] = (),
    legend: str = "Metrics in colour",
    looks: Looks | None = None,
) -> Html:
    """Lines with their names at the end; `axis` is ticks and name across, the name upwards, and what it is a plot of.

    `labels` name the places across, where they are no numbers of systems; `looks` has the names and colours of lines
    that are systems.
    """
    (across, x_name), y_name, told = axis
    box = Box(width=268, height=max(250.0, PITCH * (len(curves) + 1)))
    layout = lines_layout(curves, x_name, y_name, PITCH / box.height, across, highlight)
    x, y = layout.x.span, layout.y.span
    body = axes.frame(box, layout.x, layout.y)
    names = [curve.metric for curve in curves]
    classes = [f"c{context.colour(name)} d{context.dash(name)}" for name in names]
    if looks is not None:
        classes, names = [looks.colours[name] for name in names], [looks.short[name] for name in names]
    for i, curve in enumerate(curves):
        body += _line(curve, names[i], box, layout, i, f"{classes[i]}{' on' if i in layout.coloured else ''}")
    lines = [_line_data(c, y, context) for c in curves]
    chart = {"kind": "top", "box": box.data(), "x": list(x), "y": list(y), "lines": lines}
    if labels:
        chart["labels"] = [clipped(label) for label in labels]
    titles = [None if looks is None else looks.title(curve.metric) for curve in curves]
    controls = chips(names, layout.coloured, classes, legend, titles)
    return plot_figure(context, chart, caption, axes.svg(box.bottom + 40, told, body), controls, _gaps(curves))


def _line_data(curve: TopCurve, y: Span, context: Context) -> dict[str, Any]:
    data = {"m": context.number(curve.metric), "n": list(curve.sizes), "v": [short(v, y) for v in curve.values]}
    if curve.low and curve.high:
        data |= {"low": [short(v, y) for v in curve.low], "high": [short(v, y) for v in curve.high]}
    return data


def _line(curve: TopCurve, shown: str, box: Box, layout: LinesLayout, i: int, classes: str) -> Html:
    """The line, the band of its intervals (shown when it is the only one chosen), and the name at its end."""
    x, y, height = layout.x.span, layout.y.span, box.bottom - layout.names[i] * box.height
    xs = [box.x(x, n) for n in curve.sizes]

    def heights(values: Sequence[float]) -> list[float]:
        return [box.y(y, v) if is_drawable(v) else math.nan for v in values]

    band = lead = Html()
    if curve.low and curve.high:
        around = _path([*xs, *xs[::-1]], heights([*curve.high, *curve.low[::-1]]))
        band = element("path", class_="band", d=f"{around}Z")
    path = _path(xs, heights(curve.values))
    end = layout.ends[i]
    if end is not None:
        start = f"M{units(box.x(x, end[0]) + 2)} {units(box.y(y, end[1]))}"
        lead = element("path", class_="lead", d=f"{start}L{units(box.right + 9)} {units(height)}")
    stroke = element("path", class_="stroke", d=path)
    name = element("text", clipped(shown, LABEL), x=units(box.right + 12), y=units(height + 4))
    return element("g", band, stroke, lead, name, class_=f"line {classes}")


def _path(xs: Sequence[float], ys: Sequence[float]) -> str:
    """A line through points; one that is not defined is a gap, one between two gaps is a dot (h0 under a round cap).

    >>> _path([0, 1, 2, 3, 4], [5, math.nan, 6, 7, math.nan])
    'M0 5h0M2 6h0L3 7'
    """
    pieces, drawing = [], False
    for px, py in zip(xs, ys, strict=True):
        if math.isfinite(py):
            place = f"{units(px)} {units(py)}"
            pieces.append(f"L{place}" if drawing else f"M{place}h0")
        drawing = math.isfinite(py)
    return "".join(pieces)


def _gaps(curves: Sequence[TopCurve]) -> str:
    """How many points are not defined and thus gaps."""
    gaps = sum(not is_drawable(v) for c in curves for v in c.values)
    return f"Gaps: {counted(gaps, 'value')} not defined." if gaps else ""


def draw_calibration(block: CalibrationBlock, context: Context) -> Html:
    """The curve of the first metric, with the views of all for the script."""
    up = accuracy_span(block.calibrations)
    layouts = [calibration_layout(c, POINTS, up) for c in block.calibrations]
    colours = [context.colour(c.metric) for c in block.calibrations]
    views = [_calibration_view(layout) | {"c": c} for layout, c in zip(layouts, colours, strict=True)]
    box, first = Box(), layouts[0]
    along, height = first.corners
    path = _path([box.x(first.x.span, e) for e in along.tolist()], [box.y(up, a) for a in height.tolist()])
    body = joined(
        axes.frame(box, first.x, first.y),
        element("g", element("path", class_="stroke", d=path), class_="line on"),
        _best(first, box),
    )
    label = "Line plot: accuracy by the difference of scores that counts as a tie"
    chart = {"kind": "calibration", "box": box.data(), "y": list(up), "views": views}
    metrics = [c.metric for c in block.calibrations]
    plot = axes.svg(box.bottom + 40, label, body, f"c{colours[0]}")
    return plot_figure(context, chart, block.caption, plot, pick(metrics), views[0]["told"])


def _best(layout: CalibrationLayout, box: Box) -> Html:
    """The best point, and a line down to its epsilon."""
    x = y = 0.0
    if layout.best >= 0:
        x = box.x(layout.x.span, float(layout.epsilon[layout.best]))
        y = box.y(layout.y.span, float(layout.accuracy[layout.best]))
    return element(
        "g",
        element("path", class_="down", d=f"M0 0V{units(box.bottom - y)}"),
        element("circle", r=4.5),
        class_="best" if layout.best >= 0 else "best none",
        transform=f"translate({units(x)} {units(y)})",
    )


def _calibration_view(layout: CalibrationLayout) -> dict[str, Any]:
    """The curve for the script, and what is said of it."""
    x, shown = layout.x.span, len(layout.epsilon)
    drawn = f", drawn at {shown} of {layout.n_all} differences" if shown < layout.n_all else ""
    told = f"{layout.told[:1].upper()}{layout.told[1:]}{drawn}" + ("" if shown else ".")
    return {
        "x": list(x),
        "ticks": list(layout.x.ticks),
        "e": [short(float(v), x) for v in layout.epsilon],
        "a": [short(float(v), (0.0, 1.0)) for v in layout.accuracy],
        "best": layout.best,
        "told": told,
    }
