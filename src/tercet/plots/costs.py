"""What publishing more costs: the cost curve of `qe decide`, laid out as plain data and painted for print.

The page of `report` paints the same layout as SVG.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from tercet import numbers
from tercet.errors import InputError
from tercet.plots.layout import Axis, Tick, span, ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tercet.data.quality_answers import QualityDecision

WIDTH, COST, SHARE, GAP = 3.4, 1.7, 1.1, 0.28  # inches: of both panels, the height of each, between them
DIGITS = 3

Points = tuple[tuple[float, float], ...]


@dataclasses.dataclass(frozen=True)
class CostLayout:
    """Two panels over the share of segments that is published: what it costs, and what of it is wrong."""

    x: Axis
    cost: Axis
    share: Axis
    costs: Points
    wrong: Points  # percentages of all segments
    chosen: float  # percentage that is published at the risk that was asked for
    chosen_told: str
    cheapest: int  # point of the curve
    cheapest_told: str


def cost_layout(answer: QualityDecision) -> CostLayout:
    """The curve of a decision, laid out."""
    if not answer.curve:
        raise InputError("There is no cost curve to draw.", hint="Labels must have been held out in training.")
    points = sorted(answer.curve, key=lambda point: point.published)
    costs = tuple((100 * point.published, point.cost) for point in points)
    wrong = tuple((100 * point.published, 100 * point.wrong) for point in points)
    cheapest = min(range(len(points)), key=lambda i: points[i].cost)
    beside = "from" if answer.higher else "up to"
    chosen = 100 * dict(answer.shares)["publish"]
    across = (0.0, 100.0)
    upwards, below = span((cost for _, cost in costs), pad=0.18), (0.0, span(share for _, share in wrong)[1])
    least = numbers.score(points[cheapest].cost, DIGITS)
    return CostLayout(
        x=Axis(across, _percentages(), "segments that are published"),
        cost=Axis(upwards, tuple(ticks(upwards)), "cost a segment"),
        share=Axis(below, tuple((value, f"{text} %") for value, text in ticks(below, 3)), "published and not good"),
        costs=costs,
        wrong=wrong,
        chosen=chosen,
        chosen_told=f"risk {numbers.percent(answer.risk)}: {beside} {_threshold(answer.publish)}",
        cheapest=cheapest,
        cheapest_told=f"cheapest: {least}, {beside} {_threshold(points[cheapest].threshold)}",
    )


def _percentages() -> tuple[Tick, ...]:
    return tuple((float(value), f"{value} %") for value in range(0, 101, 25))


def _threshold(value: float) -> str:
    return numbers.score(value, DIGITS) if abs(value) < float("inf") else "nothing"


def cost_curve(answer: QualityDecision) -> Figure:
    """Cost and wrong decisions by how much is published; the risk that was asked for and the cheapest point are marked.

    >>> from tercet.data.quality_answers import CostPoint, QualityDecision
    >>> curve = (CostPoint(0.1, 0.2, 0.0, 0.0, 2.0), CostPoint(0.3, 0.8, 0.1, 0.125, 1.5))
    >>> shares = (("publish", 0.2), ("light edit", 0.5), ("full edit", 0.3))
    >>> made = QualityDecision(0.1, 0.3, 0.1, 0.3, 0.05, "all", shares, (), curve, (), False, "", ())
    >>> [text.get_text() for text in cost_curve(made).axes[0].texts]
    ['risk 5 %: up to 0.100', 'cheapest: 1.500, up to 0.300']
    """
    from tercet.plots.canvas import BAR, INK, SIZE, blank, drawing

    layout = cost_layout(answer)
    total = COST + GAP + SHARE
    with drawing():
        figure = blank(WIDTH, total)
        above = figure.add_axes((0, (SHARE + GAP) / total, 1, COST / total))
        below = figure.add_axes((0, 0, 1, SHARE / total))
        _panel(above, layout, layout.cost, layout.costs, BAR)
        _panel(below, layout, layout.share, layout.wrong, INK)
        above.set_xticklabels([])
        below.set_xlabel(layout.x.name)
        place = layout.costs[layout.cheapest]
        above.plot(*place, "o", markersize=5, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=0.9)
        left = layout.chosen > 50  # on the side where there is room
        above.annotate(
            layout.chosen_told,
            (layout.chosen, 1),
            (-4 if left else 4, -2),
            ("data", "axes fraction"),
            textcoords="offset points",
            ha="right" if left else "left",
            va="top",
            fontsize=SIZE - 1,
        )
        above.annotate(
            layout.cheapest_told,
            place,
            (0, -5),  # below the lowest point there is nothing in the way
            textcoords="offset points",
            ha="left" if place[0] < 25 else "right" if place[0] > 75 else "center",
            va="top",
            fontsize=SIZE - 1,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    return figure


def _panel(ax: Axes, layout: CostLayout, y: Axis, points: Points, colour: str) -> None:
    from tercet.plots.canvas import INK, RULE, scaled

    scaled(ax, layout.x, y)
    ax.plot([x for x, _ in points], [value for _, value in points], color=colour, linewidth=1.2)
    ax.axvline(layout.chosen, color=INK, linewidth=0.7, linestyle=(0, (4, 2)), zorder=1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color=RULE, linewidth=0.4, linestyle=(0, (1, 2)))
    ax.tick_params(length=2, pad=3)
    ax.set_ylabel(y.name)
