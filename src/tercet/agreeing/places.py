"""Which metric stands first and which are in bold, decided once for the terminal, files and pages."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from tercet.data import MetricAgreement
from tercet.data.table import highest
from tercet.numbers import DIGITS


def placed(records: Sequence[MetricAgreement]) -> tuple[MetricAgreement, ...]:
    """The records in the order given, each with its place in its level, measure and direction, and who is best there.

    The highest value is first; metrics of too few systems come behind all others, and what is not defined has no
    place. The best are those that no other metric is significantly better than, or the highest as printed where there
    was no test; a metric alone is not the best of anything.

    >>> few = MetricAgreement("a", "system", "pearson", "de-en", 1.0, n=2, fewer=True)
    >>> more = [MetricAgreement(m, "system", "pearson", "de-en", v, n=9) for m, v in (("b", 0.9), ("c", 0.8))]
    >>> [(r.metric, r.place, r.best) for r in placed([few, *more])]
    [('a', 3, False), ('b', 1, True), ('c', 2, False)]
    """
    blocks: dict[tuple[str, str, str], list[MetricAgreement]] = {}
    for r in records:
        blocks.setdefault(_block(r), []).append(r)
    shown = {block: iter(_placed(members)) for block, members in blocks.items()}
    return tuple(next(shown[_block(r)]) for r in records)


def _block(record: MetricAgreement) -> tuple[str, str, str]:
    return record.level, record.measure, record.direction


def _placed(records: Sequence[MetricAgreement]) -> list[MetricAgreement]:
    order = sorted(_key(r) for r in records if not math.isnan(r.value))
    comparable = [math.nan if r.scarce else r.value for r in records]
    best: set[int] = set()
    if sum(not math.isnan(v) for v in comparable) > 1:
        if any(r.winner is not None for r in records):
            best = {i for i, r in enumerate(records) if r.winner and not math.isnan(comparable[i])}
        else:
            best = set(highest(comparable, DIGITS))
    return [
        dataclasses.replace(r, place=None if math.isnan(r.value) else 1 + order.index(_key(r)), best=i in best)
        for i, r in enumerate(records)
    ]


def _key(record: MetricAgreement) -> tuple[bool, float]:
    return record.scarce, -record.value
