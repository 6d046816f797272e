"""Which metrics are significantly better than which, as the metrics task of WMT19 shows it (Ma et al. 2019, Figure 1).

Rows and columns are the metrics, the best first. A cell is coloured if the metric of its row agrees significantly
better with people than that of its column, the darker the smaller p is; so that the figure can be read without colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tercet import numbers
from tercet.data import MetricTests
from tercet.errors import InputError
from tercet.plots.canvas import RULE, SIZE, axes, drawing, label
from tercet.plots.layout import MatrixCell, MatrixLayout, matrix_layout, shade

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("", "#bcd0e8", "#5b8bc2", "#1d4273")  # by shade, from the largest p to the smallest
FEW, LARGE, SMALL = 12, 0.24, 0.17  # metrics that have room for large cells; inches


def significance_matrix(tests: MetricTests) -> Figure:
    """A square of cells, one for every two metrics. Metrics that no other one beats are in bold.

    >>> p = np.array([[np.nan, 0.003], [0.997, np.nan]])
    >>> figure = significance_matrix(MetricTests("de-en", "system", "pearson", "williams", ("chrf", "bleu"), p))
    >>> [name.get_text() for name in figure.axes[0].get_yticklabels()]
    ['chrf', 'bleu']
    """
    n = len(tests.metrics)
    if not n:
        raise InputError("There is no metric to draw.", hint="Give tests of two metrics or more.")
    if tests.p.shape != (n, n):
        raise InputError(f"The p-values have the shape {tests.p.shape}.", hint=f"Give {n} rows and {n} columns.")
    side = n * (LARGE if n <= FEW else SMALL)
    layout = matrix_layout(tests)
    with drawing():
        figure, ax = axes(side, side)
        ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
        for row, column in np.ndindex(n, n):
            _shaded_cell(ax, row, column, layout.cells[row][column])
        _frame(ax, layout)
        _legend(ax, tests, layout, side)
        ax.set_title(label(tests.direction), pad=8, parse_math=False)
    return figure


def _shaded_cell(ax: Axes, row: int, column: int, cell: MatrixCell) -> None:
    from matplotlib.patches import Rectangle

    if cell.kind == "self":
        ax.plot([column - 0.2, column + 0.2], [row, row], color=RULE, linewidth=0.8)
    elif cell.kind == "undefined":
        hatched: dict[str, Any] = {"facecolor": "white", "edgecolor": RULE, "linewidth": 0, "hatch": "/////"}
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **hatched))
    elif cell.kind == "better":
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=COLOURS[cell.shade], linewidth=0))


def _frame(ax: Axes, layout: MatrixLayout) -> None:
    n = len(layout.names)
    names = [label(metric) for metric in layout.names]
    ax.set_yticks(range(n), names, parse_math=False)
    ax.set_xticks(range(n), names, parse_math=False, rotation=90)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, pad=3, labelsize=SIZE - (0 if n <= FEW else 1))
    for text, winner in zip([*ax.get_yticklabels(), *ax.get_xticklabels()], layout.winner * 2, strict=True):
        text.set_fontweight("bold" if winner else "normal")
    ax.hlines(np.arange(n - 1) + 0.5, -0.5, n - 0.5, color=RULE, linewidth=0.3)
    ax.vlines(np.arange(n - 1) + 0.5, -0.5, n - 0.5, color=RULE, linewidth=0.3)


def _legend(ax: Axes, tests: MetricTests, layout: MatrixLayout, side: float) -> None:
    """To the right of the table: what was tested, and what the shades are."""
    from matplotlib.patches import Patch

    style: dict[str, Any] = {"edgecolor": RULE, "linewidth": 0.4}
    handles = [
        Patch(facecolor=COLOURS[shade(level, layout.steps)], label=f"p ≤ {numbers.level(level)}", **style)
        for level in layout.steps
    ]
    if layout.undefined:
        handles.append(Patch(facecolor="white", hatch="/////", label="not defined", **style))
    tested = ", ".join(filter(None, (f"{tests.level} level", tests.measure_title, tests.test_title)))
    uncorrected = f"{n_tests} tests, not corrected\n" if (n_tests := tests.n_uncorrected) else ""
    places: dict[str, Any] = {"borderpad": 0, "handlelength": 1.2, "handleheight": 1.2, "alignment": "left"}
    legend = ax.legend(
        handles=handles,
        title=f"row better than column\n({label(tested)})\n{uncorrected}bold: beaten by no other",
        loc="upper left",
        bbox_to_anchor=(1 + 0.08 / side, 1),
        frameon=False,
        fontsize=SIZE - 1,
        title_fontsize=SIZE - 1,
        **places,
    )
    legend.get_title().set_parse_math(False)
