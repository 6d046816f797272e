"""Meta-evaluation: scores of metrics beside those of people, and the answer of `meta` as flat records.

MetricScores       what one metric says of the systems of a direction, or of their segments or documents
MetaEvaluation     how far metrics agree with people, and how sure that is
├── MetricAgreement    one metric, level, measure and direction
├── MetricTests        p-values of every two metrics
├── TopCurve           agreement among the best N systems only
├── Scatter            a metric's scores of the systems beside people's
└── Calibration        accuracy with ties by the difference that counts as a tie
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet.data.answer import Answer, counted_names, summary
from tercet.data.spreads import Density, Histogram
from tercet.data.statistics import Array
from tercet.errors import InputError
from tercet.numbers import counted, level
from tercet.options.groups import MetaLevel as MetaLevel

HOW_TO_CORRECT = ": --correction holm"  # said on the terminal, behind tests that were not corrected
UNLIKE_RANKS = f", unlike ranks{HOW_TO_CORRECT}"  # the same, where a table with ranks stands above


@dataclasses.dataclass(frozen=True, eq=False)
class MetricScores:
    """Scores of one metric, or of people: one a system, or one a system and item (segment or document).

    `values` has the shape (systems, items), at the system level (systems, 1) with the one item "". NaN is a score that
    is not there. Values stand as they were given; `oriented` turns those around for which lower is better.
    """

    metric: str
    direction: str  # "de-en", or "" where nothing says
    level: MetaLevel
    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: Array
    higher_is_better: bool = True
    reference_free: bool = False  # True: it is known to look at no reference

    def __repr__(self) -> str:
        items = counted(len(self.items), self.level) if self.level != "system" else ""
        return summary(self, self.metric, self.direction, counted_names(self.systems, "system"), items)

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.systems), len(self.items)):
            raise InputError(
                f"{self.metric} has {self.values.shape} scores for {len(self.systems)} systems and "
                f"{len(self.items)} items.",
                hint="Give one row a system and one column an item.",
            )
        for what, names in (("system", self.systems), ("item", self.items)):
            if len(set(names)) != len(names):
                raise InputError(f"{self.metric} scores a {what} twice.", hint="Names must be unique.")
        if self.level == "system" and self.items != ("",):
            raise InputError(f"{self.metric} has items at the system level.", hint='Give the one item "".')

    @property
    def oriented(self) -> Array:
        """The scores, turned around where lower is better, so that higher always is."""
        return self.values if self.higher_is_better else -self.values


FEW = 4  # systems: fewer say next to nothing


class OfMeasure:
    """What was found by a measure, and what a paper calls that."""

    measure: str
    in_words: str

    @property
    def measure_title(self) -> str:
        """The measure for a reader."""
        return self.in_words or self.measure


@dataclasses.dataclass(frozen=True)
class MetricAgreement(OfMeasure):
    """How far a metric agrees with people by one measure. None where a field does not apply, NaN: not defined."""

    metric: str
    level: str
    measure: str
    direction: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0  # systems, items or comparisons that went in
    half_width: float | None = None  # (high - low) / 2, the ± of the papers; Fisher's ends lie unevenly and have none
    rank: int | None = None  # by the tests, if there were some; metrics that share a rank are not told apart
    winner: bool | None = None  # no other metric is significantly better
    over_hybrids: float | None = None  # r over hybrid systems, if these were tested
    epsilon: float | None = None  # acc-eq: the difference up to which two scores are a tie
    without_outliers: float | None = None  # the same measure without systems that stand far off
    n_without_outliers: int | None = None
    reference_free: bool | None = None  # True: it looks at no reference, as far as that is known
    fewer: bool | None = None  # True: it was held against less of people's side (`n`) than other metrics
    place: int | None = None  # in tables, among metrics of the same level, measure and direction; equals share one
    best: bool = False  # in bold: unbeaten in the tests, or the highest as printed where there were none
    in_words: str = ""  # the measure as a paper calls it

    @property
    def scarce(self) -> bool:
        """Whether it was held against so few systems, where others have more, that it has no place among them."""
        return bool(self.fewer) and self.level == "system" and self.n < FEW


_TESTS = {
    "williams": "Williams's test",
    "perm-both": "permutation of systems and {items}",
    "perm-system": "permutation of systems",
    "perm-item": "permutation of {items}",
    "boot-both": "bootstrap of systems and {items}",
    "boot-system": "bootstrap of systems",
    "boot-item": "bootstrap of {items}",
    "judgements": "resampled judgements",
    "overlap": "overlap of intervals",
    "hybrids": "hybrid systems",
}


@dataclasses.dataclass(frozen=True, eq=False)
class MetricTests(OfMeasure):
    """p[i, j]: one-sided p-value that metric i agrees better with people than metric j. The best metric is first."""

    direction: str
    level: str
    measure: str
    test: str
    metrics: tuple[str, ...]
    p: Array  # (metrics, metrics), NaN on the diagonal
    alpha: float = 0.05
    in_words: str = ""  # the measure as a paper calls it

    @property
    def test_title(self) -> str:
        """The test, and what its p-values were corrected by, as a paper says it."""
        name, comma, correction = self.test.partition(", ")
        items = "documents" if self.level == "document" else "segments"
        return f"{_TESTS.get(name, name).format(items=items)}{comma}{correction}"

    @property
    def n_uncorrected(self) -> int:
        """How many tests were made whose p-values were not corrected, two for two metrics; 0 if they were."""
        return int(np.isfinite(self.p).sum()) if ", " not in self.test else 0

    @property
    def decided_by(self) -> str:
        """How metrics are told apart: by which test, at which level, of how many."""
        uncorrected = ""
        if self.n_uncorrected:
            uncorrected = f", {self.n_uncorrected} tests, not corrected for their number{HOW_TO_CORRECT}"
        return f"{self.test_title}, one-sided p ≤ {level(self.alpha)}{uncorrected}"

    def winners(self, among: Collection[str] | None = None) -> tuple[str, ...]:
        """Metrics than which no other one is significantly better, of all or among some."""
        here = [among is None or m in among for m in self.metrics]
        beaten = np.any(np.nan_to_num(self.p[here], nan=1.0) <= self.alpha, axis=0).tolist()
        return tuple(m for m, lost, kept in zip(self.metrics, beaten, here, strict=True) if kept and not lost)


@dataclasses.dataclass(frozen=True)
class TopCurve(OfMeasure):
    """Agreement of a metric over the best N systems, for every N from few to all."""

    direction: str
    measure: str
    metric: str
    sizes: tuple[int, ...]
    values: tuple[float, ...]
    low: tuple[float, ...] = ()  # of 95 % intervals, if they were asked for
    high: tuple[float, ...] = ()
    in_words: str = ""  # the measure as a paper calls it


@dataclasses.dataclass(frozen=True)
class Scatter:
    """A metric's scores of the systems beside people's, with 95 % intervals where they are known (() if not)."""

    direction: str
    metric: str
    systems: tuple[str, ...]
    gold: tuple[float, ...]
    scores: tuple[float, ...]
    outliers: tuple[bool, ...]
    gold_low: tuple[float, ...] = ()
    gold_high: tuple[float, ...] = ()
    score_low: tuple[float, ...] = ()
    score_high: tuple[float, ...] = ()
    higher_is_better: bool = True
    agreement: float = float("nan")  # Pearson's r of the two


@dataclasses.dataclass(frozen=True, eq=False)
class SegmentScores:
    """A metric's scores of segments beside people's: one for every output that was judged, all systems together."""

    direction: str
    metric: str
    gold: Array  # (outputs,)
    scores: Array  # (outputs,), as the metric gives them
    spreads: tuple[Histogram, Histogram]  # of the metric's scores and of people's
    density: Density | None  # None for few
    higher_is_better: bool = True
    agreement: float = float("nan")  # Pearson's r of the two, over all outputs


@dataclasses.dataclass(frozen=True, eq=False)
class Calibration:
    """Accuracy of a metric by the difference up to which two scores count as a tie; `best` is the first maximum."""

    direction: str
    metric: str
    epsilon: npt.NDArray[np.float64]
    accuracy: npt.NDArray[np.float64]
    best: float

    @property
    def ties_all(self) -> bool:
        """Whether the best epsilon makes a tie of every pair, some of which differ."""
        return bool(self.best >= self.epsilon[-1] > 0)


@dataclasses.dataclass(frozen=True, repr=False)
class MetaEvaluation(Answer):
    """The answer of `meta`: records in the order asked, what lies behind them, and the answer in words."""

    records: tuple[MetricAgreement, ...]
    signature: str
    notes: tuple[str, ...] = ()
    tests: tuple[MetricTests, ...] = ()
    curves: tuple[TopCurve, ...] = ()
    scatters: tuple[Scatter, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    answers: tuple[str, ...] = ()
    scores: tuple[MetricScores, ...] = ()  # the metrics' own, at the level asked for
    segments: tuple[SegmentScores, ...] = ()  # beside people's, where these are scores of segments

    def __iter__(self) -> Iterator[MetricAgreement]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames. Fields that the call did not ask for are left out."""
        extra = [f for f in _EXTRA if any(getattr(r, f) is not None for r in self.records)]
        return [{f: getattr(r, f) for f in (*META_COLUMNS, *extra)} for r in self.records]

    def value(self, metric: str, measure: str | None = None, direction: str | None = None) -> float:
        """One figure by its labels; measure and direction may be left out where there is one only."""
        values = [
            r.value
            for r in self.records
            if r.metric == metric and measure in (None, r.measure) and direction in (None, r.direction)
        ]
        if len(values) != 1:
            raise KeyError((metric, measure, direction))
        return values[0]


META_COLUMNS = ("metric", "level", "measure", "direction", "value", "low", "high", "n")
RECORDED = tuple(f.name for f in dataclasses.fields(MetricAgreement) if f.name != "in_words")
_SHOWN = ("place", "best")  # follow from the others
_EXTRA = tuple(name for name in RECORDED if name not in (*META_COLUMNS, *_SHOWN))
