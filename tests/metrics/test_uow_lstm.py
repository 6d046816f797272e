"""UoW-LSTM: its network by hand, its vectors, and models that are none."""

import math
import pathlib

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.metrics import models
from tercet.metrics.parsed.tree_lstm import TreeNetwork, shapes
from tercet.metrics.parsed.uow_lstm import word_vectors


def s(x: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-x))


def test_the_network_by_hand() -> None:
    """One number a vector and a state; all weights of gates .5, biases of f .25: b depends on a."""
    weights = {name: np.full(shape, 0.5) for name, shape in shapes(1, 1).items()}
    weights |= {"bi": np.zeros(1), "bu": np.zeros(1), "bf": np.full(1, 0.25)}
    leaf_cell = s(0.5 * 2) * math.tanh(0.5 * 2)
    leaf = math.tanh(leaf_cell)
    head_cell = s(0.5 + 0.5 * leaf) * math.tanh(0.5 + 0.5 * leaf) + s(0.5 + 0.5 * leaf + 0.25) * leaf_cell
    network = TreeNetwork(weights)
    reading = network.read(np.array([[1.0], [2.0]]), [-1, 0])
    assert reading.root == pytest.approx([math.tanh(head_cell)], abs=1e-12)
    two = network.read(np.array([[2.0], [2.0]]), [-1, -1])
    assert two.root == pytest.approx([leaf], abs=1e-12)
    assert network.score(reading.root, two.root) == 0.5  # all grades weigh alike


def test_vectors_of_words(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.vec"
    path.write_text("1 2\ncat 3 4\n", encoding="utf-8")
    rows = word_vectors(["cat", "dog", "dog", "god"], str(path), 2)
    assert rows[0] == pytest.approx([0.6, 0.8])
    assert rows[1].tolist() == rows[2].tolist() != rows[3].tolist()
    assert (np.abs(rows[1:]) <= 0.05).all()
    with pytest.raises(InputError, match="has vectors of 2 numbers, and the model takes 3"):
        word_vectors(["cat"], str(path), 3)
    assert tercet.metric(f'uow-lstm(vectors="{path}")').network.dimension == 2  # type: ignore[attr-defined]


def test_more_alike_is_better_even_untrained() -> None:
    metric = tercet.metric("uow-lstm")
    scores = metric.segments(["the cat sat", "the cat ran", "other words here", ""], ["the cat sat"] * 4)
    assert scores[0] > scores[1] > scores[2]
    assert np.isnan(scores[3])
    assert metric.segments(["x y"], [["a b", "x y"]])[0] == metric.segments(["x y"], ["x y"])[0]
    with pytest.raises(InputError, match="too many for uow-lstm"):
        metric.segments(["a " * 2001], ["b"])


def test_models_that_are_none(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.json"
    good = {"kind": "uow-lstm", "size": 1, "dimension": 1}
    fine = {name: [0.0] * int(np.prod(shape)) for name, shape in shapes(1, 1).items()}
    for content, said in (
        ({"kind": "beer"}, "is no model of uow-lstm"),
        ({**good, "size": 0, "weights": fine}, "size and dimension are not"),
        ({**good, "weights": {**fine, "Ui": [0.0, 1.0]}}, "the weights Ui are not"),
        ({**good, "weights": {**fine, "Ui": ["x"]}}, "the weights Ui are not"),
    ):
        models.write(path, content)
        with pytest.raises(InputError, match=said):
            tercet.metric(f'uow-lstm(model="{path}")').segments(["a"], ["b"])
    models.write(path, {**good, "weights": fine})
    assert tercet.metric(f'uow-lstm(model="{path}")').segments(["a"], ["b"])[0] == 0.5
    with pytest.raises(SpecError, match="model must be a file that is there"):
        tercet.metric("uow-lstm(model=nowhere)")
