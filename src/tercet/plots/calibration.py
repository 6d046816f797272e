"""Tie calibration: accuracy by the difference up to which two scores are a tie (Deutsch et al. 2023)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tercet.data import Array, Calibration
from tercet.errors import InputError
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing, label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.4, 2.2  # inches
MOST = 600  # points of the curve that are drawn


def calibration_curve(data: Calibration) -> Figure:
    """Accuracy by epsilon as steps, with the best epsilon marked.

    >>> data = Calibration("de-en", "bleu", np.array([0.0, 0.5, 2.0]), np.array([0.4, 0.6, 0.3]), best=0.5)
    >>> [text.get_text() for text in calibration_curve(data).axes[0].texts]
    ['best: .600 at 0.5']
    """
    if not len(data.epsilon) or len(data.epsilon) != len(data.accuracy):
        raise InputError(
            f"There are {len(data.epsilon)} values of epsilon and {len(data.accuracy)} of accuracy.",
            hint="Give one accuracy for each epsilon, and at least one.",
        )
    epsilon, accuracy = _thinned(data.epsilon, data.accuracy)
    top = float(data.accuracy[np.argmin(np.abs(data.epsilon - data.best))])
    with drawing():
        figure, ax = axes(WIDTH, HEIGHT)
        ax.step(epsilon, accuracy, where="post", color=BAR, linewidth=1.2)
        ax.axvline(data.best, color=INK, linewidth=0.7, linestyle=(0, (4, 2)), zorder=1)
        ax.plot(data.best, top, "o", markersize=5, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=0.9)
        shown = f"best: {top:.3f}".replace("0.", ".", 1) + f" at {data.best:.4g}"
        ax.annotate(shown, (data.best, top), (6, 5), textcoords="offset points", fontsize=SIZE - 1)
        ax.margins(x=0.03, y=0.12)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color=RULE, linewidth=0.4, linestyle=(0, (1, 2)))
        ax.tick_params(length=2, pad=3)
        ax.set_xlabel(f"difference of {label(data.metric)} up to which scores are a tie", parse_math=False)
        ax.set_ylabel("accuracy with ties")
        ax.set_title(label(data.direction), pad=8, parse_math=False)
    return figure


def _thinned(epsilon: Array, accuracy: Array) -> tuple[Array, Array]:
    """Of a long curve so many points as can be seen: the lowest and the highest of each stretch, and both ends."""
    if len(epsilon) <= MOST:
        return epsilon, accuracy
    edges = np.linspace(epsilon[0], epsilon[-1], MOST // 2 + 1)
    stretch = np.searchsorted(edges, epsilon, side="right")
    starts = np.flatnonzero(np.diff(stretch, prepend=-1))
    kept = {0, len(epsilon) - 1}
    for start, end in zip(starts.tolist(), [*starts.tolist()[1:], len(epsilon)], strict=True):
        kept |= {start + int(accuracy[start:end].argmin()), start + int(accuracy[start:end].argmax())}
    chosen = sorted(kept)
    return epsilon[chosen], accuracy[chosen]
