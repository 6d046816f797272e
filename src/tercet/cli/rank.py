"""`tercet rank`, `tercet choose` and `tercet plan`: the options of the functions, spelt for a shell."""

from __future__ import annotations

import pathlib
from typing import Annotated, Literal

import typer

from tercet.cli.shared import (
    Digits,
    Figure,
    JudgementsFile,
    JudgementsFormat,
    OnSkip,
    Output,
    Pair,
    Seed,
    Style,
    Threads,
    mapped,
)
from tercet.errors import InputError

_RANK = """\
For example:

  tercet rank rankings.csv
  tercet rank rankings.csv.gz --pair cs-en --method expected-wins --head-to-head
  tercet rank da.tsv -f latex -o table.tex --figure ranges.pdf
  tercet rank mqm.tsv --testset texts.tsv --name "System A=system-a"

tercet rank --help explains every option.
"""
_CHOOSE = """\
For example:

  tercet choose rankings.csv
  tercet choose rankings.csv -m expected-wins -m bradley-terry --folds 10

tercet choose --help explains every option.
"""

References = Annotated[bool, typer.Option("--references", help="Rank references among the systems, too.")]


def rank_command(
    judgements: JudgementsFile = None,
    judgements_format: JudgementsFormat = None,
    pair: Pair = None,
    method: Annotated[
        str | None,
        typer.Option(
            "-m", "--method", help="Ranker: trueskill for rankings, da, mqm or esa for others if none is named."
        ),
    ] = None,
    samples: Annotated[int, typer.Option("--samples", help="Resamples, or runs of TrueSkill.")] = 1000,
    confidence: Annotated[float, typer.Option("--confidence", help="Share of them that a rank range spans.")] = 0.95,
    seed: Seed = 12345,
    unit: Annotated[
        Literal["pair", "task", "segment"] | None,
        typer.Option("--unit", help="What is drawn: pair for rankings, segment for others if none is named."),
    ] = None,
    on_skip: OnSkip = "task",
    references: References = False,
    testset: Annotated[
        pathlib.Path | None, typer.Option("-t", "--testset", help="Test set whose names the systems shall have.")
    ] = None,
    names: Annotated[
        list[str] | None, typer.Option("--name", help="JUDGED=SYSTEM: another name for a system; several times.")
    ] = None,
    compat: Annotated[
        bool, typer.Option("--compat", help="Divide clusters as the script of WMT14 to WMT16 does.")
    ] = False,
    threads: Threads = None,
    head_to_head: Annotated[
        bool, typer.Option("--head-to-head", help="Show every two systems against each other instead.")
    ] = False,
    counts: Annotated[
        bool, typer.Option("--counts", help="With wins, ties and losses in the head-to-head table.")
    ] = False,
    digits: Digits = None,
    figure: Figure = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Rank systems from human judgements: scores, rank ranges, clusters, head-to-head tables."""
    if judgements is None:
        typer.echo(_RANK, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_figure, require_folder
    from tercet.ranking.rank import head_to_head as every_two
    from tercet.ranking.rank import prepared, rank
    from tercet.report.rankings import head_to_head_table, paper_table, ranking_table

    require_folder(output)
    require_figure(figure)
    if counts and not head_to_head:
        raise InputError("--counts belongs to the head-to-head table.", hint="Add --head-to-head.")
    data = prepared(judgements, judgements_format, pair, testset, mapped(names))
    with progress_bar() as progress:
        found = rank(
            data,
            method=method,
            samples=samples,
            confidence=confidence,
            seed=seed,
            unit=unit,
            on_skip=on_skip,
            references=references,
            compat=compat,
            threads=threads,
            progress=progress,
        )
    if head_to_head:
        order = tuple(r.system for r in found)
        table = every_two(data, on_skip=on_skip, references=references, order=order)
        shown = head_to_head_table(table, found, counts=counts, digits=digits)
        deliver(table.as_records(), found.signature, shown, style, output, found.notes)
    else:
        shown = paper_table(found, digits) if style == "latex" else ranking_table(found, digits)
        deliver(found.as_records(), found.signature, shown, style, output, found.notes)
    if figure is not None:
        from tercet.plots import draw_head_to_head, draw_ranking

        if head_to_head:
            draw_head_to_head(table, figure, found.pair)
        else:
            draw_ranking(found, figure)


def choose_command(
    judgements: JudgementsFile = None,
    judgements_format: JudgementsFormat = None,
    pair: Pair = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("-m", "--method", help="Ranker; several times. Default: expected-wins, hopkins-may, trueskill."),
    ] = None,
    folds: Annotated[int, typer.Option("--folds", help="Parts that are held out in turn.")] = 100,
    seed: Seed = 12345,
    on_skip: OnSkip = "task",
    references: References = False,
    threads: Threads = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Choose a ranker: which one predicts judgements best that it has not seen?"""
    if judgements is None:
        typer.echo(_CHOOSE, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_folder
    from tercet.ranking.choose import METHODS, choose
    from tercet.report.rankings import records_table

    require_folder(output)
    with progress_bar() as progress:
        found = choose(
            judgements,
            judgements_format=judgements_format,
            pair=pair,
            methods=methods or METHODS,
            folds=folds,
            seed=seed,
            on_skip=on_skip,
            references=references,
            threads=threads,
            progress=progress,
        )
    table = records_table(found.as_records(), (*found.notes, found.signature))
    deliver(found.as_records(), found.signature, table, style, output, found.notes)


def plan_command(
    judgements: JudgementsFile = None,
    judgements_format: JudgementsFormat = None,
    pair: Pair = None,
    systems: Annotated[int, typer.Option("--systems", help="How many systems, if there is no pilot.")] = 2,
    gap: Annotated[
        float, typer.Option("--gap", help="Each wins .5 + gap against the next; for da, deviations of a score.")
    ] = 0.05,
    method: Annotated[str, typer.Option("-m", "--method", help="Ranker.")] = "expected-wins",
    budget: Annotated[int, typer.Option("--budget", help="The most judgements that there could be.")] = 10_000,
    ties: Annotated[float, typer.Option("--ties", help="Share of ties between equals.")] = 0.25,
    size: Annotated[int, typer.Option("--size", help="Systems in a task.")] = 5,
    campaigns: Annotated[int, typer.Option("--campaigns", help="Campaigns that are simulated of each size.")] = 100,
    samples: Annotated[int, typer.Option("--samples", help="Resamples of each campaign.")] = 200,
    confidence: Annotated[float, typer.Option("--confidence", help="Share of them that a rank range spans.")] = 0.95,
    power: Annotated[float, typer.Option("--power", help="Share of campaigns that must separate.")] = 0.8,
    seed: Seed = 12345,
    threads: Threads = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Plan a campaign: how many judgements until systems separate? Simulated, or from a pilot's JUDGEMENTS."""
    from tercet.cli.output import deliver, progress_bar, require_folder
    from tercet.ranking.plan import plan, propose_next
    from tercet.ranking.rank import prepared
    from tercet.report.rankings import records_table

    require_folder(output)
    pilot = None if judgements is None else prepared(judgements, judgements_format, pair)
    with progress_bar() as progress:
        found = plan(
            pilot,
            systems=systems,
            gap=gap,
            method=method,
            budget=budget,
            ties=ties,
            size=size,
            campaigns=campaigns,
            samples=samples,
            confidence=confidence,
            power=power,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    notes = [*found.notes, found.answer]
    if pilot is not None:
        shown = propose_next(pilot, seed=seed)
        notes.append(f"Show next: {', '.join(shown)}.")
    table = records_table(found.as_records(), (*notes, found.signature), digits=2)
    deliver(found.as_records(), found.signature, table, style, output, notes)
