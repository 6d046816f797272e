"""A comparison made by hand around real scores: every noun is there, and no resampling is waited for.

`python -m tests.report.compared TESTSET FILE` writes its page, to be looked at.
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from tercet.comparing.distributions import distribution
from tercet.comparing.marks import marked
from tercet.data import (
    Array,
    Bucket,
    Bucketing,
    Check,
    ComparedMetric,
    Comparison,
    Finding,
    NgramDifference,
    PairTests,
    SystemLength,
    SystemScore,
    TestSet,
    WordDifference,
)
from tercet.formats import read_testset
from tercet.metrics import METRICS
from tercet.report.html.compare import page
from tercet.scoring import statistics

SPECS = ("bleu", "chrf", "ter")


def compared(testset: TestSet, specs: Sequence[str] = SPECS) -> Comparison:
    """The first system is the baseline; p-values come from wins and losses, intervals are a tenth either way."""
    names = tuple(testset.systems)
    metrics, scores, tests, rows = [], [], [], []
    for spec in specs:
        metric = METRICS.make(spec)
        found = statistics(testset, metric, threads=1)
        corpus, segments = metric.score(found.total()), found.segments()
        rows.append(segments)
        metrics.append(
            ComparedMetric(str(metric), metric.card.title, metric.higher_is_better, metric.digits, f"{spec}|made:up")
        )
        scores += _scores(names, str(metric), corpus, metric.higher_is_better)
        tests.append(_tests(names, str(metric), corpus, segments, metric.higher_is_better))
    table = np.stack(rows)
    plain = Comparison(
        testset=testset,
        baseline=names[0],
        metrics=tuple(metrics),
        scores=tuple(scores),
        tests=tuple(tests),
        segment_scores=table,
        lengths=tuple(SystemLength(name, 100 + i, 100, 1 + i / 100) for i, name in enumerate(names)),
        bucketings=(_bucketing(testset, tuple(m.metric for m in metrics), table),),
        checks=(_check(testset),),
        ngrams=_ngrams(testset),
        words=_words(testset),
        findings=_findings(testset),
        answers=(f"{names[-1]} is not told apart from {names[0]}.",),
        assumptions="Segments are drawn independently of each other.",
        signature="compare|made:up",
        notes=("Made-up tests.",),
        distributions=tuple(distribution(m.metric, segments) for m, segments in zip(metrics, table, strict=True)),
    )
    return marked(plain)


def _scores(names: Sequence[str], metric: str, corpus: Array, higher: bool) -> list[SystemScore]:
    ranks = np.argsort(np.argsort(-corpus if higher else corpus, kind="stable"), kind="stable")
    return [
        SystemScore(name, metric, float(v), float(v) * 0.9, float(v) * 1.1, int(ranks[i]) + 1, int(ranks[i]) // 2 + 1)
        for i, (name, v) in enumerate(zip(names, corpus, strict=True))
    ]


def _tests(names: tuple[str, ...], metric: str, corpus: Array, segments: Array, higher: bool) -> PairTests:
    oriented = segments if higher else -segments
    wins = (oriented[:, None] > oriented[None]).sum(axis=2)
    ties = (oriented[:, None] == oriented[None]).sum(axis=2)
    difference = corpus[:, None] - corpus[None]
    p = np.exp(-np.abs(wins - wins.T) / 10)
    np.fill_diagonal(p, np.nan)
    return PairTests(
        metric, higher, names, difference, difference - 0.5, difference + 0.5, p, np.full(p.shape, 0.5), wins, ties
    )


def _bucketing(testset: TestSet, measures: tuple[str, ...], table: Array) -> Bucketing:
    lengths = np.array([len(texts[0].split()) for texts in testset.references or ()])
    members = np.digitize(lengths, [10, 20])
    buckets = []
    for i, label in enumerate(("<10", "10–19", "≥20")):
        with np.errstate(invalid="ignore"):
            own = table[:, :, members == i].sum(axis=2) / max(1, (members == i).sum())
        gap = own - own[:, :1]
        buckets.append(Bucket(label, int((members == i).sum()), own, gap, gap - 0.5, gap + 0.5))
    return Bucketing("length", "", "length of the reference", "segment", measures, tuple(buckets), members)


def _check(testset: TestSet) -> Check:
    counts = np.array([[not text.strip() for text in texts] for texts in testset.systems.values()], dtype=np.int64)
    p = np.full(len(counts), 0.01)
    p[0] = np.nan
    return Check("empty", "empty outputs", "segment", counts, np.ones(len(testset), dtype=np.int64), p)


def _ngrams(testset: TestSet) -> tuple[NgramDifference, ...]:
    first, *others = testset.systems
    text = " ".join((testset.references or [("none",)])[0][0].split()[:2])
    return tuple(
        NgramDifference("matched", name, first, text, 2, 3, 1, 5, 2, 0, 0.7, 0.04, (0, len(testset) - 1))
        for name in others
    )


def _words(testset: TestSet) -> tuple[WordDifference, ...]:
    _, *others = testset.systems
    return tuple(WordDifference("over", name, "the", 30, 10, 12, 1.1, 0.0004, 0.002, (0,)) for name in others)


def _findings(testset: TestSet) -> tuple[Finding, ...]:
    first, *others = testset.systems
    return tuple(
        Finding("numbers", name, first, f"{name} loses numbers.", False, 0.0001, 4.0, {"lost": 2.0}, (1, 0))
        for name in others
    )


def made(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str | Sequence[str]],
    sources: Sequence[str] | None = None,
    specs: Sequence[str] = SPECS,
) -> Comparison:
    """From plain lists, with documents."""
    documents = [f"doc{i // 2}" for i in range(len(references))]
    return compared(TestSet.of(systems, references, sources=sources, documents=documents), specs)


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(page(compared(read_testset(sys.argv[1]))), encoding="utf-8")
