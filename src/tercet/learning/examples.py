"""Examples to learn from: outputs with their features, and what people said of them, pooled over directions.

comparisons    of two outputs of a segment one is better; ties teach nothing
scores         one of each output
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from tercet.data import Array, Ints, Outcome
from tercet.errors import InputError
from tercet.learning.directions import Flags, LearningDirection


@dataclasses.dataclass(frozen=True, eq=False)
class Examples:
    """Outputs that people judged, and either comparisons of them or their scores."""

    rows: Array  # (outputs, k): features
    fold: Ints  # of each output, from 1
    better: Ints  # outputs, one for each comparison
    worse: Ints
    times: Array  # how often each comparison was made
    scores: Array | None = None  # of each output, where there are scores to learn

    def part(self, held_out: int) -> Examples:
        """All but one fold; 0 holds out nothing."""
        if held_out == 0:
            return self
        keep = self.fold != held_out
        place = np.cumsum(keep) - 1
        pairs = keep[self.better]  # both outputs are of one segment, and so of one fold
        return Examples(
            self.rows[keep],
            self.fold[keep],
            place[self.better[pairs]],
            place[self.worse[pairs]],
            self.times[pairs],
            None if self.scores is None else self.scores[keep],
        )

    @property
    def n(self) -> int:
        """How many comparisons there are to learn from, or scores where those are learnt."""
        return int(self.times.sum()) if self.scores is None else len(self.scores)


Usable = Callable[[Array], Flags]  # features of outputs to whether they can be learnt from


def compared(directions: Sequence[LearningDirection], usable: Usable) -> Examples:
    """Comparisons of every direction, equal ones together."""
    return _joined([_compared(d, usable) for d in directions])


def scored(directions: Sequence[LearningDirection], usable: Usable) -> Examples:
    """Scores of every direction."""
    return _joined([_scored(d, usable) for d in directions])


def _compared(direction: LearningDirection, usable: Usable) -> Examples:
    gold = direction.people.gold("segment", "pairs")
    rows, known = direction.in_order(gold, direction.rows, direction.testset.segments)
    pairs = gold.comparisons.part(gold.comparisons.outcome != Outcome.TIE)
    left_wins = pairs.outcome == Outcome.LEFT_BETTER
    better = np.where(left_wins, pairs.left, pairs.right) * len(gold.items) + pairs.segment
    worse = np.where(left_wins, pairs.right, pairs.left) * len(gold.items) + pairs.segment
    fine = (known & usable(rows)).reshape(-1)
    both = fine[better] & fine[worse]
    met, times = np.unique(np.stack([better[both], worse[both]]), axis=1, return_counts=True)
    cells, place = np.unique(met, return_inverse=True)
    first, second = place.reshape(2, -1)
    return Examples(
        rows.reshape(-1, rows.shape[-1])[cells],
        _folds(direction, gold.items)[cells % len(gold.items)],
        first,
        second,
        times.astype(np.float64),
    )


def _scored(direction: LearningDirection, usable: Usable) -> Examples:
    gold = direction.people.gold("segment", "scores")
    rows, known = direction.in_order(gold, direction.rows, direction.testset.segments)
    cells = np.flatnonzero(known & usable(rows) & np.isfinite(gold.scores))
    none = np.zeros(0, dtype=np.int64)
    return Examples(
        rows.reshape(-1, rows.shape[-1])[cells],
        _folds(direction, gold.items)[cells % len(gold.items)],
        none,
        none,
        np.zeros(0),
        gold.scores.reshape(-1)[cells],
    )


def _folds(direction: LearningDirection, items: Sequence[str]) -> Ints:
    return np.array([direction.fold_of.get(item, 1) for item in items], dtype=np.int64)


def _joined(parts: Sequence[Examples]) -> Examples:
    starts = np.cumsum([0, *(len(part.rows) for part in parts)])
    whole = Examples(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.fold for part in parts]),
        np.concatenate([part.better + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.worse + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.times for part in parts]),
        None if parts[0].scores is None else np.concatenate([e.scores for e in parts if e.scores is not None]),
    )
    if not whole.n:
        raise InputError("There is nothing to learn from: people preferred no output.", hint="Bring more judgements.")
    return whole
