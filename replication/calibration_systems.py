"""Tests and intervals of `score` and `compare`, on real outputs.

The segments of a WMT test set are the population. A data set of n segments is drawn from them with replacement, and two
real systems are exchanged in each segment by the toss of a coin: neither is better, and the true score of both is that
of all their outputs together. For power, a system meets itself with some of its outputs replaced by a better system's.

Texts are counted once. The verbs then see numbers of outputs as texts, and a metric that looks their statistics up.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

import tercet
from replication.calibration_figures import ASSUMING, LEVELS, Figure, Role, Setting
from replication.rows import DATA
from tercet import scoring
from tercet.comparing.scores import Scored, scored
from tercet.data import Array, Batch, Comparison, Ints, Score, TestSet, total
from tercet.formats import read_testset
from tercet.metric_base import Card, Metric
from tercet.numbers import ALPHA
from tercet.options.groups import Drawn, Paired
from tercet.options.scoring import CompareOptions
from tercet.ranking.clusters import by_tests

NEWS = "wmt14-news/newstest2014.de-en.tsv.gz"
TEXTS = "newstest2014 de-en"
TWO = ("onlineA.0", "uedin-wmt14.3025")
BETTER = "onlineB.0"
FIVE = ("CMU.3461", "LIMSI-KIT-Submission.3359", "onlineA.0", "uedin-syntax.3035", "uedin-wmt14.3025")
TRIALS = 1000  # of randomisation: a level does not depend on their number
UNCORRECTED = "none"
CORRECTIONS: dict[str, dict[str, Any]] = {name: {"correction": name} for name in (UNCORRECTED, "holm", "bh")}
USUAL = {"score": "holm", "compare": "holm", "meta": "none"}  # what a verb does if nothing is said
WORDS = {"meta": {"none": " (ranks)", "holm": " (the words)"}}  # what is called significant is so after Holm's, always
FINDINGS = {"a finding of any kind": "", "n-grams found": "ngrams", "words found": "words"}
REPLACED = 0.25  # share of the outputs that a planted difference replaces

Test = tuple[str, Role, dict[str, Any]]
TESTS: tuple[Test, ...] = (
    ("paired bootstrap", "default", {"paired": "bootstrap"}),
    ("randomisation", "default", {"paired": "randomization", "trials": TRIALS}),
    ("sacreBLEU's bootstrap (compat)", "recipe", {"paired": "bootstrap", "compat": True}),
    ("sacreBLEU's randomisation (compat)", "recipe", {"paired": "randomization", "trials": TRIALS, "compat": True}),
)
OF_SEGMENTS: tuple[Test, ...] = (
    ("Wilcoxon of segment scores", "default", {"paired": "wilcoxon"}),
    ("paired t of segment scores", "default", {"paired": "t"}),
)


@dataclasses.dataclass(frozen=True, eq=False)
class Counted:
    """A metric's statistics of every output of a test set: those of system s are the rows `place[s] + segment`."""

    metric: Metric
    rows: Array  # (systems * segments, k)
    place: dict[str, int]
    segments: int
    references: tuple[str, ...]

    @classmethod
    @functools.lru_cache(maxsize=8)
    def of(cls, spec: str) -> Counted:
        testset, metric = _testset(), tercet.metric(spec)
        statistics = scoring.statistics(testset, metric)
        n = len(testset)
        place = {system: i * n for i, system in enumerate(statistics.systems)}
        references = () if testset.references is None else tuple(own[0] for own in testset.references)
        return cls(metric, statistics.rows.reshape(-1, statistics.rows.shape[-1]), place, n, references)

    def value(self, *systems: str) -> float:
        """The score of all outputs of some systems together."""
        outputs = np.concatenate([self.place[s] + np.arange(self.segments) for s in systems])
        return float(self.metric.score(total(self.rows[outputs])))


@functools.cache
def _testset() -> TestSet:
    return read_testset(DATA / NEWS)


