"""`tercet qe evaluate`: how measures of predictions are shown."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from typing import TYPE_CHECKING, Literal, TypeAlias

from tercet.cli.command import Given, command
from tercet.cli.shared import Tables
from tercet.options import setting
from tercet.options.quality import EvaluateOptions

if TYPE_CHECKING:
    from tercet.data import QualityEvaluation

QualityPlot: TypeAlias = Literal["confusion", "labels"]
_EXAMPLE = """\
For example:

  tercet qe evaluate ours.tsv baseline.tsv --gold hter.txt --baseline baseline --scale 100
  tercet qe evaluate ours.tags --gold test.tags
  tercet qe evaluate ours=spans.tsv --gold gold-spans.tsv

tercet qe evaluate --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownQuality(Tables):
    """How the answer of `qe evaluate` is shown."""

    plot: QualityPlot | None = setting(
        None, "What a picture shows: confusion matrices, which tags have, or how labels are spread.", "--picture"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.refuse_undrawn("plot")


@command(EvaluateOptions, ShownQuality, example=_EXAMPLE)
def evaluate_command(given: Given, shown: ShownQuality) -> None:
    """Measure predictions of quality against true labels: of sentences, words or error spans."""
    from tercet.cli.output import deliver, progress_bar
    from tercet.quality.evaluation import qe_evaluate
    from tercet.report.quality import quality_tables

    with progress_bar() as progress:
        answer = qe_evaluate(**given, progress=progress)
    tables = [*quality_tables(answer, shown.digits)]
    draw = functools.partial(_draw, answer, shown.plot)
    deliver(answer.as_records(), answer.signature, tables, shown, answer.notes, draw=draw)
    if shown.figure is not None:
        draw(shown.figure)


def _draw(answer: QualityEvaluation, plot: QualityPlot | None, path: pathlib.Path) -> None:
    from tercet.plots import save
    from tercet.plots.quality import quality_figure

    save(quality_figure(answer, plot), path)
