"""Our own interchange of judgements: JSON lines, a record a task or a row, nothing lost. `read(write(x))` is x.

The first line may be a header; `write` always writes one. It holds what rows do not: names in their order, also those
that no row refers to, and which columns there are. Files without it are read as well, names numbered as they come.

    {"tercet": "judgements", "version": 1, "kind": "rankings" or "assessments", "lp", "file", "notes", "systems",
     "segments", "judges", "columns": the optional ones that there are, and then
     of rankings       "outputs": lists of systems
     of assessments    "documents", "categories", "severities", each null where there are none; "scales": their names}

Every other line is a record. Fields that are not known are left out and counted in a note; so is `campaign`.

    {"lp": "cs-en", "segment": "7", "judge": "ann" or null, "protocol": "rr" or "pair",
     "items": [{"systems": ["a", "b"], "rank": 1}, ...], "time": {"seconds": 81.5}, "source": {"file", "line"}}

    {"lp": "cs-en", "segment": "7", "doc": "news.1", "judge": "ann" or null, "protocol": "da", "esa" or "mqm",
     "items": [{"systems": ["a"], "score": 80.0, "z": 0.3, "n": 1, "scales": {"adequacy": 4.0, "fluency": 3.0},
                "spans": [{"start": 3, "end": 9, "category": "Style", "severity": "minor"}]}],
     "task": 4, "time": {"seconds": 9.1}, "control": "none", "repeat", "ref" or "bad", "source": {"file", "line"}}

A rank of -1 was not judged; no items: the task was skipped. In place of seconds there may be `start` and `end`. What is
absent or null is unknown; a score that is absent is the mean of the scales. A record of assessments may have several
items, and an item several systems: a row for each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tercet.data import UNKNOWN, Array, Assessments, Errors, Ints, Judgements, Rankings
from tercet.errors import InputError
from tercet.escaping import json_text
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.formats.record_reader import CONTROLS, VERSION, Reader


def read(path: File, pair: str | None = None) -> Judgements:
    """The judgements of one language pair, which may be left out if the file has only one."""
    reader = Reader(path, pair)
    for number, record in reader.records():
        reader.take(number, record)
    if reader.kind == "rankings":
        return reader.rankings()
    if reader.kind == "assessments":
        return reader.assessments()
    raise InputError(f"{reader.file} holds no judgements.", hint="Check that it is the right file.")


def pairs(path: File) -> list[str]:
    """The language pairs of a file."""
    reader = Reader(path, None)
    for number, record in reader.records():
        reader.wanted(number, record)
    return list(reader.choice.pairs)


def write(judgements: Judgements, path: File) -> None:
    """Judgements as a file of records, packed if its name ends in .gz."""
    if isinstance(judgements, Rankings):
        lines.write(path, _packed(_rankings_out(judgements), path))
    elif isinstance(judgements, Assessments):
        lines.write(path, _packed(_assessments_out(judgements), path))
    else:
        raise InputError(f"{judgements.file} holds neither rankings nor assessments.", hint="Give one of them.")


def _packed(records: Iterator[dict[str, Any]], path: File) -> Iterator[str]:
    pending: list[str] = []
    for record in records:
        try:
            pending.append(json_text(record, allow_nan=False, separators=(",", ":")) + "\n")
        except ValueError:
            raise InputError(
                f"{lines.shown(path)} cannot hold a number that is infinite.", hint="Repair it, or make it NaN."
            ) from None
        if len(pending) == lines.BLOCK:
            yield "".join(pending)
            pending = []
    yield "".join(pending)


def _header(judgements: Judgements, kind: str, optional: Sequence[str]) -> dict[str, Any]:
    return {
        "tercet": "judgements",
        "version": VERSION,
        "kind": kind,
        "lp": judgements.pair,
        "file": judgements.file,
        "notes": judgements.notes,
        "systems": judgements.systems,
        "segments": judgements.segments,
        "judges": judgements.judges,
        "columns": [name for name in optional if getattr(judgements, name) is not None],
    }


def _listed(column: Ints | Array | None, n: int) -> list[Any]:
    """The numbers of a column, None where there is none."""
    if column is None:
        return [None] * n
    return [None if isinstance(x, float) and math.isnan(x) else x for x in column.tolist()]


def _rankings_out(x: Rankings) -> Iterator[dict[str, Any]]:
    outputs = [[x.systems[s] for s in members] for members in x.outputs]
    yield {**_header(x, "rankings", ("seconds", "line")), "outputs": outputs}
    n = len(x)
    columns = (x.segment.tolist(), x.judge.tolist(), _listed(x.seconds, n), _listed(x.line, n))
    output, rank, starts = x.output.tolist(), x.rank.tolist(), x.starts.tolist()
    for task, (segment, judge, seconds, line) in enumerate(zip(*columns, strict=True)):
        items = range(starts[task], starts[task + 1])
        yield {
            "lp": x.pair,
            "segment": x.segments[segment],
            "judge": None if judge == UNKNOWN else x.judges[judge],
            "protocol": "rr",
            "items": [{"systems": outputs[output[i]], "rank": rank[i]} for i in items],
            **({} if seconds is None else {"time": {"seconds": seconds}}),
            "source": {"file": x.file, **({} if line is None else {"line": line})},
        }


def _assessments_out(x: Assessments) -> Iterator[dict[str, Any]]:
    spans = _spans_out(x.errors)
    errors = x.errors
    placed = [] if errors is None else ["errors"] + ["places"] * (errors.start is not None)
    header = _header(x, "assessments", ("z", "n", "seconds", "task", "line"))
    yield {
        **header,
        "columns": [*header["columns"], *placed],
        "documents": x.documents,
        **({} if x.scales is None else {"scales": list(x.scales)}),
        "categories": None if errors is None else errors.categories,
        "severities": None if errors is None else errors.severities,
    }
    n = len(x)
    scales = {name: _listed(column, n) for name, column in (x.scales or {}).items()}
    controls = {kind.value: name for name, kind in CONTROLS.items()}
    optional = [_listed(column, n) for column in (x.score, x.z, x.n, x.seconds, x.task, x.line)]
    fixed = [column.tolist() for column in (x.judge, x.system, x.segment, x.kind)]
    for row, values in enumerate(zip(*fixed, *optional, strict=True)):
        judge, system, segment, kind, score, z, count, seconds, task, line = values
        item = {"systems": [x.systems[system]], "score": score, "z": z, "n": count}
        if x.scales is not None:
            item["scales"] = {name: values[row] for name, values in scales.items() if values[row] is not None}
        if errors is not None:
            item["spans"] = spans.get(row, [])
        yield {
            "lp": x.pair,
            "segment": x.segments[segment],
            **({} if x.documents is None else {"doc": x.documents[segment]}),
            "judge": None if judge == UNKNOWN else x.judges[judge],
            "protocol": "da" if errors is None else "mqm" if score is None else "esa",
            "items": [{key: value for key, value in item.items() if value is not None}],
            **({} if task is None else {"task": task}),
            **({} if seconds is None else {"time": {"seconds": seconds}}),
            "control": controls[kind],
            "source": {"file": x.file, **({} if line is None else {"line": line})},
        }


def _spans_out(errors: Errors | None) -> dict[int, list[dict[str, Any]]]:
    """The spans of each row that has some."""
    spans: dict[int, list[dict[str, Any]]] = {}
    if errors is None:
        return spans
    n = len(errors.row)
    start, end = _listed(errors.start, n), _listed(errors.end, n)
    for e, row in enumerate(errors.row.tolist()):
        category = int(errors.category[e])
        span = {
            "start": start[e],
            "end": end[e],
            "category": None if category < 0 else errors.categories[category],
            "severity": errors.severities[int(errors.severity[e])],
        }
        spans.setdefault(row, []).append({key: value for key, value in span.items() if value is not None})
    return spans
