"""`tercet score`: the options of `tercet.score`, spelt for a shell."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from tercet.cli.shared import (
    Documents,
    FolderPair,
    NumRefs,
    Output,
    References,
    Seed,
    Sources,
    Style,
    Testset,
    TestsetFormat,
    Threads,
)
from tercet.errors import InputError

_EXAMPLE = """\
For example:

  tercet score hyp.txt -r ref.txt
  tercet score base.txt new.txt -r ref.a.txt -r ref.b.txt -m bleu -m chrf++ --ci --paired bootstrap
  tercet score --testset campaign.tsv.gz -m "bleu(tokenize=intl)" -f json
  tercet score a.txt b.txt -r ref.txt --table "medical(language=cs)" -f latex
  cat hyp.txt | tercet score - -r ref.txt

tercet score --help explains every option.
"""
_SUFFIXES = (".gz", ".txt", ".sgm", ".sgml", ".xml")


def score_command(
    hypotheses: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HYP...",
            help="Translations, a file a system: FILE or NAME=FILE, - for standard input. "
            "A name given again is another run of that system.",
            show_default=False,
        ),
    ] = None,
    references: References = None,
    testset: Testset = None,
    testset_format: TestsetFormat = None,
    pair: FolderPair = None,
    sources: Sources = None,
    documents: Documents = None,
    num_refs: NumRefs = 1,
    metrics: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Metric spec; several times. Default: bleu, chrf, ter."),
    ] = None,
    level: Annotated[
        Literal["corpus", "document", "segment"], typer.Option("--level", help="What gets a score.")
    ] = "corpus",
    ci: Annotated[bool, typer.Option("--ci", help="95 % bootstrap intervals.")] = False,
    paired: Annotated[
        Literal["bootstrap", "randomization"] | None,
        typer.Option("--paired", help="Test every system against the baseline."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Name of the baseline; the first system otherwise.")
    ] = None,
    samples: Annotated[int, typer.Option("--samples", help="Bootstrap resamples.")] = 1000,
    trials: Annotated[int, typer.Option("--trials", help="Trials of the randomisation test.")] = 10_000,
    seed: Seed = 12345,
    unit: Annotated[
        Literal["segment", "document"], typer.Option("--unit", help="What is drawn or exchanged.")
    ] = "segment",
    correction: Annotated[
        Literal["none", "holm"],
        typer.Option("--correction", help="Adjust p-values for the number of systems."),
    ] = "none",
    compat: Annotated[
        bool,
        typer.Option("--compat", help="sacreBLEU's intervals and p-values to the last digit, quirks included."),
    ] = False,
    threads: Threads = None,
    table: Annotated[
        str | None,
        typer.Option("--table", help="Metrics and layout of a table that a task published, with intervals: medical."),
    ] = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Score translations with automatic metrics, with intervals and paired tests."""
    if not hypotheses and testset is None:
        typer.echo(_EXAMPLE, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_folder
    from tercet.report import scores_table
    from tercet.report.medical import TABLES
    from tercet.scoring import DEFAULT_METRICS, score

    layout = None if table is None else TABLES.make(table)
    if layout is not None and metrics:
        raise InputError(f"The table {layout} has metrics of its own.", hint="Leave out -m, or leave out --table.")
    require_folder(output)
    with progress_bar() as progress:
        scores = score(
            name_systems(hypotheses) if hypotheses else None,
            references,
            testset=testset,
            testset_format=testset_format,
            pair=pair,
            sources=sources,
            documents=documents,
            num_refs=num_refs,
            metrics=metrics or (DEFAULT_METRICS if layout is None else layout.metrics()),
            level=level,
            ci=ci or layout is not None,
            paired=paired,
            baseline=baseline,
            samples=samples,
            trials=trials,
            seed=seed,
            unit=unit,
            correction=correction,
            compat=compat,
            threads=threads,
            progress=progress,
        )
    shown = scores_table(scores) if layout is None else layout.table(scores)
    deliver(scores.as_records(), scores.signature, shown, style, output)


def name_systems(arguments: list[str], suffixes: Sequence[str] = _SUFFIXES) -> dict[str, pathlib.Path]:
    """Names of systems from the command line: what stands before =, or the file's name without its suffix.

    >>> name_systems(["base=a.txt", "base=b.txt", "out/new.txt"])
    {'base#1': PosixPath('a.txt'), 'base#2': PosixPath('b.txt'), 'new': PosixPath('out/new.txt')}
    """
    named: dict[str, list[pathlib.Path]] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not equals or not file or pathlib.Path(argument).exists():
            file, name = argument, _stem(argument, suffixes)
            if pathlib.Path(file) in named.get(name, []) or argument in named:
                raise InputError(f"{argument} is named twice.", hint="Leave it out, or write NAME=FILE for a run.")
            if name in named:
                name = argument  # two files of one name in two folders: their paths tell them apart
        named.setdefault(name, []).append(pathlib.Path(file))
    out = {}
    for name, files in named.items():
        for run, path in enumerate(files, 1):
            out[name if len(files) == 1 else f"{name}#{run}"] = path
    return out


def _stem(file: str, suffixes: Sequence[str]) -> str:
    name = pathlib.Path(file).name
    for suffix in suffixes:
        name = name.removesuffix(suffix)
    return "stdin" if file == "-" else name.replace("#", "_") or file  # a # would make it a run
