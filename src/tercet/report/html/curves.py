"""Lines: agreement among the best N systems (WMT19, Figure 6), and accuracy by the difference that counts as a tie."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from tercet.data.meta import Calibration, TopCurve
from tercet.data.statistics import Array
from tercet.report.html import axes
from tercet.report.html.axes import Box, Span, Tick, is_drawable, short, units
from tercet.report.html.blocks import CalibrationBlock, TopCurveBlock
from tercet.report.html.context import Context
from tercet.report.html.figures import chips, pick, plot_figure
from tercet.report.html.text import clipped, counted, figure

COLOURS = 6  # in page.css; further metrics take them again with dashes
DASHES = 3
LABEL = 15  # characters of a name at the end of a line
PITCH = 13.0  # from one label to the next
CHOSEN = 4  # lines in colour where nobody said which
POINTS = 100  # of a calibration curve; it may come with one for each pair of segments


def draw_top(block: TopCurveBlock, context: Context) -> str:
    """All lines, those to be noticed in colour, each with its name at the end."""
    curves = block.curves
    wanted = {i for i, c in enumerate(curves) if c.metric in block.highlight}
    sizes = sorted({n for c in curves for n in c.sizes})
    measures = ", ".join(dict.fromkeys(c.measure for c in curves))
    label = f"Line plot: {measures} of {len(curves)} metrics over the best N systems"
    across = (size_ticks(sizes), "best N systems by human score")
    return draw_lines(curves, wanted or set(range(CHOSEN)), context, block.caption, (across, measures, label))


def draw_lines(
    curves: Sequence[TopCurve],
    chosen: Collection[int],
    context: Context,
    caption: str,
    axis: tuple[tuple[Sequence[Tick], str], str, str],
    labels: Sequence[str] = (),
    legend: str = "Metrics in colour",
) -> str:
    """Lines with their names at the end; `axis` is ticks and name across, the name upwards, and what it is a plot of.

    `labels` name the places across, where they are no numbers of systems.
    """
    (across, x_name), y_name, told = axis
    box = Box(width=268, height=max(250.0, PITCH * (len(curves) + 1)))
    y = axes.span((v for c in curves for v in c.values), pad=0.04)
    x = axes.span(sorted({float(n) for c in curves for n in c.sizes}), pad=0.02)
    body = axes.frame(box, (x, across, x_name), (y, axes.ticks(y), y_name))
    heights = _label_heights([_end(c, box, x, y) for c in curves], box)
    classes = [f"c{i % COLOURS} d{i // COLOURS % DASHES}" for i in range(len(curves))]
    for i, curve in enumerate(curves):
        body += _line(curve, box, x, y, heights[i], f"{classes[i]}{' on' if i in chosen else ''}")
    lines = [_line_data(c, y, context) for c in curves]
    chart = {"kind": "top", "box": box.data(), "x": list(x), "y": list(y), "lines": lines}
    if labels:
        chart["labels"] = [clipped(each) for each in labels]
    controls = chips([c.metric for c in curves], chosen, classes, legend)
    return plot_figure(context, chart, caption, axes.svg(box.bottom + 40, told, body), controls, _gaps(curves))


def size_ticks(sizes: Sequence[int], count: int = 9) -> list[Tick]:
    """Numbers of systems on the axis: all, or every second, third, ..., counted back from the largest.

    >>> [label for _, label in size_ticks(range(4, 17))]
    ['4', '6', '8', '10', '12', '14', '16']
    """
    every = max(1, math.ceil(len(sizes) / count))
    return [(float(n), str(n)) for n in sorted(sizes, reverse=True)[::every]][::-1]


def _line_data(curve: TopCurve, y: Span, context: Context) -> dict[str, Any]:
    data = {"m": context.number(curve.metric), "n": list(curve.sizes), "v": [short(v, y) for v in curve.values]}
    if curve.low and curve.high:
        data |= {"low": [short(v, y) for v in curve.low], "high": [short(v, y) for v in curve.high]}
    return data


def _line(curve: TopCurve, box: Box, x: Span, y: Span, height: float, classes: str) -> str:
    """The line, the band of its intervals (shown when it is the only one chosen), and the name at its end."""
    xs = [box.x(x, n) for n in curve.sizes]
    band = ""
    if curve.low and curve.high:
        ends = [*zip(xs, curve.high, strict=True), *list(zip(xs, curve.low, strict=True))[::-1]]
        band = f'<path class="band" d="{_path([a for a, _ in ends], [_held(box, y, v) for _, v in ends])}Z"/>'
    path = _path(xs, [box.y(y, v) if is_drawable(v) else math.nan for v in curve.values])
    end = _end(curve, box, x, y)
    name = html.escape(clipped(curve.metric, LABEL))
    lead = f'<path class="lead" d="M{units(end[0] + 2)} {units(end[1])}L{units(box.right + 9)} {units(height)}"/>'
    return (
        f'<g class="line {classes}">{band}<path class="stroke" d="{path}"/>{lead if path else ""}'
        f'<text x="{units(box.right + 12)}" y="{units(height + 4)}">{name}</text></g>'
    )


def _held(box: Box, y: Span, value: float) -> float:
    """An end of an interval, held inside the axes."""
    return box.y(y, min(max(value, y[0]), y[1])) if is_drawable(value) else math.nan


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


def _end(curve: TopCurve, box: Box, x: Span, y: Span) -> tuple[float, float]:
    """Where a line ends; in the middle, if no point of it is defined."""
    ends = [(n, v) for n, v in zip(curve.sizes, curve.values, strict=True) if is_drawable(v)]
    size, value = max(ends, default=(x[1], sum(y) / 2))
    return box.x(x, size), box.y(y, value)


def _label_heights(ends: Sequence[tuple[float, float]], box: Box) -> list[float]:
    """Heights of the labels near the ends of their lines, none over another: pushed down, then back up from below."""
    order = sorted(range(len(ends)), key=lambda i: (ends[i][1], i))
    heights = [0.0] * len(ends)
    above = box.top - PITCH
    for i in order:
        above = heights[i] = max(ends[i][1], above + PITCH)
    below = box.bottom + PITCH
    for i in reversed(order):
        below = heights[i] = min(heights[i], below - PITCH)
    return heights


def _gaps(curves: Sequence[TopCurve]) -> str:
    """How many points are not defined and thus gaps."""
    gaps = sum(not is_drawable(v) for c in curves for v in c.values)
    return f"Gaps: {counted(gaps, 'value')} not defined." if gaps else ""


def draw_calibration(block: CalibrationBlock, context: Context) -> str:
    """The curve of the first metric, with the views of all for the script."""
    views = [_calibration_view(c) for c in block.calibrations]
    y = axes.span(a for view in views for a in view["a"])
    box, first = Box(), views[0]
    x: Span = (first["x"][0], first["x"][1])
    name = "difference of scores up to which they are a tie (ε)"
    body = axes.frame(box, (x, first["ticks"], name), (y, axes.ticks(y), "accuracy with ties (acc-eq)"))
    places = [(box.x(x, e), box.y(y, a)) for e, a in zip(first["e"], first["a"], strict=True)]
    best = places[first["best"]] if places else (0.0, 0.0)
    body += (
        f'<g class="line c0 on"><path class="stroke" d="{_path([p[0] for p in places], [p[1] for p in places])}"/></g>'
        f'<g class="best{"" if places else " none"}" transform="translate({units(best[0])} {units(best[1])})">'
        '<circle r="4.5"/></g>'
    )
    label = "Line plot: accuracy by the difference of scores that counts as a tie"
    chart = {"kind": "calibration", "box": box.data(), "y": list(y), "views": views}
    metrics = [c.metric for c in block.calibrations]
    plot = axes.svg(box.bottom + 40, label, body)
    return plot_figure(context, chart, block.caption, plot, pick(metrics), first["told"])


def _calibration_view(calibration: Calibration) -> dict[str, Any]:
    """Few enough points to draw, the best among them, and what is said of it."""
    pairs = zip(calibration.epsilon.tolist(), calibration.accuracy.tolist(), strict=True)
    defined = np.array([is_drawable(e) and is_drawable(a) for e, a in pairs], dtype=bool)
    epsilon, accuracy = calibration.epsilon[defined], calibration.accuracy[defined]
    if not len(epsilon):
        x = axes.span([])
        return {"x": list(x), "ticks": axes.ticks(x), "e": [], "a": [], "best": -1, "told": "Not defined."}
    best = int(np.argmin(np.abs(epsilon - calibration.best)))
    kept = _thinned(epsilon, best)
    x = axes.span(epsilon[kept].tolist(), pad=0.02)
    drawn = f", drawn at {len(kept)} of {len(epsilon)} differences" if len(kept) < len(epsilon) else ""
    return {
        "x": list(x),
        "ticks": axes.ticks(x),
        "e": [short(float(v), x) for v in epsilon[kept]],
        "a": [short(float(v), (0.0, 1.0)) for v in accuracy[kept]],
        "best": kept.index(best),
        "told": f"Best: {figure(float(accuracy[best]))} at ε = {float(epsilon[best]):.3g}{drawn}",
    }


def _thinned(epsilon: Array, best: int) -> list[int]:
    """Points evenly spread along the axis, with both ends and the best."""
    if len(epsilon) <= POINTS:
        return list(range(len(epsilon)))
    wanted = np.linspace(epsilon[0], epsilon[-1], POINTS - 1)
    near = np.searchsorted(epsilon, wanted).clip(0, len(epsilon) - 1)
    return sorted({*near.tolist(), best})
