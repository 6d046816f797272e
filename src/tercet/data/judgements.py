"""Judgements: what people said about the systems of one language pair.

    Judgements
    ├── Rankings       tasks in which a judge ordered some outputs: five-way rankings, pairs
    └── Assessments    outputs that a judge looked at one by one: a score (DA), errors (MQM), or both (ESA)

Both are columns of numbers: names are written once, and rows refer to them. They hold what was collected and
nothing that was made of it; `Pairs` are what rankings are reduced to.

A rank of 1 is the best. What a paper means by "A > B" is decided where a file is read; here it is an `Outcome`.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tercet.data.answer import counted_names, summary
from tercet.data.statistics import Array
from tercet.data.testset import Ints
from tercet.errors import InputError
from tercet.numbers import counted

SKIPPED = -1  # the rank of an output that was shown and not judged
UNKNOWN = -1  # the judge of a judgement that does not say who made it


class Outcome(enum.IntEnum):
    """What a judgement says of two systems, the left and the right one."""

    LEFT_BETTER = 0
    TIE = 1
    RIGHT_BETTER = 2


class Kind(enum.IntEnum):
    """What was shown in a direct assessment: a system's output, or an item that checks the judge."""

    SYSTEM = 0
    REPEAT = 1
    REFERENCE = 2
    BAD_REFERENCE = 3


_HUMAN = re.compile(r"(ref(erence)?|human)s?([-_.:]?[a-z0-9])?([-_.].*)?", re.IGNORECASE)


def is_reference(system: str) -> bool:
    """Whether a system is a human translation that was judged among the systems, by its name.

    >>> [is_reference(s) for s in ("ref", "refA", "ref-B.0", "Human-A.0", "refined-nmt", "humanoid")]
    [True, True, True, True, False, False]
    """
    return _HUMAN.fullmatch(system) is not None


J = TypeVar("J", bound="Judgements")


@dataclasses.dataclass(frozen=True, eq=False)
class Judgements:
    """Names that judgements refer to, and notes on what was left out or merged when they were read."""

    pair: str  # "cs-en", or "" where the file does not say
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    notes: tuple[str, ...] = dataclasses.field(default=(), kw_only=True)
    file: str = dataclasses.field(default="the judgements", kw_only=True)  # for messages

    def __post_init__(self) -> None:
        for what, names in (("system", self.systems), ("segment", self.segments), ("judge", self.judges)):
            if len(set(names)) != len(names):
                raise InputError(f"{self.file}: a {what} is named twice.", hint="Names must be unique.")

    def __repr__(self) -> str:
        names = counted_names(self.systems, "system")
        others = (counted(len(self.segments), "segment"), counted(len(self.judges), "judge"))
        return summary(self, self.pair, *self._amounts(), names, *others)

    def _amounts(self) -> tuple[str, ...]:
        """How much was judged, in words."""
        return ()

    def first_line(self, system: str) -> int | None:
        """The line of the file that names a system first, if it is known."""
        return None

    def renamed(self: J, names: Mapping[str, str]) -> J:
        """The same judgements of systems under other names; two systems may not become one."""
        systems = tuple(names.get(s, s) for s in self.systems)
        if len(set(systems)) != len(systems):
            first = next(s for i, s in enumerate(systems) if s in systems[:i])
            both = ", ".join(old for old, new in zip(self.systems, systems, strict=True) if new == first)
            raise InputError(f"{both} would all be called {first!r}.", hint="Give each a name of its own.")
        return dataclasses.replace(self, systems=systems)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Rankings(Judgements):
    """Tasks of ranked outputs; the items of task t are `starts[t]:starts[t + 1]`, in the order of display.

    An output is the list of systems that produced it: identical outputs are shown once, "a+b". An empty cell is no
    item, and a task without items was skipped. `rank` is 1 or more, or SKIPPED.
    """

    outputs: tuple[tuple[int, ...], ...]  # systems of each output, in the order in which they are written
    segment: Ints  # of each task
    judge: Ints  # of each task, or UNKNOWN
    starts: Ints  # tasks + 1
    output: Ints  # of each item
    rank: Ints  # of each item
    seconds: Array | None = None  # that each task took, NaN where unknown
    line: Ints | None = None  # of the file, for each task

    def __post_init__(self) -> None:
        super().__post_init__()
        tasks, items = len(self.segment), len(self.output)
        _lengths({"judge": self.judge, "seconds": self.seconds, "line": self.line}, tasks)
        _lengths({"rank": self.rank}, items)
        starts = self.starts
        if len(starts) != tasks + 1 or starts[0] != 0 or starts[-1] != items or (np.diff(starts) < 0).any():
            raise InputError(f"{self.file}: tasks and items do not fit.", hint="starts must rise from 0 to all items.")
        for systems in self.outputs:
            _within(np.array(systems, dtype=np.int64), len(self.systems), "system")
        _within(self.segment, len(self.segments), "segment")
        _within(self.output, len(self.outputs), "output")
        _within(self.judge, len(self.judges), "judge", least=UNKNOWN)
        if items and (bad := (self.rank < 1) & (self.rank != SKIPPED)).any():
            wrong = int(self.rank[np.argmax(bad)])
            raise InputError(f"{self.file}: {wrong} is no rank.", hint="Ranks are 1 (best), 2, ..., or -1 for skipped.")

    def _amounts(self) -> tuple[str, ...]:
        return (counted(len(self.segment), "task"), f"of {counted(len(self.output), 'output')}")

    def __len__(self) -> int:
        return len(self.segment)

    def first_line(self, system: str) -> int | None:
        """The line of the file that names a system first, if it is known."""
        number = self.systems.index(system)
        mine = np.isin(self.output, [i for i, systems in enumerate(self.outputs) if number in systems])
        if self.line is None or not mine.any():
            return None
        return int(self.line[np.searchsorted(self.starts, np.argmax(mine), side="right") - 1])

    def output_name(self, output: int) -> str:
        """An output as files write it: its systems joined by "+"."""
        return "+".join(self.systems[s] for s in self.outputs[output])


