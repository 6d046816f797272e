"""Agreement among the best N systems only, as the metrics task of WMT19 shows it (Ma et al. 2019, Figure 5).

Metrics of interest are in colour, each with a marker and a dash of its own, the others in grey. Names stand at the ends
of the lines.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from tercet.data import TopCurve
from tercet.errors import InputError
from tercet.numbers import UNDEFINED
from tercet.plots.canvas import INK, RULE, SIZE, axes, drawing, label, scaled
from tercet.plots.layout import LinesLayout, lines_layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 4.2, 2.8  # inches
ROW = 0.125  # of a name
GAP = 16.0  # points between the axes and the names
POINTS = 72.0  # an inch
GREY, GREY_TEXT = "#b0b0b0", "#6b6b6b"
# Okabe and Ito's colours, of those that are dark enough for lines: they suit the colour-blind
COLOURS = ("#0072b2", "#d55e00", "#007d5c", "#a8467d", INK)
MARKERS = ("o", "s", "^", "D", "v", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1.5, 1, 1.5)))


def top_n_curves(
    curves: Sequence[TopCurve], *, highlight: Collection[str] | None = None, palette: Sequence[str] = ()
) -> Figure:
    """A line a metric, from the few best systems to all of them; gaps where agreement is not defined.

    `highlight` names the metrics in colour; if it is left out, the five that agree best on all systems are. Metrics
    have the colours of their places in `palette`, so that one looks the same in several figures.

    >>> curves = [TopCurve("de-en", "pearson", m, (4, 5), (r, 0.9)) for m, r in (("bleu", 0.1), ("chrf", 0.5))]
    >>> [text.get_text() for text in top_n_curves(curves).axes[0].texts]
    ['bleu', 'chrf']
    """
    if not any(curve.sizes for curve in curves):
        raise InputError("There is no curve to draw.", hint="Give at least one metric with one size.")
    if unknown := sorted(set(highlight or ()) - {curve.metric for curve in curves}):
        raise InputError(
            f"There is no curve of {unknown[0]}.", hint=f"There are {', '.join(c.metric for c in curves)}."
        )
    height = max(HEIGHT, ROW * len(curves))
    measure = curves[0].measure_title
    layout = lines_layout(curves, "best N systems by human score", measure, ROW / height, highlight=highlight)
    with drawing():
        figure, ax = axes(WIDTH, height)
        _frame(ax, layout, curves[0].direction)
        coloured = [curves[i].metric for i in sorted(layout.coloured)]
        styles = _styles(list(dict.fromkeys([*palette, *coloured])))
        styles = {metric: styles[metric] for metric in coloured}
        for curve in sorted(curves, key=lambda c: c.metric in styles):  # colours over grey
            _curve(ax, curve, styles.get(curve.metric))
        _names(ax, layout, curves, styles)
    return figure


def colours_of(palette: Sequence[str]) -> dict[str, str]:
    """The colour that each metric of a palette has in all figures."""
    return {metric: style["color"] for metric, style in _styles(palette).items()}


def _styles(metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {
        metric: {
            "color": COLOURS[i % len(COLOURS)],
            "marker": MARKERS[i % len(MARKERS)],
            "linestyle": DASHES[i % len(DASHES)],
        }
        for i, metric in enumerate(metrics)
    }


def _frame(ax: Axes, layout: LinesLayout, title: str) -> None:
    scaled(ax, layout.x, layout.y)
    ax.grid(axis="y", linewidth=0.4, linestyle=(0, (1, 2)))
    low, high = layout.y.span
    if low < 0 < high:
        ax.axhline(0, color=RULE, linewidth=0.8, zorder=1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=2, pad=3)
    ax.set_xlabel(layout.x.name)
    ax.set_ylabel(label(layout.y.name), parse_math=False)
    ax.set_title(label(title), pad=8, parse_math=False)


def _curve(ax: Axes, curve: TopCurve, style: dict[str, Any] | None) -> None:
    if style is None:
        ax.plot(curve.sizes, curve.values, color=GREY, linewidth=0.8, zorder=2)
        return
    if curve.low and curve.high:
        ax.fill_between(curve.sizes, curve.low, curve.high, color=style["color"], alpha=0.1, linewidth=0, zorder=2)
    ax.plot(
        curve.sizes,
        curve.values,
        linewidth=1.3,
        markersize=3.2,
        markeredgecolor="white",
        markeredgewidth=0.3,
        zorder=3,
        **style,
    )


def _names(ax: Axes, layout: LinesLayout, curves: Sequence[TopCurve], styles: dict[str, dict[str, Any]]) -> None:
    """To the right, in the order in which the lines end, each with a thin line to its own."""
    width = float(ax.figure.get_size_inches()[0]) * POINTS  # type: ignore[union-attr]
    left = 1 + GAP / width
    for curve, end, up in zip(curves, layout.ends, layout.names, strict=True):
        style = styles.get(curve.metric)
        colour = GREY_TEXT if style is None else style["color"]
        if end is not None:
            line: dict[str, Any] = {"color": colour, "linewidth": 0.4, "clip_on": False, "zorder": 1}
            ax.plot([layout.x.place(end[0]), left], [layout.y.place(end[1]), up], transform=ax.transAxes, **line)
        text: dict[str, Any] = {"fontsize": SIZE - 1, "color": colour, "weight": "bold" if style else "normal"}
        shown = label(curve.metric) + ("" if end is not None else f" ({UNDEFINED})")
        ax.text(left + 2 / width, up, shown, transform=ax.transAxes, va="center", parse_math=False, **text)
