"""`tercet explain`: how an explanation is shown; the output's name asks for page or picture."""

from __future__ import annotations

import dataclasses
import functools
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tercet.cli.command import Given, command
from tercet.cli.shared import Drawn
from tercet.options.groups import suffix_of
from tercet.options.scoring import ExplainOptions

if TYPE_CHECKING:
    from tercet.report.explanations import Line

_EXAMPLE = """\
For example:

  tercet explain bleu --hyp "a small cat" --ref "a little cat"
  tercet explain ter --hyp "the cat sat there" --hyp2 "there the cat sat" --ref "there sat the cat"
  tercet explain bleu --hyp hyp.txt --ref ref.txt --source src.txt --segment 12
  tercet explain chrf --testset campaign.tsv --segment 12 --system A --system B -o page.html

tercet explain --help explains every option.
"""
_WIDTH = 100  # of lines in a pipe or a file
_STYLES = {
    "bold": "bold",
    "score": "bold cyan",
    "value": "bold",
    "dim": "dim",
    "level0": "red",
    "level1": "yellow",
    "level2": "cyan",
    "level3": "green",
    "level4": "bold green",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownExplanation(Drawn):
    """A page or a picture shows all; a table, the numbers of the formula."""


@command(ExplainOptions, ShownExplanation, example=_EXAMPLE)
def explain_command(given: Given, shown: ShownExplanation) -> None:
    """Explain the score of one segment: formula, n-grams, edits or alignment, for one hypothesis or two."""
    from tercet.cli.output import deliver, draw_answer, emit
    from tercet.explaining import explain
    from tercet.report.explanations import explanation_lines, plain_text

    explanations = explain(**given)
    form, output = shown.form, shown.path
    is_page = form == "html" or suffix_of(output) == ".svg"
    if is_page:
        from tercet.report.html.explanations import explanation_page
        from tercet.report.html.pictures import picture

        emit(picture(explanations) if shown.picture else explanation_page(explanations), output)
    elif form == "json" or form == "jsonl":
        from tercet.report import render_records

        emit(render_records(explanations.as_records(), explanations.signature, form), output)
    elif shown.picture or form != "table":
        from tercet.report.rankings import records_table

        rows = explanations.as_rows()
        counts = [row | ({"value": int(row["value"])} if _is_count(row) else {}) for row in rows]
        table = records_table(counts, (explanations.signature,), digits=4)
        deliver(rows, explanations.signature, [table], shown, draw=functools.partial(draw_answer, explanations))
    elif output is None and sys.stdout.isatty():
        _show(explanation_lines(explanations, shutil.get_terminal_size((_WIDTH, 24)).columns))
    else:
        emit(plain_text(explanation_lines(explanations, _WIDTH)), output)


def _is_count(row: Mapping[str, Any]) -> bool:
    return row["name"] != "score" and float(row["value"]).is_integer()


def _show(lines: Sequence[Line]) -> None:
    """Prints the lines with the styles of their pieces, as far as the terminal has colours."""
    import rich.console
    import rich.text

    console = rich.console.Console(highlight=False)
    for line in lines:
        pieces = ((text, _STYLES.get(style, "")) for text, style in line)
        console.print(rich.text.Text.assemble(*pieces), soft_wrap=True)
