"""The demo campaign, and small files of scores, for `meta`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet.data import MetricScores
from tercet.sample import campaign, judgements

TEXTS = campaign("en-de")
FEW: Any = {"samples": 40}


def scores(metric: str, values: list[float], *, direction: str = "", higher: bool = True) -> MetricScores:
    """System scores of A, B, ..."""
    systems = tuple(chr(65 + i) for i in range(len(values)))
    return MetricScores(metric, direction, "system", systems, ("",), np.array(values)[:, None], higher)


def beside(metric: str, direction: str = "") -> MetricScores:
    """System scores of the systems of the texts."""
    values = np.linspace(1, 0, len(TEXTS.systems))[:, None]
    return MetricScores(metric, direction, "system", tuple(TEXTS.systems), ("",), values)


HUMAN = scores("HUMAN", [0.9, 0.7, 0.5, 0.2, 0.1, -0.4])
GOOD = scores("good", [90.0, 72.0, 55.0, 18.0, 12.0, -35.0])
BAD = scores("bad", [1.0, 5.0, 2.0, 6.0, 3.0, 4.0])
ERRORS = scores("errors", [-v for v in (90.0, 72.0, 55.0, 18.0, 12.0, -35.0)], higher=False)
WHOLE: Any = {"testset": TEXTS, "judgements": judgements("en-de"), "metrics": ["chrf", "bleu"], "gold": "others"}
