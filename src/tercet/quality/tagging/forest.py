"""A random forest of single words, with a threshold of being wrong that is tuned for F1 (as Camargo de Souza 2014)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet.data import Array
from tercet.errors import extra
from tercet.quality.learners.fitted import LearntFunction
from tercet.quality.learners.training import NEEDS_EXTRA, flattened

OK = "OK"
TREES, LEAF = 100, 5


@dataclasses.dataclass(frozen=True, eq=False)
class Forest:
    """A probability of each tag by the leaves of trees, and from which one on a word is wrong."""

    tags: tuple[str, ...]
    fitted: tuple[LearntFunction, ...]  # one a tag, over the same trees
    threshold: float

    def probabilities(self, rows: Array, threads: int) -> Array:
        """How likely each tag is of each word, (words, tags)."""
        return np.stack([model.predict(rows, threads) for model in self.fitted], axis=1)

    def best(self, probabilities: Array) -> list[str]:
        """The likeliest error of words that are wrong, OK of the others."""
        wrong = self.wrong(probabilities)
        errors = np.where([tag == OK for tag in self.tags], -1.0, probabilities)
        likeliest = errors.argmax(axis=1)
        return [self.tags[i] if bad else OK for i, bad in zip(likeliest.tolist(), wrong > self.threshold, strict=True)]

    def wrong(self, probabilities: Array) -> Array:
        """The probability of not being OK."""
        place = self.tags.index(OK) if OK in self.tags else None
        return np.ones(len(probabilities)) if place is None else 1 - probabilities[:, place]


def train_classifier(rows: Array, tags: Sequence[str], seed: int) -> Any:
    """A forest that scikit-learn learns; `exported` makes numbers of it."""
    ensemble = extra("sklearn.ensemble", "scikit-learn", "learn", NEEDS_EXTRA)
    forest = ensemble.RandomForestClassifier(TREES, min_samples_leaf=LEAF, oob_score=True, random_state=seed, n_jobs=-1)
    return forest.fit(rows, list(tags))


def exported(model: Any, threshold: float = 0.5) -> Forest:
    """What scikit-learn's forest has learnt."""
    trees = [tree.tree_ for tree in model.estimators_]
    shared, numbers = flattened(trees), {"start": 0.0, "rate": 1 / len(trees)}
    leaves = np.concatenate([tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True) for tree in trees])
    columns = [np.ascontiguousarray(column) for column in leaves.T]
    fitted = tuple(LearntFunction("trees", numbers, {**shared, "leaves": column}) for column in columns)
    return Forest(tuple(map(str, model.classes_)), fitted, threshold)


def tuned_threshold(wrong: Array, bad: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    """The probability above which words count as wrong, so that F1 of the wrong ones is highest.

    >>> tuned_threshold(np.array([0.9, 0.8, 0.4, 0.3]), np.array([True, True, False, False]))
    0.4
    """
    order = np.argsort(-wrong, kind="stable")
    hits = np.cumsum(bad[order])
    taken = np.arange(1, len(wrong) + 1)
    f1 = 2 * hits / (taken + max(int(bad.sum()), 1))
    last = np.append(np.diff(wrong[order]) != 0, True)  # ties are taken together
    best = int(np.where(last, f1, -1).argmax())
    return float(wrong[order][best + 1]) if best + 1 < len(wrong) else -1.0
