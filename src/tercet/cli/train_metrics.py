"""`tercet train beer` and `tercet train combine`: the options of the function, spelt for a shell."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tercet.cli.meta import named_specs
from tercet.cli.shared import (
    Digits,
    Folds,
    Gold,
    JudgementsFormat,
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

if TYPE_CHECKING:
    from tercet.learning.training import Kind

_EXAMPLES = {
    "beer": """\
For example:

  tercet train beer -t newstest.tsv -j rankings.csv --model beer.json
  tercet score out.txt -r ref.txt -m "beer(model=beer.json)"

tercet train beer --help explains every option.
""",
    "combine": """\
For example:

  tercet train combine -m chrf++ -m ter -m meteor -t newstest.tsv -j rankings.csv --model ours.json
  tercet train combine -m bleu -m chrf -t texts.tsv -j da.csv --learner ridge --objective pearson --model ours.json
  tercet score out.txt -r ref.txt -m "combine(model=ours.json)"

tercet train combine --help explains every option.
""",
}


def _command(kind: Kind, doc: str) -> Callable[..., None]:
    def command(
        metrics: Annotated[
            list[str] | None,
            typer.Option("-m", "--metric", help="Metric to combine, or to show beside BEER, [NAME=]SPEC; several."),
        ] = None,
        testset: Annotated[
            list[pathlib.Path] | None,
            typer.Option("-t", "--testset", help="Test set; several are learnt from together."),
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
        model: Annotated[pathlib.Path | None, typer.Option("--model", help="Model file to write.")] = None,
        learner: Annotated[
            Literal["svm", "logistic", "ridge"] | None,
            typer.Option("--learner", help="Which of two is better (svm, logistic), or people's scores (ridge)."),
        ] = None,
        strengths: Annotated[
            list[float] | None,
            typer.Option("--strength", help="How much mistakes count against large weights; several to choose from."),
        ] = None,
        objective: Annotated[
            str | None, typer.Option("--objective", help="Measure of agreement to choose by. See tercet list.")
        ] = None,
        gold: Gold = None,
        folds: Folds = 5,
        testset_format: TestsetsFormat = None,
        judgements_format: JudgementsFormat = None,
        scores_format: PeopleFormat = None,
        pair: TestsetPairs = None,
        names: Names = None,
        without: Without = None,
        references: WithReferences = False,
        on_skip: OnSkip = "task",
        seed: Seed = 12345,
        threads: Threads = None,
        digits: Digits = None,
        style: Style = "table",
        output: Output = None,
    ) -> None:
        if not testset:
            typer.echo(_EXAMPLES[kind], nl=False)
            return
        from tercet.cli.output import deliver, progress_bar, require_folder
        from tercet.learning.training import train
        from tercet.report.training import training_table

        require_folder(output)
        require_folder(model)
        with progress_bar() as progress:
            found = train(
                kind,
                metrics=named_specs(metrics) or (),
                testset=testset,
                judgements=judgements or None,
                human=human or None,
                lower=lower,
                model=model,
                learner=learner,
                strengths=strengths or (),
                objective=objective,
                gold=gold,
                folds=folds,
                testset_format=testset_format,
                judgements_format=judgements_format,
                scores_format=scores_format,
                pair=pair or None,
                names=mapped(names),
                without=without or (),
                references=references,
                on_skip=on_skip,
                seed=seed,
                threads=threads,
                progress=progress,
            )
        deliver(found.as_records(), found.signature, training_table(found, digits), style, output, found.notes)

    command.__doc__ = doc
    command.__name__ = f"train_{kind}_command"
    return command


beer_command = _command(
    "beer", "Learn the weights of BEER from judgements: a model file, checked on held-out segments."
)
combine_command = _command(
    "combine", "Learn a linear combination of metrics from judgements: a model file, checked on held-out segments."
)
