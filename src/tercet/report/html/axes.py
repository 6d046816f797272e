"""Axes of the page's plots as SVG.

A plot is 420 units wide, about the width of a phone, so that its type is readable there and a little larger elsewhere.
The script on the page moves points by the same linear scale, from the ranges and the box that go along as data.
"""

from __future__ import annotations

import dataclasses
import math

from tercet.plots.layout import Axis, Span, is_drawable
from tercet.report.html.markup import Html, element, joined
from tercet.report.html.text import clipped

WIDTH = 420
FONT = 12.0  # the size of type in page.css, in units of the plot


@dataclasses.dataclass(frozen=True)
class Box:
    """The part of a plot inside its axes."""

    left: float = 44
    top: float = 26
    width: float = 364
    height: float = 250

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def right(self) -> float:
        return self.left + self.width

    def x(self, span: Span, value: float) -> float:
        """Where a value stands from left to right; a span may run backwards."""
        return self.left + (value - span[0]) / (span[1] - span[0]) * self.width

    def y(self, span: Span, value: float) -> float:
        """Where a value stands from top to bottom."""
        return self.bottom - (value - span[0]) / (span[1] - span[0]) * self.height

    def data(self) -> list[float]:
        """For the script on the page."""
        return [self.left, self.top, self.width, self.height]


def units(value: float) -> str:
    """A length in a plot, to a tenth.

    >>> units(12.0), units(3.14159), units(-0.04)
    ('12', '3.1', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def short(value: float, ends: Span) -> float | None:
    """A value for the script, to a small part of what one can see on its axis; None where there is none.

    >>> short(0.123456789, (0.0, 1.0)), short(27.123456, (10.0, 40.0)), short(float("nan"), (0.0, 1.0))
    (0.1235, 27.12, None)
    """
    digits = max(0, 4 - math.ceil(math.log10(abs(ends[1] - ends[0]))))
    return round(value, digits) + 0.0 if is_drawable(value) else None


def axis_label(text: str) -> str:
    """The name of an axis, no longer than the axis."""
    return clipped(text, 56)


def frame(box: Box, x: Axis, y: Axis) -> Html:
    """Grid, ticks and names of both axes."""
    rows = [_row(box, box.y(y.span, value), text) for value, text in y.ticks]
    columns = [_column(box, box.x(x.span, value), text) for value, text in x.ticks]
    return joined(
        element("g", *rows, class_="grid ys"),
        element("g", *columns, class_="grid xs"),
        element("path", class_="base", d=f"M{units(box.left)} {units(box.bottom)}h{units(box.width)}"),
        element("text", axis_label(y.name), class_="axis", x=0, y=13),
        element("text", axis_label(x.name), class_="axis xname", x=units(box.right), y=units(box.bottom + 34)),
    )


def _row(box: Box, height: float, text: str) -> Html:
    line = element("path", d=f"M{units(box.left)} {units(height)}h{units(box.width)}")
    return line + element("text", text, x=units(box.left - 6), y=units(height + 4))


def _column(box: Box, place: float, text: str) -> Html:
    line = element("path", d=f"M{units(place)} {units(box.top)}v{units(box.height)}")
    return line + element("text", text, x=units(place), y=units(box.bottom + 16))


def svg(height: float, label: str, body: Html, colour: str | None = None) -> Html:
    """A plot that a reader who does not see it knows by its label; `colour` is the class of what has one colour."""
    size = f"0 0 {WIDTH} {units(height)}"
    return element("svg", body, class_=colour, viewBox=size, role="img", aria_label=clipped(label, 200))
