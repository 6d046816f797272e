"""`tercet agreement`: the options of `tercet.agreement`, spelt for a shell."""

from __future__ import annotations

from typing import Annotated

import typer

from tercet.cli.shared import Digits, Figure, JudgementsFile, JudgementsFormat, OnSkip, Output, Pair, Style
from tercet.errors import InputError

_EXAMPLE = """\
For example:

  tercet agreement rankings.csv
  tercet agreement rankings.csv.gz --pair cs-en --compat
  tercet agreement da.csv --annotators -f csv -o judges.csv --figure judges.svg
  tercet agreement rankings.csv --annotator judge3

tercet agreement --help explains every option.
"""


def agreement_command(
    judgements: JudgementsFile = None,
    judgements_format: JudgementsFormat = None,
    pair: Pair = None,
    compat: Annotated[
        bool, typer.Option("--compat", help="The kappas of the WMT findings to the last digit, quirks included.")
    ] = False,
    expand: Annotated[
        bool, typer.Option("--expand", help="Every system by itself, also where several share an output.")
    ] = False,
    on_skip: OnSkip = "pair",
    references: Annotated[
        bool, typer.Option("--references/--no-references", help="Whether references among the systems count.")
    ] = True,
    weights: Annotated[
        str | None,
        typer.Option("--weights", help="Weights of errors, as in mqm(weights=...); MQM's if none are given."),
    ] = None,
    annotators: Annotated[bool, typer.Option("--annotators", help="Show the judges one by one instead.")] = False,
    annotator: Annotated[str | None, typer.Option("--annotator", help="Show the page of this judge instead.")] = None,
    digits: Digits = None,
    figure: Figure = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Say how far judges agree with each other and with themselves, and what each of them is like."""
    if judgements is None:
        typer.echo(_EXAMPLE, nl=False)
        return
    from tercet.cli.output import deliver, emit, paragraphs, require_figure, require_folder
    from tercet.formats import read_judgements
    from tercet.human.agreement import agreement
    from tercet.human.annotators import annotator_page
    from tercet.human.annotators import annotators as by_judge
    from tercet.human.given import signature
    from tercet.report.rankings import records_table

    require_folder(output)
    require_figure(figure)
    one_by_one = annotators or annotator is not None
    if one_by_one and (compat or expand or on_skip != "pair" or not references):
        raise InputError(
            "--compat, --expand, --on-skip and --no-references do not go with --annotators and --annotator: judges are "
            "compared in the strict way.",
            hint="Leave them out.",
        )
    data = read_judgements(judgements, judgements_format, pair)
    places = 3 if digits is None else digits
    found = agreement(data, compat=compat, expand=expand, on_skip=on_skip, references=references, weights=weights)
    judges = by_judge(data, weights=weights) if annotators or figure is not None else None
    if annotator is not None:
        page = [fact._asdict() for fact in annotator_page(data, annotator, weights=weights)]
        table = records_table(page, data.notes, places)
        if style == "table":
            cells = [dict(zip(table.header, row, strict=True)) for row in table.rows if row[1]]
            notes = "".join(f"{note}\n" for note in data.notes)
            emit(paragraphs(cells, table.header) + (f"\n{notes}" if notes else ""), output)
        else:
            deliver(page, signature("annotators", {"annotator": annotator}), table, style, output, data.notes)
    elif annotators and judges is not None:
        # flags are sentences: below the table they do not push its columns off the screen
        rows = [{k: v for k, v in r.items() if k != "flags"} for r in judges.as_records()]
        flags = [f"{r.judge}: {r.flags}." for r in judges if r.flags]
        table = records_table(rows, (*flags, *judges.notes, judges.signature), places)
        deliver(judges.as_records(), judges.signature, table, style, output, judges.notes)
    else:
        table = records_table(found.as_records(), (*found.notes, found.signature), places)
        deliver(found.as_records(), found.signature, table, style, output, found.notes)
    if figure is not None and judges is not None:
        from tercet.plots import draw_annotators

        draw_annotators(judges, found, figure)
