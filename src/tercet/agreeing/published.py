"""The result tables of the metrics tasks of WMT14 (Macháček and Bojar 2014) and WMT15 (Stanojević et al. 2015), as they
were printed, to show a metric among those that took part.

`published.tsv` beside this file holds the figures, a line a row of a table; scripts/make_published.py writes it. The
main figure is Pearson's r at the system level and Kendall's tau in the variant of WMT14 at the segment level. Figures
are compared as printed, with three decimals: a metric that differs less than that shares a place.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources
import math
from collections.abc import Iterable, Mapping, Sequence

from tercet.data import MetaEvaluation, MetricAgreement
from tercet.data.published import AVERAGE, AmongCell, AmongRow, AmongTable, Group
from tercet.errors import InputError
from tercet.numbers import mean_of_all

PUBLISHED = ("wmt14", "wmt15")
STATISTICS: Mapping[str, str] = {"system": "pearson", "segment": "kendall-wmt14"}  # the main one of each level
MEASURES: Mapping[str, str] = {"system": "pearson", "segment": "kendall(variant=wmt14)"}  # the same as our specs
_TITLES = {"wmt14": "WMT14 metrics task", "wmt15": "WMT15 metrics task"}
_NOT_AVERAGED = {("wmt14", "system"): ("en-de",)}  # 18 close systems; the paper shows it after the average
_DIGITS = 3


@dataclasses.dataclass(frozen=True)
class PublishedFigure:
    """One figure of a table. The value is None where `n/a` is printed and NaN where `nan` is."""

    level: str
    group: Group
    metric: str
    direction: str  # or average
    statistic: str
    value: float | None
    half_width: float | None = None  # the ± of the papers


@dataclasses.dataclass(frozen=True)
class PublishedTable:
    """The figures of one campaign."""

    name: str
    title: str
    records: tuple[PublishedFigure, ...]

    @property
    def testset(self) -> str:
        """The test set whose translations were judged: newstest2015 of wmt15."""
        return f"newstest20{self.name.removeprefix('wmt')}"

    def select(self, level: str, statistic: str, group: Group) -> dict[str, dict[str, PublishedFigure]]:
        """Figures by metric and direction, the average among them; what is not there was not printed."""
        rows: dict[str, dict[str, PublishedFigure]] = {}
        for figure in self.records:
            if (figure.level, figure.statistic, figure.group) == (level, statistic, group):
                rows.setdefault(figure.metric, {})[figure.direction] = figure
        if not rows:
            known = sorted({f"{figure.level} {figure.statistic} {figure.group}" for figure in self.records})
            raise InputError(f"{self.title}: no {level} {statistic} {group}.", hint=f"There are {', '.join(known)}.")
        return rows

    def directions(self, level: str, group: Group) -> tuple[str, ...]:
        """The directions of a level and group, in the order of their names."""
        directions = {figure.direction for figure in self.records if (figure.level, figure.group) == (level, group)}
        return tuple(sorted(directions - {AVERAGE}))

    def averaged(self, level: str, group: Group) -> tuple[str, ...]:
        """Those that go into the average."""
        left_out = _NOT_AVERAGED.get((self.name, level), ())
        return tuple(direction for direction in self.directions(level, group) if direction not in left_out)


@functools.cache
def published(name: str) -> PublishedTable:
    """The table of a campaign.

    >>> wmt15 = published("wmt15")
    >>> wmt15.select("system", "pearson", "into-en")["DPMFCOMB"]["de-en"].value
    0.973
    """
    if name not in PUBLISHED:
        raise InputError(f"There are no published results called {name!r}.", hint=f"There are {', '.join(PUBLISHED)}.")
    text = importlib.resources.files(__package__).joinpath("published.tsv").read_text(encoding="utf-8")
    records: list[PublishedFigure] = []
    for line in text.splitlines()[1:]:
        campaign, level, group, statistic, metric, figures = line.split("\t")
        if campaign == name:
            for figure in figures.split(" "):
                direction, _, printed = figure.partition("=")
                value, _, half = printed.partition("±")
                records.append(
                    PublishedFigure(
                        level,
                        "into-en" if group == "into-en" else "from-en",
                        metric,
                        direction,
                        statistic,
                        None if value == "n/a" else float(value),
                        float(half) if half else None,
                    )
                )
    return PublishedTable(name, _TITLES[name], tuple(records))


def group_of(direction: str) -> Group | None:
    """Whether a direction goes into English or out of it; None for neither.

    >>> group_of("de-en"), group_of("en-de"), group_of("de-fr")
    ('into-en', 'from-en', None)
    """
    return "into-en" if direction.endswith("-en") else "from-en" if direction.startswith("en-") else None


def place(table: PublishedTable, level: str, direction: str, value: float, group: Group | None = None) -> int:
    """Where a metric of this value would stand in a direction, 1 is the best; `group` says of which average.

    Among averages, only those of metrics that took part in every direction count.

    >>> place(published("wmt15"), "system", "de-en", 0.982)
    1
    """
    if level not in STATISTICS:
        raise InputError(f"{table.title}: no {level} level.", hint=f"The levels are {', '.join(STATISTICS)}.")
    if math.isnan(value):
        raise InputError("A value that is not defined has no place.", hint="Leave it out.")
    chosen = group if direction == AVERAGE else group_of(direction)
    if chosen is None or direction not in (AVERAGE, *table.directions(level, chosen)):
        raise _no_direction(table, level, direction)
    rows = table.select(level, STATISTICS[level], chosen)
    if direction == AVERAGE:
        rows = {name: row for name, row in rows.items() if _complete(row, table.averaged(level, chosen))}
    values = (row[direction].value for row in rows.values() if direction in row)
    return 1 + sum(other is not None and other > round(value, _DIGITS) for other in values)


def among(table: PublishedTable, level: str, records: Iterable[MetricAgreement]) -> dict[Group, tuple[AmongRow, ...]]:
    """The published rows and the user's together, best first, for each group of directions that the user has.

    Of the records, those of this level and its main measure count. Complete rows come first, each block sorted by the
    average; of equal ones, the published come first. The user's average is made as the table's.
    """
    if level not in STATISTICS:
        raise InputError(f"{table.title}: no {level} level.", hint=f"The levels are {', '.join(STATISTICS)}.")
    mine: dict[Group, dict[str, dict[str, AmongCell]]] = {}
    for record in records:
        if (record.level, record.measure) != (level, MEASURES[level]):
            continue
        group = group_of(record.direction)
        if group is None or record.direction not in table.directions(level, group):
            raise _no_direction(table, level, record.direction)
        cells = mine.setdefault(group, {}).setdefault(record.metric, {})
        if record.direction in cells:
            raise InputError(f"{record.metric} is there twice in {record.direction}.", hint="Keep one of the two.")
        where = None if math.isnan(record.value) else place(table, level, record.direction, record.value)
        cells[record.direction] = AmongCell(record.value, record.half_width, where, record.low, record.high)
    if not mine:
        raise InputError(
            f"There is nothing to show in the table of {table.title}.",
            hint=f"At the {level} level it needs the measure {MEASURES[level]}.",
        )
    return {group: _merged(table, level, group, metrics) for group, metrics in mine.items()}


def standings(evaluation: MetaEvaluation, name: str) -> tuple[AmongTable, ...]:
    """The metrics of an evaluation in a published table, one a group of directions.

    With one direction only, rows are sorted by that one; otherwise by the average.
    """
    table, level = published(name), evaluation.records[0].level
    tables = []
    for group, rows in among(table, level, evaluation.records).items():
        directions = {d for row in rows if row.own for d in row.cells}
        columns = [d for d in table.directions(level, group) if d in directions]
        ordered = rows if len(columns) > 1 else sorted(rows, key=lambda row: _by_direction(row, columns[0]))
        kept = [row for row in ordered if any(d in row.cells and row.cells[d].value is not None for d in columns)]
        columns += [AVERAGE] if len(columns) > 1 else []
        shown = tuple((row, _shown_place(table, level, group, row, columns[-1])) for row in kept)
        tables.append(AmongTable(table.title, table.testset, level, group, rows, tuple(columns), shown))
    return tuple(tables)


def _by_direction(row: AmongRow, direction: str) -> tuple[bool, float, bool]:
    value = row.cells[direction].value if direction in row.cells else None
    missing = value is None or math.isnan(value)
    return missing, 0.0 if value is None or missing else -round(value, _DIGITS), row.own


def _shown_place(table: PublishedTable, level: str, group: Group, row: AmongRow, column: str) -> int | None:
    """Where a row stands among the published ones; averages of rows with gaps have no place."""
    value = row.cells[column].value if column in row.cells else None
    if value is None or math.isnan(value) or (column == AVERAGE and not row.complete):
        return None
    return place(table, level, column, value, group)


def _merged(
    table: PublishedTable, level: str, group: Group, entrants: Mapping[str, dict[str, AmongCell]]
) -> tuple[AmongRow, ...]:
    averaged = table.averaged(level, group)
    rows = []
    for metric, figures in table.select(level, STATISTICS[level], group).items():
        cells = {direction: AmongCell(figure.value, figure.half_width) for direction, figure in figures.items()}
        rows.append(AmongRow(metric, False, _complete(figures, averaged), cells, None))
    for metric, mine in entrants.items():
        complete = _complete(mine, averaged)
        mean = _average([mine[direction] for direction in averaged if direction in mine])
        if mean.value is not None and complete and not math.isnan(mean.value):
            mean = dataclasses.replace(mean, place=place(table, level, AVERAGE, mean.value, group))
        rows.append(AmongRow(metric, True, complete, {**mine, AVERAGE: mean}, None))
    rows.sort(key=lambda row: (not row.complete, -_printed(row), row.own, row.metric))
    ranked = [_printed(row) for row in rows if row.complete and _printed(row) > -math.inf]
    return tuple(
        dataclasses.replace(row, place=1 + sum(other > _printed(row) for other in ranked))
        if row.complete and _printed(row) > -math.inf
        else row
        for row in rows
    )


def _complete(row: Mapping[str, PublishedFigure] | Mapping[str, AmongCell], directions: Sequence[str]) -> bool:
    """Whether a metric took part in all directions."""
    return all(direction in row and row[direction].value is not None for direction in directions)


def _average(cells: Sequence[AmongCell]) -> AmongCell:
    """The mean of the values, and those of the ± and of the ends if all are known; nothing of nothing."""
    values = [cell.value for cell in cells if cell.value is not None]
    half_width, low, high = (mean_of_all([getattr(c, end) for c in cells]) for end in ("half_width", "low", "high"))
    return AmongCell(math.fsum(values) / len(values), half_width, None, low, high) if values else AmongCell(None)


def _printed(row: AmongRow) -> float:
    """The average with as many digits as tables have; what is not defined or not there comes last."""
    value = row.cells[AVERAGE].value if AVERAGE in row.cells else None
    return -math.inf if value is None or math.isnan(value) else round(value, _DIGITS)


def _no_direction(table: PublishedTable, level: str, direction: str) -> InputError:
    known = (*table.directions(level, "into-en"), *table.directions(level, "from-en"))
    if direction == AVERAGE:
        return InputError("There are two averages.", hint="Say which: group into-en or from-en.")
    return InputError(
        f"{table.title} has no direction {direction!r} at the {level} level.", hint=f"It has {', '.join(known)}."
    )
