"""Rankings from columns of tasks and items: what the readers of rankings share.

Outputs that several systems share are split into their systems; no system may come twice in one task. What is odd, but
may be right, is kept and said in a note: tasks that were skipped, and tasks that repeat an earlier one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from tercet.data import UNKNOWN, Array, Ints, Rankings
from tercet.errors import InputError
from tercet.formats.cells import first_bad
from tercet.formats.names import Names, combined, without_empty


@dataclasses.dataclass
class Tasks:
    """Columns as they were read: names as numbers, items in the order of their tasks."""

    file: str
    pair: str
    notes: list[str]
    segments: Names[str]
    judges: Names[str]  # the empty name: unknown
    outputs: Sequence[tuple[str, ...]]  # the systems of each output
    segment: Ints
    judge: Ints
    count: Ints  # items of each task
    output: Ints
    rank: Ints
    line: Ints  # of each task
    seconds: Array | None = None

    def rankings(self) -> Rankings:
        """All tasks as judgements, which are checked as a whole."""
        judges, judge = without_empty(self.judges, self.judge)
        systems, outputs = self._systems()
        starts = np.concatenate([[0], np.cumsum(self.count)]).astype(np.int64)
        self.check()
        return Rankings(
            self.pair,
            systems,
            tuple(self.segments),
            judges,
            outputs,
            self.segment,
            judge,
            starts,
            self.output,
            self.rank,
            self.seconds,
            self.line,
            notes=(*self.notes, *self._skipped(), *self._repeats(judge, starts)),
            file=self.file,
        )

    def _systems(self) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        systems: Names[str] = Names()
        outputs = tuple(tuple(systems[name] for name in names) for names in self.outputs)
        return tuple(systems), outputs

    def check(self) -> None:
        """Refuse a system that is in a task twice, alone or among those that share an output."""
        systems, outputs = self._systems()
        task = np.repeat(np.arange(len(self.count)), self.count)
        sizes = np.array([len(output) for output in outputs], dtype=np.int64)
        members = np.array([s for output in outputs for s in output], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        counts = sizes[self.output]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        system = members[np.repeat(starts[self.output], counts) + within]
        keys = np.sort(np.repeat(task, counts) * max(len(systems), 1) + system)
        if (at := first_bad(keys[1:] == keys[:-1])) is not None:
            where, which = divmod(int(keys[at]), len(systems))
            raise InputError(
                f"{self.file}, line {int(self.line[where])}: system {systems[which]!r} is there twice.",
                hint="A ranking holds a system once, also where several share an output (a+b).",
            )

    def _skipped(self) -> list[str]:
        n = int((self.count == 0).sum())
        return [f"Tasks without outputs, skipped by their judges: {n} of {len(self.count)}."] if n else []

    def _repeats(self, judge: Ints, starts: Ints) -> list[str]:
        n = 0
        for size in np.unique(self.count[(self.count > 0) & (judge != UNKNOWN)]).tolist():
            mine = np.flatnonzero((self.count == size) & (judge != UNKNOWN))
            items = starts[mine][:, None] + np.arange(size)
            columns = [judge[mine], self.segment[mine], *self.output[items].T, *self.rank[items].T]
            n += len(mine) - len(combined(*columns)[1])
        return [f"Rankings that repeat an earlier one of the same judge and segment exactly, kept: {n}."] if n else []


def split_outputs(names: Sequence[str], file: str, lines: Ints, item: Ints) -> list[tuple[str, ...]]:
    """The systems of each output: "a+b" is what both a and b said. `item` and `lines` are of each item."""
    outputs = [tuple(name.split("+")) for name in names]
    for number, (name, systems) in enumerate(zip(names, outputs, strict=True)):
        if not all(systems) or len(set(systems)) < len(systems):
            wrong = "names a system twice" if all(systems) else "names no system before or after a +"
            line = int(lines[int(np.argmax(item == number))])
            raise InputError(
                f"{file}, line {line}: {name!r} {wrong}.",
                hint="Systems that share an output are joined by one +, as in a+b.",
            )
    return outputs
