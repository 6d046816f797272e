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
from tercet.data.ranking import RANKING_COLUMNS, Ranked, Ranking
from tercet.data.scores import Score, Scores
from tercet.data.statistics import Array, Statistics, total
from tercet.data.testset import Batch, Document, Ints, References, TestSet, Texts

__all__ = [
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
    "Document",
    "Errors",
    "Fact",
    "Ints",
    "Judgements",
    "Kind",
    "Outcome",
    "Pairs",
    "Ranked",
    "Ranking",
    "RankingAnnotator",
    "Rankings",
    "References",
    "Score",
    "Scores",
    "Statistics",
    "TestSet",
    "Texts",
    "is_reference",
    "total",
]
