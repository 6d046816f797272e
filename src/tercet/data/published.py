"""Metrics of a user among those of a published table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal

Group = Literal["into-en", "from-en"]
AVERAGE = "average"


@dataclasses.dataclass(frozen=True)
class AmongCell:
    """A figure of a row; `place` is that of a user's metric among the published ones of the column."""

    value: float | None
    half_width: float | None = None
    place: int | None = None
    low: float | None = None  # ends of the interval, for figures without a ±
    high: float | None = None


@dataclasses.dataclass(frozen=True)
class AmongRow:
    """A metric in a published table. Rows that are not complete lack a direction: their averages do not compare."""

    metric: str
    own: bool  # the user's
    complete: bool
    cells: Mapping[str, AmongCell]  # by direction, and the average
    place: int | None  # in the table, by the average, of complete rows; 1 is the best


@dataclasses.dataclass(frozen=True)
class AmongTable:
    """The user's metrics among those of one group of directions of a published table."""

    title: str
    testset: str
    level: str
    group: Group
    rows: tuple[AmongRow, ...]  # all, the best average first
    columns: tuple[str, ...]  # directions that the user has, and the average if there are several
    shown: tuple[tuple[AmongRow, int | None], ...]  # rows with a figure in a column, with their places by the last
