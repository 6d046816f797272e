"""The result tables of the metrics tasks: metrics down, directions across.

As WMT14 and WMT15 print them (Macháček and Bojar 2014, Stanojević et al. 2015): metrics that took part in every
direction stand above, sorted by their average, the others below a line, as their averages cannot be compared. A sign
in the columns after the average says where these would put a metric higher than the one above it. The best of a column
is bold; in WMT19 (Ma et al. 2019) it was every metric that no other one significantly outperforms, and metrics without
references had a section of their own.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from tercet.data.meta import FEW
from tercet.data.table import Table, highest
from tercet.errors import InputError
from tercet.numbers import DIGITS, FEWER, REFERENCE_FREE, UNDEFINED, UNORDERED, bounded, mean_of_all


@dataclasses.dataclass(frozen=True)
class Entry:
    """One figure: a coefficient (NaN: not defined), its ±, and whether no other metric is significantly better.

    `low` and `high` are the ends of its interval, printed where it has no ±. `weight` is that of its direction in the
    average: 1, or the number of pairs of a share that is pooled. `fewer` says that the metric was held against less of
    people's side than others of the direction.
    """

    value: float
    half_width: float | None = None
    winner: bool | None = None
    weight: float = 1.0
    fewer: bool = False
    low: float | None = None
    high: float | None = None
    scarce: bool = False  # of so few systems that it has no place among the others


Cells = Mapping[tuple[str, str], Entry | None]  # by metric and direction; None or absent: it did not take part
Column = Sequence[Entry | None]


def metrics_table(
    cells: Cells,
    directions: Sequence[str],
    *,
    counts: Mapping[str, int] | None = None,
    counted: str = "systems",
    exclude: Collection[str] = (),
    secondary: Mapping[str, Mapping[str, Entry]] | None = None,
    bold: Literal["best", "winners"] = "best",
    reference_free: Collection[str] = (),
    apart: bool = False,
) -> Table:
    """The table of one level and measure, with the directions in the order given.

    `counts` are how many systems or pairs each direction has, for a second line of the header that `counted` names.
    The average leaves out the directions of `exclude`, which follow it. `secondary` are further columns, a cell for
    each metric under a title. Metrics that are `reference_free` are marked, and stand `apart` at the end if asked for.

    >>> cells = {("a", "cs-en"): Entry(0.9), ("a", "de-en"): Entry(0.5)}
    >>> cells |= {("b", "cs-en"): Entry(0.8), ("b", "de-en"): Entry(0.7)}
    >>> metrics_table(cells, ["cs-en", "de-en"]).rows
    (('b', '.800', '.700', '.750'), ('a', '.900', '.500', '.700'))
    """
    secondary = secondary or {}
    metrics = list(dict.fromkeys(metric for metric, _ in cells))
    _check(cells, directions, metrics, exclude, secondary, counts)
    averaged = [d for d in directions if d not in exclude]
    means = {m: average([cells.get((m, d)) for d in averaged]) for m in metrics}
    blocks = _blocks(cells, metrics, averaged, means, reference_free if apart else ())
    order = [m for block in blocks for m in block]

    def by_direction(names: Sequence[str]) -> dict[str, Column]:
        return {d: [cells.get((m, d)) for m in order] for d in names}

    columns = by_direction(averaged)
    if len(averaged) > 1:
        columns["average"] = [means[m] for m in order]
    columns |= by_direction([d for d in directions if d in exclude])
    others = {title: [column.get(m) for m in order] for title, column in secondary.items()}
    texts = [[_text(cell) for cell in column] for column in columns.values()]
    texts += [_marked(column, blocks) for column in others.values()]
    best = _best(columns | others, len(blocks[0]), directions) if bold == "best" else _winners(columns)
    header = ["metric", *columns, *others]
    if bold == "winners":
        header.append("wins")
        won = {key for key, cell in cells.items() if cell is not None and cell.winner}
        texts.append([str(sum((m, d) in won for d in directions)) for m in order])
    names = [f"{m} {REFERENCE_FREE}" if m in reference_free else m for m in order]
    ends = itertools.accumulate(len(block) for block in blocks)
    return Table(
        tuple(header),
        tuple((name, *row) for name, *row in zip(names, *texts, strict=True)),
        _notes(columns, others, [names, *texts], exclude, blocks, bold),
        best,
        frozenset(end - 1 for end in ends if 0 < end < len(order)),
        (counted, *(str(counts.get(title, "")) for title in header[1:])) if counts else (),
    )


def average(cells: Column) -> Entry | None:
    """The mean over the directions that a metric took part in; its ± and ends are the means of theirs, if all have one.

    >>> average([Entry(0.75, 0.25), None, Entry(0.25, 0.5)])
    Entry(value=0.5, half_width=0.375, winner=None, weight=1.0, fewer=False, low=None, high=None, scarce=False)
    """
    there = [cell for cell in cells if cell is not None]
    if not there:
        return None
    mean = sum(cell.weight * cell.value for cell in there) / sum(cell.weight for cell in there)
    half_width, low, high = (mean_of_all([getattr(c, end) for c in there]) for end in ("half_width", "low", "high"))
    return Entry(mean, half_width, low=low, high=high)


def out_of_sequence(column: Column) -> list[bool]:
    """Which cells are larger, as printed, than the one right above.

    >>> out_of_sequence([Entry(0.9), Entry(0.8), Entry(0.85), Entry(0.8502)])
    [False, False, True, False]
    """
    printed = [_printed(cell) for cell in column]
    return [False, *(below > above for above, below in itertools.pairwise(printed))][: len(printed)]


def _check(
    cells: Cells,
    directions: Sequence[str],
    metrics: Sequence[str],
    exclude: Collection[str],
    secondary: Mapping[str, Mapping[str, Entry]],
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


def _blocks(
    cells: Cells,
    metrics: Sequence[str],
    averaged: Sequence[str],
    means: Mapping[str, Entry | None],
    apart: Collection[str],
) -> list[list[str]]:
    """Metrics that took part everywhere, the others, and those that stand apart, in which the same order holds."""
    whole = {m: all(cell and not cell.scarce for cell in (cells.get((m, d)) for d in averaged)) for m in metrics}

    def chosen(complete: bool, free: bool) -> list[str]:
        return _by_average([m for m in metrics if whole[m] is complete and (m in apart) is free], means)

    return [chosen(True, False), chosen(False, False), chosen(True, True) + chosen(False, True)]


def _by_average(metrics: Sequence[str], means: Mapping[str, Entry | None]) -> list[str]:
    """Highest first; those without a number come last."""

    def key(metric: str) -> tuple[bool, float]:
        cell = means[metric]
        return (True, 0.0) if cell is None or math.isnan(cell.value) else (False, -cell.value)

    return sorted(metrics, key=key)


def _printed(cell: Entry | None) -> float:
    return math.nan if cell is None else round(cell.value, DIGITS)


def _text(cell: Entry | None) -> str:
    if cell is None:
        return UNDEFINED
    return bounded(cell.value, cell.low, cell.high, half_width=cell.half_width) + (FEWER if cell.fewer else "")


def _marked(column: Column, blocks: Sequence[Sequence[str]]) -> list[str]:
    """Cells with a mark where they are out of sequence; every block begins anew."""
    rest = iter(column)
    marks = [mark for block in blocks for mark in out_of_sequence(list(itertools.islice(rest, len(block))))]
    return [f"{UNORDERED} {_text(cell)}" if mark else _text(cell) for cell, mark in zip(column, marks, strict=True)]


def _best(columns: Mapping[str, Column], full: int, directions: Sequence[str]) -> frozenset[tuple[int, int]]:
    """The highest of each column as printed, and all that equal it; averages are compared in the upper block only."""
    best = set()
    for c, (title, column) in enumerate(columns.items()):
        values = [
            math.nan if cell and cell.scarce else _printed(cell)
            for cell in (column if title in directions else column[:full])
        ]
        if sum(not math.isnan(v) for v in values) > 1:
            best |= {(r, c + 1) for r in highest(values, DIGITS)}
    return frozenset(best)


def _winners(columns: Mapping[str, Column]) -> frozenset[tuple[int, int]]:
    return frozenset(
        (r, c + 1) for c, column in enumerate(columns.values()) for r, cell in enumerate(column) if cell and cell.winner
    )


def _notes(
    columns: Mapping[str, Column],
    others: Mapping[str, Column],
    texts: Sequence[Sequence[str]],
    exclude: Collection[str],
    blocks: Sequence[Sequence[str]],
    bold: str,
) -> tuple[str, ...]:
    """What the signs of this table mean, of those that it has."""
    cells = [cell for column in (*columns.values(), *others.values()) for cell in column]
    full, partial, free = (len(block) > 0 for block in blocks)
    where = "between the lines" if full and free else "above the line" if free else "below the line"
    said = {
        "±: half the width of the 95 % interval; that of an average is the mean of those of its directions.": any(
            cell is not None and cell.half_width is not None for cell in cells
        ),
        "[ ]: the 95 % interval; the ends of that of an average are the means of those of its directions.": any(
            cell is not None and cell.half_width is None and cell.low is not None for cell in cells
        ),
        f"The average leaves out {', '.join(d for d in columns if d in exclude)}.": bool(exclude),
        f"Metrics {where} did not take part in every direction: their averages cannot be compared.": (
            partial and (full or free)
        ),
        f"Fewer than {FEW} systems, where other metrics have more, give no place among them.": any(
            cell is not None and cell.scarce for cell in cells
        ),
        f"{FEWER} held against less than other metrics of the direction: common = true in [sampling] restricts all to "
        "what all have.": any(cell is not None and cell.fewer for cell in cells),
        f"{REFERENCE_FREE} without references.": any(name.endswith(REFERENCE_FREE) for name in texts[0]),
        f"{UNORDERED} higher than the row above, unlike the average.": any(
            text.startswith(UNORDERED) for column in texts for text in column
        ),
        "wins: directions in which no other metric is significantly better (bold).": bold == "winners",
    }
    return tuple(note for note, applies in said.items() if applies)
