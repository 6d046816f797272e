"""Strings to bytes to tokens, each text once."""

from __future__ import annotations

from typing import Literal

from tercet import kernels
from tercet.data import Texts
from tercet.limits import require_room
from tercet.text.base import Lines, Tokenizer, Tokens, pack

Case = Literal["python", "perl", "ascii"] | None


def packed(texts: Texts, lower: Case = None) -> Lines:
    """The texts as UTF-8, end to end, lower-cased first if asked."""
    key = ("packed", lower)
    if key not in texts.memo:
        texts.memo[key] = kernels.lower(packed(texts), lower) if lower else pack(texts.strings)
    lines: Lines = texts.memo[key]
    return lines


def tokens(
    texts: Texts, tokenizer: Tokenizer, threads: int, *, lower: Case = None, lower_tokens: Case = None
) -> Tokens:
    """The tokens of the texts, lower-cased before or after tokenisation if asked."""
    key = (tokenizer, tokenizer.state(), lower, lower_tokens)
    if key not in texts.memo:
        require_room(texts.longest)
        if lower_tokens:
            data, offsets, rows = tokens(texts, tokenizer, threads, lower=lower)
            texts.memo[key] = (*kernels.lower((data, offsets), lower_tokens), rows)
        else:
            texts.memo[key] = tokenizer.tokenize(packed(texts, lower), threads)
    cut: Tokens = texts.memo[key]
    return cut
