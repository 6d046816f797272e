"""The metrics tasks of WMT14, WMT15, WMT19 and WMT20 again: what their tables share, and all of their rows."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import NamedTuple

from replication.rows import DATA, Row, read_lines
from tercet.data import TestSet

PUBLISHED = DATA.parent / "published" / "metric-task-results.csv"


class Printed(NamedTuple):
    """A figure as it was printed: its value, its digits, and half a unit of the last of them."""

    value: float
    digits: int
    half: float


def printed(text: str) -> Printed:
    """A figure as it stands in a file or a paper."""
    digits = len(text.partition(".")[2])
    return Printed(float(text), digits, 0.5 * 10**-digits)


def last_digit(campaign: str, what: str, published: str, ours: float, stated: str = "") -> Row:
    """A row whose figures must agree to the last digit that was printed."""
    figure = printed(published)
    return Row(campaign, what, figure.value, ours, figure.half, figure.digits, stated=stated)


class Cell(NamedTuple):
    """A cell of a published table, and half the width of its interval; empty where none was printed."""

    value: str
    half_width: str


def published(year: int) -> dict[tuple[str, str, str, str], Cell]:
    """The tables of a year by level, metric, direction (or group, for an average) and statistic.

    Cells without a number are left out.
    """
    found = {}
    for r in csv.DictReader(read_lines(PUBLISHED)):
        if r["year"] == str(year) and r["value"] not in ("n/a", "nan"):
            where = r["group"] if r["direction"] == "average" else r["direction"]
            found[r["level"], r["metric"], where, r["statistic"]] = Cell(r["value"], r["ci95"])
    return found


def changed(texts: TestSet, change: Callable[[str], str]) -> TestSet:
    """A test set whose outputs and references were put through something."""
    systems = {name: [change(text) for text in own] for name, own in texts.systems.items()}
    references = [[change(text) for text in own] for own in texts.references or ()]
    return TestSet.of(systems, references, segments=texts.segments)


def rows() -> Iterator[Row]:
    """All of it."""
    from replication import metrics_wmt14, metrics_wmt15, metrics_wmt19, metrics_wmt20

    for year in (metrics_wmt14, metrics_wmt15, metrics_wmt19, metrics_wmt20):
        yield from year.rows()