@dataclasses.dataclass(frozen=True, eq=False)
class Errors:
    """Error spans of assessments: error e belongs to row `row[e]`, and has a category and a severity."""

    row: Ints
    categories: tuple[str, ...]
    category: Ints  # of each error, -1: none
    severities: tuple[str, ...]
    severity: Ints  # of each error
    start: Ints | None = None  # of the span in the translation, -1: unknown
    end: Ints | None = None


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Assessments(Judgements):
    """Rows of (judge, system, segment): a score from 0 to 100 (or from 1 to 5 on `scales`), error spans, or both.

    A system that shares its output with others has a row of its own. `z` is the standardised score where the file
    gives one; `n` how many judgements a row stands for, where the file holds means.
    """

    judge: Ints  # of each row, or UNKNOWN
    system: Ints
    segment: Ints
    kind: Ints  # values of `Kind`
    score: Array  # NaN where there is none
    z: Array | None = None
    n: Ints | None = None
    seconds: Array | None = None
    task: Ints | None = None  # of each row: rows of one sitting (a HIT, a batch) share a number
    line: Ints | None = None
    errors: Errors | None = None
    documents: tuple[str, ...] | None = None  # of each segment
    scales: Mapping[str, Array] | None = None  # adequacy, fluency: what `score` is the mean of, NaN where unknown

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = len(self.score)
        names = ("judge", "system", "segment", "kind", "z", "n", "seconds", "task", "line")
        _lengths({name: getattr(self, name) for name in names} | dict(self.scales or {}), rows)
        _within(self.system, len(self.systems), "system")
        _within(self.segment, len(self.segments), "segment")
        _within(self.judge, len(self.judges), "judge", least=UNKNOWN)
        _within(self.kind, len(Kind), "kind")
        if self.documents is not None and len(self.documents) != len(self.segments):
            raise InputError(f"{self.file}: not every segment has a document.", hint="Give one document a segment.")
        if self.errors is not None:
            _within(self.errors.row, rows, "row of errors")

    def __len__(self) -> int:
        return len(self.score)

    def _amounts(self) -> tuple[str, ...]:
        return (counted(len(self), "row"), "" if self.errors is None else counted(len(self.errors.row), "error"))

    def first_line(self, system: str) -> int | None:
        """The line of the file that names a system first, if it is known."""
        mine = self.system == self.systems.index(system)
        return None if self.line is None or not mine.any() else int(self.line[np.argmax(mine)])

    def part(self, keep: npt.NDArray[np.bool_]) -> Assessments:
        """Some of the rows, with their errors; names stay as they are."""
        columns = ("judge", "system", "segment", "kind", "score", "z", "n", "seconds", "task", "line")
        kept = {name: getattr(self, name)[keep] for name in columns if getattr(self, name) is not None}
        errors = self.errors
        if errors is not None:
            place = np.cumsum(keep) - 1
            mine = keep[errors.row]
            spans = {s: getattr(errors, s) for s in ("category", "severity", "start", "end")}
            cut: dict[str, Any] = {name: None if column is None else column[mine] for name, column in spans.items()}
            errors = dataclasses.replace(errors, row=place[errors.row[mine]].astype(np.int64), **cut)
        scales = None if self.scales is None else {name: values[keep] for name, values in self.scales.items()}
        return dataclasses.replace(self, errors=errors, scales=scales, **kept)

    def on_scale(self, scale: str) -> Assessments:
        """The same with the scores of one scale, such as adequacy, in place of their mean."""
        if self.scales is None or scale not in self.scales:
            known = ", ".join(self.scales) if self.scales else "no scales, only scores"
            raise InputError(f"{self.file} has no scale {scale}; it has {known}.", hint="Leave out the scale.")
        return dataclasses.replace(self, score=self.scales[scale], scales=None)


@dataclasses.dataclass(frozen=True, eq=False)
class Pairs:
    """Pairwise outcomes, in the order of the tasks that they come from."""

    systems: tuple[str, ...]
    left: Ints
    right: Ints
    outcome: Ints  # values of `Outcome`
    task: Ints  # a number that the pairs of one task share; it does not fall
    segment: Ints
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.left)
        _lengths({name: getattr(self, name) for name in ("right", "outcome", "task", "segment")}, n)
        _within(self.left, len(self.systems), "system")
        _within(self.right, len(self.systems), "system")
        _within(self.outcome, len(Outcome), "outcome")

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return summary(self, counted(len(self), "outcome"), counted_names(self.systems, "system"))

    def part(self, keep: npt.NDArray[np.bool_] | Ints) -> Pairs:
        """Some of the pairs."""
        columns = ("left", "right", "outcome", "task", "segment")
        return dataclasses.replace(self, **{name: getattr(self, name)[keep] for name in columns})


def _lengths(columns: Mapping[str, Sequence[object] | npt.NDArray[np.generic] | None], wanted: int) -> None:
    for name, column in columns.items():
        if column is not None and len(column) != wanted:
            raise InputError(
                f"The column {name} has {len(column)} entries where there are {wanted}.",
                hint="Every column needs one entry a row.",
            )


def _within(column: Ints, size: int, what: str, least: int = 0) -> None:
    if len(column) and (column.min() < least or column.max() >= size):
        raise InputError(f"A row refers to a {what} that has no name.", hint=f"There are {size}.")
