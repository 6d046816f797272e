"""Formulas as trees: a number, and how it comes from those below it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tercet.data.explanation import Factor, Operation
from tercet.numbers import plain


def given(name: str, value: float, note: str = "") -> Factor:
    """A number that nothing here leads to."""
    return Factor(name, float(value), note=note)


def made(name: str, operation: Operation, parts: Sequence[Factor], note: str = "") -> Factor:
    """A number from its parts.

    >>> made("errors", "sum", [given("insertions", 1), given("deletions", 2)]).value
    3.0
    """
    kept = tuple(parts)
    return Factor(name, Factor(name, math.nan, operation, kept).computed(), operation, kept, note=note)


def fraction(name: str, top: float, bottom: float, names: tuple[str, str], note: str = "") -> Factor:
    """A quotient of two counts; 0 by rule where there is nothing to divide by."""
    parts = [given(names[0], top), given(names[1], bottom)]
    if bottom:
        return made(name, "quotient", parts, note)
    return Factor(name, 0.0, "rule", tuple(parts), note=note or f"0, for want of {names[1]}")


def weighted(factor: Factor, weight: float) -> Factor:
    """The factor with its share in a mean."""
    return Factor(factor.name, factor.value, factor.operation, factor.parts, weight, factor.note)


def harmonic(name: str, precision: Factor, recall: Factor, beta: float) -> Factor:
    """The F-score in which recall counts `beta` times as much as precision."""
    share = 1 / (1 + beta**2)
    return made(name, "harmonic mean", [weighted(precision, share), weighted(recall, 1 - share)])


def brevity(value: float, hyp: float, ref: float) -> Factor:
    """BLEU's penalty for a text shorter than its reference."""
    note = f"exp(1 − {plain(ref)}/{plain(hyp)})" if 0 < hyp < ref else f"{plain(hyp)} words, reference {plain(ref)}"
    return given("brevity penalty", value, note)
