"""Reads records of judgements; `records` says what they look like, and is what others import."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import SKIPPED, UNKNOWN, Array, Assessments, Ints, Kind, Rankings
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.json_values import sound_json
from tercet.formats.languages import PairChoice
from tercet.formats.lines import File
from tercet.formats.names import Names
from tercet.formats.spans import ErrorList, Span, from_json
from tercet.numbers import plain

VERSION = 1
CONTROLS = {"none": Kind.SYSTEM, "repeat": Kind.REPEAT, "ref": Kind.REFERENCE, "bad": Kind.BAD_REFERENCE}
_PROTOCOLS = {"rr": "rankings", "pair": "rankings", "da": "assessments", "esa": "assessments", "mqm": "assessments"}
_KNOWN = {"lp", "segment", "doc", "judge", "protocol", "items", "time", "control", "task", "source"}
_LIMIT = 1 << 62


class Reader:
    """What has been read of a file: rows as lists of numbers."""

    def __init__(self, path: File, pair: str | None) -> None:
        self.path, self.file = path, lines.shown(path)
        self.choice = PairChoice(self.file, pair)
        self.kind = ""
        self.columns: list[str] = []  # the optional ones, if there is a header
        self.header: dict[str, Any] = {}
        self.unsaid = 0  # the first line that does not say its pair
        self.odd: Names[str] = Names()  # fields that are not known
        self.n_odd = 0
        self.systems: Names[str] = Names()
        self.segments: Names[str] = Names()
        self.judges: Names[str] = Names()
        self.outputs: Names[tuple[str, ...]] = Names()
        self.documents: dict[int, str] = {}  # of segments
        self.errors = ErrorList()
        self.spanned = self.placed = False
        self.lines: list[int] = []  # of this file, for each row
        self.sources: list[tuple[str | None, int | None]] = []  # file and line, for each row
        self.rows: list[tuple[int, ...]] = []  # segment, judge; of assessments also system, kind
        self.numbers: list[tuple[Any, ...]] = []  # seconds; of assessments also score, z, n, task
        self.items: list[list[tuple[int, int]]] = []  # of rankings: output and rank
        self.scales: list[dict[str, float]] = []  # of assessments: what the score is the mean of

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records with their lines; the header, if there is one, is kept."""
        number = 0
        for block in lines.kept(self.path):
            for line in block:
                number += 1
                if not line.strip():
                    continue
                record = _object(line, f"{self.file}, line {number}")
                if "tercet" in record:
                    self._open(number, record)
                else:
                    yield number, record

    def _open(self, number: int, header: dict[str, Any]) -> None:
        where = f"{self.file}, line {number}"
        if self.header or self.lines:
            raise InputError(f"{where}: a header stands behind records.", hint="Keep one header, on the first line.")
        if header.get("version") != VERSION or header.get("kind") not in _PROTOCOLS.values():
            raise InputError(
                f"{where}: this is version {header.get('version')!r}, kind {header.get('kind')!r}.",
                hint=f"Version {VERSION} of rankings or assessments is read here.",
            )
        self.header, self.kind = header, header["kind"]
        self.systems.numbers(_texts(header, "systems", where))
        self.segments.numbers(_texts(header, "segments", where))
        self.judges.numbers(_texts(header, "judges", where))
        self.errors.categories.numbers(_texts(header, "categories", where))
        self.errors.severities.numbers(_texts(header, "severities", where))
        outputs = header.get("outputs") or []
        if not isinstance(outputs, list):
            raise InputError(f"{where}: outputs is no list.", hint="Write it as a list of lists of systems.")
        self.outputs.numbers([_systems({"systems": names}, where) for names in outputs])
        self.columns = _texts(header, "columns", where)
        documents = _texts(header, "documents", where)
        if documents and len(documents) != len(self.segments):
            raise InputError(f"{where}: not every segment has a document.", hint="Give one document a segment.")
        self.documents = dict(enumerate(documents))
        if header.get("lp"):
            self.choice.row(_text(header, "lp", where), number)
            self.choice.others = 0  # it is no row

    def wanted(self, number: int, record: dict[str, Any]) -> bool:
        """Whether a record is of the language pair that is asked for."""
        where = f"{self.file}, line {number}"
        written = record.get("lp", self.header.get("lp", ""))
        if written == "":
            self.unsaid = self.unsaid or number
            return True
        return self.choice.row(_text({"lp": written}, "lp", where), number)

    def take(self, number: int, record: dict[str, Any]) -> None:
        """Check and keep the record of a line."""
        where = f"{self.file}, line {number}"
        protocol = record.get("protocol")
        kind = _PROTOCOLS.get(protocol, "") if isinstance(protocol, str) else ""
        if not kind or (self.kind and kind != self.kind):
            what = f"follows {self.kind}" if kind else "is not known"
            raise InputError(
                f"{where}: the protocol {protocol!r} {what}.",
                hint="Rankings are rr or pair, assessments da, esa or mqm; a file holds one of the two.",
            )
        self.kind = kind
        if not self.wanted(number, record):
            return
        strange = record.keys() - _KNOWN
        if strange:
            self.odd.numbers(sorted(strange))
            self.n_odd += 1
        items = record.get("items")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise InputError(f"{where}: items is no list of objects.", hint="See tercet.formats.records.")
        segment = self.segments[_text(record, "segment", where)]
        judge = UNKNOWN if record.get("judge") is None else self.judges[_text(record, "judge", where)]
        if kind == "rankings":
            self._ranking(record, items, (segment, judge), number)
        else:
            self._assessment(record, items, (segment, judge), number)

    def _ranking(self, record: dict[str, Any], items: list[Any], row: tuple[int, int], number: int) -> None:
        where = f"{self.file}, line {number}"
        ranked = []
        for item in items:
            rank = _whole(item, "rank", where)
            if rank is None or (rank < 1 and rank != SKIPPED):
                raise InputError(f"{where}: {rank} is no rank.", hint="Ranks are 1 (best), 2, ..., or -1 for skipped.")
            ranked.append((self.outputs[_systems(item, where)], rank))
        shown = [name for item in items for name in item["systems"]]
        if len(set(shown)) < len(shown):
            twice = next(name for i, name in enumerate(shown) if name in shown[:i])
            raise InputError(f"{where}: system {twice!r} is there twice.", hint="A ranking holds a system once.")
        self.items.append(ranked)
        self._keep(row, (_seconds(record, where),), record, number)

    def _assessment(self, record: dict[str, Any], items: list[Any], row: tuple[int, int], number: int) -> None:
        where = f"{self.file}, line {number}"
        control = record.get("control", "none")
        if control not in CONTROLS:
            raise InputError(f"{where}: the control {control!r} is not known.", hint=f"It is {', '.join(CONTROLS)}.")
        if record.get("doc") is not None:
            document = _text(record, "doc", where)
            if self.documents.setdefault(row[0], document) != document:
                raise InputError(
                    f"{where}: the segment is in {document!r} here and in {self.documents[row[0]]!r} before.",
                    hint="Names of segments must be unique over all documents.",
                )
        for item in items:
            scales = _scales(item, where)
            score = _real(item, "score", where)
            if score is None and scales:
                score = sum(scales.values()) / len(scales)
            if score is not None and not 0 <= score <= 100:
                raise InputError(f"{where}: the score {score} is outside 0 to 100.", hint="Rescale it.")
            spans = from_json(item["spans"], where) if item.get("spans") is not None else None
            values = (score, _real(item, "z", where), _whole(item, "n", where), _whole(record, "task", where))
            for name in _systems(item, where):
                self._spans(spans)
                self.scales.append(scales)
                self._keep(
                    (*row, self.systems[name], CONTROLS[control]), (_seconds(record, where), *values), record, number
                )

    def _spans(self, spans: list[Span] | None) -> None:
        """Take the spans of the row that comes next."""
        self.spanned |= spans is not None
        for span in spans or []:
            self.placed |= span.start >= 0 or span.end >= 0
            self.errors.add(len(self.rows), span)

    def _keep(self, row: tuple[int, ...], numbers: tuple[Any, ...], record: dict[str, Any], number: int) -> None:
        where = f"{self.file}, line {number}"
        source = record.get("source") or {}
        if not isinstance(source, dict):
            raise InputError(f"{where}: source is no object.", hint='Write {"file": ..., "line": ...}.')
        file = None if source.get("file") is None else _text(source, "file", where)
        self.sources.append((file, _whole(source, "line", where)))
        self.lines.append(number)
        self.rows.append(row)
        self.numbers.append(numbers)

    def _common(self) -> tuple[str, list[str], str, Ints | None]:
        """The pair, the notes, the file and the lines that messages should name."""
        pair, others = self.choice.result()
        if self.unsaid and self.choice.pairs:
            known = ", ".join(self.choice.pairs)
            raise InputError(
                f"{self.file}, line {self.unsaid}: lp is not said, but elsewhere it is {known}.", hint="Add it."
            )
        notes = [*_texts(self.header, "notes", self.file), *others]
        if self.n_odd:
            notes.append(f"Records with fields that are left out: {self.n_odd} ({', '.join(self.odd)}).")
        if self.header:
            line = self._ints("line", [line for _, line in self.sources])
            return pair, notes, _text({"file": self.file, **self.header}, "file", self.file), line
        files = {file for file, _ in self.sources}
        if len(files) == 1 and None not in files and all(line is not None for _, line in self.sources):
            return pair, notes, str(files.pop()), np.array([line for _, line in self.sources], dtype=np.int64)
        return pair, notes, self.file, np.array(self.lines, dtype=np.int64)

    def _there(self, name: str, column: Sequence[Any]) -> bool:
        """Whether there is such a column: the header says so, or else any record."""
        return name in self.columns if self.header else any(x is not None for x in column)

    def _reals(self, name: str, column: Sequence[float | None]) -> Array | None:
        if not self._there(name, column):
            return None
        return np.array([np.nan if x is None else x for x in column], dtype=np.float64)

    def _ints(self, name: str, column: Sequence[int | None]) -> Ints | None:
        if not self._there(name, column):
            return None
        if None in column:
            line = self.lines[column.index(None)]
            raise InputError(f"{self.file}, line {line}: there is no {name}.", hint="All records have it, or none.")
        return np.array(column, dtype=np.int64)

    def rankings(self) -> Rankings:
        """All records as rankings."""
        pair, notes, file, line = self._common()
        segment, judge = np.array(self.rows, dtype=np.int64).reshape(-1, 2).T
        output, rank = np.array([item for task in self.items for item in task], dtype=np.int64).reshape(-1, 2).T
        outputs = tuple(tuple(self.systems[name] for name in names) for names in self.outputs)
        return Rankings(
            pair,
            tuple(self.systems),
            tuple(self.segments),
            tuple(self.judges),
            outputs,
            segment,
            judge,
            np.cumsum([0, *map(len, self.items)], dtype=np.int64),
            output,
            rank,
            self._reals("seconds", [numbers[0] for numbers in self.numbers]),
            line,
            notes=tuple(notes),
            file=file,
        )

    def assessments(self) -> Assessments:
        """All records as assessments."""
        pair, notes, file, line = self._common()
        segment, judge, system, kind = np.array(self.rows, dtype=np.int64).reshape(-1, 4).T
        seconds, score, z, n, task = ([numbers[i] for numbers in self.numbers] for i in range(5))
        columns = self.columns if self.header else [*["errors"] * self.spanned, *["places"] * self.placed]
        return Assessments(
            pair,
            tuple(self.systems),
            tuple(self.segments),
            tuple(self.judges),
            judge,
            system,
            segment,
            kind,
            np.array([np.nan if x is None else x for x in score], dtype=np.float64),
            self._reals("z", z),
            self._ints("n", n),
            self._reals("seconds", seconds),
            self._ints("task", task),
            line,
            self.errors.errors(places="places" in columns) if "errors" in columns else None,
            self._documents(),
            self._scales(),
            notes=tuple(notes),
            file=file,
        )

    def _scales(self) -> dict[str, Array] | None:
        names = _texts(self.header, "scales", self.file) or dict.fromkeys(n for values in self.scales for n in values)
        columns = {n: np.array([values.get(n, np.nan) for values in self.scales], dtype=np.float64) for n in names}
        return columns or None

    def _documents(self) -> tuple[str, ...] | None:
        if not self.documents and (not self.header or self.header.get("documents") is None):
            return None
        missing = [name for name, number in self.segments.items() if number not in self.documents]
        if missing:
            raise InputError(f"{self.file}: segment {missing[0]!r} has no doc, but others have.", hint="Add it.")
        return tuple(self.documents[number] for number in range(len(self.segments)))


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        record = sound_json(line)
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "not allowed"
        raise InputError(f"{where}: not sound JSON ({reason}).", hint="Each line must be one object.") from None
    if not isinstance(record, dict):
        raise InputError(f"{where}: no JSON object, but {line[:40]!r}.", hint="Each line must be one object.")
    return record


