"""`tercet train ibm1`: the options of `train_ibm1`, spelt for a shell."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from tercet.cli.shared import Digits, Style, Threads

_EXAMPLE = """\
For example:

  tercet train ibm1 corpus.de corpus.en -o de-en.ibm1.gz
  tercet score hyp.en -s src.de -m "ibm1(table=de-en.ibm1.gz)"

tercet train ibm1 --help explains every option.
"""


def ibm1_command(
    source: Annotated[
        pathlib.Path | None,
        typer.Argument(metavar="SOURCE", help="Source side of parallel text, a sentence a line.", show_default=False),
    ] = None,
    target: Annotated[
        pathlib.Path | None, typer.Argument(metavar="TARGET", help="Its target side.", show_default=False)
    ] = None,
    output: Annotated[
        pathlib.Path | None, typer.Option("-o", "--output", help="File for the table; packed if it ends in .gz.")
    ] = None,
    iterations: Annotated[int, typer.Option("--iterations", help="Rounds of EM.")] = 5,
    empty_word: Annotated[
        bool, typer.Option("--empty-word/--no-empty-word", help="Whether each source sentence has the empty word.")
    ] = True,
    tokenize: Annotated[str, typer.Option("--tokenize", help="Tokenizer of both sides: see tercet list.")] = "13a",
    lowercase: Annotated[bool, typer.Option("--lowercase/--no-lowercase", help="Lower-case both sides.")] = True,
    max_length: Annotated[int, typer.Option("--max-length", help="Words of the longest sentence that counts.")] = 100,
    prune: Annotated[float, typer.Option("--prune", help="Leave out entries below this probability.")] = 1e-4,
    threads: Threads = None,
    digits: Digits = None,
    style: Style = "table",
) -> None:
    """Train the table of `ibm1` on parallel text: p(target word | source word) by EM."""
    if source is None or target is None:
        typer.echo(_EXAMPLE, nl=False)
        return
    from tercet.cli.output import deliver, progress_bar, require_folder
    from tercet.errors import InputError
    from tercet.learning.ibm1 import train_ibm1
    from tercet.report.lexicon import rounds_table

    if output is None:
        raise InputError("There is no file for the table.", hint="Name it with -o, as -o de-en.ibm1.gz")
    require_folder(output)
    with progress_bar() as progress:
        found = train_ibm1(
            source,
            target,
            iterations=iterations,
            empty_word=empty_word,
            tokenize=tokenize,
            lowercase=lowercase,
            max_length=max_length,
            prune=prune,
            threads=threads,
            progress=progress,
        )
        found.write(output)
    deliver(found.as_records(), found.signature, rounds_table(found, digits), style, None, found.notes)
