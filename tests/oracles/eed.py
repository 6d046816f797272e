"""Extended edit distance, cell by cell, and its preparation of text by regular expressions."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

TITLES = "Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms"


def prepare(line: str) -> str:
    """English, as EED's program reads it."""
    line = line.rstrip()
    for mark in ".!?,":
        line = line.replace(mark, f" {mark}")
    line = re.sub(r"\s+", " ", line)
    line = re.sub(r"(\d) ([.,]) (\d)", r"\1\2\3", line)
    line = re.sub(f"({TITLES}) .", r"\1.", line)
    return line.replace("e . g .", "e.g.").replace("i . e .", "e.g.").replace("U . S .", "U.S.")


def lowest(row: Sequence[Any], whole: bool) -> int:
    """Where the row is lowest. With `whole`, what the C++ library finds: it keeps the minimum in an integer."""
    if not whole:
        return row.index(min(row))
    minimum, at = int(row[0]), 0
    for i, value in enumerate(row):
        if value < minimum:
            minimum, at = int(value), i
    return at


def eed(
    hyp: str,
    ref: str,
    version: str,
    alpha: float = 2.0,
    deletion: float = 0.2,
    insertion: float = 1.0,
    substitution: float = 1.0,
    rho: float = 0.3,
) -> list[float]:
    """[score, errors, coverage, reference characters] of prepared texts; the C++ versions in 32 bits."""
    number: Any = float if version == "python" else np.float32
    jump, gap, more, other, weight = map(number, (alpha, deletion, insertion, substitution, rho))
    zero, one = number(0), number(1)
    hyp, ref = f" {hyp} ", f" {ref} "
    row = [zero] + [one] * len(hyp)
    visits = [0 if version == "wmt19" else -1] * len(row)
    for letter in ref:
        new = [row[0] + one]
        for i, own in enumerate(hyp):
            new.append(min(new[i] + gap, row[i] + (zero if own == letter else other), row[i + 1] + more))
        best = lowest(new, version != "python")
        visits[best] += 1
        if letter == " ":
            most = jump + new[best]
            new = [min(value, most) for value in new]
        row = new
    if version == "wmt19":
        coverage = number(sum(v for v in visits[1:] if v > 1))
    else:
        coverage = number(sum(v if v >= 0 else 1 for v in visits[version == "cpp" :]))
    score = (row[-1] + weight * coverage) / (number(len(ref)) + weight * coverage)
    return [min(1.0, float(score)), float(row[-1]), float(coverage), float(len(ref))]
