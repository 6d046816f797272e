"""Tests and intervals of `meta`: on a real campaign whose segments are the population, and by known correlations.

Segments are drawn with replacement, with all that people and metrics said of them. Two metrics, standardised, are
exchanged in each segment by the toss of a coin: neither agrees better with people, and the true agreement of both is
that with every segment twice, once by either metric. p-values of `meta` are one-sided, so that a data set has two.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

import tercet
from replication import calibration_people
from replication.calibration_figures import Figure, Quantity, Role, Setting
from replication.calibration_systems import CORRECTIONS, families
from replication.rows import DATA, read_lines
from tercet import inputs, scoring
from tercet.data import Array, Ints, MetaEvaluation, MetricScores, Rankings, TestSet, is_reference
from tercet.formats import read_testset

ASSESSED = "WMT20 cs-en"
RANKED = "WMT15 fi-en"
OF_DOCUMENTS, OF_SYSTEMS = f"documents of {ASSESSED}", f"systems of {ASSESSED}"
WITH_TEXTS = f"{ASSESSED}, lengths of newstest2014"
FISHER = ("pearson", "spearman")  # measures that Fisher's interval is for
TRUTH: dict[str, Callable[[float], float]] = {  # of a normal law whose Pearson correlation is r
    "pearson": lambda r: r,
    "spearman": lambda r: 6 / math.pi * math.asin(r / 2),
    "kendall(variant=b)": lambda r: 2 / math.pi * math.asin(r),
    "accuracy": lambda r: 0.5 + math.asin(r) / math.pi,
}
FAR = 4.0  # outliers: so many standard deviations below the others, by everyone's scores

# what the field published with, by the names that `meta` has for it
RECIPES = ("judgements", "perm-both", "overlap", "systems", "williams", "hybrids")


@dataclasses.dataclass(frozen=True, eq=False)
class Campaign:
    """What people and metrics said of the same segments."""

    name: str
    systems: tuple[str, ...]
    metrics: dict[str, Array]  # (systems, segments) each
    human: Array | None = None  # (systems, segments)
    rankings: Rankings | None = None
    level: Literal["segment", "document"] = "segment"  # what its columns are
    items: tuple[str, ...] = ()  # their names
    references: tuple[str, ...] = ()  # their texts

    @property
    def segments(self) -> int:
        """How many there are."""
        return int(next(iter(self.metrics.values())).shape[1])

    def drawn(self, segments: Ints, tables: Sequence[Array]) -> dict[str, Any]:
        """Arguments of `meta`: what people said of these segments, and metrics a, b, ... on them."""
        items = tuple(map(str, range(len(segments))))

        def table(name: str, values: Array) -> MetricScores:
            return MetricScores(name, "", self.level, self.systems, items, values)

        people: dict[str, Any] = {}
        if self.human is not None:
            people["human"] = table("human", self.human[:, segments])
        if self.rankings is not None:
            people["judgements"] = _drawn(self.rankings, segments)
        if self.references:
            texts = [self.references[i] for i in segments.tolist()]
            people["testset"] = TestSet.of(dict.fromkeys(self.systems, texts), texts, segments=items)
        return {"scores": [table(chr(ord("a") + i), values) for i, values in enumerate(tables)], **people}

    def everything(self, names: Sequence[str]) -> dict[str, Any]:
        """The same of the whole population, each segment once by each metric."""
        segments = np.tile(np.arange(self.segments), len(names))
        return self.drawn(segments, [np.concatenate([self.metrics[name] for name in names], axis=1)])

    def exchanged(self, names: Sequence[str], n: int, rng: np.random.Generator) -> dict[str, Any]:
        """n segments, in each of which two metrics are exchanged or not."""
        segments = rng.integers(self.segments, size=n)
        first, second = (self.metrics[name][:, segments] for name in names)
        kept = rng.integers(2, size=n, dtype=bool)
        return self.drawn(segments, [np.where(kept, first, second), np.where(kept, second, first)])


def _drawn(rankings: Rankings, segments: Ints) -> Rankings:
    """Every task of each segment that was drawn, as often as it was."""
    order = np.argsort(rankings.segment, kind="stable")
    starts = np.searchsorted(rankings.segment[order], np.arange(len(rankings.segments) + 1))
    sizes = np.diff(starts)[segments]
    place = np.repeat(np.arange(len(segments)), sizes)
    offset = np.arange(len(place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    tasks = order[np.repeat(starts[:-1][segments], sizes) + offset]
    items = np.diff(rankings.starts)[tasks]
    ends = np.cumsum(items)
    which = np.repeat(rankings.starts[:-1][tasks] - (ends - items), items) + np.arange(items.sum())
    return dataclasses.replace(
        rankings,
        segments=tuple(map(str, range(len(segments)))),
        segment=place,
        judge=rankings.judge[tasks],
        starts=np.concatenate([[0], ends]),
        output=rankings.output[which],
        rank=rankings.rank[which],
        seconds=None,
        line=None,
    )


@functools.cache
def assessed(pair: str = "cs-en") -> Campaign:
    """Direct assessments of WMT20, with three metrics that took part."""
    folder = DATA / "wmt20-metrics"
    people = [line.split() for line in read_lines(folder / f"metrics-da-seg-scores.{pair}.ssv.gz")[1:]]
    systems = sorted({row[0] for row in people if not is_reference(row[0])})
    items = sorted({row[1] for row in people})
    row_of, column = {s: i for i, s in enumerate(systems)}, {s: i for i, s in enumerate(items)}
    human = np.full((len(systems), len(items)), np.nan)
    for system, item, raw, *_ in people:
        if system in row_of:
            human[row_of[system], column[item]] = float(raw)
    head, *lines = (line.split("\t") for line in read_lines(folder / f"seg-metric-scores.{pair}.tsv.gz"))
    metrics = {name: np.full(human.shape, np.nan) for name in head[5:]}
    for _, _, system, document, number, *values in lines:
        item = f"{document}::{number}"
        if system in row_of and item in column:
            for table, value in zip(metrics.values(), values, strict=True):
                table[row_of[system], column[item]] = float(value)
    return Campaign(
        ASSESSED, tuple(systems), {name: _standardized(m) for name, m in metrics.items()}, human, items=tuple(items)
    )


@functools.cache
def of_documents() -> Campaign:
    """The same by documents: means of their segments."""
    segments = assessed()
    documents = np.unique([item.partition("::")[0] for item in segments.items], return_inverse=True)[1]

    def means(scores: Array) -> Array:
        there, inside = np.isfinite(scores), np.eye(documents.max() + 1)[documents]
        n_there = there @ inside
        return np.where(n_there, np.where(there, scores, 0.0) @ inside / np.maximum(n_there, 1), np.nan)

    metrics = {name: _standardized(means(scores)) for name, scores in segments.metrics.items()}
    if segments.human is None:
        raise TypeError("the campaign has no scores")
    return Campaign(OF_DOCUMENTS, segments.systems, metrics, means(segments.human), level="document")


@functools.cache
def with_texts() -> Campaign:
    """The same beside references of another test set, whose lengths weigh the segments: its own are not at hand."""
    references = read_testset(DATA / "wmt14-news" / "newstest2014.cs-en.tsv.gz").references or ()
    segments = assessed()
    return dataclasses.replace(segments, references=tuple(own[0] for own in references)[: segments.segments])


@functools.cache
def ranked() -> Campaign:
    """Rankings of WMT15, with two metrics of ours."""
    folder = DATA / "wmt15-news"
    rankings = inputs.judgements(folder / "wmt15.rankings.fin-eng.csv.gz", None, None)
    if not isinstance(rankings, Rankings):
        raise TypeError("the campaign has no rankings")
    testset = read_testset(folder / "newstest2015.fi-en.tsv.gz")
    judged = tuple(s for s in rankings.segments if s in set(testset.segments))
    columns = [testset.segments.index(s) for s in rankings.segments]
    systems = tuple(testset.systems)
    if len(judged) != len(rankings.segments):
        raise ValueError("rankings and texts do not fit")
    metrics = {}
    for name, spec in {"chrF": "chrf", "sentBLEU": "sentbleu"}.items():
        metrics[name] = _standardized(scoring.statistics(testset, tercet.metric(spec)).segments()[:, columns])
    return Campaign(RANKED, systems, metrics, rankings=rankings)


def _standardized(scores: Array) -> Array:
    standard: Array = (scores - np.nanmean(scores)) / np.nanstd(scores)
    return standard


def one_sided(found: MetaEvaluation) -> tuple[float, float]:
    """p that a is better than b, and that b is better than a; NaN without a test."""
    if not found.tests:
        return float("nan"), float("nan")
    tests = found.tests[0]
    a, b = tests.metrics.index("a"), tests.metrics.index("b")
    return float(tests.p[a, b]), float(tests.p[b, a])


def usual(arguments: dict[str, Any], options: dict[str, Any], intervals: Sequence[str]) -> tuple[str, str]:
    """The test and the interval that are made if nothing is said; the interval is known by its bounds."""

    def bounds(interval: str) -> tuple[float, float]:
        return interval_of(tercet.meta(**arguments, **{**options, "interval": interval, "test": "none"}))

    found = tercet.meta(**arguments, **options)
    test = found.tests[0].test if found.tests else "none"
    if found.records[0].low is None:
        return test, "none"
    drawn = [name for name in intervals if bounds(name) == interval_of(found)]
    if not drawn:
        raise ValueError(f"none of {', '.join(intervals)} is the default interval of {options}")
    return test, drawn[0]


def interval_of(found: MetaEvaluation) -> tuple[float, float]:
    """Bounds of the first metric; NaN if it has none."""
    low, high = found.records[0].low, found.records[0].high
    return float("nan") if low is None else low, float("nan") if high is None else high


@dataclasses.dataclass(frozen=True)
class Question:
    """A measure, and the tests and intervals to try."""

    campaign: str
    measure: str
    tests: tuple[str, ...]
    intervals: tuple[str, ...]
    level: str = "segment"
    gold: str | None = None
    samples: int = 1000
    covers: bool = True  # whether there is a true value, which does not depend on the number of segments
    of_size: int = 0  # so many data sets have the true value of their size in their mean, in place of that

    @property
    def options(self) -> dict[str, Any]:
        """As arguments of `meta`."""
        texts: dict[str, Any] = {"metrics": {}} if self.campaign == WITH_TEXTS else {}
        return {"level": self.level, "measures": self.measure, "gold": self.gold, "threads": 1, **texts}

    def sure(self, test: str, interval: str) -> dict[str, Any]:
        """The same with a test and an interval, and how often they draw."""
        drawn = {} if interval == "none" else {"samples": self.samples}
        tested = {} if test in ("none", "williams", "overlap") else {"draws": self.samples}
        return {**self.options, "test": test, "interval": interval, **drawn, **tested}

    @property
    def data(self) -> Campaign:
        """The campaign."""
        made = {RANKED: ranked, OF_DOCUMENTS: of_documents, WITH_TEXTS: with_texts}
        campaign = made.get(self.campaign, assessed)()
        return dataclasses.replace(campaign, name=self.campaign)

    @property
    def metrics(self) -> tuple[str, str]:
        """Two metrics, of which the first agrees a little better with people."""
        return ("chrF", "sentBLEU") if self.campaign == RANKED else ("chrF", "YiSi-2")


def null(
    runs: int, rng: np.random.Generator, defaults: bool, *, question: Question, n: int, others: bool = False
) -> list[Figure]:
    """Two metrics of which neither agrees better: level of the tests, coverage of the intervals.

    `others` leaves out the defaults, which are tried more often by a design of their own.
    """
    campaign, names = question.data, question.metrics
    setting = Setting("meta", f"{campaign.name}, {question.measure}", str(n))
    truth = _truth(campaign, question, n, rng)
    test, drawn = usual(campaign.exchanged(names, n, rng), question.options, question.intervals)
    tests = _tried(test, question.tests, defaults)
    intervals = _tried(drawn, question.intervals, defaults) if question.covers else ()
    if others:
        tests, intervals = (tuple(t for t in tests if t != test), tuple(i for i in intervals if i != drawn))
    p: dict[str, list[float]] = {name: [] for name in tests}
    bounds: dict[str, list[tuple[float, float]]] = {name: [] for name in intervals}
    for _ in range(runs):
        arguments = campaign.exchanged(names, n, rng)
        for made, sure in itertools.zip_longest(tests, intervals, fillvalue="none"):
            found = tercet.meta(**arguments, **question.sure(made, _fitting(made, sure)))
            if made != "none":
                p[made] += one_sided(found)
            if sure != "none":
                bounds[sure].append(interval_of(found))
    figures = [f for name in tests for f in setting.tests(f"test {name}", _role(name, test), p[name])]
    return figures + [setting.interval(f"interval {i}", _role(i, drawn), bounds[i], truth) for i in bounds]


def _truth(campaign: Campaign, question: Question, n: int, rng: np.random.Generator) -> float:
    """What an interval should hold: the value of the whole population, or the mean of data sets of its size."""
    plain, names = {**question.options, "test": "none", "interval": "none"}, question.metrics
    if not question.of_size:
        return float(tercet.meta(**campaign.everything(names), **plain).records[0].value)
    drawn = (campaign.exchanged(names, n, rng) for _ in range(question.of_size))
    return float(np.mean([tercet.meta(**given, **plain).records[0].value for given in drawn]))


def unlike(runs: int, rng: np.random.Generator, defaults: bool, *, question: Question, n: int) -> list[Figure]:
    """Two metrics as they are, of which one agrees better over the whole campaign: power of the tests."""
    campaign, names = question.data, question.metrics
    plain = question.sure("none", "none")
    values = [tercet.meta(**campaign.everything([name]), **plain).records[0].value for name in names]
    said = " and ".join(f"{name} {value:.3f}" for name, value in zip(names, values, strict=True))
    setting = Setting("meta", f"{campaign.name}, {question.measure}, {said}", str(n))
    test, _ = usual(campaign.exchanged(names, n, rng), question.options, question.intervals)
    tests = _tried(test, question.tests, defaults)
    p: dict[str, list[float]] = {name: [] for name in tests}
    for _ in range(runs):
        segments = rng.integers(campaign.segments, size=n)
        arguments = campaign.drawn(segments, [campaign.metrics[name][:, segments] for name in names])
        for name in tests:
            found = tercet.meta(**arguments, **question.sure(name, _fitting(name, "none")))
            p[name].append(one_sided(found)[int(values[1] > values[0])])
    return [f for name in tests for f in setting.tests(f"test {name}", _role(name, test), p[name], "power")]


def known_correlations(
    runs: int,
    rng: np.random.Generator,
    defaults: bool,
    *,
    systems: int,
    measure: str = "pearson",
    r: tuple[float, float] = (0.9, 0.9),
    between: float = 0.9,
    outliers: int = 0,
) -> list[Figure]:
    """Systems from a normal law: people's scores and two metrics', with known correlations r and that of the two.

    So many of them are `outliers`, far worse than the rest, and everyone sees it: r of all is higher.
    """
    same = r[0] == r[1]
    far = ", some far off" if outliers else ""
    setting = Setting("meta", f"normal law with r {r[0]:g} and {r[1]:g}{far}, {measure}", f"{systems} systems")
    law = np.linalg.cholesky(np.array([[1, *r], [r[0], 1, between], [r[1], between, 1]]))
    names = tuple(map(str, range(systems)))

    def arguments() -> dict[str, Any]:
        scores = law @ rng.normal(size=(3, systems))
        scores[:, :outliers] -= FAR
        tables = [
            MetricScores(name, "", "system", names, ("",), row[:, None])
            for name, row in zip(("human", "a", "b"), scores, strict=True)
        ]
        return {"human": tables[0], "scores": tables[1:]}

    plain: dict[str, Any] = {"measures": measure, "threads": 1}
    known = ("fisher", "systems") if measure in FISHER else ("systems",)
    test, _ = usual(arguments(), plain, known)
    formulas = ("williams",) if measure == "pearson" else ()
    tests = _tried(test, (*formulas, "perm-system", "boot-system"), defaults)
    intervals = _tried("auto", known, defaults)  # which one it is depends on outliers
    p: dict[str, list[float]] = {name: [] for name in tests}
    bounds: dict[str, list[tuple[float, float]]] = {name: [] for name in intervals}
    for _ in range(runs):
        given = arguments()
        for made, sure in itertools.zip_longest(tests, intervals, fillvalue="none"):
            found = tercet.meta(**given, **{**plain, "test": made, "interval": sure})
            if made != "none":
                p[made] += one_sided(found) if same else one_sided(found)[:1]
            if sure != "none":
                bounds[sure].append(interval_of(found))
    quantity: Quantity = "level" if same else "power"
    figures = [f for name in tests for f in setting.tests(f"test {name}", _role(name, test), p[name], quantity)]
    if not same:
        return figures
    spread = FAR**2 * outliers / systems * (1 - outliers / systems)
    truth = TRUTH[measure]((r[0] + spread) / (1 + spread))
    return figures + [setting.interval(f"interval {i}", _role(i, "auto"), bounds[i], truth) for i in intervals]


def judged(runs: int, rng: np.random.Generator, defaults: bool, *, n: int, r: float = 0.9) -> list[Figure]:
    """A metric whose scores correlate with the abilities of systems, which judges see: intervals of Pearson's r.

    That over judgements is about r with endless judgements of the same systems, the others are about other systems.
    """
    setting = Setting("meta", f"12 judged systems of known ability with r {r:g}, pearson", str(n))
    told = {"auto": "interval auto"} | ({} if defaults else {"judgements": "interval judgements, of the same systems"})
    covered: dict[str, list[bool]] = {interval: [] for interval in told}
    for _ in range(runs):
        ability, metric = np.array([[1, 0], [r, math.sqrt(1 - r * r)]]) @ rng.normal(size=(2, 12))
        campaign = calibration_people.Campaign(n, systems=12, abilities=tuple(0.4 * ability))
        table = MetricScores("a", "", "system", campaign.names, ("",), metric[:, None])
        data = campaign.assessments(rng)
        for interval, hits in covered.items():
            answer = tercet.meta(judgements=data, scores=[table], interval=interval, test="none", threads=1)  # type: ignore[arg-type]
            low, high = interval_of(answer)
            hits.append(low <= (r if interval == "auto" else float(np.corrcoef(ability, metric)[0, 1])) <= high)
    return [
        setting.figure(told[interval], _role(interval, "auto"), "coverage", 0.95, hits)
        for interval, hits in covered.items()
    ]


def several(runs: int, rng: np.random.Generator, defaults: bool, *, systems: int, metrics: int) -> list[Figure]:
    """Some metrics with the same correlation over systems: the level of any of them called better than any other."""
    setting = Setting("meta", f"{metrics} metrics of a normal law with r 0.9, pearson", f"{systems} systems")
    law = np.linalg.cholesky(np.full((metrics + 1, metrics + 1), 0.9) + 0.1 * np.eye(metrics + 1))
    names = tuple(map(str, range(systems)))
    p: dict[str, list[float]] = {correction: [] for correction in (["holm"] if defaults else CORRECTIONS)}
    for _ in range(runs):
        tables = [
            MetricScores(f"m{i}", "", "system", names, ("",), row[:, None])
            for i, row in enumerate(law @ rng.normal(size=(metrics + 1, systems)))
        ]
        for correction, least in p.items():
            asked: dict[str, Any] = {"human": tables[0], "scores": tables[1:], "interval": "none", "threads": 1}
            answer = tercet.meta(**asked, **CORRECTIONS[correction])
            least.append(float(np.nanmin(answer.tests[0].p)))
    return families(setting, f"one called better in {metrics * (metrics - 1)} tests", p)


def _tried(default: str, others: Sequence[str], defaults: bool) -> tuple[str, ...]:
    """The default, if there is one, and the others unless only defaults are wanted."""
    first = () if default == "none" else (default,)
    return first if defaults else (*first, *(name for name in others if name != default))


def _fitting(test: str, interval: str) -> Any:
    """The rule of overlapping intervals needs some."""
    return "judgements" if test == "overlap" and interval == "none" else interval


def _role(name: str, default: str) -> Role:
    return "default" if name == default else "recipe" if name in RECIPES else "option"
