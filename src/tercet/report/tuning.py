"""The table of `tune`: the metric before and after, where it was tuned and where it was not."""

from __future__ import annotations

from tercet.learning.tuning import ALL, HELD_OUT, Tuning, TuningRecord
from tercet.meta.published import AVERAGE
from tercet.report.meta import figure
from tercet.report.tables import Table

DIGITS = 4


def tuning_table(found: Tuning, digits: int | None = None) -> Table:
    """Every direction on everything and held out; of the folds only what is averaged.

    The spec stands last, to be pasted unless it is said that it is not advised.
    """
    places = DIGITS if digits is None else digits
    several = any(r.direction == AVERAGE for r in found)
    shown = [r for r in found if r.part in (ALL, HELD_OUT) or not several or r.direction == AVERAGE]

    def row(r: TuningRecord) -> tuple[str, ...]:
        return (
            r.part,
            *((r.direction,) if several else ()),
            figure(r.default, None, places),
            figure(r.value, None, places),
            _signed(r.gain, places),
            str(r.n),
            r.settings or "" if not several or r.direction == AVERAGE else "",
        )

    blocks = [r.part == ALL or r.part == HELD_OUT for r in shown]
    rules = frozenset(i for i in range(len(shown) - 1) if blocks[i] != blocks[i + 1])
    header = ("part", *(("direction",) if several else ()), "default", "tuned", "gain", "n", "tuned to")
    notes = (
        f"{found.objective}; default: {found.default}.",
        found.answer,
        *found.notes,
        found.signature,
        "",
        found.spec if found.advised or found.spec == found.default else f"tuned, not advised: {found.spec}",
    )
    return Table(header, tuple(map(row, shown)), notes, rules=rules)


def _signed(value: float, digits: int) -> str:
    """A difference with its sign; what rounds to nothing has none.

    >>> _signed(0.0123, 3), _signed(-0.5, 3), _signed(0.00001, 3)
    ('+.012', '-.500', '.000')
    """
    text = figure(round(value, digits) + 0.0, None, digits)
    return f"+{text}" if round(value, digits) > 0 else text
