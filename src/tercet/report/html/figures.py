"""The HTML around a plot: caption, controls that the script brings to life, and what is said below.

Without a script the controls stay hidden and the first view is what one sees.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from typing import Any

from tercet.report.html.context import Context
from tercet.report.html.text import clipped, prose

OPTION = 60  # characters of a name in a list of choice; such lists are as wide as their longest name


def plot_figure(
    context: Context, chart: dict[str, Any], caption: str, plot: str, controls: str, told: str, hint: str = ""
) -> str:
    """A plot with all that belongs to it. `told` is the line below, which changes with the view."""
    number = context.add(chart)
    hinted = f'<p class="hint" hidden>{html.escape(hint)}</p>' if hint else ""
    return (
        f'<figure class="chart" data-chart="{number}"><figcaption>{prose(caption)}</figcaption>{controls}'
        f'<div class="plot">{plot}</div><p class="told" aria-live="polite">{html.escape(told)}</p>{hinted}</figure>'
    )


def pick(metrics: Sequence[str]) -> str:
    """A list to choose the metric from; nothing where there is no choice."""
    if len(metrics) < 2:
        return ""
    options = "".join(f"<option>{html.escape(clipped(m, OPTION))}</option>" for m in metrics)
    return f'<label class="pick" hidden>Metric <select dir="auto">{options}</select></label>'


def chips(
    metrics: Sequence[str], chosen: Collection[int], classes: Sequence[str], legend: str = "Metrics in colour"
) -> str:
    """Boxes to choose some of the metrics; each carries the class of its line's colour."""
    boxes = "".join(
        f'<label class="{classes[i]}"><input type="checkbox" value="{i}"{" checked" if i in chosen else ""}>'
        f"<bdi>{html.escape(clipped(m, OPTION))}</bdi></label>"
        for i, m in enumerate(metrics)
    )
    return f'<fieldset class="chips" hidden><legend>{html.escape(legend)}</legend>{boxes}</fieldset>'
