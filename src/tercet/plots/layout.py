"""Pictures laid out as plain data: limits, ticks, what is drawn and where names stand.

    scatter_layout       systems by metric and human score, names beside their points
    lines_layout         agreement among the best N systems, names at the ends of the lines, the best in colour
    calibration_layout   accuracy by the difference that counts as a tie, in steps
    matrix_layout        which metric is significantly better than which, and by which level

Each is painted twice: by matplotlib in this room, for print, and as SVG by the pages of `report`. Nothing here knows of
either; lengths are in units of the data, or of what the painter says its axes measure.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import numpy as np

from tercet.data import Array, Calibration, MetricTests, Scatter, TopCurve
from tercet.numbers import coefficient, typeset
from tercet.numbers import epsilon as epsilon_text
from tercet.plots.labels import Placed, beside_points, spread, within_axes

LARGEST = 1e99  # of what is drawn; differences and ratios of it are still numbers
LEVELS = (0.01, 0.001)  # of significance, besides that of the tests
SHADES = len(LEVELS) + 1
SIZES = 9  # numbers of systems along an axis
COLOURED = 5  # lines in colour where nobody said which

Span = tuple[float, float]
Tick = tuple[float, str]


@dataclasses.dataclass(frozen=True)
class Axis:
    """A range, which may run backwards, with its ticks and its name."""

    span: Span
    ticks: tuple[Tick, ...]
    name: str

    def place(self, value: float) -> float:
        """Where a value stands, from 0 to 1."""
        return (value - self.span[0]) / (self.span[1] - self.span[0])


# -- axes ----------------------------------------------------------------------------------------------------


def is_drawable(value: float) -> bool:
    """Whether a value is a number that an axis can hold."""
    return math.isfinite(value) and abs(value) < LARGEST


def span(values: Iterable[float], pad: float = 0.07) -> Span:
    """The range of an axis, with a little room at both ends; never empty.

    >>> span([0.0, 1.0], pad=0.1), span([3.0]), span([])
    ((-0.1, 1.1), (2.5, 3.5), (0.0, 1.0))
    """
    drawn = [v for v in values if is_drawable(v)]
    if not drawn:
        return 0.0, 1.0
    low, high = min(drawn), max(drawn)
    width = high - low
    if width <= 1e-9 * max(abs(low), abs(high), 1 / LARGEST):  # one value: the axis still needs a length
        half = abs(low) / 6 if abs(low) > 1 / LARGEST else 0.5
        return low - half, high + half
    return low - pad * width, high + pad * width


def ticks(ends: Span, count: int = 5) -> list[Tick]:
    """About `count` round values within a range, with their labels.

    >>> ticks((0.42, 1.03))
    [(0.5, '.5'), (0.6, '.6'), (0.7, '.7'), (0.8, '.8'), (0.9, '.9'), (1.0, '1.0')]
    >>> ticks((-2.0, 33.0))
    [(0.0, '0'), (10.0, '10'), (20.0, '20'), (30.0, '30')]
    """
    low, high = min(ends), max(ends)
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= 0.8 * rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [(round(k * step, digits), tick_label(k * step, digits)) for k in range(first, last + 1)]


def tick_label(value: float, digits: int) -> str:
    """A tick as the papers print figures, in powers of ten where it would be long.

    >>> tick_label(-0.25, 2), tick_label(0.0, 1), tick_label(2e-7, 7), tick_label(4.5e8, 0)
    ('−.25', '0', '2e-07', '4.5e+08')
    """
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return "0"
    if len(text) > 7:
        text = f"{abs(float(text)):.6g}"
    sign = "−" if value < 0 else ""
    return sign + (text[1:] if text.startswith("0.") else text)


def size_ticks(sizes: Sequence[int], count: int = SIZES) -> list[Tick]:
    """Numbers of systems on an axis: all, or every second, third, ..., counted back from the largest.

    >>> [label for _, label in size_ticks(range(4, 17))]
    ['4', '6', '8', '10', '12', '14', '16']
    """
    every = max(1, math.ceil(len(sizes) / count))
    return [(float(n), str(n)) for n in sorted(sizes, reverse=True)[::every]][::-1]


# -- metric against people -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Point:
    """A system: its place, the ends of both intervals (the place itself where none is known), whether an outlier."""

    system: str
    x: float
    y: float
    low: float
    high: float
    gold_low: float
    gold_high: float
    outlier: bool


@dataclasses.dataclass(frozen=True)
class ScatterLayout:
    """Better is always to the right: the axis of a metric for which lower is better runs the other way."""

    x: Axis
    y: Axis
    points: tuple[Point, ...]
    missing: tuple[str, ...]  # systems that have no score by the metric, or none by people


def scatter_layout(data: Scatter, y: Span | None = None) -> ScatterLayout:
    """Where the systems stand; `y` is the range of people's scores if it is shared with other metrics."""
    low, high = span((*data.scores, *data.score_low, *data.score_high))
    across: Span = (low, high) if data.higher_is_better else (high, low)
    up = gold_span([data]) if y is None else y
    rows = [i for i in range(len(data.systems)) if is_drawable(data.scores[i]) and is_drawable(data.gold[i])]

    def ends(column: Sequence[float], other: Sequence[float], i: int, value: float) -> Span:
        known = bool(column) and bool(other) and is_drawable(column[i]) and is_drawable(other[i])
        return (column[i], other[i]) if known else (value, value)

    points = tuple(
        Point(
            data.systems[i],
            data.scores[i],
            data.gold[i],
            *ends(data.score_low, data.score_high, i, data.scores[i]),
            *ends(data.gold_low, data.gold_high, i, data.gold[i]),
            bool(data.outliers[i]) if data.outliers else False,
        )
        for i in rows
    )
    turned = "" if data.higher_is_better else ", lower is better: axis reversed"
    missing = tuple(system for i, system in enumerate(data.systems) if i not in set(rows))
    return ScatterLayout(
        Axis(across, tuple(ticks(across)), turned), Axis(up, tuple(ticks(up)), "human score"), points, missing
    )


