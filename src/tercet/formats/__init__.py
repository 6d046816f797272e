"""File formats, a module each: `read` gives a test set, `write` a file. This table is the contents page.

Files of human judgements have a contents page of their own, `judgements`, and so have files of scores, `scores`.

Other packages add to it by entry points of the group `tercet.formats`: each names a module with
`suffixes: tuple[str, ...]` and `read(path) -> TestSet`; the first line of its docstring is its summary.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tercet.data import TestSet
from tercet.errors import InputError, PluginError
from tercet.formats import columns, lines, packing
from tercet.formats.lines import File
from tercet.formats.shares import Share, Unread
from tercet.plugins import Plugins, blamed, require

if TYPE_CHECKING:
    from tercet.formats.judgements import (
        JUDGEMENT_FORMATS,
        JudgementFormat,
        detect_judgements,
        judgement_pairs,
        read_judgements,
    )
    from tercet.formats.scores import (
        HUMAN,
        HUMAN_PREFIX,
        SCORE_FORMATS,
        ScoreFormat,
        detect_scores,
        join,
        read_scores,
        write_scores,
    )
else:  # who scores texts waits for neither
    import lazy_loader

    __getattr__, _, _ = lazy_loader.attach(
        __name__,
        submod_attrs={
            "judgements": [
                "JUDGEMENT_FORMATS",
                "JudgementFormat",
                "detect_judgements",
                "judgement_pairs",
                "read_judgements",
            ],
            "scores": [
                "HUMAN",
                "HUMAN_PREFIX",
                "SCORE_FORMATS",
                "ScoreFormat",
                "detect_scores",
                "join",
                "read_scores",
                "write_scores",
            ],
        },
    )


@dataclasses.dataclass(frozen=True)
class Format:
    """A format: where it lives, what it is, and the ends of its files' names (each may have .gz or .zst behind it).

    `read` and `parts` name the functions of the module that give a test set, whole or in parts; either can
    stand in for the other. Without both, one file is not a test set.
    """

    module: str
    summary: str
    suffixes: tuple[str, ...] = ()
    read: str | None = None
    parts: str | None = None
    size: str | None = None  # the function that counts segments without reading them
    share: str | None = None  # the function that gives a share of the parts, and of the others their number


_TABLE = "tercet.formats.table"
FORMATS: Mapping[str, Format] = {
    "text": Format("tercet.formats.text", "plain text, one segment a line, several files", (".txt",)),
    "tsv": Format(
        "tercet.formats.table",
        "a table with tabs and a header",
        (".tsv",),
        parts="tsv_parts",
        size="tsv_size",
        share="tsv_share",
    ),
    "parquet": Format(
        "tercet.formats.table",
        "the same table in Parquet",
        (".parquet",),
        parts="parquet_parts",
        size="parquet_size",
        share="parquet_share",
    ),
    "sgml": Format("tercet.formats.sgml", "SGML of NIST and WMT", (".sgm", ".sgml"), read="read_testset"),
    "xml": Format("tercet.formats.xml", "XML of WMT, since 2021", (".xml",), read="read"),
    "directory": Format("tercet.formats.directory", "a directory as mt-metrics-eval has it", read="read"),
}

_PLUGINS = Plugins("format", "tercet.formats", FORMATS)
_SGML = re.compile(rb"<(srcset|refset|tstset|mteval)\b|<!DOCTYPE\s+mteval\b", re.IGNORECASE)
_XML = re.compile(rb"<dataset\b")
_HEADER = re.compile(rb"^(?:\xef\xbb\xbf)?(?=[^\n]*\t)(?:[^\n]*\t)?(?:segment|source|reference)[\t\r\n:]")


def read_testset(path: File, format: str | None = None) -> TestSet:  # noqa: A002 - the option is called --format
    """The test set in a file or directory, whose format is known by its name or its first bytes."""
    chosen, module = _chosen(path, format)
    if chosen.read:
        with blamed(module, chosen.read):
            testset = getattr(module, chosen.read)(path)
        require(module, chosen.read, isinstance(testset, TestSet), f"a {type(testset).__name__}", "a TestSet")
        return testset  # type: ignore[no-any-return]
    return next(testset_parts(path, columns.EVERYTHING, format))


def testset_parts(
    path: File,
    size: int = lines.BLOCK,  # noqa: PT028 - not a test, whatever its name begins with
    format: str | None = None,  # noqa: A002, PT028
) -> Iterator[TestSet]:
    """The same in parts of at most `size` segments, at least one; tables are never held as a whole."""
    chosen, module = _chosen(path, format)
    if chosen.parts:
        return _blamed_parts(module, chosen.parts, path, size)
    return columns.parts(read_testset(path, format), size)


def _blamed_parts(module: ModuleType, method: str, path: File, size: int) -> Iterator[TestSet]:
    with blamed(module, method):
        for part in getattr(module, method)(path, size):
            require(module, method, isinstance(part, TestSet), f"a {type(part).__name__} among parts", "test sets")
            yield part


def testset_share(path: File, size: int, format: str | None, share: Share) -> Iterator[TestSet | Unread]:  # noqa: A002
    """A share of the parts, where a format knows how to pass over the others; otherwise all of them."""
    chosen, module = _chosen(path, format)
    if not chosen.share:
        return testset_parts(path, size, format)
    read: Callable[[File, int, Share], Iterator[TestSet | Unread]] = getattr(module, chosen.share)
    return read(path, size, share)


def testset_size(path: File, format: str | None = None) -> int | None:  # noqa: A002, PT028
    """How many segments a file has, where that is known without reading all of it."""
    chosen, module = _chosen(path, format)
    count: Callable[[File], int | None] = getattr(module, chosen.size) if chosen.size else lambda _: None
    return count(path)


def testset_pairs(path: File, format: str | None = None) -> list[str]:  # noqa: A002, PT028
    """The language pairs that a file or directory of a test set says it has; none where it does not say."""
    _, module = _loaded(format or detect(path))
    pairs: Callable[[File], list[str]] = getattr(module, "pairs", lambda _: [])
    return pairs(path)


def formats() -> dict[str, Format]:
    """Every format: our own, then those of other packages that can be loaded."""
    broken = broken_formats()
    return {**FORMATS, **{name: _plugin(name)[0] for name in _PLUGINS if name not in broken}}


def broken_formats() -> dict[str, PluginError]:
    """Every format that another package offers and that cannot be used, with what is wrong."""
    broken = _PLUGINS.clashes()
    for name in _PLUGINS:
        try:
            _plugin(name)
        except PluginError as error:
            broken[name] = error
    return broken


def detect(path: File) -> str:
    """The name of a file's format, by what it is called and by how it begins."""
    if lines.is_stdin(path):
        raise InputError("The format of standard input is not known.", hint=f"Name it: {_known()}.")
    if os.path.isdir(path):
        return "directory"
    called = packing.unpacked_name(path)
    named = _by_suffix(called, FORMATS)
    if named in ("text", "tsv", "parquet"):
        return named
    if not named and (added := _by_suffix(called, formats())):
        return added
    begins = _by_content(lines.head(path))
    if named and begins not in ("sgml", "xml"):
        return named
    # NIST's files are called .xml, too, so what is inside says more than the name.
    if not begins:
        broken = "".join(f" {error.message}" for error in broken_formats().values())
        raise InputError(f"The format of {lines.shown(path)} is not known.", hint=f"Name it: {_known()}.{broken}")
    return begins


