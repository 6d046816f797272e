"""The tables of rankings: systems in clusters, head to head, judges, rankers and plans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import Ranking
from tercet.ranking.head_to_head import MARKS, HeadToHead, mark
from tercet.ranking.wins import ExpectedWins
from tercet.report.tables import Table

PAPER_DIGITS = 2


def ranking_table(ranking: Ranking, digits: int | None = None) -> Table:
    """Systems from best to worst, with a line under each cluster but the last."""
    places = ranking.digits if digits is None else digits
    further = list(ranking.records[0].further) if ranking.records else []
    rows = tuple(
        (
            r.system,
            _number(r.score, places),
            _range(r.rank_low, r.rank_high),
            str(r.cluster),
            *(_cell(r.further[name], places) for name in further),
        )
        for r in ranking
    )
    records = ranking.records
    rules = frozenset(i for i in range(len(records) - 1) if records[i].cluster != records[i + 1].cluster)
    notes = (*ranking.notes, ranking.signature)
    return Table(("system", "score", "range", "cluster", *further), rows, notes, rules=rules)


def paper_table(ranking: Ranking, digits: int | None = None) -> Table:
    """The same as papers print it: the number of a cluster beside its first system, two digits, a line between."""
    plain = ranking_table(ranking, PAPER_DIGITS if digits is None else digits)
    clusters = [r.cluster for r in ranking]
    rows = tuple(
        (str(cluster) if not i or clusters[i - 1] != cluster else "", *row[1:3], row[0])
        for i, (row, cluster) in enumerate(zip(plain.rows, clusters, strict=True))
    )
    return Table(("#", "score", "range", "system"), rows, plain.notes, rules=plain.rules)


def head_to_head_table(
    table: HeadToHead, ranking: Ranking, *, counts: bool = False, digits: int | None = None
) -> Table:
    """Cell: how often the column's system beat the row's, in bold above .5, with the mark of its sign test.

    Below stand the expected wins of each column's system, which are the mean of the column, and its rank range in the
    ranking. `counts` shows wins, ties and losses as well.
    """
    places = PAPER_DIGITS if digits is None else digits
    shares, p = table.shares(), table.p_values()
    n = len(table.systems)
    found = {r.system: r for r in ranking}

    def cell(i: int, j: int) -> str:
        if i == j:
            return "–"
        if math.isnan(shares[i, j]):
            return "n/a"
        text = f"{_share(float(shares[i, j]), places)}{mark(float(p[i, j]))}"
        return f"{text} ({table.wins[j, i]}/{table.ties[i, j]}/{table.wins[i, j]})" if counts else text

    rows = [(system, *(cell(i, j) for j in range(n))) for i, system in enumerate(table.systems)]
    ranked = [found[s] for s in table.systems]
    wins = ExpectedWins().score(table.wins.astype(np.float64), table.ties.astype(np.float64))
    rows.append(("expected wins", *(_share(float(w), places) for w in wins)))
    rows.append(("range", *(_range(r.rank_low, r.rank_high) for r in ranked)))
    best = frozenset((i, j + 1) for i, j in zip(*np.nonzero(shares > 0.5), strict=True))
    signs = ", ".join(f"{sign} p ≤ {level:.2f}" for level, sign in reversed(MARKS))
    notes = (
        "Cell: the share of decided judgements in which the column's system beat the row's.",
        f"Sign test: {signs}.",
        *(("(wins/ties/losses)",) if counts else ()),
        *ranking.notes,
        ranking.signature,
    )
    return Table(("", *table.systems), tuple(rows), notes, best, frozenset({n - 1}))


def records_table(records: Sequence[Mapping[str, Any]], notes: Sequence[str] = (), digits: int = 3) -> Table:
    """Flat records as they are, columns without any value left out."""
    names = [name for name in (records[0] if records else ()) if any(_known(r[name]) for r in records)]
    rows = tuple(tuple(_cell(r[name], digits) for name in names) for r in records)
    return Table(tuple(names), rows, tuple(notes))


def _known(value: Any) -> bool:
    return value is not None and value != ()


def _cell(value: Any, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return _number(value, digits)
    return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _number(value: float, digits: int) -> str:
    return "n/a" if math.isnan(value) else f"{value:.{digits}f}"


def _share(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".removeprefix("0")


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"
