"""`tercet rank`, `tercet choose` and `tercet plan`: how rankings and plans are shown."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from tercet.cli.command import Given, apart, command
from tercet.cli.shared import Drawn, Tables
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.judging import ChooseOptions, HeadToHeadOptions, Judged, Named, PlanOptions, RankOptions
from tercet.options.needs import Needs

if TYPE_CHECKING:
    from tercet.data import Judgements
    from tercet.data.head_to_head import HeadToHead

_RANK = """\
For example:

  tercet rank rankings.csv
  tercet rank rankings.csv.gz --pair cs-en --method expected-wins --head-to-head
  tercet rank rankings.csv -m expected-wins -m trueskill -m bradley-terry
  tercet rank da.tsv -f latex -o table.tex --figure ranges.pdf
  tercet rank mqm.tsv --testset texts.tsv --name "System A=system-a"

tercet rank --help explains every option.
"""
_CHOOSE = """\
For example:

  tercet choose rankings.csv
  tercet choose rankings.csv -m expected-wins -m bradley-terry --folds 10

tercet choose --help explains every option.
"""
_PLAN = """\
For example:

  tercet plan --gap 0.05
  tercet plan --systems 5 --gap 0.1 --method trueskill --budget 20000
  tercet plan -m da --gap 0.2
  tercet plan pilot.csv --power 0.9 -o plan.svg

tercet plan --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownRanking(Tables):
    needs: ClassVar[Mapping[str, Needs]] = {"counts": Needs({"head_to_head": (True,)})}

    head_to_head: bool = setting(False, "Show every two systems against each other instead.")
    counts: bool = setting(False, "With wins, ties and losses in the head-to-head table.")


@command(RankOptions, ShownRanking, example=_RANK)
def rank_command(given: Given, shown: ShownRanking) -> None:
    """Rank systems from human judgements: scores, rank ranges, clusters, head-to-head tables."""
    from tercet.cli.output import deliver, draw_answer, progress_bar
    from tercet.ranking.rank import head_to_head, prepared, rank
    from tercet.report.rankings import head_to_head_table, paper_table, ranking_table

    # a pipe can be read only once, and a table head to head needs the judgements again
    asked = RankOptions(**given)
    data = prepared(asked)
    _, given = apart(given, Named)
    if isinstance(asked.method, list):
        _side_by_side(data, given, shown)
        return
    method: str | None = given.pop("method", None)
    draw: Callable[[pathlib.Path], None]
    with progress_bar() as progress:
        ranking = rank(data, method=method, **given, progress=progress)
    if shown.head_to_head:
        order = tuple(r.system for r in ranking)
        table = head_to_head(data, **apart(given, HeadToHeadOptions)[0], order=order)
        draw = functools.partial(_draw_table, table, ranking.pair)
        cells = head_to_head_table(table, ranking, counts=shown.counts, digits=shown.digits)
        deliver(table.as_records(), ranking.signature, [cells], shown, ranking.notes, draw=draw)
    else:
        draw = functools.partial(draw_answer, ranking)
        cells = (paper_table if shown.form == "latex" else ranking_table)(ranking, shown.digits)
        deliver(ranking.as_records(), ranking.signature, [cells], shown, ranking.notes, draw=draw)
    if shown.figure is not None:
        draw(shown.figure)


def _draw_table(table: HeadToHead, pair: str, path: pathlib.Path) -> None:
    from tercet.plots import save
    from tercet.plots.results import head_to_head_figure

    save(head_to_head_figure(table, pair), path)


def _side_by_side(data: Judgements, given: Given, shown: ShownRanking) -> None:
    """Deliver the rankings of several rankers beside each other."""
    from tercet.cli.output import deliver, draw_answer, progress_bar
    from tercet.ranking.rank import rank
    from tercet.report.rankings import side_by_side_table

    if shown.head_to_head:
        raise InputError("A head-to-head table shows the ranges of one ranker.", hint="Name one --method.")
    method: list[str] = given.pop("method")
    with progress_bar() as progress:
        several = rank(data, method=method, **given, progress=progress)
    table = side_by_side_table(several, shown.digits)
    draw = functools.partial(draw_answer, several)
    deliver(several.as_records(), several.signature, [table], shown, several.notes, draw=draw)
    if shown.figure is not None:
        draw(shown.figure)


@command(ChooseOptions, Drawn, example=_CHOOSE)
def choose_command(given: Given, shown: Drawn) -> None:
    """Choose a ranker: which one predicts judgements best that it has not seen?"""
    from tercet.cli.output import deliver, draw_answer, progress_bar
    from tercet.ranking.choose import choose
    from tercet.report.rankings import records_table

    with progress_bar() as progress:
        choice = choose(**given, progress=progress)
    table = records_table(choice.as_records(), (*choice.notes, choice.signature))
    deliver(
        choice.as_records(), choice.signature, [table], shown, choice.notes, draw=functools.partial(draw_answer, choice)
    )


@command(PlanOptions, Drawn, example=_PLAN)
def plan_command(given: Given, shown: Drawn) -> None:
    """Plan a campaign: how many judgements until systems separate? Simulated, or from a pilot's JUDGEMENTS."""
    from tercet import inputs
    from tercet.cli.output import deliver, draw_answer, progress_bar
    from tercet.ranking.plan import plan, propose_next
    from tercet.report.rankings import records_table

    pilot = None
    if "judgements" in given:
        reading, given = apart(given, Judged)
        pilot = inputs.judged(Judged(**reading))
    with progress_bar() as progress:
        answer = plan(pilot, **given, progress=progress)
    notes = [*answer.notes, answer.answer]
    if pilot is not None:
        notes.append(f"Show next: {', '.join(propose_next(pilot, seed=given['seed']))}.")
    table = records_table(answer.as_records(), (*notes, answer.signature), digits=2)
    draw = functools.partial(draw_answer, answer)
    deliver(answer.as_records(), answer.signature, [table], shown, notes, draw=draw)
