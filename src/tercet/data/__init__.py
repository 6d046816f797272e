"""The nouns: test sets, statistics, scores, judgements. Frozen, and checked once when made."""

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
)
from tercet.data.scores import Score, Scores
from tercet.data.statistics import Array, Statistics, total
from tercet.data.testset import Batch, Document, Ints, References, TestSet, Texts

__all__ = [
    "SKIPPED",
    "UNKNOWN",
    "Array",
    "Assessments",
    "Batch",
    "Document",
    "Errors",
    "Ints",
    "Judgements",
    "Kind",
    "Outcome",
    "Pairs",
    "Rankings",
    "References",
    "Score",
    "Scores",
    "Statistics",
    "TestSet",
    "Texts",
    "total",
]
