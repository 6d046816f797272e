"""Tables as a page, for answers that have no page of their own."""

from __future__ import annotations

from collections.abc import Sequence

from tercet.data.table import Table
from tercet.report.html.blocks import Report, Section
from tercet.report.html.constructors import table_block
from tercet.report.html.page import page


def sheet(signature: str, tables: Sequence[Table]) -> str:
    """One page with all tables of an answer, whose signature begins with its verb."""
    verb = signature.partition("|")[0].replace("-", " ", 1)  # as it is typed: qe predict
    blocks = tuple(table_block(table, "") for table in tables)
    return page(Report(f"tercet {verb}", sections=(Section("", "answer", blocks=blocks),)))
