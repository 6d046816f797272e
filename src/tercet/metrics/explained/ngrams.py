"""n-grams of hypothesis and references, found and missed, counted as the kernels count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tercet import kernels
from tercet.data import Array, Batch, References
from tercet.data.explanation import Ngram, NgramOrder, NgramTable, Unit
from tercet.metric_base import Metric
from tercet.numbers import thousands
from tercet.text.base import Tokens

ORDERS = 10  # that are listed; longer n-grams say nothing that these do not
SYMBOLS = 20_000  # in a text whose n-grams are listed

Words = tuple[str, ...]


def words(tokens: Tokens) -> list[Words]:
    """Packed tokens as rows of strings."""
    data, offsets, rows = tokens
    forms = kernels.unpack((data, offsets))
    return [tuple(forms[rows[i] : rows[i + 1]]) for i in range(len(rows) - 1)]


def chosen(metric: Metric, batch: Batch, row: Array, columns: slice = slice(None)) -> int:
    """Which reference the statistics are of: the first that gives them alone. `columns` are those to compare."""
    references = batch.required_references()[0]
    for i, reference in enumerate(references):
        alone = Batch(batch.hypotheses, References.of([reference]), batch.sources, batch.learnt, batch.threads)
        if np.array_equal(metric.statistics(alone)[0][columns], row[columns], equal_nan=True):
            return i
    return 0


def references_note(references: Sequence[str], number: int) -> tuple[str, ...]:
    """Which reference counts, where there is a choice."""
    if len(references) < 2:
        return ()
    return (f"Of {len(references)} references, number {number + 1} counts.",)


def word_table(hypothesis: Words, references: Sequence[Words], order: int) -> NgramTable:
    """n-grams of words. Each may be found as often as the reference has it that has most of it."""
    return _table("word", hypothesis, tuple(references), order)


def character_table(hypothesis: Words, reference: Words, order: int) -> NgramTable:
    """n-grams of the characters of the pieces, end to end."""
    return _table("character", hypothesis, (reference,), order)


def unlisted_note(tables: Sequence[NgramTable], order: int) -> tuple[str, ...]:
    """What is left out of the lists."""
    if any(len(t.symbols(p)) > SYMBOLS for t in tables for p in (t.hypothesis, *t.references)):
        return (f"The n-grams of texts of more than {thousands(SYMBOLS)} words or characters are not listed.",)
    return (f"n-grams of more than {ORDERS} are not listed.",) if order > ORDERS else ()


def _table(unit: Unit, hypothesis: Words, references: tuple[Words, ...], order: int) -> NgramTable:
    empty = NgramTable(unit, hypothesis, references, ())
    symbols = empty.symbols(hypothesis)
    others = [empty.symbols(reference) for reference in references]
    if max(map(len, [symbols, *others])) > SYMBOLS:
        return empty
    orders = []
    for n in range(1, min(order, ORDERS) + 1):
        allowed: Counter[str] = Counter()
        for other in others:
            allowed |= _count(empty, other, n)
        counts = _count(empty, symbols, n)
        both = dict.fromkeys([*counts, *allowed])
        orders.append(NgramOrder(n, tuple(Ngram(g, counts[g], allowed[g], min(counts[g], allowed[g])) for g in both)))
    return NgramTable(unit, hypothesis, references, tuple(orders))


def _count(table: NgramTable, symbols: Words, n: int) -> Counter[str]:
    return Counter(table.text(symbols[i : i + n]) for i in range(len(symbols) - n + 1))
