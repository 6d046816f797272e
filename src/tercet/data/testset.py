"""Texts, references and test sets: what there is to score."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet.data.answer import counted_names, summary
from tercet.errors import InputError
from tercet.limits import require_room
from tercet.numbers import counted

Ints = npt.NDArray[np.int64]


@dataclasses.dataclass(frozen=True, eq=False)
class Texts:
    """A column of strings.

    `memo` is for what others derive from it (packed bytes, tokens), so that no text is tokenised twice.
    """

    strings: tuple[str, ...]
    memo: dict[Hashable, Any] = dataclasses.field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.strings)

    def __reduce__(self) -> tuple[type[Texts], tuple[tuple[str, ...]]]:
        return Texts, (self.strings,)  # another process derives what it needs

    def __repr__(self) -> str:
        return summary(self, counted(len(self), "text"))

    def __getitem__(self, i: int) -> str:
        return self.strings[i]

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    @property
    def longest(self) -> int:
        """The letters of the longest text."""
        if Texts not in self.memo:
            self.memo[Texts] = max(map(len, self.strings), default=0)
        return int(self.memo[Texts])

    @classmethod
    def of(cls, strings: Sequence[str], what: str = "text") -> Texts:
        """Checked: every item is a string."""
        if isinstance(strings, str) or not isinstance(strings, Iterable):
            raise InputError(
                f"The {what} is {'one string' if isinstance(strings, str) else type(strings).__name__} "
                "where a list of strings, one a segment, is needed.",
                hint="Put it into a list.",
            )
        kept = tuple(strings)
        if not all(map(str.__instancecheck__, kept)):
            i, item = next((i, s) for i, s in enumerate(kept) if not isinstance(s, str))
            raise InputError(
                f"The {what} of segment {i + 1} is {type(item).__name__}, not a string.",
                hint="Pass '' for a segment that has no text.",
            )
        return cls(kept)


@dataclasses.dataclass(frozen=True, eq=False)
class References:
    """The references of every segment, end to end: those of segment i are `texts[groups[i]:groups[i + 1]]`."""

    texts: Texts
    groups: Ints

    def __len__(self) -> int:
        return len(self.groups) - 1

    def __repr__(self) -> str:
        return summary(self, counted(len(self.texts), "text"), f"of {counted(len(self), 'segment')}")

    def __getitem__(self, i: int) -> tuple[str, ...]:
        return self.texts.strings[self.groups[i] : self.groups[i + 1]]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self[i] for i in range(len(self)))

    @property
    def counts(self) -> tuple[int, int]:
        """The smallest and the largest number of references of a segment."""
        sizes = np.diff(self.groups)
        return (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)

    @classmethod
    def of(cls, references: Sequence[str | Sequence[str | None]]) -> References:
        """From one entry a segment: a string, or the list of its references (None: not there).

        >>> References.of(["a", ["b", "c"]])[1]
        ('b', 'c')
        """
        if isinstance(references, str):
            raise InputError(
                "The references are one string where one entry a segment is needed.",
                hint="Put it into a list.",
            )
        references = list(references)
        if all(map(str.__instancecheck__, references)):
            return cls(Texts.of(references, "reference"), np.arange(len(references) + 1, dtype=np.int64))  # type: ignore[arg-type]
        flat: list[str] = []
        groups = [0]
        for i, entry in enumerate(references):
            if not isinstance(entry, str) and not isinstance(entry, Sequence | np.ndarray):
                raise InputError(
                    f"The references of segment {i + 1} are {type(entry).__name__}, not a string or a list of strings.",
                    hint="references[i] holds the reference or references of segment i.",
                )
            group = [entry] if isinstance(entry, str) else [r for r in entry if r is not None]
            if not group:
                raise InputError(f"Segment {i + 1} has no reference.", hint="Give it one, or leave the segment out.")
            flat += group
            groups.append(len(flat))
        return cls(Texts.of(flat, "reference"), np.array(groups, dtype=np.int64))


@dataclasses.dataclass(frozen=True)
class Document:
    """A document of a test set: its name and the rows that belong to it."""

    name: str
    rows: Ints


@dataclasses.dataclass(frozen=True, eq=False)
class TestSet:
    """Segments with their references, perhaps sources and documents, and what each system made of them.

    `segments` are the names of the segments, unique and in order. Several runs of one system (optimiser
    seeds) are systems whose names differ only after a "#": `base#1`, `base#2`. `facets` are further columns that say
    something of the segments: a domain, the language that they were written in.
    """

    segments: tuple[str, ...]
    systems: Mapping[str, Texts]
    references: References | None = None
    sources: Texts | None = None
    documents: tuple[str, ...] | None = None
    reference_names: tuple[str, ...] = ()
    facets: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)

    __test__ = False  # not a test, whatever pytest thinks of the name

    def __post_init__(self) -> None:
        n = len(self.segments)
        if len(set(self.segments)) != n:
            seen: set[str] = set()
            twice = next(s for s in self.segments if s in seen or seen.add(s))  # type: ignore[func-returns-value]
            raise InputError(f"Segment {twice!r} is there twice.", hint="Segment names must be unique.")
        columns: dict[str, Sequence[str] | Texts | References | None] = {
            **{f"system {name!r}": texts for name, texts in self.systems.items()},
            "reference": self.references,
            "source": self.sources,
            "document": self.documents,
            **{f"facet {name!r}": values for name, values in self.facets.items()},
        }
        for name, column in columns.items():
            if column is not None and len(column) != n:
                raise InputError(
                    f"The {name} column has {len(column)} entries for {n} segments.",
                    hint="Every column needs one entry a segment.",
                )

    def __len__(self) -> int:
        return len(self.segments)

    def __repr__(self) -> str:
        few, most = (0, 0) if self.references is None or not len(self) else self.references.counts
        references = f"{few}-{most} references a segment" if few != most else counted(most, "reference") + " a segment"
        return summary(
            self,
            counted(len(self), "segment"),
            counted_names(self.systems, "system"),
            references if most else "no references",
            "" if self.sources is None else "sources",
            "" if self.documents is None else counted(len(set(self.documents)), "document"),
            *self.facets,
        )

    @classmethod
    def of(
        cls,
        systems: Mapping[str, Sequence[str]],
        references: Sequence[str | Sequence[str | None]] | None = None,
        *,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        segments: Sequence[str] | None = None,
        reference_names: Sequence[str] = (),
        facets: Mapping[str, Sequence[str]] | None = None,
    ) -> TestSet:
        """A test set from lists of one text a segment; segments are numbered from 1 where they have no names."""
        for name in systems:
            if not isinstance(name, str):
                raise InputError(f"The name of a system is {name!r}, not text.", hint="Give it as a string.")
        columns = {name: Texts.of(texts, f"output of system {name!r}") for name, texts in systems.items()}
        n = len(next(iter(columns.values()))) if columns else len(references or sources or ())
        return cls(
            segments=tuple(segments) if segments is not None else tuple(map(str, range(1, n + 1))),
            systems=columns,
            references=None if references is None else References.of(references),
            sources=None if sources is None else Texts.of(sources, "source"),
            documents=None if documents is None else tuple(documents),
            reference_names=tuple(reference_names),
            facets={name: tuple(values) for name, values in (facets or {}).items()},
        )

    @property
    def has_long_documents(self) -> bool:
        """Whether some document has several segments."""
        documents = self.documents or ()
        return len(set(documents)) < len(documents)

    def document_rows(self) -> list[Document]:
        """The documents in the order of their first segments."""
        rows: dict[str, list[int]] = {}
        for i, name in enumerate(self.documents or ()):
            rows.setdefault(name, []).append(i)
        return [Document(name, np.array(r, dtype=np.int64)) for name, r in rows.items()]


@dataclasses.dataclass(frozen=True, eq=False)
class Batch:
    """What a metric sees: one system's segments, and what the metric learnt from all references beforehand."""

    hypotheses: Texts
    references: References | None = None
    sources: Texts | None = None
    learnt: Any = None
    threads: int = 1

    def __post_init__(self) -> None:
        for name, other in (("references", self.references), ("sources", self.sources)):
            if other is not None and len(other) != len(self.hypotheses):
                raise InputError(
                    f"There are {len(self.hypotheses)} hypotheses and {len(other)} {name}.",
                    hint=f"Pass one entry of {name} a hypothesis.",
                )
        other = self.sources if self.references is None else self.references.texts
        require_room(self.hypotheses.longest, 0 if other is None else other.longest)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def required_references(self) -> References:
        """The references, for a metric that cannot do without."""
        if self.references is None:
            raise InputError("This metric needs references, and there are none.", hint="Pass one or more a segment.")
        return self.references

    def required_sources(self) -> Texts:
        """The sources, for a metric that cannot do without."""
        if self.sources is None:
            raise InputError("This metric needs sources, and there are none.", hint="Pass one a segment.")
        return self.sources
