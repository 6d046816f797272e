"""What a tokenizer is: a spec that turns packed lines into packed tokens."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.spec import Spec

Lines = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
Tokens = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]


class Tokenizer(Spec):
    """Base of all tokenizers; `summary` is its line in `tercet list`."""

    summary: ClassVar[str]

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        raise NotImplementedError

    def __call__(self, text: str) -> list[str]:
        """The tokens of one text."""
        data, offsets, _ = self.tokenize(kernels.pack([text]), 1)
        return kernels.unpack((data, offsets))


class PythonTokenizer(Tokenizer):
    """Base of tokenizers that are written in Python: give `split`."""

    def split(self, text: str) -> list[str]:
        """The tokens of one text."""
        raise NotImplementedError

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """One line after the other, on one thread."""
        rows = [self.split(text) for text in kernels.unpack(lines)]
        data, offsets = kernels.pack([word for row in rows for word in row])
        return data, offsets, np.cumsum([0, *map(len, rows)], dtype=np.int64)
