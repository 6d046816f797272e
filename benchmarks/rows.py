"""What is measured on, a comparison, and how its seconds are measured."""

from __future__ import annotations

import dataclasses
import pathlib
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEXTS = ROOT.parent / "shared" / "data" / "wmt14-news" / "newstest2014.de-en.tsv.gz"
SYSTEM = "onlineA.0"


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


def best_of(
    runs: int,
    work: Callable[..., Any],
    prepare: Callable[[], Any] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, Any]:
    """The shortest of some runs, and what the work gave; `prepare` makes its input anew, outside the clock."""
    seconds, result = [], None
    for _ in range(runs):
        given = [prepare()] if prepare else []
        start = clock()
        result = work(*given)
        seconds.append(clock() - start)
    return min(seconds), result


def require_equal(what: str, ours: Any, theirs: Any) -> None:
    """A ratio between different answers would mean nothing."""
    if not np.allclose(np.array(ours, dtype=float), np.array(theirs, dtype=float), rtol=1e-9, atol=1e-9):
        sys.exit(f"{what}: Tercet and its peer do not agree; no ratio is given.")


def machine() -> str:
    """The processor, as the system names it."""
    info = pathlib.Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()
