"""The measure: a spec that says how far one metric agrees with people.

    found(gold, metric) -> Found                 one number, and how many systems, items or comparisons went in
    intervals(gold), tests(gold)                 what it has of both; the first one is the usual
    resampled(...)      -> (metrics, samples)    the same over resamples of judgements, systems or items
    permuted(...)       -> (metrics, metrics)    p-values of every two metrics, exchanged in items or systems

A measure needs no more than `found`; the rest is then done by calling it again and again. Measures of scores (Pearson,
Spearman, Kendall's tau-b, accuracy) name a kind that the kernels know, measures of comparisons (Kendall's tau of WMT)
are a table of nine coefficients, and both are faster.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from tercet import stats
from tercet.agreeing.gold import Gold
from tercet.data import Array, Calibration, Ints, Pairs
from tercet.errors import InputError
from tercet.human.assessments import mean_of
from tercet.metric_base import Card
from tercet.options.agreeing import Interval, MetaLevel, Test
from tercet.plugins import blamed, require, shape_of
from tercet.spec import Spec, show
from tercet.stats.correlation import Grouped, Grouping, Kind, correlation, correlations, pair_relations
from tercet.stats.permutation import Unit, bootstrap_values, found_tests, permutation_tests, sums_tests

DrawnUnit = Literal["judgements", "systems", "items", "both"]
LEVELS: tuple[MetaLevel, ...] = ("system", "document", "segment")
UNITS: dict[str, Unit] = {"systems": "system", "items": "input", "both": "both"}
Flags = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class Found:
    """A figure: what went in, and for accuracy with ties the difference that counts as one."""

    value: float
    n: int
    epsilon: float | None = None
    calibration: Calibration | None = None
    notes: tuple[str, ...] = ()


def _told(name: str, value: object) -> str:
    """An option of a measure, as one says it."""
    text = show(value)
    if text.startswith("wmt"):
        return text.upper()
    return name if value is True else f"{name.replace('_', ' ')} {text}"


@dataclasses.dataclass(frozen=True)
class Draws:
    """How often to draw or exchange what, and with which seed."""

    unit: DrawnUnit
    samples: int
    seed: int
    threads: int


class Measure(Spec):
    """Base of all measures: frozen dataclasses whose fields are their options."""

    card: ClassVar[Card]
    levels: ClassVar[tuple[MetaLevel, ...]] = LEVELS
    looks_at: ClassVar[MetaLevel | None] = None  # the level of the scores it needs, if not that of the answer
    counts: ClassVar[str] = "scores"  # what n is a number of
    pooled: ClassVar[bool] = False  # whether an average over directions weighs each by its n
    spoken: ClassVar[str] = ""  # its name in a sentence; the title of its card otherwise

    @property
    def in_words(self) -> str:
        """As a paper calls it, with what is not as usual.

        >>> from tercet.agreeing import measure
        >>> measure("kendall(variant=wmt14)").in_words, measure("pearson(group=item)").in_words
        ("Kendall's tau (WMT14)", "Pearson's r (group item)")
        """
        usual = type(self)().parameters()
        chosen = {name: value for name, value in self.parameters().items() if value != usual[name]}
        told = [_told(name, value) for name, value in chosen.items()]
        name = self.spoken or self.card.title
        return f"{name} ({', '.join(told)})" if told else name

    @property
    def takes(self) -> Literal["scores", "pairs"]:
        """What it needs of people."""
        return "scores"

    def found(self, gold: Gold, metric: Array) -> Found:
        """Agreement of a metric's scores (systems, items), higher is better, with people."""
        raise NotImplementedError

    def intervals(self, gold: Gold) -> tuple[Interval, ...]:
        """Intervals that it has with this gold; the first one is the usual.

        What was said of one segment hangs together: comparisons that are drawn one by one promise too much. So does
        an interval over judgements of systems: a resample is noisier than they are, and agrees less.
        """
        if gold.pairs is not None:
            return "items", "judgements", "none"
        if gold.level != "system":
            return "items", "systems", "both", "none"
        return ("systems", "none") if gold.sampled is None else ("systems", "judgements", "none")

    def tests(self, gold: Gold) -> tuple[Test, ...]:
        """Tests of two metrics that it has with this gold; the first one is the usual.

        Whole items are exchanged where there are some: entries of one item hang together.
        """
        if gold.pairs is not None:
            return "perm-item", "boot-item", "judgements", "overlap", "none"
        if gold.level != "system":
            drawn: tuple[Test, ...] = ("boot-item", "boot-system", "boot-both", "overlap", "none")
            return "perm-item", "perm-both", "perm-system", *drawn
        systems: tuple[Test, ...] = ("perm-system", "perm-both", "boot-system", "boot-both", "overlap", "none")
        return systems if gold.sampled is None else (*systems, "judgements")

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """Agreement of metrics (metrics, systems, items) in every resample, (metrics, samples)."""
        if draws.unit == "judgements" and gold.pairs is None:
            people = [dataclasses.replace(gold, values=scores[:, None]) for scores in sampled_gold(gold)]
            return np.array([[value_of(self, drawn, metric) for drawn in people] for metric in metrics])
        rng = np.random.default_rng(draws.seed)
        out = np.empty((len(metrics), draws.samples))
        for sample in range(draws.samples):
            drawn, rows, columns = _redrawn(gold, draws.unit, rng)
            out[:, sample] = [value_of(self, drawn, metric[rows][:, columns]) for metric in metrics]
        return out

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """p[i, j] that metric i (metrics, systems, items) agrees better than j, exchanging both in units at random.

        `figures` are what it found for the metrics as they are.
        """
        known = np.ones(metrics.shape[1:], dtype=bool) if gold.values is None else np.isfinite(gold.values)
        return found_tests(
            lambda scores: value_of(self, gold, scores),
            np.where(known, metrics, np.nan),
            UNITS[draws.unit],
            draws=draws.samples,
            seed=draws.seed,
        )

    def of_parts(self, golds: Sequence[Gold], inside: Sequence[Flags], metrics: Array, threads: int) -> Array:
        """Agreement of metrics (metrics, systems, items) with parts of a gold, of which the first is the whole.

        `inside` says which items belong to each part; (parts, metrics). Values are to the last bit those of `found`.
        """
        return np.array(
            [[value_of(self, g, m[:, part]) for m in metrics] for g, part in zip(golds, inside, strict=True)]
        )

    @property
    def weights(self) -> Array | None:
        """What each comparison counts, nine numbers, if it is the mean of those and nothing else."""
        return None

    @property
    def grouping(self) -> Grouping:
        """Over all scores at once, within each item, or within each system."""
        return "none"

    @property
    def tolerance(self) -> float:
        """The difference up to which a metric's scores are a tie."""
        return 0.0

    @property
    def scale_free(self) -> bool:
        """Whether a metric agrees as well if all its scores are multiplied by the same positive number."""
        return self.tolerance == 0

    @property
    def strength(self) -> bool:
        """Whether only the strength counts, whatever the sign."""
        return False

    def with_sign(self) -> Measure:
        """The same where the sign counts."""
        return self

    def signed(self, value: float) -> float:
        """The sign by which values of a metric are multiplied: -1 where only the strength counts and r < 0."""
        return -1.0 if self.strength and value < 0 else 1.0


