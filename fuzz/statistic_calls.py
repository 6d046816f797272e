"""Calls of statistics with arguments by name and annotation, which fit together more often than not."""

from __future__ import annotations

import functools
import inspect
import random
import traceback
import typing
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fuzz import readers
from fuzz.inputs import THREADS, Draw
from tercet.data.statistics import Statistics
from tercet.errors import TercetError
from tercet.options.groups import Resampling
from tercet.stats.agreement_sums import interval_alpha, of_rows
from tercet.stats.correlation import pack as grouped

ANSWERED: Counter[str] = Counter()  # calls of statistics, by name


@functools.cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except NameError:  # imported for types alone
        return {}


def _mean(sums: Any) -> Any:
    return sums[..., 0] / np.where(sums[..., -1] == 0, 1, sums[..., -1])


class Arguments:
    """Of one call of a statistic, by name and annotation: arrays fit together more often than not.

    Numbers are sound at first, then missing, giant or all the same, in the same shapes. What counts, points somewhere
    or is an option stays as it is.
    """

    def __init__(self, draw: Draw) -> None:
        self.draw, self.strange = draw, False
        self.n, self.k = draw.choice([0, 1, 2, 5, 9]), draw.choice([1, 2, 3])
        n, k = self.n, self.k
        self.shape: tuple[int, ...] = draw.choice([(n,), (n,), (k, n), (k, n), (n, k), (k, n, 2), (n, 2), ()])
        self.ints = draw.getrandbits(64)

    def array(self, *shape: int) -> Any:
        if self.strange:
            return self.draw.array(*shape)
        return np.array([self.draw.randrange(5) + self.draw.random() for _ in range(int(np.prod(shape)))]).reshape(
            shape
        )

    def chance(self, name: str) -> random.Random:
        """For what is the same again beside other values."""
        return random.Random(f"{self.ints}:{name}")  # noqa: S311 -- no secret

    def whole(self, below: int) -> Any:
        """As many as there are entries."""
        chance = self.chance("whole")
        return np.array([chance.randrange(max(1, below)) for _ in range(self.n)], np.int64)

    def rows(self) -> Any:
        return self.array(*self.shape[:-1], self.n, 2) if len(self.shape) == 2 else self.array(self.n, 2)

    def special(self, kind: str) -> Any:
        """Objects of ours, and functions."""
        made: dict[str, Callable[[], Any]] = {
            "Statistics": lambda: Statistics(("a", "b"), self.array(2, self.n, 2), _mean),
            "Sequence[AgreementSums]": lambda: [
                interval_alpha(self.whole(3), self.whole(4), self.array(self.n)),
                of_rows(self.whole(3), self.array(self.n, 2), _mean),
            ],
            "Packed": lambda: grouped("item", self.array(self.k, self.n), self.array(1, self.k, self.n)),
            "tuple[Ints, Ints, npt.NDArray[np.bool_]]": lambda: (self.whole(3), self.whole(3), self.whole(2) == 1),
            "Numbers": lambda: self.array(self.n),
            "tuple[Numbers, Numbers]": lambda: (self.array(self.n), self.array(self.n)),
            "npt.NDArray[np.bool_]": lambda: self.whole(2) == 1,
            "np.random.Generator": lambda: np.random.default_rng(3),
            "np.random.Generator | int": lambda: self.draw.choice([3, np.random.default_rng(3)]),
            "Mapping[str, Array]": lambda: {name: self.array(1, self.n, 2) for name in "abc"[: self.k + 1]},
            **dict.fromkeys(("Resampling", "Asked"), self.resampling),
            "Sequence[int]": lambda: [2, 3, self.n],
            "Callable[[Ints], Array]": lambda: lambda chosen: np.ones((2, 2)) * chosen.sum(),
            "Callable[[Array], float]": lambda: lambda scores: float(np.nansum(scores)),
        }
        return made[kind]() if kind in made else None

    def resampling(self) -> Resampling:
        """How often to draw, by either way."""
        ways = [Resampling(paired="bootstrap", samples=40), Resampling(paired="randomization", trials=40)]
        return self.chance("how").choice(ways)

    def value(self, name: str, kind: str, hint: Any) -> Any:
        """One argument."""
        made = self.special(kind)
        if made is not None:
            return made
        chance = self.chance(name)
        if ("Callable" in kind and "None" not in kind) or kind == "ScoreFunction":
            return _mean
        if kind in ("Ints", "npt.NDArray[np.integer]", "npt.NDArray[np.int64]"):
            return self.whole(chance.choice([2, self.n]))
        if kind.startswith("Sequence[float]"):
            return [0.5] * self.k
        if name == "rows" and chance.random() < 0.8:
            return self.rows()
        if name in ("sums", "p") and chance.random() < 0.8:  # columns of their own, or a square
            return self.array(self.k, {"sums": 4, "p": self.k}[name])
        if name == "metrics" and chance.random() < 0.8:
            return self.array(self.k, *self.shape)
        if "Array" in kind or "NDArray" in kind:
            return self.array(*(self.shape if chance.random() < 0.9 else (self.n,)))
        if kind == "int":
            most = {"threads": THREADS, "n_groups": 30, "units": 30}.get(name, 20)
            return chance.randrange(1, most + 1)
        if kind == "float":
            return chance.choice([0.05, 0.5, 0.9])
        if kind == "str":
            return {"baseline": "a", "kind": "pearson"}.get(name, "segments")
        if kind == "bool":
            return chance.random() < 0.5
        literals = [one for one in typing.get_args(hint) if one is not type(None)]
        return chance.choice(literals) if typing.get_origin(hint) is typing.Literal else None


def play_statistic(function: Callable[..., Any], draw: Draw) -> int:
    """Calls with arguments by their annotations; what fits is counted."""
    before = ANSWERED.total()
    calls = sum(_call_statistic(function, draw) for _ in range(4 if draw.small else 40))
    draw.answered = ANSWERED.total() - before
    return calls


def _call_statistic(function: Callable[..., Any], draw: Draw) -> int:
    """Calls that were answered, or refused on purpose: of sound numbers, and of strange ones in their places.

    Where sound numbers are neither, shapes do not fit. Where they are answered, strange ones have to be, too.
    """
    made, given = Arguments(draw), {}
    for name, parameter in _parameters(function).items():
        if parameter.default is parameter.empty or draw.random() < 0.4:
            given[name] = parameter
    calls = 0
    what = f"{function.__module__}.{function.__name__}"
    for made.strange in (False, True, True):
        with np.errstate(all="ignore"):
            arguments = {n: made.value(n, str(p.annotation), _hints(function).get(n)) for n, p in given.items()}
        several = [arguments.pop(n) for n, p in given.items() if p.kind is p.VAR_POSITIONAL]
        try:
            with np.errstate(all="ignore"):
                readers.consumed(function(*several * made.k, **arguments))
        except Exception as error:
            if made.strange and not _on_purpose(error):
                raise
            if not made.strange:
                return int(_on_purpose(error))
        else:
            ANSWERED[what] += 1
        calls += 1
    return calls


def _on_purpose(error: Exception) -> bool:
    """Whether somebody of ours, or a kernel, said that these arguments are none."""
    if isinstance(error, TercetError):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, ValueError) and "tercet" in frames[-1].filename and "raise " in (frames[-1].line or "")
