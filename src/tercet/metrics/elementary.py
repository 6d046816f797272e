"""Logarithms, exponentials and powers of arrays, to the bit as the C library has them, and Python's `math`.

numpy's own differ from these in the last bit where a processor computes several numbers at once (AVX-512), and so a
score would hang on the machine, and p-values of sacreBLEU would not come out as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tercet import kernels
from tercet.data import Array


def log(values: Array) -> Array:
    """Natural logarithms; -inf of 0, NaN below.

    >>> log(np.array([1.0, 0.0])).tolist()
    [0.0, -inf]
    """
    return _of_each(kernels.logarithms, values)


def exp(values: Array) -> Array:
    """e to the power of each.

    >>> exp(np.array([[0.0, 1.0]])).tolist()
    [[1.0, 2.718281828459045]]
    """
    return _of_each(kernels.exponentials, values)


def power(bases: Array | float, exponents: Array | float) -> Array:
    """Bases to the power of exponents.

    >>> power(np.array([4.0, 9.0]), 0.5).tolist()
    [2.0, 3.0]
    """
    both = np.broadcast_arrays(bases, exponents)
    return _of_each(kernels.powers, *both)


def _of_each(function: Callable[..., Array], *values: Array) -> Array:
    """A function of numbers in a row, for arrays of any shape; 32 bits in, 32 bits out."""
    first = np.asarray(values[0])
    flat = [np.ascontiguousarray(value, dtype=np.float64).ravel() for value in values]
    answers = function(*flat).reshape(first.shape)
    return answers.astype(np.float32) if first.dtype == np.float32 else answers
