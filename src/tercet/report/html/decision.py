"""The page of `qe decide`: what is published, edited lightly and edited fully, and what other thresholds would cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tercet import numbers
from tercet.data.quality_answers import QualityDecision
from tercet.data.table import Table
from tercet.plots.costs import DIGITS, CostLayout, Points, cost_layout
from tercet.plots.layout import Axis
from tercet.report.html import axes
from tercet.report.html.axes import Box, units
from tercet.report.html.blocks import Cell, Report, Section, TableBlock
from tercet.report.html.context import Context
from tercet.report.html.figures import plot_figure
from tercet.report.html.markup import Html, asset, element, joined, look
from tercet.report.html.page import framed
from tercet.report.html.tables import table
from tercet.report.quality_training import curve_table, decisions_table, thresholds_table

MOST = 2000  # segments of a page
BOX = Box(height=190)


def decision_page(answer: QualityDecision) -> str:
    """Decisions as one self-contained HTML file."""
    context = Context()
    sections = [
        Section("Decisions", "decisions"),
        Section("What other thresholds cost", "costs", intro="By the labels that were held out in training."),
        Section("All thresholds", "thresholds"),
    ]
    bodies = [
        table(_block("Shares of held-out segments", thresholds_table(answer), answer.threshold_records()), context, ()),
        _figures(answer, context),
        table(_block("Cost by threshold", curve_table(answer), answer.curve_records()), context, ()),
    ]
    notes = list(answer.notes)
    if answer.segments:
        sections.append(Section("Segments", "segments"))
        bodies.append(table(_block("Decisions on segments", decisions_table(answer), answer.as_records()), context, ()))
        if len(answer.segments) > MOST:
            notes.append(f"The first {MOST} segments are shown, of {len(answer.segments)}.")
    report = Report(
        title="What can be published?",
        summary=tuple(_summary(answer)),
        sections=tuple(sections),
        signature=answer.signature,
        notes=tuple(notes),
    )
    anchors = [context.anchor(section.id) for section in sections]
    return framed(report, anchors, bodies, context, look(), asset("page.js"))


def _summary(answer: QualityDecision) -> list[str]:
    shares = [f"{name} {numbers.percent(share)}" for name, share in answer.shares]
    told = [f"At a risk of {numbers.percent(answer.risk)}, of segments with held-out labels: {', '.join(shares)}."]
    if answer.segments:
        listed = ", ".join(f"{name} {count}" for name, count in answer.counts().items())
        told.insert(0, f"Of {len(answer.segments)} segments: {listed}.")
    return told


def _block(caption: str, shown: Table, records: Sequence[dict[str, Any]]) -> TableBlock:
    """A table of the shell, in columns that can be sorted."""
    rows = [
        tuple(Cell(text, value) for text, value in zip(texts, record.values(), strict=False))
        for texts, record in zip(shown.rows[:MOST], records, strict=False)
    ]
    return TableBlock(caption, shown.header, tuple(rows))


def _figures(answer: QualityDecision, context: Context) -> Html:
    layout = cost_layout(answer)
    told = f"Dashed: {layout.chosen_told}. Circle: {layout.cheapest_told}."
    costs = [numbers.score(value, DIGITS) for _, value in layout.costs]
    shares = [numbers.percent(value / 100) for _, value in layout.wrong]
    return joined(
        _panel(layout, layout.cost, layout.costs, costs, context, mark=True),
        _panel(layout, layout.share, layout.wrong, shares, context),
        element("p", told),
    )


def _panel(
    layout: CostLayout, y: Axis, points: Points, told: Sequence[str], context: Context, *, mark: bool = False
) -> Html:
    places = [(BOX.x(layout.x.span, x), BOX.y(y.span, value)) for x, value in points]
    path = "L".join(f"{units(x)} {units(up)}" for x, up in places)
    chosen = f"M{units(BOX.x(layout.x.span, layout.chosen))} {units(BOX.top)}v{units(BOX.height)}"
    x, up = places[layout.cheapest]
    circle = element("g", element("circle", r=4.5), class_="best", transform=f"translate({units(x)} {units(up)})")
    body = joined(
        axes.frame(BOX, layout.x, y),
        element("g", element("path", class_="stroke", d=chosen), class_="line d1"),
        element("g", element("path", class_="stroke", d=f"M{path}"), class_="line c0 on"),
        circle if mark else "",
    )
    shown = [
        [f"{numbers.percent(share / 100)} published", f"{y.name}: {text}"]
        for (share, _), text in zip(points, told, strict=True)
    ]
    data = {
        "kind": "dots",
        "points": [[round(x, 1), round(up, 1), lines] for (x, up), lines in zip(places, shown, strict=True)],
    }
    plot = axes.svg(BOX.bottom + 40, f"Line plot: {y.name} by {layout.x.name}. {layout.cheapest_told}", body)
    return plot_figure(
        context, data, f"{y.name[0].upper()}{y.name[1:]}, by how many segments are published", plot, Html(), ""
    )
