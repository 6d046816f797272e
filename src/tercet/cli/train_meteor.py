"""`tercet train function-words` and `tercet train paraphrases`: METEOR's files for a language that it has none for."""

from __future__ import annotations

import dataclasses
import pathlib

from tercet.cli.command import Given, command
from tercet.cli.shared import Product
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.training import FunctionWordsOptions, ParaphrasesOptions

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


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownWords(Product):
    """Where the list goes."""

    made, like = "a list of words", "hindi.words"


@command(FunctionWordsOptions, ShownWords, example=_WORDS)
def words_command(given: Given, shown: ShownWords) -> None:
    """Learn the function words of a language: those that make up much of a corpus."""
    from tercet.cli.output import emit
    from tercet.metrics.meteor.learn import train_function_words

    emit("".join(f"{word}\n" for word in train_function_words(**given)), shown.path)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownParaphrases(Product):
    """Where a table of paraphrases goes."""

    made, like = "a table of paraphrases", "hindi.gz"

    output: pathlib.Path | None = setting(None, "File for the paraphrases; packed if it ends in .gz.", "-o", "--output")


@command(ParaphrasesOptions, ShownParaphrases, example=_PARAPHRASES)
def paraphrases_command(given: Given, shown: ShownParaphrases) -> None:
    """Find paraphrases by pivoting: phrases that are translations of the same foreign phrases."""
    from tercet.cli.output import warn
    from tercet.metrics.meteor.learn import train_paraphrases, write_paraphrases

    if shown.path is None:
        raise InputError("There is no file for the paraphrases.", hint="Name it with -o, as -o paraphrases.gz")
    paraphrases = train_paraphrases(**given)
    write_paraphrases(shown.path, paraphrases)
    warn(f"{len(paraphrases)} paraphrases in {shown.path}")
