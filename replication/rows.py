"""A row of the replication table: what was published, what we get, and how far apart they may be."""

from __future__ import annotations

import dataclasses
import gzip
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"

Value = float | str


@dataclasses.dataclass(frozen=True)
class Row:
    """One figure. Numbers may differ by `tolerance`, texts not at all unless `near` says how they may.

    `stated` is the reason of a larger difference that is known and accepted as it is.
    """

    campaign: str
    what: str
    published: Value
    ours: Value
    tolerance: float = 0.0
    digits: int = 3
    near: str = ""
    stated: str = ""

    @property
    def key(self) -> str:
        """What the row is called where figures are written down."""
        return f"{self.campaign}: {self.what}"

    @property
    def difference(self) -> str:
        """Ours minus published, or what is said of two texts."""
        if isinstance(self.published, float) and isinstance(self.ours, float):
            gap = self.ours - self.published
            return "0" if abs(gap) < 0.5 * 10**-self.digits else f"{gap:+.{self.digits}f}"
        return "0" if self.published == self.ours else self.near or "differs"

    @property
    def verdict(self) -> str:
        """yes: within what was asked; stated: outside, for a known reason; NO."""
        if isinstance(self.published, float) and isinstance(self.ours, float):
            # both are decimal fractions: a difference of exactly the tolerance may come out a hair larger
            fine = abs(self.ours - self.published) <= self.tolerance + 1e-9
        else:
            fine = self.published == self.ours or bool(self.near)
        return "yes" if fine else "stated" if self.stated else "NO"

    def cells(self) -> tuple[str, ...]:
        """The row as it is printed."""

        def shown(value: Value) -> str:
            return value if isinstance(value, str) else f"{value:.{self.digits}f}"

        figures = (shown(self.published), shown(self.ours), self.difference, f"{self.tolerance:g}")
        return (self.campaign, self.what, *figures, self.verdict)


def read_lines(path: pathlib.Path) -> list[str]:
    """The lines of a text file, packed or not."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8").splitlines()
