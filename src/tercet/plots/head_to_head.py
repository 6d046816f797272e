"""Head-to-head tables as heat maps, in the sense of WMT's appendices: a cell tells how often the COLUMN beat the ROW.

The colours run from orange through white at one half to blue. They suit the colour-blind, and blue is the darker end,
so that who won can be seen in black and white, too; shares above one half are bold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tercet.data import Array
from tercet.errors import InputError
from tercet.numbers import ABSENT, UNDEFINED, coefficient, plain
from tercet.plots.canvas import INK, RULE, SIZE, axes, drawing, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

COLOURS = ("#d9851f", "#f3c68c", "#fafafa", "#92acd3", "#274b86")
FEW = 8  # systems that have room for large cells
UNSEEN = "#ececec"


def head_to_head(
    systems: Sequence[str],
    shares: Array,
    marks: Sequence[Sequence[str]] | None = None,
    counts: npt.NDArray[np.int64] | None = None,
    title: str = "",
) -> Figure:
    """A heat map of the shares (n, n) of times that the column's system beat the row's; NaN where they never met.

    `marks` are printed behind the shares, `counts` below them.

    >>> figure = head_to_head(["a", "b"], np.array([[np.nan, 0.25], [0.75, np.nan]]))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['–', '.25', '.75', '–']
    """
    _check(systems, shares, marks, counts)
    n = len(systems)
    few = n <= FEW
    width, height = n * (0.44 if few else 0.34), n * (0.44 if few else 0.28 if counts is None else 0.34)
    with drawing():
        figure, ax = axes(width, height)
        colours = _colours()
        ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
        edges = np.arange(n + 1) - 0.5
        ax.pcolormesh(edges, edges, np.where(np.eye(n, dtype=bool), np.nan, shares), cmap=colours, vmin=0, vmax=1)
        for row, column in np.ndindex(n, n):
            if row == column:
                ax.text(column, row, ABSENT, ha="center", va="center", color=RULE)
            elif np.isnan(shares[row, column]):
                _hatch(ax, row, column)
            else:
                share = float(shares[row, column])
                lines = [coefficient(share, 2) + (marks[row][column] if marks is not None else "")]
                lines += [] if counts is None else [str(counts[row, column])]
                _write(ax, row, column, lines, SIZE - (1 if few else 1.5), share > 0.5, _is_dark(colours, share))
        _frame(ax, systems)
        _scale(figure, colours, width, height)
        ax.set_title(label(title), pad=8, parse_math=False)
    return figure


def _check(
    systems: Sequence[str],
    shares: Array,
    marks: Sequence[Sequence[str]] | None,
    counts: npt.NDArray[np.int64] | None,
) -> None:
    n = len(systems)
    if not n:
        raise InputError("There is no system to draw.", hint="Give one name a system.")
    for what, table in (("shares", shares), ("marks", marks), ("counts", counts)):
        if table is not None and (len(table) != n or any(len(row) != n for row in table)):
            raise InputError(f"The {what} are no table of {n} by {n}.", hint="Give one row and one column a system.")
    seen = shares[~np.isnan(shares)]
    if len(seen) and (seen.min() < 0 or seen.max() > 1):
        raise InputError(
            f"The shares go from {plain(seen.min())} to {plain(seen.max())}.", hint="Shares are from 0 to 1."
        )


def _colours() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("tercet", COLOURS)


def _is_dark(colours: Colormap, share: float) -> bool:
    """Whether white is read more easily than our ink on the colour of a share (WCAG's relative luminance)."""
    rgb = np.array(colours(share)[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return bool(linear @ (0.2126, 0.7152, 0.0722) < 0.2)


def _hatch(ax: Axes, row: int, column: int) -> None:
    from matplotlib.patches import Rectangle

    cell = Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=UNSEEN, edgecolor="#9a9a9a", linewidth=0, hatch="////")
    ax.add_patch(cell)
    ground = {"facecolor": UNSEEN, "edgecolor": "none", "pad": 0.8}
    ax.text(column, row, UNDEFINED, ha="center", va="center", fontsize=SIZE - 2, bbox=ground)


def _write(ax: Axes, row: int, column: int, lines: Sequence[str], size: float, won: bool, dark: bool) -> None:
    """A share, and perhaps a count below it in smaller type."""
    style: dict[str, Any] = {"ha": "center", "color": "white" if dark else INK, "parse_math": False}
    up = 0.14 * (len(lines) - 1)
    ax.text(column, row - up, lines[0], va="center", fontsize=size, weight="bold" if won else "normal", **style)
    if len(lines) > 1:
        ax.text(column, row + 0.26, lines[1], va="center", fontsize=size - 1.5, **style)


def _frame(ax: Axes, systems: Sequence[str]) -> None:
    from rich.cells import cell_len

    n = len(systems)
    names = [label(system) for system in systems]
    upright = max(map(cell_len, names)) > (5 if n <= FEW else 3)
    ax.set_yticks(range(n), names, parse_math=False)
    ax.set_xticks(range(n), names, parse_math=False, rotation=90 if upright else 0)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, pad=3)
    ax.hlines(np.arange(n - 1) + 0.5, -0.5, n - 0.5, color="white", linewidth=1)
    ax.vlines(np.arange(n - 1) + 0.5, -0.5, n - 0.5, color="white", linewidth=1)
    ax.spines[:].set_edgecolor(RULE)


def _scale(figure: Figure, colours: Colormap, width: float, height: float) -> None:
    """A bar of colours to the right, as high as the table but no higher than one can take in."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    share = min(1.0, 2.2 / height)
    place = figure.add_axes((1 + 0.15 / width, (1 - share) / 2, 0.1 / width, share))
    bar = figure.colorbar(ScalarMappable(Normalize(0, 1), colours), cax=place, ticks=[0, 0.25, 0.5, 0.75, 1])
    bar.ax.set_yticklabels(["0", ".25", ".50", ".75", "1"])
    bar.ax.tick_params(length=2, labelsize=SIZE - 1)
    bar.set_label("share of times that\nthe column beat the row", fontsize=SIZE - 1)
