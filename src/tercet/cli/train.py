"""`tercet train`: one command for each thing that is trained. To add one, write its module and its line below."""

from __future__ import annotations

from collections.abc import Callable

import typer

from tercet.cli.train_ibm1 import ibm1_command
from tercet.cli.train_meteor import paraphrases_command, words_command
from tercet.cli.train_metrics import beer_command, combine_command

TRAINERS: dict[str, Callable[..., None]] = {
    "beer": beer_command,
    "combine": combine_command,
    "ibm1": ibm1_command,
    "function-words": words_command,
    "paraphrases": paraphrases_command,
}

_TRAIN = """\
What is to be trained?

  tercet train beer -t newstest.tsv -j rankings.csv --model beer.json       the weights of BEER
  tercet train combine -m chrf -m ter -t newstest.tsv -j rankings.csv --model ours.json
                                                                            a combination of metrics
  tercet train ibm1 corpus.de corpus.en -o de-en.ibm1.gz                    word translations, for `ibm1`
  tercet train function-words corpus.hi -o hindi.words                      words that METEOR counts for less
  tercet train paraphrases phrase-table.gz -o hindi.gz                      phrases that METEOR may match

tercet train WHAT --help explains one.
"""


def train_app(guarded: Callable[[Callable[..., None]], Callable[..., None]]) -> typer.Typer:
    """The commands, each guarded as all verbs are."""
    app = typer.Typer(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})

    @app.callback(invoke_without_command=True)
    def _root(context: typer.Context) -> None:
        """Train what a metric is given by option: weights, a combination, a table of words."""
        if context.invoked_subcommand is None:
            typer.echo(_TRAIN, nl=False)

    for name, command in TRAINERS.items():
        app.command(name)(guarded(command))
    return app
