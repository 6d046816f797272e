"""The tokenizer `char`."""

from __future__ import annotations

from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Every character."""

    spec = "char"

    def __call__(self, line: str) -> str:
        """The characters, blanks among them, with blanks between them."""
        return " ".join(line)
