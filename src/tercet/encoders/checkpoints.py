"""Checkpoints of COMET (`.ckpt`) as folders that can be read here; the only place that needs torch, extra `torch`.

A checkpoint is a file that can run anything when it is loaded. torch reads it with `weights_only=True`, which takes
tensors and plain values, and refuses all else.
"""

from __future__ import annotations

import pathlib
import shutil

import numpy as np

from tercet.errors import InputError, extra
from tercet.formats.lines import replacing

_HINT = "Name the folder of a COMET model, with hparams.yaml and checkpoints/model.ckpt."


def convert_checkpoint(folder: str | pathlib.Path, output: str | pathlib.Path) -> pathlib.Path:
    """The weights of a COMET folder as model.safetensors in another one, with its hparams.yaml."""
    torch = extra("torch", "torch", "torch", "A checkpoint")
    library = extra("safetensors.numpy", "safetensors", "neural", "A checkpoint")
    source, target = pathlib.Path(folder), pathlib.Path(output)
    checkpoint = source / "checkpoints" / "model.ckpt"
    for file in (checkpoint, source / "hparams.yaml"):
        if not file.is_file():
            raise InputError(f"There is no {file}.", hint=_HINT)
    try:
        content = torch.load(str(checkpoint), map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds
        told = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{checkpoint} cannot be read as weights alone: {told}.",
            hint="A file that needs more than that may run a program; nothing of it was run.",
        ) from None
    state = content.get("state_dict") if isinstance(content, dict) else None
    if not isinstance(state, dict) or not state:
        raise InputError(f"{checkpoint} has no state_dict.", hint=_HINT)
    weights = {name: np.ascontiguousarray(tensor.float().numpy()) for name, tensor in state.items()}
    target.mkdir(parents=True, exist_ok=True)
    with replacing(target / "model.safetensors") as out:
        out.write(library.save(weights))
    shutil.copyfile(source / "hparams.yaml", target / "hparams.yaml")
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)
    return target
