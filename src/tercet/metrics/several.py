"""Kernels that give one row a reference: which of a segment's references counts, and how long texts may be."""

from __future__ import annotations

import numpy as np

from tercet.data import Array, Ints
from tercet.errors import InputError
from tercet.text.base import Tokens

PAIRS = 1_000_000  # of words, translation by reference, that are looked at


def best_rows(rows: Array, scores: Array, groups: Ints) -> Array:
    """Of each segment the row with the highest score, of equal ones the first; NaN is lower than anything."""
    comparable = np.where(np.isnan(scores), -np.inf, scores)
    # stable: within a segment the highest score comes first, then the first reference
    order = np.lexsort((-comparable, np.repeat(np.arange(len(groups) - 1), np.diff(groups))))
    best: Array = rows[order[groups[:-1]]]
    return best


def lengths(tokens: Tokens) -> Array:
    """Words of each text."""
    return np.diff(tokens[2]).astype(np.float64)


def require_bounded(name: str, hyps: Tokens, refs: Tokens, groups: Ints) -> None:
    """Refuse a segment that would take all memory, or all day."""
    hyp = np.repeat(np.diff(hyps[2]), np.diff(groups))
    over = np.flatnonzero(hyp * np.diff(refs[2]) > PAIRS)
    if len(over):
        segment = int(np.searchsorted(groups, over[0], side="right"))
        raise InputError(
            f"Segment {segment} has {hyp[over[0]]:,} words against {int(np.diff(refs[2])[over[0]]):,}; {name} compares "
            f"no more than {PAIRS:,} pairs of words.",
            hint="Split it into sentences.",
        )
