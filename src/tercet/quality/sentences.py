"""Sentence level: submissions aligned with the true labels, measured and tested."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from tercet.data.quality import LabelDistribution, QualityRecord, SentenceLabels
from tercet.errors import InputError
from tercet.options.quality import EvaluateOptions
from tercet.quality import measures
from tercet.quality.winners import Verdict, bootstrap_verdicts, williams_verdicts
from tercet.stats.resampling import bootstrap

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ORACLE = "oracle"  # the row of what the true order would reach
MEAN = "all training mean"  # and of what the mean label of the training data would
SMALL, LARGE = 0.1, 1.0  # errors that the official script counts
# measures, and whether more is better
HIGHER = {
    "deltaavg": True,
    "spearman-ranks": True,
    "mae": False,
    "rmse": False,
    "pearson": True,
    "spearman": True,
    "kendall": True,
    "small-errors": True,
    "large-errors": False,
}


@dataclasses.dataclass(frozen=True, eq=False)
class SentenceEntry:
    """What one system predicts, in the order of the gold segments."""

    name: str
    scores: Array | None
    order: Ints | None  # the best first
    interval: tuple[Array, Array] | None = None  # in which labels are said to lie


def check_alike(name: str, labels: SentenceLabels, gold: SentenceLabels) -> None:
    """Refuse predictions that are not about the segments of the true labels."""
    if len(labels) != len(gold):
        raise InputError(
            f"{labels.file or name} has {len(labels)} segments of {name}, and the true labels are of {len(gold)}.",
            hint="Give one prediction a segment.",
        )


def some(labels: SentenceLabels, there: npt.NDArray[np.bool_]) -> SentenceLabels:
    """Labels of some of the segments; ranks stay as they are, for only their order counts."""
    return dataclasses.replace(
        labels,
        segments=tuple(s for s, kept in zip(labels.segments, there.tolist(), strict=True) if kept),
        scores=None if labels.scores is None else labels.scores[there],
        ranks=None if labels.ranks is None else labels.ranks[there],
        low=None if labels.low is None else labels.low[there],
        high=None if labels.high is None else labels.high[there],
    )


def sentence_entries(predictions: Mapping[str, SentenceLabels], how: EvaluateOptions) -> list[SentenceEntry]:
    """What is measured of each system: its scores, and the order of the segments by its ranks or scores."""
    out = []
    for name, labels in predictions.items():
        scores = None if labels.scores is None else labels.scores * how.scale
        order: Ints | None = None
        if how.order == "submitted" and labels.ranks is not None:
            order = np.argsort(labels.ranks, kind="stable").astype(np.int64)
        elif scores is not None and (how.order == "score" or not labels.unranked):
            order = measures.best_first(scores, higher=how.higher)
        interval = None
        if labels.low is not None and labels.high is not None:
            interval = (np.asarray(labels.low * how.scale), np.asarray(labels.high * how.scale))
        out.append(SentenceEntry(name, scores, order, interval))
    return out


def sentence_records(
    entries: list[SentenceEntry], gold: Array, how: EvaluateOptions, baseline: str | None, training: Array | None
) -> list[QualityRecord]:
    """Every measure of every system, system after system; last what the mean and the true order would reach."""
    values = {entry.name: _values(entry, gold, how) for entry in entries}
    tests = _tests(entries, values, gold, how, baseline)
    out = [
        QualityRecord(name, "sentence", None, measure, None, value, *told(tests.get((name, measure))), n=len(gold))
        for name, mine in values.items()
        for measure, value in mine.items()
    ]
    if training is not None and not np.isnan(training).all():
        mean = np.full(len(gold), np.nanmean(training))
        constant = {
            "mae": measures.mae(mean, gold, compat=how.compat),
            "rmse": measures.rmse(mean, gold, compat=how.compat),
        }
        out += [QualityRecord(MEAN, "sentence", None, m, None, value, n=len(gold)) for m, value in constant.items()]
    truth = measures.best_first(gold, higher=how.higher)
    top = measures.deltaavg(gold, truth, higher=how.higher, compat=how.compat)
    return [*out, QualityRecord(ORACLE, "sentence", None, "deltaavg", None, top, n=len(gold))]


def distributions(entries: list[SentenceEntry], gold: Array, training: Array | None) -> tuple[LabelDistribution, ...]:
    """How true and predicted labels are spread."""
    learnt = {} if training is None else {"training": training[~np.isnan(training)]}
    predicted = {entry.name: entry.scores for entry in entries if entry.scores is not None}
    return LabelDistribution.of_numbers({**learnt, "gold": gold, **predicted})


def _values(entry: SentenceEntry, gold: Array, how: EvaluateOptions) -> dict[str, float | None]:
    values: dict[str, float | None] = dict.fromkeys(HIGHER)
    if entry.order is not None:
        values["deltaavg"] = measures.deltaavg(gold, entry.order, higher=how.higher, compat=how.compat)
        truth = measures.ranks_of(measures.best_first(gold, higher=how.higher))
        values["spearman-ranks"] = measures.spearman_of_ranks(measures.ranks_of(entry.order), truth)
    if entry.scores is not None:
        errors = measures.absolute_errors(entry.scores, gold, compat=how.compat)
        values["mae"] = measures.mae(entry.scores, gold, compat=how.compat)
        values["rmse"] = measures.rmse(entry.scores, gold, compat=how.compat)
        values["small-errors"] = float((errors <= SMALL).mean())
        values["large-errors"] = float((errors >= LARGE).mean())
        values["lowest"], values["highest"] = float(entry.scores.min()), float(entry.scores.max())
        values["pearson"] = measures.pearson(entry.scores, gold)
        values["spearman"] = measures.spearman(entry.scores, gold)
        values["kendall"] = measures.kendall(entry.scores, gold)
    if entry.interval is not None:
        low, high = entry.interval
        values["coverage"] = float(((low <= gold) & (gold <= high)).mean())
        values["width"] = float((high - low).mean())
    return values


def _tests(
    entries: list[SentenceEntry],
    values: Mapping[str, Mapping[str, float | None]],
    gold: Array,
    how: EvaluateOptions,
    baseline: str | None,
) -> dict[tuple[str, str], Verdict]:
    """Verdicts by system and measure: bootstrap of MAE, RMSE and DeltaAvg, Williams's test of Pearson's r."""
    scored = [e for e in entries if e.scores is not None]
    ranked = [e for e in entries if e.order is not None]
    listener = heard(how)
    out: dict[tuple[str, str], Verdict] = {}

    def note(measure: str, whose: list[SentenceEntry], verdicts: list[Verdict]) -> None:
        out.update({(e.name, measure): verdict for e, verdict in zip(whose, verdicts, strict=True)})

    def observed(measure: str, whose: list[SentenceEntry]) -> Array:
        return np.array([values[e.name][measure] for e in whose], dtype=np.float64)

    def place(whose: list[SentenceEntry]) -> int | None:
        names = [e.name for e in whose]
        return names.index(baseline) if baseline in names else None

    if scored:
        rows = np.stack([_error_rows(e.scores, gold, how) for e in scored if e.scores is not None])
        resampled = bootstrap(rows, _both, how.samples, how.seed, threads=how.workers, progress=listener)
        for measure, part in zip(("mae", "rmse"), np.split(resampled, 2), strict=True):
            verdicts = bootstrap_verdicts(observed(measure, scored), part, place(scored), how.alpha, higher=False)
            note(measure, scored, verdicts)
        predicted = np.stack([e.scores for e in scored if e.scores is not None])
        note(
            "pearson",
            scored,
            williams_verdicts(gold, predicted, observed("pearson", scored), place(scored), how.alpha),
        )
    if ranked:
        orders = [e.order for e in ranked if e.order is not None]
        resampled = measures.resampled_deltaavg(
            gold, orders, how.samples, how.seed, higher=how.higher, compat=how.compat, progress=listener
        )
        verdicts = bootstrap_verdicts(observed("deltaavg", ranked), resampled, place(ranked), how.alpha, higher=True)
        note("deltaavg", ranked, verdicts)
    return out


def _error_rows(scores: Array, gold: Array, how: EvaluateOptions) -> Array:
    """Additive statistics of each segment: its error, its square, 1."""
    errors = measures.absolute_errors(scores, gold, compat=how.compat)
    return np.stack([errors, errors**2, np.ones(len(gold))], axis=1)


def _both(sums: Array) -> Array:
    """MAE of all systems, then RMSE of all, from sums: (resamples, systems, 3) -> (resamples, 2 systems)."""
    means = sums[..., :2] / sums[..., 2:]
    return np.concatenate([means[..., 0], np.sqrt(means[..., 1])], axis=-1)


def heard(how: EvaluateOptions) -> Callable[[int], None] | None:
    """Who hears of resamples."""
    listener = how.progress
    return None if listener is None else lambda done: listener("resamples", done)


def told(verdict: Verdict | None) -> tuple[float | None, bool | None, float | None, bool | None]:
    """The fields of a record that a test fills."""
    v = verdict or Verdict()
    return v.p_best, v.winner, v.p_baseline, v.like_baseline
