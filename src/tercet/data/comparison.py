"""The answer of `compare`: is B better than A, by how much, where, and is it luck?

Comparison            systems of one test set against each other, and against the baseline
├── ComparedMetric    a metric: its name, direction, digits and signature
├── SystemScore       one system by one metric: score, interval, rank and cluster
├── PairTests         one metric: every system against every other one, as square tables
│   └── Difference    one cell of these tables, with all that belongs to it
├── SystemLength      how long a system's output is, beside the reference
├── Bucketing         the segments (or words) in parts by length, document, facet, ...
│   └── Bucket        one part: its scores, and where the systems differ in it
├── Check             a kind of fault (numbers lost, copies, ...): how many, in which segments
├── NgramDifference   an n-gram that one system gets and the other misses
├── WordDifference    a word that a system says more or less often than the reference
├── Finding           one sentence a reader must see, and the numbers and segments behind it
├── Distribution      how a metric's segment scores spread, system by system
├── Track             a system beside its own earlier run: which sentences got better or worse
└── SegmentMarks      what a metric counts in the texts, for pages that mark it

Rows are places of segments in the test set, from 0. Axes of arrays are in the order of `Comparison.metrics`,
`Comparison.systems` and the test set's segments; NaN is a number that is not defined.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from tercet.data.answer import Answer, data_frame
from tercet.data.comparison_frames import FRAMES
from tercet.data.segment_marks import SegmentMarks
from tercet.data.statistics import Array
from tercet.data.testset import Ints, TestSet
from tercet.numbers import ALPHA

Verdict = Literal["better", "worse", "undecided"]
Rows = tuple[int, ...]
FaultWords = Mapping[tuple[int, int], Mapping[int, tuple[str, ...]]]  # by check and system: of each row, its words
FORMAT = "tercet-comparison-1"


@dataclasses.dataclass(frozen=True)
class ComparedMetric:
    """A metric as it was used; `metric` is its canonical spec, `digits` how many a table shows."""

    metric: str
    title: str
    higher_is_better: bool
    digits: int
    signature: str


@dataclasses.dataclass(frozen=True)
class SystemScore:
    """What one metric says of one system, with the 95 % bootstrap interval.

    A `cluster` (1 the best) ends where all above are significantly better than all below; two systems of one may
    differ where others stand between them. `rank` is the place by score; equals share it.
    """

    system: str
    metric: str
    score: float
    low: float
    high: float
    rank: int
    cluster: int


@dataclasses.dataclass(frozen=True)
class Difference:
    """System minus baseline by one metric, with the p-value of the paired test and the interval that is its inversion.

    `wins`, `ties` and `losses` are segments on which the system scores better, the same, worse than the baseline, and
    `win_share` the share of resamples in which it does (ties half). `verdict` is "undecided" unless p < .05, which is
    exactly where the interval, corrected like p, leaves out 0.
    """

    metric: str
    system: str
    baseline: str
    difference: float
    low: float
    high: float
    p_value: float
    win_share: float
    wins: int
    ties: int
    losses: int
    verdict: Verdict


@dataclasses.dataclass(frozen=True, eq=False)
class PairTests:
    """Every system (row) against every other one (column) by one metric: differences are row minus column.

    All tables are (systems, systems); p is symmetric. On the diagonal stand 0, ties of all segments, and p = NaN.
    """

    metric: str
    higher_is_better: bool
    systems: tuple[str, ...]
    difference: Array
    low: Array
    high: Array
    p: Array
    win_share: Array
    wins: Ints
    ties: Ints

    def better(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """(systems, systems): whether the row is significantly better than the column."""
        gain = self.difference if self.higher_is_better else -self.difference
        return (np.nan_to_num(self.p, nan=1.0) < ALPHA) & (gain > 0)

    def pair(self, system: str, baseline: str) -> Difference:
        """One cell by its names."""
        i, j = self.systems.index(system), self.systems.index(baseline)
        better = self.better()
        return Difference(
            metric=self.metric,
            system=system,
            baseline=baseline,
            difference=float(self.difference[i, j]),
            low=float(self.low[i, j]),
            high=float(self.high[i, j]),
            p_value=float(self.p[i, j]),
            win_share=float(self.win_share[i, j]),
            wins=int(self.wins[i, j]),
            ties=int(self.ties[i, j]),
            losses=int(self.wins[j, i]),
            verdict="better" if better[i, j] else "worse" if better[j, i] else "undecided",
        )


@dataclasses.dataclass(frozen=True)
class SystemLength:
    """How many words a system says for those of the (first) reference."""

    system: str
    words: int
    reference: int
    ratio: float


@dataclasses.dataclass(frozen=True, eq=False)
class Bucket:
    """A part of the test set. `n` counts its segments, or its words where the bucketing is by words.

    `scores` is (measures, systems). `difference`, `low` and `high` are (measures, systems) against the baseline; the
    interval is from the bootstrap's standard error and Student's t, and corrected for the parts of the cut (Holm): one
    of them leaves out 0 for 5 % of equal systems. NaN where the part is too small to resample.
    """

    label: str
    n: int
    scores: Array
    difference: Array
    low: Array
    high: Array

    def signs(self) -> Ints:
        """(measures, systems): 1 where the interval lies above 0, -1 where below, 0 elsewhere or where undefined."""
        return np.where(self.low > 0, 1, np.where(self.high < 0, -1, 0))


@dataclasses.dataclass(frozen=True, eq=False)
class Bucketing:
    """One way of cutting the test set: `kind` is length, document, facet, frequency or score.

    `name` tells several of a kind apart (the facet's column). `unit` is "segment" or "word"; of segments, `members` has
    the bucket of each (-1: in none) and `measures` are the metrics; of words, `measures` are F1, recall and precision
    and `members` is empty.
    """

    kind: str
    name: str
    title: str
    unit: Literal["segment", "word", "character"]
    measures: tuple[str, ...]
    buckets: tuple[Bucket, ...]
    members: Ints  # (segments,)

    def rows(self, bucket: int) -> Rows:
        """The segments of a bucket."""
        return tuple(np.flatnonzero(self.members == bucket).tolist())


@dataclasses.dataclass(frozen=True, eq=False)
class Check:
    """A kind of fault that needs no metric to be seen, such as numbers that got lost.

    `counts` is (systems, segments): how many faults. `possible` is how many there could be at most: (segments,), or
    (systems, segments) where that depends on what a system says.
    `p` is (systems,): sign test over segments against the baseline, corrected for all checks and systems (Holm) and for
    the kinds of findings; NaN for the baseline itself. `unit` is what is counted: "number", "name", "word", "segment".
    """

    kind: str
    title: str
    unit: str
    counts: Ints
    possible: Ints
    p: Array

    def totals(self) -> list[int]:
        """How many faults each system makes."""
        sums: list[int] = self.counts.sum(axis=1).tolist()
        return sums

    def most(self) -> list[int]:
        """How many faults each system could make."""
        sums: list[int] = np.broadcast_to(self.possible, self.counts.shape).sum(axis=1).tolist()
        return sums

    def rows(self, system: int) -> Rows:
        """The segments in which a system (by its place) makes the fault, most faults first."""
        counts = self.counts[system]
        order = np.argsort(-counts, kind="stable")
        return tuple(order[: int((counts > 0).sum())].tolist())


@dataclasses.dataclass(frozen=True)
class NgramDifference:
    """An n-gram of words by which a system differs from the baseline.

    `kind` is "matched" (it is in a reference: who gets it?) or "spurious" (more often than in any reference: who says
    it?). `system_count` and `baseline_count` are occurrences over the test set, `segments_for` and `segments_against`
    segments with more of it in the system or in the baseline, `p_value` the sign test over these, corrected, and
    `log_odds` the smoothed log ratio of the counts, above 0 if the system has more. `rows` are such segments.
    """

    kind: Literal["matched", "spurious"]
    system: str
    baseline: str
    ngram: str
    order: int
    system_count: int
    baseline_count: int
    reference_count: int
    segments_for: int
    segments_against: int
    log_odds: float
    p_value: float
    rows: Rows


@dataclasses.dataclass(frozen=True)
class WordDifference:
    """A word that a system says more often ("over") or less often ("under") than the (first) reference.

    `p_value` is of a sign test over segments against the reference, corrected for the words of the system;
    `baseline_count` is how often the baseline says it, and `p_baseline` of the same test against the baseline,
    corrected as findings are (1 if too few segments differ to be tested).
    """

    kind: Literal["over", "under"]
    system: str
    word: str
    system_count: int
    reference_count: int
    baseline_count: int
    log_odds: float
    p_value: float
    p_baseline: float
    rows: Rows


@dataclasses.dataclass(frozen=True)
class Finding:
    """One sentence that a reader must see. Findings come in order: what is surest and concerns most comes first.

    `kind` is the kind of a check ("numbers", "names", "copy", ...), "length", "bucket", "ngrams" or "words"; `good`
    says whether it speaks for the system (None: neither, nothing was tested). `p_value` is corrected for all that is
    looked for, so that of equal systems nothing is found in 19 comparisons of 20; `strength` is the z of the test.
    `numbers` are those of the sentence by name; `rows` the segments concerned, the worst first, and `n_rows` how many
    there are in all, of which `rows` may be only the first (None: not counted). `words` are the n-grams or words that
    the sentence names.
    """

    kind: str
    system: str
    baseline: str
    sentence: str
    good: bool | None
    p_value: float
    strength: float
    numbers: Mapping[str, float]
    rows: Rows
    n_rows: int | None = None
    words: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, eq=False)
class Distribution:
    """How the segment scores of one metric spread: `shares` is (systems, bins), of the segments that have a score.

    `edges` are the bins + 1 ends between the outermost half percents; what lies beyond them is in the outer bins.
    """

    metric: str
    edges: Array
    shares: Array


@dataclasses.dataclass(frozen=True)
class Track:
    """A system beside its earlier run: differences by metric are `Comparison.difference(metric, system, earlier)`.

    `changed` are segments with another output, `better` and `worse` those whose score by the first metric rose or fell,
    the largest change first.
    """

    system: str
    earlier: str
    changed: Rows
    better: Rows
    worse: Rows


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer):
    """Everything that `compare` found. `answers` say it in words, the most important first."""

    testset: TestSet
    baseline: str
    metrics: tuple[ComparedMetric, ...]
    scores: tuple[SystemScore, ...]  # metric by metric, systems in the test set's order
    tests: tuple[PairTests, ...]  # one a metric
    segment_scores: Array  # (metrics, systems, segments)
    lengths: tuple[SystemLength, ...]
    bucketings: tuple[Bucketing, ...]
    checks: tuple[Check, ...]
    ngrams: tuple[NgramDifference, ...]
    words: tuple[WordDifference, ...]
    findings: tuple[Finding, ...]
    answers: tuple[str, ...]
    assumptions: str  # what the tests assume, in one line
    signature: str
    notes: tuple[str, ...] = ()
    tracks: tuple[Track, ...] = ()
    distributions: tuple[Distribution, ...] = ()  # one a metric
    marks: tuple[SegmentMarks, ...] = ()  # one a metric; filled by `comparing.marks.marked`, for pages
    fault_words: FaultWords = dataclasses.field(default_factory=dict)  # likewise

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the test set's order."""
        return tuple(self.testset.systems)

    @property
    def others(self) -> tuple[str, ...]:
        """The systems but the baseline."""
        return tuple(name for name in self.systems if name != self.baseline)

    @property
    def focus(self) -> str:
        """The system to look at beside the baseline: the best of the others by the first metric."""
        metric = self.metrics[0].metric
        return min(self.others, key=lambda name: self.score(metric, name).rank, default=self.baseline)

    def score(self, metric: str, system: str) -> SystemScore:
        """What a metric says of a system."""
        return next(s for s in self.scores if (s.metric, s.system) == (metric, system))

    def difference(self, metric: str, system: str, baseline: str | None = None) -> Difference:
        """A system against the baseline, or against any other."""
        tests = next(t for t in self.tests if t.metric == metric)
        return tests.pair(system, self.baseline if baseline is None else baseline)

    def clusters(self, metric: str) -> list[list[str]]:
        """Systems by cluster, the best first; within one by score."""
        scores = sorted((s for s in self.scores if s.metric == metric), key=lambda s: (s.cluster, s.rank))
        clusters: dict[int, list[str]] = {}
        for score in scores:
            clusters.setdefault(score.cluster, []).append(score.system)
        return list(clusters.values())

    def distribution(self, metric: str) -> Distribution:
        """How many segments score how much by a metric."""
        return next(d for d in self.distributions if d.metric == metric)

    def examples(self, cut: Bucketing, bucket: int, most: int = 3) -> Rows:
        """Segments of a part in which the system to look at and the baseline differ most by the first metric."""
        names = self.systems
        gaps = np.abs(
            self.segment_scores[0, names.index(self.focus)] - self.segment_scores[0, names.index(self.baseline)]
        )
        rows = [row for row in cut.rows(bucket) if gaps[row] > 0]
        return tuple(sorted(rows, key=lambda row: (-gaps[row], row))[:most])

    def as_records(self) -> list[dict[str, Any]]:
        """One flat record a system and metric: the score, and the difference from the baseline."""
        records = []
        for score in self.scores:
            record = dataclasses.asdict(score)
            other = None if score.system == self.baseline else self.difference(score.metric, score.system)
            for name in _OF_DIFFERENCE:
                record[_COLUMN.get(name, name)] = None if other is None else getattr(other, name)
            records.append(record)
        return records

    def to_dict(self) -> dict[str, Any]:
        """The whole as plain lists, names and numbers: the layout of `-f json`, which `--baseline FILE` reads again.

        Fields are those of the classes here; tables are lists of rows, NaN is null.
        """
        testset = self.testset
        refs = testset.references
        whole = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in _ELSEWHERE}
        return {
            "format": FORMAT,
            "signature": self.signature,
            "records": [plain(record) for record in self.as_records()],
            "systems": list(self.systems),
            **{name: plain(value) for name, value in whole.items()},
            "testset": {
                "segments": list(testset.segments),
                "documents": None if testset.documents is None else list(testset.documents),
                "facets": {name: list(values) for name, values in testset.facets.items()},
                "sources": None if testset.sources is None else list(testset.sources),
                "references": None if refs is None else [list(group) for group in refs],
                "outputs": {name: list(texts) for name, texts in testset.systems.items()},
            },
        }

    def frame(self, name: str = "scores") -> Any:
        """One of the data frames by name: scores, pairs, segments, buckets, checks, ngrams, words, findings."""
        if name not in FRAMES:
            raise KeyError(f"There is no data frame {name!r}: there are {', '.join(FRAMES)}.")
        return data_frame(FRAMES[name](self))

    def frames(self) -> dict[str, Any]:
        """All data frames by name."""
        return {name: self.frame(name) for name in FRAMES}


_OF_DIFFERENCE = ("difference", "low", "high", "p_value", "win_share", "wins", "ties", "losses", "verdict")
_COLUMN = {"low": "difference_low", "high": "difference_high"}
_ELSEWHERE = ("testset", "signature", "distributions", "marks", "fault_words")


def plain(value: Any) -> Any:
    """Dataclasses as objects, arrays as lists, NaN as null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
