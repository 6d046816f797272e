"""The tables of rankings: systems in clusters, head to head, judges, rankers and plans."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet import numbers
from tercet.data import Amounts, Ranked, Ranking, RankingsByMethod
from tercet.data.head_to_head import MARKS, HeadToHead, mark
from tercet.data.table import Table

PAPER_DIGITS = 2
P_VALUES = frozenset({"p_value", "p_ranksum", "p_paired_t"})
COEFFICIENTS = frozenset(
    {
        *(
            "kappa",
            "low",
            "high",
            "p_agree",
            "p_expected",
            "consistent",
            "intra_kappa",
            "intra_p_agree",
            "correlation",
            "ties",
        ),
        *("accuracy", "radius", "separated", "ordered", "pairs_apart"),
    }
)  # and shares


def ranking_table(ranking: Ranking, digits: int | None = None) -> Table:
    """Systems from best to worst, with a line under each cluster but the last."""
    places = ranking.digits if digits is None else digits
    further = list(ranking.records[0].further) if ranking.records else []
    rows = tuple(
        (r.system, *_placed(r, places), *(_shown(name, r.further[name], places) for name in further)) for r in ranking
    )
    rules = _between_clusters(ranking)
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


def side_by_side_table(several: RankingsByMethod, digits: int | None = None) -> Table:
    """Score, range and cluster by each ranker, in the order and with the clusters of the first one."""
    rankings = list(several.rankings.values())
    of_system = [{r.system: r for r in ranking} for ranking in rankings]
    first = rankings[0].records
    rows = tuple(
        (
            r.system,
            *(
                cell
                for ranking, entries in zip(rankings, of_system, strict=True)
                for cell in _placed(entries[r.system], ranking.digits if digits is None else digits)
            ),
        )
        for r in first
    )
    header = ("system", *(name for method in several for name in (method, "range", "cluster")))
    alike = (
        f"{two.first} and {two.second}: Kendall {numbers.coefficient(two.kendall)}, "
        f"Spearman {numbers.coefficient(two.spearman)}."
        for two in several.agreement
    )
    return Table(header, rows, (*alike, *several.notes, several.signature), rules=_between_clusters(rankings[0]))


def _placed(ranked: Ranked, places: int) -> tuple[str, str, str]:
    """Score, range and cluster."""
    return (
        numbers.score(ranked.score, places),
        numbers.rank_range(ranked.rank_low, ranked.rank_high),
        str(ranked.cluster),
    )


def _between_clusters(ranking: Ranking) -> frozenset[int]:
    """The rows under which a cluster ends and another one begins."""
    return frozenset(i for i, (r, s) in enumerate(itertools.pairwise(ranking.records)) if r.cluster != s.cluster)


def _uncorrected(tests: int) -> str:
    return f"; {tests} pairs, not corrected for their number" if tests > 1 else ""


def head_to_head_table(
    table: HeadToHead, ranking: Ranking | None = None, *, counts: bool = False, digits: int | None = None
) -> Table:
    """Cell: how often the column's system beat the row's, in bold above .5, with the mark of its sign test.

    Below stand the expected wins of each column's system, which are the mean of the column, and its rank range in the
    ranking, if there is one. `counts` shows wins, ties and losses as well.
    """
    places = PAPER_DIGITS if digits is None else digits
    shares, p = table.shares(), table.p_values
    n = len(table.systems)

    def cell(i: int, j: int) -> str:
        if i == j:
            return numbers.ABSENT
        if math.isnan(shares[i, j]):
            return numbers.UNDEFINED
        text = f"{numbers.coefficient(float(shares[i, j]), places)}{mark(float(p[i, j]))}"
        return f"{text} ({table.wins[j, i]}/{table.ties[i, j]}/{table.wins[i, j]})" if counts else text

    rows = [(system, *(cell(i, j) for j in range(n))) for i, system in enumerate(table.systems)]
    rows.append(("expected wins", *(numbers.coefficient(float(w), places) for w in table.expected_wins)))
    if ranking is not None:
        entries = {r.system: r for r in ranking}
        ranked = [entries[s] for s in table.systems]
        rows.append(("range", *(numbers.rank_range(r.rank_low, r.rank_high) for r in ranked)))
    best = frozenset((i, j + 1) for i, j in zip(*np.nonzero(shares > 0.5), strict=True))
    signs = ", ".join(f"{sign} p ≤ {numbers.coefficient(level, 2)}" for level, sign in reversed(MARKS))
    notes = (
        "Cell: the share of decided judgements in which the column's system beat the row's.",
        f"Sign test: {signs}{_uncorrected(n * (n - 1) // 2)}.",
        *(("(wins/ties/losses)",) if counts else ()),
        *(() if ranking is None else (*ranking.notes, ranking.signature)),
    )
    return Table(("", *table.systems), tuple(rows), notes, best, frozenset({n - 1}))


def amounts_table(amounts: Amounts, digits: int | None = None) -> Table:
    """How much was judged, a row a language pair, with a line above the total; averages have one digit, as in print."""
    notes = (*amounts.notes, amounts.signature)
    table = records_table(amounts.as_records(), notes, 1 if digits is None else digits)
    return dataclasses.replace(table, rules=frozenset({len(table.rows) - 2}) if len(table.rows) > 1 else frozenset())


def records_table(
    records: Sequence[Mapping[str, Any]],
    notes: Sequence[str] = (),
    digits: int = 3,
    heads: Mapping[str, str] | None = None,
) -> Table:
    """Flat records as they are, columns without any value left out. `heads` are names of columns in other words."""
    names = [name for name in (records[0] if records else ()) if any(_known(r[name]) for r in records)]
    rows = tuple(tuple(_shown(name, r[name], digits) for name in names) for r in records)
    return Table(tuple((heads or {}).get(name, name.replace("_", " ")) for name in names), rows, tuple(notes))


def _known(value: Any) -> bool:
    return value is not None and value != ()


def _shown(name: str, value: Any, digits: int) -> str:
    if isinstance(value, float) and name in P_VALUES:
        return numbers.p_value(value, digits=digits)
    if value is None or isinstance(value, float):
        return numbers.coefficient(value, digits) if name in COEFFICIENTS else numbers.score(value, digits)
    return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)
