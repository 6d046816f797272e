"""A formula in words: each number with how it comes from others, as rows that every page and terminal shows.

Short numbers stand inside the row that they lead to, `8/9`; what needs words has a row of its own below.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from tercet import numbers
from tercet.data.explanation import Factor


@dataclasses.dataclass(frozen=True)
class FormulaRow:
    """A number of the formula, how deep it stands, and where it comes from."""

    depth: int
    name: str
    value: str
    how: str


def formula_rows(formula: Factor, digits: int = 2) -> list[FormulaRow]:
    """The formula from the score down.

    >>> counts = Factor("found", 8.0), Factor("n-grams", 9.0)
    >>> precision = Factor("precision", 8 / 9, "quotient", counts)
    >>> rows = formula_rows(Factor("score", 80.0, "product", (Factor("percent", 90.0), precision)))
    >>> [(row.name, row.value, row.how) for row in rows]
    [('score', '80.00', '90 × precision'), ('precision', '0.8889', '8/9')]
    """
    rows: list[FormulaRow] = []
    _add(formula, 0, digits, rows)
    return rows


def _add(factor: Factor, depth: int, digits: int, rows: list[FormulaRow]) -> None:
    inline = {part.name for part in factor.parts if _is_inline(part, factor, depth)}
    below = [part for part in factor.parts if part.name not in inline]
    rows.append(
        FormulaRow(
            depth,
            factor.name,
            numbers.score(factor.value, digits) if depth == 0 else numbers.part(factor.value),
            _how(factor, inline),
        )
    )
    for part in below:
        _add(part, depth + 1, digits, rows)


def _is_plain(factor: Factor) -> bool:
    """A number of which there is nothing more to say."""
    return factor.operation == "given" and not factor.note


def _is_ratio(factor: Factor) -> bool:
    """A quotient of two numbers that nothing leads to; by rule it is 0 where the second is."""
    return factor.operation in ("quotient", "rule") and [p.operation for p in factor.parts] == ["given", "given"]


def _is_inline(part: Factor, whole: Factor, depth: int) -> bool:
    """Whether a part stands inside the row of the whole: plain numbers, and those of which a list is enough.

    The precision and recall of the whole score have rows of their own, those of one order have not.
    """
    if whole.operation in ("mean", "geometric mean", "sum") or (whole.operation == "harmonic mean" and depth > 1):
        return all(other.operation == "given" or _is_ratio(other) for other in whole.parts)
    return _is_plain(part) or _is_ratio(whole)


def _how(factor: Factor, inline: Collection[str]) -> str:
    parts = factor.parts
    told = ""
    match factor.operation:
        case "product":
            told = " × ".join(_name_or_number(part) for part in parts)
        case "difference":
            told = " − ".join(_name_or_number(part) for part in parts)
        case "quotient":
            told = _term(factor) if _is_ratio(factor) else _quotient(factor)
        case "sum":
            told = " + ".join(_summand(part) if part.name in inline else part.name for part in parts)
        case "mean" | "geometric mean":
            listed = ", ".join(map(_term, parts)) if inline else f"the {len(parts)} below"
            told = f"{factor.operation} of {listed}"
        case "harmonic mean":
            terms = [f"{part.name} {_term(part)}" if part.name in inline else part.name for part in parts]
            weights = (
                f"{term} (weight {numbers.plain(part.weight, 4)})" for term, part in zip(terms, parts, strict=True)
            )
            told = f"harmonic mean of {' and '.join(weights)}"
        case "rule":
            return factor.note
    return f"{told} ({factor.note})" if told and factor.note else told or factor.note


def _quotient(factor: Factor) -> str:
    return " / ".join(_counted(part) if _is_plain(part) else part.name for part in factor.parts)


def _name_or_number(part: Factor) -> str:
    return numbers.plain(part.value) if _is_plain(part) else part.name


def _summand(part: Factor) -> str:
    return _term(part) if _is_ratio(part) else _counted(part)


def _counted(part: Factor) -> str:
    return f"{_term(part)} {part.name}"


def _term(part: Factor) -> str:
    """A number inside a row."""
    if _is_ratio(part):
        return f"{_term(part.parts[0])}/{_term(part.parts[1])}"
    shown = numbers.part(part.value)
    return f"{shown} ({part.note})" if part.note else shown