def _by_suffix(called: str, known: Mapping[str, Format]) -> str:
    return next((name for name, form in known.items() if called.endswith(form.suffixes)), "")


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
    return ", ".join([*FORMATS, *_PLUGINS])


def _plugin(name: str) -> tuple[Format, Any]:
    entry, module = _PLUGINS.load(name)
    suffixes: Any = getattr(module, "suffixes", None)
    fine = isinstance(suffixes, tuple) and all(isinstance(suffix, str) for suffix in suffixes)
    _PLUGINS.require(entry, fine, "has no suffixes", 'Give the module the ends of names, suffixes = (".abc",).')
    _PLUGINS.require(entry, callable(getattr(module, "read", None)), "has no read", "Give it read(path) -> TestSet.")
    summary = (module.__doc__ or "").strip().partition("\n")[0]
    parts = "read_parts" if hasattr(module, "read_parts") else None
    return Format(entry.value, summary, suffixes, "read", parts), module


def _loaded(name: str) -> tuple[Format, Any]:
    _PLUGINS.require_sole(name)
    if name in FORMATS:
        return FORMATS[name], importlib.import_module(FORMATS[name].module)
    if name in _PLUGINS:
        return _plugin(name)
    raise InputError(f"There is no format called {name!r}.", hint=f"The formats are {_known()}.")


__all__ = [
    "FORMATS",
    "HUMAN",
    "HUMAN_PREFIX",
    "JUDGEMENT_FORMATS",
    "SCORE_FORMATS",
    "Format",
    "JudgementFormat",
    "ScoreFormat",
    "broken_formats",
    "detect",
    "detect_judgements",
    "detect_scores",
    "formats",
    "join",
    "judgement_pairs",
    "read_judgements",
    "read_scores",
    "read_testset",
    "testset_pairs",
    "testset_parts",
    "write_scores",
]
