"""The HTML report of a metrics task: `page(Report(...))` is one self-contained file.

blocks        what a page is made of
constructors  blocks from the nouns of meta-evaluation
page          the page, with page.html, page.css and page.js inside it
tables, scatter, curves, axes, figures   blocks as HTML and SVG
text, context  escaping; what the blocks of one page share
"""

from tercet.report.html.blocks import (
    Block,
    CalibrationBlock,
    Cell,
    FoldBlock,
    MatrixBlock,
    Report,
    ScatterBlock,
    Section,
    TableBlock,
    TopCurveBlock,
)
from tercet.report.html.constructors import (
    agreement_block,
    calibration_block,
    direction_section,
    fold_block,
    matrix_block,
    scatter_block,
    table_block,
    top_curve_block,
)
from tercet.report.html.page import page

__all__ = [
    "Block",
    "CalibrationBlock",
    "Cell",
    "FoldBlock",
    "MatrixBlock",
    "Report",
    "ScatterBlock",
    "Section",
    "TableBlock",
    "TopCurveBlock",
    "agreement_block",
    "calibration_block",
    "direction_section",
    "fold_block",
    "matrix_block",
    "page",
    "scatter_block",
    "table_block",
    "top_curve_block",
]
