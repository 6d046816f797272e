"""The table of `train`: the trained metric and the others, where it was trained and where it was not."""

from __future__ import annotations

from tercet.learning.training import ALL, HELD_OUT, Training
from tercet.report.meta import figure
from tercet.report.tables import Table

DIGITS = 4


def training_table(found: Training, digits: int | None = None) -> Table:
    """One row a metric: on everything, held out, and held out in each direction where there are several."""
    places = DIGITS if digits is None else digits
    # by place and not by name: two test sets may be of one language pair
    own = [r.direction for r in found if r.part == HELD_OUT and r.metric == found.metric][:-1]

    def cells(metric: str) -> tuple[str, ...]:
        held_out = [r.value for r in found if r.part == HELD_OUT and r.metric == metric]
        values = [found.record(ALL, metric).value, held_out[-1], *held_out[:-1]]
        return tuple(figure(value, None, places) for value in values)

    rows = tuple((metric, *cells(metric)) for metric in found.metrics)
    first = found.record()
    weights = ", ".join(f"{name} {weight:+.4f}" for name, weight in found.weights)
    notes = (
        f"{first.measure}; learnt from {found.examples} examples by {found.learner}, strength {found.strength:g}.",
        found.answer,
        *((f"Weights: {weights}.",) if found.kind == "combine" else ()),
        *found.notes,
        found.signature,
    )
    return Table(("metric", ALL, HELD_OUT, *own), rows, notes, rules=frozenset({0} if len(rows) > 1 else ()))
