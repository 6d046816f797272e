"""`tercet meta`: how agreement is shown."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from tercet.cli.command import Given, command
from tercet.cli.sacrebleu import several
from tercet.cli.shared import Tables
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.agreeing import MetaOptions, MetaPicture
from tercet.options.needs import ANY, Needs

if TYPE_CHECKING:
    from tercet.agreeing.beside import AgreementColumn
    from tercet.data import MetaEvaluation
    from tercet.data.table import Table

_META = """\
For example:

  tercet meta --testset newstest.tsv --judgements rankings.csv -m bleu -m chrf -m ter
  tercet meta --testset newstest.tsv --judgements rankings.csv -m chrf --level segment
  tercet meta --scores scores.tsv --human HUMAN --measure pearson --measure accuracy --test williams
  tercet meta --testset newstest.tsv --judgements rankings.csv -m "chrf(beta=3)" --among wmt15
  tercet meta --scores 2015.tsv --beside 2014.json -o years.svg

tercet meta --help explains every option.
"""

Show: TypeAlias = Literal["agreement", "tests", "top-n"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownEvaluation(Tables):
    among: str | None = setting(None, "Show the metrics in a published table: wmt14 or wmt15.")
    beside: list[pathlib.Path] | None = setting(
        None, "Show beside it what tercet meta -o FILE.json found, in another year for instance; several.", "--beside"
    )
    show: Show = setting(
        "agreement", "Agreement, p-values of every two metrics, or agreement among the best N.", "--show"
    )
    plot: MetaPicture | None = setting(None, "What to draw; else a scatter of systems, or of segments.")
    write_scores: pathlib.Path | None = setting(None, "Write the metrics' scores of this level, too.")

    needs: ClassVar[Mapping[str, Needs]] = dict.fromkeys(("among", "show"), Needs(beside={"beside": ANY}))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beside:
            self.refuse_idle({"plot": "with beside"})
        self.refuse_undrawn("plot")


@command(MetaOptions, ShownEvaluation, example=_META, needs=("testset", "scores"), spellings=several)
def meta_command(given: Given, shown: ShownEvaluation) -> None:
    """Which metric to trust: agreement of metrics with people, how sure it is, and whether it holds among the best."""
    from tercet.agreeing.beside import beside
    from tercet.agreeing.evaluation import meta
    from tercet.cli.output import deliver, progress_bar
    from tercet.cli.shared import require_folder

    require_folder(shown.write_scores)
    with progress_bar() as progress:
        evaluation = meta(**given, progress=progress)
    columns = beside(evaluation, shown.beside) if shown.beside else []
    records, tables = _tables(evaluation, shown, columns)
    if shown.write_scores is not None:
        _write(evaluation, shown.write_scores, given)
    picture = functools.partial(_draw_columns, columns) if columns else functools.partial(_draw, evaluation, shown.plot)
    if shown.figure is not None:
        picture(shown.figure)
    deliver(records, evaluation.signature, tables, shown, evaluation.notes, draw=picture)


def _tables(
    evaluation: MetaEvaluation, shown: ShownEvaluation, columns: Sequence[AgreementColumn]
) -> tuple[list[dict[str, Any]], list[Table]]:
    """What is shown: records for programs, and tables for people."""
    from tercet.agreeing.published import standings
    from tercet.report.meta import (
        among_records,
        among_table,
        beside_records,
        beside_table,
        curve_records,
        curves_table,
        meta_table,
        p_records,
        p_table,
    )

    if columns:
        notes = (*evaluation.notes, evaluation.signature)
        return beside_records(columns), [beside_table(columns, notes, shown.digits)]
    if shown.among is not None:
        placed = standings(evaluation, shown.among)
        return among_records(placed), [among_table(table, evaluation.signature) for table in placed]
    if shown.show == "agreement":
        return evaluation.as_records(), [meta_table(evaluation, shown.digits)]
    if shown.show == "tests":
        records, tables = p_records(evaluation.tests), [p_table(tests, shown.digits) for tests in evaluation.tests]
    else:
        records = curve_records(evaluation.curves)
        tables = [curves_table(evaluation.curves, shown.digits)] if evaluation.curves else []
    if not tables:
        raise InputError(
            f"There is nothing to show as {shown.show}.", hint="Leave out --show, or choose a test or level."
        )
    tables[-1] = dataclasses.replace(tables[-1], notes=(*tables[-1].notes, *evaluation.notes, evaluation.signature))
    return records, tables


def _draw_columns(columns: Sequence[AgreementColumn], path: pathlib.Path) -> None:
    """Metrics of all columns from place to place."""
    from tercet.plots import save, side_by_side

    save(side_by_side([(column.name, column.values) for column in columns]), path)


def _write(evaluation: MetaEvaluation, path: pathlib.Path, given: Given) -> None:
    """The metrics' scores, as a submission names them."""
    from tercet.cli.output import warn
    from tercet.formats.scores import directions_lost, write_scores

    testset, scores = given.get("testset"), given.get("scores")
    # "newstest2015" of newstest2015.de-en.tsv.gz; a submission must name its test set
    called = (testset or (scores or [path])[0]).name.partition(".")[0]
    # a directory of mt-metrics-eval says what a metric compares with; files of scores have it in their names
    reference = "refA" if testset is not None and path.is_dir() else None
    write_scores(evaluation.scores, path, pair=given.get("pair"), testset=called, reference=reference)
    if lost := directions_lost(evaluation.scores, path):
        lower = " ".join(f"--lower {shlex.quote(metric)}" for metric in lost)
        warn(f"{path} has no place for which scores are better: read it with {lower}.")


def _draw(evaluation: MetaEvaluation, plot: MetaPicture | None, path: pathlib.Path) -> None:
    from tercet.plots.canvas import save
    from tercet.plots.results import meta_figure

    save(meta_figure(evaluation, plot), path)
