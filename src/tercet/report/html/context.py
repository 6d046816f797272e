"""What the blocks of one page share: anchors that are taken, names that the script knows by number, data of plots."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

from tercet.report.html.text import clipped

RESERVED = frozenset({"content", "data", "summary", "theme", "tip", "notes"})
_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


@dataclasses.dataclass
class Context:
    """Filled while a page is written, in the order of the page, so that the same report gives the same bytes."""

    names: dict[str, int] = dataclasses.field(default_factory=dict)
    charts: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    anchors: set[str] = dataclasses.field(default_factory=lambda: set(RESERVED))

    def number(self, name: str) -> int:
        """The number of a system or metric on this page."""
        return self.names.setdefault(name, len(self.names))

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
        found, number = base, 1
        while found in self.anchors:
            number += 1
            found = f"{base}-{number}"
        self.anchors.add(found)
        return found

    def json(self) -> str:
        """All data as JSON that cannot end the element it stands in, whatever the names are."""
        body = {"names": [clipped(name) for name in self.names], "charts": self.charts}
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return "".join(_ESCAPED.get(char, char) for char in text) if set(_ESCAPED) & set(text) else text
