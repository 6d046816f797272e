"""Metrics in several columns, such as two years: what `meta` found earlier beside what it finds now."""

from __future__ import annotations

import dataclasses
import functools
import math
import pathlib
from collections.abc import Iterator, Sequence

from tercet.data import MetaEvaluation, MetricAgreement
from tercet.errors import InputError
from tercet.formats.agreements import read_agreements

NOW = "now"


@dataclasses.dataclass(frozen=True)
class AgreementColumn:
    """Agreements of metrics by one measure, on one level and in one direction, and where they are from."""

    name: str
    records: tuple[MetricAgreement, ...]

    @functools.cached_property
    def by_metric(self) -> dict[str, MetricAgreement]:
        """The records by the names of the metrics."""
        return {record.metric: record for record in self.records}

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """The place of each metric whose value is defined, from 1; of equal values the same.

        >>> values = {"a": 0.5, "b": 0.9, "c": 0.5, "d": float("nan")}
        >>> made = [MetricAgreement(name, "system", "pearson", "", value) for name, value in values.items()]
        >>> AgreementColumn("2014", tuple(made)).places
        {'a': 2, 'b': 1, 'c': 2}
        """
        values = {r.metric: r.value for r in self.records if not math.isnan(r.value)}
        return {metric: 1 + sum(other > value for other in values.values()) for metric, value in values.items()}

    @property
    def values(self) -> dict[str, float]:
        """The values by the names of the metrics."""
        return {record.metric: record.value for record in self.records}


def beside(evaluation: MetaEvaluation, earlier: Sequence[pathlib.Path]) -> list[AgreementColumn]:
    """A column for each earlier file, and one for what was found now, a column a direction where there are several."""
    asked = dict.fromkeys((r.level, r.measure) for r in evaluation.records)
    if len(asked) != 1:
        measures = ", ".join(measure for _, measure in asked)
        raise InputError(f"One measure stands beside an earlier one, and there are {measures}.", hint="Name one.")
    ((level, measure),) = asked
    columns: list[AgreementColumn] = []
    for path in earlier:
        read = read_agreements(path)
        alike = [r for r in read if (r.level, r.measure) == (level, measure)]
        if not alike:
            known = ", ".join(dict.fromkeys(f"{r.measure} of the {r.level} level" for r in read))
            raise InputError(f"{path} has no {measure} of the {level} level.", hint=f"It has {known}.")
        columns += _by_direction(path.name.partition(".")[0], alike, str(path))
    return [*columns, *_by_direction(NOW, evaluation.records, NOW)]


def _by_direction(name: str, records: Sequence[MetricAgreement], where: str) -> Iterator[AgreementColumn]:
    directions = list(dict.fromkeys(r.direction for r in records))
    for direction in directions:
        column = tuple(r for r in records if r.direction == direction)
        if len({r.metric for r in column}) < len(column):
            raise InputError(f"{where} has a metric twice in one direction.", hint="Keep one of the two.")
        yield AgreementColumn(f"{name} {direction}".strip() if len(directions) > 1 else name, column)
