"""`tercet tune`: how a tuned metric is shown."""

from __future__ import annotations

import functools

from tercet.cli.command import Given, command
from tercet.cli.shared import Tables
from tercet.options.learning import TuneOptions

_TUNE = """\
For example:

  tercet tune chrf --testset newstest.tsv --judgements rankings.csv
  tercet tune "meteor(language=en)" --testset newstest.tsv --judgements rankings.csv \\
      --parameter alpha=0:1:0.05 --parameter gamma=0:1:0.05 --search grid
  tercet tune chrf -t de-en.tsv -j de-en.csv -t ru-en.tsv -j ru-en.csv --objective pair-accuracy
  tercet tune chrf -t texts.tsv --human hter.tsv --lower --objective segcor

tercet tune --help explains every option.
"""


@command(TuneOptions, Tables, example=_TUNE)
def tune_command(given: Given, shown: Tables) -> None:
    """Tune a metric on judgements: the spec string that agrees best with people, checked on held-out segments."""
    from tercet.cli.output import deliver, draw_answer, progress_bar
    from tercet.learning.tuning import tune
    from tercet.report.tuning import tuning_table

    with progress_bar() as progress:
        answer = tune(**given, progress=progress)
    if shown.figure is not None:
        draw_answer(answer, shown.figure)
    draw = functools.partial(draw_answer, answer)
    tables = [tuning_table(answer, shown.digits)]
    deliver(answer.as_records(), answer.signature, tables, shown, answer.notes, draw=draw)
