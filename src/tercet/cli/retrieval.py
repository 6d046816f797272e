"""`tercet retrieval`: the options of `tercet.retrieval`, spelt for a shell."""

from __future__ import annotations

import pathlib
from typing import Annotated, Literal

import typer

from tercet.cli.score import name_systems
from tercet.cli.shared import Output, Seed, Style, Threads
from tercet.errors import InputError

_EXAMPLE = """\
For example:

  tercet retrieval cuni.run uedin.run qrels.txt --ceiling monolingual.run
  tercet retrieval cuni.run uedin.run qrels.txt --level query -f csv -o queries.csv
  tercet retrieval cuni.tsv uedin.tsv dcu.tsv qrels.txt --ceiling titles.tsv --collection pages.tsv.gz -m bleu -m chrf

tercet retrieval --help explains every option.
"""
_SUFFIXES = (".gz", ".txt", ".run", ".tsv")


def retrieval_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN... QRELS",
            help="Runs, a file a system: FILE or NAME=FILE; and last the relevance judgements, all in TREC's format. "
            "With --collection, files of queries (id, tab, text) instead of runs.",
            show_default=False,
        ),
    ] = None,
    ceiling: Annotated[
        pathlib.Path | None,
        typer.Option("--ceiling", help="Run (or queries) of the monolingual experiment, to hold the others against."),
    ] = None,
    collection: Annotated[
        pathlib.Path | None,
        typer.Option("--collection", help="Documents (id, tab, text) to search the queries in, with BM25."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Metric to correlate with retrieval, on queries; several times."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", help="System to test the others against; the ceiling or the first otherwise."),
    ] = None,
    test: Annotated[
        Literal["randomization", "t-test", "none"], typer.Option("--test", help="Paired test over queries.")
    ] = "randomization",
    trials: Annotated[int, typer.Option("--trials", help="Trials of the randomisation test.")] = 10_000,
    seed: Seed = 12345,
    complete: Annotated[
        bool, typer.Option("--complete/--no-complete", help="A query that a run does not have counts 0.")
    ] = True,
    relevant: Annotated[int, typer.Option("--relevant", help="Lowest level that is relevant.")] = 1,
    threads: Threads = None,
    level: Annotated[Literal["system", "query", "metric"], typer.Option("--level", help="What gets a row.")] = "system",
    style: Style = "table",
    output: Output = None,
) -> None:
    """Measure what translated queries find, against relevance judgements and the monolingual run."""
    if not files:
        typer.echo(_EXAMPLE, nl=False)
        return
    if len(files) < 2:
        raise InputError("Runs and relevance judgements are needed.", hint="Name the judgements last: RUN... QRELS.")
    from tercet.cli.output import deliver, require_folder
    from tercet.report.retrieval import retrieval_tables
    from tercet.retrieval.evaluation import retrieval

    require_folder(output)
    found = retrieval(
        name_systems(files[:-1], _SUFFIXES),
        files[-1],
        ceiling=ceiling,
        collection=collection,
        metrics=metrics or (),
        baseline=baseline,
        test=test,
        trials=trials,
        seed=seed,
        complete=complete,
        relevant=relevant,
        threads=threads,
    )
    table, *further = retrieval_tables(found, level)
    deliver(found.as_records(level), found.signature, table, style, output, found.notes, further)
