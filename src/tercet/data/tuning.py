"""What `tune` found, and what `train` did: agreement with people on what was learnt from, and on what was held out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.data.answer import Answer
from tercet.options.learning import Kind, Learner

ALL, HELD_OUT = "all", "held-out"


@dataclasses.dataclass(frozen=True)
class TuningRecord:
    """Agreement of the tuned metric, and of the metric as it was given, on one part of one direction.

    `part` is "all", on which the answer was tuned; "fold 1", ..., each held out while its spec was tuned on the others;
    or "held-out", the mean over folds.
    """

    part: str
    direction: str
    spec: str | None  # None where it differs from fold to fold
    settings: str | None  # what was tuned, as in the spec: "alpha=0.8, gamma=0.5"
    level: str
    measure: str
    value: float
    default: float
    gain: float
    n: int


@dataclasses.dataclass(frozen=True)
class Profile:
    """Agreement on everything as one parameter moves and the others stand where they were tuned to."""

    parameter: str
    points: tuple[float, ...]
    values: tuple[float, ...]
    tuned: float
    default: float


@dataclasses.dataclass(frozen=True, repr=False)
class Tuning(Answer):
    """The answer of `tune`: a spec string, its agreement with people beside the default's, and what lies around it."""

    spec: str
    default: str
    parameters: tuple[str, ...]
    objective: str
    points: int  # that were looked at
    records: tuple[TuningRecord, ...]
    profiles: tuple[Profile, ...]
    answer: str
    signature: str
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[TuningRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [dataclasses.asdict(r) for r in self.records]

    @property
    def advised(self) -> bool:
        """Whether the metric as it was tuned does better on held-out segments, and in most folds."""
        mean = self.record()
        folds = [r for r in self.records if r.part not in (ALL, HELD_OUT) and r.direction == mean.direction]
        return mean.gain > 0 and clear(folds)

    def record(self, part: str = HELD_OUT, direction: str | None = None) -> TuningRecord:
        """One record by its labels: of the average over directions if none is named."""
        rows = [r for r in self.records if r.part == part]
        matching = [r for r in rows if r.direction == direction] if direction is not None else rows[-1:]
        if len(matching) != 1:
            raise KeyError((part, direction))
        return matching[0]


def gaining(folds: Sequence[TuningRecord]) -> int:
    """How many folds gain."""
    return sum(fold.gain > 0 for fold in folds)


def clear(folds: Sequence[TuningRecord]) -> bool:
    """Whether most folds gain."""
    return 2 * gaining(folds) > len(folds)


@dataclasses.dataclass(frozen=True)
class TrainingRecord:
    """Agreement of one metric on one part of one direction.

    `part` is "all", on which the model was trained; "fold 1", ..., each held out once; or "held-out", their mean.
    """

    part: str
    direction: str
    metric: str
    measure: str
    value: float
    n: int


@dataclasses.dataclass(frozen=True, repr=False)
class TrainedMetric(Answer):
    """The answer of `train`: a model, and its agreement with people beside that of other metrics."""

    kind: Kind
    metric: str  # what the trained metric is called in the records
    learner: Learner
    strength: float
    examples: int  # comparisons, or scores, that were learnt from
    weights: tuple[tuple[str, float], ...]
    records: tuple[TrainingRecord, ...]
    content: Mapping[str, Any]  # of the model file
    answer: str
    signature: str
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[TrainingRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The trained one, then the others."""
        return tuple(dict.fromkeys(r.metric for r in self.records))

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [dataclasses.asdict(r) for r in self.records]

    def record(self, part: str = HELD_OUT, metric: str | None = None, direction: str | None = None) -> TrainingRecord:
        """One record by its labels: of the trained metric and of the average over directions if none is named."""
        name = self.metric if metric is None else metric
        rows = [r for r in self.records if r.part == part and r.metric == name]
        matching = [r for r in rows if r.direction == direction] if direction is not None else rows[-1:]
        if len(matching) != 1:
            raise KeyError((part, metric, direction))
        return matching[0]
