"""The table of `tune`: the metric before and after, where it was tuned and where it was not."""

from __future__ import annotations

from tercet import numbers
from tercet.data.published import AVERAGE
from tercet.data.table import Table
from tercet.data.tuning import ALL, HELD_OUT, Tuning, TuningRecord

DIGITS = 4


def tuning_table(tuning: Tuning, digits: int | None = None) -> Table:
    """Every direction on everything and held out; of the folds only what is averaged.

    The spec stands last, to be pasted unless it is said that it is not advised.
    """
    places = DIGITS if digits is None else digits
    several = any(r.direction == AVERAGE for r in tuning)
    shown = [r for r in tuning if r.part in (ALL, HELD_OUT) or not several or r.direction == AVERAGE]

    def row(r: TuningRecord) -> tuple[str, ...]:
        return (
            r.part,
            *((r.direction,) if several else ()),
            numbers.coefficient(r.default, places),
            numbers.coefficient(r.value, places),
            numbers.gain(r.gain, places),
            str(r.n),
            r.settings or "" if not several or r.direction == AVERAGE else "",
        )

    blocks = [r.part == ALL or r.part == HELD_OUT for r in shown]
    rules = frozenset(i for i in range(len(shown) - 1) if blocks[i] != blocks[i + 1])
    header = ("part", *(("direction",) if several else ()), "default", "tuned", "gain", "n", "tuned to")
    notes = (
        f"{tuning.objective}; default: {tuning.default}.",
        tuning.answer,
        *tuning.notes,
        tuning.signature,
        "",
        tuning.spec if tuning.advised or tuning.spec == tuning.default else f"tuned, not advised: {tuning.spec}",
    )
    return Table(header, tuple(map(row, shown)), notes, rules=rules)
