"""The tokenizer `zh`."""

from __future__ import annotations

from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerZh(BaseTokenizer):
    """Single Chinese characters, 13a for the rest."""

    spec = "zh"
