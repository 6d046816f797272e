"""No tokenizer."""

from __future__ import annotations

from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class NoneTokenizer(BaseTokenizer):
    """The line as it is."""

    spec = "none"

    def __call__(self, line: str) -> str:
        """The line, blanks included."""
        return line
