"""The answer of `compare`: is B better than A, by how much, where, and is it luck?

Comparison            systems of one test set against each other, and against the baseline
├── ComparedMetric    a metric: its name, direction, digits and signature
├── SystemScore       one system by one metric: score, interval, rank and cluster
├── PairTests         one metric: every system against every other one, as square tables
│   └── Difference    one cell of these tables, with all that belongs to it
├── LengthRatio       how long a system's output is, beside the reference
├── Bucketing         the segments (or words) in parts by length, document, facet, ...
│   └── Bucket        one part: its scores, and where the systems differ in it
├── Check             a kind of fault (numbers lost, copies, ...): how many, in which segments
├── NgramDifference   an n-gram that one system gets and the other misses
├── WordDifference    a word that a system says more or less often than the reference
├── Finding           one sentence a reader must see, and the numbers and segments behind it
└── Track             a system beside its own earlier run: which sentences got better or worse

Rows are places of segments in the test set, from 0. Axes of arrays are in the order of `Comparison.metrics`,
`Comparison.systems` and the test set's segments; NaN is a number that is not defined.
"""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tercet.data.statistics import Array
from tercet.data.testset import Ints, TestSet

if TYPE_CHECKING:
    import polars as pl

ALPHA = 0.05
Verdict = Literal["better", "worse", "undecided"]
Rows = tuple[int, ...]
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

    Systems of a `cluster` (1 the best) are not told apart: one ends where all above are significantly better than all
    below. `rank` is the place by score; equals share it.
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
    """System minus baseline by one metric, with the interval of the difference and the p-value of the paired test.

    `wins`, `ties` and `losses` are segments on which the system scores better, the same, worse than the baseline, and
    `win_share` the share of resamples in which it does (ties half). `verdict` is "undecided" unless p < 0.05.
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
class LengthRatio:
    """How many words a system says for those of the (first) reference."""

    system: str
    words: int
    reference: int
    ratio: float


@dataclasses.dataclass(frozen=True, eq=False)
class Bucket:
    """A part of the test set. `n` counts its segments, or its words where the bucketing is by words.

    `scores` is (measures, systems). `difference`, `low` and `high` are (measures, systems) against the baseline with a
    95 % bootstrap interval, NaN where the part is too small to resample.
    """

    label: str
    n: int
    scores: Array
    difference: Array
    low: Array
    high: Array


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
    unit: Literal["segment", "word"]
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
    `p` is (systems,): sign test over segments against the baseline, corrected for all checks and systems (Holm); NaN
    for the baseline itself. `unit` is what is counted: "number", "name", "word", "segment".
    """

    kind: str
    title: str
    unit: str
    counts: Ints
    possible: Ints
    p: Array

    def totals(self) -> list[int]:
        """How many faults each system makes."""
        found: list[int] = self.counts.sum(axis=1).tolist()
        return found

    def most(self) -> list[int]:
        """How many faults each system could make."""
        found: list[int] = np.broadcast_to(self.possible, self.counts.shape).sum(axis=1).tolist()
        return found

    def rows(self, system: int) -> Rows:
        """The segments in which a system (by its place) makes the fault, most faults first."""
        own = self.counts[system]
        order = np.argsort(-own, kind="stable")
        return tuple(order[: int((own > 0).sum())].tolist())


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

    `p_value` is of a sign test over segments, corrected; `baseline_count` is how often the baseline says it.
    """

    kind: Literal["over", "under"]
    system: str
    word: str
    system_count: int
    reference_count: int
    baseline_count: int
    log_odds: float
    p_value: float
    rows: Rows


@dataclasses.dataclass(frozen=True)
class Finding:
    """One sentence that a reader must see. Findings come in order: what is surest and concerns most comes first.

    `kind` is the kind of a check ("numbers", "names", "copy", ...), "length", "bucket", "ngrams" or "words"; `good`
    says whether it speaks for the system (None: neither). `p_value` is corrected; `strength` is the z of the test.
    `numbers` are those of the sentence by name; `rows` the segments concerned, the worst first, and `n_rows` how many
    there are in all, of which `rows` may be only the first (None: not counted).
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


