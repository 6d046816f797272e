"""Error spans that were predicted or marked, a segment a line.

    a table      a header with start_indices, end_indices, error_types (WMT24 and WMT25), and as it may be doc_id,
                 segment_id, system_id, hypothesis_segment
    WMT23        LP <tab> METHOD <tab> SEGMENT <tab> TARGET <tab> STARTS <tab> ENDS <tab> SEVERITIES
    JSON lines   [{"start": 3, "end": 9, "severity": "major", "category": "Mistranslation"}, ...]

Characters are counted from 0, the end is the one behind the span. -1 and no-error say that there is none. Spans with
the place "missing", omissions, have no characters and are left out.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence

from tercet.data.quality import ErrorSpan, SpanLabels
from tercet.errors import InputError
from tercet.formats import languages
from tercet.formats.lines import File
from tercet.formats.qe_rows import NumberedLines, read_numbered, without_preamble
from tercet.formats.spans import from_json
from tercet.limits import is_whole

START, END, TYPES = "start_indices", "end_indices", "error_types"
_KEYS = (
    *("lp", "source_lang", "target_lang", "set_id", "doc_id", "document"),
    *("segment_id", "segment", "seg_id", "index", "system_id", "mt_model", "system"),
)
_TEXTS = ("hypothesis_segment", "target", "translation", "hypothesis", "mt")
_NONE = frozenset({"no-error", "no error", "none", ""})
_WIDTH = 7  # cells of WMT23
_FARTHEST = 1 << 31


@dataclasses.dataclass(frozen=True)
class _SpanTable:
    """Where a table has what."""

    start: int
    end: int
    types: int
    keys: tuple[int, ...]
    text: int | None = None
    system: int | None = None
    pair: int | None = None


def is_span_header(cells: Sequence[str]) -> bool:
    """Whether a line is the header of a table of spans."""
    return {START, END} <= {cell.strip().lower() for cell in cells}


def read_spans(path: File, *, pair: str | None = None) -> Mapping[str, SpanLabels]:
    """Spans by system; "" where the file does not name one."""
    lines = without_preamble(read_numbered(path))
    if lines.texts[0].lstrip().startswith(("[", "{")):
        return {"": _json_lines(lines)}
    table, rows = _layout(lines)
    systems: dict[str, dict[str, tuple[int, tuple[ErrorSpan, ...], int | None]]] = {}
    wanted = None if pair is None else languages.wanted_pair(pair)
    needed = max(c for c in (table.start, table.end, table.types, *table.keys) if c is not None)
    for i, (line, cells) in enumerate(rows.rows()):
        if len(cells) <= needed:
            raise rows.fault(line, f"{len(cells)} cells where {needed + 1} are needed", "Check its tabs.")
        if wanted is not None and table.pair is not None and languages.pair(cells[table.pair]) != wanted:
            continue
        key = " ".join(cells[k] for k in table.keys) or str(i + 1)
        mine = systems.setdefault("" if table.system is None else cells[table.system], {})
        if key in mine:
            raise rows.fault(line, f"segment {key!r} is there twice, first on line {mine[key][0]}", "Keep one of them.")
        length = None if table.text is None else len(cells[table.text])
        mine[key] = (line, _spans(rows, line, cells[table.start], cells[table.end], cells[table.types], length), length)
    if not systems:
        raise InputError(f"{rows.file} has nothing of {pair}.", hint="Check the pair.")
    return {
        name: SpanLabels(
            tuple(mine), tuple(s for _, s, _ in mine.values()), tuple(n for *_, n in mine.values()), rows.file
        )
        for name, mine in systems.items()
    }


def _layout(lines: NumberedLines) -> tuple[_SpanTable, NumberedLines]:
    first = [cell.strip() for cell in lines.texts[0].split("\t")]
    header = [cell.lower() for cell in first]
    if is_span_header(first):
        if TYPES not in header:
            raise lines.fault(lines.numbers[0], f"there is no column {TYPES}", "It says minor or major of each span.")
        rest = dataclasses.replace(lines, numbers=lines.numbers[1:], texts=lines.texts[1:])
        if not len(rest):
            raise InputError(f"{lines.file} has a header and nothing below it.", hint="Check that it is all there.")
        keys = tuple(header.index(name) for name in _KEYS if name in header)
        text = next((header.index(name) for name in _TEXTS if name in header), None)
        lp = header.index("lp") if "lp" in header else None
        return _SpanTable(header.index(START), header.index(END), header.index(TYPES), keys, text, None, lp), rest
    if len(first) == _WIDTH and is_whole(first[2]):
        return _SpanTable(4, 5, 6, (0, 2), 3, 1, 0), lines
    raise lines.fault(
        lines.numbers[0],
        f"{lines.texts[0][:60]!r} is no line of error spans",
        f"Give a table with {START}, {END} and {TYPES}, or lists of spans as JSON.",
    )


def _spans(
    lines: NumberedLines, line: int, starts: str, ends: str, types: str, length: int | None
) -> tuple[ErrorSpan, ...]:
    if types.lower() in _NONE or starts == "-1":
        return ()
    columns = [starts.split(), ends.split(), types.split()]
    if len({len(column) for column in columns}) != 1:
        counts = ", ".join(str(len(column)) for column in columns)
        raise lines.fault(line, f"{counts} starts, ends and types", "Give each span one of each.")
    out = []
    for start, end, severity in zip(*columns, strict=True):
        if "missing" in (start, end):
            continue
        if not is_whole(start) or not is_whole(end):
            raise lines.fault(line, f"a span from {start!r} to {end!r}", "Places are numbers of characters, from 0.")
        out.append(_checked(lines, line, ErrorSpan(int(start), int(end), severity.lower()), length))
    return tuple(out)


def _checked(lines: NumberedLines, line: int, span: ErrorSpan, length: int | None) -> ErrorSpan:
    end = span.end if length is None else min(span.end, length)
    if span.end < span.start or end > _FARTHEST or (length is not None and span.start > length):
        beyond = "" if length is None else f" of a text of {length} characters"
        raise lines.fault(
            line, f"a span from {span.start} to {span.end}{beyond}", "It ends behind its start, within the text."
        )
    return dataclasses.replace(span, end=end)


def _json_lines(lines: NumberedLines) -> SpanLabels:
    out = []
    for line, text in zip(lines.numbers, lines.texts, strict=True):
        where = f"{lines.file}, line {line}"
        try:
            given = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(
                f"{where}: {text[:60]!r} is no JSON.", hint='It must be like [{"start": 3, "end": 9, ...}].'
            ) from None
        if isinstance(given, dict):
            given = next((given[key] for key in ("spans", "error_spans", "errors") if key in given), None)
        spans = [
            ErrorSpan(s.start, s.end, s.severity.lower(), s.category or "")
            for s in from_json(given, where)
            if s.start >= 0 and s.end >= 0
        ]
        out.append(tuple(_checked(lines, line, span, None) for span in spans))
    segments = tuple(str(i + 1) for i in range(len(out)))
    return SpanLabels(segments, tuple(out), (None,) * len(out), lines.file)
