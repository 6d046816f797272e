"""Files of human judgements: which formats there are, and which one a file has. This table is the contents page.

A format's module has `read(path, pair) -> Judgements` and `pairs(path) -> list[str]`. A file's format is known by how
it begins: by its header, by its first row, or by being XML or JSON. `.gz` is unpacked on the way. A campaign is read by
the room that writes it, which stands above this one: it is loaded by its name, as what other packages add would be.
"""

from __future__ import annotations

import csv
import importlib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tercet.data import Judgements
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File

if TYPE_CHECKING:  # few verbs wait for it
    from tercet.data.quality import JudgedText

SQLITE = b"SQLite format 3\x00"
DATABASE = re.compile(r"postgres(ql)?(\+psycopg)?:/+")  # a URL, also one that went through a path
_HEAD = 1 << 16  # bytes; a row with error spans is long


class JudgementFormat(NamedTuple):
    """Where a format lives, and what it is."""

    module: str
    summary: str


JUDGEMENT_FORMATS: Mapping[str, JudgementFormat] = {
    "rankings": JudgementFormat("tercet.formats.rankings", "rankings of two and more outputs, the csv of WMT"),
    "pairs": JudgementFormat("tercet.formats.pairs", "a better and a worse system a row, daRR as well"),
    "appraise-rr": JudgementFormat("tercet.formats.appraise_rr", "rankings as XML of Appraise"),
    "appraise": JudgementFormat("tercet.formats.appraise", "results of Appraise, a csv without header: DA and ESA"),
    "da": JudgementFormat("tercet.formats.assessments", "a table of direct assessments, with error spans or without"),
    "adequacy-fluency": JudgementFormat(
        "tercet.formats.adequacy_fluency", "a table of adequacy and fluency from 1 to 5, as in WMT06 and WMT07"
    ),
    "mqm": JudgementFormat("tercet.formats.mqm", "errors marked by raters, MQM as Google publishes it"),
    "ratings": JudgementFormat("tercet.formats.ratings", "ratings of segments in a directory of mt-metrics-eval"),
    "campaign": JudgementFormat("tercet.campaigns.judged", "a campaign of tercet campaign, its file or its URL"),
    "records": JudgementFormat("tercet.formats.records", "our own interchange, JSON lines, nothing lost"),
}


def read_judgements(
    path: File,
    format: str | None = None,  # noqa: A002 - the option is called --format
    pair: str | None = None,
) -> Judgements:
    """The human judgements in a file, of one language pair; the format is known by how the file begins.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "judgements")
    ...     _ = file.write_text("lp,segment,better,worse\\nCzech-English,7,a,b\\n")
    ...     found = read_judgements(file)
    >>> type(found).__name__, found.pair, found.systems
    ('Rankings', 'cs-en', ('a', 'b'))
    """
    read: Callable[[File, str | None], Judgements] = _module(path, format).read
    return read(path, pair)


def judgement_pairs(path: File, format: str | None = None) -> list[str]:  # noqa: A002
    """The language pairs of a file of judgements, none if it does not say."""
    pairs: Callable[[File], list[str]] = _module(path, format).pairs
    return pairs(path)


def judged_texts(path: File, format: str | None = None) -> list[JudgedText]:  # noqa: A002
    """The translations that were judged, where a format holds them: campaigns do."""
    texts: Callable[[File], list[JudgedText]] | None = getattr(_module(path, format), "texts", None)
    return [] if texts is None else texts(path)


def detect_judgements(path: File) -> str:
    """The name of the format of a file of judgements."""
    if DATABASE.match(str(path)):
        return "campaign"
    from tercet.formats import ratings

    if lines.is_stdin(path):
        raise InputError("The format of standard input is not known.", hint=f"Name it: {_known()}.")
    if ratings.is_ratings(Path(path)):
        return "ratings"
    if os.path.exists(path) and not os.path.isfile(path):
        what = "a directory" if os.path.isdir(path) else "a pipe, and looking at it would use it up"
        raise InputError(f"{lines.shown(path)} is {what}.", hint=f"Name a file, or its format: {_known()}.")
    head = lines.head(path, _HEAD)
    if head.startswith(SQLITE):
        return "campaign"
    lines.require_text(path, head)
    start = head.decode("utf-8", "replace").removeprefix("\ufeff").lstrip()
    if not start:
        raise InputError(f"{lines.shown(path)} is empty.", hint="Check that it is the right file.")
    format_name = "appraise-rr" if start[0] == "<" else "records" if start[0] == "{" else _by_table(start)
    if not format_name:
        shown = start.partition("\n")[0].rstrip("\r")[:80]
        raise InputError(
            f"The format of {lines.shown(path)}, which begins {shown!r}, is not known.",
            hint="Check its header: rankings need system1Id, system1rank, ..., pairs better and worse, MQM system, "
            "category and severity, scores system, segment and score, or adequacy and fluency. "
            f"Or name the format: {_known()}.",
        )
    return format_name


def _by_table(start: str) -> str:
    """The format of a table, by the names in its header, or by its first row if it has none."""
    from tercet.formats import appraise, assessments, cells

    first = start.partition("\n")[0].rstrip("\r")
    separator = cells.separator(first)
    names = {name.strip(' "').lower() for name in (first.split() if separator == " " else first.split(separator))}
    if "system1id" in names:
        return "rankings"
    if {"better", "worse"} <= names:
        return "pairs"
    if {"category", "severity", "system"} <= names:
        return "mqm"
    if assessments.is_header(names):
        return "da"
    if "system" in names and names & {"adequacy", "fluency"}:
        return "adequacy-fluency"
    try:
        row = next(csv.reader(start.split("\n")), [])
    except csv.Error:
        return ""
    return "appraise" if appraise.naming(row) else ""


def _module(path: File, name: str | None) -> Any:
    name = name or detect_judgements(path)
    if name not in JUDGEMENT_FORMATS:
        raise InputError(f"There is no format of judgements called {name!r}.", hint=f"The formats are {_known()}.")
    return importlib.import_module(JUDGEMENT_FORMATS[name].module)


def _known() -> str:
    return ", ".join(JUDGEMENT_FORMATS)
