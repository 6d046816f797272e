"""`tercet list` and `tercet show`: what is registered, and the card of one thing."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from tercet.cli.shared import Output, Style


def list_command(style: Style = "table", output: Output = None) -> None:
    """List every metric, alias, ranker, tokenizer and file format."""
    from tercet import list as everything

    _print(everything(), ("kind", "name", "what"), "list", style, output)


def show_command(
    spec: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="A metric, a ranker or a tokenizer.", show_default=False)
    ] = None,
    style: Style = "table",
    output: Output = None,
) -> None:
    """Show one metric, ranker or tokenizer: definition, paper, scale, options, known differences."""
    if spec is None:
        typer.echo(
            "For example:\n\n  tercet show chrf\n  tercet show 'bleu(tokenize=intl)'\n\ntercet list names them all."
        )
        return
    from tercet import show

    _print(show(spec), ("field", "value"), "show", style, output)


def _print(
    records: list[dict[str, str]],
    columns: tuple[str, ...],
    verb: str,
    style: str,
    output: pathlib.Path | None,
) -> None:
    from importlib.metadata import version

    from tercet.cli.output import emit, paragraphs
    from tercet.report import Table, render, render_records

    if style in ("json", "jsonl", "csv", "tsv"):
        text = render_records(records, f"{verb}|tercet:{version('tercet')}", style)  # type: ignore[arg-type]
    elif style == "table":
        text = paragraphs(records, columns)
    else:
        table = Table(columns, tuple(tuple(r[c] for c in columns) for r in records))
        text = render(table, style)  # type: ignore[arg-type]
    emit(text, output)
