"""WMT XML, since 2021: <dataset> > <collection>? > <doc> > <src>, <ref>, <hyp> > <p> > <seg>.

References are told apart by their `translator`, outputs by their `system`; segments are called
"document:segment". A line break inside a segment, with the white space around it, becomes one space; other
spaces stay. `markup` says what hostile files may not do.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Literal

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import columns, languages, lines
from tercet.formats.lines import File
from tercet.formats.markup import Walker

Side = Literal["src", "ref", "hyp"]
Key = tuple[str, str]  # document, segment

_NAME: dict[Side, str] = {"src": "", "ref": "translator", "hyp": "system"}
_FACETS = ("domain", "origlang", "genre")  # attributes of a document
_SOURCE_LANGUAGE = re.compile(r"""<src\b[^<>]*?\slang=["'](\w+)""")
_TARGET_LANGUAGE = re.compile(r"""<(?:ref|hyp)\b[^<>]*?\slang=["'](\w+)""")
_BREAK = re.compile(r"(?<![ \t])[ \t]*+[\r\n][ \t\r\n]*+")  # tries a run of spaces from its start only


def read(path: File, *, references: bool = True) -> TestSet:
    """The test set of a file, without its references if they are not wanted.

    A file whose documents all lack references gives a test set without; some with and some without is an
    error, unless `references` is false.
    """
    reader = _DatasetReader(path)
    reader.walk()
    return _testset(reader, references)


def pairs(path: File) -> list[str]:
    """The language pair that the beginning of a file names, if it does."""
    start = lines.head(path, lines.BEGINNING).decode("utf-8", "replace")
    source, target = _SOURCE_LANGUAGE.search(start), _TARGET_LANGUAGE.search(start)
    said = languages.pair((source[1], target[1])) if source and target else ""
    return [said] if said else []


@dataclasses.dataclass
class _Column:
    """The segments of the source, of one translator or of one system."""

    side: Side
    name: str
    texts: dict[Key, str] = dataclasses.field(default_factory=dict)


class _DatasetReader(Walker):
    """Collects segments while expat walks through the file."""

    def __init__(self, path: File) -> None:
        super().__init__(path)
        self.columns: dict[tuple[Side, str], _Column] = {}
        self.documents: dict[str, dict[str, str]] = {}  # with what each says of itself
        self.root = ""
        self.document = ""
        self.column: _Column | None = None
        self.segment = ""
        self.pieces: list[str] | None = None  # of the segment that is open

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        if not self.root:
            self.root = tag
            if tag != "dataset":
                raise self.fault(f"the outermost element is <{tag}>, not <dataset>", "Check that it is XML of WMT.")
        elif tag == "doc":
            self.document = self.open_document(given)
        elif tag in ("src", "ref", "hyp"):
            self.column = self.open_column(tag, given)  # type: ignore[arg-type]
        elif tag == "seg" and self.column:
            self.segment = self.open_segment(self.column, given)
            self.pieces = []

    def open_document(self, given: Mapping[str, str]) -> str:
        name = given.get("id", "")
        if not name or name in self.documents:
            what = f"document {name!r} is there twice" if name else "a <doc> has no id"
            raise self.fault(what, "Give every document an id of its own.")
        self.documents[name] = {facet: given[facet] for facet in _FACETS if facet in given}
        return name

    def open_column(self, side: Side, given: Mapping[str, str]) -> _Column:
        if not self.document:
            raise self.fault(f"a <{side}> stands outside every document", "Put <doc id=...> around it.")
        name = given.get(_NAME[side], "")
        if side == "hyp" and not name:
            raise self.fault("a <hyp> does not say which system it is from", "Add system=...")
        return self.columns.setdefault((side, name), _Column(side, name))

    def open_segment(self, column: _Column, given: Mapping[str, str]) -> str:
        if "id" not in given:
            raise self.fault("a <seg> has no id", "Give it one; segments are matched by it.")
        if (self.document, given["id"]) in column.texts:
            called = f" {column.name!r}" if column.name else ""
            raise self.fault(
                f"segment {given['id']!r} of document {self.document!r} is twice in <{column.side}>{called}",
                "Renumber it, or tell references apart by their translator.",
            )
        return given["id"]

    def end(self, tag: str) -> None:
        if tag == "doc":
            self.document = ""
        elif tag in ("src", "ref", "hyp"):
            self.column = None
        elif tag == "seg" and self.column and self.pieces is not None:
            self.column.texts[self.document, self.segment] = _BREAK.sub(" ", "".join(self.pieces))
            self.pieces = None

    def characters(self, text: str) -> None:
        if self.pieces is not None:
            self.pieces.append(text)


def _testset(reader: _DatasetReader, wanted: bool) -> TestSet:
    by_side: dict[Side, list[_Column]] = {"src": [], "ref": [], "hyp": []}
    for column in reader.columns.values():
        by_side[column.side].append(column)
    if not reader.columns:
        raise InputError(f"{reader.file} has no segments.", hint="Check that its documents hold <src>, <ref> or <hyp>.")
    first = next(iter((*by_side["src"], *by_side["ref"], *by_side["hyp"])))
    order = list(first.texts)
    sources, references, outputs = (by_side[side] for side in ("src", "ref", "hyp"))
    rows = _references(reader, references, order, first) if wanted else []
    return TestSet(
        segments=tuple(f"{document}:{segment}" for document, segment in order),
        systems={output.name: columns.texts(_covered(reader, output, order, first)) for output in outputs},
        references=columns.ragged(rows) if rows else None,
        sources=columns.texts(sources[0].texts.values()) if sources else None,
        documents=tuple(document for document, _ in order),
        reference_names=tuple(reference.name for reference in references) if rows and references[0].name else (),
        facets=columns.document_facets(reader.documents, [document for document, _ in order]),
    )


def _covered(reader: _DatasetReader, column: _Column, order: list[Key], first: _Column) -> list[str]:
    kind = {"src": "the source", "ref": f"reference {column.name!r}", "hyp": f"system {column.name!r}"}
    what = f"{reader.file}: {kind[column.side]}"
    by = {"src": "its source", "ref": "its first reference", "hyp": "its first system"}[first.side]
    return columns.covered(what, column.texts, order, by)


def _references(reader: _DatasetReader, references: list[_Column], order: list[Key], first: _Column) -> list[list[str]]:
    """The references of each segment: all have some, or none has."""
    known = {key for reference in references for key in reference.texts}
    if not known:
        return []
    without = list(dict.fromkeys(document for document, segment in order if (document, segment) not in known))
    if without:
        names = ", ".join(without[:5]) + (", ..." if len(without) > 5 else "")
        raise InputError(
            f"{reader.file}: {len(without)} of {len(reader.documents)} documents lack references: {names}.",
            hint="Add them or leave these documents out; or read the file without references.",
        )
    rows: dict[Key, list[str]] = {key: [] for key in order}
    for reference in references:  # one may lack what another has, but not add; there may be as many as documents
        if not reference.texts.keys() <= rows.keys():
            filled = {**dict.fromkeys(order, ""), **reference.texts}
            _covered(reader, dataclasses.replace(reference, texts=filled), order, first)
        for key, text in reference.texts.items():
            rows[key].append(text)
    return list(rows.values())
