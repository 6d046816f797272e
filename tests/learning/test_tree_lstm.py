"""How UoW-LSTM is trained: gradients against differences, rounds that agree better, a model that scores as it did."""

import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import contents
from tercet.errors import InputError
from tercet.learning import tree_lstm
from tercet.learning.tree_lstm import Sides, gradients, scored, trained_network, two_grades
from tercet.metrics import models
from tercet.metrics.parsed.tree_lstm import TreeNetwork, shapes
from tests.learning.build import assessments, rankings, texts


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_lstm, "SIZE", 4)
    monkeypatch.setattr(tree_lstm, "ROUNDS", 2)


def loss(network: TreeNetwork, sides: Sides, label: float) -> float:
    """What is made less, but for a constant."""
    roots = [network.read(*side).root for side in sides]
    return float(-(two_grades(label) * np.log(network.grades(roots[0], roots[1])[2])).sum())


@pytest.mark.parametrize("heads", [[1, -1, 1, 2], [-1, 0, -1, 2], [-1, 0, 1, 2]])
def test_gradients_are_differences(heads: list[int]) -> None:
    rng = np.random.default_rng(3)
    network = TreeNetwork.random(4, 3, 1)
    sides: Sides = ((rng.normal(size=(4, 3)), heads), (rng.normal(size=(2, 3)), [1, -1]))
    found = gradients(network, sides, 0.3)
    assert set(found) == set(shapes(4, 3))
    for name, values in found.items():
        place = tuple(int(rng.integers(0, n)) for n in values.shape)
        ends = []
        for step in (1e-6, -1e-6):
            moved = {key: weights.copy() for key, weights in network.weights.items()}
            moved[name][place] += step
            ends.append(loss(TreeNetwork(moved), sides, 0.3))
        assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(values[place], abs=1e-8)


def test_labels_lie_between_two_grades() -> None:
    for label in (0.0, 0.2, 0.5, 0.99, 1.0):
        assert two_grades(label).sum() == pytest.approx(1)
        assert (two_grades(label) * np.arange(5)).sum() / 4 == pytest.approx(label)


def test_a_network_learns_what_is_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pairs that are the same or not it gives the former more."""
    monkeypatch.setattr(tree_lstm, "ROUNDS", 15)
    rng = np.random.default_rng(5)
    words = rng.normal(size=(12, 3))
    pairs: list[Sides] = []
    labels = []
    for k in range(60):
        one = rng.integers(0, 12, 3)
        other = one if k % 2 else rng.integers(0, 12, 3)
        pairs.append(((words[one], [1, -1, 1]), (words[other], [1, -1, 1])))
        labels.append(float(k % 2))
    network = trained_network(pairs, np.array(labels), 1e-4, seed=1)
    scores = np.array([scored(network, sides) for sides in pairs])
    assert np.corrcoef(scores, labels)[0, 1] > 0.5
    again = trained_network(pairs, np.array(labels), 1e-4, seed=1)
    assert all((again.weights[name] == values).all() for name, values in network.weights.items())


def test_a_model_scores_as_it_did(tmp_path: pathlib.Path) -> None:
    whole, path = texts(), tmp_path / "uow.json"
    people, vectors = assessments(whole), tmp_path / "a.vec"
    vectors.write_text("1 2\na 1 0\n", encoding="utf-8")
    given: dict[str, Any] = {"judgements": people, "folds": 2, "metrics": ["chrf"], "vectors": vectors}
    found = tercet.train("uow-lstm", testset=whole, model=path, **given)
    assert f"|vectors-sha256:{contents.checksum(str(vectors))}" in found.signature
    assert found.metrics == ("trained uow-lstm", "chrf")
    assert (found.weights, found.learner, found.record().part) == ((), "ridge", "held-out")
    metric = tercet.metric(f'uow-lstm(model="{path}", vectors="{vectors}")')
    told = tercet.meta(
        testset=whole,
        judgements=people,
        metrics=[metric],
        measures=found.records[0].measure,
        level="segment",
        interval="none",
        test="none",
    )
    assert told.records[0].value == pytest.approx(found.record("all").value, abs=1e-6)
    content = models.read(str(path), signed=True)
    assert content["training"] == found.signature


def test_what_cannot_be_learnt(tmp_path: pathlib.Path) -> None:
    whole = texts()
    with pytest.raises(InputError, match="learns people's scores, not which of two outputs is better"):
        tercet.train("uow-lstm", testset=whole, judgements=rankings(whole), learner="svm", folds=2)
    vectors = tmp_path / "a.vec"
    vectors.write_text("1 2\na 1 0\n", encoding="utf-8")
    with pytest.raises(InputError, match="beer has no vectors of words"):
        tercet.train("beer", testset=whole, judgements=rankings(whole), vectors=vectors)
