"""How UoW-LSTM is trained (Gupta et al. 2015): gradients of its network, AdaGrad, and the recipe for `train`.

pairs of trees + people's scores ──> from 0 to 1 ──> two neighbouring grades each ──> rounds of AdaGrad in batches of 25
──> the round that agrees best, by Pearson's r, with a tenth that was kept apart
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tercet.data import Array, Batch
from tercet.errors import InputError
from tercet.formats.conllu import Tree
from tercet.learning.directions import Flags
from tercet.learning.examples import Examples
from tercet.learning.recipes import DIGITS, FittedModel, Recipe
from tercet.metrics.models import Linear
from tercet.metrics.parsed.tree_lstm import GATES, GRADES, TreeNetwork, TreeReading
from tercet.metrics.parsed.uow_lstm import KIND, UowLstm, word_vectors
from tercet.options.learning import Kind, Learner

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
    """The network of the round that agrees best with a tenth of the pairs, which it does not learn from."""
    draw = np.random.default_rng(seed)
    network = TreeNetwork.random(SIZE, pairs[0][0][0].shape[1], seed)
    order = draw.permutation(len(pairs))
    apart = order[: len(pairs) // 10] if len(pairs) >= BATCH else order[:0]
    learnt_from = order[len(apart) :]
    sums = {name: np.zeros_like(values) for name, values in network.weights.items()}
    best, kept = -np.inf, network
    for _ in range(ROUNDS):
        for start in range(0, len(learnt_from), BATCH):
            some = learnt_from[start : start + BATCH]
            network = _step(network, [(pairs[i], float(labels[i])) for i in some], sums, decay)
        worth = _agreement(network, [pairs[i] for i in apart], labels[apart])
        if worth >= best or not np.isfinite(worth):
            best, kept = (worth if np.isfinite(worth) else best), network
        learnt_from = draw.permutation(learnt_from)
    return kept


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


def _agreement(network: TreeNetwork, pairs: Sequence[Sides], labels: Array) -> float:
    """Pearson's r; not defined for few or equal ones."""
    scores = np.array([scored(network, sides) for sides in pairs])
    if len(scores) < 3 or not scores.std() or not labels.std():
        return float("nan")
    return float(np.corrcoef(scores, labels)[0, 1])


def scored(network: TreeNetwork, sides: Sides) -> float:
    """What a network says of two trees."""
    return network.score(*(network.read(*side).root for side in sides))


@dataclasses.dataclass(frozen=True)
class FittedNetwork(FittedModel):
    """A network in place of weights of features."""

    network: TreeNetwork = dataclasses.field(default_factory=lambda: TreeNetwork({}))


class UowRecipe(Recipe):
    """Trees of outputs and references, numbered as they come: their number is the only feature."""

    name: Kind = "uow-lstm"
    title = "trained uow-lstm"
    learner: Learner = "ridge"
    strengths = (10_000.0,)  # 1 over the decay of weights
    of_references = "Some segments have several references: the first of them was learnt from."

    def __init__(self, parses: str | None, vectors: str | None) -> None:
        self.metric = UowLstm(parses=parses, vectors=vectors)
        self.dimension = self.metric.network.dimension
        self.pairs: list[Sides] = []
        self._sides: dict[Tree, tuple[Array, Sequence[int]]] = {}

    def features(self, batch: Batch) -> Array:
        """The number of each pair of trees; none where one is empty."""
        references = batch.required_references()
        refs = self.metric.trees(references.texts, batch.threads)
        rows = np.full((len(batch), 1), np.nan)
        for i, hyp in enumerate(self.metric.trees(batch.hypotheses, batch.threads)):
            ref = refs[int(references.groups[i])]
            if hyp and ref:
                rows[i, 0] = len(self.pairs)
                self.pairs.append((self._side(hyp), self._side(ref)))
        return rows

    def _side(self, tree: Tree) -> tuple[Array, Sequence[int]]:
        if tree not in self._sides:
            vectors = word_vectors([word.form for word in tree], self.metric.vectors, self.dimension)
            self._sides[tree] = vectors, [word.head for word in tree]
        return self._sides[tree]

    def usable(self, features: Array) -> Flags:
        return np.asarray(np.isfinite(features).all(axis=-1))

    def trained(self, examples: Examples, strength: float, learner: Learner, seed: int) -> FittedNetwork:
        """A network from people's scores, which are stretched from 0 to 1."""
        if learner != "ridge" or examples.scores is None:
            raise InputError(
                "uow-lstm learns people's scores, not which of two outputs is better.",
                hint="Leave --learner out, and give judgements that score each output.",
            )
        low, high = float(examples.scores.min()), float(examples.scores.max())
        if low == high:
            raise InputError("All scores that there are to learn from are equal.", hint="Bring more judgements.")
        pairs = [self.pairs[int(i)] for i in examples.rows[:, 0]]
        labels = (examples.scores - low) / (high - low)
        network = trained_network(pairs, labels, 1 / strength, seed)
        return FittedNetwork(Linear((), (), ()), network=network)

    def score(self, fitted: FittedModel, features: Array) -> Array:
        network = fitted.network if isinstance(fitted, FittedNetwork) else TreeNetwork({})
        flat = features[..., 0].reshape(-1)
        values = [scored(network, self.pairs[int(i)]) if np.isfinite(i) else np.nan for i in flat]
        return np.array(values).reshape(features.shape[:-1])

    def content(self, fitted: FittedModel) -> dict[str, Any]:
        network = fitted.network if isinstance(fitted, FittedNetwork) else TreeNetwork({})
        facts = {key: value for key, value in self.metric.facts().items() if key != "parses-sha256"}
        return {
            "kind": KIND,
            "size": network.size,
            "dimension": network.dimension,
            "facts": facts,
            "weights": network.as_lists(DIGITS),
        }
