"""Tables of `train ibm1` (how well words were explained before each round of EM), `train lm`, `train frequencies`,
`parse`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tercet import numbers
from tercet.data.table import Table

if TYPE_CHECKING:
    from tercet.learning.ibm1 import Ibm1Training
    from tercet.learning.ngrams import FrequenciesTraining, LmTraining
    from tercet.parses.parse import Parsing

DIGITS = 4


def rounds_table(training: Ibm1Training, digits: int | None = None) -> Table:
    """A row a round."""
    places = DIGITS if digits is None else digits
    rows = [
        (str(r.iteration), numbers.score(r.log_likelihood, places), numbers.score(r.perplexity, places))
        for r in training.rounds
    ]
    return Table(("round", "log-likelihood", "perplexity"), tuple(rows), (*training.notes, training.signature))


def orders_table(training: LmTraining, digits: int | None = None) -> Table:
    """A row an order of the language model."""
    places = DIGITS if digits is None else digits
    rows = [
        (
            str(entry.order),
            str(entry.ngrams),
            *(numbers.score(d, places) for d in (entry.discount_1, entry.discount_2, entry.discount_3)),
        )
        for entry in training.orders
    ]
    heads = ("order", "n-grams", "discount of 1", "of 2", "of 3 and more")
    return Table(heads, tuple(rows), (*training.notes, training.signature))


def cutoffs_table(training: FrequenciesTraining, digits: int | None = None) -> Table:
    """A row an order of the frequencies."""
    rows = [tuple(str(value) for value in record.values()) for record in training.as_records()]
    heads = ("order", "n-grams", *(f"cut-off {k}" for k in range(1, 5)))
    return Table(heads, tuple(rows), (*training.notes, training.signature))


def trees_table(parsing: Parsing, digits: int | None = None) -> Table:
    """How many lines, trees and words there are."""
    (record,) = parsing.as_records()
    return Table(tuple(record), (tuple(map(str, record.values())),), (*parsing.notes, parsing.signature))
