"""A table of text: what an answer says to a person, before it is rendered in some format."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Table:
    """What a person reads: a header, rows of text, notes below.

    `best` are the cells to set in bold, `rules` the rows under which a line is drawn, `subheader` is a second line of
    the header.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()
    rules: frozenset[int] = frozenset()
    subheader: tuple[str, ...] = ()

    @property
    def headers(self) -> list[tuple[str, ...]]:
        """The one or two lines of the header."""
        return [self.header, self.subheader] if self.subheader else [self.header]
