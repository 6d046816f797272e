"""Pieces by a SentencePiece model (Kudo and Richardson 2018) of the user's, as sacreBLEU's spm and its flores ones.

BLEU over such pieces is spBLEU (Goyal et al. 2022): `bleu(tokenize=flores200(model="flores200.model"))`. sacreBLEU
downloads its models; here the file is named, and what is in it stands in the signature. The extra `spm`.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
from typing import Any

from tercet import contents
from tercet.errors import InputError, MissingExtraError, extra
from tercet.spec import option
from tercet.text.base import PythonTokenizer


@dataclasses.dataclass(frozen=True)
class SentencePiece(PythonTokenizer):
    """Pieces by a model that is named."""

    model: str = option("", "file of the SentencePiece model; there is no default")

    name = "spm"
    files = ("model",)
    summary = "pieces by a SentencePiece model of your own (extra `spm`)"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(not self.model or os.path.isfile(self.model), "model", "a file that is there")

    def split(self, text: str) -> list[str]:
        """The pieces of one text, as sacreBLEU joins them by spaces and cuts them again."""
        if not self.model:
            raise MissingExtraError(
                f"The tokenizer {self.name} needs a model, and none is named.",
                hint=f'Name its file: {self.name}(model="FILE.model").',
            )
        pieces = _processor(self.model, contents.state(self.model)).EncodeAsPieces(text.rstrip())
        return " ".join(pieces).split()


@dataclasses.dataclass(frozen=True)
class Flores101(SentencePiece):
    """Pieces by the model of FLORES-101."""

    name = "flores101"
    summary = "pieces by the model of FLORES-101, whose file you name (extra `spm`)"


@dataclasses.dataclass(frozen=True)
class Flores200(SentencePiece):
    """Pieces by the model of FLORES-200."""

    name = "flores200"
    summary = "pieces by the model of FLORES-200, whose file you name (extra `spm`)"


@dataclasses.dataclass(frozen=True)
class Spbleu1k(SentencePiece):
    """Pieces by the model of spBLEU-1K."""

    name = "spBLEU-1K"
    summary = "pieces by the model of spBLEU-1K, whose file you name (extra `spm`)"


@functools.lru_cache(maxsize=4)
def _processor(model: str, _state: contents.State) -> Any:
    library = extra("sentencepiece", "sentencepiece", "spm", "A SentencePiece tokenizer")
    processor = library.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(pathlib.Path(model).read_bytes())
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"{model} is no SentencePiece model.", hint="Name the file that ends in .model, not the vocabulary."
        ) from error
    return processor
