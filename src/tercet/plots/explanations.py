"""Why a segment has its score, as a picture: what matched where, edits by kind, n-grams found, or what was counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tercet.data.explanation import Explanation, Explanations
from tercet.numbers import score
from tercet.plots.canvas import BAR, INK, RULE, SIZE, drawing, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL, ROW, PANEL, GAP, WORD = 0.2, 0.24, 2.6, 0.6, 0.7  # inches, the last of words that stand upright
WORDS = 60  # of a text whose matches are drawn
COLOURS = {"exact": "#1a7446", "stem": "#1d5aa6", "synonym": "#7a3fae", "paraphrase": "#b3450b"}
OTHER = "#0b6b7c"
EMPTY = "#dfe5ec"

Bars = list[tuple[str, float, float]]  # a name, how much, and of how much


def explanations_figure(explanations: Explanations) -> Figure:
    """A panel a hypothesis, one below the other."""
    from matplotlib.figure import Figure as Page

    sizes = [_size(explanation) for explanation in explanations]
    gap = GAP + (WORD if any(map(_has_grid, explanations)) else 0)
    wide, high = max(w for w, _ in sizes), sum(h for _, h in sizes) + (len(sizes) - 1) * gap
    with drawing():
        figure, top = Page(figsize=(wide, high), facecolor="white"), high
        for explanation, (width, height) in zip(explanations, sizes, strict=True):
            ax = figure.add_axes((0, (top - height) / high, width / wide, height / high))
            top -= height + gap
            if _has_grid(explanation):
                _grid(ax, explanation)
            else:
                _bars(ax, _counts(explanation))
            value = score(explanation.score, explanation.digits)
            title = " ".join(filter(None, (explanation.system, explanation.metric, value)))
            ax.set_title(label(title), pad=6, parse_math=False)
    return figure


def _has_grid(explanation: Explanation) -> bool:
    few = max(len(explanation.hypothesis), len(explanation.reference)) <= WORDS
    return bool(explanation.matches) and explanation.edits is None and few


def _size(explanation: Explanation) -> tuple[float, float]:
    if _has_grid(explanation):
        return CELL * len(explanation.reference), CELL * len(explanation.hypothesis)
    return PANEL, ROW * max(2, len(_counts(explanation)))


def _grid(ax: Axes, explanation: Explanation) -> None:
    """Words of the hypothesis down, of the reference across; a square where they match, and why."""
    from matplotlib.patches import Patch, Rectangle

    n, m = len(explanation.hypothesis), len(explanation.reference)
    ax.set(xlim=(-0.5, m - 0.5), ylim=(n - 0.5, -0.5))
    kinds = explanation.matrix()
    for i, row in enumerate(kinds):
        for j, kind in enumerate(row):
            if kind:
                ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, color=COLOURS.get(kind, OTHER), linewidth=0))
    ax.set_yticks(range(n), [label(word) for word in explanation.hypothesis], parse_math=False)
    ax.set_xticks(range(m), [label(word) for word in explanation.reference], parse_math=False, rotation=90)
    ax.hlines([i - 0.5 for i in range(n + 1)], -0.5, m - 0.5, color=RULE, linewidth=0.3)
    ax.vlines([j - 0.5 for j in range(m + 1)], -0.5, n - 0.5, color=RULE, linewidth=0.3)
    ax.tick_params(length=0, pad=3)
    seen = sorted({kind for row in kinds for kind in row if kind})
    patches = [Patch(color=COLOURS.get(kind, OTHER), label=kind) for kind in seen]
    ax.legend(handles=patches, loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=SIZE - 1)


def _counts(explanation: Explanation) -> Bars:
    """Edits by kind, n-grams found by order, or the statistics of a metric that tells neither."""
    if explanation.edits is not None:
        return [(kind, float(n), math.nan) for kind, n in explanation.edits.counts().items()]
    orders = [
        (f"{order.order}-grams of {table.unit}s", float(order.matched), float(order.hypothesis))
        for table in explanation.ngrams
        for order in table.orders
    ]
    return orders or [(name, float(n), math.nan) for name, n in explanation.statistics]


def _bars(ax: Axes, bars: Sequence[tuple[str, float, float]]) -> None:
    """A bar each, with all that there was behind it."""
    places = range(len(bars))
    ax.set_ylim(max(len(bars), 2) - 0.5, -0.5)
    ax.barh(places, [0 if math.isnan(whole) else whole for _, _, whole in bars], color=EMPTY, height=0.6)
    ax.barh(places, [n if math.isfinite(n) else 0 for _, n, _ in bars], color=BAR, height=0.6)
    for y, (_, n, whole) in enumerate(bars):
        text = f" {n:g}" if math.isnan(whole) else f" {n:g} of {whole:g}"
        largest = max(n, 0 if math.isnan(whole) else whole) if math.isfinite(n) else 0
        ax.text(largest, y, text, va="center", fontsize=SIZE - 1, color=INK)
    ax.set_yticks(places, [label(name) for name, _, _ in bars], parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=2, pad=3)
