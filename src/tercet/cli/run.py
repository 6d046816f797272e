"""`tercet run`: a whole metrics task from one file."""

from __future__ import annotations

from tercet.cli.command import Given, command
from tercet.options import Options
from tercet.options.studies import RunOptions

_RUN = """\
For example:

  tercet run study.toml -o results

where study.toml holds

  title = "My metrics task"

  [metrics]
  BLEU = "bleu"
  chrF = "chrf"

  [[direction]]
  pair = "en-de"
  testset = "en-de.tsv"
  judgements = "en-de.rankings.csv"

  [system]
  measure = "pearson"

  [segment]
  measure = "kendall(variant=wmt14)"

tercet run --help explains every option.
"""


@command(RunOptions, Options, example=_RUN)
def run_command(given: Given, _: Options) -> None:
    """Run a whole metrics task from one file: tables, figures, and a report to read in a browser."""
    from tercet.cli.output import progress_bar, show_table, tell
    from tercet.running import run

    with progress_bar() as progress:
        done = run(**given, progress=progress)
    for (level, group), table in done.tables.items():
        tell(f"\n{level} level, {group}")
        show_table(table)
    for answer in (a for answers in done.said.told.values() for a in answers):
        tell(f"\n{answer}")
    notes = dict.fromkeys(note for evaluation in done.result.main.values() for note in evaluation.notes)
    if notes:
        tell("\n" + "\n".join(notes))
    computed, kept = len(done.result.computed), len(done.result.from_cache)
    tell(f"\nMetrics counted: {computed}; kept from an earlier run: {kept}.")
    tell(f"Wrote {done.files[0]} and {len(done.files) - 1} other files in {given['output']}.")
