"""What `choose` says of rankers, and `plan` of campaigns."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from tercet.data.answer import Answer
from tercet.numbers import plain


@dataclasses.dataclass(frozen=True, repr=False)
class Choice(Answer):
    """The accuracy of each ranker, the best one first, and of the oracle last."""

    records: tuple[Mapping[str, Any], ...]
    signature: str
    notes: tuple[str, ...] = ()

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records: method, accuracy, radius, folds, judgements."""
        return [dict(r) for r in self.records]

    @property
    def best(self) -> str:
        """The ranker to choose."""
        return str(self.records[0]["method"])


@dataclasses.dataclass(frozen=True, repr=False)
class Plan(Answer):
    """What is to be expected of campaigns of growing size, and the smallest that is large enough."""

    records: tuple[Mapping[str, Any], ...]
    enough: int | None
    power: float
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        most = self.records[-1]["judgements"]
        share = f"in {plain(100 * self.power)} % of campaigns"
        if self.enough is None:
            return f"Not even {most} judgements keep all systems apart {share}."
        return f"{self.enough} judgements keep all systems apart, in the right order, {share}."

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records: judgements, separated, ordered, clusters, pairs_apart, enough."""
        return [dict(r) for r in self.records]
