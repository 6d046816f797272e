"""Scores as dots with their intervals, a panel a metric, the same systems in all."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from tercet.errors import InputError
from tercet.plots.canvas import INK, RULE, blank, drawing, label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW, PANEL, GAP, BELOW, MOST = 0.24, 2.2, 0.25, 0.6, 200  # inches; names in one picture
ACROSS = 4  # panels beside each other
TICKS = 4  # more would touch, with three digits each


@dataclasses.dataclass(frozen=True)
class IntervalRow:
    """A dot: which panel, whose, where, between what, and in which colour."""

    panel: str
    name: str
    value: float
    low: float | None = None
    high: float | None = None
    colour: str = INK


def score_intervals(rows: Sequence[IntervalRow], shown: Collection[float] = (), below: str = "") -> Figure:
    """A panel beside the other, in rows of a few, names down; the axes reach to the values of `shown`.

    `below` is a sentence for the foot.

    >>> figure = score_intervals([IntervalRow("chrf", "a", 60.0, 58.0, 62.0), IntervalRow("chrf", "b", 61.0)])
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['a', 'b']
    """
    panels, names = (list(dict.fromkeys(values)) for values in ([r.panel for r in rows], [r.name for r in rows]))
    if not rows or len(names) > MOST:
        raise InputError(
            f"There are {len(names)} names to draw, and a picture has 1 to {MOST}.", hint="Draw the whole test set."
        )
    with drawing():
        height = ROW * max(len(names), 2)
        n_across, n_down = min(len(panels), ACROSS), math.ceil(len(panels) / ACROSS)
        wide = PANEL * n_across + GAP * (n_across - 1)
        high = height * n_down + BELOW * (n_down - 1)
        figure = blank(wide, high)
        for p, panel in enumerate(panels):
            down, across = divmod(p, ACROSS)
            bottom = high - height - down * (height + BELOW)
            ax = figure.add_axes((across * (PANEL + GAP) / wide, bottom / high, PANEL / wide, height / high))
            ax.set_ylim(len(names) - 0.5, -0.5)
            for row in (r for r in rows if r.panel == panel and math.isfinite(r.value)):
                y = names.index(row.name)
                if row.low is not None and row.high is not None:
                    ax.plot([row.low, row.high], [y, y], color=row.colour, linewidth=0.9, solid_capstyle="butt")
                ax.plot([row.value], [y], "o", color=row.colour, markersize=3.2)
            ax.set_yticks(
                range(len(names)), [label(n) for n in names] if across == 0 else [""] * len(names), parse_math=False
            )
            ax.update_datalim([(x, 0) for x in shown], updatey=False)
            ax.autoscale_view(scaley=False)
            ax.locator_params(axis="x", nbins=TICKS)
            ax.tick_params(length=0, pad=3)
            ax.grid(axis="both", color=RULE, linewidth=0.3)
            ax.set_axisbelow(True)
            ax.set_title(label(panel), parse_math=False)
        ax.set_xlabel(below, parse_math=False)
    return figure
