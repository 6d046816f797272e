"""Scores as they are handed in to the metrics task of WMT: a line a score, tabs, no header. What a line holds is known
by how many fields it has and of what type they are; a format that is named goes before.

    wmt14-sys    METRIC LP TESTSET SYSTEM SCORE                                                    (2008 to 2016)
    wmt14-seg    METRIC LP TESTSET SYSTEM SEGMENT SCORE
    wmt19-sys    METRIC LP TESTSET SYSTEM SCORE ENSEMBLE AVAILABLE                                 (2017 to 2019)
    wmt19-seg    METRIC LP TESTSET SYSTEM SEGMENT SCORE ENSEMBLE AVAILABLE
    wmt20-sys    METRIC LP TESTSET REFERENCE SYSTEM SCORE ENSEMBLE AVAILABLE                       (2020)
    wmt20-seg    METRIC LP TESTSET REFERENCE SYSTEM DOCUMENT SEGMENT SCORE ENSEMBLE AVAILABLE
    wmt23-sys    METRIC LP TESTSET DOMAIN REFERENCE SYSTEM SCORE                                   (2021 to 2024)
    wmt23-seg    METRIC LP TESTSET DOMAIN DOCUMENT REFERENCE SYSTEM SEGMENT SCORE

All lines of a file have the layout of its first one. Segments are called by their numbers; where these start again in
another document, and always in 2020, document::segment, as the judgements of WMT20 do.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tercet.data import Ints, MetricScores
from tercet.errors import InputError
from tercet.formats import languages, lines
from tercet.formats.lines import File
from tercet.formats.score_tables import Gatherer
from tercet.formats.scores import FileLabels, Wanted, require_level, require_plain
from tercet.options.agreeing import MetaLevel

_START, _END = ("metric", "pair", "testset"), ("ensemble", "available")
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "wmt14-sys": (*_START, "system", "score"),
    "wmt14-seg": (*_START, "system", "segment", "score"),
    "wmt19-sys": (*_START, "system", "score", *_END),
    "wmt19-seg": (*_START, "system", "segment", "score", *_END),
    "wmt20-sys": (*_START, "reference", "system", "score", *_END),
    "wmt20-seg": (*_START, "reference", "system", "document", "segment", "score", *_END),
    "wmt23-sys": (*_START, "domain", "reference", "system", "score"),
    "wmt23-seg": (*_START, "domain", "document", "reference", "system", "segment", "score"),
}
_ENSEMBLE = {"ensemble": True, "non-ensemble": False}
_SEGMENT = re.compile(r"[1-9][0-9]{0,9}")


@dataclasses.dataclass(frozen=True)
class Submission:
    """One score of a metric; what a year's format does not have is None, and so is "no" for `available`."""

    metric: str
    pair: str
    testset: str
    system: str
    score: float
    segment: int | None = None  # from 1, over the whole test set
    document: str | None = None
    domain: str | None = None
    reference: str | None = None
    ensemble: bool | None = None
    available: str | None = None  # where the metric can be had


def parse_line(line: str, format: str | None = None, where: str = "The line") -> Submission:  # noqa: A002
    """The score in a line; `where` names the line in messages.

    >>> parse_line("BEER\\tcs-en\\tnewstest2014\\tonline-B.0\\t17\\t-0.5").segment
    17
    """
    fields = line.rstrip("\r\n").split("\t")
    layout = LAYOUTS[_layout(fields, format, where)]
    if len(fields) != len(layout):
        raise InputError(
            f"{where} has {len(fields)} fields, {format} {len(layout)}.", hint=f"They are {_shown(layout)}."
        )
    given = dict(zip(layout, fields, strict=True))
    for name, cell in given.items():
        if not _fits(name, cell):
            raise InputError(f"{where} has the {name} {cell!r}.", hint=_HINTS.get(name, "It may not be empty."))
    return Submission(
        given["metric"],
        languages.pair(given["pair"]),
        given["testset"],
        given["system"],
        float(given["score"]),
        int(given["segment"]) if "segment" in given else None,
        given.get("document"),
        given.get("domain"),
        given.get("reference"),
        _ENSEMBLE[given["ensemble"]] if "ensemble" in given else None,
        None if given.get("available") == "no" else given.get("available"),
    )


def is_submission(line: str) -> bool:
    """Whether a line is a score of one of the layouts."""
    fields = line.split("\t")
    return any(len(layout) == len(fields) and all(map(_fits, layout, fields)) for layout in LAYOUTS.values())


def read(path: File, wanted: Wanted, layout: str | None = None) -> list[MetricScores]:
    """The scores of a file of submissions; a layout that is named goes before what the first line looks like."""
    file = lines.shown(path)
    gatherer: Gatherer | None = None
    start = 1
    for block in lines.kept(path):
        numbers = np.array([i for i, line in enumerate(block, start) if line], dtype=np.int64)
        start += len(block)
        block = [line for line in block if line]
        if block and gatherer is None:
            _require_fields(block[0], file)
            layout = _layout(block[0].split("\t"), layout, f"{file}, line {int(numbers[0])}")
            level: MetaLevel = "segment" if layout.endswith("seg") else "system"
            by_document = layout == "wmt20-seg"
            gatherer = Gatherer(file, wanted, level, LAYOUTS[layout], joint="::", always=by_document, numbered=True)
        if block and gatherer is not None and layout is not None:
            _take(gatherer, block, numbers, layout)
    if gatherer is None:
        raise InputError(f"{file} is empty.", hint="Check that it is the right file.")
    return gatherer.result()


def _require_fields(line: str, file: str) -> None:
    """Refuse a file of mt-metrics-eval, whose names end in the same way."""
    if len(line.split()) == 2:
        raise InputError(
            f"{file} has two fields a line, as files of mt-metrics-eval do.",
            hint="Name the directory that holds human-scores/ and metric-scores/.",
        )


