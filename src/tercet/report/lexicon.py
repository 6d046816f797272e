"""The table of `train ibm1`: how well the words were explained before each round of EM."""

from __future__ import annotations

from tercet.learning.ibm1 import Ibm1Training
from tercet.report.tables import Table

DIGITS = 4


def rounds_table(found: Ibm1Training, digits: int | None = None) -> Table:
    """A row a round."""
    places = DIGITS if digits is None else digits
    rows = [(str(r.iteration), f"{r.log_likelihood:.{places}f}", f"{r.perplexity:.{places}f}") for r in found.rounds]
    return Table(("round", "log-likelihood", "perplexity"), tuple(rows), (*found.notes, found.signature))
