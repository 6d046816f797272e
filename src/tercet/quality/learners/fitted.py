"""What a learner has learnt, as numbers and arrays: predictions need no scikit-learn, and no version of it.

linear   ridge, PLS           rows @ weights + intercept
kernel   SVR, Gaussian process   sum of coefficients * exp(-gamma |row - support|^2) + intercept
trees    extra trees, boosting   start + rate * sum (or mean) of the leaves of all trees
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from tercet import kernels
from tercet.data import Array
from tercet.errors import InputError
from tercet.options.groups import worker_threads

Form = Literal["linear", "kernel", "trees"]

_ARRAYS = {
    "linear": ("weights",),
    "kernel": ("supports", "coefficients"),
    "trees": ("roots", "features", "thresholds", "lefts", "rights", "leaves"),
}
_NUMBERS = {"linear": ("intercept",), "kernel": ("gamma", "intercept"), "trees": ("start", "rate")}


@dataclasses.dataclass(frozen=True, eq=False)
class LearntFunction:
    """A function from rows of features to a number each."""

    form: Form
    numbers: Mapping[str, float]
    arrays: Mapping[str, np.ndarray[Any, Any]]

    def __post_init__(self) -> None:
        wanted = {*_ARRAYS.get(self.form, ())}, {*_NUMBERS.get(self.form, ())}
        if self.form not in _ARRAYS or wanted[0] - {*self.arrays} or wanted[1] - {*self.numbers}:
            raise InputError(f"There is no such model as {self.form!r}, or parts of it are missing.", hint="Train it.")

    def require_width(self, n: int, where: str) -> None:
        """What was read from a file must be of so many features, and of shapes and types that fit together."""
        try:
            self.predict(np.zeros((2, n)), 1)
            fits = self.form != "linear" or self.arrays["weights"].shape == (n,)
        except (ValueError, TypeError, LookupError, OverflowError):
            fits = False
        if not fits:
            raise InputError(f"{where}: what was learnt is not of {n} features.", hint="Train the model again.")

    def predict(self, rows: Array, threads: int | None = None) -> Array:
        """(n, features) -> (n,)."""
        return _PREDICT[self.form](self, np.ascontiguousarray(rows, dtype=np.float64), worker_threads(threads))


def _linear(fitted: LearntFunction, rows: Array, threads: int) -> Array:
    # one feature after the other: the same bits however many rows there are
    out = np.full(len(rows), fitted.numbers["intercept"])
    for i, weight in enumerate(fitted.arrays["weights"].tolist()):
        out += weight * rows[:, i]
    return out


def _kernel(fitted: LearntFunction, rows: Array, threads: int) -> Array:
    arrays, numbers = fitted.arrays, fitted.numbers
    return kernels.kernel_predictions(
        rows, arrays["supports"], arrays["coefficients"], numbers["gamma"], numbers["intercept"], threads
    )


def _trees(fitted: LearntFunction, rows: Array, threads: int) -> Array:
    arrays, numbers = fitted.arrays, fitted.numbers
    return kernels.tree_predictions(
        rows,
        arrays["roots"],
        arrays["features"],
        arrays["thresholds"],
        arrays["lefts"],
        arrays["rights"],
        arrays["leaves"],
        numbers["start"],
        numbers["rate"],
        threads,
    )


_PREDICT: dict[str, Callable[[LearntFunction, Array, int], Array]] = {
    "linear": _linear,
    "kernel": _kernel,
    "trees": _trees,
}
