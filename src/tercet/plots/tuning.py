"""The objective around the optimum: agreement as one parameter moves and the others stand where they were tuned to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tercet.data.tuning import ALL, Profile, Tuning
from tercet.errors import InputError
from tercet.numbers import plain
from tercet.plots.canvas import BAR, INK, RULE, SIZE, blank, drawing, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 1.9, 1.5  # inches of a panel
GAP_X, GAP_Y = 0.25, 0.62
COLUMNS = 4


def tuning_profiles(tuning: Tuning) -> Figure:
    """A panel a parameter, all of one scale: the tuned value is a dot, the default's a dashed line each way.

    >>> from tercet.data.tuning import TuningRecord
    >>> own = TuningRecord("all", "de-en", "m(a=2)", "a=2", "segment", "kendall", 0.5, 0.4, 0.1, 9)
    >>> profile = Profile("a", (1.0, 2.0), (0.4, 0.5), 2.0, 1.0)
    >>> found = Tuning("m(a=2)", "m", ("a=1:2:1",), "kendall", 2, (own,), (profile,), "", "")
    >>> [ax.get_xlabel() for ax in tuning_profiles(found).axes]
    ['a']
    """
    if not tuning.profiles:
        raise InputError("There is no parameter to draw.", hint="Tune at least one.")
    columns = min(COLUMNS, len(tuning.profiles))
    rows = math.ceil(len(tuning.profiles) / columns)
    width, height = columns * WIDTH + (columns - 1) * GAP_X, rows * HEIGHT + (rows - 1) * GAP_Y
    before = tuning.record(ALL).default
    known = [v for p in tuning.profiles for v in (*p.values, before) if not math.isnan(v)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = 0.08 * (high - low) or 0.01
    with drawing():
        figure = blank(width, height)
        for i, profile in enumerate(tuning.profiles):
            r, c = divmod(i, columns)
            left, bottom = c * (WIDTH + GAP_X) / width, 1 - (r * (HEIGHT + GAP_Y) + HEIGHT) / height
            ax = figure.add_axes((left, bottom, WIDTH / width, HEIGHT / height))
            ax.set_ylim(low - room, high + room)
            _panel(ax, profile, before)
            if c:
                ax.tick_params(labelleft=False)
            else:
                ax.set_ylabel(label(tuning.objective), parse_math=False)
            if i == 0:
                ax.set_title(label(tuning.spec), pad=6, parse_math=False)
    return figure


def _panel(ax: Axes, profile: Profile, before: float) -> None:
    ax.axhline(before, color=RULE, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    ax.axvline(profile.default, color=RULE, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    ax.plot(profile.points, profile.values, color=BAR, linewidth=1.2, zorder=2)
    top = profile.values[profile.points.index(profile.tuned)]
    ax.plot(profile.tuned, top, "o", markersize=5, markerfacecolor="white", markeredgecolor=INK, zorder=3)
    beside: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": SIZE - 1}
    ax.annotate(plain(profile.tuned), (profile.tuned, top), (0, 5), **beside)
    ax.margins(x=0.06)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color=RULE, linewidth=0.4, linestyle=(0, (1, 2)))
    ax.tick_params(length=2, pad=3)
    ax.set_xlabel(label(profile.parameter), parse_math=False)
