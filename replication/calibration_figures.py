"""A figure of the calibration: how often a test rejected or an interval covered, and the simulation's own error.

    level       share of data sets without a difference in which a test found one; no more than the nominal level
    family      the same of any of several tests: what a correction holds, and none cannot
    coverage    share of data sets whose interval has the true value in it; no less than the nominal coverage
    power       share of data sets with a known difference in which a test found it

What nothing is said about by whoever calls the verb is a `default` and must hold; an `option` is what it offers
besides, and a `recipe` what the field published with. A default that takes segments as independent is tried where they
are not as well; it is called that, and need not hold there. What is not corrected promises nothing of a family, even if
that is the default; corrections do, even if they are options.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

Role = Literal["default", "option", "recipe", "default, if segments are independent"]
ASSUMING: Role = "default, if segments are independent"
Quantity = Literal["level", "family", "coverage", "power"]

RECORDED = pathlib.Path(__file__).with_name("calibration.tsv")
LEVELS = (0.05, 0.01)
UNCORRECTED = "--correction none"
ERROR = 0.01  # what the simulation's own interval leaves out, both ends together
HEADER = ("design", "verb", "data", "n", "what", "role", "quantity", "nominal", "hits", "runs")


@dataclasses.dataclass(frozen=True)
class Figure:
    """One share, `hits` of `runs`."""

    verb: str
    data: str
    n: str  # segments, systems, ...
    what: str  # the test or the interval
    role: Role
    quantity: Quantity
    nominal: float  # of power: the level of the test
    hits: int
    runs: int

    @property
    def share(self) -> float:
        """What was found."""
        return self.hits / self.runs

    @property
    def bounds(self) -> tuple[float, float]:
        """The 99 % binomial interval of the share (Clopper and Pearson 1934): the simulation's own error."""
        from scipy.stats import beta

        low = beta.ppf(ERROR / 2, self.hits, self.runs - self.hits + 1) if self.hits else 0.0
        high = beta.ppf(1 - ERROR / 2, self.hits + 1, self.runs - self.hits) if self.hits < self.runs else 1.0
        return float(low), float(high)

    @property
    def verdict(self) -> str:
        """holds: the nominal value is within the error; careful: surely on the safe side; NO: surely on the other."""
        low, high = self.bounds
        if self.quantity == "power":
            return ""
        over, under = ("careful", "NO") if self.quantity == "coverage" else ("NO", "careful")
        return over if low > self.nominal else under if high < self.nominal else "holds"

    @property
    def promised(self) -> bool:
        """Whether it must hold."""
        return UNCORRECTED not in self.what if self.quantity == "family" else self.role == "default"

    def cells(self) -> tuple[str, ...]:
        """The figure as it is written down."""
        counts = (f"{self.nominal:g}", str(self.hits), str(self.runs))
        return (self.verb, self.data, self.n, self.what, self.role, self.quantity, *counts)


@dataclasses.dataclass(frozen=True)
class Setting:
    """What the figures of one simulation share."""

    verb: str
    data: str
    n: str

    def figure(self, what: str, role: Role, quantity: Quantity, nominal: float, hits: Iterable[bool]) -> Figure:
        """From what happened in each run."""
        outcomes = [bool(hit) for hit in hits]
        return Figure(self.verb, self.data, self.n, what, role, quantity, nominal, sum(outcomes), len(outcomes))

    def tests(
        self, what: str, role: Role, p_values: Sequence[float] | npt.NDArray[np.float64], quantity: Quantity = "level"
    ) -> list[Figure]:
        """Level or power of a test at .05 and .01, from the p-value of each run."""
        return [self.figure(what, role, quantity, level, np.asarray(p_values) <= level) for level in LEVELS]

    def interval(self, what: str, role: Role, bounds: Sequence[tuple[float, float]], truth: float) -> Figure:
        """Coverage of 95 % intervals."""
        return self.figure(what, role, "coverage", 0.95, (low <= truth <= high for low, high in bounds))


def write(figures: Mapping[str, Sequence[Figure]], path: pathlib.Path = RECORDED) -> None:
    """Write down what came out of each design."""
    rows = [HEADER, *((design, *figure.cells()) for design, made in figures.items() for figure in made)]
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def recorded(path: pathlib.Path = RECORDED) -> dict[str, list[Figure]]:
    """What came out of each design when it was last written down."""
    figures: dict[str, list[Figure]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else ():
        design, verb, data, n, what, role, quantity, nominal, hits, runs = line.split("\t")
        figure = Figure(verb, data, n, what, role, quantity, float(nominal), int(hits), int(runs))  # type: ignore[arg-type]
        figures.setdefault(design, []).append(figure)
    return figures


def failures(figures: Iterable[Figure]) -> list[str]:
    """Defaults and corrections that do not hold what they promise."""
    return [
        f"{f.verb}, {f.data}, n = {f.n}, {f.what}: {f.quantity} {shown(f.share)} "
        f"[{shown(f.bounds[0])}, {shown(f.bounds[1])}], nominal {f.nominal:g}"
        for f in figures
        if f.promised and f.verdict == "NO"
    ]


def shown(share: float) -> str:
    """A share as the pages print it."""
    return f"{share:.3f}".removeprefix("0")


POOLED = ("score", "compare", "rank")


def pooled(figures: Iterable[Figure]) -> list[Figure]:
    """Sizes taken together, and the metrics that score systems, and the rankers."""
    sums: dict[Figure, list[Figure]] = {}
    for f in figures:
        data = f.data.partition(", ")[0] if f.verb in POOLED else f.data
        sums.setdefault(dataclasses.replace(f, data=data, n="all", hits=0, runs=0), []).append(f)
    return [
        dataclasses.replace(whole, hits=sum(f.hits for f in parts), runs=sum(f.runs for f in parts))
        for whole, parts in sums.items()
    ]


def markdown(figures: Sequence[Figure]) -> str:
    """A table with one row a test or interval and its setting, and one column a quantity and nominal value."""
    columns = list(dict.fromkeys((f.quantity, f.nominal) for f in figures))
    rows: dict[tuple[str, ...], dict[tuple[str, float], Figure]] = {}
    for f in figures:
        rows.setdefault((f.verb, f.data, f.n, f.what, f.role), {})[f.quantity, f.nominal] = f
    names = ("verb", "data", "n", "what", "is")
    told = [i for i in range(len(names)) if len({row[i] for row in rows}) > 1]  # what is the same in all rows is not
    heads = [*(names[i] for i in told), *(f"{quantity} {nominal:g}" for quantity, nominal in columns), "runs"]
    lines = [f"| {' | '.join(heads)} |", f"| {' | '.join('---' for _ in heads)} |"]
    for row, found in rows.items():
        shares = [_cell(found.get(column)) for column in columns]
        runs = sorted({f.runs for f in found.values()})
        lines.append(f"| {' | '.join([*(row[i] for i in told), *shares, ', '.join(map(str, runs))])} |")
    return "\n".join(lines)


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return ""
    low, high = figure.bounds
    said = f"{shown(figure.share)} [{shown(low)}, {shown(high)}]"
    return f"**{said}**" if figure.verdict == "NO" else said
