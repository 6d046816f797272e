"""An encoder of a few thousand random weights: its scores mean nothing, its arithmetic is that of large ones.

For trying out commands without a model, and for tests. Texts are read letter by letter.
"""

from __future__ import annotations

import json
import pathlib
import string
from typing import Any, Literal

import numpy as np

from tercet.errors import extra

LETTERS = string.ascii_lowercase + string.digits + string.punctuation


def write_tiny_encoder(
    folder: str | pathlib.Path, family: Literal["bert", "roberta"] = "bert", *, layers: int = 2, variant: int = 1
) -> pathlib.Path:
    """A folder with config.json, tokenizer.json and model.safetensors; the same bytes for the same variant."""
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    tokenizer, size = _letters() if family == "bert" else _bytes()
    config: dict[str, Any] = {
        "model_type": family,
        "vocab_size": size,
        "hidden_size": 16,
        "num_hidden_layers": layers,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 128,
        "type_vocab_size": 2 if family == "bert" else 1,
        "layer_norm_eps": 1e-12 if family == "bert" else 1e-5,
        "hidden_act": "gelu",
        "pad_token_id": 0 if family == "bert" else 1,
    }
    library = extra("safetensors.numpy", "safetensors", "neural", "An encoder")
    for name, content in (("config.json", config), ("tokenizer.json", tokenizer)):
        (path / name).write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
    library.save_file(_weights(config, variant), str(path / "model.safetensors"))
    return path


def _marks(names: dict[str, str]) -> dict[str, Any]:
    """What all tokenizers say of their marks: begin, pad, end and unknown, numbered as given."""
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": i, "content": mark, **plain} for i, mark in enumerate(names.values())],
        "post_processor": {
            "type": "BertProcessing",
            "cls": [names["begin"], list(names).index("begin")],
            "sep": [names["end"], list(names).index("end")],
        },
    }


def _letters() -> tuple[dict[str, Any], int]:
    names = {"pad": "[PAD]", "unknown": "[UNK]", "begin": "[CLS]", "end": "[SEP]"}
    vocabulary = [*names.values(), *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {piece: i for i, piece in enumerate(vocabulary)},
    }
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    splitter, decoder = {"type": "BertPreTokenizer"}, {"type": "WordPiece", "prefix": "##", "cleanup": True}
    made = {**_marks(names), "normalizer": normalizer, "pre_tokenizer": splitter, "decoder": decoder, "model": model}
    return made, len(vocabulary)


def _bytes() -> tuple[dict[str, Any], int]:
    library = extra("tokenizers", "tokenizers", "neural", "An encoder")
    names = {"begin": "<s>", "pad": "<pad>", "end": "</s>", "unknown": "<unk>"}
    vocabulary = [*names.values(), *sorted(library.pre_tokenizers.ByteLevel.alphabet())]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(vocabulary)}, "merges": []}
    made = {**_marks(names), "normalizer": None, "pre_tokenizer": level, "decoder": level, "model": model}
    return made, len(vocabulary)


def _weights(config: dict[str, Any], variant: int) -> dict[str, Any]:
    draw = np.random.default_rng(variant)
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    weights: dict[str, Any] = {}

    def linear(name: str, n_in: int, n_out: int) -> None:
        weights[f"{name}.weight"] = draw.normal(0, n_in**-0.5, (n_out, n_in)).astype(np.float32)
        weights[f"{name}.bias"] = draw.normal(0, 0.1, n_out).astype(np.float32)

    def norm(name: str) -> None:
        weights[f"{name}.LayerNorm.weight"] = draw.normal(1, 0.1, hidden).astype(np.float32)
        weights[f"{name}.LayerNorm.bias"] = draw.normal(0, 0.1, hidden).astype(np.float32)

    for name, size in (
        ("word", "vocab_size"),
        ("position", "max_position_embeddings"),
        ("token_type", "type_vocab_size"),
    ):
        table = draw.normal(0, 1 if name == "word" else 0.3, (config[size], hidden))
        weights[f"embeddings.{name}_embeddings.weight"] = table.astype(np.float32)
    norm("embeddings")
    for i in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{i}"
        for name in ("query", "key", "value"):
            linear(f"{at}.attention.self.{name}", hidden, hidden)
        linear(f"{at}.attention.output.dense", hidden, hidden)
        norm(f"{at}.attention.output")
        linear(f"{at}.intermediate.dense", hidden, inner)
        linear(f"{at}.output.dense", inner, hidden)
        norm(f"{at}.output")
    return weights