def trend(points: Sequence[Point]) -> tuple[Span, Span] | None:
    """The ends of the least-squares line, across and up; None where the metric's scores are all the same.

    >>> trend([Point("a", 1.0, 2.0, 1, 1, 2, 2, False), Point("b", 3.0, 6.0, 3, 3, 6, 6, False)])
    ((1.0, 3.0), (2.0, 6.0))
    """
    x, y = np.array([p.x for p in points]), np.array([p.y for p in points])
    if len(x) < 2 or np.ptp(x) == 0:
        return None
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    low, high = float(x.min()), float(x.max())
    middle = float(x.mean()), float(y.mean())
    return (low, high), (middle[1] + slope * (low - middle[0]), middle[1] + slope * (high - middle[0]))


def gold_span(scatters: Sequence[Scatter]) -> Span:
    """The range of people's scores of all metrics."""
    return span(v for s in scatters for column in (s.gold, s.gold_low, s.gold_high) for v in column)


def name_places(
    layout: ScatterLayout, sizes: Sequence[tuple[float, float]], width: float, height: float, *, bounded: bool = False
) -> list[Placed | None]:
    """A place for the name of each point on axes of that width and height, names being so wide and high.

    `bounded` names stay on the axes, and are left out where there is no room; else they go as far as they must.
    """
    where = [(layout.x.place(p.x) * width, layout.y.place(p.y) * height) for p in layout.points]
    choose = within_axes if bounded else beside_points
    return list(choose(np.array(where).reshape(-1, 2), sizes, width, height))


# -- lines ---------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class LinesLayout:
    """Axes, where each line ends (None if no point of it is defined), the heights of the names, from 0 to 1.

    `coloured` are the lines to be noticed; the others are grey.
    """

    x: Axis
    y: Axis
    ends: tuple[tuple[float, float] | None, ...]
    names: tuple[float, ...]
    coloured: frozenset[int]


def lines_layout(
    curves: Sequence[TopCurve],
    x_name: str,
    y_name: str,
    pitch: float,
    across: Sequence[Tick] | None = None,
    highlight: Collection[str] | None = None,
) -> LinesLayout:
    """Lines over numbers of systems, or over places that `across` labels; a name is `pitch` of the axis high.

    `highlight` names the lines in colour; without it, these are the highest at their ends.
    """
    places = sorted({n for c in curves for n in c.sizes})
    x = Axis(span(map(float, places), pad=0.02), tuple(size_ticks(places) if across is None else across), x_name)
    up = span((v for c in curves for v in (*c.values, *c.low, *c.high)), pad=0.04)
    y = Axis(up, tuple(ticks(up)), y_name)
    ends = tuple(last_point(curve) for curve in curves)
    wanted = [0.5 if end is None else y.place(end[1]) for end in ends]
    named = highest_curves(curves) if highlight is None else highlight
    coloured = frozenset(i for i, curve in enumerate(curves) if curve.metric in named)
    return LinesLayout(x, y, ends, tuple(spread(wanted, pitch, 0.0, 1.0)), coloured)


def highest_curves(curves: Sequence[TopCurve]) -> set[str]:
    """The metrics that agree best on all systems, as many as have a colour."""
    ordered = sorted(curves, key=lambda c: (last_point(c) or (0.0, -math.inf))[1], reverse=True)
    return {curve.metric for curve in ordered[:COLOURED]}


def last_point(curve: TopCurve) -> tuple[float, float] | None:
    """The last point that is defined."""
    known = [(float(n), v) for n, v in zip(curve.sizes, curve.values, strict=True) if is_drawable(v)]
    return max(known, default=None)


# -- calibration ---------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class CalibrationLayout:
    """Steps of few enough points to draw, of how many, and the place of the best of them (-1: nothing is defined).

    An accuracy holds from its epsilon to the next one: between two points there is nothing but the value of the first.
    """

    x: Axis
    y: Axis
    epsilon: Array
    accuracy: Array
    best: int
    n_all: int

    @property
    def corners(self) -> tuple[Array, Array]:
        """Where the line turns: along to the next epsilon, then up or down to its accuracy."""
        return np.repeat(self.epsilon, 2)[1:], np.repeat(self.accuracy, 2)[: max(0, 2 * len(self.accuracy) - 1)]

    @property
    def told(self) -> str:
        """What the best point says."""
        if self.best < 0:
            return "not defined"
        top, at = coefficient(float(self.accuracy[self.best])), float(self.epsilon[self.best])
        return f"best: {typeset(top)} at ε = {epsilon_text(at)}"


