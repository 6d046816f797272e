"""What recipes share that learn a network from pairs of texts: pairs by number, and the best of some rounds.

pairs + people's scores ──> rounds over batches, in an order that is drawn
──> the round that agrees best, by Pearson's r, with a tenth that was kept apart
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from tercet.data import Array, Batch, Ints
from tercet.errors import InputError
from tercet.learning.examples import Examples
from tercet.learning.recipes import FittedModel, Recipe
from tercet.metrics.models import Linear
from tercet.options.learning import Learner

Network = TypeVar("Network")


def best_round(
    network: Network,
    labels: Array,
    step: Callable[[Network, Ints], Network],
    scored: Callable[[Network, Ints], Array],
    *,
    rounds: int,
    batch: int,
    seed: int,
) -> Network:
    """The network of the round that agrees best with a tenth of the pairs, which it does not learn from."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(labels))
    apart = order[: len(labels) // 10] if len(labels) >= batch else order[:0]
    learnt_from = order[len(apart) :]
    best, kept = -np.inf, network
    for _ in range(rounds):
        for start in range(0, len(learnt_from), batch):
            network = step(network, learnt_from[start : start + batch])
        worth = _agreement(scored(network, apart), labels[apart])
        if worth >= best or not np.isfinite(worth):
            best, kept = (worth if np.isfinite(worth) else best), network
        learnt_from = draw.permutation(learnt_from)
    return kept


def _agreement(scores: Array, labels: Array) -> float:
    """Pearson's r; not defined for few or equal ones."""
    if len(scores) < 3 or not scores.std() or not labels.std():
        return float("nan")
    return float(np.corrcoef(scores, labels)[0, 1])


@dataclasses.dataclass(frozen=True)
class FittedNetwork(FittedModel):
    """A network in place of weights of features."""

    network: Any = None


class PairRecipe(Recipe):
    """Outputs and references, numbered as they come: their number is the only feature."""

    learner: Learner = "ridge"
    strengths = (10_000.0,)  # 1 over the decay of weights
    of_references = "Some segments have several references: the first of them was learnt from."

    def __init__(self) -> None:
        self.pairs: list[Any] = []

    @abc.abstractmethod
    def read(self, batch: Batch) -> Iterable[Any]:
        """Each output with its first reference, as the network takes them; None where one is empty."""

    @abc.abstractmethod
    def network(self, pairs: Sequence[Any], scores: Array, decay: float, seed: int) -> Any:
        """What is learnt from pairs and people's scores of them, which are not all equal."""

    @abc.abstractmethod
    def scored(self, network: Any, pairs: Sequence[Any]) -> Array:
        """What a network says of pairs."""

    def features(self, batch: Batch) -> Array:
        """The number of each pair; none where one side is empty."""
        rows = np.full((len(batch), 1), np.nan)
        for i, pair in enumerate(self.read(batch)):
            if pair is not None:
                rows[i, 0] = len(self.pairs)
                self.pairs.append(pair)
        return rows

    def trained(self, examples: Examples, strength: float, learner: Learner, seed: int) -> FittedNetwork:
        """A network from people's scores."""
        if learner != "ridge" or examples.scores is None:
            raise InputError(
                f"{self.name} learns people's scores, not which of two outputs is better.",
                hint="Leave --learner out, and give judgements that score each output.",
            )
        if examples.scores.min() == examples.scores.max():
            raise InputError("All scores that there are to learn from are equal.", hint="Bring more judgements.")
        pairs = [self.pairs[int(i)] for i in examples.rows[:, 0]]
        network = self.network(pairs, examples.scores, 1 / strength, seed)
        return FittedNetwork(Linear((), (), ()), network=network)

    def score(self, fitted: FittedModel, features: Array) -> Array:
        if not isinstance(fitted, FittedNetwork):
            raise TypeError(fitted)
        scores = np.full(features.shape[:-1], np.nan)
        there = self.usable(features)
        scores[there] = self.scored(fitted.network, [self.pairs[int(i)] for i in features[there][:, 0]])
        return scores
