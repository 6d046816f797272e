"""The nouns: texts and references, test sets, statistics, scores. Frozen, and checked once when made."""

from tercet.data.scores import Score, Scores
from tercet.data.statistics import Array, Statistics, total
from tercet.data.testset import Batch, Document, References, TestSet, Texts

__all__ = [
    "Array",
    "Batch",
    "Document",
    "References",
    "Score",
    "Scores",
    "Statistics",
    "TestSet",
    "Texts",
    "total",
]
