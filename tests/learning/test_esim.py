"""How ESIM is trained: gradients against differences, an error that falls, a folder that scores as the training did."""

import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import Array, Batch, Texts
from tercet.data.testset import References
from tercet.encoders.tiny import write_tiny_encoder
from tercet.encoders.weights import checksum
from tercet.errors import InputError
from tercet.learning import esim
from tercet.learning.esim import EsimPass, Pair, scored, trained_weights
from tercet.metrics.neural.esim_model import MIX, untrained_weights
from tests.learning.build import assessments, rankings, texts


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(esim, "SIZE", 4)
    monkeypatch.setattr(esim, "ROUNDS", 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("tiny") / "bert")


def loss(weights: dict[str, Array], pairs: list[Pair], labels: Array) -> float:
    """What is made less."""
    return float(((scored(weights, pairs) - labels) ** 2).mean() / 2)


def made_up(n: int) -> tuple[list[Pair], Array]:
    """Pairs of different lengths, and how many of their vectors are the same, as standard scores."""
    rng = np.random.default_rng(5)
    words = rng.normal(size=(12, 3))
    pairs, shared = [], []
    for _ in range(n):
        one = rng.integers(0, 12, rng.integers(2, 6))
        same = rng.random(len(one)) < rng.random()
        other = np.where(same, one, rng.integers(0, 12, len(one)))[: rng.integers(2, 6)]
        pairs.append((words[one], words[other]))
        shared.append(float(same.mean()))
    labels = np.array(shared)
    return pairs, (labels - labels.mean()) / labels.std()


def test_gradients_are_differences() -> None:
    rng = np.random.default_rng(3)
    pairs, labels = made_up(3)
    weights = {name: values + rng.normal(0, 0.2, values.shape) for name, values in untrained_weights(3, 2, 4).items()}
    weights |= {name: np.zeros_like(values) for name, values in weights.items() if "bias_hh" in name}
    found = EsimPass(weights, pairs).gradients(labels)
    assert set(weights) - set(found) == {name for name in weights if name.startswith(MIX) or "bias_hh" in name}
    for name, values in found.items():
        for place in (np.unravel_index(np.abs(values).argmax(), values.shape), tuple(n // 2 for n in values.shape)):
            ends = []
            for step in (1e-6, -1e-6):
                moved = {key: array.copy() for key, array in weights.items()}
                moved[name][place] += step
                ends.append(loss(moved, pairs, labels))
            assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(values[place], abs=1e-8), name
        assert np.abs(values).max() > 1e-5, name


def test_company_has_no_part_in_a_score() -> None:
    pairs, _ = made_up(5)
    weights = untrained_weights(3, 2, 4)
    alone = [scored(weights, [pair])[0] for pair in pairs]
    assert scored(weights, pairs) == pytest.approx(alone, abs=1e-12)


def test_the_error_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, labels = made_up(60)
    start = loss(untrained_weights(3, 1, 4, 1), pairs, labels)
    monkeypatch.setattr(esim, "ROUNDS", 12)
    monkeypatch.setattr(esim, "RATE", 0.02)
    weights = trained_weights(pairs, labels, 1, 1e-4, seed=1)
    assert loss(weights, pairs, labels) < 0.8 * min(start, 0.5)  # 0.5 is that of the mean
    assert np.corrcoef(scored(weights, pairs), labels)[0, 1] > 0.5


def test_a_folder_scores_as_the_training_did(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    whole = texts(segments=12)
    given: dict[str, Any] = {"testset": whole, "judgements": assessments(whole), "folds": 2, "encoder": str(folder)}
    found = tercet.train("esim", metrics=["chrf"], model=tmp_path / "esim", **given)
    assert found.metrics == ("trained esim", "chrf")
    assert (found.weights, found.learner, found.record().part) == ((), "ridge", "held-out")
    assert "weights-sha256:" in found.signature
    metric = tercet.metric(f'esim(model="{tmp_path / "esim"}")')
    hyps, refs = list(whole.systems["four"]), [refs[0] for refs in whole.references or ()]
    recipe = esim.EsimRecipe(str(folder), None)
    pairs = [pair for pair in recipe.read(Batch(Texts.of(hyps), References.of(refs))) if pair is not None]
    assert metric.segments(hyps, refs) == pytest.approx(scored(found.content["weights"], pairs), abs=1e-5)
    again = tercet.train("esim", model=tmp_path / "again", threads=2, **given)
    assert checksum(tmp_path / "again") == checksum(tmp_path / "esim")
    again.write(tmp_path / "again")  # one of ours may be written over
    for there in (folder, folder / "config.json"):
        with pytest.raises(InputError, match="is there, and is no ESIM that was trained here"):
            again.write(there)


def test_what_cannot_be_learnt(folder: pathlib.Path) -> None:
    whole = texts(segments=12)
    with pytest.raises(InputError, match="esim learns people's scores, not which of two outputs is better"):
        tercet.train("esim", testset=whole, judgements=rankings(whole), learner="svm", folds=2, encoder=str(folder))
    with pytest.raises(InputError, match="beer takes no encoder"):
        tercet.train("beer", testset=whole, judgements=rankings(whole), encoder=str(folder))
    with pytest.raises(InputError, match="is there, and is no ESIM"):
        tercet.train("esim", testset=whole, judgements=assessments(whole), encoder=str(folder), model=folder)
