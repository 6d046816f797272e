"""Amounts: how much was judged, a line a language pair, as the findings of WMT print it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

from tercet.data.answer import Answer


@dataclasses.dataclass(frozen=True)
class Amount:
    """How much was judged of one language pair, or of all. None where a field does not apply."""

    pair: str
    systems: int
    segments: int
    judges: int
    judgements: int  # comparisons of two systems, or scores of an output
    repeats: int  # comparisons that a judge had made before, or scores of outputs that were shown again
    tasks: int | None = None  # rankings of several outputs, or sittings
    ties: int | None = None  # of the comparisons
    compared: int | None = None  # comparisons as judges made them: outputs that systems share count once
    controls: int | None = None  # scores of references and degraded outputs, which are no judgements of systems

    @property
    def per_system(self) -> float:
        """Judgements divided by systems, as the findings print it; NaN without systems."""
        return self.judgements / self.systems if self.systems else math.nan


@dataclasses.dataclass(frozen=True, repr=False)
class Amounts(Answer):
    """How much was judged: a record a language pair and, if there are several, one of all of them."""

    records: tuple[Amount, ...]
    signature: str
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Amount]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def of(self, pair: str) -> Amount:
        """The record of one language pair, or of the `total`."""
        matching = [r for r in self.records if r.pair == pair]
        if not matching:
            raise KeyError(pair)
        return matching[0]

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames. Fields that no record has are left out."""
        known = [name for name in COLUMNS if any(getattr(r, name) is not None for r in self.records)]
        return [{name: getattr(r, name) for name in known} for r in self.records]


COLUMNS = (
    *("pair", "systems", "segments", "judges", "tasks", "judgements"),
    *("ties", "compared", "repeats", "controls", "per_system"),
)
