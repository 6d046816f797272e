"""How UoW-LSTM is trained (Gupta et al. 2015): gradients of its network, AdaGrad, and the recipe for `train`.

pairs of trees + people's scores ──> from 0 to 1 ──> two neighbouring grades each ──> rounds of AdaGrad in batches of 25
──> the round that agrees best, by Pearson's r, with a tenth that was kept apart
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tercet.data import Array, Batch, Ints
from tercet.formats.conllu import Tree
from tercet.learning.pairs import FittedNetwork, PairRecipe, best_round
from tercet.learning.recipes import DIGITS, FittedModel, Recipe
from tercet.metrics.parsed.tree_lstm import GATES, GRADES, TreeNetwork, TreeReading
from tercet.metrics.parsed.uow_lstm import KIND, UowLstm, word_vectors
from tercet.options.learning import Kind, TrainOptions

RATE: Final = 0.05
BATCH: Final = 25
ROUNDS = 10
SIZE = 150  # of a state
Gradients = dict[str, Array]
Sides = tuple[tuple[Array, Sequence[int]], tuple[Array, Sequence[int]]]  # vectors and heads of both trees


def two_grades(label: float) -> Array:
    """A score from 0 to 1 as the probabilities of the two grades that it lies between.

    >>> two_grades(0.3).round(3).tolist()
    [0.0, 0.8, 0.2, 0.0, 0.0]
    """
    place = label * (GRADES - 1)
    low = min(int(place), GRADES - 2)
    grades = np.zeros(GRADES)
    grades[low], grades[low + 1] = 1 - (place - low), place - low
    return grades


def gradients(network: TreeNetwork, sides: Sides, label: float) -> Gradients:
    """Of the Kullback-Leibler divergence of the grades of two trees from those of a label."""
    w = network.weights
    readings = [network.read(*side) for side in sides]
    one, other = (reading.root for reading in readings)
    alike, hidden, likely = network.grades(one, other)
    d_raw = likely - two_grades(label)
    d_hidden = (w["Wp"].T @ d_raw) * hidden * (1 - hidden)
    d_alike = w["Ws"].T @ d_hidden
    out = {"Wp": np.outer(d_raw, hidden), "bp": d_raw, "Ws": np.outer(d_hidden, alike), "bs": d_hidden}
    product, apart = d_alike[: network.size], d_alike[network.size :] * np.sign(one - other)
    for reading, slope in zip(readings, (product * other + apart, product * one - apart), strict=True):
        for name, values in tree_gradients(network, reading, slope).items():
            out[name] = out[name] + values if name in out else values
    return out


def tree_gradients(network: TreeNetwork, reading: TreeReading, slope: Array) -> Gradients:
    """Of something whose slope at the root is known, by all weights of the gates."""
    w, roots = network.weights, reading.roots
    d_states, d_cells = np.zeros_like(reading.states), np.zeros_like(reading.cells)
    d_states[roots] = slope / len(roots)
    of_gates = {gate: np.zeros_like(reading.states) for gate in GATES}  # that of f at the dependent
    for place in reversed(reading.order):
        below = reading.below[place]
        cell = d_cells[place] + d_states[place] * (1 - reading.states[place] ** 2)
        i, u = reading.inputs[place], reading.updates[place]
        of_gates["i"][place] = cell * u * i * (1 - i)
        of_gates["u"][place] = cell * i * (1 - u**2)
        if below:
            f = reading.forgets[below]
            of_gates["f"][below] = cell * reading.cells[below] * f * (1 - f)
            d_cells[below] += cell * f
            d_states[below] += w["Ui"].T @ of_gates["i"][place] + w["Uu"].T @ of_gates["u"][place]
            d_states[below] += of_gates["f"][below] @ w["Uf"]
    heads = np.array(reading.heads)
    at_head = reading.vectors[np.maximum(heads, 0)]  # a root forgets nothing: its slope is 0
    out: Gradients = {}
    for gate, words, below_states in (
        ("i", reading.vectors, reading.sums),
        ("u", reading.vectors, reading.sums),
        ("f", at_head, reading.states),
    ):
        out[f"W{gate}"] = of_gates[gate].T @ words
        out[f"U{gate}"] = of_gates[gate].T @ below_states
        out[f"b{gate}"] = of_gates[gate].sum(axis=0)
    return out


def trained_network(pairs: Sequence[Sides], labels: Array, decay: float, seed: int) -> TreeNetwork:
    """The network of the round that agrees best with a tenth of the pairs."""
    network = TreeNetwork.random(SIZE, pairs[0][0][0].shape[1], seed)
    sums = {name: np.zeros_like(values) for name, values in network.weights.items()}

    def step(network: TreeNetwork, some: Ints) -> TreeNetwork:
        return _step(network, [(pairs[i], float(labels[i])) for i in some], sums, decay)

    def agreed(network: TreeNetwork, some: Ints) -> Array:
        return np.array([scored(network, pairs[i]) for i in some])

    return best_round(network, labels, step, agreed, rounds=ROUNDS, batch=BATCH, seed=seed)


def _step(
    network: TreeNetwork, batch: Sequence[tuple[Sides, float]], sums: Mapping[str, Array], decay: float
) -> TreeNetwork:
    total: Gradients = {name: decay * values for name, values in network.weights.items()}
    for sides, label in batch:
        for name, values in gradients(network, sides, label).items():
            total[name] = total[name] + values / len(batch)
    moved = {}
    for name, values in network.weights.items():
        sums[name][...] += total[name] ** 2
        moved[name] = values - RATE * total[name] / (np.sqrt(sums[name]) + 1e-10)
    return TreeNetwork(moved)


def scored(network: TreeNetwork, sides: Sides) -> float:
    """What a network says of two trees."""
    return network.score(*(network.read(*side).root for side in sides))


class UowRecipe(PairRecipe):
    """Trees of outputs and references."""

    name: Kind = "uow-lstm"
    title = "trained uow-lstm"
    takes = ("parses", "vectors")

    @classmethod
    def of(cls, asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
        return cls(*(None if path is None else str(path) for path in (asked.parses, asked.vectors)))

    def __init__(self, parses: str | None, vectors: str | None) -> None:
        super().__init__()
        self.metric = UowLstm(parses=parses, vectors=vectors)
        self.dimension = self.metric.network.dimension
        self._sides: dict[Tree, tuple[Array, Sequence[int]]] = {}

    def read(self, batch: Batch) -> Iterator[Sides | None]:
        """Each pair of trees; none where one is empty."""
        references = batch.required_references()
        refs = self.metric.trees(references.texts, batch.threads)
        for hyp, first in zip(self.metric.trees(batch.hypotheses, batch.threads), references.groups, strict=False):
            ref = refs[int(first)]
            yield (self._side(hyp), self._side(ref)) if hyp and ref else None

    def _side(self, tree: Tree) -> tuple[Array, Sequence[int]]:
        if tree not in self._sides:
            vectors = word_vectors([word.form for word in tree], self.metric.vectors, self.dimension)
            self._sides[tree] = vectors, [word.head for word in tree]
        return self._sides[tree]

    def network(self, pairs: Sequence[Sides], scores: Array, decay: float, seed: int) -> TreeNetwork:
        """Scores are stretched from 0 to 1."""
        low, high = float(scores.min()), float(scores.max())
        return trained_network(pairs, (scores - low) / (high - low), decay, seed)

    def scored(self, network: TreeNetwork, pairs: Sequence[Sides]) -> Array:
        return np.array([scored(network, sides) for sides in pairs])

    def facts(self) -> dict[str, str]:
        return self.metric.facts()

    def content(self, fitted: FittedModel) -> dict[str, Any]:
        network = fitted.network if isinstance(fitted, FittedNetwork) else TreeNetwork({})
        facts = {key: value for key, value in self.facts().items() if key != "parses-sha256"}
        return {
            "kind": KIND,
            "size": network.size,
            "dimension": network.dimension,
            "facts": facts,
            "weights": network.as_lists(DIGITS),
        }
