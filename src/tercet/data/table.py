"""A table of text: what an answer says to a person, before it is rendered in some format."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence


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


def highest(values: Sequence[float], digits: int) -> list[int]:
    """Which of several figures are the highest as printed; none where nothing is defined.

    >>> highest([0.5, 0.9001, float("nan"), 0.9], 3), highest([float("nan")], 3)
    ([1, 3], [])
    """
    printed = [round(value, digits) for value in values]
    top = max((value for value in printed if not math.isnan(value)), default=math.nan)
    return [i for i, value in enumerate(printed) if value == top]
