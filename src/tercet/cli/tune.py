"""`tercet tune`: the options of the function, spelt for a shell."""

from __future__ import annotations

import pathlib
from typing import Annotated, Literal

import typer

from tercet.cli.shared import (
    Digits,
    Figure,
    Folds,
    Gold,
    Judged,
    JudgementsFormat,
    JudgementUnit,
    Names,
    OnSkip,
    Output,
    PeopleFormat,
    Seed,
    Style,
    TestsetPairs,
    TestsetsFormat,
    Threads,
    Without,
    WithReferences,
    mapped,
)

_TUNE = """\
For example:

  tercet tune chrf --testset newstest.tsv --judgements rankings.csv
  tercet tune "meteor(language=en)" --testset newstest.tsv --judgements rankings.csv \\
      --parameter alpha=0:1:0.05 --parameter gamma=0:1:0.05 --search grid
  tercet tune chrf -t de-en.tsv -j de-en.csv -t ru-en.tsv -j ru-en.csv --objective pair-accuracy
  tercet tune chrf -t texts.tsv --human hter.tsv --lower --objective segcor

tercet tune --help explains every option.
"""


def tune_command(
    metric: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="Metric to tune, as for -m elsewhere.", show_default=False)
    ] = None,
    testset: Annotated[
        list[pathlib.Path] | None, typer.Option("-t", "--testset", help="Test set; several are tuned on together.")
    ] = None,
    judgements: Annotated[
        list[pathlib.Path] | None,
        typer.Option("-j", "--judgements", help="File of judgements, one for each test set, or one for all."),
    ] = None,
    human: Annotated[
        list[pathlib.Path] | None,
        typer.Option("--human", help="People's scores instead: a file for each test set."),
    ] = None,
    lower: Annotated[
        bool, typer.Option("--lower", help="Of people's scores lower ones are better, as of HTER.")
    ] = False,
    objective: Annotated[
        str | None, typer.Option("--objective", help="Measure of agreement to raise. See tercet list.")
    ] = None,
    level: Annotated[Literal["system", "document", "segment"], typer.Option("--level", help="Of what.")] = "segment",
    gold: Gold = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", help="NAME or NAME=LOW:HIGH:STEP; several. All that can be tuned otherwise."),
    ] = None,
    search: Annotated[
        Literal["auto", "grid", "refine", "scipy"],
        typer.Option("--search", help="Every point, a coarse grid refined, or differential evolution."),
    ] = "auto",
    folds: Folds = 5,
    testset_format: TestsetsFormat = None,
    judgements_format: JudgementsFormat = None,
    scores_format: PeopleFormat = None,
    pair: TestsetPairs = None,
    names: Names = None,
    without: Without = None,
    references: WithReferences = False,
    on_skip: OnSkip = "task",
    judged: Judged = 1.0,
    samples: Annotated[int, typer.Option("--samples", help="Runs of TrueSkill, where that is the gold.")] = 1000,
    unit: JudgementUnit = None,
    seed: Seed = 12345,
    threads: Threads = None,
    figure: Figure = None,
    digits: Digits = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Tune a metric on judgements: the spec string that agrees best with people, checked on held-out segments."""
    if metric is None or not testset:
        typer.echo(_TUNE, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_figure, require_folder
    from tercet.learning.tuning import tune
    from tercet.report.tuning import tuning_table

    require_folder(output)
    require_figure(figure)
    with progress_bar() as progress:
        found = tune(
            metric,
            testset=testset,
            judgements=judgements or None,
            human=human or None,
            lower=lower,
            objective=objective,
            level=level,
            gold=gold,
            parameters=parameters,
            search=search,
            folds=folds,
            testset_format=testset_format,
            judgements_format=judgements_format,
            scores_format=scores_format,
            pair=pair or None,
            names=mapped(names),
            without=without or (),
            references=references,
            on_skip=on_skip,
            judged=judged,
            samples=samples,
            unit=unit,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    if figure is not None:
        from tercet.plots.tuning import draw_tuning

        draw_tuning(found, figure)
    deliver(found.as_records(), found.signature, tuning_table(found, digits), style, output, found.notes)