@dataclasses.dataclass(frozen=True)
class LookedUp(Metric):
    """A metric whose texts are numbers of outputs, and whose statistics were counted before."""

    name = "looked-up"
    card = Card("Looked up", "What was counted before.", "", "", "")
    spec: str = ""

    def statistics(self, batch: Batch) -> Array:
        """The rows that the texts name."""
        found: Array = Counted.of(self.spec).rows[np.array(batch.hypotheses.strings).astype(np.int64)]
        return found

    def score(self, stats: Array) -> Array:
        """As the metric does."""
        return Counted.of(self.spec).metric.score(stats)


class LookedUpErrors(LookedUp):
    """The same for errors."""

    name = "looked-up-errors"
    higher_is_better: ClassVar[bool] = False


def looked_up(spec: str) -> Metric:
    """The metric that stands for a spec."""
    return (LookedUp if tercet.metric(spec).higher_is_better else LookedUpErrors)(spec)


def texts(outputs: Sequence[Ints], references: Sequence[str] | None = None) -> TestSet:
    """A test set of systems a, b, ... whose texts are numbers of outputs."""
    systems = {chr(ord("a") + i): list(map(str, numbers.tolist())) for i, numbers in enumerate(outputs)}
    return TestSet.of(systems, references or [""] * len(outputs[0]))


def exchanged(counted: Counted, systems: Sequence[str], segments: Ints, rng: np.random.Generator) -> list[Ints]:
    """Outputs of the segments, of which each of the systems gets one by lot."""
    places = np.array([counted.place[s] for s in systems])
    lots = rng.permuted(np.tile(places, (len(segments), 1)), axis=1)
    return [segments + lots[:, i] for i in range(len(systems))]


def null(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """`score` on two systems of which neither is better: level of the tests, coverage of the intervals."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}", str(n))
    tests = [test for test in TESTS if test[1] == "default" or not defaults]
    p: dict[str, list[float]] = {what: [] for what, _, _ in tests}
    bounds: list[tuple[float, float]] = []
    for _ in range(runs):
        testset = texts(exchanged(counted, TWO, rng.integers(counted.segments, size=n), rng))
        for what, _, options in tests:
            base, other = scores_of(testset, spec, options)
            p[what].append(_number(other.p_value))
            if what == TESTS[0][0]:
                bounds.append((_number(base.low), _number(base.high)))
    figures = [f for what, role, _ in tests for f in setting.tests(what, role, p[what])]
    return [*figures, setting.interval("interval (--ci)", "default", bounds, counted.value(*TWO))]


def null_of_segments(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """The same for tests that look at segment scores alone."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}", str(n))
    p: dict[str, list[float]] = {what: [] for what, _, _ in OF_SEGMENTS}
    for _ in range(runs):
        testset = texts(exchanged(counted, TWO, rng.integers(counted.segments, size=n), rng))
        for what, _, options in OF_SEGMENTS:
            p[what].append(_number(scores_of(testset, spec, options)[1].p_value))
    return [f for what, role, _ in OF_SEGMENTS for f in setting.tests(what, role, p[what])]


def scores_of(testset: TestSet, spec: str, options: dict[str, Any]) -> tuple[Score, ...]:
    """The answer of `score` on each system."""
    return tercet.score(testset=testset, metrics=[looked_up(spec)], threads=1, **options).records


def replaced(counted: Counted, n: int, share: float, rng: np.random.Generator) -> list[Ints]:
    """Outputs of a system, and the same with a share of them replaced by a better system's."""
    segments = rng.integers(counted.segments, size=n)
    base = counted.place[TWO[0]] + segments
    return [base, np.where(rng.random(n) < share, counted.place[BETTER] + segments, base)]


