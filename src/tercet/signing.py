"""Signatures: every choice that moves a number, the version, and fingerprints of what went in.

    rank|method:expected-wins|samples:1000|...|tercet:0.2.0|data:judgements=1b2c3d4e

Up to the version, a signature says how numbers were made: those with the same are comparable. `data` says of what, a
fingerprint for each kind of input: the same content has the same eight digits, whether it came from files or from
memory, in parts or at once. With the same of both, numbers are the same.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import TestSet, Texts, statistics
from tercet.text.packing import packed
from tercet.version import version

DIGITS = 8
_BESIDE = {"notes", "file", "line", "memo"}  # what tells where data came from, and is not data


def signature(verb: str, facts: Mapping[str, object], data: Mapping[str, str]) -> str:
    """Every choice that moves a number, the version, and fingerprints of what went in, by kind."""
    return "|".join([verb, facts_text({**facts, "tercet": version()}), *([data_text(data)] if data else [])])


def facts_text(facts: Mapping[str, object]) -> str:
    """Facts as they stand in a signature."""
    return "|".join(f"{key}:{value}" for key, value in facts.items())


def data_text(data: Mapping[str, str]) -> str:
    """Fingerprints as they stand at the end of a signature.

    >>> data_text({"outputs": "1b2c3d4e", "references": "5f607182"})
    'data:outputs=1b2c3d4e+references=5f607182'
    """
    return "data:" + "+".join(f"{kind}={digits}" for kind, digits in data.items())


def fingerprint(*values: object) -> str:
    """The fingerprint of nouns, arrays, mappings, texts, and lists of them.

    >>> fingerprint(["a", "b"]) == fingerprint(("a", "b")) != fingerprint(["ab"])
    True
    """
    digest = hashlib.sha256()
    for value in values:
        _tell(value, digest.update)
    return digest.hexdigest()[:DIGITS]


def _tell(value: object, update: Callable[[bytes], None]) -> None:
    """Hand on bytes that are others for other content."""
    if isinstance(value, np.ndarray):
        update(f"array {value.dtype.str} {value.shape}\0".encode())
        update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, str):
        update(b"text " + _encoded([value]))
    elif isinstance(value, Mapping):
        update(f"map {len(value)}\0".encode())
        for key, kept in value.items():
            _tell(key, update)
            _tell(kept, update)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if field.name not in _BESIDE:
                _tell(getattr(value, field.name), update)
    elif isinstance(value, Iterable):
        items = list(value)
        update(f"list {len(items)}\0".encode())
        if items and all(type(item) is str for item in items):  # as one by one, in a tenth of the time
            update(b"text " + _encoded(["\0text ".join(items)]))
        else:
            for item in items:
                _tell(item, update)
    else:
        update(f"{value!r}\0".encode())


def _encoded(strings: Sequence[str]) -> bytes:
    """Each text with its end."""
    return ("\0".join(strings) + "\0").encode("utf-8", "surrogatepass")


@dataclasses.dataclass(frozen=True)
class Digests:
    """What was seen of a test set, as plain text: of each kind of input, its columns; of these, a digest a block."""

    columns: Mapping[str, Mapping[str, Mapping[int, str]]]
    numbered: bool  # whether segments are called 1, 2, ...

    @classmethod
    def joined(cls, several: Iterable[Digests]) -> Digests:
        """Those of blocks as those of the whole."""
        columns: dict[str, dict[str, dict[int, str]]] = {}
        numbered = True
        for digests in several:
            numbered &= digests.numbered
            for kind, names in digests.columns.items():
                for name, blocks in names.items():
                    columns.setdefault(kind, {}).setdefault(name, {}).update(blocks)
        return cls(columns, numbered)

    def fingerprints(self) -> dict[str, str]:
        """Of outputs, references, sources, and of segments where more is known of them than their number."""
        plain = self.numbered and self.columns.get("segments", {}).keys() <= {"names"}
        return {
            kind: fingerprint({name: _of_blocks(blocks) for name, blocks in columns.items()})
            for kind, columns in self.columns.items()
            if kind != "segments" or not plain
        }


def _of_blocks(digests: Mapping[int, str]) -> str:
    """One digest of those of blocks: so each can be made where its block is."""
    in_order = [digests[block] for block in sorted(digests)]
    return in_order[0] if len(in_order) == 1 else hashlib.sha256("".join(in_order).encode()).hexdigest()


class Seen:
    """What was seen of a test set, part by part, from some segment on; its fingerprints do not depend on the parts."""

    def __init__(self, start: int = 0) -> None:
        self._columns: dict[str, dict[str, dict[int, Any]]] = {}
        self._numbered = True
        self._segments = start

    def add(self, part: TestSet) -> None:
        """One part more, after those before it."""
        for block, start, stop in statistics.block_cuts(self._segments, len(part)):
            self._add(part, start, stop, block)
        numbers = range(self._segments + 1, self._segments + len(part) + 1)
        self._numbered &= tuple(map(str, numbers)) == part.segments
        self._segments += len(part)

    def _add(self, part: TestSet, start: int, stop: int, block: int) -> None:
        """What a part has of a block."""
        for name, outputs in part.systems.items():
            self._texts("outputs", name, outputs, block, start, stop)
        if part.references is not None:
            groups = part.references.groups[start : stop + 1]
            self._texts("references", "", part.references.texts, block, *groups[[0, -1]].tolist())
            self._digest("references", "of a segment", block).update(np.diff(groups).tobytes())
        if part.sources is not None:
            self._texts("sources", "", part.sources, block, start, stop)
        labels = {
            "names": part.segments,
            "documents": part.documents,
            **{f"facet {k}": v for k, v in part.facets.items()},
        }
        for name, values in labels.items():
            if values:
                self._digest("segments", name, block).update(_encoded(values[start:stop]))

    def fingerprints(self) -> dict[str, str]:
        """Of each kind of input."""
        return self.digests().fingerprints()

    def digests(self) -> Digests:
        """What was seen, as text."""
        columns = {
            kind: {name: {block: d.hexdigest() for block, d in blocks.items()} for name, blocks in names.items()}
            for kind, names in self._columns.items()
        }
        return Digests(columns, self._numbered)

    def texts(self, kind: str, name: str, texts: Texts) -> None:
        """More texts of a column that is not cut in blocks."""
        self._texts(kind, name, texts, 0, 0, len(texts))

    def _texts(self, kind: str, name: str, texts: Texts, block: int, start: int, stop: int) -> None:
        data, offsets = packed(texts)
        # bytes and lengths apart: packed texts need not be taken apart
        self._digest(kind, name, block).update(data[offsets[start] : offsets[stop]])
        self._digest(kind, f"{name} lengths", block).update(np.diff(offsets[start : stop + 1]).tobytes())

    def _digest(self, kind: str, name: str, block: int) -> Any:
        return self._columns.setdefault(kind, {}).setdefault(name, {}).setdefault(block, hashlib.sha256())


def fingerprints(testset: TestSet) -> dict[str, str]:
    """Those of a whole test set, by the kind of input."""
    seen = Seen()
    seen.add(testset)
    return seen.fingerprints()


def together(several: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The fingerprints of several things as one: those of a kind in their order.

    >>> together([{"outputs": "1b2c3d4e"}]), len(together([{"outputs": "1"}, {"outputs": "2"}])["outputs"])
    ({'outputs': '1b2c3d4e'}, 8)
    """
    kinds: dict[str, list[str]] = {}
    for data in several:
        for kind, digits in data.items():
            kinds.setdefault(kind, []).append(digits)
    return {kind: digits[0] if len(digits) == 1 else fingerprint(digits) for kind, digits in kinds.items()}


def apart(signed: str) -> tuple[str, dict[str, str]]:
    """A signature as how numbers were made, and the fingerprints of what went in.

    >>> apart("rank|method:others|tercet:0.2.0|data:judgements=1b2c3d4e")
    ('rank|method:others|tercet:0.2.0', {'judgements': '1b2c3d4e'})
    """
    how, _, data = signed.partition("|data:")
    return how, dict(pair.split("=") for pair in data.split("+") if pair)
