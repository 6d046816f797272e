"""Intervals of agreement: segments are drawn, each with all that was said of it, as judgements of one hang together."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from tercet.data import Assessments, Ints, Kind, Rankings
from tercet.data.agreement import AgreementRecord
from tercet.stats.agreement_sums import AgreementSums, drawn
from tercet.stats.resampling import expanded_interval


@dataclasses.dataclass(frozen=True, eq=False)
class Coefficient:
    """A record, and what its coefficient is made of, segment by segment; None where it has no coefficient."""

    record: AgreementRecord
    sums: Callable[[], AgreementSums] | None = None

    def replace(self, **changes: str) -> Coefficient:
        """The same of other judges, or on another scale."""
        return dataclasses.replace(self, record=dataclasses.replace(self.record, **changes))  # type: ignore[arg-type]

    @property
    def defined(self) -> bool:
        """Whether there is something to give an interval to."""
        return self.sums is not None and self.record.kappa is not None and not np.isnan(self.record.kappa)


def judged_segments(judgements: Rankings | Assessments) -> Ints:
    """The segments to draw from: those with outputs and repeats, as other control items say nothing of agreement."""
    if isinstance(judgements, Assessments):
        judgements = judgements.part(np.isin(judgements.kind, (Kind.SYSTEM, Kind.REPEAT)))
    return np.unique(judgements.segment)


def with_intervals(
    coefficients: Sequence[Coefficient], segments: Ints, samples: int, seed: int
) -> tuple[AgreementRecord, ...]:
    """Records with the central 95 % of what their coefficient is in draws where it is defined.

    Where few segments have something to compare, such as what a judge judged again, it is a little more than that.
    """
    sums = {i: c.sums() for i, c in enumerate(coefficients) if c.sums is not None and c.defined}
    blocks = list(drawn(list(sums.values()), segments, samples, seed))
    values = np.concatenate(blocks, axis=1) if blocks else np.empty((0, 0))
    records = [c.record for c in coefficients]
    for i, row in zip(sums, values, strict=False):
        if not np.isnan(row).all():
            low, high = expanded_interval(row[~np.isnan(row)], sums[i].compared)
            records[i] = dataclasses.replace(records[i], low=low, high=high)
    return tuple(records)
