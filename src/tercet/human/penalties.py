"""Errors to penalties: every error weighs as its severity and category say, as in MQM (Freitag et al. 2021)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from tercet.data import Array, Assessments
from tercet.errors import InputError, SpecError

WEIGHTS = "Major:5 Minor:1 Neutral:0 Major/Non-translation!:25 Minor/Fluency/Punctuation:0.1"


def read_weights(text: str) -> dict[str, float]:
    """Weights by what they weigh.

    >>> read_weights("Major:5 Minor/Style:0.5")
    {'Major': 5.0, 'Minor/Style': 0.5}
    """
    weights = {}
    for entry in text.split():
        key, _, weight = entry.rpartition(":")
        try:
            weights[key] = float(weight)
        except ValueError:
            key = ""
        if not key or not math.isfinite(weights[key]):
            raise SpecError(
                f"weights must be SEVERITY:NUMBER, separated by blanks, not {entry!r}.", hint=f"For example: {WEIGHTS}"
            )
    return weights


def penalties(assessments: Assessments, weights: Mapping[str, float]) -> tuple[Array, tuple[str, ...]]:
    """The summed weights of each row's errors, and the kinds of error (severity/category) that have no weight.

    A weight is of `severity`, `severity/category` or `severity/category/subcategory`: the most specific one counts,
    in whatever case. What has none counts nothing.
    """
    errors = assessments.errors
    if errors is None:
        raise InputError(f"{assessments.file} has no errors marked.", hint="MQM and ESA tables have.")
    folded = {key.lower(): weight for key, weight in weights.items()}
    names = [*errors.categories, ""]  # the last one is -1: an error without a category
    table = np.zeros((len(errors.severities), len(names)))
    unknown = np.zeros(table.shape, dtype=bool)
    for s, severity in enumerate(errors.severities):
        for c, category in enumerate(names):
            parts = [severity, *category.split("/")] if category else [severity]
            keys = ["/".join(parts[:k]).lower() for k in range(len(parts), 0, -1)]
            specific = next((folded[key] for key in keys if key in folded), None)
            table[s, c], unknown[s, c] = specific or 0.0, specific is None
    lost = unknown[errors.severity, errors.category]
    pairs = set(zip(errors.severity[lost].tolist(), errors.category[lost].tolist(), strict=True))
    kinds = sorted("/".join([errors.severities[s], names[c]]).rstrip("/") for s, c in pairs)
    weight = table[errors.severity, errors.category]
    summed: Array = np.bincount(errors.row, weight, len(assessments)).astype(np.float64)
    return summed, tuple(kinds)


def unknown_severities(kinds: tuple[str, ...]) -> str:
    """The note on errors that have no weight."""
    some = ", ".join(kinds[:5]) + (f" and {len(kinds) - 5} more" if len(kinds) > 5 else "")
    return f"Errors without a weight, which count nothing: {some}."
