"""Agreement: how far judges agree with each other and with themselves, and what each of them is like.

All of it is flat records, with the signature of the call and notes on what was left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

from tercet.data.answer import Answer

KINDS = {  # in words
    "inter": "between judges",
    "intra": "within a judge",
    "alpha": "alpha",
    "alpha-pairs": "pair alpha",
    "repeats": "repeats",
}


@dataclasses.dataclass(frozen=True)
class AgreementRecord:
    """One coefficient and the counts that it comes from. None where a field does not apply, NaN where undefined."""

    kind: str  # "inter", "intra", "alpha", "alpha-pairs", "repeats"
    kappa: float | None  # alpha, where the kind says so
    p_agree: float | None
    p_expected: float | None
    comparable: int  # pairs of judgements of the same thing
    agree: int | None = None  # of these
    ties: int | None = None  # of all judgements
    total: int | None = None  # all judgements
    judges: int | None = None  # who gave them
    band: str | None = None  # the kappa in words
    mean_difference: float | None = None  # of a score and its repeat, without the sign
    p_value: float | None = None  # of the paired t-test that repeats have another mean
    first: str | None = None  # judge or group of judges, where kappa is of two
    second: str | None = None
    scale: str | None = None  # adequacy or fluency, where judges gave several scores
    consistent: float | None = None  # share of the judges in whose repeats that test sees no difference
    low: float | None = None  # of the 95 % interval of kappa or alpha, if it was asked for
    high: float | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class Agreement(Answer):
    """Agreement of judges, one record a kind."""

    records: tuple[AgreementRecord, ...]
    signature: str
    notes: tuple[str, ...] = ()
    alone: int = 0  # judges who judged nothing that another one judged as well

    def __iter__(self) -> Iterator[AgreementRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def of(self, kind: str) -> AgreementRecord:
        """The record of one kind."""
        records = [r for r in self.records if r.kind == kind]
        if not records:
            raise KeyError(kind)
        return records[0]

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames. Fields that no record has are left out."""
        extra = [f for f in _EXTRA if any(getattr(r, f) is not None for r in self.records)]
        return [{f: getattr(r, f) for f in (*COLUMNS, *extra)} for r in self.records]


COLUMNS = ("kind", "kappa", "p_agree", "p_expected", "comparable")
_EXTRA = tuple(f.name for f in dataclasses.fields(AgreementRecord) if f.name not in COLUMNS)


@dataclasses.dataclass(frozen=True)
class RankingAnnotator:
    """One judge of rankings. None where nothing is known, NaN where undefined."""

    judge: str
    tasks: int  # with something judged in them
    pairs: int
    kappa: float  # with the other judges
    p_agree: float
    p_expected: float
    comparable: int  # pairs of a judgement of this judge and another's of the same item
    intra_kappa: float  # with themselves
    intra_p_agree: float
    intra_comparable: int
    ties: float  # share of the pairs
    median_seconds: float | None  # a task
    longest_run: int  # of tasks, one after the other, that got the same ranks
    flags: str = ""  # in words, with "; " between them


@dataclasses.dataclass(frozen=True)
class AssessmentAnnotator:
    """One judge of outputs, one by one. None where nothing is known, NaN where undefined."""

    judge: str
    items: int  # with a score
    mean: float
    sd: float
    correlation: float  # Pearson's, with the mean of the other judges on the same outputs
    comparable: int  # of these outputs
    mean_system: float
    mean_reference: float
    mean_bad: float
    bad_pairs: int  # degraded outputs with what they were made from
    p_ranksum: float  # that the degraded ones score lower
    p_paired_t: float
    repeats: int
    mean_difference: float  # of a score and its repeat, without the sign
    median_seconds: float | None  # an item
    longest_run: int  # of items, one after the other, that got the same score
    flags: str = ""  # in words, with "; " between them


@dataclasses.dataclass(frozen=True, repr=False)
class Annotators(Answer):
    """The judges, one record each, in the order in which the judgements name them."""

    records: tuple[RankingAnnotator | AssessmentAnnotator, ...]
    signature: str
    notes: tuple[str, ...] = ()
    overall: float | None = None  # kappa between all of them, where they ranked

    def __iter__(self) -> Iterator[RankingAnnotator | AssessmentAnnotator]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [dataclasses.asdict(r) for r in self.records]


class Fact(NamedTuple):
    """A line of the page on one judge."""

    field: str
    value: str | int | float | None
