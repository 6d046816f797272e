"""Quality estimation as figures: confusion matrices as heat maps, and how labels are spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tercet import numbers
from tercet.data import Array
from tercet.data.quality import Confusion, LabelDistribution, QualityEvaluation
from tercet.errors import InputError
from tercet.plots.canvas import BAR, INK, RULE, SIZE, blank, drawing, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL = 0.5  # inches
DARK = 0.55  # share of a row from which on white is read more easily
WIDTH, HEIGHT = 3.4, 1.3  # inches, of a histogram
ROW = 0.2  # of a class
FLAT = 5  # letters of names that need not stand upright


def confusion_matrices(confusions: Sequence[Confusion]) -> Figure:
    """Heat maps of counts, one below the other: true tags in rows, given tags in columns.

    A cell is darker the larger its share of the row.

    >>> counts = np.array([[8, 2], [1, 3]])
    >>> small = Confusion("ours", "word", "given", ("OK", "BAD"), counts, counts / [[10], [4]])
    >>> [text.get_text() for text in confusion_matrices([small]).axes[0].texts]
    ['8', '2', '1', '3']
    """
    if not confusions:
        raise InputError("There is no confusion matrix to draw.", hint="Only tags of words have one.")
    widest = max(len(c.labels) for c in confusions)
    names = max(len(name) for c in confusions for name in c.labels)
    gap = 0.85 + (0.06 * names if names > FLAT else 0)  # inches, for the names above a matrix and the words below
    heights = [0.7 * CELL * len(c.labels) for c in confusions]
    with drawing():
        figure, places = _column_of_axes(CELL * widest, heights, gap)
        for ax, confusion in zip(places, confusions, strict=True):
            _heat_map(ax, confusion)
    return figure


def label_distributions(distributions: Sequence[LabelDistribution]) -> Figure:
    """Histograms of numbers on one scale, or bars of classes, one below the other.

    >>> spread = [LabelDistribution.of_classes("gold", {"OK": 70, "BAD": 30})]
    >>> [text.get_text() for text in label_distributions(spread).axes[0].texts]
    ['70 %', '30 %']
    """
    if not distributions:
        raise InputError("There are no labels to draw.", hint="Give labels of one segment or more.")
    heights = [HEIGHT if d.edges is not None else ROW * max(1, len(d.labels)) for d in distributions]
    with drawing():
        figure, places = _column_of_axes(WIDTH, heights, 0.55)
        for ax, distribution in zip(places, distributions, strict=True):
            if distribution.edges is not None:
                _histogram(ax, distribution.shares, distribution.edges)
            else:
                _bars(ax, distribution.labels, distribution.shares.tolist())
            ax.set_title(label(distribution.name), parse_math=False, pad=3)
            ax.spines[["top", "right"]].set_visible(False)
            ax.tick_params(length=2, pad=3)
    return figure


def quality_figure(answer: QualityEvaluation, picture: str | None = None) -> Figure:
    """Confusion matrices of the systems, or distributions of the labels; tags have both."""
    wanted = picture or ("confusion" if answer.confusions else "labels")
    systems = [c for c in answer.confusions if not c.system.startswith("all ")]
    return confusion_matrices(systems) if wanted == "confusion" else label_distributions(answer.distributions)


def _column_of_axes(width: float, heights: Sequence[float], gap: float) -> tuple[Figure, list[Axes]]:
    """A figure of axes one below the other, so many inches wide and high."""
    total = sum(heights) + gap * (len(heights) - 1)
    figure = blank(width, total)
    places, top = [], total
    for height in heights:
        places.append(figure.add_axes((0, (top - height) / total, 1, height / total)))
        top -= height + gap
    return figure, places


def _heat_map(ax: Axes, confusion: Confusion) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    n = len(confusion.labels)
    shares = confusion.shares
    colours = LinearSegmentedColormap.from_list("tercet-shares", ("#fafafa", "#92acd3", "#274b86"))
    edges = np.arange(n + 1) - 0.5
    ax.pcolormesh(edges, edges, shares, cmap=colours, vmin=0, vmax=1)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
    for row, column in np.ndindex(n, n):
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SIZE - 1}
        ink = "white" if shares[row, column] > DARK else INK
        ax.text(column, row, str(confusion.counts[row, column]), color=ink, **style)
    names = [label(name) for name in confusion.labels]
    ax.set_xticks(range(n), names, parse_math=False, rotation=90 if max(map(len, names)) > FLAT else 0)
    ax.set_yticks(range(n), names, parse_math=False)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, pad=3)
    ax.spines[:].set_edgecolor(RULE)
    ax.set_ylabel("true tag")
    ax.set_xlabel("tag that was given")
    ax.xaxis.set_label_position("bottom")
    grain = "" if confusion.granularity == "given" else f", {confusion.granularity}"
    ax.set_title(label(f"{confusion.system}, {confusion.task}{grain}"), pad=8, parse_math=False)


def _histogram(ax: Axes, shares: Array, bins: Array) -> None:
    ax.bar(bins[:-1], 100 * shares, np.diff(bins), align="edge", color=BAR, edgecolor="white", linewidth=0.4)
    ax.set_xlim(bins[0], bins[-1])
    ax.set_ylabel("% of segments")


def _bars(ax: Axes, labels: Sequence[str], shares: Sequence[float]) -> None:
    names = [label(name) for name in labels]
    ax.barh(range(len(names)), [100 * share for share in shares], color=BAR, height=0.7)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    for row, share in enumerate(shares):
        ax.text(100 * share + 1, row, numbers.percent(share), va="center", fontsize=SIZE - 1)
    ax.set_xticks([])
