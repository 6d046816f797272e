"""The same names in several columns, joined by lines: systems by several rankers, metrics in two years."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tercet.errors import InputError
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label
from tercet.plots.labels import extent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN = 0.9  # inches from one column to the next, besides the names between
ROW = 0.2  # of a name
GAP = 4.0  # points between a dot and its name, or a name and its line
POINTS = 72.0  # an inch
MOVED = 2  # places by which a name must move for its line to be dark


def side_by_side(columns: Sequence[tuple[str, Mapping[str, float]]], title: str = "") -> Figure:
    """Names of each column from best to worst, the highest value first; lines join a name with itself.

    Lines of names that move by two places or more are dark. A name that a column lacks ends there.

    >>> years = [("2014", {"a": 0.9, "b": 0.8}), ("2015", {"b": 0.9, "a": 0.7})]
    >>> [text.get_text() for text in side_by_side(years).axes[0].texts]
    ['2014', '2015', 'a', 'b', 'b', 'a']
    """
    if len(columns) < 2 or not any(values for _, values in columns):
        raise InputError("There is nothing to put side by side.", hint="Give two columns or more, with names in them.")
    places = [_places(values) for _, values in columns]
    rows = max(map(len, places))
    widest = max(extent(label(name), SIZE - 1)[0] for place in places for name in place)
    width = COLUMN * POINTS + widest  # from one column to the next
    with drawing():
        figure, ax = axes(width / POINTS * (len(columns) - 1), ROW * rows)
        ax.set(xlim=(0, len(columns) - 1), ylim=(rows - 0.5, -0.5))
        ax.axis("off")
        for x, (name, _) in enumerate(columns):
            style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontweight": "bold", "parse_math": False}
            ax.text(x, -0.9, label(name), **style)
        for x, (left, right) in enumerate(itertools.pairwise(places)):
            _lines(ax, x, left, right, (widest + 2 * GAP if x else GAP) / width)
        for x, place in enumerate(places):
            _names(ax, x, place, GAP / width)
        ax.set_title(label(title), pad=20, parse_math=False)
    return figure


def _places(values: Mapping[str, float]) -> dict[str, int]:
    """The row of each name; what is not defined comes last."""
    order = sorted(values, key=lambda name: (math.isnan(values[name]), -values[name], name))
    return {name: row for row, name in enumerate(order)}


def _lines(ax: Axes, x: int, left: Mapping[str, int], right: Mapping[str, int], room: float) -> None:
    """Lines begin behind the names, which in all columns but the first stand to the right of their dots."""
    for name, row in left.items():
        if name in right:
            moved = abs(row - right[name]) >= MOVED
            ends = [x + room, x + 0.98], [row, right[name]]
            ax.plot(*ends, color=BAR if moved else RULE, linewidth=1.0, zorder=1)


def _names(ax: Axes, x: int, places: Mapping[str, int], gap: float) -> None:
    for name, row in places.items():
        ax.plot(x, row, "o", markersize=3, markerfacecolor=INK, markeredgewidth=0, clip_on=False, zorder=2)
        style: dict[str, Any] = {"ha": "left" if x else "right", "va": "center", "fontsize": SIZE - 1}
        ax.text(x + gap if x else x - gap, row, label(name), parse_math=False, **style)
