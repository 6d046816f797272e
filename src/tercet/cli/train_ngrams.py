"""`tercet train lm` and `tercet train frequencies`: where the files go, and how what was counted is shown."""

from __future__ import annotations

import dataclasses

from tercet.cli.command import Given, command
from tercet.cli.train_ibm1 import ShownLexicon, train_and_show
from tercet.options.training import FrequenciesOptions, LmOptions

_LM = """\
For example:

  tercet train lm corpus.en -o english.arpa.gz
  tercet score hyp.en -m "lm(model=english.arpa.gz)"

tercet train lm --help explains every option.
"""
_FREQUENCIES = """\
For example:

  tercet train frequencies corpus.de -o german.freq.gz
  tercet qe train --source src.de --target hyp.en --labels scores.txt --frequencies german.freq.gz -o model

tercet train frequencies --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownModel(ShownLexicon):
    """Where a language model goes."""

    made, like = "a language model", "english.arpa.gz"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownFrequencies(ShownLexicon):
    """Where frequencies of n-grams go."""

    made, like = "a list of frequencies", "german.freq.gz"


@command(LmOptions, ShownModel, example=_LM)
def lm_command(given: Given, shown: ShownModel) -> None:
    """Train an n-gram language model: interpolated modified Kneser-Ney, as an ARPA file."""
    from tercet.learning.ngrams import train_lm
    from tercet.report.lexicon import orders_table

    train_and_show(train_lm, orders_table, given, shown, "There is no file for the model.")


@command(FrequenciesOptions, ShownFrequencies, example=_FREQUENCIES)
def frequencies_command(given: Given, shown: ShownFrequencies) -> None:
    """Count n-grams of a corpus, with the cut-offs between quartiles of their frequencies."""
    from tercet.learning.ngrams import train_frequencies
    from tercet.report.lexicon import cutoffs_table

    train_and_show(train_frequencies, cutoffs_table, given, shown, "There is no file for the frequencies.")
