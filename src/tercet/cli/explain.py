"""`tercet explain`: the options of `tercet.explain`, spelt for a shell; the output's name asks for page or picture."""

from __future__ import annotations

import pathlib
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tercet.cli.shared import FolderPair, Testset, TestsetFormat

if TYPE_CHECKING:
    from tercet.report.explanations import Line

_EXAMPLE = """\
For example:

  tercet explain bleu --hyp "a small cat" --ref "a little cat"
  tercet explain ter --hyp "the cat sat there" --hyp2 "there the cat sat" --ref "there sat the cat"
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


def explain_command(
    metric: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="The metric, as in tercet list.", show_default=False)
    ] = None,
    hypotheses: Annotated[
        list[str] | None,
        typer.Option("--hyp", "--hyp2", help="The hypothesis itself; a second one stands beside the first."),
    ] = None,
    references: Annotated[
        list[str] | None, typer.Option("--ref", help="The reference itself; several times for several references.")
    ] = None,
    source: Annotated[str | None, typer.Option("--source", help="The source, for metrics that need it.")] = None,
    testset: Testset = None,
    testset_format: TestsetFormat = None,
    pair: FolderPair = None,
    segment: Annotated[str | None, typer.Option("--segment", help="The segment of the test set, by its id.")] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--system", help="A system of the test set; twice for two side by side.")
    ] = None,
    style: Annotated[Literal["table", "json"], typer.Option("-f", "--format", help="Output format.")] = "table",
    output: Annotated[
        pathlib.Path | None,
        typer.Option("-o", "--output", help="Write to this file; .html makes a page of it, .svg a picture."),
    ] = None,
) -> None:
    """Explain the score of one segment: formula, n-grams, edits or alignment, for one hypothesis or two."""
    if metric is None:
        typer.echo(_EXAMPLE, nl=False)
        return
    from tercet.cli.output import emit, require_folder
    from tercet.explaining import explain
    from tercet.report.explanations import explanation_lines, plain_text

    require_folder(output)
    found = explain(
        metric,
        hypotheses,
        references,
        source=source,
        testset=testset,
        testset_format=testset_format,
        pair=pair,
        segment=segment,
        systems=systems,
    )
    suffix = "" if output is None else output.suffix.lower()
    if suffix in (".html", ".htm", ".svg"):
        from tercet.report.html.explanations import explanation_page
        from tercet.report.html.pictures import picture

        emit(picture(found) if suffix == ".svg" else explanation_page(found), output)
    elif style == "json":
        from tercet.report import render_records

        emit(render_records(found.as_records(), found.signature, "json"), output)
    elif output is None and sys.stdout.isatty():
        _show(explanation_lines(found, shutil.get_terminal_size((_WIDTH, 24)).columns))
    else:
        emit(plain_text(explanation_lines(found, _WIDTH)), output)


def _show(lines: Sequence[Line]) -> None:
    """Lines in colour."""
    import rich.console
    import rich.text

    console = rich.console.Console(highlight=False)
    for line in lines:
        pieces = ((text, _STYLES.get(style, "")) for text, style in line)
        console.print(rich.text.Text.assemble(*pieces), soft_wrap=True)
