"""The nouns: test sets, statistics, scores, judgements. Frozen, and checked once when made."""

from tercet.data.agreement import Agreement, AgreementRecord, Annotators, AssessmentAnnotator, Fact, RankingAnnotator
from tercet.data.judgements import (
    SKIPPED,
    UNKNOWN,
    Assessments,
    Errors,
    Judgements,
    Kind,
    Outcome,
    Pairs,
    Rankings,
    is_reference,
)
from tercet.data.meta import (
    META_COLUMNS,
    Calibration,
    MetaEvaluation,
    MetaLevel,
    MetricAgreement,
    MetricScores,
    MetricTests,
    Scatter,
    TopCurve,
)
from tercet.data.ranking import RANKING_COLUMNS, Ranked, Ranking
from tercet.data.scores import Score, Scores
from tercet.data.statistics import Array, Statistics, total
from tercet.data.testset import Batch, Document, Ints, References, TestSet, Texts

__all__ = [
    "META_COLUMNS",
    "RANKING_COLUMNS",
    "SKIPPED",
    "UNKNOWN",
    "Agreement",
    "AgreementRecord",
    "Annotators",
    "Array",
    "AssessmentAnnotator",
    "Assessments",
    "Batch",
    "Calibration",
    "Document",
    "Errors",
    "Fact",
    "Ints",
    "Judgements",
    "Kind",
    "MetaEvaluation",
    "MetaLevel",
    "MetricAgreement",
    "MetricScores",
    "MetricTests",
    "Outcome",
    "Pairs",
    "Ranked",
    "Ranking",
    "RankingAnnotator",
    "Rankings",
    "References",
    "Scatter",
    "Score",
    "Scores",
    "Statistics",
    "TestSet",
    "Texts",
    "TopCurve",
    "is_reference",
    "total",
]
