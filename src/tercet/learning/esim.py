"""How ESIM is trained (Mathur et al. 2019): gradients of its network, Adam, and the recipe for `train`.

vectors of a frozen encoder, read once, its layers mixed evenly ──> standard scores of people's judgements
──> squared error, rounds of Adam in batches of 16 ──> the round that agrees best with a tenth that was kept apart

The network is that of `metrics.neural.esim_model`, under the same names, for a batch of pairs at once: references
first, then translations, (2 pairs, tokens, dimensions). What is behind the end of a text is not attended to nor pooled.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tercet.data import Array, Batch, Ints
from tercet.encoders.architecture import json_object
from tercet.encoders.weights import SINGLE
from tercet.errors import InputError, extra
from tercet.formats.lines import File, replacing_folder
from tercet.learning.pairs import FittedNetwork, PairRecipe, best_round
from tercet.learning.recipes import FittedModel, Recipe
from tercet.metrics.neural.esim import PIECES, UNTRAINED, Esim
from tercet.metrics.neural.esim_model import ENCODER, INFERENCE, OUTPUT, PROJECTION, untrained_weights
from tercet.options.learning import Kind, TrainOptions

RATE: Final = 0.001
BATCH: Final = 16
ROUNDS = 20
SIZE = 64  # of a state
Weights = dict[str, Array]
Pair = tuple[Any, Any]  # vectors of reference and translation
_DIRECTIONS = ("", "_reverse")


class _Lstm:
    """A reading of rows in both directions, kept for its gradients. Arrays are (2, tokens, rows, size)."""

    def __init__(self, weights: Mapping[str, Array], name: str, rows: Array, lengths: Ints) -> None:
        self.name = name
        kinds = ("weight_ih", "weight_hh", "bias_ih")
        self.into, self.on, bias = (np.stack([weights[f"{name}{k}_l0{d}"] for d in _DIRECTIONS]) for k in kinds)
        places = np.arange(rows.shape[1])
        # backwards up to the end of each text: what follows it comes last in both directions
        self.turned = np.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)[..., None]
        self.rows = np.stack([rows, self._turn(rows)]).swapaxes(1, 2)
        n = self.size = self.on.shape[2]
        self.gates = self.rows @ self.into.swapaxes(1, 2)[:, None] + bias[:, None, None]  # input, forget, cell, output
        self.cells, self.states = (np.zeros((2, len(places), len(rows), n)) for _ in range(2))
        state = cell = np.zeros((2, len(rows), n))
        for t in range(len(places)):
            gates = self.gates[:, t] + state @ self.on.swapaxes(1, 2)
            fresh = np.tanh(gates[..., 2 * n : 3 * n])
            self.gates[:, t] = gates = (1 + np.tanh(gates / 2)) / 2
            self.gates[:, t, :, 2 * n : 3 * n] = fresh
            self.cells[:, t] = cell = gates[..., n : 2 * n] * cell + gates[..., :n] * fresh
            self.states[:, t] = state = gates[..., 3 * n :] * np.tanh(cell)
        ahead, back = self.states.swapaxes(1, 2)
        self.out = np.concatenate([ahead, self._turn(back)], axis=2)

    def _turn(self, rows: Array) -> Array:
        turned: Array = np.take_along_axis(rows, self.turned, axis=1)
        return turned

    def gradients(self, slope: Array, out: Weights) -> Array:
        """Of something whose slope is known at `out`: by the weights, added to `out`, and by gates."""
        n = self.size
        slopes = np.stack([slope[..., :n], self._turn(slope[..., n:])]).swapaxes(1, 2)
        of_gates = np.zeros_like(self.gates)
        d_state = d_cell = np.zeros_like(self.states[:, 0])
        for t in reversed(range(slopes.shape[1])):
            i, f, fresh, o = (self.gates[:, t, :, k * n : (k + 1) * n] for k in range(4))
            before = self.cells[:, t - 1] if t else np.zeros_like(d_cell)
            shown = np.tanh(self.cells[:, t])
            d_state = d_state + slopes[:, t]
            d_cell = d_cell + d_state * o * (1 - shown**2)
            parts = (d_cell * fresh * i * (1 - i), d_cell * before * f * (1 - f), d_cell * i * (1 - fresh**2))
            of_gates[:, t] = np.concatenate([*parts, d_state * shown * o * (1 - o)], axis=-1)
            d_state, d_cell = of_gates[:, t] @ self.on, d_cell * f
        flat = of_gates.reshape(2, -1, 4 * n).swapaxes(1, 2)
        before = np.concatenate([np.zeros_like(self.states[:, :1]), self.states[:, :-1]], axis=1)
        for d, direction in enumerate(_DIRECTIONS):
            out[f"{self.name}weight_ih_l0{direction}"] = flat[d] @ self.rows[d].reshape(-1, self.rows.shape[-1])
            out[f"{self.name}weight_hh_l0{direction}"] = flat[d] @ before[d].reshape(-1, n)
            out[f"{self.name}bias_ih_l0{direction}"] = flat[d].sum(axis=1)
        return of_gates

    def below(self, of_gates: Array) -> Array:
        """The slope at the rows that were read."""
        ahead, back = (of_gates @ self.into[:, None]).swapaxes(1, 2)
        return np.asarray(ahead + self._turn(back))


class EsimPass:
    """What the network makes of some pairs, kept for its gradients."""

    def __init__(self, weights: Mapping[str, Array], pairs: Sequence[Pair]) -> None:
        self.weights = weights
        texts = [pair[side] for side in (0, 1) for pair in pairs]
        self.lengths = np.array([len(text) for text in texts])
        rows = np.zeros((len(texts), int(self.lengths.max()), texts[0].shape[1]))
        for row, text in zip(rows, texts, strict=True):
            row[: len(text)] = text
        self.there = np.arange(rows.shape[1]) < self.lengths[:, None]  # (texts, tokens)
        self.first = _Lstm(weights, ENCODER, rows, self.lengths)
        side, other = self.first.out, _swapped(self.first.out)
        alike = np.where(_swapped(self.there)[:, None], side @ other.swapaxes(1, 2), -np.inf)
        shares = np.exp(alike - alike.max(axis=2, keepdims=True))
        self.shares = shares / shares.sum(axis=2, keepdims=True)
        self.attended = self.shares @ other
        self.joined = np.concatenate([side, self.attended, side - self.attended, side * self.attended], axis=2)
        self.projected = np.maximum(self._linear(self.joined, PROJECTION), 0)
        self.second = _Lstm(weights, INFERENCE, self.projected, self.lengths)
        last = np.where(self.there[..., None], self.second.out, -np.inf)
        self.highest = last.argmax(axis=1)
        means = np.where(self.there[..., None], self.second.out, 0).sum(axis=1) / self.lengths[:, None]
        pooled = np.concatenate([means, last.max(axis=1)], axis=1)
        self.pooled = np.concatenate(np.split(pooled, 2), axis=1)  # (pairs, 8 sizes)
        self.hidden = np.maximum(self._linear(self.pooled, f"{OUTPUT}0"), 0)
        self.scores = self._linear(self.hidden, f"{OUTPUT}1")[:, 0]

    def _linear(self, x: Array, name: str) -> Array:
        return np.asarray(x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"])

    def gradients(self, labels: Array) -> Weights:
        """Of half the mean squared error, by every weight that is learnt."""
        out: Weights = {}
        slope = self._back((self.scores - labels)[:, None] / len(labels), self.hidden, f"{OUTPUT}1", out)
        slope = self._back(slope * (self.hidden > 0), self.pooled, f"{OUTPUT}0", out)
        of_means, of_most = np.split(np.concatenate(np.split(slope, 2, axis=1)), 2, axis=1)
        d_last = (of_means / self.lengths[:, None])[:, None] * self.there[..., None]
        texts, columns = np.indices(self.highest.shape)
        d_last[texts, self.highest, columns] += of_most
        slope = self.second.below(self.second.gradients(d_last, out)) * (self.projected > 0)
        direct, d_attended, apart, product = np.split(self._back(slope, self.joined, PROJECTION, out), 4, axis=2)
        side, other = self.first.out, _swapped(self.first.out)
        d_attended = d_attended - apart + product * side
        d_shares = d_attended @ other.swapaxes(1, 2)
        d_alike = self.shares * (d_shares - (self.shares * d_shares).sum(axis=2, keepdims=True))
        d_other = d_alike.swapaxes(1, 2) @ side + self.shares.swapaxes(1, 2) @ d_attended
        self.first.gradients(direct + apart + product * self.attended + d_alike @ other + _swapped(d_other), out)
        return out

    def _back(self, slope: Array, x: Array, name: str, out: Weights) -> Array:
        flat = slope.reshape(-1, slope.shape[-1])
        out[f"{name}.weight"], out[f"{name}.bias"] = flat.T @ x.reshape(-1, x.shape[-1]), flat.sum(axis=0)
        return np.asarray(slope @ self.weights[f"{name}.weight"])


def _swapped(sides: Any) -> Any:
    """Of references what is of translations, and the other way round."""
    return np.concatenate(np.split(sides, 2)[::-1])


def scored(weights: Mapping[str, Array], pairs: Sequence[Pair]) -> Array:
    """What a network says of pairs."""
    parts = [EsimPass(weights, pairs[i : i + BATCH]).scores for i in range(0, len(pairs), BATCH)]
    return np.concatenate([np.zeros(0), *parts])


def trained_weights(pairs: Sequence[Pair], labels: Array, layers: int, decay: float, seed: int) -> Weights:
    """Those of the best round, from random ones whose last layers compare the two sides."""
    start = untrained_weights(pairs[0][0].shape[1], layers, SIZE, seed)
    means, squares = ({name: np.zeros_like(values) for name, values in start.items()} for _ in range(2))
    steps = 0

    def step(weights: Weights, some: Ints) -> Weights:
        nonlocal steps
        steps += 1
        moved = dict(weights)
        for name, values in EsimPass(weights, [pairs[i] for i in some]).gradients(labels[some]).items():
            slope = values + decay * weights[name]
            means[name] = 0.9 * means[name] + 0.1 * slope
            squares[name] = 0.999 * squares[name] + 0.001 * slope**2
            size = np.sqrt(squares[name] / (1 - 0.999**steps)) + 1e-8
            moved[name] = weights[name] - RATE * means[name] / (1 - 0.9**steps) / size
        return moved

    def agreed(weights: Weights, some: Ints) -> Array:
        return scored(weights, [pairs[i] for i in some])

    best = best_round(start, labels, step, agreed, rounds=ROUNDS, batch=BATCH, seed=seed)
    return {name: values.astype(np.float32).astype(np.float64) for name, values in best.items()}  # as they are written


class EsimRecipe(PairRecipe):
    """Vectors of the pieces of outputs and references."""

    name: Kind = "esim"
    title = "trained esim"
    takes = ("encoder",)

    @classmethod
    def of(cls, asked: TrainOptions, metrics: Sequence[str]) -> Recipe:
        return cls(asked.encoder, asked.model)

    def __init__(self, encoder: str | None, model: File | None) -> None:
        super().__init__()
        if model is not None:
            _require_ours(pathlib.Path(model))
        self.metric = Esim(encoder=encoder)

    def read(self, batch: Batch) -> Iterator[Pair | None]:
        """The vectors of both; none where there is no piece."""
        references = batch.required_references()
        refs = self.metric.read(references.texts, slice(0, len(references.texts)), batch.threads)
        hyps = self.metric.read(batch.hypotheses, slice(0, len(batch)), batch.threads)
        for hyp, first in zip(hyps, references.groups, strict=False):
            ref = refs[int(first)]
            yield (ref, hyp) if len(hyp) and len(ref) else None

    def network(self, pairs: Sequence[Pair], scores: Array, decay: float, seed: int) -> Weights:
        """Scores become standard scores."""
        labels = (scores - scores.mean()) / scores.std()
        return trained_weights(pairs, labels, self.metric.trained.layers, decay, seed)

    def scored(self, network: Weights, pairs: Sequence[Pair]) -> Array:
        return scored(network, pairs)

    def facts(self) -> dict[str, str]:
        return self.metric.facts()

    def content(self, fitted: FittedModel) -> dict[str, Any]:
        network = fitted.network if isinstance(fitted, FittedNetwork) else {}
        named = {"encoder": self.metric.encoder or UNTRAINED, "max_wordpieces": PIECES}
        return {"kind": self.name, **named, "facts": self.facts(), "weights": network}

    def write(self, path: File, content: Mapping[str, Any]) -> None:
        """A folder: config.json and model.safetensors."""
        library = extra("safetensors.numpy", "safetensors", "neural", "ESIM")
        folder = pathlib.Path(path)
        _require_ours(folder)
        weights = {name: np.asarray(values, dtype=np.float32) for name, values in content["weights"].items()}
        config = {name: value for name, value in content.items() if name != "weights"}
        with replacing_folder(folder) as part:
            (part / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
            (part / SINGLE).write_bytes(library.save(weights))


def _require_ours(folder: pathlib.Path) -> None:
    """Refuse to write over what is not an ESIM of ours, such as the encoder."""
    hint = "Name another folder with --model."
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir() or json_object(folder / "config.json", hint).get("kind") != EsimRecipe.name:
        raise InputError(f"{folder} is there, and is no ESIM that was trained here.", hint=hint)
