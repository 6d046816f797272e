"""Results to documents: tables in every output format."""

from tercet.report.rankings import head_to_head_table, ranking_table, records_table
from tercet.report.scores import scores_table
from tercet.report.tables import FORMATS, Format, Table, render, render_records

__all__ = [
    "FORMATS",
    "Format",
    "Table",
    "head_to_head_table",
    "ranking_table",
    "records_table",
    "render",
    "render_records",
    "scores_table",
]
