"""Results to documents: tables in every output format. Those of rankings are in `tercet.report.rankings`."""

from tercet.data.table import Table
from tercet.report.scores import bare_scores, scores_table
from tercet.report.tables import FORMATS, render, render_records

__all__ = [
    "FORMATS",
    "Table",
    "bare_scores",
    "render",
    "render_records",
    "scores_table",
]
