"""A comparison, and how its seconds are measured."""

from __future__ import annotations

import dataclasses
import pathlib
import time
from collections.abc import Callable
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison: seconds of both sides and the ratio that was asked for."""

    what: str
    ours: float
    theirs: float
    wanted: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def best_of(runs: int, work: Callable[..., Any], prepare: Callable[[], Any] | None = None) -> tuple[float, Any]:
    """The shortest of some runs, and what the work gave; `prepare` makes its input anew, outside the clock."""
    seconds, result = [], None
    for _ in range(runs):
        given = [prepare()] if prepare else []
        start = time.perf_counter()
        result = work(*given)
        seconds.append(time.perf_counter() - start)
    return min(seconds), result