def planted(
    runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int, share: float = REPLACED
) -> list[Figure]:
    """`score` on a system, and itself with a share of its outputs replaced by a better system's: power."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}, {share:.0%} better", str(n))
    tests = [test for test in (*TESTS, *OF_SEGMENTS) if test[1] == "default" or not defaults]
    p: dict[str, list[float]] = {what: [] for what, _, _ in tests}
    for _ in range(runs):
        testset = texts(replaced(counted, n, share, rng))
        for what, _, options in tests:
            p[what].append(_number(scores_of(testset, spec, options)[1].p_value))
    return [f for what, role, _ in tests for f in setting.tests(what, role, p[what], "power")]


def few_differences(
    runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int, differ: int
) -> list[Figure]:
    """Two systems that differ in a few segments only: p-values are discrete, and rounding must not decide."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}", str(n))
    test = TESTS[1]
    p = []
    for _ in range(runs):
        segments = rng.integers(counted.segments, size=n)
        first, second = exchanged(counted, TWO, segments, rng)
        second[differ:] = first[differ:]
        p.append(_number(scores_of(texts([first, second]), spec, test[2])[1].p_value))
    return setting.tests(f"{test[0]}, {differ} segments differ", test[1], p)


def several_runs(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """Two systems of three optimiser runs each, which are exchanged together and differ in a tenth of their outputs."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}, 3 runs", str(n))
    multeval: Test = ("MultEval's randomisation (compat)", "recipe", TESTS[3][2])
    tests = TESTS[:2] if defaults else (*TESTS[:2], multeval)
    p: dict[str, list[float]] = {what: [] for what, _, _ in tests}
    for _ in range(runs):
        segments = rng.integers(counted.segments, size=n)
        pair = zip("ab", exchanged(counted, TWO, segments, rng), strict=True)
        outputs = {
            f"{name}#{run}": np.where(rng.random(n) < 0.1, counted.place[BETTER] + segments, own)
            for name, own in pair
            for run in range(3)
        }
        systems = {name: list(map(str, numbers.tolist())) for name, numbers in outputs.items()}
        for what, _, options in tests:
            p[what].append(_number(scores_of(TestSet.of(systems, [""] * n), spec, options)[1].p_value))
    return [f for what, role, _ in tests for f in setting.tests(what, role, p[what])]


def by_documents(counted: Counted, n: int, rng: np.random.Generator) -> TestSet:
    """Two systems that are exchanged by documents, runs of ten segments, and alike otherwise."""
    first = 10 * rng.integers(counted.segments // 10, size=n // 10)
    segments = (first[:, None] + np.arange(10)).ravel()
    kept = np.repeat(rng.integers(2, size=n // 10, dtype=bool), 10)
    one, other = (counted.place[s] + segments for s in TWO)
    references = [counted.references[i] for i in segments.tolist()]
    testset = texts([np.where(kept, one, other), np.where(kept, other, one)], references)
    return dataclasses.replace(testset, documents=tuple(str(i // 10) for i in range(n)))


def documents(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """`score` on two systems that are exchanged by documents."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}", str(n))
    units: dict[str, Role] = {"document": "default"} if defaults else {"document": "default", "segment": ASSUMING}
    p: dict[str, list[float]] = {unit: [] for unit in units}
    for _ in range(runs):
        testset = by_documents(counted, n, rng)
        for unit, found in p.items():
            scores = scores_of(testset, spec, {"paired": "bootstrap", "unit": unit})
            found.append(_number(scores[1].p_value))
    return [
        f
        for unit, role in units.items()
        for f in setting.tests(f"paired bootstrap, --unit {unit}, documents exchanged", role, p[unit])
    ]


