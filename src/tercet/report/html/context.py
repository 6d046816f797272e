"""What the blocks of one page share: anchors that are taken, names that the script knows by number, data of plots."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from tercet.report.html.markup import Html, data
from tercet.report.html.text import clipped

COLOURS, DASHES = 6, 3  # in page.css; further metrics take the colours again with dashes
RESERVED = frozenset({"content", "data", "summary", "theme", "tip", "notes"})


@dataclasses.dataclass
class Context:
    """Filled while a page is written, in the order of the page, so that the same report gives the same bytes."""

    names: dict[str, int] = dataclasses.field(default_factory=dict)
    coloured: dict[str, int] = dataclasses.field(default_factory=dict)
    charts: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    anchors: set[str] = dataclasses.field(default_factory=lambda: set(RESERVED))

    def number(self, name: str) -> int:
        """The number of a system or metric on this page."""
        return self.names.setdefault(name, len(self.names))

    def colour(self, metric: str) -> int:
        """The number of a metric's colour, the same in all figures of a page."""
        return self.coloured.setdefault(metric, len(self.coloured)) % COLOURS

    def dash(self, metric: str) -> int:
        """The number of its dash, where metrics share a colour."""
        self.colour(metric)
        return self.coloured[metric] // COLOURS % DASHES

    def add(self, chart: dict[str, Any]) -> int:
        """Keep the data of a plot for the script; gives its place."""
        self.charts.append(chart)
        return len(self.charts) - 1

    def anchor(self, wanted: str) -> str:
        """An anchor that is free and safe in an address.

        >>> context = Context()
        >>> context.anchor("de-en"), context.anchor("de-en"), context.anchor("<b> 2"), context.anchor("")
        ('de-en', 'de-en-2', 'b-2', 'part')
        """
        base = re.sub(r"[^A-Za-z0-9_.-]+", "-", wanted[:60]).strip("-") or "part"
        free, number = base, 1
        while free in self.anchors:
            number += 1
            free = f"{base}-{number}"
        self.anchors.add(free)
        return free

    def data(self) -> Html:
        """All data as JSON, for the script."""
        return data({"names": [clipped(name) for name in self.names], "charts": self.charts})
