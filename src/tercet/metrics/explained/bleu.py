"""What every BLEU says of a segment: n-grams by order, precisions, and the penalty for brevity."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tercet.data.explanation import Explanation, Factor
from tercet.metrics.explained.formulas import given, made
from tercet.metrics.explained.ngrams import Words, unlisted_note, word_table


def bleu_statistic_names(order: int) -> tuple[str, ...]:
    """Lengths, then matches and totals of each order."""
    orders = range(1, order + 1)
    return "hypothesis words", "reference words", *(f"matches {n}" for n in orders), *(f"total {n}" for n in orders)


def explain_bleu(
    plain: Explanation,
    hypothesis: Words,
    references: Sequence[Words],
    order: int,
    penalty: Factor,
    precisions: Sequence[Factor],
    *,
    scale: float | None = None,
    rule: str = "",
) -> Explanation:
    """The explanation with n-grams and formula; `rule` says why the score is not what the formula gives."""
    parts = [] if scale is None else [given("percent", scale)]
    parts.append(penalty)
    if precisions:
        parts.append(made("precision", "geometric mean", precisions))
    table = word_table(hypothesis, references, order)
    return dataclasses.replace(
        plain,
        formula=Factor("score", plain.score, "rule" if rule else "product", tuple(parts), note=rule),
        hypothesis=hypothesis,
        reference=references[0],
        ngrams=(table,),
        notes=unlisted_note([table], order),
    )
