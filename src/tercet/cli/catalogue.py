"""`tercet list` and `tercet show`: what is registered, and the card of one thing."""

from __future__ import annotations

from tercet.cli.command import Given, command
from tercet.cli.shared import Delivery
from tercet.options.studies import ListOptions, ShowOptions
from tercet.version import version

_SHOW = """\
For example:

  tercet show chrf
  tercet show 'bleu(tokenize=intl)'

tercet list names them all.
"""


@command(ListOptions, Delivery)
def list_command(given: Given, shown: Delivery) -> None:
    """List every metric, alias, ranker, tokenizer and file format."""
    from tercet.catalogue import list as everything

    _print(everything(**given), ("kind", "name", "what"), "list", shown)


@command(ShowOptions, Delivery, example=_SHOW)
def show_command(given: Given, shown: Delivery) -> None:
    """Show one metric, ranker or tokenizer: definition, paper, scale, options, known differences."""
    from tercet.catalogue import show

    _print(show(**given), ("field", "value"), "show", shown)


def _print(records: list[dict[str, str]], columns: tuple[str, ...], verb: str, shown: Delivery) -> None:
    from tercet.cli.output import deliver, emit_paragraphs
    from tercet.data.table import Table

    table = Table(columns, tuple(tuple(r[c] for c in columns) for r in records))
    if shown.form == "table":
        emit_paragraphs(table, shown.path)
    else:
        deliver(records, f"{verb}|tercet:{version()}", [table], shown)
