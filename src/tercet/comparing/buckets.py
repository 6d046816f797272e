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
from tercet.comparing.scores import Scored, Testing
from tercet.comparing.words import Words
from tercet.data import Array, Bucket, Bucketing, Ints, Statistics, TestSet
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
    testset: TestSet, found: Sequence[Scored], words: Words, baseline: int, how: Testing, corpus: Ints | None
) -> tuple[Bucketing, ...]:
    """All ways of cutting the test set. `corpus` has how often each word of the vocabulary is in a corpus."""
    cuts = [_by_length(words), *_by_names(testset), *([_by_difficulty(found[0])] if len(testset) >= ENOUGH else [])]
    by_words = _by_frequency(words, baseline, how, corpus)
    return (*(_bucketing(cut, found, baseline, how) for cut in cuts if len(cut.labels) > 1), by_words)


def _by_length(words: Words) -> _Cut:
    members, labels = _classes(words.reference.lengths, LENGTHS)
    return _Cut("length", "", "Words in the reference", labels, members)


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


def _by_difficulty(found: Scored) -> _Cut:
    """By the mean score of all systems, so that the cut favours none of them."""
    mean = found.segments.mean(axis=0)
    known = np.flatnonzero(~np.isnan(mean))
    gains = mean[known] if found.metric.higher_is_better else -mean[known]
    order = np.argsort(gains, kind="stable")
    members = np.full(len(mean), -1, dtype=np.int64)
    members[known[order]] = np.arange(len(order)) * len(FIFTHS) // max(1, len(order))
    return _Cut("score", "", f"Difficulty, by the mean {found.metric} of all systems", FIFTHS, members)


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


def _bucketing(cut: _Cut, found: Sequence[Scored], baseline: int, how: Testing) -> Bucketing:
    buckets = []
    for place, label in enumerate(cut.labels):
        rows = np.flatnonzero(cut.members == place)
        parts = [_part(each.statistics.part(rows), baseline, how) for each in found]
        table = [np.stack(values) for values in zip(*parts, strict=True)]
        buckets.append(Bucket(label, len(rows), *table))
    measures = tuple(str(each.metric) for each in found)
    return Bucketing(cut.kind, cut.name, cut.title, "segment", measures, tuple(buckets), cut.members)


def _part(part: Statistics, baseline: int, how: Testing) -> tuple[Array, Array, Array, Array]:
    """Scores of a part, differences from the baseline, and the bounds of these: each (systems,)."""
    values = part.corpus()
    low, high = _bounds(part.rows, part.score, baseline, how)
    return values, values - values[baseline], low, high


def _bounds(rows: Array, score: ScoreFunction, baseline: int, how: Testing) -> tuple[Array, Array]:
    low = np.full(len(rows), math.nan)
    high = low.copy()
    if rows.shape[1] >= ENOUGH:
        sampled = stats.bootstrap(rows, score, min(how.samples, SAMPLES), how.seed, threads=how.threads)
        for i, gains in enumerate(sampled - sampled[baseline]):
            bounds = stats.interval(gains)
            low[i], high[i] = bounds.low, bounds.high
    return low, high


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
        for k, (own, own_n) in enumerate((matched, (keys, n), refs)):
            cells = classes[own % size] * n_segments + own // size
            rows[:, s, :, k] = np.bincount(cells, own_n, minlength=len(labels) * n_segments).reshape(-1, n_segments)
    buckets = []
    for label, part in zip(labels, rows, strict=True):
        totals = part.sum(axis=1)
        values = np.stack([_f1(totals), _ratio(totals, 2), _ratio(totals, 1)])
        low, high = np.full_like(values, math.nan), np.full_like(values, math.nan)
        low[0], high[0] = _bounds(part, _f1, baseline, how)
        buckets.append(Bucket(label, int(totals[0, 2]), values, values - values[:, baseline : baseline + 1], low, high))
    where = "references" if corpus is None else "corpus"
    title = f"Words by their frequency in the {where}"
    nowhere: Ints = np.zeros(0, dtype=np.int64)
    return Bucketing("frequency", "", title, "word", WORD_MEASURES, tuple(buckets), nowhere)


def _f1(sums: Array) -> Array:
    """Of (matched, said, in the reference), in percent."""
    return _divided(200 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _ratio(sums: Array, of: int) -> Array:
    return _divided(100 * sums[..., 0], sums[..., of])


def _divided(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> Array:
    return np.divide(a, b, out=np.full_like(a, math.nan), where=b > 0)
