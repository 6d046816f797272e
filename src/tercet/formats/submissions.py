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
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence

from tercet.errors import InputError
from tercet.formats import languages

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
    found = [key for key in same if _could_be(LAYOUTS[key], fields)] or same
    if len(found) > 1:
        raise InputError(
            f"{where} is none of {', '.join(found)}.",
            hint=f"Name the format to learn what is wrong; {found[0]} is {_shown(LAYOUTS[found[0]])}.",
        )
    return found[0]


def _could_be(layout: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether fields are of the types of a layout. Systems were numbers (hybrids) only before there were references."""
    given = dict(zip(layout, fields, strict=True))
    number = "reference" in given and bool(_SEGMENT.fullmatch(given["system"]))
    return not number and all(map(_fits, layout, fields))


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
