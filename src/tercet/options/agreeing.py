"""Options of the verbs that hold metrics against people."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from tercet.options import Options, setting
from tercet.options.groups import (
    DEFAULT_METRICS,
    MEASURE_NAMES,
    METRIC_NAMES,
    Aggregating,
    Correction,
    Engined,
    File,
    Names,
    Reading,
    TestSetGiven,
    TestSetRead,
)
from tercet.options.groups import MetaLevel as MetaLevel
from tercet.options.judging import JudgementDraws, JudgementsGiven, JudgementsRead, RankedOutputs, Renamed, Unit
from tercet.options.needs import ANY, Needs

MetaPicture: TypeAlias = Literal["scatter", "top-n", "significance", "calibration", "segments", "histogram"]
Interval: TypeAlias = Literal["auto", "none", "judgements", "systems", "items", "both", "fisher"]
Test: TypeAlias = Literal[
    "auto",
    "none",
    "williams",
    "perm-both",
    "perm-system",
    "perm-item",
    "boot-both",
    "boot-system",
    "boot-item",
    "judgements",
    "overlap",
    "hybrids",
]

if TYPE_CHECKING:
    from tercet.data import MetricScores
    from tercet.metric_base import Metric
    from tercet.spec import Spec

    Scored: TypeAlias = MetricScores | Sequence[MetricScores] | File | Sequence[File]
    People: TypeAlias = Scored | str
    NamedMetrics: TypeAlias = str | Sequence[str | Metric] | Mapping[str, str | Metric]
    Measures: TypeAlias = str | Spec | Sequence[str | Spec]
    GoldGiven: TypeAlias = str | Spec
else:  # what a shell gives
    Scored = list[pathlib.Path]
    NamedMetrics = Measures = list[str]
    People = GoldGiven = str


DOCUMENTS = Needs({"level": ("document",)})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Chosen(RankedOutputs):
    """Which systems take part, and how judgements become gold."""

    gold: GoldGiven | None = setting(None, "How judgements become scores (a ranker) or comparisons (pairs, darr).")
    without: Names = setting((), "System to leave out; several.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class GoldOptions(Chosen, JudgementDraws):
    """What people's side is made of."""

    judged: float = setting(1.0, "Share of a document that must have been judged.", least=0, most=1)
    samples: int = setting(1000, "Resamples for intervals, or runs of TrueSkill.", least=40)
    unit: Unit | None = setting(None, "What one draw of judgements is, for scores of systems.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Certainty(GoldOptions):
    """How sure an agreement is: intervals, and tests of every two metrics."""

    interval: Interval = setting("auto", "What is drawn for 95 % intervals; auto is the usual one of the measure.")
    test: Test = setting("auto", "Test of every two metrics, which gives ranks and winners.")
    draws: int | None = setting(
        None, "Permutations, resamples or hybrids of that test: 1000, or 10 000 hybrids if none.", least=1
    )
    alpha: float = setting(0.05, "Its level.", above=0, below=1)
    correction: Correction = setting("none", "For the number of tests.")
    common: bool = setting(False, "Only what all metrics have scored.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ScoresRead(Options):
    """How files of scores are read."""

    scores_format: str | None = setting(None, "Format of the scores, where it cannot be told: see tercet list.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class MetaOptions(Certainty, Aggregating, TestSetRead, JudgementsRead, ScoresRead, Renamed, Reading, Engined):
    """What `meta` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        "draws": Needs(beside={"test": ("none", "williams", "overlap")}),
        **dict.fromkeys(("alpha", "correction"), Needs(beside={"test": ("none",)})),
        "judged": DOCUMENTS,
        "aggregate": Needs({"level": ("system",)}),
        "testset_format": Needs({"testset": ANY}),
        **dict.fromkeys(("judgements_format", "on_skip"), Needs({"judgements": ANY})),
        "scores_format": Needs({"scores": ANY, "human": ANY}),
        **dict.fromkeys(("lower", "reference_free"), Needs({"scores": ANY})),
    }

    testset: TestSetGiven | None = setting(None, "Test set, whose texts are scored on the way.", "-t", "--testset")
    judgements: JudgementsGiven | None = setting(None, "File of judgements.", "-j", "--judgements")
    scores: Scored | None = setting(None, "File or folder of scores, instead of texts or beside them; several.")
    human: People | None = setting(None, "People's scores: a file, or their name among the scores (HUMAN).")
    metrics: NamedMetrics = setting(
        DEFAULT_METRICS, "Metric, [NAME=]SPEC; several.", "-m", "--metric", names=METRIC_NAMES
    )
    level: MetaLevel = setting("system", "Of what.")
    measures: Measures | None = setting(
        None, "Measure of agreement; several. See tercet list.", "--measure", names=MEASURE_NAMES
    )
    lower: Names = setting((), "Metric of the files for which lower is better; several.")
    reference_free: Names = setting((), "Metric of the files that looks at no reference, to be marked; several.")
