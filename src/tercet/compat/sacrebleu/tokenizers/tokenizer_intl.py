"""The tokenizer `intl`."""

from __future__ import annotations

from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerV14International(BaseTokenizer):
    """Unicode punctuation and symbols, as mteval-v14."""

    spec = "intl"
