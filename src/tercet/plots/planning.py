"""A plan as a picture: how often systems come apart, by the number of judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tercet.data.planning import Plan
from tercet.plots.canvas import BAR, INK, RULE, SIZE, axes, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 3.4, 2.2  # inches


def plan_figure(plan: Plan) -> Figure:
    """Shares of simulated campaigns by their size, the power that is wanted, and the size that is enough."""
    records = sorted(plan.records, key=lambda record: int(record["judgements"]))
    sizes = [record["judgements"] for record in records]
    with drawing():
        figure, ax = axes(WIDTH, HEIGHT)
        for name, colour, dashes in (("separated", BAR, "-"), ("ordered", INK, "--")):
            values = [record[name] for record in records]
            words = "all systems apart" if name == "separated" else "in the right order"
            ax.plot(sizes, values, dashes, marker="o", markersize=3, color=colour, linewidth=1.2, label=words)
        ax.axhline(plan.power, color=RULE, linewidth=0.8, linestyle=(0, (4, 2)))
        if plan.enough is not None:
            ax.axvline(plan.enough, color=RULE, linewidth=0.8, linestyle=(0, (4, 2)))
        if len(sizes) > 1:
            ax.set_xscale("log")
        ax.set_xticks(sizes, [str(size) for size in sizes], rotation=45)
        ax.minorticks_off()
        ax.set(ylim=(-0.03, 1.03), xlabel="judgements", ylabel="share of campaigns")
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(length=2, pad=3)
        ax.legend(frameon=False, fontsize=SIZE - 1)
    return figure
