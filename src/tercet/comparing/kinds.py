"""Kinds of findings that share one level.

`compare` looks for five kinds of things: faults, lengths, parts of the test set, n-grams and words. Each kind corrects
its p-values for all that it tests, of all systems. Multiplied by the number of kinds (Bonferroni), they promise that of
equal systems anything is found in one comparison of twenty at most.
"""

from __future__ import annotations

import numpy as np

from tercet.data import Array

KINDS = 5


def among_kinds(p: Array) -> Array:
    """p-values that are corrected within a kind, corrected for the kinds.

    >>> among_kinds(np.array([0.004, 0.3]))
    array([0.02, 1.  ])
    """
    shared: Array = np.minimum(1, KINDS * p)
    return shared
