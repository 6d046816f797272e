"""NIST and WMT SGML: <srcset>, <refset>, <tstset> > <doc> > <hl>, <p> > <seg>, up to about 2020.

These files are not XML: "&" and "<" stand unescaped, attributes lack quotes or come twice, tags are in
capitals. So they are cut at the few tags that matter, and everything else is text. A segment is what stands
between <seg id=...> and </seg>: entities are resolved, then every run of spaces, tabs and line breaks becomes
one space. At either end it is kept, too, as mteval sees it; no-break and ideographic spaces stay.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import columns, languages, lines
from tercet.formats.lines import File

Kind = Literal["source", "reference", "system"]
Key = tuple[str, str]  # document, segment

_KINDS: dict[str, Kind] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_TAGS = {kind: tag for tag, kind in _KINDS.items()}

# Each character is looked at a few times at most, however hostile the file: a tag holds no "<" or ">", and
# the name of an attribute is tried from its first character only.
_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"']\S*+))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_FACETS = ("domain", "origlang", "genre")  # attributes of a document
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


@dataclasses.dataclass(frozen=True)
class SegmentSet:
    """One set of a file: for each sysid, in order, the text of every (document, segment)."""

    file: str
    kind: Kind
    setid: str
    source_language: str
    target_language: str
    systems: Mapping[str, Mapping[Key, str]]
    documents: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)  # what each says of itself


def read(path: File) -> list[SegmentSet]:
    """The sets of a file, in order."""
    text = lines.whole(path)
    reader = _SetReader(lines.shown(path), text)
    for tag in _TAG.finditer(text):
        reader.take(tag)
    reader.end()
    return reader.sets


def pairs(path: File) -> list[str]:
    """The language pairs that the beginning of a file names; a source may be of `any` language, which is none."""
    start = lines.head(path, lines.BEGINNING).decode("utf-8", "replace")
    tags = (_attributes(tag[3]) for tag in _TAG.finditer(start) if not tag[1] and tag[2].lower() in _KINDS)
    written = ((given.get("srclang", "any"), given.get("trglang", "any")) for given in tags)
    said = (languages.pair(both) for both in written if "any" not in both)
    return list(dict.fromkeys(pair for pair in said if pair))


def resolve(text: str) -> str:
    """The characters that entities stand for, in one pass; what is no entity stays.

    >>> resolve("R&amp;D &lt; AT&T &#233; &amp;lt;")
    'R&D < AT&T é &lt;'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    name, decimal, hexadecimal = entity.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    allowed = 0 < code < 0xD800 or 0xDFFF < code < 0x110000
    return chr(code) if allowed else entity.group()


class _SetReader:
    """Takes the tags of a file one after the other."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.sets: list[SegmentSet] = []
        self.systems: dict[str, dict[Key, str]] | None = None  # of the set that is open
        self.documents: dict[str, dict[str, str]] = {}
        self.default = ""  # its sysid, for documents that have none
        self.document: tuple[str, dict[Key, str]] | None = None  # docid, and where its segments go
        self.segment: tuple[Key, re.Match[str]] | None = None

    def fault(self, at: re.Match[str], what: str, hint: str) -> InputError:
        line = self.text.count("\n", 0, at.start()) + 1
        return InputError(f"{self.file}, line {line}: {what}.", hint=hint)

    def take(self, tag: re.Match[str]) -> None:
        closing, name = bool(tag[1]), tag[2].lower()
        if self.segment and not (closing and name == "seg"):
            opening = self.segment[1]
            raise self.fault(opening, f"segment {self.segment[0][1]!r} has no </seg>", "Close it.")
        if name in _KINDS:
            self.document = None
            self.systems = None if closing else self.open_set(name, _attributes(tag[3]))
        elif name == "doc":
            self.document = None if closing else self.open_document(tag)
        elif closing:
            self.close_segment(tag)
        else:
            self.segment = self.open_segment(tag)

    def open_set(self, name: str, given: Mapping[str, str]) -> dict[str, dict[Key, str]]:
        systems: dict[str, dict[Key, str]] = {}
        languages = given.get("srclang", ""), given.get("trglang", "")
        self.documents = {}
        self.sets.append(
            SegmentSet(self.file, _KINDS[name], given.get("setid", ""), *languages, systems, self.documents)
        )
        self.default = given.get("sysid", given.get("refid", ""))
        return systems

    def open_document(self, tag: re.Match[str]) -> tuple[str, dict[Key, str]]:
        given = _attributes(tag[3])
        if self.systems is None:
            raise self.fault(tag, "a <doc> stands outside every set", "Put <srcset>, <refset> or <tstset> around it.")
        if "docid" not in given:
            raise self.fault(tag, "a <doc> has no docid", "Give it one; segments are matched by it.")
        facets = {facet: given[facet] for facet in _FACETS if facet in given}
        self.documents.setdefault(given["docid"], facets)
        return given["docid"], self.systems.setdefault(given.get("sysid", self.default), {})

    def open_segment(self, tag: re.Match[str]) -> tuple[Key, re.Match[str]]:
        given = _attributes(tag[3])
        if self.document is None:
            raise self.fault(tag, "a <seg> stands outside every document", "Put <doc docid=...> around it.")
        if "id" not in given:
            raise self.fault(tag, "a <seg> has no id", "Give it one; segments are matched by it.")
        key = (self.document[0], given["id"].strip())
        if key in self.document[1]:
            raise self.fault(
                tag,
                f"segment {key[1]!r} of document {key[0]!r} is there twice",
                "Renumber or drop one of them.",
            )
        return key, tag

    def close_segment(self, tag: re.Match[str]) -> None:
        if self.segment is None or self.document is None:
            raise self.fault(tag, "a </seg> closes nothing", "Drop it, or put <seg id=...> before its text.")
        key, opening = self.segment
        self.document[1][key] = _SPACE.sub(" ", resolve(self.text[opening.end() : tag.start()]))
        self.segment = None

    def end(self) -> None:
        if self.segment:
            raise self.fault(self.segment[1], f"segment {self.segment[0][1]!r} has no </seg>", "Close it.")
        if not self.sets:
            raise InputError(
                f"{self.file} has no <srcset>, <refset> or <tstset>.",
                hint="Check that it is SGML of NIST or WMT.",
            )


def _attributes(text: str) -> dict[str, str]:
    """Attributes by lower-case name. Where one comes twice, the first is the right one in WMT's files."""
    attributes: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        attributes.setdefault(name.lower(), resolve("".join(values)))
    return attributes


