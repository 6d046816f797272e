"""Paired permutation of two systems' scores: every choice of signs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def exact_p(first: Sequence[float], second: Sequence[float]) -> float:
    """The share of signs under which the first one is as far above the second as it is, but for rounding."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    least = math.fsum(gaps) - 1e-12 * math.fsum(map(abs, gaps))
    sums = [
        math.fsum(sign * gap for sign, gap in zip(signs, gaps, strict=True))
        for signs in itertools.product((1, -1), repeat=len(gaps))
    ]
    return sum(total >= least for total in sums) / len(sums)
