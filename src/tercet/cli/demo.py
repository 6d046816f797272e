"""`tercet demo`: from nothing to scored systems in one command."""

from __future__ import annotations

import dataclasses
import pathlib
import shutil
import sys
from typing import Annotated

import typer

SHOWN = 5  # files that are named, the report first


def demo_command(
    output: Annotated[pathlib.Path, typer.Option("-o", "--output", help="Folder to write to.")] = pathlib.Path(
        "tercet-demo"
    ),
) -> None:
    """Do the main job on a small campaign that ships with Tercet, and name what it wrote."""
    from tercet.cli.output import progress_bar, show_table
    from tercet.report import scores_table
    from tercet.report.rankings import ranking_table
    from tercet.sample import demo

    with progress_bar() as progress:
        done = demo(output, progress=progress)
    for pair, scores in done.scores.items():
        typer.echo(f"\n{pair}, by metrics")
        show_table(dataclasses.replace(scores_table(scores), notes=()))
        typer.echo(f"\n{pair}, by people")
        show_table(dataclasses.replace(ranking_table(done.rankings[pair]), notes=()))
    notes = scores_table(next(iter(done.scores.values()))).notes
    typer.echo("\n" + "\n".join(notes[:2]))
    for (level, group), table in done.study.tables.items():
        typer.echo(f"\nWhich metric agrees with people? {level.capitalize()} level, {group}")
        show_table(dataclasses.replace(table, notes=table.notes[:-1]))
    typer.echo(f"\nWrote {len(done.files)} files into {output}, among them")
    for path in done.files[:SHOWN]:
        typer.echo(f"  {path}")
    typer.echo(f"Open {done.files[0]} in a browser.")
    program = "tercet" if shutil.which("tercet") else sys.argv[0]  # in a virtual environment that is not activated
    typer.echo(f"\nNow try\n  {program} score --testset {output}/en-de.tsv -m chrf++ --level document")
    typer.echo(f"  {program} rank {output}/en-de.rankings.csv --method expected-wins --head-to-head")
    typer.echo(f"  {program} meta -t {output}/en-de.tsv -j {output}/en-de.rankings.csv -m chrf -m bleu --level segment")
