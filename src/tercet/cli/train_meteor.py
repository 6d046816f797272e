"""`tercet train function-words` and `tercet train paraphrases`: METEOR's files for a language that it has none for."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

_WORDS = """\
For example:

  tercet train function-words corpus.hi -o hindi.words
  tercet score hyp.hi -r ref.hi -m "meteor(language=other, normalize=lower, function_words=hindi.words)"

tercet train function-words --help explains every option.
"""
_PARAPHRASES = """\
For example:

  tercet train paraphrases phrase-table.gz --common hindi.words -o hindi.gz
  tercet score hyp.hi -r ref.hi -m "meteor(language=other, task=universal, normalize=lower, paraphrases=hindi.gz)"

tercet train paraphrases --help explains every option.
"""


def words_command(
    corpus: Annotated[
        list[pathlib.Path] | None,
        typer.Argument(metavar="CORPUS...", help="Text of the language, packed or not.", show_default=False),
    ] = None,
    output: Annotated[pathlib.Path | None, typer.Option("-o", "--output", help="File for the list.")] = None,
    threshold: Annotated[
        float, typer.Option("--threshold", help="Share of the corpus above which a word is a function word.")
    ] = 1e-3,
    tokenize: Annotated[
        str, typer.Option("--tokenize", help="Tokenizer: see tercet list.")
    ] = "meteor(language=other, normalize=lower)",
) -> None:
    """Learn the function words of a language: those that make up much of a corpus."""
    if not corpus:
        typer.echo(_WORDS, nl=False)
        return
    import itertools

    from tercet.cli.output import emit, require_folder
    from tercet.formats import lines
    from tercet.metrics.meteor.learn import learn_function_words

    require_folder(output)
    text = itertools.chain.from_iterable(itertools.chain.from_iterable(lines.blocks(path)) for path in corpus)
    found = learn_function_words(text, threshold, tokenize)
    emit("".join(f"{word}\n" for word in found), output)


def paraphrases_command(
    table: Annotated[
        pathlib.Path | None,
        typer.Argument(
            metavar="TABLE", help="Phrase table of Moses: foreign ||| phrase ||| scores.", show_default=False
        ),
    ] = None,
    output: Annotated[
        pathlib.Path | None, typer.Option("-o", "--output", help="File for the paraphrases; packed if it ends in .gz.")
    ] = None,
    common: Annotated[
        pathlib.Path | None, typer.Option("--common", help="Function words of the language, one a line.")
    ] = None,
    common_foreign: Annotated[
        pathlib.Path | None, typer.Option("--common-foreign", help="Function words of the foreign language.")
    ] = None,
    least: Annotated[float, typer.Option("--least", help="Leave out paraphrases below this probability.")] = 0.01,
    least_translation: Annotated[
        float, typer.Option("--least-translation", help="Leave out translations below this probability.")
    ] = 0.001,
) -> None:
    """Find paraphrases by pivoting: phrases that are translations of the same foreign phrases."""
    if table is None:
        typer.echo(_PARAPHRASES, nl=False)
        return
    from tercet.cli.output import require_folder
    from tercet.errors import InputError
    from tercet.metrics.meteor.learn import pivot_paraphrases, write_paraphrases
    from tercet.metrics.meteor.resources import function_words

    if output is None:
        raise InputError("There is no file for the paraphrases.", hint="Name it with -o, as -o paraphrases.gz")
    require_folder(output)
    words, foreign = (function_words(None if path is None else str(path)) for path in (common, common_foreign))
    found = pivot_paraphrases(
        table, common=words, common_foreign=foreign, least=least, least_translation=least_translation
    )
    write_paraphrases(output, found)
    typer.echo(f"{len(found)} paraphrases in {output}", err=True)
