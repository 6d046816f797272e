"""Results as figures in files: what `--figure` draws."""

from __future__ import annotations

import math

from tercet.data import Agreement, Annotators, Ranking, RankingAnnotator
from tercet.formats.lines import File
from tercet.plots.annotators import AnnotatorRow, annotators
from tercet.plots.canvas import save
from tercet.plots.head_to_head import head_to_head
from tercet.plots.rank_ranges import RangeRow, rank_ranges
from tercet.ranking.head_to_head import HeadToHead, mark


def draw_ranking(ranking: Ranking, path: File) -> None:
    """Rank ranges and clusters."""
    rows = [RangeRow(r.system, r.score, r.rank_low, r.rank_high, r.cluster) for r in ranking]
    save(rank_ranges(rows, ranking.pair), path)


def draw_head_to_head(table: HeadToHead, path: File, title: str = "") -> None:
    """The heat map of every two systems, with the marks of their sign tests."""
    p = table.p_values()
    n = range(len(table.systems))
    marks = [["" if i == j else mark(float(p[i, j])) for j in n] for i in n]
    save(head_to_head(table.systems, table.shares(), marks, title=title), path)


def draw_annotators(judges: Annotators, found: Agreement, path: File) -> None:
    """How far each judge agrees with the others: kappa of rankings, correlation of scores."""
    ranked = all(isinstance(r, RankingAnnotator) for r in judges)
    rows = [
        AnnotatorRow(r.judge, r.kappa if isinstance(r, RankingAnnotator) else r.correlation, r.comparable)
        for r in judges
    ]
    overall = next((r.kappa for r in found if r.kind == "inter"), None)
    measure = "kappa" if ranked else "correlation"
    save(annotators(rows, math.nan if overall is None else overall, measure), path)
