"""Error spans: JSON in a cell, as Appraise and ESA write it, and the `Errors` that come of them.

    [{"start_i": 3, "end_i": 9, "severity": "major", "error_type": "Mistranslation"}]

`start` and `category` mean the same as in Appraise; `end_i` is the last character of a span, `end` the one after it, as
it is kept. Something that is missing from the translation has no place: its start and
end are "missing", and so is its category unless the file gives one.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from tercet.data import Errors, Ints
from tercet.errors import InputError
from tercet.formats.names import Names

NOWHERE = -1
_MISSING = "missing"
_LIMIT = 1 << 62
_HINT = 'It must be like [{"start_i": 3, "end_i": 9, "severity": "major"}].'


class Span(NamedTuple):
    """An error: its category, None if it has none, its severity, and where it is."""

    category: str | None
    severity: str
    start: int = NOWHERE
    end: int = NOWHERE


class ErrorList:
    """Collects errors, row after row."""

    def __init__(self) -> None:
        self.categories: Names[str] = Names()
        self.severities: Names[str] = Names()
        self.columns: list[tuple[int, int, int, int, int]] = []

    def add(self, row: int, span: Span) -> None:
        """Keep an error that was marked in the output of a row."""
        category = -1 if span.category is None else self.categories[span.category]
        self.columns.append((row, category, self.severities[span.severity], span.start, span.end))

    def errors(self, *, places: bool = True) -> Errors:
        """All of them, in the order of their rows; without `places`, nothing is said of where they are."""
        table: Ints = np.array(self.columns, dtype=np.int64).reshape(-1, 5)
        row, category, severity, start, end = table[np.argsort(table[:, 0], kind="stable")].T
        where = (start, end) if places else (None, None)
        return Errors(row, tuple(self.categories), category, tuple(self.severities), severity, *where)


def parse(text: str, where: str) -> list[Span]:
    """The spans in a cell; an empty one has none.

    >>> parse('[{"start_i": 0, "end_i": 3, "severity": "minor"}]', "here")
    [Span(category=None, severity='minor', start=0, end=4)]
    """
    if not text.strip() or text.strip().lower() in ("none", "null"):
        return []
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{where}: the error spans {text[:60]!r} are not JSON.", hint=_HINT) from None
    return from_json(parsed, where)


def from_json(parsed: Any, where: str) -> list[Span]:
    """The spans in a list of objects."""
    if not isinstance(parsed, list) or not all(isinstance(item, dict) for item in parsed):
        raise InputError(f"{where}: the error spans are no list of objects.", hint=_HINT)
    return [_span(item, where) for item in parsed]


def _span(given: dict[str, Any], where: str) -> Span:
    severity = given.get("severity")
    category = given.get("category", given.get("error_type"))
    if not isinstance(severity, str) or not isinstance(category, str | None):
        raise InputError(
            f"{where}: an error span has the severity {severity!r} and the category {category!r}.",
            hint="The severity must be text; so must the category, if there is one.",
        )
    start = given.get("start", given.get("start_i"))
    if category is None and start == _MISSING:
        category = _MISSING
    end = _place(given.get("end", given.get("end_i")), where)
    if "end" not in given and end != NOWHERE:
        end += 1  # Appraise names the last character
    return Span(category, severity, _place(start, where), end)


def _place(given: Any, where: str) -> int:
    if given is None or given == _MISSING:
        return NOWHERE
    if isinstance(given, int) and not isinstance(given, bool) and NOWHERE <= given < _LIMIT:
        return given
    raise InputError(
        f"{where}: {given!r} is no place of an error span.", hint="Write the number of a character, from 0."
    )
