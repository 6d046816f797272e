"""What is equal but for rounding: the same numbers added up in another order differ in their last digits.

A test that counts how often chance gives as large a difference must not let those digits decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

ROUNDING = 1e-12  # of numbers of the size of 1; of larger ones so much more


def reaches(values: npt.ArrayLike, bound: npt.ArrayLike, scale: npt.ArrayLike = 1.0) -> npt.NDArray[np.bool_]:
    """Whether values are as large as a bound, but for rounding; what is not defined counts as large.

    `scale` is the size of the numbers whose differences these are: scores of 30 are rounded more coarsely than 1.

    >>> reaches([0.3, 0.2, float("nan")], 0.1 + 0.2).tolist()
    [True, False, True]
    """
    slack: npt.NDArray[np.float64] = ROUNDING * np.maximum(1.0, np.abs(scale))
    told: Any = ~(np.asarray(values) < np.asarray(bound) - slack)
    return np.asarray(told, dtype=np.bool_)


def signs(differences: npt.ArrayLike, scale: npt.ArrayLike = 1.0) -> npt.NDArray[np.float64]:
    """1, 0 and -1 for differences above, at and below 0, but for rounding; NaN stays.

    >>> signs([0.1 + 0.2 - 0.3, 1, -1]).tolist()
    [0.0, 1.0, -1.0]
    """
    values = np.asarray(differences, dtype=np.float64)
    slack = ROUNDING * np.maximum(1.0, np.abs(scale))
    out: npt.NDArray[np.float64] = np.where(np.abs(values) <= slack, 0.0, np.sign(values))
    return out
