"""The table that `tercet score` shows: systems down, metrics across."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tercet import numbers
from tercet.data import Score, Scores
from tercet.data.table import Table
from tercet.numbers import ALPHA


def scores_table(scores: Scores, digits: int | None = None) -> Table:
    """Systems × metrics, the best by the first metric on top; at segment and document level a row for each of those."""
    metrics = _scales(scores, digits)
    named = any(r.segment is not None for r in scores)
    lines: dict[tuple[str, ...], dict[str, Score]] = {}
    for r in scores:
        key = (r.system, r.segment or "") if named else (r.system,)
        lines.setdefault(key, {})[r.metric] = r
    if not named:
        lines = _best_first(lines, metrics)
    level = next((r.level for r in scores), "corpus")
    header = (
        "system",
        *([level] if named else []),
        *(f"{name} {'↑' if higher else '↓'}" for name, (higher, _) in metrics.items()),
    )
    rows = tuple(
        (*key, *(_scored(cells[name], places) for name, (_, places) in metrics.items())) for key, cells in lines.items()
    )
    signed = (*dict.fromkeys(r.signature for r in scores), *([scores.data] if scores.data else []))
    notes = (*_notes(scores), *scores.notes, *signed)
    best = frozenset() if named else _best(list(lines.values()), metrics, offset=1)
    return Table(header, rows, notes, best)


def _best_first(
    lines: Mapping[tuple[str, ...], dict[str, Score]], metrics: Mapping[str, tuple[bool, int]]
) -> dict[tuple[str, ...], dict[str, Score]]:
    """Systems by the first metric; those without a score, and those with the same one, as they were."""
    first, (higher, _) = next(iter(metrics.items()))

    def place(cells: Mapping[str, Score]) -> float:
        value = cells[first].score
        return math.inf if math.isnan(value) else -value if higher else value

    return dict(sorted(lines.items(), key=lambda line: place(line[1])))


def bare_scores(scores: Scores, digits: int | None = None) -> str:
    """The numbers alone: a line a system, document or segment, the metrics separated by tabs."""
    metrics = _scales(scores, digits)
    lines: dict[tuple[str, str | None], list[str]] = {}
    for r in scores:
        lines.setdefault((r.system, r.segment), []).append(numbers.score(r.score, metrics[r.metric][1]))
    return "".join("\t".join(cells) + "\n" for cells in lines.values())


def _scales(scores: Scores, digits: int | None) -> dict[str, tuple[bool, int]]:
    """Of each metric whether higher is better, and how many digits are shown."""
    usual = {name: scores.scales.get(name, (True, 2)) for name in dict.fromkeys(r.metric for r in scores)}
    return usual if digits is None else {name: (higher, digits) for name, (higher, _) in usual.items()}


def _scored(score: Score, digits: int) -> str:
    """A score with what is known of its spread and its test."""
    text = numbers.score(score.score, digits)
    if score.mean is not None and score.half_width is not None:
        text += f" (μ {numbers.score(score.mean, digits)} ± {numbers.score(score.half_width, digits)})"
    elif score.low is not None and score.high is not None:
        text += f" {numbers.interval(score.low, score.high, digits)}"
    if score.runs is not None:
        spreads = (score.s_sel, score.s_opt)
        text += f" ({'/'.join(numbers.score(s, digits) for s in spreads)})"
    if score.p_value is not None:
        text += f" {numbers.p_told(score.p_value)}{'*' if score.p_value < ALPHA else ' '}"
    return text


def _notes(scores: Scores) -> list[str]:
    notes = []
    if any(r.p_value is not None for r in scores):
        base = next((r.system for r in scores if r.p_value is None), "")
        notes.append(f"p against {base}; * p < {numbers.level(ALPHA)}, otherwise no significant difference.")
    if any(r.runs is not None for r in scores):
        notes.append("(s_sel/s_opt): spread by the choice of segments, and over runs.")
    if any(r.low is not None and r.mean is None for r in scores):
        notes.append("[low, high]: 95 % bootstrap interval.")
    return notes


def _best(
    lines: list[dict[str, Score]], metrics: dict[str, tuple[bool, int]], offset: int
) -> frozenset[tuple[int, int]]:
    """The best cell of each column, if there is something to choose from."""
    best = set()
    for c, (name, (higher, _)) in enumerate(metrics.items()):
        values = [line[name].score for line in lines]
        known = [v for v in values if not math.isnan(v)]
        if len(known) > 1:
            top = max(known) if higher else min(known)
            best |= {(r, c + offset) for r, v in enumerate(values) if v == top}
    return frozenset(best)