def corrections(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """`score` on four systems like the baseline: the level of any star at all."""
    counted = Counted.of(spec)
    setting = Setting("score", f"{TEXTS}, {spec}", str(n))
    usual = USUAL["score"]
    p: dict[str, list[float]] = {correction: [] for correction in ([usual] if defaults else CORRECTIONS)}
    for _ in range(runs):
        testset = texts(exchanged(counted, FIVE, rng.integers(counted.segments, size=n), rng))
        for correction, least in p.items():
            asked = {} if correction == usual else CORRECTIONS[correction]  # the usual one, whatever it is
            scores = scores_of(testset, spec, {"paired": "bootstrap", **asked})
            least.append(min(_number(score.p_value) for score in scores[1:]))
    return families(setting, "a star among 4 tests", p)


def comparison(
    runs: int,
    rng: np.random.Generator,
    defaults: bool,
    *,
    spec: str,
    n: int,
    unit: Drawn = "segment",
    paired: Paired = "bootstrap",
) -> list[Figure]:
    """`compare` on two systems of which neither is better, exchanged by segments or documents: test and interval."""
    counted = Counted.of(spec)
    setting = Setting("compare", f"{TEXTS}, {spec}", str(n))
    p, bounds = [], []
    tested = {} if paired == "bootstrap" else {"paired": paired, "trials": TRIALS}
    for _ in range(runs):
        if unit == "document":
            testset = by_documents(counted, n, rng)
        else:
            testset = texts(exchanged(counted, TWO, rng.integers(counted.segments, size=n), rng))
        tests = compared(testset, spec, rng, unit=unit, **tested).tests
        p.append(float(tests.p[0, 1]))
        bounds.append((float(tests.low[1, 0]), float(tests.high[1, 0])))
    what = ", --unit document, documents exchanged" if unit == "document" else ""
    what += "" if paired == "bootstrap" else f", --paired {paired}"
    role: Role = "default" if paired == "bootstrap" else "option"
    return [
        *setting.tests(f"better or worse{what}", role, p),
        setting.interval(f"interval of the difference{what}", role, bounds, 0.0),
    ]


def compared(testset: TestSet, spec: str, rng: np.random.Generator, **options: Any) -> Scored:
    """Scores, tests and clusters of `compare`, without the rest of its page."""
    metric = looked_up(spec)
    how = CompareOptions(testset=testset, metrics=(metric,), threads=1, seed=_seed(rng), **options)
    return scored(testset, metric, how)


def parts(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """`compare` on such systems: parts of the test set that it marks, or calls unlike the rest."""
    counted = Counted.of(spec)
    setting = Setting("compare", f"{TEXTS}, {spec}", str(n))
    least, marked = [], []  # p of the part that is surest to be unlike the rest, and whether one has a mark
    for _ in range(runs):
        segments = rng.integers(counted.segments, size=n)
        references = [counted.references[i] for i in segments.tolist()]
        testset = texts(exchanged(counted, TWO, segments, rng), references)
        found = tercet.compare(testset=testset, metrics=[looked_up(spec)], threads=1, seed=_seed(rng))
        least.append(_surest(found, "bucket"))
        marked.append(any(bucket.low[0, 1] > 0 or bucket.high[0, 1] < 0 for bucket in found.bucketings[0].buckets))
    return [
        *setting.tests("a part unlike the rest", "default", least),
        setting.figure("an interval of parts by length without 0", "default", "level", ALPHA, marked),
    ]


def _seed(rng: np.random.Generator) -> int:
    """A seed for the verb: with one for all runs, the luck of its thousand draws would be that of every figure."""
    return int(rng.integers(1 << 31))


def _surest(found: Comparison, kind: str) -> float:
    """The least p-value of findings of a kind ("": of any), of those that were tested."""
    return min((f.p_value for f in found.findings if kind in ("", f.kind) and f.good is not None), default=1.0)


def findings(runs: int, rng: np.random.Generator, defaults: bool, *, systems: Sequence[str], n: int) -> list[Figure]:
    """`compare` on the texts of systems of which none is better: findings where there is nothing to find."""
    least: dict[str, list[float]] = {what: [] for what in FINDINGS}
    for _ in range(runs):
        segments = rng.integers(len(_testset()), size=n)
        lots = rng.permuted(np.tile(np.arange(len(systems)), (n, 1)), axis=1)
        found = compared_texts(segments, [[systems[i] for i in lot] for lot in lots.T.tolist()], rng)
        for what, p in least.items():
            p.append(_surest(found, FINDINGS[what]))
    setting = Setting("compare", f"{TEXTS}, {len(systems)} systems", str(n))
    return [f for what, p in least.items() for f in setting.tests(what, "default", p)]


def compared_texts(segments: Ints, owners: Sequence[Sequence[str]], rng: np.random.Generator) -> Comparison:
    """`compare` on systems whose outputs are those of the owners, segment by segment."""
    whole, places = _testset(), segments.tolist()
    outputs = {
        chr(ord("a") + i): [whole.systems[owner][place] for owner, place in zip(own, places, strict=True)]
        for i, own in enumerate(owners)
    }
    references = [Counted.of("chrf").references[place] for place in places]
    sources = None if whole.sources is None else [whole.sources[place] for place in places]
    return tercet.compare(outputs, references, sources=sources, metrics=["chrf"], threads=1, seed=_seed(rng))


def findings_missed(runs: int, rng: np.random.Generator, defaults: bool, *, n: int) -> list[Figure]:
    """The same of a system and itself with a quarter of its outputs replaced by a better one's: power."""
    least: dict[str, list[float]] = {what: [] for what in FINDINGS}
    for _ in range(runs):
        segments = rng.integers(len(_testset()), size=n)
        better = [BETTER if new else TWO[0] for new in (rng.random(n) < REPLACED).tolist()]
        found = compared_texts(segments, [[TWO[0]] * n, better], rng)
        for what, p in least.items():
            p.append(_surest(found, FINDINGS[what]))
    setting = Setting("compare", f"{TEXTS}, {REPLACED:.0%} better", str(n))
    return [f for what, p in least.items() for f in setting.tests(what, "default", p, "power")]


def differing(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """`compare` on a system, and itself with a share of its outputs replaced by a better system's: power."""
    setting = Setting("compare", f"{TEXTS}, {spec}, {REPLACED:.0%} better", str(n))
    p = []
    for _ in range(runs):
        testset = texts(replaced(Counted.of(spec), n, REPLACED, rng))
        p.append(float(compared(testset, spec, rng).tests.p[0, 1]))
    return setting.tests("better or worse", "default", p, "power")


def clusters(runs: int, rng: np.random.Generator, defaults: bool, *, spec: str, n: int) -> list[Figure]:
    """`compare` on five systems that are alike: clusters where there are none."""
    counted = Counted.of(spec)
    setting = Setting("compare", f"{TEXTS}, {spec}", str(n))
    split: dict[float, list[bool]] = {level: [] for level in LEVELS}
    least: dict[str, list[float]] = {correction: [] for correction in CORRECTIONS}
    for _ in range(runs):
        testset = texts(exchanged(counted, FIVE, rng.integers(counted.segments, size=n), rng))
        for correction, p in least.items():
            asked = {} if correction == USUAL["compare"] else CORRECTIONS[correction]
            made = compared(testset, spec, rng, **asked)
            p.append(float(np.nanmin(made.tests.p)))
            if correction == UNCORRECTED:
                for level, several in split.items():
                    several.append(_n_clusters(made, level) > 1)
    what = f"a second cluster of 5 systems alike, --correction {UNCORRECTED}"
    figures = [setting.figure(what, "option", "level", level, several) for level, several in split.items()]
    return [*figures, *families(setting, "a star among 10 tests", least)]


def _n_clusters(found: Scored, level: float) -> int:
    """Pages have one level: at another one, what their p-values would give."""
    if level == ALPHA:
        return max(score.cluster for score in found.scores)
    order = np.argsort([score.rank for score in found.scores])
    better = (found.tests.p < level) & (found.tests.difference > 0)
    return max(by_tests(better[np.ix_(order, order)]))


def families(setting: Setting, what: str, least: Mapping[str, Sequence[float]]) -> list[Figure]:
    """The smallest p-value of several tests by correction: how often is anything found where there is nothing?"""

    def role(correction: str) -> Role:
        return "default" if correction == USUAL[setting.verb] or correction in words else "option"

    words = WORDS.get(setting.verb, {})
    return [
        figure
        for correction, p in least.items()
        for figure in setting.tests(
            f"{what}, --correction {correction}{words.get(correction, '')}", role(correction), p, "family"
        )
    ]


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
