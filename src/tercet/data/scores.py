"""Scores: the answer, as flat records that every output format shares."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from tercet.data.answer import Answer


@dataclasses.dataclass(frozen=True)
class Score:
    """One number and what belongs to it. None where a field does not apply."""

    system: str
    metric: str
    level: str
    segment: str | None
    score: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    signature: str = ""
    mean: float | None = None  # of the resamples, as sacreBLEU reports it
    half_width: float | None = None
    win_share: float | None = None  # of resamples in which the system beats the baseline (Koehn 2004)
    s_sel: float | None = None  # spread by the choice of test segments (Clark et al. 2011)
    s_opt: float | None = None  # spread over optimiser runs
    runs: int | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class Scores(Answer):
    """Records with the signature of the call. It never re-aggregates itself; only Statistics may."""

    records: tuple[Score, ...]
    signature: str
    scales: Mapping[str, tuple[bool, int]] = dataclasses.field(default_factory=dict)
    """Of each metric: whether higher is better, and how many digits a table shows."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers must know."""

    def __iter__(self) -> Iterator[Score]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def data(self) -> str:
        """Fingerprints of what was scored, as they stand at the end of the signature; '' if it has none."""
        _, mark, fingerprints = self.signature.rpartition("|data:")
        return f"data:{fingerprints}" if mark else ""

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames. Fields that the call did not ask for are left out."""
        extra = [f for f in _EXTRA if any(getattr(r, f) is not None for r in self.records)]
        better = {metric: "higher" if higher else "lower" for metric, (higher, _) in self.scales.items()}
        return [
            {f: getattr(r, f) for f in COLUMNS} | {"better": better.get(r.metric)} | {f: getattr(r, f) for f in extra}
            for r in self.records
        ]

    def value(self, system: str, metric: str, segment: str | None = None) -> float:
        """One score by its labels; `metric` as its canonical spec string."""
        records = [r for r in self.records if (r.system, r.metric, r.segment) == (system, metric, segment)]
        if not records:
            raise KeyError((system, metric, segment))
        return records[0].score


COLUMNS = ("system", "metric", "level", "segment", "score", "low", "high", "p_value", "signature")
_EXTRA = tuple(f.name for f in dataclasses.fields(Score) if f.name not in COLUMNS)
