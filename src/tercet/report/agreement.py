"""The tables of agreement: coefficients of judges, and the judges one by one, under heads in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tercet import numbers
from tercet.data import Agreement, Annotators
from tercet.data.agreement import KINDS
from tercet.data.table import Table
from tercet.report.rankings import records_table

SHARES = {"p_agree": "agreed", "p_expected": "chance", "comparable": "pairs"}
HEADS = {
    "kind": "agreement",
    "kappa": "value",
    **SHARES,
    "total": "given",
    "band": "in words",
    "mean_difference": "mean difference",
    "p_value": "p",
    "consistent": "consistent judges",
    "first": "judge",
    "second": "and",
    "interval": "95 % interval",
}
JUDGES = {
    **SHARES,
    "comparable": "compared",
    "intra_kappa": "kappa with self",
    "intra_p_agree": "agreed with self",
    "intra_comparable": "compared with self",
    "median_seconds": "median seconds",
    "longest_run": "longest run",
    "correlation": "r with others",
    "mean_system": "mean of systems",
    "mean_reference": "mean of references",
    "mean_bad": "mean of degraded",
    "bad_pairs": "degraded pairs",
    "p_ranksum": "p by rank sum",
    "p_paired_t": "p by paired t",
    "mean_difference": "mean difference",
}
PAIRS = {
    "pairs": "two judgements of the same thing",
    "agreed": "the share of agreement in them",
    "chance": "what chance would give",
    "given": "all judgements",
}
COMPARED = {
    "compared": "pairs of a judgement and another one's of the same thing",
    "agreed": "the share of agreement in them",
    "chance": "what chance would give",
}
OF_REPEATS = (
    "Repeats: the mean difference between a score and its repeat, p that they differ, and the share of judges whose "
    "repeats do not."
)
COMPARED_SCORES = {
    "compared": "outputs that other judges scored as well",
    "r with others": "Pearson's correlation with the mean of their scores",
}


def agreement_table(answer: Agreement, digits: int = 3) -> Table:
    """A row a coefficient, its interval whole; repeats only where there are some."""
    told = [record for record in answer.as_records() if record["kind"] != "repeats" or record["total"]]
    groups = any(record.first is not None and record.first == record.second for record in answer)
    heads = {**HEADS, **({"first": "group", "second": "and"} if groups else {})}
    parts = any(record.first is not None for record in answer)
    table = records_table([_in_words(record, digits, parts) for record in told], (), digits, heads)
    repeats = (OF_REPEATS,) if any(record["kind"] == "repeats" for record in told) else ()
    return _noted(table, PAIRS, (*repeats, *answer.notes, answer.signature))


def judges_table(judges: Annotators, digits: int = 3) -> Table:
    """A row a judge; what is odd of them stands below, in sentences that would push columns off the screen."""
    records = [{k: v for k, v in r.items() if k != "flags"} for r in judges.as_records()]
    flags = [f"{r.judge}: {r.flags}." for r in judges if r.flags]
    table = records_table(records, (), digits, JUDGES)
    scores = JUDGES["correlation"] in table.header
    return _noted(table, COMPARED_SCORES if scores else COMPARED, (*flags, *judges.notes, judges.signature))


def _in_words(record: Mapping[str, Any], digits: int, parts: bool) -> dict[str, Any]:
    """Whose agreement on what, the coefficient with its interval, and then what it is made of.

    Of parts, such as every two judges, it is known who they are and not told how many.
    """
    shown = {name: record[name] for name in ("kind", "first", "second", "scale", "kappa") if name in record}
    if "low" in record:
        low, high = (numbers.coefficient(record[name], digits) for name in ("low", "high"))
        shown["interval"] = numbers.ABSENT if record["low"] is None else f"[{low}, {high}]"
    told = (*shown, "low", "high", "agree", *(("total", "judges") if parts else ()))
    rest = {name: value for name, value in record.items() if name not in told}
    kind = {"inter": "kappa", "intra": "kappa again"}.get(record["kind"]) if parts else None
    return {**shown, "kind": kind or KINDS[record["kind"]], **rest}


def _noted(table: Table, meanings: Mapping[str, str], notes: tuple[str, ...]) -> Table:
    """With what its heads mean, before all other notes."""
    told = "; ".join(f"{head}: {meaning}" for head, meaning in meanings.items() if head in table.header)
    return Table(table.header, table.rows, (f"{told[0].upper()}{told[1:]}.", *notes) if told else notes)
