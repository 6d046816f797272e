"""Which learner, with which settings, on which features: by cross-validation in which a source sentence is never on
both sides."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from tercet.data import Array, Ints
from tercet.data.quality_answers import LearnerChoice
from tercet.errors import InputError
from tercet.quality.learners.fitted import LearntFunction
from tercet.quality.learners.training import MOST_ROWS, Setting, fit, settings_of

GRID_ROWS = 2000  # rows on which settings are compared; the chosen one learns from all


def numbered(keys: Sequence[Hashable]) -> Ints:
    """The same number for the same key, in the order in which they come."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def parts_of_groups(groups: Ints, parts: int, seed: int) -> Ints:
    """A part for each row, such that all rows of a group are in one part, and parts have as many groups."""
    n = int(groups.max()) + 1 if len(groups) else 0
    if n < parts:
        raise InputError(
            f"There are {n} different source sentences, too few for {parts} parts.",
            hint="Bring more labelled sentences.",
        )
    places = np.random.default_rng(seed).permutation(n) % parts
    return np.asarray(places[groups], dtype=np.int64)


def split(groups: Ints, share: float, seed: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are held out: those of a share of the groups."""
    n = int(groups.max()) + 1
    chosen = np.zeros(n, dtype=bool)
    chosen[np.random.default_rng(seed).permutation(n)[: max(1, round(share * n))]] = True
    return np.asarray(chosen[groups])


def cross_validated(learner: str, setting: Setting, rows: Array, labels: Array, folds: Ints, seed: int) -> float:
    """Mean absolute error of predictions for rows that the learner has not seen."""
    errors = np.empty(len(labels))
    for fold in np.unique(folds):
        inside = folds == fold
        model = fit(learner, setting, rows[~inside], labels[~inside], seed)
        errors[inside] = np.abs(model.predict(rows[inside]) - labels[inside])
    return float(errors.mean())


def select(
    learners: Sequence[str], rows: Array, labels: Array, groups: Ints, folds: int, seed: int, tell: Callable[[], None]
) -> list[LearnerChoice]:
    """Every learner with every setting, the best first; ties go to the one named first."""
    kept = _some(groups, GRID_ROWS, seed)
    parts = parts_of_groups(numbered(groups[kept].tolist()), folds, seed)
    candidates = []
    for learner in learners:
        for setting in settings_of(learner):
            error = cross_validated(learner, setting, rows[kept], labels[kept], parts, seed)
            candidates.append(LearnerChoice(learner, setting, error))
            tell()
    return sorted(candidates, key=lambda candidate: candidate.error)


def _some(groups: Ints, most: int, seed: int) -> Ints:
    """Rows of some groups, in their order, as many as may be."""
    if len(groups) <= most:
        return np.arange(len(groups))
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    sizes = np.bincount(groups)[order]
    chosen = order[np.cumsum(sizes) <= most]
    return np.flatnonzero(np.isin(groups, chosen))


def final(candidate: LearnerChoice, rows: Array, labels: Array, groups: Ints, seed: int) -> tuple[LearntFunction, int]:
    """The chosen learner on all rows that it can take, and their number."""
    kept = _some(groups, MOST_ROWS.get(candidate.learner, len(rows)), seed)
    return fit(candidate.learner, candidate.setting, rows[kept], labels[kept], seed), len(kept)


def chosen_features(
    candidate: LearnerChoice, rows: Array, labels: Array, groups: Ints, folds: int, seed: int
) -> Iterator[tuple[int, float]]:
    """Forward selection: the feature that helps most is added, with the error that is then reached, while it falls."""
    kept = _some(groups, GRID_ROWS, seed)
    parts = parts_of_groups(numbered(groups[kept].tolist()), folds, seed)
    inside: list[int] = []
    best = np.inf
    while len(inside) < rows.shape[1]:
        errors = {
            column: cross_validated(
                candidate.learner, candidate.setting, rows[kept][:, [*inside, column]], labels[kept], parts, seed
            )
            for column in range(rows.shape[1])
            if column not in inside
        }
        column = min(errors, key=errors.__getitem__)
        if errors[column] >= best:
            return
        best = errors[column]
        inside.append(column)
        yield column, best


def importances(model: LearntFunction, rows: Array, labels: Array, seed: int, times: int = 5) -> Array:
    """By how much the mean absolute error rises where the values of a feature are shuffled."""
    draw = np.random.default_rng(seed)
    usual = np.abs(model.predict(rows) - labels).mean()
    out = np.zeros(rows.shape[1])
    for column in range(rows.shape[1]):
        for _ in range(times):
            shuffled = rows.copy()
            shuffled[:, column] = draw.permutation(shuffled[:, column])
            out[column] += np.abs(model.predict(shuffled) - labels).mean() - usual
    return out / times
