"""What METEOR says of a segment: the alignment, precision and recall, and the penalty for its pieces."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

from tercet import numbers
from tercet.data.explanation import Explanation, Factor
from tercet.data.statistics import Array
from tercet.metrics.explained.formulas import given, made, weighted
from tercet.metrics.explained.ngrams import references_note
from tercet.metrics.meteor.alignment import Alignment
from tercet.metrics.meteor.parameters import Parameters


def explain_meteor(
    plain: Explanation,
    alignment: Alignment,
    row: Array,
    weights: Parameters,
    references: Sequence[str],
    function_words: Collection[str] = (),
) -> Explanation:
    """The explanation with alignment and formula."""
    stages = [name.split(":")[0] for name, _ in plain.statistics[4:-3:4]]
    shares = [_share(name, value, row, side, weights, stages) for side, (name, value) in enumerate(_sides(alignment))]
    mean = made("Fmean", "harmonic mean", [weighted(shares[0], 1 - weights.alpha), weighted(shares[1], weights.alpha)])
    penalty = given("penalty", alignment.penalty, _pieces(alignment, row, weights))
    whole = made("what is left", "difference", [given("all", 1), penalty])
    return dataclasses.replace(
        plain,
        formula=Factor("score", plain.score, "product", (mean, whole)),
        hypothesis=alignment.hypothesis,
        reference=alignment.reference,
        matches=alignment.matches,
        notes=(*references_note(references, alignment.number), *_function_note(alignment, weights, function_words)),
    )


def _pieces(alignment: Alignment, row: Array, weights: Parameters) -> str:
    """Where the penalty comes from."""
    matched = (row[-2] + row[-1]) / 2
    if alignment.matches and row[-3] == 0:
        return "none, by METEOR's exception: every word is matched, and all in one chunk"
    words = f"{numbers.plain(matched)} word{'' if matched == 1 else 's'}"
    pieces = f"{alignment.chunks} chunk{'' if alignment.chunks == 1 else 's'}, {words} matched"
    gamma, beta = map(numbers.plain, (weights.gamma, weights.beta))
    return f"{gamma} × {numbers.score(alignment.fragmentation, 4)}^{beta}; {pieces}"


def _function_note(alignment: Alignment, weights: Parameters, function_words: Collection[str]) -> tuple[str, ...]:
    """Which words weigh less than the others."""
    words = [
        word for word in dict.fromkeys([*alignment.hypothesis, *alignment.reference]) if word.lower() in function_words
    ]
    if not words:
        return ()
    told = f"Content words weigh {numbers.plain(weights.delta)}, function words {numbers.plain(1 - weights.delta)}"
    return (f"{told}. Function words here: {' '.join(words)}",)


def _sides(alignment: Alignment) -> tuple[tuple[str, float], tuple[str, float]]:
    return ("precision", alignment.precision), ("recall", alignment.recall)


def _share(name: str, value: float, row: Array, side: int, weights: Parameters, stages: Sequence[str]) -> Factor:
    """Words matched over words, both weighted; 0 by rule without words."""
    function = row[2 + side]
    length = weights.delta * (row[side] - function) + (1 - weights.delta) * function
    parts = (given("weighted matches", value * length), given("weighted words", length))
    if not length:
        return Factor(name, value, "rule", parts, note="0, for want of words")
    return Factor(name, value, "quotient", parts, note=_weighing(row, side, weights, stages))


def _weighing(row: Array, side: int, weights: Parameters, stages: Sequence[str]) -> str:
    """How words matched and words are weighted; nothing where all weigh one."""
    if weights.delta == 1 and set(weights.weights) == {1.0}:
        return ""
    matched, words = [], []
    for kind, at, share in (("content", 0, weights.delta), ("function", 2, 1 - weights.delta)):
        number = row[2 + side] if at else row[side] - row[2 + side]
        words += [_term(number, kind, share)] if number else []
        for n, (stage, weight) in enumerate(zip(stages, weights.weights, strict=False)):
            number = row[4 + 4 * n + at + side]
            named = kind if n == 0 else f"{kind} by {stage}"
            matched += [_term(number, named, weight, share)] if number else []
    return f"matched: {' + '.join(matched) or 'nothing'}; words: {' + '.join(words)}"


def _term(number: float, name: str, *weights: float) -> str:
    return " × ".join(
        [f"{numbers.plain(number)} {name}", *(numbers.plain(weight) for weight in weights if weight != 1)]
    )
