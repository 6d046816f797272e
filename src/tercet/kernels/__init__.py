"""The hot loops: plain functions over packed text and arrays, compiled from `native/`.

Packed lines are (bytes, offsets), packed tokens (bytes, offsets of words, rows of words). The readable
definition of each kernel is its oracle in `tests/oracles`.
"""

from tercet.kernels._native import (
    InformationTable,
    bleu,
    chrf,
    edits,
    lower,
    masked_sums,
    moses_ter,
    nist,
    pack,
    per,
    sampled_sums,
    split_spaces,
    split_whitespace,
    ter,
    tokenize_13a,
    tokenize_char,
    tokenize_intl,
    tokenize_moses,
    tokenize_mteval,
    tokenize_tercom,
    tokenize_zh,
    unpack,
)

__all__ = [
    "InformationTable",
    "bleu",
    "chrf",
    "edits",
    "lower",
    "masked_sums",
    "moses_ter",
    "nist",
    "pack",
    "per",
    "sampled_sums",
    "split_spaces",
    "split_whitespace",
    "ter",
    "tokenize_13a",
    "tokenize_char",
    "tokenize_intl",
    "tokenize_moses",
    "tokenize_mteval",
    "tokenize_tercom",
    "tokenize_zh",
    "unpack",
]
