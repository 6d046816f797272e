"""`tercet compare`: the options of `tercet.compare`, spelt for a shell."""

from __future__ import annotations

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tercet.cli.shared import Documents, FolderPair, NumRefs, References, Seed, Sources, Testset, TestsetFormat, Threads
from tercet.errors import InputError

if TYPE_CHECKING:
    from tercet.data import Comparison

WORSE = 3  # exit status
_EXAMPLE = """\
For example:

  tercet compare base.txt new.txt -r ref.txt -s src.txt
  tercet compare base.txt new.txt -r ref.txt -s src.txt -o page.html
  tercet compare --testset campaign.tsv.gz --baseline mine -m bleu -m chrf -f markdown
  tercet compare new.txt -r ref.txt --baseline previous.json --fail-if-worse bleu -o now.json

tercet compare --help explains every option.
"""
Form = Literal["table", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"]
_BY_SUFFIX: dict[str, Form] = {
    "": "table",
    ".txt": "table",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tex": "latex",
}


def compare_command(
    hypotheses: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HYP...",
            help="Translations, a file a system: FILE or NAME=FILE, - for standard input. The first is the baseline.",
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
    facets: Annotated[
        list[str] | None,
        typer.Option("--facet", help="Column of the test set that is no system but cuts it in parts; several."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Metric spec; several times. Default: bleu, chrf, ter."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", help="Name of the baseline, or an earlier run: the file of -f json."),
    ] = None,
    paired: Annotated[
        Literal["bootstrap", "randomization"], typer.Option("--paired", help="Test of every two systems.")
    ] = "bootstrap",
    samples: Annotated[int, typer.Option("--samples", help="Bootstrap resamples.")] = 1000,
    trials: Annotated[int, typer.Option("--trials", help="Trials of the randomisation test.")] = 10_000,
    seed: Seed = 12345,
    unit: Annotated[
        Literal["segment", "document"], typer.Option("--unit", help="What is drawn or exchanged.")
    ] = "segment",
    correction: Annotated[
        Literal["none", "holm"],
        typer.Option("--correction", help="Adjust p-values for the number of pairs of systems."),
    ] = "none",
    corpus: Annotated[
        pathlib.Path | None,
        typer.Option("--corpus", help="Text in which frequencies of words are counted; the references otherwise."),
    ] = None,
    tokenize: Annotated[
        str | None,
        typer.Option("--tokenize", help="Tokenizer of what is counted in words. Default: intl, or zh without spaces."),
    ] = None,
    threads: Threads = None,
    fail_if_worse: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if-worse", metavar="METRIC", help="Exit with 3 if a system is significantly worse; several."
        ),
    ] = None,
    style: Annotated[
        Form | None,
        typer.Option("-f", "--format", help="Output format. Default: what the name of the output says, or table."),
    ] = None,
    output: Annotated[
        pathlib.Path | None,
        typer.Option(
            "-o", "--output", help="Write to this file; .html makes a page of it, .json, .md, .csv, ... what they say."
        ),
    ] = None,
) -> None:
    """Compare systems: who is better, by how much, where, and is it luck?"""
    if not hypotheses and testset is None:
        typer.echo(_EXAMPLE, nl=False)
        return
    from tercet.cli.output import progress_bar, require_folder
    from tercet.cli.score import name_systems
    from tercet.comparing.compare import compare
    from tercet.scoring import DEFAULT_METRICS

    require_folder(output)
    chosen = _style(style, output)
    watched = _watched(fail_if_worse, metrics or DEFAULT_METRICS)
    with progress_bar() as progress:
        found = compare(
            name_systems(hypotheses) if hypotheses else None,
            references,
            testset=testset,
            testset_format=testset_format,
            pair=pair,
            sources=sources,
            documents=documents,
            num_refs=num_refs,
            facets=facets,
            metrics=metrics or DEFAULT_METRICS,
            baseline=baseline,
            paired=paired,
            samples=samples,
            trials=trials,
            seed=seed,
            unit=unit,
            correction=correction,
            corpus=corpus,
            tokenize=tokenize,
            threads=threads,
            progress=progress,
        )
    _deliver(found, chosen, output)
    worse = _worse(found, watched)
    if worse:
        print(f"tercet: worse: {'; '.join(worse)}.", file=sys.stderr)  # noqa: T201
        raise SystemExit(WORSE)


def _style(style: Form | None, output: pathlib.Path | None) -> Form:
    """The format that is asked for, or that the name of the output says."""
    suffix = "" if output is None else output.suffix.lower()
    if style is None and suffix not in _BY_SUFFIX:
        known = ", ".join(filter(None, _BY_SUFFIX))
        raise InputError(f"{output}: no format is known by {suffix}.", hint=f"Use one of {known}, or name it with -f.")
    return style or _BY_SUFFIX[suffix]


def _watched(names: list[str] | None, metrics: tuple[str, ...] | list[str]) -> list[str]:
    """The metrics that must not fall, by their canonical names."""
    from tercet.metrics import METRICS

    known = [str(METRICS.make(m)) for m in metrics]
    wanted = [str(METRICS.make(name)) for name in names or ()]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"--fail-if-worse {name} is not among the metrics.", hint=f"Add -m {name}, or name {', '.join(known)}."
            )
    return wanted


def _worse(found: Comparison, metrics: list[str]) -> list[str]:
    """Systems that are significantly worse than their earlier run, or than the baseline."""
    pairs = [(t.system, t.earlier) for t in found.tracks] or [(name, found.baseline) for name in found.others]
    tests = [found.difference(metric, *pair) for metric in metrics for pair in pairs]
    return [
        f"{d.system} than {d.baseline} by {d.metric} ({d.difference:+.4g}, p = {d.p_value:.4f})"
        for d in tests
        if d.verdict == "worse"
    ]


def _deliver(found: Comparison, style: Form, output: pathlib.Path | None) -> None:
    from tercet.cli.output import deliver, emit, show_table
    from tercet.report import render
    from tercet.report.comparison import comparison_scores, markdown, terminal
    from tercet.report.scores import scores_table

    if style == "html":
        from tercet.report.html.compare import page

        emit(page(found), output)
    elif style == "json":
        import json

        emit(json.dumps(found.to_dict(), ensure_ascii=False) + "\n", output)
    elif style == "markdown":
        emit(markdown(found), output)
    elif style != "table":
        deliver(found.as_records(), found.signature, scores_table(comparison_scores(found)), style, output)
    elif output is not None:
        emit("\n".join(f"{p}\n" if isinstance(p, str) else render(p, "table") for p in terminal(found)), output)
    else:
        for i, part in enumerate(terminal(found)):
            emit("\n" if i else "", None)
            if isinstance(part, str):
                emit(f"{part}\n", None)
            else:
                show_table(part)
