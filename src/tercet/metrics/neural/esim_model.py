"""ESIM (Chen et al. 2017) for translations as an ONNX graph: the network of mteval-in-context, from its weights.

a, b (tokens, dimensions)   reference and translation
one BiLSTM over both; each side attends to the other; [x, x~, x - x~, x * x~] -> linear, ReLU -> one BiLSTM
[mean a, max a, mean b, max b] -> linear, ReLU -> linear
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tercet.data import Array
from tercet.encoders.graph import OPSET
from tercet.errors import InputError, extra

ENCODER, INFERENCE = "_encoder._module.", "_inference_encoder._module."
PROJECTION, OUTPUT = "_projection_feedforward._linear_layers.0", "_output_feedforward._linear_layers."
MIX = "_text_field_embedder.token_embedder_bert._scalar_mix."
_HINT = "An ESIM folder holds config.json and model.safetensors, under the names of mteval-in-context."


def needed(weights: Mapping[str, Any], name: str, where: str) -> Any:
    """A tensor, or the error that it is not there."""
    if name not in weights:
        raise InputError(f"The weights of {where} lack {name}.", hint=_HINT)
    return np.asarray(weights[name], dtype=np.float32)


class _Network:
    """Nodes of a graph, and the weights that they take."""

    def __init__(self, weights: Mapping[str, Any], where: str) -> None:
        self.onnx = extra("onnx", "onnx", "neural", "ESIM")
        self.weights, self.where = weights, where
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def node(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        name = output or f"n{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, values: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = self.onnx.numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def tensor(self, name: str) -> Any:
        return needed(self.weights, name, self.where)

    def linear(self, x: str, name: str) -> str:
        kernel, bias = self.constant(self.tensor(f"{name}.weight").T), self.constant(self.tensor(f"{name}.bias"))
        return self.node("Add", self.node("MatMul", x, kernel), bias)

    def lstm_weights(self, name: str) -> tuple[str, str, str, int]:
        """Those of both directions in ONNX's order of gates: input, output, forget, cell."""
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        stacked: dict[str, list[Any]] = {"weight_ih": [], "weight_hh": [], "bias": []}
        size = 0
        for direction in ("", "_reverse"):
            parts = {kind: self.tensor(f"{name}{kind}_l0{direction}") for kind in kinds}
            size = parts["weight_hh"].shape[1]
            order = [*range(size), *range(3 * size, 4 * size), *range(size, 3 * size)]
            stacked["weight_ih"].append(parts["weight_ih"][order])
            stacked["weight_hh"].append(parts["weight_hh"][order])
            stacked["bias"].append(np.concatenate([parts["bias_ih"][order], parts["bias_hh"][order]]))
        w, r, b = (self.constant(np.stack(values)) for values in stacked.values())
        return w, r, b, size

    def lstm(self, x: str, lstm: tuple[str, str, str, int]) -> str:
        """(tokens, dimensions) -> (tokens, 2 * size)"""
        *weights, size = lstm
        rows = self.node("Unsqueeze", x, self.constant(np.array([1])))
        y = self.node("LSTM", rows, *weights[:3], hidden_size=size, direction="bidirectional")
        turned = self.node("Transpose", y, perm=[0, 2, 1, 3])
        return self.node("Reshape", turned, self.constant(np.array([-1, 2 * size])))


def _pools(g: _Network, rows: str) -> list[str]:
    axis = g.constant(np.array([0]))
    return [g.node(how, rows, axis, keepdims=1) for how in ("ReduceMean", "ReduceMax")]


def _inferred_pools(g: _Network, sides: list[str], attended: list[str]) -> list[str]:
    """ESIM: each side beside what it attends to, read once more; mean and maximum of both."""
    second = g.lstm_weights(INFERENCE)
    pooled: list[str] = []
    for side, other in zip(sides, attended, strict=True):
        apart, product = (g.node(how, side, other) for how in ("Sub", "Mul"))
        joined = g.node("Concat", side, other, apart, product, axis=1)
        pooled += _pools(g, g.lstm(g.node("Relu", g.linear(joined, PROJECTION)), second))
    return pooled


def _compared_pools(g: _Network, attended: list[str]) -> list[str]:
    """The attention baseline: mean and maximum of what is attended to, compared."""
    pooled: list[str] = []
    for a, b in zip(*(_pools(g, rows) for rows in attended), strict=True):
        pooled += [a, b, g.node("Sub", a, b), g.node("Mul", a, b)]
    return pooled


def esim_graph(weights: Mapping[str, Any], where: str) -> bytes:
    """The serialised model: a, b -> score."""
    g = _Network(weights, where)
    first = g.lstm_weights(ENCODER)
    sides = [g.lstm(side, first) for side in ("a", "b")]
    turned = [g.node("Transpose", side, perm=[1, 0]) for side in sides]
    attended = [
        g.node("MatMul", g.node("Softmax", g.node("MatMul", sides[this], turned[other]), axis=-1), sides[other])
        for this, other in ((0, 1), (1, 0))
    ]
    is_baseline = f"{INFERENCE}weight_ih_l0" not in weights
    pooled = _compared_pools(g, attended) if is_baseline else _inferred_pools(g, sides, attended)
    hidden = g.node("Relu", g.linear(g.node("Concat", *pooled, axis=1), f"{OUTPUT}0"))
    g.node("Identity", g.linear(hidden, f"{OUTPUT}1"), output="score")
    helper, kind = g.onnx.helper, g.onnx.TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info(name, kind, [f"tokens_{name}", "dimensions"]) for name in ("a", "b")]
    outputs = [helper.make_tensor_value_info("score", kind, [1, 1])]
    graph = helper.make_graph(g.nodes, "esim", inputs, outputs, list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    serialised: bytes = model.SerializeToString()
    return serialised


def untrained_weights(dimension: int, layers: int, size: int = 16, variant: int = 7) -> dict[str, Any]:
    """Random weights, and a last layer that compares the two sides: minus the distance of their pooled vectors."""
    draw = np.random.default_rng(variant)

    def random(*shape: int) -> Array:
        return draw.normal(0, shape[-1] ** -0.5, shape)

    weights: dict[str, Any] = {f"{MIX}gamma": np.ones(1)}
    weights |= {f"{MIX}scalar_parameters.{i}": np.zeros(1) for i in range(layers)}
    for name, width in ((ENCODER, dimension), (INFERENCE, size)):
        for direction in ("", "_reverse"):
            weights |= {f"{name}weight_ih_l0{direction}": random(4 * size, width)}
            weights |= {f"{name}weight_hh_l0{direction}": random(4 * size, size)}
            weights |= {f"{name}bias_{kind}_l0{direction}": np.zeros(4 * size) for kind in ("ih", "hh")}
    weights |= {f"{PROJECTION}.weight": random(size, 8 * size), f"{PROJECTION}.bias": np.zeros(size)}
    difference = np.concatenate([np.eye(4 * size), -np.eye(4 * size)], axis=1)
    weights |= {f"{OUTPUT}0.weight": np.concatenate([difference, -difference]), f"{OUTPUT}0.bias": np.zeros(8 * size)}
    weights |= {f"{OUTPUT}1.weight": np.full((1, 8 * size), -1.0 / size), f"{OUTPUT}1.bias": np.zeros(1)}
    return weights
