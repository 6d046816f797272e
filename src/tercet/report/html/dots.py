"""Systems one below the other by one metric: scores as dots with their intervals, segments won as shares of a bar.

Each row has the system's name and colour at the left and its figures at the right, so that nothing must be pointed at
to be read; all figures show where one points. Where a name is long, names stand above their rows, as wide as the plot.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tercet.plots.layout import Axis, is_drawable, span, ticks
from tercet.report.html import axes
from tercet.report.html.axes import Box, units
from tercet.report.html.context import Context
from tercet.report.html.figures import plot_figure
from tercet.report.html.markup import Html, element, joined
from tercet.report.html.text import clipped

PITCH, HIGH_PITCH = 21.0, 37.0  # from one row to the next; with names above
BESIDE, ABOVE = 18, 54  # characters of a name
LETTER = 7.8  # room for one of them, in the widest of usual typefaces
LEFT = 10.0
BAR = 11.0


@dataclasses.dataclass(frozen=True)
class Row:
    """A system in a plot: its names, colour and figures; `told` is what is said of it where one points."""

    short: str
    colour: str
    figure: str
    told: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Dot(Row):
    """A score between the ends of its interval; one that is not told apart from the baseline's is drawn hollow."""

    value: float
    low: float
    high: float
    hollow: bool


@dataclasses.dataclass(frozen=True)
class Shares(Row):
    """Parts of a whole, each with its class; they fill the row."""

    parts: tuple[tuple[str, int], ...]


def dot_plot(dots: Sequence[Dot], caption: str, reverse: bool, base: int, context: Context) -> Html:
    """Dots with intervals; better is to the right, and the interval of the row `base` is a band behind all."""
    room = 50.0  # for the figure
    places = _Places.of(dots, room)
    box = places.box
    ends = span([v for dot in dots for v in (dot.value, dot.low, dot.high)])
    axis = Axis(
        ends[::-1] if reverse else ends, tuple(ticks(ends)), "lower is better: axis reversed" if reverse else ""
    )

    def place(value: float) -> float:
        return box.x(axis.span, value)

    band, marks, points = Html(), Html(), []
    for i, dot in enumerate(dots):
        if not is_drawable(dot.value):
            continue
        y, x = places.height(i), place(dot.value)
        line = Html()
        if is_drawable(dot.low) and is_drawable(dot.high):
            left, right = sorted((place(dot.low), place(dot.high)))
            line = element("path", class_="stroke", d=f"M{units(left)} {units(y)}H{units(right)}")
            if i == base:
                size = {"x": units(left), "y": units(box.top), "width": units(right - left)}
                band = element("rect", class_="band-base", **size, height=units(box.height))
        circle = element("circle", cx=units(x), cy=units(y), r=4.5, class_="hollow" if dot.hollow else None)
        marks += element("g", line, circle, class_=f"dot {dot.colour}")
        points.append([round(x, 1), round(y, 1), list(dot.told)])
    body = joined(band, axes.frame(box, axis, Axis((0.0, 1.0), (), "")), marks, places.names(dots))
    label = f"Dot plot: {caption}, {len(dots)} systems, best first"
    plot = axes.svg(box.bottom + (40 if reverse else 24), label, body)
    return plot_figure(context, {"kind": "dots", "points": points}, caption, plot, Html(), "")


def share_plot(rows: Sequence[Shares], caption: str, context: Context) -> Html:
    """A bar a row, of shares, with a line at the half."""
    places = _Places.of(rows, 9 + 6.6 * max((len(row.figure) for row in rows), default=0))
    box = places.box
    axis = Axis((0.0, 100.0), ((0.0, "0"), (50.0, "50"), (100.0, "100 %")), "")
    bars, points = Html(), []
    for i, row in enumerate(rows):
        y, at, total = places.height(i), box.left, max(1, sum(n for _, n in row.parts))
        for kind, n in row.parts:
            width = box.width * n / total
            size = {"x": units(at), "y": units(y - BAR / 2), "width": units(width), "height": units(BAR)}
            bars += element("rect", class_=f"share {kind}", **size)
            at += width
        points.append([round(box.left + box.width / 2, 1), round(y, 1), list(row.told)])
    half = element("path", class_="half", d=f"M{units(box.left + box.width / 2)} {units(box.top)}v{units(box.height)}")
    frame = axes.frame(box, axis, Axis((0.0, 1.0), (), ""))
    body = joined(frame, bars, half, places.names(rows))
    plot = axes.svg(box.bottom + 24, f"Bar plot: {caption}, {len(rows)} systems", body)
    return plot_figure(context, {"kind": "dots", "points": points}, caption, plot, Html(), "")


@dataclasses.dataclass(frozen=True)
class _Places:
    """Where rows stand, with their names beside or above them."""

    box: Box
    pitch: float

    @classmethod
    def of(cls, rows: Sequence[Row], room: float) -> _Places:
        """Rows with so much room for figures at the right."""
        longest = max((len(row.short) for row in rows), default=0)
        above = longest > BESIDE
        left, pitch = (LEFT, HIGH_PITCH) if above else (LEFT + LETTER * max(longest, 4), PITCH)
        return cls(Box(left=left, top=6, width=axes.WIDTH - left - room, height=pitch * len(rows)), pitch)

    def height(self, row: int) -> float:
        """The middle of a row's picture."""
        return self.box.top + self.pitch * (row + 1) - PITCH / 2

    def names(self, rows: Sequence[Row]) -> Html:
        """The names at the left and the figures at the right."""
        above, parts = self.pitch == HIGH_PITCH, Html()
        for i, row in enumerate(rows):
            y = self.height(i) + 4
            place = {"x": 0, "y": units(y - 18)} if above else {"x": units(self.box.left - 10), "y": units(y)}
            kind = f"who{' above' if above else ''} {row.colour}"
            parts += element("text", clipped(row.short, ABOVE), class_=kind, **place)
            parts += element("text", row.figure, x=units(self.box.right + 8), y=units(y), class_="figure")
        return parts
