"""What TER does to a line before it counts."""

from __future__ import annotations

from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from tercet.text.sacrebleu import Tercom


class TercomTokenizer(BaseTokenizer):
    """Tercom's: lower-cased, perhaps normalised, without punctuation, or with Asian characters as words."""

    spec = "tercom"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._tokenizer = Tercom(normalized, no_punct, asian_support, case_sensitive)

    def __call__(self, line: str) -> str:
        """The tokens of a line, with blanks between them."""
        return " ".join(self._tokenizer(line))
