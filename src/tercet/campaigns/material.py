"""The test set as a campaign keeps it: what is shown of a segment, and who made which output."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tercet.data import TestSet
from tercet.errors import InputError

_RIGHT_TO_LEFT = (
    *("ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "ks"),
    *("ara", "arb", "heb", "fas", "per", "pes", "urd", "yid", "pus", "snd", "uig", "div", "kas"),
)
_TAG = re.compile("[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?")  # language, script, region


@dataclasses.dataclass(frozen=True)
class Passage:
    """A segment, or a whole document where that is judged as one; outputs in the order of the systems."""

    name: str
    document: str
    source: str | None
    reference: str | None
    outputs: tuple[str, ...]
    media: str | None = None


@dataclasses.dataclass(frozen=True)
class Twins:
    """An output and all systems that made it."""

    systems: tuple[int, ...]
    text: str


@dataclasses.dataclass(frozen=True)
class Material:
    """Passages and systems of one language pair."""

    pair: str
    systems: tuple[str, ...]
    passages: tuple[Passage, ...]

    @functools.cached_property
    def documents(self) -> dict[str, list[int]]:
        """The passages of each document, in order."""
        rows: dict[str, list[int]] = {}
        for i, passage in enumerate(self.passages):
            rows.setdefault(passage.document, []).append(i)
        return rows

    def twins(self, passage: int) -> list[Twins]:
        """The different outputs of a passage: those that differ in more than space at their ends.

        >>> Material("", ("A", "B"), (Passage("1", "", None, None, ("x ", "x")),)).twins(0)
        [Twins(systems=(0, 1), text='x ')]
        """
        makers: dict[str, list[int]] = {}
        texts: dict[str, str] = {}
        for system, text in enumerate(self.passages[passage].outputs):
            makers.setdefault(text.rstrip(), []).append(system)
            texts.setdefault(text.rstrip(), text)
        return [Twins(tuple(systems), texts[stripped]) for stripped, systems in makers.items()]

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target language as a page wants them, empty where not known.

        >>> Material("en-zh_TW", (), ()).languages, Material("English-x1", (), ()).languages
        (('en', 'zh-TW'), ('', ''))
        """
        source, _, target = self.pair.partition("-")
        return _tag(source), _tag(target)


def _tag(language: str) -> str:
    tag = language.replace("_", "-")
    return tag if _TAG.fullmatch(tag) else ""


def direction(language: str) -> str:
    """How a script runs: "rtl" for languages that are written from right to left, otherwise for the page to see.

    >>> direction("ar"), direction("heb"), direction("de"), direction("")
    ('rtl', 'rtl', 'ltr', 'auto')
    """
    first = language.replace("_", "-").partition("-")[0].lower()
    return "auto" if not first else "rtl" if first in _RIGHT_TO_LEFT else "ltr"


def material_of(testset: TestSet, pair: str, unit: str, shows: Sequence[str], media: Mapping[str, str]) -> Material:
    """The material of a test set, with documents in place of segments where those are judged."""
    if len(testset.systems) < 1 or not len(testset):
        raise InputError("There is nothing to judge in the test set.", hint="It needs segments and systems.")
    for what, column in (("source", testset.sources), ("reference", testset.references)):
        if what in shows and column is None:
            raise InputError(f"The protocol shows a {what}, and the test set has none.", hint="Choose another basis.")
    passages = []
    for i, name in enumerate(testset.segments):
        passages.append(
            Passage(
                name,
                testset.documents[i] if testset.documents else name,
                None if testset.sources is None else testset.sources[i],
                None if testset.references is None else testset.references[i][0],
                tuple(texts[i] for texts in testset.systems.values()),
                media.get(name),
            )
        )
    whole = Material(pair, tuple(testset.systems), tuple(passages))
    if unit != "document":
        return whole
    if testset.documents is None:
        raise InputError("Documents are judged as one, and the test set has none.", hint="Choose unit=segment.")
    return dataclasses.replace(whole, passages=tuple(_joined(whole, name) for name in whole.documents))


def _joined(material: Material, document: str) -> Passage:
    rows = [material.passages[i] for i in material.documents[document]]

    def lined(texts: Sequence[str | None]) -> str | None:
        return None if any(text is None for text in texts) else "\n".join(text or "" for text in texts)

    outputs = tuple("\n".join(texts) for texts in zip(*(row.outputs for row in rows), strict=True))
    return Passage(
        document, document, lined([r.source for r in rows]), lined([r.reference for r in rows]), outputs, rows[0].media
    )


def as_record(passage: Passage) -> dict[str, Any]:
    """A passage as JSON."""
    return dataclasses.asdict(passage)


def from_record(record: Mapping[str, Any]) -> Passage:
    """A passage from JSON."""
    return Passage(**{**record, "outputs": tuple(record["outputs"])})
