"""Labels of quality estimation - sentences, words, spans - and the answer of an evaluation, as flat records."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from tercet.data.answer import Answer
from tercet.data.spreads import rising_edges
from tercet.data.statistics import Array
from tercet.errors import InputError
from tercet.escaping import json_text

Side = Literal["mt", "gap", "source"]
BINS = 20  # of a distribution of numbers
TagLines = tuple[tuple[str, ...], ...]  # of each sentence, the tags of its words


@dataclasses.dataclass(frozen=True, eq=False)
class SentenceLabels:
    """One number a segment, predicted or true: its score, its rank (1 is best), or both.

    Ranks that are all 0 stand for none, and scores that are all 0 beside ranks for none, as in the files of WMT12.
    """

    segments: tuple[str, ...]
    scores: Array | None  # (n,), None if only ranks were given
    ranks: npt.NDArray[np.int64] | None = None  # (n,), None if there is no such column or it is all 0
    unranked: bool = False  # whether there is a column of ranks, all 0: no ranking was submitted
    low: Array | None = None  # (n,), ends of the intervals in which labels are said to lie
    high: Array | None = None
    file: str = ""

    def __post_init__(self) -> None:
        for what, column in (
            ("scores", self.scores),
            ("ranks", self.ranks),
            ("low ends", self.low),
            ("high ends", self.high),
        ):
            if column is not None and len(column) != len(self.segments):
                raise InputError(
                    f"There are {len(column)} {what} of {len(self.segments)} segments.", hint="Give one a segment."
                )

    def __len__(self) -> int:
        return len(self.segments)


@dataclasses.dataclass(frozen=True, eq=False)
class TagColumns:
    """Tags of the words of each sentence on one side; several columns where a file has several granularities."""

    columns: tuple[TagLines, ...]
    words: TagLines | None = None
    line: tuple[int, ...] | None = None  # of the file, on which each sentence begins

    def __len__(self) -> int:
        return len(self.columns[0])

    def where(self, file: str, sentence: int) -> str:
        """A sentence in a message."""
        return f"{file}, line {self.line[sentence]}" if self.line else f"{file or 'Tags'}, sentence {sentence + 1}"


@dataclasses.dataclass(frozen=True, eq=False)
class WordTags:
    """Tags of words, of gaps between words, or of source words, by side."""

    sides: Mapping[Side, TagColumns]
    file: str = ""


@dataclasses.dataclass(frozen=True)
class ErrorSpan:
    """Characters from `start` to before `end` that a person or program found wrong."""

    start: int
    end: int
    severity: str = ""
    category: str = ""


@dataclasses.dataclass(frozen=True, eq=False)
class SpanLabels:
    """The error spans of each segment."""

    segments: tuple[str, ...]
    spans: tuple[tuple[ErrorSpan, ...], ...]
    lengths: tuple[int | None, ...]  # characters of the translations, where they are known
    file: str = ""

    def __len__(self) -> int:
        return len(self.segments)


@dataclasses.dataclass(frozen=True)
class QualityRecord:
    """One measure of one system. None where a field does not apply."""

    system: str
    task: str  # sentence, word, gap, source, span
    granularity: str | None  # of tags: given, binary, level1, or the number of a column
    measure: str
    label: str | None  # the class that a measure is of
    value: float | None  # None: nothing was submitted that it could be computed of
    p_best: float | None = None  # that it differs from the best system
    winner: bool | None = None  # the best system, or one that does not differ from it
    p_baseline: float | None = None
    like_baseline: bool | None = None  # does not differ from the baseline
    n: int = 0  # segments, words or spans


@dataclasses.dataclass(frozen=True, eq=False)
class Confusion:
    """How often each true tag (rows) was given as each tag (columns)."""

    system: str
    task: str
    granularity: str
    labels: tuple[str, ...]
    counts: npt.NDArray[np.int64]  # (labels, labels)
    shares: Array  # (labels, labels), of the row; 0 in one without any


@dataclasses.dataclass(frozen=True, eq=False)
class LabelDistribution:
    """How labels are spread: shares of classes, or of numbers between edges, the same for all of an answer."""

    name: str  # gold, training, or a system
    shares: Array
    labels: tuple[str, ...] = ()  # of classes
    edges: Array | None = None  # (shares + 1,), of numbers

    @classmethod
    def of_classes(cls, name: str, counts: Mapping[str, int]) -> LabelDistribution:
        """The share of each class."""
        shares = np.array(list(counts.values()), dtype=np.float64) / max(1, sum(counts.values()))
        return cls(name, shares, labels=tuple(counts))

    @classmethod
    def of_numbers(cls, columns: Mapping[str, Array]) -> tuple[LabelDistribution, ...]:
        """Shares of numbers by name, all on one scale."""
        edges = rising_edges(np.concatenate(list(columns.values())), BINS)
        return tuple(
            cls(name, np.histogram(values, edges)[0] / max(1, len(values)), edges=edges)
            for name, values in columns.items()
        )


@dataclasses.dataclass(frozen=True, repr=False)
class QualityEvaluation(Answer):
    """How good predictions of quality are: measures, tests, confusion matrices, distributions of the labels."""

    records: tuple[QualityRecord, ...]
    signature: str
    level: str
    baseline: str | None = None
    confusions: tuple[Confusion, ...] = ()
    distributions: tuple[LabelDistribution, ...] = ()
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[QualityRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def value(self, system: str, measure: str, label: str | None = None, task: str | None = None) -> float | None:
        """One measure of one system."""
        return self.record(system, measure, label, task).value

    def record(self, system: str, measure: str, label: str | None = None, task: str | None = None) -> QualityRecord:
        """The record of one measure of one system, the first of its name."""
        for record in self.records:
            same = (record.system, record.measure, record.label) == (system, measure, label)
            if same and task in (None, record.task):
                return record
        raise KeyError((system, measure, label, task))

    def winners(self, measure: str, task: str | None = None) -> list[str]:
        """The best system by a measure and those that do not differ from it, the best first."""
        rows = [r for r in self.records if r.measure == measure and task in (None, r.task)]
        return [r.system for r in rows if r.winner]

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [dataclasses.asdict(record) for record in self.records]


class JudgedText(NamedTuple):
    """A translation as a judge saw it, and what became of it where it was post-edited."""

    system: str
    segment: str
    text: str
    edited: str | None = None
    seconds: float = math.nan
    source: str | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class QualityLabels(Answer):
    """Labels that were made of post-edits or judgements, one a segment: numbers, lines of tags, or lists of spans."""

    kind: str
    segments: tuple[str, ...]
    values: tuple[float, ...] | TagLines | tuple[tuple[ErrorSpan, ...], ...]
    signature: str
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.segments)

    def numbers(self) -> Array:
        """Labels that are numbers, (n,); NaN where there is none."""
        if self.kind in ("tags", "gap-tags", "spans"):
            raise InputError(f"{self.kind} are no numbers.", hint="Take `lines()`, or `values`.")
        return np.array(self.values, dtype=np.float64)

    @property
    def distribution(self) -> LabelDistribution:
        """How the labels are spread: numbers, or tags and severities by how many there are."""
        if self.kind in ("tags", "gap-tags", "spans"):
            tags = (tag for line in cast(Iterable[Iterable[str | ErrorSpan]], self.values) for tag in line)
            return LabelDistribution.of_classes(
                self.kind, Counter(tag.severity if isinstance(tag, ErrorSpan) else tag for tag in tags)
            )
        numbers = self.numbers()
        (spread,) = LabelDistribution.of_numbers({self.kind: numbers[~np.isnan(numbers)]})
        return spread

    def lines(self) -> list[str]:
        """One line a segment, as other commands read them: a number (nan: no label), tags, or JSON of spans."""
        return [str(label) if label is not None else "nan" for label in self._labels()]

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records; tags and spans are text in one cell, and what is no label is None."""
        labels = zip(self.segments, self._labels(), strict=True)
        return [{"segment": segment, "kind": self.kind, "label": label} for segment, label in labels]

    def _labels(self) -> Iterator[str | float | None]:
        for value in self.values:
            if isinstance(value, float):
                yield None if math.isnan(value) else int(value) if value.is_integer() else value
            elif self.kind == "spans":
                spans = [dataclasses.asdict(span) for span in value if isinstance(span, ErrorSpan)]
                yield json_text(spans)
            else:
                yield " ".join(map(str, value))