class ScoreMeasure(Measure):
    """Base of measures over scores, made by the kernels."""

    @property
    def kind(self) -> Kind:
        """What the kernels call it."""
        raise NotImplementedError

    @property
    def zeros(self) -> bool:
        """Whether a group that is not defined counts 0."""
        return False

    def found(self, gold: Gold, metric: Array) -> Found:
        """The coefficient, averaged over groups."""
        figure = self._grouped(gold, metric)
        return Found(figure.value, figure.n)

    def _grouped(self, gold: Gold, metric: Array) -> Grouped:
        return correlation(self.kind, gold.scores, metric, self.grouping, epsilon=self.tolerance, zero_nans=self.zeros)

    def tests(self, gold: Gold) -> tuple[Test, ...]:
        """Scores of two metrics that were exchanged have no tolerance in common: then items, by what each gives."""
        usual = super().tests(gold)
        if self.takes == "pairs" or self.tolerance == 0:
            return usual
        drawn = tuple(test for test in usual if not test.startswith("perm-"))
        return ("perm-item", *drawn) if self.grouping == "item" else drawn

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """The coefficient in every resample."""
        if draws.unit == "judgements":
            people, scores = sampled_gold(gold), metrics[:, :, 0]
            return correlations(self.kind, people, scores, epsilon=self.tolerance, threads=draws.threads).T
        return bootstrap_values(
            self.kind,
            gold.scores,
            metrics,
            self.grouping,
            UNITS[draws.unit],
            draws.samples,
            draws.seed,
            epsilons=[self.tolerance] * len(metrics),
            zero_nans=self.zeros,
            threads=draws.threads,
        )

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """The tests of mt-metrics-eval; with a tolerance, what the metrics give on each item is exchanged."""
        if self.tolerance > 0:
            return self._exchanged(gold, metrics, draws)
        return permutation_tests(
            self.kind,
            gold.scores,
            metrics,
            self.grouping,
            unit=UNITS[draws.unit],
            draws=draws.samples,
            seed=draws.seed,
            zero_nans=self.zeros,
            threads=draws.threads,
        )

    def of_parts(self, golds: Sequence[Gold], inside: Sequence[Flags], metrics: Array, threads: int) -> Array:
        """All at once where there are no groups, over versions of the gold that lack what is not in a part."""
        if self.grouping != "none" or self.strength:
            return super().of_parts(golds, inside, metrics, threads)
        flat = np.ascontiguousarray(metrics.reshape(len(metrics), -1))
        people = versions(golds[0], inside).reshape(len(inside), -1)
        return correlations(self.kind, people, flat, epsilon=self.tolerance, threads=threads)

    def _exchanged(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        def sums(two: Ints) -> Array:
            lacking = np.isnan(metrics[two]).any(axis=0)
            both = [self._grouped(gold, np.where(lacking, np.nan, metric)) for metric in metrics[two]]
            return np.stack([np.stack([np.nan_to_num(g.values) * g.weights, g.weights], axis=-1) for g in both])

        return sums_tests(sums, len(metrics), mean_of, draws=draws.samples, seed=draws.seed)


class PairMeasure(Measure):
    """Base of measures over comparisons: nine coefficients, NaN where a comparison does not count."""

    levels: ClassVar[tuple[MetaLevel, ...]] = ("segment",)
    counts = "comparisons"

    @property
    def coefficients(self) -> Array:
        """(human <, =, >) × (metric <, =, >), where < is "left is better"."""
        raise NotImplementedError

    @property
    def takes(self) -> Literal["scores", "pairs"]:
        """It looks at what people said of two outputs, not at scores."""
        return "pairs"

    @property
    def weights(self) -> Array | None:
        """The coefficients, where it looks at comparisons."""
        return self.coefficients if self.takes == "pairs" else None

    def found(self, gold: Gold, metric: Array) -> Found:
        """The sum of coefficients over the number of comparisons that count."""
        rows, n = self.rows(gold.comparisons, metric)
        return Found(float(mean_of(rows.sum(axis=0))), n)

    def rows(self, pairs: Pairs, metric: Array) -> tuple[Array, int]:
        """[coefficient, 1] of each comparison, [0, 0] of one that does not count; and how many the metric scored."""
        relation, there = pair_relations(metric, pairs.left, pairs.right, pairs.segment, self.tolerance)
        coefficient = self.coefficients[pairs.outcome, 1 - relation]  # < stands first, and +1 is "left is better"
        counted = there & np.isfinite(coefficient)
        return np.stack([np.where(counted, coefficient, 0.0), counted.astype(np.float64)], axis=-1), int(there.sum())

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """Tau of resampled comparisons, or of segments with all theirs."""
        rows = self._segments(gold, metrics) if draws.unit == "items" else self._rows(gold, metrics)
        return stats.bootstrap(rows, mean_of, draws.samples, draws.seed, threads=draws.threads)

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """Segments are exchanged with all that was said of them."""

        def sums(two: Ints) -> Array:
            lacking = np.isnan(metrics[two]).any(axis=0)
            return self._segments(gold, np.where(lacking, np.nan, metrics[two]))

        return sums_tests(sums, len(metrics), mean_of, draws=draws.samples, seed=draws.seed)

    def _rows(self, gold: Gold, metrics: Array) -> Array:
        """Of each metric, (metrics, comparisons, 2)."""
        return np.stack([self.rows(gold.comparisons, metric)[0] for metric in metrics])

    def _segments(self, gold: Gold, metrics: Array) -> Array:
        """Sums over each segment that was judged, (metrics, segments, 2)."""
        pairs = gold.comparisons
        sums = np.zeros((len(gold.items), len(metrics), 2))
        np.add.at(sums, pairs.segment, self._rows(gold, metrics).swapaxes(0, 1))
        return np.ascontiguousarray(sums[np.unique(pairs.segment)].swapaxes(0, 1))


def sampled_gold(gold: Gold) -> Array:
    """Scores of resampled judgements, which there must be."""
    if gold.sampled is None:
        raise InputError(
            f"{gold.spec} has no judgements to draw from at the {gold.level} level.",
            hint="Use --interval items or systems.",
        )
    return gold.sampled


def versions(gold: Gold, inside: Sequence[Flags]) -> Array:
    """The scores of a gold, NaN outside of each part, (parts, systems, items)."""
    return np.stack([np.where(part, gold.scores, np.nan) for part in inside])


def lack_the_same(metrics: Array) -> bool:
    """Whether all metrics (metrics, systems, items) lack the same scores."""
    lacking = np.isnan(metrics)
    return np.array_equal(lacking.any(axis=0), lacking.all(axis=0))


def _redrawn(gold: Gold, unit: DrawnUnit, rng: np.random.Generator) -> tuple[Gold, Ints, Ints]:
    """A gold of systems, items or comparisons drawn with replacement, and the rows and columns to take of a metric."""
    systems, items = np.arange(len(gold.systems)), np.arange(len(gold.items))
    if gold.pairs is not None:
        return dataclasses.replace(gold, pairs=_redrawn_pairs(gold.pairs, unit, rng)), systems, items
    if unit in ("systems", "both"):
        systems = rng.integers(len(systems), size=len(systems))
    if unit in ("items", "both"):
        items = rng.integers(len(items), size=len(items))
    drawn = dataclasses.replace(
        gold,
        systems=tuple(gold.systems[i] for i in systems),
        items=tuple(gold.items[i] for i in items),
        values=gold.scores[np.ix_(systems, items)],
        sampled=None if gold.sampled is None else gold.sampled[:, systems],
        texts=None if gold.texts is None else tuple(gold.texts[i] for i in items),
    )
    return drawn, systems, items


def _redrawn_pairs(pairs: Pairs, unit: DrawnUnit, rng: np.random.Generator) -> Pairs:
    if unit == "judgements":
        return pairs.part(np.sort(rng.integers(len(pairs), size=len(pairs))))
    segments, place = np.unique(pairs.segment, return_inverse=True)
    often = np.bincount(rng.integers(len(segments), size=len(segments)), minlength=len(segments))
    return pairs.part(np.repeat(np.arange(len(pairs)), often[place]))


def checked_found(measure: Measure, gold: Gold, values: Array) -> Found:
    """A figure, from a measure that may be somebody else's."""
    with blamed(measure, "found"):
        answer = measure.found(gold, values)
    fine = isinstance(answer, Found) and np.ndim(answer.value) == 0
    require(measure, "found", fine, f"a {type(answer).__name__}", "a Found: one value, and the number n that it is of")
    return answer


def value_of(measure: Measure, gold: Gold, values: Array) -> float:
    """The value of such a figure."""
    return checked_found(measure, gold, values).value


def checked_resampled(measure: Measure, gold: Gold, metrics: Array, draws: Draws) -> Array:
    """Values of every resample, from a measure that may be somebody else's."""
    with blamed(measure, "resampled"):
        out = measure.resampled(gold, metrics, draws)
    fine = isinstance(out, np.ndarray) and out.ndim == 2 and len(out) == len(metrics) and out.dtype == np.float64
    require(measure, "resampled", fine, shape_of(out), f"an array of floats, ({len(metrics)}, resamples)")
    return out


def checked_permuted(measure: Measure, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
    """p of every two metrics, from a measure that may be somebody else's."""
    with blamed(measure, "permuted"):
        out = measure.permuted(gold, metrics, figures, draws)
    n = len(metrics)
    fine = isinstance(out, np.ndarray) and out.shape == (n, n) and out.dtype == np.float64
    require(measure, "permuted", fine, shape_of(out), f"an array of floats, ({n}, {n})")
    return out


def checked_intervals(measure: Measure, gold: Gold) -> tuple[Interval, ...]:
    """The intervals of a measure that may be somebody else's."""
    with blamed(measure, "intervals"):
        names = measure.intervals(gold)
    _require_known(measure, "intervals", names, get_args(Interval))
    return names


def checked_tests(measure: Measure, gold: Gold) -> tuple[Test, ...]:
    """The tests of a measure that may be somebody else's."""
    with blamed(measure, "tests"):
        names = measure.tests(gold)
    _require_known(measure, "tests", names, get_args(Test))
    return names


def _require_known(measure: Measure, method: str, names: object, choices: Sequence[str]) -> None:
    known = [name for name in choices if name != "auto"]
    fine = isinstance(names, tuple) and bool(names) and all(name in known for name in names)
    require(measure, method, fine, repr(names), f"a tuple of {', '.join(known)}")
