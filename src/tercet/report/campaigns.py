"""How a campaign stands, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tercet.data.table import Table
from tercet.report.rankings import records_table

WEIGHED = "Expected wins with each task weighing by the inverse of its odds: as uniform choice would have it."
_PEOPLE = ("name", "answers", "batches", "median_seconds", "checks", "passed", "excluded", "flags")


def status_tables(answer: Mapping[str, Any]) -> list[Table]:
    """Annotators, languages, agreement, the ranking, expected wins of an active campaign, and what is undecided."""
    facts, stop = answer["campaign"], answer["stop"]
    of = "" if facts["items"] is None else f" of {facts['items']}"
    state = "closed" if facts["closed"] else "paused" if facts["paused"] else "open"
    what = f"{facts['protocol']}, {facts['pair'] or 'no pair named'}, {state}"
    head = f"{facts['name']}: {what}, {facts['answers']}{of} answers."
    people = [{name: person[name] for name in _PEOPLE} for person in answer["annotators"]]
    tables = [records_table(people, (head,), digits=1)]
    if len(answer["languages"]) > 1:
        tables.append(records_table(answer["languages"]))
    if answer["agreement"]:
        tables.append(records_table(answer["agreement"], ()))
    if answer["ranking"]["records"]:
        tables.append(records_table(answer["ranking"]["records"], (answer["ranking"]["signature"],)))
    if answer["wins"]:
        tables.append(records_table(answer["wins"], (WEIGHED,)))
    if answer["undecided"]:
        tables.append(records_table(answer["undecided"], ()))
    verdict = {"stop": "yes" if stop["settled"] else "no", "because": stop["reason"]}
    tables.append(records_table([verdict], answer["notes"]))
    return tables