def accuracy_span(calibrations: Sequence[Calibration]) -> Span:
    """The range of the accuracies of all metrics, with room for what is said of the best."""
    known = [c.accuracy[np.abs(c.accuracy) < LARGEST] for c in calibrations]
    return span((float(end) for values in known if len(values) for end in (values.min(), values.max())), pad=0.12)


def calibration_layout(data: Calibration, most: int, y: Span | None = None) -> CalibrationLayout:
    """Of a long curve as many points as can be seen: the lowest and highest of each stretch, both ends, the best.

    `y` is the range of accuracies if it is shared with other metrics.
    """
    up = accuracy_span([data]) if y is None else y
    height = Axis(up, tuple(ticks(up)), "accuracy with ties (acc-eq)")
    known = np.isfinite(data.epsilon) & np.isfinite(data.accuracy)
    known &= (np.abs(data.epsilon) < LARGEST) & (np.abs(data.accuracy) < LARGEST)
    epsilon, accuracy = data.epsilon[known], data.accuracy[known]
    name = "difference of scores up to which they are a tie (ε)"
    if not len(epsilon):
        empty = span([])
        return CalibrationLayout(Axis(empty, tuple(ticks(empty)), name), height, epsilon, accuracy, -1, 0)
    best = int(np.argmin(np.abs(epsilon - data.best)))
    kept = thinned(epsilon, accuracy, best, most)
    across = span(epsilon[kept].tolist(), pad=0.02)
    axis = Axis(across, tuple(ticks(across)), name)
    return CalibrationLayout(axis, height, epsilon[kept], accuracy[kept], kept.index(best), len(epsilon))


def thinned(epsilon: Array, accuracy: Array, best: int, most: int) -> list[int]:
    """Which points of a curve are drawn."""
    if len(epsilon) <= most:
        return list(range(len(epsilon)))
    edges = np.linspace(epsilon[0], epsilon[-1], most // 2)
    stretch = np.searchsorted(edges, epsilon, side="right")
    starts = np.flatnonzero(np.diff(stretch, prepend=-1)).tolist()
    kept = {0, len(epsilon) - 1, best}
    for start, end in zip(starts, [*starts[1:], len(epsilon)], strict=True):
        kept |= {start + int(accuracy[start:end].argmin()), start + int(accuracy[start:end].argmax())}
    return sorted(kept)


# -- significance --------------------------------------------------------------------------------------------


def levels(alpha: float) -> tuple[float, ...]:
    """The level of the tests, and the stricter ones that have a shade of their own.

    >>> levels(0.05), levels(0.01)
    ((0.05, 0.01, 0.001), (0.01, 0.001))
    """
    return alpha, *(level for level in LEVELS if level < alpha)


def shade(p: float, steps: Sequence[float]) -> int:
    """0 where p is above the first level; 3 is the darkest shade, for p not above the last.

    >>> [shade(p, (0.05, 0.01, 0.001)) for p in (0.5, 0.03, 0.004, 0.0, float("nan"))]
    [0, 1, 2, 3, 0]
    """
    passed = sum(p <= level for level in steps)
    return passed and SHADES - len(steps) + passed


CellKind = Literal["self", "undefined", "better", ""]  # of the row and column: one metric, no p, the row better, or not


@dataclasses.dataclass(frozen=True)
class MatrixCell:
    """What stands between two metrics; `shade` is 0 where the row's is not significantly better."""

    p: float
    shade: int
    kind: CellKind


@dataclasses.dataclass(frozen=True)
class MatrixLayout:
    """Metrics against metrics, the best first; those of `winner` are beaten by no other, and their names are bold."""

    names: tuple[str, ...]
    cells: tuple[tuple[MatrixCell, ...], ...]
    winner: tuple[bool, ...]
    steps: tuple[float, ...]  # levels that have a shade of their own

    @property
    def undefined(self) -> bool:
        """Whether some p is not defined."""
        return any(cell.kind == "undefined" for row in self.cells for cell in row)


def matrix_layout(tests: MetricTests) -> MatrixLayout:
    """Which metric is better than which; one without any test that is defined is no winner."""
    steps = levels(tests.alpha)
    unbeaten, known = tests.winners(), ~np.isnan(tests.p)
    np.fill_diagonal(known, False)

    def cell(i: int, j: int) -> MatrixCell:
        p = float(tests.p[i, j])
        dark = 0 if i == j else shade(p, steps)
        return MatrixCell(p, dark, "self" if i == j else "undefined" if math.isnan(p) else "better" if dark else "")

    n = range(len(tests.metrics))
    return MatrixLayout(
        tests.metrics,
        tuple(tuple(cell(i, j) for j in n) for i in n),
        tuple(name in unbeaten and bool(known[i].any() or known[:, i].any()) for i, name in enumerate(tests.metrics)),
        steps,
    )
