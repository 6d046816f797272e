"""The table of `train`: the trained metric and the others, where it was trained and where it was not."""

from __future__ import annotations

from tercet import numbers
from tercet.data.table import Table
from tercet.data.tuning import ALL, HELD_OUT, TrainedMetric

DIGITS = 4


def training_table(training: TrainedMetric, digits: int | None = None) -> Table:
    """One row a metric: on everything, held out, and held out in each direction where there are several."""
    places = DIGITS if digits is None else digits
    # by place and not by name: two test sets may be of one language pair
    directions = [r.direction for r in training if r.part == HELD_OUT and r.metric == training.metric][:-1]

    def cells(metric: str) -> tuple[str, ...]:
        held_out = [r.value for r in training if r.part == HELD_OUT and r.metric == metric]
        values = [training.record(ALL, metric).value, held_out[-1], *held_out[:-1]]
        return tuple(numbers.coefficient(value, places) for value in values)

    rows = tuple((metric, *cells(metric)) for metric in training.metrics)
    first = training.record()
    weights = ", ".join(f"{name} {numbers.difference(weight, 4)}" for name, weight in training.weights)
    notes = (
        f"{first.measure}; learnt from {training.examples} examples "
        f"by {training.learner}, strength {numbers.plain(training.strength)}.",
        training.answer,
        *((f"Weights: {weights}.",) if training.kind in ("combine", "neural") else ()),
        *training.notes,
        training.signature,
    )
    return Table(("metric", ALL, HELD_OUT, *directions), rows, notes, rules=frozenset({0} if len(rows) > 1 else ()))
