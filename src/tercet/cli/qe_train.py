"""`tercet qe train`, `qe predict` and `qe decide`: how models, predictions and decisions are shown."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from typing import Literal

from tercet.cli.command import Given, command
from tercet.cli.shared import Delivery, Digits, Tables
from tercet.options import setting
from tercet.options.quality_training import QeDecideOptions, QePredictOptions, QeTrainOptions

_TRAIN = """\
For example:

  tercet qe train --source src.txt --target mt.txt --labels hter.txt --source-corpus corpus.de \\
      --target-corpus corpus.en -o model
  tercet qe train --labels campaign.db -o model
  tercet qe predict model --source new.src --target new.mt

tercet qe train --help explains every option.
"""
_PREDICT = """\
For example:

  tercet qe predict model --source new.src --target new.mt
  tercet qe predict model --source new.src --target new.mt --html page.html
  cat new.mt | tercet qe predict model --source new.src --target - -f tsv

tercet qe predict --help explains every option.
"""
_DECIDE = """\
For example:

  tercet qe decide model --risk 0.05 --good 0.1 --light 0.3
  tercet qe decide model --risk 0.05 --source new.src --target new.mt

tercet qe decide --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownTrained(Digits):
    """How what was trained is shown."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownPredictions(Delivery, Digits):
    """How predictions are shown."""

    html: pathlib.Path | None = setting(None, "Write a page that sorts the document by need, too.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownDecisions(Tables):
    """How decisions are shown; their picture is the cost curve."""

    curve: bool = setting(False, "Show the cost curve over thresholds in place of the decisions.")
    html: pathlib.Path | None = setting(None, "Write a page with decisions and cost curve, too.")


@command(QeTrainOptions, ShownTrained, example=_TRAIN)
def train_command(given: Given, shown: ShownTrained) -> None:
    """Train a model of quality on translations with labels, of sentences or of words."""
    from tercet.cli.output import deliver, progress_bar
    from tercet.quality.training import qe_train
    from tercet.report.quality_training import training_tables

    with progress_bar() as progress:
        answer = qe_train(**given, progress=progress)
    tables = [*training_tables(answer, shown.digits)]
    deliver(answer.as_records(), answer.signature, tables, shown, answer.notes)


@command(QePredictOptions, ShownPredictions, example=_PREDICT)
def predict_command(given: Given, shown: ShownPredictions) -> None:
    """Predict the quality of translations without references: a score, an interval, and why."""
    from tercet.cli.output import deliver, progress_bar
    from tercet.cli.shared import require_folder
    from tercet.quality.predict import qe_predict
    from tercet.report.quality_training import predictions_table

    require_folder(shown.html)
    if shown.html is None and shown.path is None and (shown.form == "tsv" or shown.form == "jsonl"):
        _stream(given, shown.form)
        return
    with progress_bar() as progress:
        answer = qe_predict(**given, progress=progress)
    if shown.html is not None:
        from tercet.formats.lines import write
        from tercet.report.html.quality import quality_page

        write(shown.html, [quality_page(answer)])
    table = predictions_table(answer, shown.digits)
    deliver(answer.as_records(), answer.signature, [table], shown, answer.notes)


def _stream(given: Given, style: Literal["tsv", "jsonl"]) -> None:
    """Part after part, as lines come in."""
    from tercet.cli.output import emit
    from tercet.quality.predict import predicted_parts
    from tercet.report import render_records

    first = True
    for part in predicted_parts(QePredictOptions(**given)):
        text = render_records([entry.as_record() for entry in part], "", style)
        emit(text if first or style == "jsonl" else text.partition("\n")[2], None)
        first = False


@command(QeDecideOptions, ShownDecisions, example=_DECIDE)
def decide_command(given: Given, shown: ShownDecisions) -> None:
    """Decide what to publish, to edit lightly or fully, with a stated risk of being wrong."""
    from tercet.cli.output import deliver, progress_bar
    from tercet.cli.shared import require_folder
    from tercet.plots.costs import draw_costs
    from tercet.quality.decide import qe_decide
    from tercet.report.quality_training import curve_table, decisions_table

    require_folder(shown.html)
    with progress_bar() as progress:
        answer = qe_decide(**given, progress=progress)
    table = (curve_table if shown.curve else decisions_table)(answer, shown.digits)
    records = answer.curve_records() if shown.curve else answer.as_records()
    draw = functools.partial(draw_costs, answer)
    if shown.figure is not None:
        draw(shown.figure)
    if shown.html is not None:
        from tercet.formats.lines import write
        from tercet.report.html.decision import decision_page

        write(shown.html, [decision_page(answer)])
    deliver(records, answer.signature, [table], shown, answer.notes, draw=draw)
