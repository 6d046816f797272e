"""`tercet run`: a whole metrics task from one file."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from tercet.cli.shared import Threads

_RUN = """\
For example:

  tercet run study.toml -o results

where study.toml holds

  title = "My metrics task"

  [metrics]
  BLEU = "bleu"
  chrF = "chrf"

  [[direction]]
  pair = "en-de"
  testset = "en-de.tsv"
  judgements = "en-de.rankings.csv"

  [system]
  measure = "pearson"

  [segment]
  measure = "kendall(variant=wmt14)"

tercet run --help explains every option.
"""


def run_command(
    study: Annotated[
        pathlib.Path | None, typer.Argument(metavar="STUDY.toml", help="The study file.", show_default=False)
    ] = None,
    output: Annotated[pathlib.Path, typer.Option("-o", "--output", help="Folder to write to.")] = pathlib.Path("study"),
    cache: Annotated[
        pathlib.Path | None, typer.Option("--cache", help="Folder of what is kept between runs; OUTPUT/cache if none.")
    ] = None,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Draw figures (SVG and PDF).")] = True,
    threads: Threads = None,
) -> None:
    """Run a whole metrics task from one file: tables, figures, and a report to read in a browser."""
    if study is None:
        typer.echo(_RUN, nl=False)
        return
    from tercet.cli.output import progress_bar, show_table
    from tercet.report.study import run

    with progress_bar() as progress:
        done = run(study, output, cache=cache, figures=figures, threads=threads, progress=progress)
    for (level, group), table in done.tables.items():
        typer.echo(f"\n{level} level, {group}")
        show_table(table)
    for answer in (a for found in done.result.main.values() for a in found.answers):
        typer.echo(f"\n{answer}")
    computed, kept = len(done.result.computed), len(done.result.from_cache)
    typer.echo(f"\nMetrics counted: {computed}; kept from an earlier run: {kept}.")
    typer.echo(f"Wrote {done.files[0]} and {len(done.files) - 1} other files in {output}.")
