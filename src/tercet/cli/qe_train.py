"""`tercet qe train`, `qe predict` and `qe decide`: how models, predictions and decisions are shown."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from tercet.cli.command import Given, command
from tercet.cli.shared import Delivery, Digits, DigitsOfTables, Tables, Written, require_folder
from tercet.options import setting
from tercet.options.quality_training import QeDecideOptions, QePredictOptions, QeTrainOptions

if TYPE_CHECKING:
    from tercet.data.quality_answers import SegmentQuality

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
  tercet qe predict word-model --source new.src --target new.mt -f lines -o new.tags
  tercet qe predict model --words word-model --source new.src --target new.mt --html page.html
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
class PredictionTable(Delivery, Digits):
    """How a table of predictions is shown."""


PredictionForm: TypeAlias = Literal["lines", "table", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"]
_STREAMED = ("lines", "jsonl", "csv", "tsv")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownPredictions(Written, DigitsOfTables):
    """How predictions are shown."""

    style: PredictionForm | None = setting(
        None,
        "Output format; lines: a score or the tags of a segment a line, as other commands read them. Default: what the "
        "name of the output says, or table.",
        "-f",
        "--format",
    )
    html: pathlib.Path | None = setting(None, "Write a page that sorts the document by need, too.")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_folder(self.html)
        if self.style == "lines":
            self.refuse_idle({"digits": "in lines, where programs get all of them"})
        else:
            PredictionTable(output=self.output, style=self.style, digits=self.digits)  # or it is refused

    @property
    def form(self) -> PredictionForm:
        """The format that is asked for, or that the name of the output says."""
        return "lines" if self.style == "lines" else PredictionTable(output=self.output, style=self.style).form


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
    """Predict the quality of translations without references: a score, an interval, and why; or tags of words."""
    from tercet.cli.output import deliver, emit, progress_bar
    from tercet.quality.predict import qe_predict
    from tercet.report.quality_training import predictions_table

    form = shown.form
    if shown.html is None and form in _STREAMED:
        _stream(given, form, shown.path)
        return
    with progress_bar() as progress:
        answer = qe_predict(**given, progress=progress)
    if shown.html is not None:
        from tercet.formats.lines import write
        from tercet.report.html.quality import quality_page

        write(shown.html, [quality_page(answer)])
    if form == "lines":
        emit("".join(f"{entry.line()}\n" for entry in answer.segments), shown.path)
        return
    told = PredictionTable(output=shown.output, style=form, digits=shown.digits)
    deliver(answer.as_records(), answer.signature, [predictions_table(answer, shown.digits)], told, answer.notes)


def _stream(given: Given, form: PredictionForm, path: pathlib.Path | None) -> None:
    """Part after part, as lines come in, in memory that does not grow with them."""
    from tercet.cli.output import emit, progress_bar, warn
    from tercet.formats.lines import write
    from tercet.quality.predict import predicted_notes, predicted_parts

    with progress_bar() as progress:
        asked = QePredictOptions(**given, progress=progress if path is not None else None)
        pieces = _pieces(predicted_parts(asked), form)
        if path is not None:
            write(path, pieces)
        else:
            for piece in pieces:
                emit(piece, None)
    for note in predicted_notes(asked):
        warn(note)


def _pieces(parts: Iterator[list[SegmentQuality]], form: PredictionForm) -> Iterator[str]:
    """What is written of each part; columns are named once."""
    from tercet.report import render_records

    for number, part in enumerate(parts):
        if form == "jsonl" or form == "csv" or form == "tsv":
            text = render_records([entry.as_record() for entry in part], "", form)
            yield text if number == 0 or form == "jsonl" else text.partition("\n")[2]
        else:
            yield "".join(f"{entry.line()}\n" for entry in part)


@command(QeDecideOptions, ShownDecisions, example=_DECIDE)
def decide_command(given: Given, shown: ShownDecisions) -> None:
    """Decide what to publish, to edit lightly or fully, with a stated risk of being wrong."""
    from tercet.cli.output import deliver, draw_answer, progress_bar
    from tercet.quality.decide import qe_decide
    from tercet.report.quality_training import curve_table, decisions_table

    require_folder(shown.html)
    with progress_bar() as progress:
        answer = qe_decide(**given, progress=progress)
    table = (curve_table if shown.curve else decisions_table)(answer, shown.digits)
    records = answer.curve_records() if shown.curve else answer.as_records()
    draw = functools.partial(draw_answer, answer)
    if shown.figure is not None:
        draw(shown.figure)
    if shown.html is not None:
        from tercet.formats.lines import write
        from tercet.report.html.decision import decision_page

        write(shown.html, [decision_page(answer)])
    deliver(records, answer.signature, [table], shown, answer.notes, draw=draw)
