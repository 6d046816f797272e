"""Axes of the page's plots: ranges, ticks, and the frame as SVG.

A plot is 420 units wide, about the width of a phone, so that its type is readable there and a little larger elsewhere.
The script on the page moves points by the same linear scale, from the ranges and the box that go along as data.
"""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Iterable, Sequence

from tercet.report.html.text import clipped

WIDTH = 420
FONT = 12.0  # the size of type in page.css, in units of the plot
LARGEST = 1e99  # of what is drawn; differences and ratios of it are still numbers
Span = tuple[float, float]
Tick = tuple[float, str]


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


def is_drawable(value: float) -> bool:
    """Whether a value is a number that an axis can hold."""
    return math.isfinite(value) and abs(value) < LARGEST


def span(values: Iterable[float], pad: float = 0.07) -> Span:
    """The range of an axis, with a little room at both ends; never empty.

    >>> span([0.0, 1.0], pad=0.1), span([3.0]), span([])
    ((-0.1, 1.1), (2.5, 3.5), (0.0, 1.0))
    """
    drawn = [v for v in values if is_drawable(v)]
    if not drawn:
        return 0.0, 1.0
    low, high = min(drawn), max(drawn)
    width = high - low
    if width <= 1e-9 * max(abs(low), abs(high), 1 / LARGEST):  # one value: the axis still needs a length
        half = abs(low) / 6 if abs(low) > 1 / LARGEST else 0.5
        return low - half, high + half
    return low - pad * width, high + pad * width


def ticks(ends: Span, count: int = 5) -> list[Tick]:
    """About `count` round values within a range, with their labels.

    >>> ticks((0.42, 1.03))
    [(0.5, '.5'), (0.6, '.6'), (0.7, '.7'), (0.8, '.8'), (0.9, '.9'), (1.0, '1.0')]
    >>> ticks((-2.0, 33.0))
    [(0.0, '0'), (10.0, '10'), (20.0, '20'), (30.0, '30')]
    """
    low, high = min(ends), max(ends)
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= 0.8 * rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [(round(k * step, digits), tick_label(k * step, digits)) for k in range(first, last + 1)]


def tick_label(value: float, digits: int) -> str:
    """A tick as the papers print figures, in powers of ten where it would be long.

    >>> tick_label(-0.25, 2), tick_label(0.0, 1), tick_label(2e-7, 7), tick_label(4.5e8, 0)
    ('−.25', '0', '2e-07', '4.5e+08')
    """
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return "0"
    if len(text) > 7:
        text = f"{abs(float(text)):.6g}"
    return ("−" if value < 0 else "") + (text.removeprefix("0") if text.startswith("0.") else text)


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


def frame(box: Box, x: tuple[Span, Sequence[Tick], str], y: tuple[Span, Sequence[Tick], str]) -> str:
    """Grid, ticks and names of both axes; `x` and `y` are a range, its ticks and the name."""
    rows = "".join(
        f'<path d="M{units(box.left)} {units(box.y(y[0], v))}h{units(box.width)}"/>'
        f'<text x="{units(box.left - 6)}" y="{units(box.y(y[0], v) + 4)}">{html.escape(t)}</text>'
        for v, t in y[1]
    )
    columns = "".join(
        f'<path d="M{units(box.x(x[0], v))} {units(box.top)}v{units(box.height)}"/>'
        f'<text x="{units(box.x(x[0], v))}" y="{units(box.bottom + 16)}">{html.escape(t)}</text>'
        for v, t in x[1]
    )
    return (
        f'<g class="grid ys">{rows}</g><g class="grid xs">{columns}</g>'
        f'<path class="base" d="M{units(box.left)} {units(box.bottom)}h{units(box.width)}"/>'
        f'<text class="axis" x="0" y="13">{html.escape(axis_label(y[2]))}</text>'
        f'<text class="axis xname" x="{units(box.right)}" y="{units(box.bottom + 34)}">'
        f"{html.escape(axis_label(x[2]))}</text>"
    )


def svg(height: float, label: str, body: str) -> str:
    """A plot that a reader who does not see it knows by its label."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {units(height)}" role="img" aria-label="{html.escape(clipped(label, 200))}">'
        f"{body}</svg>"
    )
