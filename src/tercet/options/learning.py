"""Options of `tune` and `train`."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from tercet.errors import InputError
from tercet.options import about, setting
from tercet.options.agreeing import DOCUMENTS, Chosen, GoldOptions, MetaLevel, ScoresRead
from tercet.options.groups import (
    METRIC_NAMES,
    Engined,
    File,
    MetricGiven,
    Seeded,
    TestSetGiven,
    TestSetRead,
    TextOrTexts,
    Workers,
)
from tercet.options.judging import JudgementsGiven, JudgementsRead, Renamed
from tercet.options.needs import ANY, Needs

Search: TypeAlias = Literal["auto", "grid", "refine", "scipy"]
Kind: TypeAlias = Literal["beer", "beer-1.1", "combine", "esim", "neural", "uow-lstm"]
Learner: TypeAlias = Literal["svm", "logistic", "ridge"]

if TYPE_CHECKING:
    from tercet.data import MetricScores
    from tercet.spec import Spec

    TestSets: TypeAlias = TestSetGiven | Sequence[TestSetGiven]
    Judged: TypeAlias = JudgementsGiven | Sequence[JudgementsGiven]
    Humans: TypeAlias = MetricScores | File | Sequence[MetricScores | File]
    MeasureGiven: TypeAlias = str | Spec
    Specs: TypeAlias = str | Sequence[str] | Mapping[str, str]
    Strengths: TypeAlias = Sequence[float]
else:  # what a shell gives
    TestSets = Judged = Humans = list[pathlib.Path]
    MeasureGiven, Specs, Strengths = str, list[str], list[float]


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearntFrom(TestSetRead, JudgementsRead, ScoresRead, Renamed):
    """Texts and what people said of them, several of each, and how they are read."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("lower", "scores_format"), Needs({"human": ANY})),
        **dict.fromkeys(("judgements_format", "on_skip"), Needs({"judgements": ANY})),
    }

    testset: TestSets = dataclasses.field(
        metadata=about("Test set; several are learnt from together.", "-t", "--testset")
    )
    judgements: Judged | None = setting(
        None, "File of judgements, one for each test set, or one for all.", "-j", "--judgements"
    )
    human: Humans | None = setting(None, "People's scores instead: a file for each test set.")
    lower: bool = setting(False, "Of people's scores lower ones are better, as of HTER.")
    objective: MeasureGiven | None = setting(None, "Measure of agreement to raise or to choose by. See tercet list.")
    folds: int = setting(5, "Parts of the segments that are held out in turn.", least=2)
    pair: TextOrTexts | None = setting(  # type: ignore[assignment]
        None, "Language pair of each test set, where files have several."
    )


@dataclasses.dataclass(frozen=True)
class TuneOptions(LearntFrom, GoldOptions, Engined):
    """What `tune` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {"judged": DOCUMENTS}
    metric: MetricGiven = dataclasses.field(
        metadata=about(
            "Metric to tune, as for -m elsewhere; its other options stay as they are.",
            argument="SPEC",
            names=METRIC_NAMES,
        )
    )
    _: dataclasses.KW_ONLY
    level: MetaLevel = setting("segment", "Of what.")
    parameters: TextOrTexts | None = setting(
        None,
        "NAME or NAME=LOW:HIGH:STEP; several. Of a list, NAME.2 is its second number. All that can be tuned otherwise, "
        "but one of weights that only scale the score.",
        "-p",
        "--parameter",
    )
    search: Search = setting(
        "auto",
        "Every point of the grid, a coarse one refined around the best, or differential evolution of scipy; auto takes "
        "the grid while it is small.",
    )


@dataclasses.dataclass(frozen=True)
class TrainOptions(LearntFrom, Chosen, Seeded, Workers):
    """What `train` takes."""

    kind: Kind = dataclasses.field(
        metadata=about("BEER's weights, or a linear combination of metrics, with an encoder or without.", shell=False)
    )
    _: dataclasses.KW_ONLY
    metrics: Specs = setting(
        (),
        "Metric to combine, or to show beside BEER, [NAME=]SPEC; several. neural has some of its own.",
        "-m",
        "--metric",
        names=METRIC_NAMES,
    )
    model: File | None = setting(None, "Model file to write; of esim a folder.")
    parses: File | None = setting(
        None,
        "CoNLL-U file with trees of all texts: beer-1.1 learns what types of dependencies count, as BEER_Treepel, and "
        "uow-lstm reads them.",
    )
    vectors: File | None = setting(None, "File with word vectors, .vec or .vec.gz, for uow-lstm.")
    encoder: str | None = setting(None, "Encoder below esim, its folder or its name; minilm, for English, if none.")
    learner: Learner | None = setting(
        None,
        "Which of two is better (svm, logistic), or people's scores (ridge); svm (of beer-1.1 logistic), unless there "
        "are only scores.",
    )
    strengths: Strengths = setting(
        (), "How much mistakes count against large weights; several to choose from.", "--strength"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(math.isfinite(strength) and strength > 0 for strength in self.strengths):
            raise InputError(
                f"A strength must be above 0, not {min(self.strengths)}.", hint="Leave them out for a good range."
            )