def _take(gatherer: Gatherer, block: Sequence[str], numbers: Ints, layout: str) -> None:
    fields = LAYOUTS[layout]
    if any(line.count("\t") != len(fields) - 1 for line in block):
        _find_fault(block, numbers, layout, gatherer.file)
    # One cut for all lines, as in `cells`; only a file with a fault is gone through line by line.
    cells = "\t".join(block).split("\t")
    columns = {name: cells[i :: len(fields)] for i, name in enumerate(fields)}
    if not all(_fits(name, cell) for name, column in columns.items() if name != "score" for cell in set(column)):
        _find_fault(block, numbers, layout, gatherer.file)
    if not all(map(_finite, columns["score"])):
        _find_fault(block, numbers, layout, gatherer.file)
    segments, nothing = columns.get("segment"), [""] * len(block)
    items = list(zip(segments or nothing, columns.get("document", nothing) if segments else nothing, strict=True))
    values = np.array([[float(cell)] for cell in columns["score"]])
    gatherer.take(columns, items, numbers, values)


def _find_fault(block: Sequence[str], numbers: Ints, layout: str, file: str) -> None:
    for line, number in zip(block, numbers.tolist(), strict=True):
        parse_line(line, layout, f"{file}, line {number}")


def write(scores: Sequence[MetricScores], path: File, labels: FileLabels, layout: str = "") -> None:
    """Scores in a layout of submissions, of 2008 to 2016 if none is named; what is missing has no line.

    The layout of 2021 to 2024 also names a domain and a document, which are `all` where scores do not say.
    """
    file = lines.shown(path)
    level = require_level(scores, file)
    layout = layout or f"wmt14-{level[:3]}"
    if layout not in _WRITTEN or level != _WRITTEN[layout]:
        raise InputError(
            f"{file} cannot hold scores of the {level} level as {layout}.",
            hint=f"The layouts to write are {', '.join(f'{name} ({of} level)' for name, of in _WRITTEN.items())}.",
        )
    same = {"testset": labels.testset, "domain": labels.domain or "all", "document": "all"}
    same |= {"reference": labels.reference}
    for what in LAYOUTS[layout]:
        if same.get(what, "") is None:
            raise InputError(f"{file} must name the {what} of its scores.", hint=f"Give it: {what}=...")
    pieces = ["".join(_lines(entry, LAYOUTS[layout], same, file)) for entry in scores]
    lines.write(path, pieces)


_WRITTEN = {"wmt14-sys": "system", "wmt14-seg": "segment", "wmt23-sys": "system", "wmt23-seg": "segment"}


def _lines(scores: MetricScores, layout: Sequence[str], same: Mapping[str, str | None], file: str) -> Iterator[str]:
    if not scores.direction:
        raise InputError(f"{file} must name the language pair of {scores.metric}.", hint="Give it: pair=...")
    if "segment" in layout and (odd := [item for item in scores.items if not _SEGMENT.fullmatch(item)]):
        raise InputError(
            f"{file} cannot hold the segment {odd[0]!r} of {scores.metric}: segments are numbered from 1.",
            hint="Number them, or write a table.",
        )
    given = {**same, "metric": scores.metric, "pair": scores.direction}
    require_plain(file, *scores.systems, *(str(given[what]) for what in layout if what in given))
    for system, row in zip(scores.systems, scores.values.tolist(), strict=True):
        for item, score in zip(scores.items, row, strict=True):
            if not math.isnan(score):
                given |= {"system": system, "segment": item, "score": repr(score)}
                yield "\t".join(str(given[what]) for what in layout) + "\n"


_HINTS = {
    "score": "It must be a number.",
    "pair": languages.HINT,
    "segment": "Segments are numbered from 1.",
    "ensemble": "It is ensemble or non-ensemble.",
}


def _layout(fields: Sequence[str], name: str | None, where: str) -> str:
    if name is not None:
        if name not in LAYOUTS:
            raise InputError(f"There is no format of scores called {name!r}.", hint=f"They are {', '.join(LAYOUTS)}.")
        return name
    same = [key for key, layout in LAYOUTS.items() if len(layout) == len(fields)]
    if not same:
        counts = sorted({len(layout) for layout in LAYOUTS.values()})
        raise InputError(
            f"{where} has {len(fields)} fields.", hint=f"A score has {', '.join(map(str, counts))}, separated by tabs."
        )
    fitting = [key for key in same if all(map(_fits, LAYOUTS[key], fields))]
    if len(fitting) > 1:
        fitting = [key for key in fitting if not _has_hybrid(LAYOUTS[key], fields)]
    fitting = fitting or same
    if len(fitting) > 1:
        raise InputError(
            f"{where} is none of {', '.join(fitting)}.",
            hint=f"Name the format to learn what is wrong; {fitting[0]} is {_shown(LAYOUTS[fitting[0]])}.",
        )
    return fitting[0]


def _has_hybrid(layout: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether a system would be a number beside a reference: hybrids were, but only before there were references."""
    cells = dict(zip(layout, fields, strict=True))
    return "reference" in cells and bool(_SEGMENT.fullmatch(cells["system"]))


def _fits(name: str, cell: str) -> bool:
    """Whether a field could hold this."""
    if name == "score":
        return _finite(cell)
    if name == "segment":
        return bool(_SEGMENT.fullmatch(cell))
    if name == "ensemble":
        return cell in _ENSEMBLE
    return bool(languages.pair(cell)) if name == "pair" else bool(cell)


def _finite(cell: str) -> bool:
    try:
        return "_" not in cell and math.isfinite(float(cell))
    except ValueError:
        return False


def _shown(layout: Sequence[str]) -> str:
    return ", ".join(layout)
