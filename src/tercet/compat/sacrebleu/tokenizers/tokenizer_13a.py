"""The tokenizer `13a`."""

from __future__ import annotations

from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class Tokenizer13a(BaseTokenizer):
    """Western punctuation, as mteval-v13a: sacreBLEU's default."""

    spec = "13a"
