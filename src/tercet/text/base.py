"""What a tokenizer is: a spec that turns packed lines into packed tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.errors import InputError
from tercet.plugins import blamed, require
from tercet.spec import Spec

Lines = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
Tokens = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def pack(strings: Sequence[str]) -> Lines:
    """Strings to UTF-8, end to end; what is no text is refused."""
    try:
        return kernels.pack(list(strings))
    except IndexError as error:
        i = int(str(error))
        raise InputError(
            f"Text {i + 1} holds a lone surrogate, which is no character: {strings[i][:40]!r}.",
            hint="Decode the input as UTF-8 without `surrogateescape`.",
        ) from None


class Tokenizer(Spec):
    """Base of all tokenizers; `summary` is its line in `tercet list`, and `unit` what sentences call a token."""

    summary: ClassVar[str]
    unit: ClassVar[Literal["word", "character"]] = "word"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        raise NotImplementedError

    def __call__(self, text: str) -> list[str]:
        """The tokens of one text."""
        data, offsets, _ = self.tokenize(pack([text]), 1)
        return kernels.unpack((data, offsets))


class PythonTokenizer(Tokenizer):
    """Base of tokenizers that are written in Python: give `split`."""

    def split(self, text: str) -> list[str]:
        """The tokens of one text."""
        raise NotImplementedError

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """One line after the other, on one thread."""
        texts = kernels.unpack(lines)
        with blamed(self, "split"):
            rows = [self.split(text) for text in texts]
            data, offsets = pack([word for row in rows for word in row])
        require(self, "split", not any(isinstance(row, str) for row in rows), "a str", "a list of words")
        return data, offsets, np.cumsum([0, *map(len, rows)], dtype=np.int64)
