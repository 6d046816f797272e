"""File formats, a module each: `read` gives a test set, `write` a file. This table is the contents page.

Files of human judgements have a contents page of their own, `judgements`, and so have files of scores, `scores`.

Other packages add to it by entry points of the group `tercet.formats`: each names a module with
`suffixes: tuple[str, ...]` and `read(path) -> TestSet`; the first line of its docstring is its summary.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tercet.data import TestSet
from tercet.errors import InputError, MissingExtraError
from tercet.formats import columns, lines
from tercet.formats.judgements import (
    JUDGEMENT_FORMATS,
    JudgementFormat,
    detect_judgements,
    judgement_pairs,
    read_judgements,
)
from tercet.formats.lines import File
from tercet.formats.scores import HUMAN, SCORE_FORMATS, ScoreFormat, detect_scores, join, read_scores, write_scores

GROUP = "tercet.formats"


@dataclasses.dataclass(frozen=True)
class Format:
    """A format: where it lives, what it is, and the ends of its files' names (each may have .gz behind it).

    `read` and `parts` name the functions of the module that give a test set, whole or in parts; either can
    stand in for the other. Without both, one file is not a test set.
    """

    module: str
    summary: str
    suffixes: tuple[str, ...] = ()
    read: str | None = None
    parts: str | None = None


FORMATS: Mapping[str, Format] = {
    "text": Format("tercet.formats.text", "plain text, one segment a line, several files", (".txt",)),
    "tsv": Format("tercet.formats.table", "a table with tabs and a header", (".tsv",), parts="tsv_parts"),
    "parquet": Format("tercet.formats.table", "the same table in Parquet", (".parquet",), parts="parquet_parts"),
    "sgml": Format("tercet.formats.sgml", "SGML of NIST and WMT", (".sgm", ".sgml"), read="read_testset"),
    "xml": Format("tercet.formats.xml", "XML of WMT, since 2021", (".xml",), read="read"),
    "directory": Format("tercet.formats.directory", "a directory as mt-metrics-eval has it", read="read"),
}

_SGML = re.compile(rb"<(srcset|refset|tstset|mteval)\b|<!DOCTYPE\s+mteval\b", re.IGNORECASE)
_XML = re.compile(rb"<dataset\b")
_HEADER = re.compile(rb"^(?:\xef\xbb\xbf)?(?=[^\n]*\t)(?:[^\n]*\t)?(?:segment|source|reference)[\t\r\n:]")


def read_testset(path: File, format: str | None = None) -> TestSet:  # noqa: A002 - the option is called --format
    """The test set in a file or directory, whose format is known by its name or its first bytes."""
    chosen, module = _chosen(path, format)
    if chosen.read:
        read: Callable[[File], TestSet] = getattr(module, chosen.read)
        return read(path)
    return next(testset_parts(path, columns.EVERYTHING, format))


def testset_parts(
    path: File,
    size: int = lines.BLOCK,  # noqa: PT028 - not a test, whatever its name begins with
    format: str | None = None,  # noqa: A002, PT028
) -> Iterator[TestSet]:
    """The same in parts of at most `size` segments, at least one; tables are never held as a whole."""
    chosen, module = _chosen(path, format)
    if chosen.parts:
        read_parts: Callable[[File, int], Iterator[TestSet]] = getattr(module, chosen.parts)
        return read_parts(path, size)
    return columns.parts(read_testset(path, format), size)


def formats() -> dict[str, Format]:
    """Every format: our own, then those of other packages."""
    return {**FORMATS, **{name: _plugin(name)[0] for name in _plugins() if name not in FORMATS}}


def detect(path: File) -> str:
    """The name of a file's format, by what it is called and by how it begins."""
    if lines.is_stdin(path):
        raise InputError("The format of standard input is not known.", hint=f"Name it: {_known()}.")
    if Path(path).is_dir():
        return "directory"
    called = os.fspath(path).lower().removesuffix(".gz")
    named = _by_suffix(called, FORMATS)
    if named in ("text", "tsv", "parquet"):
        return named
    begins = _by_content(lines.head(path))
    if named and begins not in ("sgml", "xml"):
        return named
    # NIST's files are called .xml, too, so what is inside says more than the name.
    found = begins if named else _by_suffix(called, formats()) or begins
    if not found:
        raise InputError(f"The format of {lines.shown(path)} is not known.", hint=f"Name it: {_known()}.")
    return found


def _by_suffix(called: str, known: Mapping[str, Format]) -> str:
    return next((name for name, each in known.items() if called.endswith(each.suffixes)), "")


def _by_content(start: bytes) -> str:
    if start.startswith(b"PAR1"):
        return "parquet"
    if _SGML.search(start):
        return "sgml"
    if _XML.search(start):
        return "xml"
    return "tsv" if _HEADER.match(start) else ""


def _chosen(path: File, name: str | None) -> tuple[Format, Any]:
    name = name or detect(path)
    chosen, module = _loaded(name)
    if not chosen.read and not chosen.parts:
        raise InputError(
            f"{lines.shown(path)} is {name}, of which one file is not a test set.",
            hint="Pass outputs and references as files of their own, or one table (.tsv or .parquet).",
        )
    return chosen, module


def _known() -> str:
    return ", ".join([*FORMATS, *(name for name in _plugins() if name not in FORMATS)])


def _plugins() -> dict[str, importlib.metadata.EntryPoint]:
    return {each.name: each for each in importlib.metadata.entry_points(group=GROUP)}


def _plugin(name: str) -> tuple[Format, Any]:
    entry = _plugins()[name]
    try:
        module = entry.load()
    except ImportError as error:
        raise MissingExtraError(
            f"The format {name!r} of another package cannot be loaded: {error}.",
            hint=f"Install what it needs, or remove the package that offers {entry.value}.",
        ) from error
    summary = (module.__doc__ or "").strip().partition("\n")[0]
    parts = "read_parts" if hasattr(module, "read_parts") else None
    return Format(entry.value, summary, tuple(module.suffixes), "read", parts), module


def _loaded(name: str) -> tuple[Format, Any]:
    if name in FORMATS:
        return FORMATS[name], importlib.import_module(FORMATS[name].module)
    if name in _plugins():
        return _plugin(name)
    raise InputError(f"There is no format called {name!r}.", hint=f"The formats are {_known()}.")


__all__ = [
    "FORMATS",
    "HUMAN",
    "JUDGEMENT_FORMATS",
    "SCORE_FORMATS",
    "Format",
    "JudgementFormat",
    "ScoreFormat",
    "detect",
    "detect_judgements",
    "detect_scores",
    "formats",
    "join",
    "judgement_pairs",
    "read_judgements",
    "read_scores",
    "read_testset",
    "testset_parts",
    "write_scores",
]
