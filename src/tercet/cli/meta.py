"""`tercet meta`: the options of the function, spelt for a shell."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tercet.cli.shared import (
    Digits,
    Gold,
    Judged,
    JudgementsFormat,
    JudgementUnit,
    Names,
    OnSkip,
    Output,
    Pair,
    Seed,
    Style,
    Threads,
    Without,
    WithReferences,
    mapped,
)
from tercet.errors import InputError

if TYPE_CHECKING:
    from tercet.data import MetaEvaluation

_META = """\
For example:

  tercet meta --testset newstest.tsv --judgements rankings.csv -m bleu -m chrf -m ter
  tercet meta --testset newstest.tsv --judgements rankings.csv -m chrf --level segment
  tercet meta --scores scores.tsv --human HUMAN --measure pearson --measure accuracy --test williams
  tercet meta --testset newstest.tsv --judgements rankings.csv -m "chrf(beta=3)" --among wmt15

tercet meta --help explains every option.
"""

Plot = Literal["scatter", "top-n", "significance", "calibration"]
Interval = Literal["auto", "none", "judgements", "systems", "items", "both", "fisher"]
Test = Literal[
    "auto",
    "none",
    "williams",
    "perm-both",
    "perm-system",
    "perm-item",
    "boot-both",
    "boot-system",
    "boot-item",
    "judgements",
    "overlap",
    "hybrids",
]


def meta_command(
    testset: Annotated[
        pathlib.Path | None, typer.Option("-t", "--testset", help="Test set, whose texts are scored on the way.")
    ] = None,
    judgements: Annotated[pathlib.Path | None, typer.Option("-j", "--judgements", help="File of judgements.")] = None,
    scores: Annotated[
        list[pathlib.Path] | None, typer.Option("--scores", help="File or folder of scores instead of texts; several.")
    ] = None,
    human: Annotated[
        str | None, typer.Option("--human", help="People's scores: a file, or their name among the scores (HUMAN).")
    ] = None,
    metrics: Annotated[list[str] | None, typer.Option("-m", "--metric", help="Metric, [NAME=]SPEC; several.")] = None,
    level: Annotated[Literal["system", "document", "segment"], typer.Option("--level", help="Of what.")] = "system",
    measures: Annotated[
        list[str] | None, typer.Option("--measure", help="Measure of agreement; several. See tercet list.")
    ] = None,
    gold: Gold = None,
    testset_format: Annotated[str | None, typer.Option("--testset-format", help="Format of the test set.")] = None,
    judgements_format: JudgementsFormat = None,
    scores_format: Annotated[str | None, typer.Option("--scores-format", help="Format of the scores.")] = None,
    pair: Pair = None,
    names: Names = None,
    lower: Annotated[
        list[str] | None, typer.Option("--lower", help="Metric of the files for which lower is better; several.")
    ] = None,
    without: Without = None,
    references: WithReferences = False,
    on_skip: OnSkip = "task",
    judged: Judged = 1.0,
    interval: Annotated[Interval, typer.Option("--interval", help="What is drawn for 95 % intervals.")] = "auto",
    samples: Annotated[int, typer.Option("--samples", help="Resamples for intervals, or runs of TrueSkill.")] = 1000,
    unit: JudgementUnit = None,
    test: Annotated[Test, typer.Option("--test", help="Test of every two metrics.")] = "auto",
    draws: Annotated[
        int | None,
        typer.Option(
            "--draws", help="Permutations, resamples or hybrids of that test: 1000, or 10 000 hybrids if none."
        ),
    ] = None,
    alpha: Annotated[float, typer.Option("--alpha", help="Its level.")] = 0.05,
    correction: Annotated[
        Literal["none", "holm"], typer.Option("--correction", help="For the number of tests.")
    ] = "none",
    seed: Seed = 12345,
    threads: Threads = None,
    among: Annotated[
        str | None, typer.Option("--among", help="Show the metrics in a published table: wmt14 or wmt15.")
    ] = None,
    show: Annotated[
        Literal["agreement", "tests", "top-n"],
        typer.Option("--show", help="Agreement, p-values of every two metrics, or agreement among the best N."),
    ] = "agreement",
    figure: Annotated[
        pathlib.Path | None, typer.Option("--figure", help="Draw it, too: a file that ends in .svg, .pdf or .png.")
    ] = None,
    plot: Annotated[
        Plot,
        typer.Option("--plot", help="What to draw."),
    ] = "scatter",
    write_scores: Annotated[
        pathlib.Path | None, typer.Option("--write-scores", help="Write the metrics' scores of this level, too.")
    ] = None,
    digits: Digits = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Which metric to trust: agreement of metrics with people, how sure it is, and whether it holds among the best."""
    if testset is None and not scores:
        typer.echo(_META, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_figure, require_folder
    from tercet.meta.evaluation import meta
    from tercet.report.meta import (
        among_records,
        among_tables,
        curve_records,
        curves_table,
        meta_table,
        p_records,
        p_table,
    )
    from tercet.scoring import DEFAULT_METRICS

    require_folder(output)
    require_folder(write_scores)
    require_figure(figure)
    with progress_bar() as progress:
        found = meta(
            testset=testset,
            judgements=judgements,
            scores=scores or None,
            human=human,
            metrics=named_specs(metrics) or DEFAULT_METRICS,
            level=level,
            measures=measures,
            gold=gold,
            testset_format=testset_format,
            judgements_format=judgements_format,
            scores_format=scores_format,
            pair=pair,
            names=mapped(names),
            lower=lower or (),
            without=without or (),
            references=references,
            on_skip=on_skip,
            judged=judged,
            interval=interval,
            samples=samples,
            unit=unit,
            test=test,
            draws=draws,
            alpha=alpha,
            correction=correction,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    if among is not None:
        records, tables = among_records(found, among), among_tables(found, among)
    elif show == "tests":
        records, tables = p_records(found.tests), [p_table(tests, digits) for tests in found.tests]
    elif show == "top-n":
        records = curve_records(found.curves)
        tables = [curves_table(found.curves, digits)] if found.curves else []
    else:
        records, tables = found.as_records(), [meta_table(found, digits)]
    if tables and among is None and show != "agreement":
        tables[-1] = dataclasses.replace(tables[-1], notes=(*tables[-1].notes, *found.notes, found.signature))
    if not tables:
        raise InputError(f"There is nothing to show as {show}.", hint="Leave out --show, or choose a test or level.")
    if write_scores is not None:
        from tercet.formats import write_scores as to_file

        # "newstest2015" of newstest2015.de-en.tsv.gz; a submission must name its test set
        called = (testset or (scores or [write_scores])[0]).name.partition(".")[0]
        # a directory of mt-metrics-eval says what a metric compares with; files of scores have it in their names
        reference = "refA" if testset is not None and write_scores.is_dir() else None
        to_file(found.scores, write_scores, pair=pair, testset=called, reference=reference)
    if figure is not None:
        draw(found, plot, figure)
    deliver(records, found.signature, tables[0], style, output, found.notes, tables[1:])


def draw(found: MetaEvaluation, plot: Plot, path: pathlib.Path) -> None:
    """One figure of the result: of the first direction, and for a scatter or calibration of the best metric."""
    from tercet.plots import draw_calibration, draw_scatter, draw_significance, draw_top_n

    if plot == "scatter" and found.scatters:
        draw_scatter(max(found.scatters, key=lambda s: s.agreement if s.agreement == s.agreement else -2), path)
    elif plot == "top-n" and found.curves:
        draw_top_n([c for c in found.curves if c.direction == found.curves[0].direction], path)
    elif plot == "significance" and found.tests:
        draw_significance(found.tests[0], path)
    elif plot == "calibration" and found.calibrations:
        draw_calibration(found.calibrations[0], path)
    else:
        raise InputError(f"There is no {plot} to draw.", hint="Scatter and top-n need systems, calibration acc-eq.")


def named_specs(given: list[str] | None) -> dict[str, str] | None:
    """NAME=SPEC or SPEC, several times; a "=" inside brackets belongs to the spec.

    >>> named_specs(["chrF3=chrf(beta=3)", "bleu(tokenize=intl)"])
    {'chrF3': 'chrf(beta=3)', 'bleu(tokenize=intl)': 'bleu(tokenize=intl)'}
    """
    from tercet.metrics import METRICS

    found: dict[str, str] = {}
    for each in given or ():
        before, equals, after = each.partition("=")
        name, spec = (before, after) if equals and "(" not in before else (str(METRICS.make(each)), each)
        if not name or not spec:
            raise InputError(f"{each!r} names no metric.", hint="Write -m chrf, or -m NAME=SPEC.")
        if name in found:
            raise InputError(f"The metric {name} is named twice.", hint="Give one of them another name: -m NAME=SPEC.")
        found[name] = spec
    return found or None