def _text(given: Mapping[str, Any], key: str, where: str) -> str:
    value = given.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise InputError(f"{where}: {key} is {value!r}.", hint="It must be text.")
    return value


def _texts(given: Mapping[str, Any], key: str, where: str) -> list[str]:
    value = given.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{where}: {key} is no list of texts.", hint="Write it as a list.")
    return value


def _real(given: Mapping[str, Any], key: str, where: str) -> float | None:
    value = given.get(key)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300):
        return None if value is None else float(value)
    raise InputError(f"{where}: {key} is {value!r}.", hint="It must be a number.")


def _scales(item: Mapping[str, Any], where: str) -> dict[str, float]:
    """The values of scales, those that there are."""
    given = item.get("scales") or {}
    if not isinstance(given, dict):
        raise InputError(f"{where}: scales is no object.", hint='Write {"adequacy": 4, "fluency": 3}.')
    scales = {name: value for name in given if (value := _real(given, name, where)) is not None}
    for name, value in scales.items():
        if not 0 <= value <= 100:
            raise InputError(f"{where}: the {name} {plain(value)} is outside 0 to 100.", hint="Rescale it.")
    return scales


def _whole(given: Mapping[str, Any], key: str, where: str) -> int | None:
    value = given.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LIMIT):
        return value
    raise InputError(f"{where}: {key} is {value!r}.", hint="It must be a whole number.")


def _seconds(record: Mapping[str, Any], where: str) -> float | None:
    time = record.get("time")
    if time is None:
        return None
    if not isinstance(time, dict):
        raise InputError(f"{where}: time is no object.", hint='Write {"seconds": ...}, or "start" and "end".')
    seconds, start, end = (_real(time, key, where) for key in ("seconds", "start", "end"))
    return end - start if seconds is None and start is not None and end is not None else seconds


def _systems(item: Mapping[str, Any], where: str) -> tuple[str, ...]:
    systems = tuple(_texts(item, "systems", where))
    if not systems:
        raise InputError(f"{where}: an item names no system.", hint='Write "systems": ["a"].')
    return systems
