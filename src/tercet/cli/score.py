"""`tercet score`: the options of `tercet.score`, spelt for a shell."""

from __future__ import annotations

import pathlib
from typing import Annotated, Literal

import typer

from tercet.cli.shared import Output, Seed, Style, Threads
from tercet.errors import InputError

_EXAMPLE = """\
For example:

  tercet score hyp.txt -r ref.txt
  tercet score base.txt new.txt -r ref.a.txt -r ref.b.txt -m bleu -m chrf++ --ci --paired bootstrap
  tercet score --testset campaign.tsv.gz -m "bleu(tokenize=intl)" -f json
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
    references: Annotated[
        list[pathlib.Path] | None,
        typer.Option("-r", "--reference", help="Reference file; several for several references."),
    ] = None,
    testset: Annotated[
        pathlib.Path | None,
        typer.Option("-t", "--testset", help="Instead: one table (TSV, Parquet), XML file or mt-metrics-eval folder."),
    ] = None,
    testset_format: Annotated[
        str | None, typer.Option("--testset-format", help="Its format, where the name does not tell: see tercet list.")
    ] = None,
    pair: Annotated[str | None, typer.Option("--pair", help="Language pair, where a folder has several.")] = None,
    sources: Annotated[pathlib.Path | None, typer.Option("-s", "--source", help="Source file.")] = None,
    documents: Annotated[
        pathlib.Path | None, typer.Option("--documents", help="File with the document of each segment.")
    ] = None,
    num_refs: Annotated[
        int, typer.Option("--num-refs", help="References a line of the file holds, separated by tabs.")
    ] = 1,
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
    style: Style = "table",
    output: Output = None,
) -> None:
    """Score translations with automatic metrics, with intervals and paired tests."""
    if not hypotheses and testset is None:
        typer.echo(_EXAMPLE, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_folder
    from tercet.report import scores_table
    from tercet.scoring import DEFAULT_METRICS, score

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
            metrics=metrics or DEFAULT_METRICS,
            level=level,
            ci=ci,
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
    deliver(scores.as_records(), scores.signature, scores_table(scores), style, output)


def name_systems(arguments: list[str]) -> dict[str, pathlib.Path]:
    """Names of systems from the command line: what stands before =, or the file's name without its suffix.

    >>> name_systems(["base=a.txt", "base=b.txt", "out/new.txt"])
    {'base#1': PosixPath('a.txt'), 'base#2': PosixPath('b.txt'), 'new': PosixPath('out/new.txt')}
    """
    named: dict[str, list[pathlib.Path]] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not equals or not file or pathlib.Path(argument).exists():
            file, name = argument, _stem(argument)
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


def _stem(file: str) -> str:
    name = pathlib.Path(file).name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return "stdin" if file == "-" else name.replace("#", "_") or file  # a # would make it a run
