"""Measures of error spans, from statistics that are additive over segments.

WMT25's weighted F1 counts characters: those that both mark with the same severity in full, those with another severity
half. Critical counts as major; what is undecided or neutral is left out. "mpp" (Perrella et al. 2026, arXiv 2603.19921)
pairs predicted and true spans one to one, so that the sum of 2 overlap / (length + length) is largest; a pair gives the
shared part of the predicted span to precision and the shared part of the true one to recall, summed over all segments.
Without any predicted span precision is 1, without any true one recall is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tercet.data.quality import ErrorSpan, QualityRecord, SpanLabels
from tercet.errors import InputError
from tercet.options.quality import EvaluateOptions
from tercet.quality.sentences import heard, told
from tercet.quality.winners import bootstrap_verdicts
from tercet.stats.resampling import bootstrap

Array = npt.NDArray[np.float64]
Spans = Sequence[ErrorSpan]

CREDIT = 0.5  # for the right characters with the wrong severity
MAJOR, MINOR = ("major", "critical"), ("minor",)
LEFT_OUT = ("undecided", "neutral")
MEASURES = ("f1", "precision", "recall")
KINDS = ("wmt25", "mpp")


def weighted_counts(gold: Spans, predicted: Spans, credit: float = CREDIT) -> tuple[float, float, float]:
    """Characters that count as right, those predicted, and those that are true, of one segment.

    >>> weighted_counts([ErrorSpan(0, 4, "major")], [ErrorSpan(2, 6, "minor")])
    (1.0, 4.0, 4.0)
    """
    sides = [(gold, MAJOR), (predicted, MAJOR), (gold, MINOR), (predicted, MINOR)]
    chosen = [[(s.start, s.end) for s in spans if s.severity in kinds] for spans, kinds in sides]
    edges = np.unique([place for spans in chosen for span in spans for place in span])
    if not len(edges):
        return 0.0, 0.0, 0.0
    widths = np.diff(edges).astype(np.float64)
    g_major, p_major, g_minor, p_minor = (_depths(spans, edges) for spans in chosen)
    right = np.minimum(g_major, p_major) + np.minimum(g_minor, p_minor)
    g_rest = np.maximum(0, g_major - p_major) + np.maximum(0, g_minor - p_minor)
    p_rest = np.maximum(0, p_major - g_major) + np.maximum(0, p_minor - g_minor)
    hits = right + credit * np.minimum(g_rest, p_rest)
    return tuple(float(counts @ widths) for counts in (hits, p_major + p_minor, g_major + g_minor))  # type: ignore[return-value]


def _depths(spans: Sequence[tuple[int, int]], edges: npt.NDArray[np.int64]) -> Array:
    """How many spans lie over each piece between two edges."""
    change = np.zeros(len(edges))
    for start, end in spans:
        change[np.searchsorted(edges, start)] += 1
        change[np.searchsorted(edges, end)] -= 1
    return np.cumsum(change)[:-1]


def matched_counts(gold: Spans, predicted: Spans) -> tuple[float, float, float, float]:
    """Shared parts of the predicted spans, their number, shared parts of the true spans, and their number.

    >>> matched_counts([ErrorSpan(0, 4)], [ErrorSpan(2, 4), ErrorSpan(2, 10)])
    (1.0, 2.0, 0.5, 1.0)
    """
    true = [(s.start, s.end) for s in gold if s.end > s.start]
    said = [(s.start, s.end) for s in predicted if s.end > s.start]
    shared, recalled = 0.0, 0.0
    if true and said:
        from scipy.optimize import linear_sum_assignment

        starts, ends = (np.array([span[k] for span in said], dtype=np.float64)[:, None] for k in (0, 1))
        true_starts, true_ends = (np.array([span[k] for span in true], dtype=np.float64)[None] for k in (0, 1))
        overlap = np.maximum(0.0, np.minimum(ends, true_ends) - np.maximum(starts, true_starts))
        lengths, true_lengths = ends - starts, true_ends - true_starts
        rows, columns = linear_sum_assignment(2 * overlap / (lengths + true_lengths), maximize=True)
        shared = float((overlap / lengths)[rows, columns].sum())
        recalled = float((overlap / true_lengths)[rows, columns].sum())
    return shared, float(len(said)), recalled, float(len(true))


def rates(kind: str, sums: Array) -> tuple[Array, Array, Array]:
    """F1, precision and recall from sums on the last axis."""
    if kind == "wmt25":
        right, predicted, true = np.moveaxis(sums, -1, 0)
        recalled = right
    else:
        right, predicted, recalled, true = np.moveaxis(sums, -1, 0)
    precision = np.divide(right, predicted, out=np.ones_like(right), where=predicted > 0)
    recall = np.divide(recalled, true, out=np.ones_like(recalled), where=true > 0)
    both = precision + recall
    f1 = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    return f1, precision, recall


def span_records(predictions: Mapping[str, SpanLabels], gold: SpanLabels, how: EvaluateOptions) -> list[QualityRecord]:
    """Both F1s with precision and recall of every system, the F1s with tests over segments."""
    for labels in (gold, *predictions.values()):
        _check_severities(labels)
    aligned = {name: _in_order(name, labels, gold) for name, labels in predictions.items()}
    names = list(aligned)
    place = names.index(how.baseline) if how.baseline in names else None
    counted: dict[str, Callable[[Spans, Spans], tuple[float, ...]]] = {"wmt25": weighted_counts, "mpp": matched_counts}
    out = []
    for kind, count in counted.items():
        rows = np.array([[count(g, p) for g, p in zip(gold.spans, mine, strict=True)] for mine in aligned.values()])
        values = rates(kind, rows.sum(axis=1))
        f1 = functools.partial(_f1, kind)
        drawn = bootstrap(rows, f1, how.samples, how.seed, threads=how.workers, progress=heard(how))
        verdicts = bootstrap_verdicts(values[0], drawn, place, how.alpha, higher=True)
        for measure, of_systems in zip(MEASURES, values, strict=True):
            for name, value, verdict in zip(names, of_systems.tolist(), verdicts, strict=True):
                tested = told(verdict if measure == "f1" else None)
                out.append(QualityRecord(name, "span", None, f"{kind}-{measure}", None, value, *tested, n=len(gold)))
    return sorted(out, key=lambda record: names.index(record.system))


def _f1(kind: str, sums: Array) -> Array:
    return rates(kind, sums)[0]


def _in_order(name: str, labels: SpanLabels, gold: SpanLabels) -> list[tuple[ErrorSpan, ...]]:
    """The spans of a system in the order of the true ones."""
    mine = dict(zip(labels.segments, labels.spans, strict=True))
    missing = next((segment for segment in gold.segments if segment not in mine), None)
    if missing is not None or len(mine) != len(gold):
        lacks = f"lacks segment {missing!r}" if missing is not None else "has segments that the true spans have not"
        raise InputError(
            f"{labels.file or name} has spans of {len(mine)} segments and {lacks}; there are {len(gold)}.",
            hint="Give one line a segment, those without errors as well.",
        )
    return [mine[segment] for segment in gold.segments]


def _check_severities(labels: SpanLabels) -> None:
    known = {*MAJOR, *MINOR, *LEFT_OUT}
    for segment, spans in zip(labels.segments, labels.spans, strict=True):
        other = next((s.severity for s in spans if s.severity not in known), None)
        if other is not None:
            raise InputError(
                f"{labels.file or 'Spans'}: segment {segment} has a span with the severity {other!r}.",
                hint=f"It must be one of {', '.join((*MINOR, *MAJOR, *LEFT_OUT))}.",
            )
