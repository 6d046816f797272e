"""Measures of word-level tags (Bojar et al. 2014, section 4.2), from confusion matrices, on bare arrays.

Of each class c: tp, how often it was predicted and how often it is true. These three are additive over sentences, and
all measures are functions of them: precision, recall, F1 (0 where undefined), one-vs-rest MCC (0 where its root is 0),
their means weighted by how often classes are true, over all classes or over errors only, and accuracy.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tercet.data.quality import TagLines
from tercet.formats.qe_words import BAD, OK

Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SUMMARY = ("f1-err", "f1-all", "mcc-err", "mcc-all", "accuracy", "f1-multi")


@dataclasses.dataclass(frozen=True, eq=False)
class ClassCounts:
    """Of each class, on the last axis: predicted rightly, predicted, true."""

    hits: Array
    predicted: Array
    gold: Array

    @classmethod
    def of_sums(cls, sums: Array) -> ClassCounts:
        """From rows of statistics, (..., 3 classes)."""
        hits, predicted, gold = np.split(sums, 3, axis=-1)
        return cls(hits, predicted, gold)

    @property
    def total(self) -> Array:
        """Words, one number a matrix."""
        return np.asarray(self.gold.sum(axis=-1, keepdims=True))

    def precision(self) -> Array:
        return _share(self.hits, self.predicted)

    def recall(self) -> Array:
        return _share(self.hits, self.gold)

    def f1(self) -> Array:
        return _share(2 * self.hits, self.predicted + self.gold)

    def mcc(self) -> Array:
        """Matthews's coefficient of each class against the rest."""
        n = self.total
        fp, fn = self.predicted - self.hits, self.gold - self.hits
        tn = n - self.predicted - fn
        root = np.sqrt(self.predicted * self.gold * (n - self.predicted) * (n - self.gold))
        return _share(self.hits * tn - fp * fn, root)

    def accuracy(self) -> Array:
        return _share(self.hits.sum(axis=-1), self.total[..., 0])


def confusion(gold: TagLines, predicted: TagLines, labels: Sequence[str]) -> Counts:
    """How often each true tag was given as each, sentence by sentence: (sentences, labels, labels).

    >>> confusion((("OK", "BAD"),), (("OK", "OK"),), ["OK", "BAD"]).tolist()
    [[[1, 0], [1, 0]]]
    """
    place = {label: i for i, label in enumerate(labels)}
    size = len(labels)
    out = np.zeros((len(gold), size * size), dtype=np.int64)
    for s, (true, said) in enumerate(zip(gold, predicted, strict=True)):
        cells = [place[g] * size + place[p] for g, p in zip(true, said, strict=True)]
        out[s] = np.bincount(np.array(cells, dtype=np.int64), minlength=size * size)
    return out.reshape(len(gold), size, size)


def statistics(matrices: Counts) -> Array:
    """Additive statistics of confusion matrices, (..., labels, labels) -> (..., 3 labels)."""
    hits = np.diagonal(matrices, axis1=-2, axis2=-1)
    return np.concatenate([hits, matrices.sum(axis=-2), matrices.sum(axis=-1)], axis=-1).astype(np.float64)


def weighted(values: Array, weights: Array) -> Array:
    """Means by how often classes are true; 0 where none of them is."""
    return _share((values * weights).sum(axis=-1), weights.sum(axis=-1))


def summary(counts: ClassCounts, labels: Sequence[str], measure: str) -> Array:
    """One of the measures of `SUMMARY`, one number a matrix; NaN where it is not defined for these classes."""
    errors = np.array([label != OK for label in labels])
    if measure == "accuracy":
        return counts.accuracy()
    if measure == "f1-multi":
        if set(labels) - {OK, BAD} or OK not in labels or BAD not in labels:
            return np.full(counts.hits.shape[:-1], np.nan)
        f1 = counts.f1()
        return np.asarray(f1[..., list(labels).index(OK)] * f1[..., list(labels).index(BAD)])
    values = counts.f1() if measure.startswith("f1") else counts.mcc()
    kept = errors if measure.endswith("err") else np.ones(len(labels), dtype=bool)
    return weighted(values[..., kept], counts.gold[..., kept])


def ordered_labels(*columns: TagLines) -> list[str]:
    """Every tag once: OK first, then BAD, then the others by name."""
    kinds = {tag for lines in columns for line in lines for tag in line}
    return sorted(kinds, key=lambda label: (label != OK, label != BAD, label))


def _share(part: Array, whole: Array) -> Array:
    """A quotient, 0 where it is not defined."""
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)
