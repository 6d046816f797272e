"""`tercet parse`: where the trees go, and how many there are."""

from __future__ import annotations

import dataclasses

from tercet.cli.command import Given, command
from tercet.cli.train_ibm1 import ShownLexicon, train_and_show
from tercet.options.parsing import ParseOptions

_EXAMPLE = """\
For example:

  tercet parse hyp.en ref.en -o trees.conllu
  tercet parse hyp.cs ref.cs --parser "spacy(model=cs_core_news_sm)" -o trees.conllu.gz
  tercet score hyp.en -r ref.en -m "verta(parses=trees.conllu)"

tercet parse --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownTrees(ShownLexicon):
    """Where trees go."""

    made, like = "a file of trees", "trees.conllu"


@command(ParseOptions, ShownTrees, example=_EXAMPLE)
def parse_command(given: Given, shown: ShownTrees) -> None:
    """Parse texts by an installed parser: trees for metrics that compare them, as a CoNLL-U file."""
    from tercet.parses.parse import parse
    from tercet.report.lexicon import trees_table

    train_and_show(parse, trees_table, given, shown, "There is no file for the trees.")
