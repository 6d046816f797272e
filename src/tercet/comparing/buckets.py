"""Scores by part of the test set: length, document, facet, difficulty, and of words by their frequency.

Statistics are additive, so that a part's score is that of the sum over its segments. Words are cut by how frequent they
are in the references or in a corpus (Neubig et al. 2019, compare-mt): F1, recall and precision of each class of words.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tercet import stats
from tercet.comparing.scores import Scored
from tercet.comparing.words import Words
from tercet.data import Array, Bucket, Bucketing, Ints, TestSet
from tercet.numbers import ALPHA
from tercet.options.groups import Testing
from tercet.stats.decision import decide_by_spread
from tercet.stats.resampling import ScoreFunction

LENGTHS = (10, 20, 30, 40, 50, 60)
FREQUENCIES = (0, 1, 2, 3, 4, 9, 99, 999)
FIFTHS = ("hardest fifth", "second fifth", "middle fifth", "fourth fifth", "easiest fifth")
ENOUGH = 10  # segments, fewer of which are not resampled
WORD_MEASURES = ("F1", "recall", "precision")
SAMPLES = 1000  # at most, for the interval of a part


@dataclasses.dataclass(frozen=True, eq=False)
class _Cut:
    kind: str
    name: str
    title: str
    labels: tuple[str, ...]
    members: Ints


def bucketings(
    testset: TestSet, metrics: Sequence[Scored], words: Words, baseline: int, how: Testing, corpus: Ints | None
) -> tuple[Bucketing, ...]:
    """All ways of cutting the test set. `corpus` has how often each word of the vocabulary is in a corpus."""
    cuts = [_by_length(words), *_by_names(testset), *([_by_difficulty(metrics[0])] if len(testset) >= ENOUGH else [])]
    by_words = _by_frequency(words, baseline, how, corpus)
    return (*(_bucketing(cut, metrics, baseline, how) for cut in cuts if len(cut.labels) > 1), by_words)


def _by_length(words: Words) -> _Cut:
    members, labels = _classes(words.reference.lengths, LENGTHS)
    return _Cut("length", "", f"{words.unit.capitalize()}s in the reference", labels, members)


def _by_names(testset: TestSet) -> list[_Cut]:
    cuts = [
        _named("facet", name, name, values)
        for name, values in testset.facets.items()
        if 1 < len(set(values)) < len(values)
    ]
    if testset.documents is not None:
        cuts.append(_named("document", "", "Document", testset.documents))
    return cuts


def _named(kind: str, name: str, title: str, values: Sequence[str]) -> _Cut:
    places = {value: i for i, value in enumerate(dict.fromkeys(values))}
    return _Cut(kind, name, title, tuple(places), np.array([places[v] for v in values], dtype=np.int64))


def _by_difficulty(scored: Scored) -> _Cut:
    """By the mean score of all systems, so that the cut favours none of them."""
    mean = scored.segments.mean(axis=0)
    known = np.flatnonzero(~np.isnan(mean))
    gains = mean[known] if scored.metric.higher_is_better else -mean[known]
    order = np.argsort(gains, kind="stable")
    members = np.full(len(mean), -1, dtype=np.int64)
    members[known[order]] = np.arange(len(order)) * len(FIFTHS) // max(1, len(order))
    return _Cut("score", "", f"Difficulty, by the mean {scored.metric} of all systems", FIFTHS, members)


def _classes(values: Ints, bounds: Sequence[int]) -> tuple[Ints, tuple[str, ...]]:
    """The class of each value by upper bounds, and the names of those that are there.

    >>> _classes(np.array([3, 12, 99]), (10, 20))
    (array([0, 1, 2]), ('up to 10', '11–20', 'over 20'))
    """
    names = [f"up to {bounds[0]}" if bounds[0] else "0"]
    names += [f"{a + 1}–{b}" if b > a + 1 else f"{b}" for a, b in itertools.pairwise(bounds)]
    names.append(f"over {bounds[-1]}")
    classes, members = np.unique(np.searchsorted(bounds, values), return_inverse=True)
    return members.astype(np.int64), tuple(names[c] for c in classes)


def _bucketing(cut: _Cut, metrics: Sequence[Scored], baseline: int, how: Testing) -> Bucketing:
    places = [np.flatnonzero(cut.members == place) for place in range(len(cut.labels))]
    tables = []
    for scored in metrics:
        parts = [scored.statistics.part(rows) for rows in places]
        values = np.stack([part.corpus() for part in parts])  # (parts, systems)
        spread, units = zip(*(_spread(part.rows, part.score, baseline, how) for part in parts), strict=True)
        tables.append((values, *_bounds(values, np.stack(spread), np.array(units), baseline)))
    table = np.array(tables).transpose(2, 1, 0, 3)  # (parts, kinds of figures, measures, systems)
    buckets = [
        Bucket(label, len(rows), *figures) for label, rows, figures in zip(cut.labels, places, table, strict=True)
    ]
    measures = tuple(str(scored.metric) for scored in metrics)
    return Bucketing(cut.kind, cut.name, cut.title, "segment", measures, tuple(buckets), cut.members)


def _bounds(values: Array, spread: Array, units: Ints, baseline: int) -> tuple[Array, Array, Array]:
    """Differences from the baseline and their bounds, (parts, systems) each, corrected for the parts (Holm)."""
    gaps = values - values[:, baseline : baseline + 1]
    low, high = np.full_like(gaps, math.nan), np.full_like(gaps, math.nan)
    large, freedom = np.flatnonzero(units >= ENOUGH), units.astype(np.float64) - 1
    for system in range(gaps.shape[1]):
        _, low[large, system], high[large, system] = decide_by_spread(
            gaps[large, system], spread[large, system], freedom[large], "holm", ALPHA
        )
    return gaps, low, high


def _spread(rows: Array, score: ScoreFunction, baseline: int, how: Testing) -> tuple[Array, int]:
    """Standard errors of the differences of a part, by the bootstrap, and from how many segments that have something.

    A bootstrap of n segments spreads as if divided by n and not by n - 1.
    """
    rows = rows[:, rows.any(axis=(0, 2))]
    n = rows.shape[1]
    if n < ENOUGH:
        return np.full(len(rows), math.nan), n
    sampled = stats.bootstrap(rows, score, min(how.samples, SAMPLES), how.seed, threads=how.workers)
    return np.std(sampled - sampled[baseline], axis=1) * math.sqrt(n / (n - 1)), n


def _by_frequency(words: Words, baseline: int, how: Testing, corpus: Ints | None) -> Bucketing:
    size = max(1, len(words))
    counts = np.bincount(words.reference.ids, minlength=size) if corpus is None else corpus
    classes, labels = _classes(counts, FREQUENCIES)
    columns = list(words.systems.values())
    refs = words.reference.counted(size)
    n_segments = words.reference.n_segments
    rows = np.zeros((len(labels), len(columns), n_segments, 3))  # matched, said, in the reference
    for s, column in enumerate(columns):
        keys, n = column.counted(size)
        _, mine, theirs = np.intersect1d(keys, refs[0], assume_unique=True, return_indices=True)
        matched = (keys[mine], np.minimum(n[mine], refs[1][theirs]))
        for k, (occurrences, times) in enumerate((matched, (keys, n), refs)):
            cells = classes[occurrences % size] * n_segments + occurrences // size
            rows[:, s, :, k] = np.bincount(cells, times, minlength=len(labels) * n_segments).reshape(-1, n_segments)
    totals = rows.sum(axis=2)  # (classes, systems, 3)
    values = np.stack([_f1(totals), _ratio(totals, 2), _ratio(totals, 1)], axis=1)
    spread, units = zip(*(_spread(part, _f1, baseline, how) for part in rows), strict=True)
    gaps = values - values[:, :, baseline : baseline + 1]
    low, high = np.full_like(values, math.nan), np.full_like(values, math.nan)
    _, low[:, 0], high[:, 0] = _bounds(values[:, 0], np.stack(spread), np.array(units), baseline)
    buckets = [
        Bucket(label, int(totals[i, 0, 2]), values[i], gaps[i], low[i], high[i]) for i, label in enumerate(labels)
    ]
    where = "references" if corpus is None else "corpus"
    title = f"{words.unit.capitalize()}s by their frequency in the {where}"
    nowhere: Ints = np.zeros(0, dtype=np.int64)
    return Bucketing("frequency", "", title, words.unit, WORD_MEASURES, tuple(buckets), nowhere)


def _f1(sums: Array) -> Array:
    """Of (matched, said, in the reference), in percent."""
    return _divided(200 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _ratio(sums: Array, of: int) -> Array:
    return _divided(100 * sums[..., 0], sums[..., of])


def _divided(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> Array:
    return np.divide(a, b, out=np.full_like(a, math.nan), where=b > 0)
