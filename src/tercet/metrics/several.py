"""Kernels that give one row a reference: which of a segment's references counts, and how long texts may be."""

from __future__ import annotations

import numpy as np

from tercet.data import Array, Ints
from tercet.errors import InputError
from tercet.limits import more_patience, patience
from tercet.numbers import thousands
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
    pairs, most = hyp * np.diff(refs[2]), PAIRS * patience()
    over = np.flatnonzero(pairs > most)
    if len(over):
        segment = int(np.searchsorted(groups, over[0], side="right"))
        words, others = (thousands(int(lengths[over[0]])) for lengths in (hyp, np.diff(refs[2])))
        raise InputError(
            f"Segment {segment} has {words} words against {others}; {name} compares no more than "
            f"{thousands(most)} pairs of words.",
            hint="Split it into sentences." + more_patience(-(-int(pairs.max()) // PAIRS)),
        )
