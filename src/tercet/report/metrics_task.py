"""The result tables of the metrics tasks: metrics down, directions across.

As WMT14 and WMT15 print them (Macháček and Bojar 2014, Stanojević et al. 2015): metrics that took part in every
direction stand above, sorted by their average, the others below a line, as their averages cannot be compared. A sign
in the columns after the average says where these would put a metric higher than the one above it. The best of a column
is bold; in WMT19 (Ma et al. 2019) it was every metric that no other one significantly outperforms.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from tercet.errors import InputError
from tercet.report.tables import Table

MARK = "≀"
_DIGITS = 3


@dataclasses.dataclass(frozen=True)
class Cell:
    """One figure: a coefficient (NaN: not defined), its ±, and whether no other metric is significantly better.

    `weight` is that of its direction in the average: 1, or the number of pairs of a share that is pooled.
    """

    value: float
    half_width: float | None = None
    winner: bool | None = None
    weight: float = 1.0


Cells = Mapping[tuple[str, str], Cell | None]  # by metric and direction; None or absent: it did not take part
Column = Sequence[Cell | None]


def metrics_table(
    cells: Cells,
    directions: Sequence[str],
    *,
    counts: Mapping[str, int] | None = None,
    counted: str = "systems",
    exclude: Collection[str] = (),
    secondary: Mapping[str, Mapping[str, Cell]] | None = None,
    bold: Literal["best", "winners"] = "best",
) -> Table:
    """The table of one level and measure, with the directions in the order given.

    `counts` are how many systems or pairs each direction has, for a second line of the header that `counted` names.
    The average leaves out the directions of `exclude`, which follow it. `secondary` are further columns, a cell for
    each metric under a title.

    >>> cells = {("a", "cs-en"): Cell(0.9), ("a", "de-en"): Cell(0.5)}
    >>> cells |= {("b", "cs-en"): Cell(0.8), ("b", "de-en"): Cell(0.7)}
    >>> metrics_table(cells, ["cs-en", "de-en"]).rows
    (('b', '.800', '.700', '.750'), ('a', '.900', '.500', '.700'))
    """
    secondary = secondary or {}
    metrics = list(dict.fromkeys(metric for metric, _ in cells))
    _check(cells, directions, metrics, exclude, secondary, counts)
    averaged = [d for d in directions if d not in exclude]
    means = {m: average([cells.get((m, d)) for d in averaged]) for m in metrics}
    full = [m for m in metrics if all(cells.get((m, d)) for d in averaged)]
    blocks = [_by_average(full, means), _by_average([m for m in metrics if m not in full], means)]
    order = [*blocks[0], *blocks[1]]

    def by_direction(names: Sequence[str]) -> dict[str, Column]:
        return {d: [cells.get((m, d)) for m in order] for d in names}

    columns = by_direction(averaged)
    if len(averaged) > 1:
        columns["average"] = [means[m] for m in order]
    columns |= by_direction([d for d in directions if d in exclude])
    others = {title: [column.get(m) for m in order] for title, column in secondary.items()}
    texts = [[_text(cell) for cell in column] for column in columns.values()]
    texts += [_marked(column, len(full)) for column in others.values()]
    best = _best(columns | others, len(full), directions) if bold == "best" else _winners(columns)
    header = ["metric", *columns, *others]
    if bold == "winners":
        header.append("wins")
        won = {key for key, cell in cells.items() if cell is not None and cell.winner}
        texts.append([str(sum((m, d) in won for d in directions)) for m in order])
    return Table(
        tuple(header),
        tuple((metric, *row) for metric, *row in zip(order, *texts, strict=True)),
        _notes(columns, others, texts, exclude, full, order, bold),
        best,
        frozenset({len(full) - 1}) if 0 < len(full) < len(order) else frozenset(),
        (counted, *(str(counts.get(title, "")) for title in header[1:])) if counts else (),
    )


def average(cells: Column) -> Cell | None:
    """The mean over the directions that a metric took part in; its ± is the mean of theirs, if all have one.

    >>> average([Cell(0.75, 0.25), None, Cell(0.25, 0.5)])
    Cell(value=0.5, half_width=0.375, winner=None, weight=1.0)
    """
    there = [cell for cell in cells if cell is not None]
    if not there:
        return None
    widths = [cell.half_width for cell in there if cell.half_width is not None]
    mean = sum(cell.weight * cell.value for cell in there) / sum(cell.weight for cell in there)
    return Cell(mean, sum(widths) / len(widths) if len(widths) == len(there) else None)


def out_of_sequence(column: Column) -> list[bool]:
    """Which cells are larger, as printed, than the one right above.

    >>> out_of_sequence([Cell(0.9), Cell(0.8), Cell(0.85), Cell(0.8502)])
    [False, False, True, False]
    """
    printed = [_printed(cell) for cell in column]
    return [False, *(below > above for above, below in itertools.pairwise(printed))][: len(printed)]


def _check(
    cells: Cells,
    directions: Sequence[str],
    metrics: Sequence[str],
    exclude: Collection[str],
    secondary: Mapping[str, Mapping[str, Cell]],
    counts: Mapping[str, int] | None,
) -> None:
    """Nothing that was given may be left out of the table unsaid."""
    given = [*(d for _, d in cells), *exclude, *(counts or ())]
    scored = [m for column in secondary.values() for m in column]
    for what, names, known in (("direction", given, directions), ("metric", scored, metrics)):
        for name in names:
            if name not in known:
                raise InputError(f"{name} is no {what} of the table.", hint=f"It has {', '.join(known)}.")
    for title in secondary:
        if title in (*directions, "average"):
            raise InputError(f"Two columns are called {title}.", hint="Give each a title of its own.")
    if all(d in exclude for d in directions):
        raise InputError("No direction is left for the average.", hint="Exclude fewer of them, or none.")


def _by_average(metrics: Sequence[str], means: Mapping[str, Cell | None]) -> list[str]:
    """Highest first; those without a number come last."""

    def key(metric: str) -> tuple[bool, float]:
        cell = means[metric]
        return (True, 0.0) if cell is None or math.isnan(cell.value) else (False, -cell.value)

    return sorted(metrics, key=key)


def _printed(cell: Cell | None) -> float:
    return math.nan if cell is None else round(cell.value, _DIGITS)


def _number(value: float) -> str:
    shown = round(value, _DIGITS)
    digits = f"{abs(shown):.{_DIGITS}f}"
    return ("-" if shown < 0 else "") + (digits.removeprefix("0") if abs(shown) < 1 else digits)


def _text(cell: Cell | None) -> str:
    if cell is None:
        return "n/a"
    if math.isnan(cell.value):
        return "nan"
    return _number(cell.value) + ("" if cell.half_width is None else f" ± {_number(cell.half_width)}")


def _marked(column: Column, full: int) -> list[str]:
    """Cells with a mark where they are out of sequence; the lower block begins anew."""
    marks = out_of_sequence(column[:full]) + out_of_sequence(column[full:])
    return [f"{MARK} {_text(cell)}" if mark else _text(cell) for cell, mark in zip(column, marks, strict=True)]


def _best(columns: Mapping[str, Column], full: int, directions: Sequence[str]) -> frozenset[tuple[int, int]]:
    """The highest of each column as printed, and all that equal it; averages are compared in the upper block only."""
    found = set()
    for c, (title, column) in enumerate(columns.items()):
        values = [_printed(cell) for cell in (column if title in directions else column[:full])]
        known = [v for v in values if not math.isnan(v)]
        if len(known) > 1:
            found |= {(r, c + 1) for r, v in enumerate(values) if v == max(known)}
    return frozenset(found)


def _winners(columns: Mapping[str, Column]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (r, c + 1) for c, column in enumerate(columns.values()) for r, cell in enumerate(column) if cell and cell.winner
    )


def _notes(
    columns: Mapping[str, Column],
    others: Mapping[str, Column],
    texts: Sequence[Sequence[str]],
    exclude: Collection[str],
    full: Sequence[str],
    order: Sequence[str],
    bold: str,
) -> tuple[str, ...]:
    """What the signs of this table mean, of those that it has."""
    cells = [cell for column in (*columns.values(), *others.values()) for cell in column]
    said = {
        "±: half the width of the 95 % interval; that of an average is the mean of those of its directions.": any(
            cell is not None and cell.half_width is not None for cell in cells
        ),
        f"The average leaves out {', '.join(d for d in columns if d in exclude)}.": bool(exclude),
        "Metrics below the line did not take part in every direction: their averages cannot be compared.": (
            0 < len(full) < len(order)
        ),
        f"{MARK} higher than the row above, unlike the average.": any(
            text.startswith(MARK) for column in texts for text in column
        ),
        "wins: directions in which no other metric is significantly better (bold).": bold == "winners",
    }
    return tuple(note for note, applies in said.items() if applies)
