"""What shapes an encoder: its config.json, read and checked."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any, Literal

from tercet.errors import InputError
from tercet.formats import lines

Family = Literal["bert", "roberta"]
FAMILIES: dict[str, Family] = {
    "bert": "bert",
    "roberta": "roberta",
    "xlm-roberta": "roberta",
    "camembert": "roberta",
}
ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "swish", "tanh")
LARGEST = 1 << 20  # of any size in a configuration
CONFIG_HINT = "An encoder's folder holds the config.json of a BERT, RoBERTa or XLM-R model."


@dataclasses.dataclass(frozen=True)
class Architecture:
    """Sizes and choices of a network with post-LayerNorm."""

    family: Family
    vocabulary: int
    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    types: int
    activation: str
    epsilon: float
    pad: int

    @property
    def longest(self) -> int:
        """The most tokens that it has positions for; RoBERTa's begin after the one of padding."""
        return self.positions - self.pad - 1 if self.family == "roberta" else self.positions


def json_object(path: pathlib.Path, what: str) -> dict[str, Any]:
    """The JSON object of a file, or an error that says what it should have been."""
    if not path.is_file():
        raise InputError(f"{path.parent} has no {path.name}.", hint=what)
    text = lines.whole(path, lines.FILE_LIMIT)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON file: {error}.", hint=what) from None
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no JSON object.", hint=what)
    return content


def read_architecture(folder: pathlib.Path) -> Architecture:
    """The architecture of a folder's config.json."""
    path = folder / "config.json"
    config = json_object(path, CONFIG_HINT)
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in FAMILIES:
        raise InputError(
            f"{path} describes a model of the type {kind!r}, which there is no graph for.",
            hint=f"There are graphs for {', '.join(FAMILIES)}; for others, name an ONNX file.",
        )
    for name, wanted in (("position_embedding_type", "absolute"), ("is_decoder", False), ("embedding_size", None)):
        value = config.get(name, wanted)
        if value != wanted and not (name == "embedding_size" and value == config.get("hidden_size")):
            raise InputError(
                f"{path} has {name} = {value!r}, which there is no graph for.", hint="Name an ONNX file instead."
            )
    family = FAMILIES[kind]
    made = Architecture(
        family=family,
        vocabulary=_size(path, config, "vocab_size"),
        hidden=_size(path, config, "hidden_size"),
        layers=_size(path, config, "num_hidden_layers"),
        heads=_size(path, config, "num_attention_heads"),
        inner=_size(path, config, "intermediate_size"),
        positions=_size(path, config, "max_position_embeddings", 512),
        types=_size(path, config, "type_vocab_size", 2 if family == "bert" else 1),
        activation=str(config.get("hidden_act", "gelu")),
        epsilon=_epsilon(path, config),
        pad=_size(path, config, "pad_token_id", 0 if family == "bert" else 1, least=0),
    )
    if made.activation not in ACTIVATIONS:
        raise InputError(
            f"{path} has the activation {made.activation!r}, which there is no graph for.",
            hint=f"There are {', '.join(ACTIVATIONS)}.",
        )
    if made.hidden % made.heads or made.longest < 2:
        raise InputError(
            f"{path}: {made.hidden} dimensions cannot be shared by {made.heads} heads, or positions are too few.",
            hint=CONFIG_HINT,
        )
    return made


def _size(path: pathlib.Path, config: dict[str, Any], name: str, usual: int | None = None, *, least: int = 1) -> int:
    value = config.get(name, usual)
    value = usual if value is None else value
    if type(value) is not int or not least <= value <= LARGEST:
        raise InputError(
            f"{path}: {name} must be a whole number from {least} to {LARGEST}, not {value!r:.60}.", hint=CONFIG_HINT
        )
    return value


def _epsilon(path: pathlib.Path, config: dict[str, Any]) -> float:
    value = config.get("layer_norm_eps", 1e-12)
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise InputError(f"{path}: layer_norm_eps must be a number from 0 to 1, not {value!r:.60}.", hint=CONFIG_HINT)
    return float(value)
