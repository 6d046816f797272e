"""Encoders: the same vectors whatever the company, layers against a plain restatement, and every way of naming one."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.encoders import Encoder, encoder, reading, while_reading
from tercet.encoders.memory import FILE, VectorFolder, VectorMemory, key_of
from tercet.encoders.tiny import write_tiny_encoder
from tercet.encoders.tokens import TokenizerKind
from tercet.encoders.weights import read_weights
from tercet.errors import InputError
from tests.contract.metric_checks import OUTPUTS, REFERENCES, SCRIPTS

TEXTS = [*OUTPUTS, *REFERENCES, *SCRIPTS, "", " ", "a", "[SEP]", "[PAD] <pad> x", "word " * 300]


@pytest.fixture(params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> pathlib.Path:
    return write_tiny_encoder(tmp_path / request.param, request.param)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MEMORY", VectorMemory())


def gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def restated(model: Encoder, ids: tuple[int, ...]) -> list[Any]:
    """All layers of one text, in numpy with doubles, straight from the papers."""
    shape = model.shape
    assert shape is not None
    w = {name: tensor.astype(np.float64) for name, tensor in read_weights(model.model).items()}

    def linear(x: Any, name: str) -> Any:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: Any, name: str) -> Any:
        scaled = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + shape.epsilon)
        return scaled * w[f"{name}.LayerNorm.weight"] + w[f"{name}.LayerNorm.bias"]

    places, count = [], 0
    for i, token in enumerate(ids):
        count += token != shape.pad
        roberta = shape.pad if token == shape.pad else count + shape.pad
        places.append(i if shape.family == "bert" else roberta)
    e = "embeddings.{}_embeddings.weight"
    x = w[e.format("word")][list(ids)] + w[e.format("position")][places] + w[e.format("token_type")][0]
    layers = [norm(x, "embeddings")]
    size = shape.hidden // shape.heads
    for i in range(shape.layers):
        x, at = layers[-1], f"encoder.layer.{i}"
        q, k, v = (
            linear(x, f"{at}.attention.self.{n}").reshape(len(ids), shape.heads, size)
            for n in ("query", "key", "value")
        )
        logits = np.einsum("ihd,jhd->hij", q, k) / math.sqrt(size)
        shares = np.exp(logits - logits.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        context = np.einsum("hij,jhd->ihd", shares, v).reshape(len(ids), -1)
        x = norm(linear(context, f"{at}.attention.output.dense") + x, f"{at}.attention.output")
        layers.append(
            norm(linear(gelu(linear(x, f"{at}.intermediate.dense")), f"{at}.output.dense") + x, f"{at}.output")
        )
    return layers


def test_layers_are_those_of_the_papers(folder: pathlib.Path) -> None:
    model = encoder(folder)
    for read in model.layers(TEXTS, range(3)):
        wanted = np.stack(restated(model, read.tokens.ids))
        np.testing.assert_allclose(read.vectors, wanted, atol=1e-5)


@pytest.mark.usefixtures("fresh")
def test_batches_and_threads_do_not_change_a_bit(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = encoder(folder)
    alone = model.layers(TEXTS * 2, range(3), batch=1, threads=1)
    for batch, threads in ((1, 2), (8, 1), (32, 2), (7, 3)):
        monkeypatch.setattr(reading, "_MEMORY", VectorMemory())
        again = model.layers(TEXTS[::-1] + TEXTS, range(3), batch=batch, threads=threads)
        for one, other in zip(alone, again[len(TEXTS) :], strict=False):
            assert np.array_equal(one.vectors, other.vectors)


@pytest.mark.usefixtures("fresh")
def test_a_text_is_read_once(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, rows = encoder(folder), list[Any]()
    run = Encoder._run

    def counting(self: Encoder, some: Any, layers: Any) -> Any:
        rows.extend(some)
        return run(self, some, layers)

    monkeypatch.setattr(Encoder, "_run", counting)
    model.layers(["a b", "c", "a b", "a b"], threads=1)
    model.layers(["c", "a b"], threads=1)
    assert len(rows) == 2
    model.layers(["c"], [0], threads=1)
    assert len(rows) == 3


@pytest.mark.usefixtures("fresh")
def test_one_reading_serves_several_metrics(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, run, texts = list[Any](), Encoder._run, (["a b", "c d"], ["a c", "c d e"])
    cosine = tercet.metric(f'cosine(model="{folder}")')
    expected = cosine.segments(*texts)
    monkeypatch.setattr(reading, "_MEMORY", VectorMemory())

    def counting(self: Encoder, some: Any, layers: Any) -> Any:
        rows.extend(some)
        return run(self, some, layers)

    monkeypatch.setattr(Encoder, "_run", counting)
    for name in ("bertr", "bertscore"):
        tercet.metric(f'{name}(model="{folder}")').segments(*texts)
    assert np.array_equal(cosine.segments(*texts), expected)
    assert len(rows) == 4


@pytest.mark.usefixtures("fresh")
def test_a_folder_keeps_vectors_and_damage_is_mended(
    folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, heard = encoder(folder), list[tuple[str, int]]()

    def read(texts: list[str]) -> list[Any]:
        monkeypatch.setattr(reading, "_MEMORY", VectorMemory())
        with while_reading(tmp_path / "kept", lambda what, n: heard.append((what, n))):
            return [e.vectors for e in model.layers(texts, threads=1)]

    first = read(["a cat", "a dog"])
    assert sum(n for _, n in heard) == 2
    heard.clear()
    again = read(["a dog", "a cat"])
    assert heard == []
    assert all(np.array_equal(a, b) for a, b in zip(first, again[::-1], strict=True))
    import sqlite3

    with sqlite3.connect(tmp_path / "kept" / FILE) as connection:
        connection.execute("UPDATE vectors SET numbers = substr(numbers, 1, 40)")
    mended = read(["a cat", "a dog"])
    assert sum(n for _, n in heard) == 2
    assert all(np.array_equal(a, b) for a, b in zip(first, mended, strict=True))


def test_a_store_that_is_none_is_told(tmp_path: pathlib.Path) -> None:
    (tmp_path / FILE).write_text("no database, but long enough to be looked at as one" * 20, encoding="utf-8")
    with pytest.raises(InputError, match="cannot be used as a store"):
        VectorFolder(tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot hold vectors"):
        VectorFolder(tmp_path / "file")


def test_the_memory_is_bounded() -> None:
    memory = VectorMemory(most=100)
    for i in range(10):
        memory.put(key_of(str(i)), np.zeros(5, dtype=np.float32))
    assert (len(memory), memory.size) == (5, 100)
    memory.get(key_of("5"))
    memory.put(key_of("x"), np.zeros(5, dtype=np.float32))
    assert memory.get(key_of("5")) is not None
    assert memory.get(key_of("6")) is None
    memory.put(key_of("large"), np.zeros(50, dtype=np.float32))
    assert memory.get(key_of("large")) is None


def test_long_texts_are_cut_and_that_is_known(folder: pathlib.Path) -> None:
    model = encoder(folder)
    long, short = model.tokens(["x " * 100_000, "x"])
    assert (len(long), long.cut, short.cut) == (model.longest, True, False)
    assert long.ids[-1] == short.ids[-1]
    assert model.layers(["x " * 100_000])[0].vectors.shape == (1, model.longest, 16)


@pytest.mark.parametrize("kind", ["fast", "slow"])
def test_tokens_are_the_same_whether_they_were_kept_or_not(
    folder: pathlib.Path, kind: TokenizerKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tercet.encoders.tokens.MOST_KEPT", 400)
    model = Encoder(folder, folder)
    wanted = [dataclasses.astuple(Encoder(folder, folder).tokens([text], kind)[0]) for text in TEXTS]
    for longest in (None, 6, None):
        tokens = model.tokens([*TEXTS, *TEXTS[:3]], kind, longest)
        if longest is None:
            assert [dataclasses.astuple(one) for one in tokens] == [*wanted, *wanted[:3]]
        assert all(len(one) <= (longest or model.longest) for one in tokens)
    few = TEXTS[-5:-1]
    assert [one is other for one, other in zip(model.tokens(few, kind), model.tokens(few, kind), strict=True)] == [
        True
    ] * len(few)


def test_an_onnx_file_gives_its_last_layer(tmp_path: pathlib.Path) -> None:
    import onnx

    folder = write_tiny_encoder(tmp_path / "tiny")
    model = encoder(folder)
    graph = exported(model)
    file = tmp_path / "graph" / "model.onnx"
    file.parent.mkdir()
    onnx.save(graph, str(file))
    (file.parent / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    alone = encoder(file)
    assert alone.last is None
    # all outputs but one are gone, so that other nodes may be fused: equal, but for last bits
    np.testing.assert_allclose(alone.layers(["a cat"])[0].vectors, model.layers(["a cat"])[0].vectors, atol=1e-5)
    with pytest.raises(InputError, match="its last layer alone"):
        alone.layers(["a cat"], [1])


def exported(model: Encoder) -> Any:
    """The graph with the names of inputs that exports have, and its constants inside."""
    import onnx

    from tercet.encoders.graph import built_graph, output_name
    from tercet.encoders.weights import NamedWeights

    assert model.shape is not None
    content, constants = built_graph(model.shape, NamedWeights(model.model, model.shape))
    made = onnx.load_from_string(content)
    for proto in made.graph.initializer:
        if proto.name in constants:
            proto.CopyFrom(onnx.numpy_helper.from_array(constants[proto.name], proto.name))
    shape, axis = onnx.numpy_helper.from_array, onnx.helper.make_node
    del made.graph.input[:]
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        value = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["batch", "tokens"])
        made.graph.input.append(value)
    made.graph.initializer.extend(
        [
            shape(np.array(0), "zero"),
            shape(np.array(1), "one"),
            shape(np.array([1]), "second"),
            shape(np.array([0]), "first"),
        ]
    )
    nodes = [
        axis("Identity", ["input_ids"], ["ids"]),
        axis("Identity", ["token_type_ids"], ["types"]),
        axis("Cast", ["attention_mask"], ["mask"], to=onnx.TensorProto.FLOAT),
        axis("Shape", ["input_ids"], ["sizes"]),
        axis("Gather", ["sizes", "one"], ["length"]),
        axis("Range", ["zero", "length", "one"], ["places"]),
        axis("Unsqueeze", ["places", "first"], ["row"]),
        axis("Expand", ["row", "sizes"], ["positions"]),
    ]
    kept = list(made.graph.node)
    del made.graph.node[:]
    made.graph.node.extend([*nodes, *kept])
    last = [o for o in made.graph.output if o.name == output_name(model.shape.layers)]
    del made.graph.output[:]
    made.graph.output.extend(last)
    return made


@pytest.mark.parametrize("activation", ["gelu_new", "relu", "silu", "tanh"])
def test_other_activations_are_read(activation: str, tmp_path: pathlib.Path) -> None:
    usual = encoder(write_tiny_encoder(tmp_path / "usual")).layers(["a cat"])[0].vectors
    folder = write_tiny_encoder(tmp_path / activation)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"hidden_act": activation}), encoding="utf-8")
    other = encoder(folder).layers(["a cat"])[0].vectors
    assert np.isfinite(other).all()
    assert not np.array_equal(usual, other)


def test_weights_of_a_model_with_a_head_and_old_names_are_the_same(tmp_path: pathlib.Path) -> None:
    from safetensors.numpy import save_file

    folder = write_tiny_encoder(tmp_path / "plain")
    usual = encoder(folder).layers(["a cat"])[0].vectors
    renamed = write_tiny_encoder(tmp_path / "headed")
    weights = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): tensor
        for name, tensor in read_weights(folder).items()
    }
    names = sorted(weights)
    (renamed / "model.safetensors").unlink()
    for file, some in (("a.safetensors", names[:5]), ("b.safetensors", names[5:])):
        save_file({name: weights[name] for name in some}, str(renamed / file))
    index = {name: "a.safetensors" if name in names[:5] else "b.safetensors" for name in names}
    (renamed / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}), encoding="utf-8")
    assert np.array_equal(encoder(renamed).layers(["a cat"])[0].vectors, usual)
