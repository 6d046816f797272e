"""What METEOR says of a segment: the alignment, precision and recall, and the penalty for its pieces."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tercet.data.explanation import Explanation, Factor
from tercet.data.statistics import Array
from tercet.metrics.explained.formulas import given, made, weighted
from tercet.metrics.explained.ngrams import references_note
from tercet.metrics.meteor.alignment import Alignment
from tercet.metrics.meteor.parameters import Parameters


def explain_meteor(
    plain: Explanation, found: Alignment, row: Array, weights: Parameters, references: Sequence[str]
) -> Explanation:
    """The explanation with alignment and formula."""
    shares = [_share(name, value, row, side, weights) for side, (name, value) in enumerate(_sides(found))]
    mean = made("Fmean", "harmonic mean", [weighted(shares[0], 1 - weights.alpha), weighted(shares[1], weights.alpha)])
    matched = (row[-2] + row[-1]) / 2
    pieces = f"{found.chunks} chunk{'' if found.chunks == 1 else 's'}, {matched:g} words matched"
    power = f"{weights.gamma:g} × {found.fragmentation:.4f}^{weights.beta:g}"
    penalty = given("penalty", found.penalty, f"{power}; {pieces}")
    whole = made("what is left", "difference", [given("all", 1), penalty])
    return dataclasses.replace(
        plain,
        formula=Factor("score", plain.score, "product", (mean, whole)),
        hypothesis=found.hypothesis,
        reference=found.reference,
        matches=found.matches,
        notes=references_note(references, found.number),
    )


def _sides(found: Alignment) -> tuple[tuple[str, float], tuple[str, float]]:
    return ("precision", found.precision), ("recall", found.recall)


def _share(name: str, value: float, row: Array, side: int, weights: Parameters) -> Factor:
    """Words matched over words, both weighted; 0 by rule without words."""
    function = row[2 + side]
    length = weights.delta * (row[side] - function) + (1 - weights.delta) * function
    parts = (given("weighted matches", value * length), given("weighted words", length))
    if not length:
        return Factor(name, value, "rule", parts, note="0, for want of words")
    return Factor(name, value, "quotient", parts)
