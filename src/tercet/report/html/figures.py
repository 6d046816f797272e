"""The HTML around a plot: caption, controls that the script brings to life, and what is said below.

Without a script the controls stay hidden and the first view is what one sees.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tercet.report.html.context import Context
from tercet.report.html.markup import Html, element, prose, told
from tercet.report.html.text import clipped

OPTION = 60  # characters of a name in a list of choice; such lists are as wide as their longest name


def plot_figure(
    context: Context, chart: dict[str, Any], caption: str, plot: Html, controls: Html, below: str, hint: str = ""
) -> Html:
    """A plot with all that belongs to it. `below` is the line below, which changes with the view."""
    return element(
        "figure",
        element("figcaption", prose(caption)),
        controls,
        element("div", plot, class_="plot"),
        element("p", told(below), class_="told", aria_live="polite"),
        element("p", hint, class_="hint", hidden=True) if hint else "",
        class_="chart",
        data_chart=context.add(chart),
    )


def pick(metrics: Sequence[str]) -> Html:
    """A list to choose the metric from; nothing where there is no choice."""
    if len(metrics) < 2:
        return Html()
    options = [element("option", clipped(metric, OPTION)) for metric in metrics]
    return element("label", "Metric ", element("select", *options, dir="auto"), class_="pick", hidden=True)


def chips(
    metrics: Sequence[str],
    chosen: Collection[int],
    classes: Sequence[str],
    legend: str = "Metrics in colour",
    titles: Sequence[str | None] = (),
) -> Html:
    """Boxes to choose some of the metrics; each carries the class of its line's colour, and maybe a longer name."""
    boxes = [
        element(
            "label",
            element("input", type="checkbox", value=i, checked=i in chosen),
            element("bdi", clipped(metric, OPTION)),
            class_=classes[i],
            title=titles[i] if titles else None,
        )
        for i, metric in enumerate(metrics)
    ]
    return element("fieldset", element("legend", legend), *boxes, class_="chips", hidden=True)
