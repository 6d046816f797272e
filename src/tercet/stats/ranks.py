"""Ranks of metrics by the tests of every two of them, as mt-metrics-eval assigns them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError


def significance_ranks(p: npt.NDArray[np.float64], alpha: float = 0.05) -> npt.NDArray[np.int64]:
    """Ranks from 1 of metrics that stand in order, the best first; p[i, j] is that i is better than j (NaN: no test).

    A metric opens a new rank if one of the metrics of the current rank beats it with p <= alpha. Those of a rank that
    come later are not compared with those of earlier ranks.

    >>> significance_ranks(np.array([[np.nan, 0.3, 0.01], [0.7, np.nan, 0.2], [0.99, 0.8, np.nan]])).tolist()
    [1, 1, 2]
    """
    if p.ndim != 2 or p.shape[0] != p.shape[1]:
        raise InputError(f"The p-values have the shape {p.shape}.", hint="Give one row and one column a metric.")
    ranks = np.ones(len(p), dtype=np.int64)
    first = 0  # of the current rank
    for i in range(1, len(p)):
        beaten = bool((p[first:i, i] <= alpha).any())
        first = i if beaten else first
        ranks[i] = ranks[i - 1] + beaten
    return ranks
