"""Parameters: the numbers of a metric that may be tuned, as its own fields declare them, and points in their space.

alpha                   an option that the metric declares tunable, in the range that it declares
alpha=0:1:0.05          the same from 0 to 1 in steps of 0.05
weights, weights.2      every number of an option that is a list of numbers, or its second one
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from tercet.data import Array
from tercet.errors import InputError
from tercet.limits import is_whole
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.numbers import plain
from tercet.spec import Range, tunable

MOST_VALUES = 100_000  # of one parameter
DECIMALS = 10  # of a value of a grid: enough for any step, too few for the dust of binary fractions


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number of a metric: its option, its place in it if that is a list, and where to look for its best value."""

    option: str
    place: int | None
    low: float
    high: float
    step: float

    @property
    def name(self) -> str:
        """As it is written: alpha, or weights.2."""
        return self.option if self.place is None else f"{self.option}.{self.place + 1}"

    @property
    def digits(self) -> int:
        """Decimals that are worth writing: one more than those of the step."""
        return max(0, math.ceil(-math.log10(self.step) - 1e-9)) + 1

    def values(self) -> Array:
        """The grid, both ends included.

        >>> Parameter("alpha", None, 0.0, 0.3, 0.1).values().tolist()
        [0.0, 0.1, 0.2, 0.3]
        """
        steps = math.floor((self.high - self.low) / self.step + 1e-6)
        return np.round(self.low + self.step * np.arange(steps + 1), DECIMALS)

    def of(self, metric: Metric) -> float:
        """Its value in a metric."""
        value = metric.effective(self.option)
        return float(value if self.place is None else value[self.place])

    def __str__(self) -> str:
        return f"{self.name}={plain(self.low)}:{plain(self.high)}:{plain(self.step)}"


def moved(metric: Metric, parameters: Sequence[Parameter], point: Sequence[float]) -> Metric:
    """The metric with its parameters at a point.

    >>> from tercet.metrics import metric
    >>> str(moved(metric("chrf"), [Parameter("beta", None, 1.0, 3.0, 0.5)], [1.5]))
    'chrf(beta=1.5)'
    """
    changes: dict[str, object] = {}
    for parameter, value in zip(parameters, point, strict=True):
        if parameter.place is None:
            whole = type(metric.effective(parameter.option)) is int
            changes[parameter.option] = round(value) if whole else float(value)
        else:
            numbers = list(changes.get(parameter.option, metric.effective(parameter.option)))  # type: ignore[call-overload]
            numbers[parameter.place] = float(value)
            changes[parameter.option] = tuple(numbers)
    return dataclasses.replace(metric, **changes)  # type: ignore[type-var]


def chosen(metric: Metric, wanted: Sequence[str] = ()) -> tuple[Parameter, ...]:
    """The parameters that were asked for, or all that the metric declares; each can stand at either of its ends."""
    declared = tunable(type(metric))
    if not declared:
        others = ", ".join(name for name, owner in METRICS.working().items() if tunable(owner))
        raise InputError(f"{metric.name} has nothing to tune.", hint=f"These have: {others}.")
    parameters = [p for asked in (wanted or list(declared)) for p in _read(metric, asked, declared)]
    names = [p.name for p in parameters]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InputError(f"The parameter {twice} is named twice.", hint="Leave one of them out.")
    for p in parameters:
        for end in (p.low, p.high):
            moved(metric, [p], [end])
    return tuple(parameters)


def scaling(metric: Metric, parameters: Sequence[Parameter]) -> Parameter | None:
    """Of weights that together only scale the score, if they are all there, the highest: it may stay as it is."""
    weights = [p for p in parameters if p.option == metric.scaled_by]
    if not weights or len(weights) != len(metric.effective(weights[0].option)):
        return None
    highest = max(weights, key=lambda p: p.of(metric))
    return highest if highest.of(metric) > 0 else None


def _read(metric: Metric, text: str, declared: dict[str, Range]) -> list[Parameter]:
    name, equals, written = text.partition("=")
    option, dot, place = name.strip().partition(".")
    if option not in declared:
        raise InputError(f"{metric.name} cannot tune {option!r}.", hint=f"It can tune {', '.join(declared)}.")
    low, high, step = _range(text, written, declared[option]) if equals else declared[option]
    value = metric.effective(option)
    if not isinstance(value, tuple):
        if dot:
            raise InputError(f"{option} is one number, and {name!r} asks for a part of it.", hint=f"Write {option}.")
        return [Parameter(option, None, low, high, step)]
    if not dot:
        return [Parameter(option, i, low, high, step) for i in range(len(value))]
    if not is_whole(place) or not 1 <= int(place) <= len(value):
        raise InputError(
            f"{name!r} is no number of {option}, which has {len(value)}.", hint=f"Write {option}.1 for the first."
        )
    return [Parameter(option, int(place) - 1, low, high, step)]


def _range(text: str, written: str, declared: Range) -> Range:
    parts = written.split(":")
    try:
        low, high, step = (float(p) for p in (*parts, *[str(declared[2])] * (len(parts) == 2)))
    except ValueError:
        raise InputError(
            f"{text!r} does not say where to look.", hint="Write NAME=LOW:HIGH or NAME=LOW:HIGH:STEP."
        ) from None
    if not (math.isfinite(low) and math.isfinite(high) and low <= high and 0 < step < math.inf):
        raise InputError(f"{text!r} is no range.", hint="The low end comes first, and the step is above 0.")
    if (high - low) / step > MOST_VALUES:
        raise InputError(f"{text!r} has too many steps.", hint=f"Up to {MOST_VALUES} values are looked at.")
    return low, high, step
