"""Options that several verbs have, spelt once."""

from __future__ import annotations

import pathlib
from typing import Annotated, Literal

import typer

from tercet.errors import InputError

Style = Annotated[
    Literal["table", "json", "jsonl", "csv", "tsv", "markdown", "latex"],
    typer.Option("-f", "--format", help="Output format."),
]
Output = Annotated[pathlib.Path | None, typer.Option("-o", "--output", help="Write to this file.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Threads; all cores otherwise.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the draws.")]
JudgementsFile = Annotated[
    pathlib.Path | None,
    typer.Argument(metavar="JUDGEMENTS", help="File of judgements, - for standard input.", show_default=False),
]
JudgementsFormat = Annotated[
    str | None,
    typer.Option("--judgements-format", help="Its format, where it cannot be told: see tercet list."),
]
Pair = Annotated[str | None, typer.Option("--pair", help="Language pair, where the file has several.")]
Digits = Annotated[int | None, typer.Option("--digits", min=0, max=17, help="Digits after the point in tables.")]


Figure = Annotated[
    pathlib.Path | None,
    typer.Option("--figure", help="Draw it, too: a file that ends in .svg, .pdf or .png."),
]
_SKIP = typer.Option("--on-skip", help="What an output without a rank takes with it.")
OnSkip = Annotated[Literal["task", "pair"], _SKIP]

References = Annotated[
    list[pathlib.Path] | None, typer.Option("-r", "--reference", help="Reference file; several for several references.")
]
Testset = Annotated[
    pathlib.Path | None,
    typer.Option("-t", "--testset", help="Instead: one table (TSV, Parquet), XML file or mt-metrics-eval folder."),
]
TestsetFormat = Annotated[
    str | None, typer.Option("--testset-format", help="Its format, where the name does not tell: see tercet list.")
]
FolderPair = Annotated[str | None, typer.Option("--pair", help="Language pair, where a folder has several.")]
Sources = Annotated[pathlib.Path | None, typer.Option("-s", "--source", help="Source file.")]
Documents = Annotated[pathlib.Path | None, typer.Option("--documents", help="File with the document of each segment.")]
NumRefs = Annotated[int, typer.Option("--num-refs", help="References a line of the file holds, separated by tabs.")]
Names = Annotated[list[str] | None, typer.Option("--name", help="JUDGED=SYSTEM: another name for a system; several.")]
Without = Annotated[list[str] | None, typer.Option("--without", help="System to leave out; several.")]
WithReferences = Annotated[bool, typer.Option("--references", help="References among the systems take part.")]
Judged = Annotated[
    float, typer.Option("--judged", min=0, max=1, help="Share of a document that must have been judged.")
]
Gold = Annotated[
    str | None, typer.Option("--gold", help="How judgements become scores (a ranker) or comparisons (pairs, darr).")
]
JudgementUnit = Annotated[
    Literal["pair", "task", "segment"] | None, typer.Option("--unit", help="What one draw of judgements is.")
]
TestsetPairs = Annotated[
    list[str] | None, typer.Option("--pair", help="Language pair of each test set, where files have several.")
]
Folds = Annotated[int, typer.Option("--folds", help="Parts of the segments that are held out in turn.")]
TestsetsFormat = Annotated[str | None, typer.Option("--testset-format", help="Format of the test sets.")]
PeopleFormat = Annotated[str | None, typer.Option("--scores-format", help="Format of people's scores.")]


def mapped(pairs: list[str] | None) -> dict[str, str] | None:
    """NAME=OTHER, several times, as a map.

    >>> mapped(["a.1=a", "b=B"])
    {'a.1': 'a', 'b': 'B'}
    """
    found = {}
    for each in pairs or ():
        old, equals, new = each.partition("=")
        if not equals or not old or not new:
            raise InputError(f"{each!r} is no map of names.", hint="Write --name JUDGED=SYSTEM.")
        if old in found:
            raise InputError(f"{old} is mapped twice.", hint="Leave one of them out.")
        found[old] = new
    return found or None
