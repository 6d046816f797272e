"""Weights of an encoder: safetensors of a folder, one file or several, under one set of names."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import contents
from tercet.encoders.architecture import Architecture, json_object
from tercet.errors import InputError, extra

Weights = Mapping[str, npt.NDArray[np.float32]]
PREFIXES = ("", "bert.", "roberta.", "model.", "encoder.model.")  # of the names, in models with a head
SINGLE, INDEX = "model.safetensors", "model.safetensors.index.json"
_HINT = "Copy or download the folder again; weights are read from safetensors, never from pickled files (.bin, .ckpt)."


def weight_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """The files of a folder that hold its weights."""
    if (folder / SINGLE).is_file():
        return [folder / SINGLE]
    if (folder / INDEX).is_file():
        names = json_object(folder / INDEX, _HINT).get("weight_map")
        if isinstance(names, dict) and all(isinstance(n, str) and pathlib.Path(n).name == n for n in names.values()):
            return [folder / name for name in dict.fromkeys(names.values())]
        raise InputError(f"{folder / INDEX} has no weight_map.", hint=_HINT)
    pickled = sorted(p.name for p in folder.glob("**/*") if p.suffix in (".bin", ".ckpt", ".pt"))
    there = f", only {pickled[0]}, which is pickled" if pickled else ""
    raise InputError(f"{folder} has no {SINGLE}{there}.", hint=_HINT)


def checksum(folder: pathlib.Path) -> str:
    """What the weights of a folder are known by."""
    return contents.checksum([str(file) for file in weight_files(folder)])


def read_weights(folder: pathlib.Path, wanted: str | None = None) -> dict[str, Any]:
    """All tensors of a folder by name, or those whose names begin so."""
    library = extra("safetensors", "safetensors", "neural", "An encoder")
    tensors: dict[str, Any] = {}
    for file in weight_files(folder):
        try:
            with library.safe_open(str(file), "np") as opened:
                names = [name for name in opened.keys() if wanted is None or name.startswith(wanted)]  # noqa: SIM118
                tensors |= {name: _single(opened.get_tensor(name)) for name in names}
        except (OSError, ValueError, TypeError, library.SafetensorError) as error:
            raise InputError(f"{file} cannot be read: {error}.", hint=_HINT) from None
    for name, tensor in tensors.items():
        if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
            raise InputError(f"{name} in {folder} holds values that are not numbers.", hint=_HINT)
    return tensors


def _single(tensor: Any) -> Any:
    return tensor.astype(np.float32) if tensor.dtype.kind == "f" else tensor


class NamedWeights:
    """The tensors of an encoder, asked for by the names of BERT and held to their shapes."""

    def __init__(self, folder: pathlib.Path, architecture: Architecture) -> None:
        self.folder, self.architecture = folder, architecture
        self.tensors = read_weights(folder)
        first = "embeddings.word_embeddings.weight"
        prefixes = [prefix for prefix in PREFIXES if prefix + first in self.tensors]
        if not prefixes:
            raise InputError(
                f"{folder} has weights, but no {first}: they are of another architecture than its config.json says.",
                hint="The names of the tensors must be those of BERT, RoBERTa or XLM-R.",
            )
        self.prefix = prefixes[0]

    def __call__(self, name: str, *shape: int) -> npt.NDArray[np.float32]:
        """The tensor of this name, which must have this shape."""
        old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        tensor = self.tensors.get(self.prefix + name, self.tensors.get(self.prefix + old))
        if tensor is None:
            raise InputError(f"The weights in {self.folder} lack {self.prefix + name}.", hint=_HINT)
        if tensor.shape != shape:
            raise InputError(
                f"{self.prefix + name} in {self.folder} has the shape {tensor.shape} where its config.json asks for "
                f"{shape}.",
                hint="Configuration and weights must be of one model.",
            )
        return np.ascontiguousarray(tensor, dtype=np.float32)
