"""Results to documents: tables in every output format. Those of rankings are in `tercet.report.rankings`."""

from tercet.report.scores import scores_table
from tercet.report.tables import FORMATS, Format, Table, render, render_records

__all__ = [
    "FORMATS",
    "Format",
    "Table",
    "render",
    "render_records",
    "scores_table",
]
