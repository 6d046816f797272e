"""`tercet list` and `tercet show`: what is registered, and the card of one thing."""

from __future__ import annotations

import pathlib
from typing import Annotated, Literal

import typer

_Style = Annotated[
    Literal["table", "json", "jsonl", "csv", "tsv", "markdown", "latex"],
    typer.Option("-f", "--format", help="Output format."),
]
_Output = Annotated[pathlib.Path | None, typer.Option("-o", "--output", help="Write to this file.")]


def list_command(style: _Style = "table", output: _Output = None) -> None:
    """List every metric, alias, tokenizer and file format."""
    from tercet import list as everything

    _print(everything(), ("kind", "name", "what"), "list", style, output)


def show_command(
    spec: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="A metric or a tokenizer.", show_default=False)
    ] = None,
    style: _Style = "table",
    output: _Output = None,
) -> None:
    """Show one metric or tokenizer: definition, paper, scale, options, known differences."""
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

    from tercet.cli.output import emit
    from tercet.report import Table, render, render_records

    if style in ("json", "jsonl", "csv", "tsv"):
        text = render_records(records, f"{verb}|tercet:{version('tercet')}", style)  # type: ignore[arg-type]
    elif style == "table":
        text = _paragraphs(records, columns)
    else:
        table = Table(columns, tuple(tuple(r[c] for c in columns) for r in records))
        text = render(table, style)  # type: ignore[arg-type]
    emit(text, output)


def _paragraphs(records: list[dict[str, str]], columns: tuple[str, ...]) -> str:
    """Left-aligned columns whose last one is wrapped to the terminal."""
    import shutil
    import textwrap

    from rich.cells import cell_len

    *heads, last = columns
    widths = [max(cell_len(r[c]) for r in records) + 2 for c in heads]
    indent = sum(widths)
    room = max(30, min(shutil.get_terminal_size((100, 24)).columns, 110) - indent)
    lines = []
    for r in records:
        head = "".join(r[c] + " " * (w - cell_len(r[c])) for c, w in zip(heads, widths, strict=True))
        body = textwrap.wrap(r[last], room) or [""]
        lines += [head + body[0], *(" " * indent + rest for rest in body[1:])]
    return "\n".join(line.rstrip() for line in lines) + "\n"
