"""`tercet train ibm1`: where the table goes, and how its rounds are shown."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable
from typing import Any

from tercet.cli.command import Given, command
from tercet.cli.shared import Digits, Product, Styled
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.training import Ibm1Options

_EXAMPLE = """\
For example:

  tercet train ibm1 corpus.de corpus.en -o de-en.ibm1.gz
  tercet score hyp.en -s src.de -m "ibm1(table=de-en.ibm1.gz)"

tercet train ibm1 --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownLexicon(Product, Digits):
    """Where what was counted goes, and how its rounds are shown."""

    output: pathlib.Path | None = setting(None, "File for it; packed if it ends in .gz.", "-o", "--output")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownTable(ShownLexicon):
    """Where a table of word translations goes."""

    made, like = "a table of translations", "de-en.ibm1.gz"


def train_and_show(
    train: Callable[..., Any], table: Callable[[Any, int | None], Any], given: Given, shown: ShownLexicon, missing: str
) -> None:
    """Train, write the file, and show what came out; `missing` is said where there is no name for the file."""
    from tercet.cli.output import deliver, progress_bar

    if shown.path is None:
        raise InputError(missing, hint="Name it with -o.")
    with progress_bar() as progress:
        training = train(**given, progress=progress)
        training.write(shown.path)
    shown_table = table(training, shown.digits)
    deliver(training.as_records(), training.signature, [shown_table], Styled(style=shown.style), training.notes)


@command(Ibm1Options, ShownTable, example=_EXAMPLE)
def ibm1_command(given: Given, shown: ShownTable) -> None:
    """Train the table of `ibm1` on parallel text: p(target word | source word) by EM."""
    from tercet.learning.ibm1 import train_ibm1
    from tercet.report.lexicon import rounds_table

    train_and_show(train_ibm1, rounds_table, given, shown, "There is no file for the table.")
