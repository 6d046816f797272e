"""Annotators side by side: how well each agrees with the rest, or with themselves."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tercet.errors import InputError
from tercet.numbers import coefficient, counted, typeset
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, column, drawing, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.2  # inches
WIDTH = 3.0
FEWEST = 10  # judgements that are compared; a coefficient of fewer says nothing


@dataclasses.dataclass(frozen=True)
class AnnotatorRow:
    """A judge, or two: a coefficient (NaN: not defined), the judgements behind it, perhaps an interval."""

    judge: str
    value: float
    n: int
    low: float | None = None
    high: float | None = None


def annotators(
    rows: Sequence[AnnotatorRow],
    overall: float,
    measure: str = "kappa",
    title: str = "",
    who: str = "judge",
    below: str = "",
) -> Figure:
    """A dot for each judge, the highest on top, with its interval, and a line at the value over all judges.

    Judges who share nothing with others, or too little, cannot be compared: they are left out, and counted below,
    where `below` stands as well.

    >>> figure = annotators([AnnotatorRow("j1", 0.3, 20), AnnotatorRow("j2", 0.5, 10)], overall=0.4)
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['j2', 'j1']
    """
    if not rows:
        raise InputError(f"There is no {who} to draw.", hint=f"Give one row a {who}.")
    known = sorted((row for row in rows if comparable(row)), key=lambda row: (-row.value, row.judge))
    alone = len(rows) - len(known)
    if not known:
        raise InputError(
            f"Nothing can be drawn of {counted(alone, who)}: fewer than {FEWEST} of their judgements are of the same.",
            hint="Without items that several judges share, there is no agreement to draw.",
        )
    rows = known
    n = len(rows)
    with drawing():
        figure, ax = axes(WIDTH, ROW * n)
        ax.set(xlim=_limits(rows, overall), ylim=(n - 0.5, -0.5))
        ax.hlines(range(n), *ax.get_xlim(), color=RULE, linewidth=0.4, linestyle=(0, (1, 2)))
        for y, row in enumerate(rows):
            _judge(ax, y, row)
        column(ax, "n", [str(row.n) for row in rows])
        if not math.isnan(overall):
            ax.axvline(overall, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
            ax.annotate(
                f"all judges: {typeset(coefficient(overall, 2))}",
                (overall, 1),
                (0, 4),
                ("data", "axes fraction"),
                "offset points",
                ha="center",
                fontsize=SIZE - 1,
            )
        ax.set_yticks(range(n), [label(row.judge) for row in rows], parse_math=False)
        ax.tick_params(length=2, pad=3)
        ax.tick_params(axis="y", length=0)
        left_out = f"not drawn: {counted(alone, who)} with fewer than {FEWEST} compared" if alone else ""
        ax.set_xlabel("\n".join(filter(None, (measure, left_out, below))), parse_math=False)
        ax.set_title(label(title), pad=14, parse_math=False)
    return figure


def comparable(row: AnnotatorRow) -> bool:
    """Whether enough was compared for a coefficient that means something."""
    return row.n >= FEWEST and not math.isnan(row.value)


def _limits(rows: Sequence[AnnotatorRow], overall: float) -> tuple[float, float]:
    """From 0 to 1, as coefficients are read, and as much further down as there is something."""
    values = [v for row in rows for v in (row.value, row.low, row.high) if v is not None and not math.isnan(v)]
    values += [] if math.isnan(overall) else [overall]
    return min([0.0, *values]) - 0.04, max([1.0, *values]) + 0.02


def _judge(ax: Axes, y: int, row: AnnotatorRow) -> None:
    if row.low is not None and row.high is not None:
        ax.plot([row.low, row.high], [y, y], color=INK, linewidth=1.2, solid_capstyle="butt", zorder=2)
    ax.plot(row.value, y, "o", markersize=5, markerfacecolor=BAR, markeredgecolor=INK, markeredgewidth=0.6, zorder=3)