def assemble(systems: Sequence[File], references: Sequence[File], source: File | None = None) -> TestSet:
    """A test set from the files of a campaign, matched by document and segment.

    Every sysid is a system or a reference. The order is that of the source, else of the first reference, else
    of the first system; segments are called "docid:segment".
    """
    return _assembled(
        [s for path in systems for s in _of_kind(path, "system")],
        [s for path in references for s in _of_kind(path, "reference")],
        [] if source is None else _of_kind(source, "source"),
    )


def read_testset(path: File) -> TestSet:
    """A test set from one file that holds all of its sets."""
    sets = read(path)
    kinds: tuple[Kind, ...] = ("system", "reference", "source")
    return _assembled(*([s for s in sets if s.kind == kind] for kind in kinds))


def _of_kind(path: File, kind: Kind) -> list[SegmentSet]:
    sets = read(path)
    for segment_set in sets:
        if segment_set.kind != kind:
            raise InputError(
                f"{segment_set.file} holds a <{_TAGS[segment_set.kind]}> where a <{_TAGS[kind]}> is needed.",
                hint="Check which file is which: srcset is the source, refset a reference, tstset a system.",
            )
    return sets


def _assembled(
    systems: Sequence[SegmentSet], references: Sequence[SegmentSet], source: Sequence[SegmentSet]
) -> TestSet:
    sets = [*source, *references, *systems]
    rows = [(segment_set.file, texts) for segment_set in sets for texts in segment_set.systems.values()]
    if not rows:
        raise InputError("There is no SGML segment to read.", hint="Name at least one file that holds some.")
    by, first = rows[0]
    order = list(first)
    sources = [column for _, column in _columns(source, "the source", order, by)]
    if len(sources) > 1:
        raise InputError(f"{by} holds {len(sources)} sources.", hint="Leave one sysid in the source set.")
    outputs: dict[str, list[str]] = {}
    for name, column in _columns(systems, "system", order, by):
        if name in outputs:
            raise InputError(f"System {name!r} is there twice.", hint="Give every system its own sysid.")
        outputs[name] = column
    refs = list(_columns(references, "reference", order, by))
    return TestSet(
        segments=tuple(f"{document}:{segment}" for document, segment in order),
        systems={name: columns.texts(column) for name, column in outputs.items()},
        references=columns.references([column for _, column in refs]) if refs else None,
        sources=columns.texts(sources[0]) if sources else None,
        documents=tuple(document for document, _ in order),
        reference_names=_distinct([name for name, _ in refs]),
        facets=columns.document_facets(
            next(s for s in sets if s.systems).documents, [document for document, _ in order]
        ),
    )


def _columns(sets: Sequence[SegmentSet], what: str, order: Sequence[Key], by: str) -> Iterator[tuple[str, list[str]]]:
    for segment_set in sets:
        for name, texts in segment_set.systems.items():
            yield name, columns.covered(f"{segment_set.file}: {what} {name!r}", texts, order, by)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names told apart: the references of several files are often all called "ref"."""
    out: dict[str, None] = {}
    numbers: dict[str, int] = {}  # of each name: the next that was not tried
    for name in names:
        new = name
        while new in out:
            numbers[name] = numbers.get(name, 1) + 1
            new = f"{name}.{numbers[name]}"
        out[new] = None
    return tuple(out)
