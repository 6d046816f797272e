"""The table that `tercet score` shows: systems down, metrics across."""

from __future__ import annotations

import math

from tercet.data import Score, Scores
from tercet.report.tables import Table

_LEVEL = 0.05


def scores_table(scores: Scores) -> Table:
    """Systems × metrics; at segment and document level one row for each of those."""
    metrics = {name: scores.scales.get(name, (True, 2)) for name in dict.fromkeys(r.metric for r in scores)}
    named = any(r.segment is not None for r in scores)
    lines: dict[tuple[str, ...], dict[str, Score]] = {}
    for r in scores:
        key = (r.system, r.segment or "") if named else (r.system,)
        lines.setdefault(key, {})[r.metric] = r
    level = next((r.level for r in scores), "corpus")
    header = (
        "system",
        *([level] if named else []),
        *(f"{name} {'↑' if higher else '↓'}" for name, (higher, _) in metrics.items()),
    )
    rows = tuple(
        (*key, *(_cell(cells[name], digits) for name, (_, digits) in metrics.items())) for key, cells in lines.items()
    )
    notes = (*_notes(scores), *dict.fromkeys(r.signature for r in scores))
    best = frozenset() if named else _best(list(lines.values()), metrics, offset=1)
    return Table(header, rows, notes, best)


def _cell(score: Score, digits: int) -> str:
    def number(value: float) -> str:
        return "n/a" if math.isnan(value) else f"{value:.{digits}f}"

    text = number(score.score)
    if score.mean is not None and score.half_width is not None:
        text += f" (μ {number(score.mean)} ± {number(score.half_width)})"
    elif score.low is not None and score.high is not None:
        text += f" [{number(score.low)}, {number(score.high)}]"
    if score.runs is not None:
        spreads = (score.s_sel, score.s_opt)
        text += f" ({'/'.join('-' if s is None else number(s) for s in spreads)})"
    if score.p_value is not None:
        text += f" p={score.p_value:.4f}{'*' if score.p_value < _LEVEL else ' '}"
    return text


def _notes(scores: Scores) -> list[str]:
    notes = []
    if any(r.p_value is not None for r in scores):
        base = next((r.system for r in scores if r.p_value is None), "")
        notes.append(f"p against {base}; * p < {_LEVEL}, otherwise no significant difference.")
    if any(r.runs is not None for r in scores):
        notes.append("(s_sel/s_opt): spread by the choice of segments, and over runs.")
    if any(r.low is not None and r.mean is None for r in scores):
        notes.append("[low, high]: 95 % bootstrap interval.")
    return notes


def _best(
    lines: list[dict[str, Score]], metrics: dict[str, tuple[bool, int]], offset: int
) -> frozenset[tuple[int, int]]:
    """The best cell of each column, if there is something to choose from."""
    found = set()
    for c, (name, (higher, _)) in enumerate(metrics.items()):
        values = [line[name].score for line in lines]
        known = [v for v in values if not math.isnan(v)]
        if len(known) > 1:
            top = max(known) if higher else min(known)
            found |= {(r, c + offset) for r, v in enumerate(values) if v == top}
    return frozenset(found)
