"""How much was judged: the table with which the findings of WMT open their results (Bojar et al. 2014, Table 3).

A ranking of five outputs counts as ten comparisons; where systems share an output, each of them was compared, as the
findings count from WMT15 on. A scored output counts once, and again where it was repeated; references and degraded
outputs check the judge and are counted by themselves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet import inputs
from tercet.data import UNKNOWN, Ints, Judgements, Kind, Outcome, Rankings
from tercet.data.amounts import Amount, Amounts
from tercet.human.comparisons import compare, ranks
from tercet.human.pairs import pairwise
from tercet.human.scored import require_assessments
from tercet.options import verb
from tercet.options.judging import Judged
from tercet.signing import fingerprint, signature, together
from tercet.stats.agreement import groups

TOTAL = "total"


@verb(Judged)
def amounts(asked: Judged) -> Amounts:
    """How much was judged, of every language pair of a file: systems, segments, judges, tasks, judgements.

    >>> from tercet.sample import judgements
    >>> [(r.systems, r.segments, r.judges, r.judgements) for r in amounts(judgements("en-de"))]
    [(5, 48, 5, 1346)]
    """
    every = list(inputs.judged_by_pair(asked))
    counted = [_of_rankings(one) if isinstance(one, Rankings) else _of_assessments(one) for one in every]
    records = tuple(amount for amount, _ in counted)
    if len(every) > 1:
        records = (*records, _total(records, len({name for _, judges in counted for name in judges})))
    # what a reader says of the rows of other pairs is not so where all pairs are read
    notes = every[0].notes if len(every) == 1 else ()
    ranked = any(isinstance(one, Rankings) for one in every)
    facts = {"references": "out", "skipped": "pair"} if ranked else {}
    data = together({"judgements": fingerprint(one)} for one in every)
    return Amounts(records, signature("amounts", facts, data), notes)


def _of_rankings(rankings: Rankings) -> tuple[Amount, set[str]]:
    """The amount, and who judged: comparisons of systems as `rank` has them, of which references are none."""
    pairs = pairwise(rankings, on_skip="pair")
    shown = compare(ranks(rankings, as_written=True, references=False), as_displayed=True)
    again = compare(ranks(rankings, references=False))
    task = np.unique(pairs.task)
    judges = _names(rankings, rankings.judge[task])
    amount = Amount(
        rankings.pair,
        systems=len(pairs.systems),
        segments=len(np.unique(pairs.segment)),
        judges=len(judges),
        tasks=len(task),
        judgements=len(pairs),
        ties=int((pairs.outcome == Outcome.TIE).sum()),
        compared=len(shown),
        repeats=len(again) - len(np.unique(groups(again.item, again.judge))),
    )
    return amount, judges


def _of_assessments(judgements: Judgements) -> tuple[Amount, set[str]]:
    """The same of outputs one by one: a row with a score, or with errors if the file has no scores."""
    given = require_assessments(judgements)
    there = np.isfinite(given.score)
    rows = given.part(there) if there.any() else given
    output = np.isin(rows.kind, (Kind.SYSTEM, Kind.REPEAT))
    judges = _names(rows, rows.judge)
    amount = Amount(
        rows.pair,
        systems=len(np.unique(rows.system[output])),
        segments=len(np.unique(rows.segment[output])),
        judges=len(judges),
        tasks=None if rows.task is None else len(np.unique(rows.task)),
        judgements=int(output.sum() if rows.n is None else rows.n[output].sum()),
        repeats=int((rows.kind == Kind.REPEAT).sum()),
        controls=int((~output).sum()),
    )
    return amount, judges


def _names(given: Judgements, judge: Ints) -> set[str]:
    return {given.judges[j] for j in np.unique(judge[judge != UNKNOWN]).tolist()}


def _total(records: Sequence[Amount], judges: int) -> Amount:
    """All language pairs: a system or a segment counts in each, a judge once."""
    names = [f.name for f in dataclasses.fields(Amount) if f.name not in ("pair", "judges")]
    columns = {name: [getattr(r, name) for r in records] for name in names}
    sums: dict[str, Any] = {name: None if None in values else sum(values) for name, values in columns.items()}
    return Amount(TOTAL, judges=judges, **sums)
