"""What sacreBLEU's tokenizers have in common."""

from __future__ import annotations

from tercet.text import tokenizer


class BaseTokenizer:
    """A function from a line to a line of tokens, with the name that signatures have."""

    spec = "none"  # of the tokenizer here

    def __init__(self, spec: str | None = None) -> None:
        self.spec = spec or self.spec

    def signature(self) -> str:
        """What a signature says of it."""
        return self.spec

    def __call__(self, line: str) -> str:
        """The tokens of a line, with blanks between them."""
        return " ".join(tokenizer(self.spec)(line))
