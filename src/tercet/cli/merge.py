"""`tercet merge`: one answer from shards, shown as `tercet score` shows it."""

from __future__ import annotations

from tercet.cli.command import Given, command
from tercet.cli.score import ScoreTables, show_scores
from tercet.options.scoring import MergeOptions

_EXAMPLE = """\
For example:

  tercet score huge.txt -r ref.txt -m bleu --shard 1/2 -o 1.part
  tercet score huge.txt -r ref.txt -m bleu --shard 2/2 -o 2.part
  tercet merge 1.part 2.part

tercet merge --help explains every option.
"""


@command(MergeOptions, ScoreTables, example=_EXAMPLE)
def merge_command(given: Given, shown: ScoreTables) -> None:
    """Put the shards of one score together: the answer of a single run, to the last byte."""
    from tercet.cli.output import progress_bar
    from tercet.sharding import merge

    with progress_bar() as progress:
        scores = merge(**given, progress=progress)
    show_scores(scores, shown)
