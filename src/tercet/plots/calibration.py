"""Tie calibration: accuracy by the difference up to which two scores are a tie (Deutsch et al. 2023)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tercet.data import Calibration
from tercet.errors import InputError
from tercet.numbers import coefficient, epsilon, typeset
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label, scaled
from tercet.plots.layout import Axis, calibration_layout, span, ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.4, 2.2  # inches
MOST = 600  # points of the curve that are drawn


def calibration_curve(data: Calibration) -> Figure:
    """Accuracy by epsilon as steps, with the best epsilon marked.

    >>> import numpy as np
    >>> data = Calibration("de-en", "bleu", np.array([0.0, 0.5, 2.0]), np.array([0.4, 0.6, 0.3]), best=0.5)
    >>> [text.get_text() for text in calibration_curve(data).axes[0].texts]
    ['best: .600 at 0.5']
    """
    if not len(data.epsilon) or len(data.epsilon) != len(data.accuracy):
        raise InputError(
            f"There are {len(data.epsilon)} values of epsilon and {len(data.accuracy)} of accuracy.",
            hint="Give one accuracy for each epsilon, and at least one.",
        )
    layout = calibration_layout(data, MOST)
    top = float(layout.accuracy[layout.best]) if len(layout.accuracy) else math.nan
    up = span(layout.accuracy.tolist(), pad=0.12)
    with drawing():
        figure, ax = axes(WIDTH, HEIGHT)
        scaled(ax, layout.x, Axis(up, tuple(ticks(up)), "accuracy with ties"))
        ax.step(layout.epsilon, layout.accuracy, where="post", color=BAR, linewidth=1.2)
        ax.axvline(data.best, color=INK, linewidth=0.7, linestyle=(0, (4, 2)), zorder=1)
        ax.plot(data.best, top, "o", markersize=5, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=0.9)
        shown = f"best: {typeset(coefficient(top))} at {epsilon(data.best)}"
        ax.annotate(shown, (data.best, top), (6, 5), textcoords="offset points", fontsize=SIZE - 1)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color=RULE, linewidth=0.4, linestyle=(0, (1, 2)))
        ax.tick_params(length=2, pad=3)
        ax.set_xlabel(f"difference of {label(data.metric)} up to which scores are a tie", parse_math=False)
        ax.set_ylabel("accuracy with ties")
        ax.set_title(label(data.direction), pad=8, parse_math=False)
    return figure
