"""Metric score against human score, as in the appendices of the metrics tasks: one view a metric.

Every system is a point; grey ellipses are as wide as the metric's interval and as high as people's. Outliers are
hollow. The first view is drawn here; the script on the page moves the same points to where another metric has them.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from tercet.data.meta import Scatter
from tercet.report.html import axes
from tercet.report.html.axes import Box, Span, Tick, is_drawable, short, units
from tercet.report.html.blocks import ScatterBlock
from tercet.report.html.context import Context
from tercet.report.html.figures import pick, plot_figure
from tercet.report.html.text import clipped, counted, figure, isolated

BOX = Box()
HEIGHT = 316
LABEL = 22  # characters of a name beside a point
HINT = "Point at a system for its figures; click to follow it through this section."
NAMED = 3  # systems without a score that are named; of more, the number is told
Place = tuple[float, float, int]  # of a label beside its point; -1 ends there, 0 is centred, 1 starts there

# Where a label may stand, the best place first: beside, above and below, at the corners, then further away.
PLACES: tuple[Place, ...] = (
    (7, 4, 1), (-7, 4, -1), (0, -8, 0), (0, 16, 0), (5, -6, 1), (5, 14, 1), (-5, -6, -1), (-5, 14, -1),
    (16, -13, 1), (16, 21, 1), (-16, -13, -1), (-16, 21, -1), (0, -22, 0), (0, 30, 0),
    (24, -26, 1), (24, 34, 1), (-24, -26, -1), (-24, 34, -1),
)  # fmt: skip
ANCHORS = {-1: "end", 0: "middle", 1: "start"}


def draw(block: ScatterBlock, context: Context) -> str:
    """The plot of the first metric, with the views of all for the script."""
    systems = list(dict.fromkeys(name for s in block.scatters for name in s.systems))
    y = axes.span(v for s in block.scatters for column in (s.gold, s.gold_low, s.gold_high) for v in column)
    views = [_view(scatter, systems, y) for scatter in block.scatters]
    numbers = [context.number(system) for system in systems]
    first = views[0]
    x: Span = (first["x"][0], first["x"][1])
    body = axes.frame(BOX, (x, first["ticks"], first["name"]), (y, axes.ticks(y), "human score"))
    points = zip(systems, numbers, first["points"], strict=True)
    body += "".join(_oval(x, y, point) for point in first["points"])
    body += "".join(_point(system, number, x, y, point) for system, number, point in points)
    label = f"Scatter plot: metric score against human score of {len(systems)} systems"
    chart = {"kind": "scatter", "box": BOX.data(), "y": list(y), "systems": numbers, "views": views}
    metrics = [s.metric for s in block.scatters]
    plot = axes.svg(HEIGHT, label, body)
    return plot_figure(context, chart, block.caption, plot, pick(metrics), first["told"], HINT)


def _view(scatter: Scatter, systems: Sequence[str], y: Span) -> dict[str, Any]:
    """What changes from metric to metric: the axis, the points, where their names stand, what is said."""
    low, high = axes.span((*scatter.scores, *scatter.score_low, *scatter.score_high))
    x: Span = (low, high) if scatter.higher_is_better else (high, low)
    at = {name: i for i, name in enumerate(scatter.systems)}
    drawn = [i for i in at.values() if is_drawable(scatter.scores[i]) and is_drawable(scatter.gold[i])]
    places = _places(scatter, drawn, x, y)
    points = [_data(scatter, at[s], places[at[s]], x, y) if at.get(s, -1) in places else None for s in systems]
    ticks: list[Tick] = axes.ticks(x)
    way = "" if scatter.higher_is_better else ", lower is better: axis reversed"
    told = [counted(len(drawn), "system")]
    if math.isfinite(scatter.agreement):
        told.insert(0, f"Pearson’s r = {figure(scatter.agreement)}")
    crowded = sum(place is None for place in places.values())
    missing = [s for s in systems if s not in at or at[s] not in places]
    if crowded:
        told.append(f"no room for {crowded} of the names")
    if missing:
        few = (
            ", ".join(isolated(s, LABEL) for s in missing) if len(missing) <= NAMED else counted(len(missing), "system")
        )
        told.append(f"without a score: {few}")
    name = axes.axis_label(clipped(scatter.metric, LABEL) + way)
    return {"x": list(x), "ticks": ticks, "name": name, "told": "; ".join(told), "points": points}


def _data(scatter: Scatter, i: int, place: Place | None, x: Span, y: Span) -> list[Any]:
    """One point: score, human score, the ends of both intervals, the place of the label, whether an outlier."""
    ends = ((scatter.score_low, x), (scatter.score_high, x), (scatter.gold_low, y), (scatter.gold_high, y))
    return [
        short(scatter.scores[i], x),
        short(scatter.gold[i], y),
        *(short(column[i], axis) if column else None for column, axis in ends),
        *(place or (None, None, None)),
        int(bool(scatter.outliers[i]) if scatter.outliers else False),
    ]


def _point(system: str, number: int, x: Span, y: Span, point: list[Any] | None) -> str:
    """A system in the plot; one that this metric does not score is there, too, but not shown."""
    label = html.escape(clipped(system, LABEL))
    if point is None:
        return f'<g class="pt none" data-s="{number}"><path/><circle r="4"/><text>{label}</text></g>'
    score, gold, *_, dx, dy, anchor, outlier = point
    px, py = BOX.x(x, score), BOX.y(y, gold)
    lead, text = "<path/>", f'<text class="none">{label}</text>'
    if dx is not None:
        lead = f'<path d="M0 0L{units(dx)} {units(dy - 4)}"/>' if is_far(dx, dy) else lead
        text = f'<text x="{units(dx)}" y="{units(dy)}" text-anchor="{ANCHORS[anchor]}">{label}</text>'
    return (
        f'<g class="pt{" out" if outlier else ""}" data-s="{number}" transform="translate({units(px)} {units(py)})">'
        f'{lead}<circle r="4"/>{text}</g>'
    )


def _oval(x: Span, y: Span, point: list[Any] | None) -> str:
    """Both intervals of a point as an ellipse under all points; of no size where there are none."""
    if point is None:
        return '<ellipse class="oval" rx="0" ry="0"/>'
    score, gold, low, high, gold_low, gold_high, *_ = point
    left, right = (BOX.x(x, score if v is None else v) for v in (low, high))
    bottom, top = (BOX.y(y, gold if v is None else v) for v in (gold_low, gold_high))
    return (
        f'<ellipse class="oval" cx="{units((left + right) / 2)}" cy="{units((top + bottom) / 2)}" '
        f'rx="{units(abs(right - left) / 2)}" ry="{units(abs(bottom - top) / 2)}"/>'
    )


def is_far(dx: float, dy: float) -> bool:
    """Whether a label stands so far from its point that a line must join them (the script has the same rule)."""
    return abs(dx) > 12 or abs(dy - 4) > 16


def _places(scatter: Scatter, drawn: Sequence[int], x: Span, y: Span) -> dict[int, Place | None]:
    """A place for each label where it covers no point and no other label; None where there is none.

    The best systems choose first, because readers look for them first.
    """
    centres = {i: (BOX.x(x, scatter.scores[i]), BOX.y(y, scatter.gold[i])) for i in drawn}
    taken = [(px - 5, py - 5, px + 5, py + 5) for px, py in centres.values()]
    places: dict[int, Place | None] = {}
    for i in sorted(drawn, key=lambda i: (-scatter.gold[i], scatter.systems[i])):
        label = clipped(scatter.systems[i], LABEL)
        boxes = _label_boxes(centres[i], 0.58 * axes.FONT * cell_len(label))
        free = np.flatnonzero(_is_inside(boxes) & ~_overlaps(boxes, np.array(taken)))
        places[i] = PLACES[int(free[0])] if len(free) else None
        if len(free):
            left, top, right, bottom = boxes[int(free[0])].tolist()
            taken.append((left, top, right, bottom))
    return places


def _label_boxes(centre: tuple[float, float], width: float) -> npt.NDArray[np.float64]:
    """Left, top, right and bottom of a label at each of its places; (places, 4)."""
    dx, dy, anchor = np.array(PLACES, dtype=np.float64).T
    left = centre[0] + dx + (anchor - 1) / 2 * width
    base = centre[1] + dy
    return np.stack([left, base - 0.78 * axes.FONT, left + width, base + 0.22 * axes.FONT], axis=1)


def _is_inside(boxes: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    inside: npt.NDArray[np.bool_] = (
        (boxes[:, 0] >= BOX.left) & (boxes[:, 2] <= axes.WIDTH) & (boxes[:, 1] >= BOX.top) & (boxes[:, 3] <= BOX.bottom)
    )
    return inside


def _overlaps(boxes: npt.NDArray[np.float64], taken: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Whether a box covers any part of those taken."""
    a, b = boxes[:, None, :], taken[None, :, :]
    apart = (a[..., 2] <= b[..., 0]) | (a[..., 0] >= b[..., 2]) | (a[..., 3] <= b[..., 1]) | (a[..., 1] >= b[..., 3])
    crossed: npt.NDArray[np.bool_] = np.any(~apart, axis=1)
    return crossed
