"""Text on its way into a page: names are hostile, so all of it is cleaned here, and escaped in `markup`."""

from __future__ import annotations

from tercet.escaping import NAME_LIMIT as NAME_LIMIT
from tercet.escaping import clipped as clipped


def isolated(name: str, limit: int = NAME_LIMIT) -> str:
    """A name inside a plain sentence, between the marks (U+2068, U+2069) that do for text what <bdi> does for HTML."""
    return f"\u2068{clipped(name, limit)}\u2069"


def is_clipped(name: str) -> bool:
    """Whether a name is too long to be shown whole."""
    return len(name) > NAME_LIMIT
