"""The network of UoW-LSTM (Gupta et al. 2015, ReVal): child-sum Tree-LSTMs of two trees, and how alike their roots are.

Of a word j with the vector x and dependents k, where s is the logistic function and h~ the sum of all h_k:

    i = s(Wi x + Ui h~ + bi)    f_k = s(Wf x + Uf h_k + bf)    u = tanh(Wu x + Uu h~ + bu)
    c = i u + sum of f_k c_k    h = tanh(c)

Of two roots a and b: [a b, |a - b|] -> 50 -> s -> 5 -> softmax: how likely each of the grades 1 to 5 is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import Array
from tercet.errors import InputError
from tercet.metrics.elementary import exp
from tercet.metrics.models import Fields
from tercet.numbers import plain

GATES = ("i", "f", "u")
GRADES = 5
_HIDDEN = 50
MOST_NUMBERS = 4_000_000  # of a model


def shapes(size: int, dimension: int) -> dict[str, tuple[int, ...]]:
    """What every weight is called, and its shape."""
    named: dict[str, tuple[int, ...]] = {"Ws": (_HIDDEN, 2 * size), "bs": (_HIDDEN,)}
    named |= {"Wp": (GRADES, _HIDDEN), "bp": (GRADES,)}
    for gate in GATES:
        named |= {f"W{gate}": (size, dimension), f"U{gate}": (size, size), f"b{gate}": (size,)}
    return named


@dataclasses.dataclass(frozen=True, eq=False)
class TreeReading:
    """A tree that was read: everything that its gates gave, word by word."""

    vectors: Array
    heads: Sequence[int]
    order: Sequence[int]  # dependents before their heads
    below: Sequence[Sequence[int]]
    states: Array  # h
    cells: Array  # c
    inputs: Array  # i
    updates: Array  # u
    forgets: Array  # f, at the dependent
    sums: Array  # h~

    @property
    def roots(self) -> list[int]:
        """Words without a head."""
        return [place for place, head in enumerate(self.heads) if head < 0]

    @property
    def root(self) -> Array:
        """The state of the root; of several, their mean."""
        mean: Array = self.states[self.roots].mean(axis=0)
        return mean


@dataclasses.dataclass(frozen=True, eq=False)
class TreeNetwork:
    """Weights by their names."""

    weights: Mapping[str, Array]

    @property
    def size(self) -> int:
        """Numbers of a state."""
        return int(self.weights["bi"].shape[0])

    @property
    def dimension(self) -> int:
        """Numbers of a word's vector."""
        return int(self.weights["Wi"].shape[1])

    @classmethod
    def random(cls, size: int, dimension: int, seed: int) -> TreeNetwork:
        """Weights to begin with."""
        draw = np.random.default_rng(seed)
        made = {}
        for name, shape in shapes(size, dimension).items():
            bound = shape[-1] ** -0.5
            made[name] = np.zeros(shape) if name.startswith("b") else draw.uniform(-bound, bound, shape)
        return cls(made)

    @classmethod
    def from_fields(cls, fields: Fields, path: str) -> TreeNetwork:
        """Weights of a model file."""
        size, dimension = (int(fields.number(name)) for name in ("size", "dimension"))
        wanted = shapes(size, dimension) if 0 < size < 5000 and 0 < dimension < 10_000 else {}
        given = fields.inside("weights").content
        weights = {}
        for name, shape in wanted.items():
            values = given.get(name)
            many = int(np.prod(shape))
            fine = isinstance(values, list) and len(values) == many <= MOST_NUMBERS
            if not fine or not all(type(v) in (int, float) and abs(v) < 1e30 for v in values or ()):
                raise InputError(f"{path}: the weights {name} are not what they must be.", hint="Train it again.")
            weights[name] = np.array(values, dtype=np.float64).reshape(shape)
        if not weights:
            raise InputError(f"{path}: size and dimension are not what they must be.", hint="Train it again.")
        return cls(weights)

    def as_lists(self, digits: int) -> dict[str, list[float]]:
        """Weights for a model file."""
        return {name: [float(plain(v, digits)) for v in w.reshape(-1).tolist()] for name, w in self.weights.items()}

    def read(self, vectors: Array, heads: Sequence[int]) -> TreeReading:
        """A tree of words with their vectors, from its leaves to its root."""
        w, n = self.weights, len(heads)
        below: list[list[int]] = [[] for _ in heads]
        for place, head in enumerate(heads):
            if head >= 0:
                below[head].append(place)
        order = [place for place, head in enumerate(heads) if head < 0]
        for place in order:
            order += below[place]
        from_words = {gate: vectors @ w[f"W{gate}"].T + w[f"b{gate}"] for gate in GATES}
        states, cells, inputs, updates, forgets, sums = (np.zeros((n, self.size)) for _ in range(6))
        for place in reversed(order):
            dependents = below[place]
            sums[place] = states[dependents].sum(axis=0)
            inputs[place] = logistic(from_words["i"][place] + w["Ui"] @ sums[place])
            updates[place] = np.tanh(from_words["u"][place] + w["Uu"] @ sums[place])
            cells[place] = inputs[place] * updates[place]
            if dependents:
                forgets[dependents] = logistic(from_words["f"][place] + states[dependents] @ w["Uf"].T)
                cells[place] += (forgets[dependents] * cells[dependents]).sum(axis=0)
            states[place] = np.tanh(cells[place])
        return TreeReading(vectors, heads, order[::-1], below, states, cells, inputs, updates, forgets, sums)

    def grades(self, one: Array, other: Array) -> tuple[Array, Array, Array]:
        """How alike two roots are: what goes in, the hidden layer, and the probability of each grade."""
        w = self.weights
        alike = np.concatenate([one * other, np.abs(one - other)])
        hidden = logistic(w["Ws"] @ alike + w["bs"])
        raw = w["Wp"] @ hidden + w["bp"]
        likely = exp(raw - raw.max())
        return alike, hidden, likely / likely.sum()

    def score(self, one: Array, other: Array) -> float:
        """The expected grade, from 0 to 1."""
        likely = self.grades(one, other)[2]
        return float((likely * np.arange(GRADES)).sum() / (GRADES - 1))


def logistic(values: Array) -> Array:
    """1 / (1 + exp(-x)), whatever x is.

    >>> logistic(np.array([-1000.0, 0.0])).tolist()
    [0.0, 0.5]
    """
    result: Array = 0.5 * (1 + np.tanh(0.5 * values))
    return result


def untrained(dimension: int) -> TreeNetwork:
    """Random weights whose last layers only ask how far apart two roots are: for trying out."""
    size = 16
    weights: dict[str, Any] = dict(TreeNetwork.random(size, dimension, 7).weights)
    for gate in GATES:
        weights[f"W{gate}"] = weights[f"W{gate}"] * 20  # vectors of unknown words are small
    weights["Ws"] = np.tile(np.concatenate([np.zeros(size), np.full(size, 4.0 / size)]), (_HIDDEN, 1))
    weights["Wp"] = np.repeat(-np.arange(GRADES, dtype=np.float64)[:, None], _HIDDEN, axis=1) * 12 / _HIDDEN
    weights["bp"] = 8.0 * np.arange(GRADES)
    return TreeNetwork(weights)
