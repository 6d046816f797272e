"""`tercet retrieval`: how what was found is shown."""

from __future__ import annotations

import dataclasses
import functools

from tercet.cli.command import Given, command
from tercet.cli.shared import Drawn
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.groups import name_systems
from tercet.options.searching import RetrievalLevel, RetrievalOptions

_EXAMPLE = """\
For example:

  tercet retrieval cuni.run uedin.run qrels.txt --ceiling monolingual.run
  tercet retrieval cuni.run uedin.run qrels.txt --level query -f csv -o queries.csv
  tercet retrieval cuni.tsv uedin.tsv dcu.tsv qrels.txt --ceiling titles.tsv --collection pages.tsv.gz -m bleu -m chrf

tercet retrieval --help explains every option.
"""
_SUFFIXES = (".gz", ".zst", ".txt", ".run", ".tsv")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownRetrieval(Drawn):
    level: RetrievalLevel = setting("system", "What gets a row.")


@command(RetrievalOptions, ShownRetrieval, example=_EXAMPLE)
def retrieval_command(given: Given, shown: ShownRetrieval) -> None:
    """Measure what translated queries find, against relevance judgements and the monolingual run."""
    *runs, qrels = given.pop("runs")
    if not runs:
        raise InputError("Runs and relevance judgements are needed.", hint="Name the judgements last: RUN... QRELS.")
    from tercet.cli.output import deliver, draw_answer
    from tercet.report.retrieval import retrieval_tables
    from tercet.searching.evaluation import retrieval

    answer = retrieval(name_systems(runs, _SUFFIXES), qrels, **given)
    tables = [*retrieval_tables(answer, shown.level)]
    draw = functools.partial(draw_answer, answer)
    deliver(answer.as_records(shown.level), answer.signature, tables, shown, answer.notes, draw=draw)