@dataclasses.dataclass(frozen=True, eq=False)
class Comparison:
    """Everything that `compare` found. `answers` say it in words, the most important first."""

    testset: TestSet
    baseline: str
    metrics: tuple[ComparedMetric, ...]
    scores: tuple[SystemScore, ...]  # metric by metric, systems in the test set's order
    tests: tuple[PairTests, ...]  # one a metric
    segment_scores: Array  # (metrics, systems, segments)
    lengths: tuple[LengthRatio, ...]
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

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the test set's order."""
        return tuple(self.testset.systems)

    @property
    def others(self) -> tuple[str, ...]:
        """The systems but the baseline."""
        return tuple(name for name in self.systems if name != self.baseline)

    def score(self, metric: str, system: str) -> SystemScore:
        """What a metric says of a system."""
        return next(s for s in self.scores if (s.metric, s.system) == (metric, system))

    def difference(self, metric: str, system: str, baseline: str | None = None) -> Difference:
        """A system against the baseline, or against any other."""
        tests = next(t for t in self.tests if t.metric == metric)
        return tests.pair(system, self.baseline if baseline is None else baseline)

    def clusters(self, metric: str) -> list[list[str]]:
        """Systems by cluster, the best first; within one by score."""
        own = sorted((s for s in self.scores if s.metric == metric), key=lambda s: (s.cluster, s.rank))
        found: dict[int, list[str]] = {}
        for each in own:
            found.setdefault(each.cluster, []).append(each.system)
        return list(found.values())

    def as_records(self) -> list[dict[str, Any]]:
        """One flat record a system and metric: the score, and the difference from the baseline."""
        records = []
        for own in self.scores:
            record = dataclasses.asdict(own)
            other = None if own.system == self.baseline else self.difference(own.metric, own.system)
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
                "references": None if refs is None else [list(own) for own in refs],
                "outputs": {name: list(texts) for name, texts in testset.systems.items()},
            },
        }

    def frame(self, name: str) -> pl.DataFrame:
        """One of the data frames by name: scores, pairs, segments, buckets, checks, ngrams, words, findings."""
        import polars as pl

        makers = _FRAMES
        if name not in makers:
            raise KeyError(f"There is no data frame {name!r}: there are {', '.join(makers)}.")
        return pl.DataFrame(makers[name](self), infer_schema_length=None)

    def frames(self) -> dict[str, pl.DataFrame]:
        """All data frames by name."""
        return {name: self.frame(name) for name in _FRAMES}

    def _repr_html_(self) -> str:
        """What a notebook shows: the answers, the scores, and the first findings."""
        answers = "".join(f"<p>{html.escape(each)}</p>" for each in self.answers)
        head = "".join(f"<th>{html.escape(m.metric)} {'↑' if m.higher_is_better else '↓'}</th>" for m in self.metrics)
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td>{''.join(self._cell(m, name) for m in self.metrics)}</tr>"
            for name in self.systems
        )
        findings = "".join(f"<li>{html.escape(each.sentence)}</li>" for each in self.findings[:10])
        return f"{answers}<table><tr><th>system</th>{head}</tr>{rows}</table><ol>{findings}</ol>"

    def _cell(self, metric: ComparedMetric, system: str) -> str:
        own, digits = self.score(metric.metric, system), metric.digits
        text = f"{own.score:.{digits}f} [{own.low:.{digits}f}, {own.high:.{digits}f}]"
        if system != self.baseline:
            other = self.difference(metric.metric, system)
            text += f" {other.difference:+.{digits}f}, p = {other.p_value:.4f}"
        return f"<td>{text}</td>"


_OF_DIFFERENCE = ("difference", "low", "high", "p_value", "win_share", "wins", "ties", "losses", "verdict")
_COLUMN = {"low": "difference_low", "high": "difference_high"}
_ELSEWHERE = ("testset", "signature")


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


Columns = list[dict[str, Any]] | dict[str, Any]


def _pairs(c: Comparison) -> Columns:
    names = c.systems
    return [dataclasses.asdict(t.pair(a, b)) for t in c.tests for a in names for b in names if a != b]


def _segments(c: Comparison) -> Columns:
    n, m, s = len(c.testset), len(c.metrics), len(c.systems)
    return {
        "metric": np.repeat([x.metric for x in c.metrics], s * n).tolist(),
        "system": np.tile(np.repeat(list(c.systems), n), m).tolist(),
        "segment": list(c.testset.segments) * (m * s),
        "score": c.segment_scores.ravel(),
    }


def _buckets(c: Comparison) -> Columns:
    return [
        {
            "kind": b.kind,
            "name": b.name,
            "bucket": part.label,
            "n": part.n,
            "measure": measure,
            "system": system,
            "score": float(part.scores[i, j]),
            "difference": float(part.difference[i, j]),
            "low": float(part.low[i, j]),
            "high": float(part.high[i, j]),
        }
        for b in c.bucketings
        for part in b.buckets
        for i, measure in enumerate(b.measures)
        for j, system in enumerate(c.systems)
    ]


def _checks(c: Comparison) -> Columns:
    return [
        {
            "check": check.kind,
            "system": system,
            "faults": count,
            "segments": int((check.counts[i] > 0).sum()),
            "possible": most,
            "p_value": float(check.p[i]),
        }
        for check in c.checks
        for i, (system, count, most) in enumerate(zip(c.systems, check.totals(), check.most(), strict=True))
    ]


def _without(records: tuple[Any, ...], *fields: str) -> Columns:
    return [{k: v for k, v in dataclasses.asdict(r).items() if k not in fields} for r in records]


_FRAMES: dict[str, Callable[[Comparison], Columns]] = {
    "scores": lambda c: c.as_records(),
    "pairs": _pairs,
    "segments": _segments,
    "lengths": lambda c: _without(c.lengths),
    "buckets": _buckets,
    "checks": _checks,
    "ngrams": lambda c: _without(c.ngrams, "rows"),
    "words": lambda c: _without(c.words, "rows"),
    "findings": lambda c: _without(c.findings, "numbers", "rows"),
}
