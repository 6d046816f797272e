"""Tie calibration: accuracy by the difference up to which two scores are a tie (Deutsch et al. 2023)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tercet.data import Calibration
from tercet.errors import InputError
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label, scaled
from tercet.plots.layout import CalibrationLayout, calibration_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.4, 2.2  # inches
MOST = 600  # points of the curve that are drawn


def calibration_curve(data: Calibration) -> Figure:
    """Accuracy by epsilon as steps, with the best epsilon marked.

    >>> import numpy as np
    >>> data = Calibration("de-en", "bleu", np.array([0.0, 0.5, 2.0]), np.array([0.4, 0.6, 0.3]), best=0.5)
    >>> [text.get_text() for text in calibration_curve(data).axes[0].texts]
    ['best: .600 at ε = 0.5']
    """
    if not len(data.epsilon) or len(data.epsilon) != len(data.accuracy):
        raise InputError(
            f"There are {len(data.epsilon)} values of epsilon and {len(data.accuracy)} of accuracy.",
            hint="Give one accuracy for each epsilon, and at least one.",
        )
    layout = calibration_layout(data, MOST)
    with drawing():
        figure, ax = axes(WIDTH, HEIGHT)
        scaled(ax, layout.x, layout.y)
        ax.plot(*layout.corners, color=BAR, linewidth=1.2)
        if layout.best >= 0:
            _best(ax, layout)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color=RULE, linewidth=0.4, linestyle=(0, (1, 2)))
        ax.tick_params(length=2, pad=3)
        ax.set_xlabel(layout.x.name)
        ax.set_ylabel(layout.y.name)
        title = label(data.metric) + (f", {label(data.direction)}" if data.direction else "")
        ax.set_title(title, pad=8, parse_math=False)
    return figure


def _best(ax: Axes, layout: CalibrationLayout) -> None:
    """The best point, down to its epsilon, and what it says."""
    at, top = float(layout.epsilon[layout.best]), float(layout.accuracy[layout.best])
    ax.vlines(at, layout.y.span[0], top, color=INK, linewidth=0.7, linestyle=(0, (4, 2)), zorder=1)
    ax.plot(at, top, "o", markersize=5, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=0.9)
    ax.annotate(layout.told, (at, top), (6, 5), textcoords="offset points", fontsize=SIZE - 1)
