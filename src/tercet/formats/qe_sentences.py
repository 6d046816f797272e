"""Predictions and labels of sentences: one number a segment.

    WMT12-14     METHOD <tab> SEGMENT <tab> SCORE <tab> RANK           ranks or scores all 0: not submitted
    WMT19-23     LP <tab> METHOD <tab> SEGMENT <tab> SCORE             perhaps after lines with the size of the model
    a table      a header with score (or prediction), and as it may be system, segment, rank, low and high, gold
    plain        a number a line, segments in their order, none of them empty

Segments are numbered from 0 or from 1. A file may hold several systems; true labels are read from the column gold
(or human, label, hter, mean, z_mean) of a table, else from its scores; nan says that a segment has none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from tercet.data.quality import SentenceLabels
from tercet.errors import InputError
from tercet.formats import languages
from tercet.formats.lines import File
from tercet.formats.qe_rows import NumberedLines, from_one, is_number, read_numbered, without_preamble
from tercet.limits import is_whole
from tercet.numbers import plain

_SYSTEM = ("system", "method", "metric", "model", "mt_model")
_SEGMENT = ("segment", "sid", "segment_id", "index", "seg_id", "id")
_SCORE = ("score", "prediction", "predicted", "quality")
_RANK = ("rank",)
_GOLD = ("gold", "human", "label", "hter", "z_mean", "mean", "effort", "time")
_LOW, _HIGH = ("low", "lower"), ("high", "upper")
_PAIR = ("lp", "language_pair", "pair")
_SHOWN = 30  # characters of a cell in a message
HEADERS = frozenset({*_SCORE, *_GOLD})  # by which a table of sentences is known
_HINT = (
    "A line is METHOD, SEGMENT, SCORE, RANK, or LP, METHOD, SEGMENT, SCORE, with tabs between; or a number alone; or "
    "give a table whose header has score."
)


@dataclasses.dataclass(frozen=True)
class _SentenceTable:
    """Where a table has what; None: nowhere."""

    value: int
    system: int | None = None
    segment: int | None = None
    rank: int | None = None
    pair: int | None = None
    low: int | None = None
    high: int | None = None


@dataclasses.dataclass
class _Collected:
    """Cells of one system."""

    segments: list[int] = dataclasses.field(default_factory=list)
    values: list[float] = dataclasses.field(default_factory=list)
    ranks: list[int] = dataclasses.field(default_factory=list)
    at: list[int] = dataclasses.field(default_factory=list)
    low: list[float] = dataclasses.field(default_factory=list)
    high: list[float] = dataclasses.field(default_factory=list)


def read_sentences(path: File, *, gold: bool = False, pair: str | None = None) -> Mapping[str, SentenceLabels]:
    """Labels by system; "" where the file does not name one. With `gold`, the true labels.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "team.tsv")
    ...     _ = file.write_text("TEAM_svr\\t1\\t0.25\\t2\\nTEAM_svr\\t2\\t0.1\\t1\\n")
    ...     labels = read_sentences(file)["TEAM_svr"]
    >>> labels.segments, labels.scores.tolist(), labels.ranks.tolist()
    (('1', '2'), [0.25, 0.1], [2, 1])
    """
    whole = read_numbered(path)
    columns, lines = _layout(without_preamble(whole), gold)
    if columns.segment is None:
        whole.require_no_gap()
    systems: dict[str, _Collected] = {}
    pairs: dict[str, None] = {}
    wanted = None if pair is None else languages.wanted_pair(pair)
    for line, cells in lines.rows():
        needed = max(c for c in dataclasses.astuple(columns) if c is not None)
        if len(cells) <= needed:
            raise lines.fault(line, f"{len(cells)} cells where {needed + 1} are needed", _HINT)
        if columns.pair is not None:
            there = languages.pair(cells[columns.pair]) or cells[columns.pair]
            pairs[there] = None
            if wanted is not None and there != wanted:
                continue
        _add(lines, line, cells, columns, systems, gold)
    if wanted is None and len(pairs) > 1:
        raise InputError(
            f"{lines.file} has the pairs {', '.join(pairs)}.", hint=f"Choose one: --pair {next(iter(pairs))}"
        )
    if not systems:
        raise InputError(f"{lines.file} has nothing of {pair}.", hint=f"It has {', '.join(pairs)}.")
    if gold:
        systems = {name: _once(lines, collected) for name, collected in systems.items()}
    made = {name: _labels(lines, name, collected) for name, collected in systems.items()}
    return _one_gold(lines, made) if gold else made


def _layout(lines: NumberedLines, gold: bool) -> tuple[_SentenceTable, NumberedLines]:
    """Which column is what, and the lines without their header."""
    first = [cell.strip() for cell in lines.texts[0].split("\t")]
    header = [cell.lower() for cell in first]

    def place(names: Sequence[str]) -> int | None:
        return next((header.index(name) for name in names if name in header), None)

    value = place((*_GOLD, *_SCORE) if gold else _SCORE)
    if value is not None:
        rest = dataclasses.replace(lines, numbers=lines.numbers[1:], texts=lines.texts[1:])
        if not len(rest):
            raise InputError(f"{lines.file} has a header and nothing below it.", hint="Check that it is all there.")
        # true labels are of no system; two columns of labels may stand beside each other
        system, rank = (None, None) if gold and header[value] in _GOLD else (place(_SYSTEM), place(_RANK))
        ends = (None, None) if gold else (place(_LOW), place(_HIGH))
        return _SentenceTable(value, system, place(_SEGMENT), rank, place(_PAIR), *ends), rest
    if len(first) == 1:
        return _SentenceTable(0), lines
    if len(first) == 4 and is_whole(first[1]) and is_number(first[2]):
        return _SentenceTable(2, system=0, segment=1, rank=3), lines
    if len(first) == 4 and is_whole(first[2]) and is_number(first[3]):
        return _SentenceTable(3, system=1, segment=2, pair=0), lines
    raise lines.fault(lines.numbers[0], f"{lines.texts[0][:60]!r} is no label of a sentence", _HINT)


def _add(
    lines: NumberedLines,
    line: int,
    cells: Sequence[str],
    columns: _SentenceTable,
    systems: dict[str, _Collected],
    gold: bool,
) -> None:
    value = cells[columns.value]
    missing = gold and value.lower() in ("nan", "")
    if not missing and (not is_number(value) or not np.isfinite(float(value))):
        raise lines.fault(line, f"the score is {value[:_SHOWN]!r}", "It must be a finite number.")
    name = "" if columns.system is None else cells[columns.system]
    mine = systems.setdefault(name, _Collected())
    if columns.segment is None:
        mine.segments.append(len(mine.segments) + 1)
    elif is_whole(cells[columns.segment]):
        mine.segments.append(int(cells[columns.segment]))
    else:
        raise lines.fault(
            line, f"the segment is {cells[columns.segment]!r}", "It must be its number, from 0 or from 1."
        )
    if columns.rank is not None:
        if not is_whole(cells[columns.rank]):
            raise lines.fault(
                line, f"the rank is {cells[columns.rank]!r}", "It must be a whole number: 1 is best, 0 is none."
            )
        mine.ranks.append(int(cells[columns.rank]))
    for place, ends in ((columns.low, mine.low), (columns.high, mine.high)):
        if place is None:
            continue
        if not is_number(cells[place]) or np.isnan(float(cells[place])):
            raise lines.fault(line, f"an end of the interval is {cells[place][:_SHOWN]!r}", "It must be a number.")
        ends.append(float(cells[place]))
    mine.values.append(float(value or "nan"))
    mine.at.append(line)


def _labels(lines: NumberedLines, name: str, collected: _Collected) -> SentenceLabels:
    whose = f" of {name}" if name else ""
    numbers = from_one(lines, collected.segments, collected.at, whose=whose)
    order = np.argsort(numbers, kind="stable")
    scores = np.array(collected.values)[order]
    ranks = np.array(collected.ranks, dtype=np.int64)[order] if collected.ranks else None
    unranked = ranks is not None and not ranks.any()
    ends = {name: np.array(column)[order] for name, column in _ends(collected).items()}
    if ranks is not None and not unranked:
        _check_ranks(lines, whose, collected)
        if len(scores) > 1 and not scores.any():
            return SentenceLabels(_names(numbers), None, ranks, file=lines.file)
    return SentenceLabels(_names(numbers), scores, None if unranked else ranks, unranked, file=lines.file, **ends)


def _ends(collected: _Collected) -> dict[str, list[float]]:
    """The ends of intervals, if there are both."""
    return {"low": collected.low, "high": collected.high} if collected.low and collected.high else {}


def _names(numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(str(number) for number in sorted(numbers))


def _check_ranks(lines: NumberedLines, whose: str, collected: _Collected) -> None:
    """Every rank from 1 to n once, as the script of WMT12 wants it."""
    seen: dict[int, int] = {}
    for line, rank in zip(collected.at, collected.ranks, strict=True):
        if rank in seen:
            raise lines.fault(
                line, f"rank {rank}{whose} is there twice, first on line {seen[rank]}", "Ranks have no ties."
            )
        if not 1 <= rank <= len(collected.ranks):
            raise lines.fault(
                line,
                f"rank {rank}{whose}, which has {len(collected.ranks)} segments",
                "Ranks go from 1 to their number.",
            )
        seen[rank] = line


def _once(lines: NumberedLines, collected: _Collected) -> _Collected:
    """Labels that a table repeats for every system, each once; two of one segment must be equal."""
    first: dict[int, int] = {}
    for i, segment in enumerate(collected.segments):
        before = first.setdefault(segment, i)
        one, other = collected.values[before], collected.values[i]
        if one != other and not (np.isnan(one) and np.isnan(other)):
            raise lines.fault(
                collected.at[i],
                f"segment {segment} has the label {plain(collected.values[i])}, "
                f"and {plain(collected.values[before])} on line {collected.at[before]}",
                "A segment has one label.",
            )
    kept = list(first.values())
    return _Collected(*([column[i] for i in kept] if column else [] for column in dataclasses.astuple(collected)))


def _one_gold(lines: NumberedLines, made: Mapping[str, SentenceLabels]) -> Mapping[str, SentenceLabels]:
    if len(made) > 1:
        raise InputError(
            f"{lines.file} has labels of {', '.join(list(made)[:3])}.",
            hint="True labels are of nobody: give them in a column called gold.",
        )
    return {"": next(iter(made.values()))}
