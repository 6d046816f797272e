"""The network as an ONNX graph: BERT's, which RoBERTa and XLM-R share but for the positions that they are fed.

ids, positions, types (batch, tokens), mask (batch, tokens): 1 for what may be attended to
    -> layer 0 (embeddings after LayerNorm), layer 1, ..., each (batch, tokens, hidden)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet.encoders.architecture import Architecture
from tercet.encoders.weights import NamedWeights
from tercet.errors import extra

OPSET = 20
_SMALL = 1024  # numbers of a constant that stands in the graph
_BESIDE = 1  # TensorProto.EXTERNAL
_FAR = -3.4028234663852886e38  # what a masked place adds to its logit


class _Graph:
    """Nodes and constants, each under a name of its own."""

    def __init__(self) -> None:
        self.onnx = extra("onnx", "onnx", "neural", "An encoder")
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.large: dict[str, Any] = {}

    def constant(self, values: Any) -> str:
        """A constant; large ones stand beside the graph, which would else be too large to be serialised."""
        name, array = f"c{len(self.constants)}", np.asarray(values)
        if array.size < _SMALL:
            self.constants.append(self.onnx.numpy_helper.from_array(array, name))
            return name
        proto = self.onnx.TensorProto(
            name=name, data_type=self.onnx.TensorProto.FLOAT, dims=array.shape, data_location=_BESIDE
        )
        proto.external_data.add(key="location", value="weights")
        self.constants.append(proto)
        self.large[name] = np.ascontiguousarray(array, dtype=np.float32)
        return name

    def node(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        name = output or f"n{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def linear(self, x: str, weights: NamedWeights, name: str, n_in: int, n_out: int, scale: float = 1.0) -> str:
        kernel = np.ascontiguousarray(weights(f"{name}.weight", n_out, n_in).T) * np.float32(scale)
        bias = weights(f"{name}.bias", n_out) * np.float32(scale)
        return self.node("Add", self.node("MatMul", x, self.constant(kernel)), self.constant(bias))

    def normalised(self, x: str, weights: NamedWeights, name: str, shape: Architecture, output: str | None) -> str:
        scale, shift = (self.constant(weights(f"{name}.LayerNorm.{w}", shape.hidden)) for w in ("weight", "bias"))
        return self.node("LayerNormalization", x, scale, shift, output=output, axis=-1, epsilon=shape.epsilon)

    def activated(self, x: str, kind: str) -> str:
        if kind in ("silu", "swish"):
            return self.node("Mul", x, self.node("Sigmoid", x))
        if kind in ("relu", "tanh"):
            return self.node(kind.title(), x)
        return self.node("Gelu", x, approximate="none" if kind == "gelu" else "tanh")


def output_name(layer: int) -> str:
    """What the graph calls a layer."""
    return f"layer.{layer}"


def built_graph(shape: Architecture, weights: NamedWeights) -> tuple[bytes, dict[str, Any]]:
    """The serialised model, and its large constants by name."""
    g = _Graph()
    embedded = [
        g.node("Gather", g.constant(weights(f"embeddings.{name}_embeddings.weight", size, shape.hidden)), ids)
        for name, size, ids in (
            ("word", shape.vocabulary, "ids"),
            ("token_type", shape.types, "types"),
            ("position", shape.positions, "positions"),
        )
    ]
    total = g.node("Add", g.node("Add", embedded[0], embedded[1]), embedded[2])
    x = g.normalised(total, weights, "embeddings", shape, output_name(0))
    absent = g.node("Sub", g.constant(np.float32(1)), "mask")
    mask = g.node("Unsqueeze", g.node("Mul", absent, g.constant(np.float32(_FAR))), g.constant(np.array([1, 2])))
    for layer in range(shape.layers):
        x = _layer(g, x, mask, weights, f"encoder.layer.{layer}", shape, output_name(layer + 1))
    return _serialised(g, shape), g.large


def _layer(g: _Graph, x: str, mask: str, weights: NamedWeights, at: str, shape: Architecture, output: str) -> str:
    size = shape.hidden // shape.heads
    cut = g.constant(np.array([0, 0, shape.heads, size]))
    joined = g.constant(np.array([0, 0, shape.hidden]))

    def heads(name: str, order: list[int], scale: float = 1.0) -> str:
        flat = g.linear(x, weights, f"{at}.attention.self.{name}", shape.hidden, shape.hidden, scale)
        return g.node("Transpose", g.node("Reshape", flat, cut), perm=order)

    logits = g.node("MatMul", heads("query", [0, 2, 1, 3], size**-0.5), heads("key", [0, 2, 3, 1]))
    shares = g.node("Softmax", g.node("Add", logits, mask), axis=-1)
    context = g.node("Transpose", g.node("MatMul", shares, heads("value", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
    attended = g.node("Reshape", context, joined)
    projected = g.linear(attended, weights, f"{at}.attention.output.dense", shape.hidden, shape.hidden)
    x = g.normalised(g.node("Add", projected, x), weights, f"{at}.attention.output", shape, None)
    inner = g.linear(x, weights, f"{at}.intermediate.dense", shape.hidden, shape.inner)
    outer = g.linear(g.activated(inner, shape.activation), weights, f"{at}.output.dense", shape.inner, shape.hidden)
    return g.normalised(g.node("Add", outer, x), weights, f"{at}.output", shape, output)


def _serialised(g: _Graph, shape: Architecture) -> bytes:
    helper, kinds = g.onnx.helper, g.onnx.TensorProto
    inputs = [
        helper.make_tensor_value_info(name, kinds.FLOAT if name == "mask" else kinds.INT64, ["batch", "tokens"])
        for name in ("ids", "positions", "types", "mask")
    ]
    outputs = [
        helper.make_tensor_value_info(output_name(i), kinds.FLOAT, ["batch", "tokens", shape.hidden])
        for i in range(shape.layers + 1)
    ]
    graph = helper.make_graph(g.nodes, "encoder", inputs, outputs, g.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    serialised: bytes = model.SerializeToString()
    return serialised
