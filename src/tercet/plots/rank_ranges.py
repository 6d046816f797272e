"""Rank ranges and clusters, as the findings of WMT print them in tables (Bojar et al. 2014, section 3.3)."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tercet.errors import InputError
from tercet.numbers import score
from tercet.plots.canvas import BAND, BAR, INK, RULE, axes, column, drawing, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.21  # inches


@dataclasses.dataclass(frozen=True)
class RangeRow:
    """A system: its score, the best and the worst rank that it may have, its cluster (1 is the best)."""

    system: str
    score: float
    low: int
    high: int
    cluster: int


def rank_ranges(rows: Sequence[RangeRow], title: str = "") -> Figure:
    """Bars from the best to the worst rank of each system, the best system on top, a line between clusters.

    >>> figure = rank_ranges([RangeRow("a", 0.4, 1, 1, 1), RangeRow("b", -0.4, 2, 2, 2)])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['a', 'b']
    """
    rows = _ordered(rows)
    n, worst = len(rows), max(len(rows), *(row.high for row in rows))
    with drawing():
        figure, ax = axes(max(2.2, 0.2 * worst), ROW * n)
        ax.set(xlim=(0.5, worst + 0.5), ylim=(n - 0.5, -0.5))
        _clusters(ax, rows)
        ax.vlines([rank + 0.5 for rank in range(1, worst)], -0.5, n - 0.5, color=RULE, linewidth=0.3, zorder=0.5)
        for y, row in enumerate(rows):
            width = row.high - row.low + 0.7
            ax.barh(y, width, left=row.low - 0.35, height=0.56, color=BAR, edgecolor=INK, linewidth=0.5)
        column(ax, "score", [score(row.score, 3) for row in rows])
        ax.set_yticks(range(n), [label(row.system) for row in rows], parse_math=False)
        ax.set_xticks(range(1, worst + 1))
        ax.tick_params(length=0, pad=3)
        ax.set_xlabel("rank (1 is best)")
        ax.set_title(label(title), pad=14, parse_math=False)
    return figure


def _ordered(rows: Sequence[RangeRow]) -> list[RangeRow]:
    if not rows:
        raise InputError("There is no system to draw.", hint="Give one row a system.")
    for row in rows:
        if not 1 <= row.low <= row.high:
            raise InputError(
                f"The ranks of {row.system} are given as {row.low} to {row.high}.",
                hint="Ranks go from 1, the best, upwards.",
            )
    return sorted(rows, key=lambda row: (row.cluster, math.isnan(row.score), -row.score))


def _clusters(ax: Axes, rows: Sequence[RangeRow]) -> None:
    """Every other cluster stands on grey, and a line divides it from the next."""
    edges = [0, *(y for y in range(1, len(rows)) if rows[y].cluster != rows[y - 1].cluster), len(rows)]
    for k, (top, bottom) in enumerate(itertools.pairwise(edges)):
        if k % 2:
            ax.axhspan(top - 0.5, bottom - 0.5, color=BAND, zorder=0)
        if top:
            ax.axhline(top - 0.5, color=INK, linewidth=0.8)
