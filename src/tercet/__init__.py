"""Tercet: a workbench for machine-translation evaluation.

    tercet.metric("chrf").corpus(hypotheses, references)     one number
    tercet.metric("chrf").segments(hypotheses, references)   one number a segment
    tercet.tokenizer("13a")("Hello, world!")                 tokens
    tercet.score(systems, references, metrics=[...])         systems × metrics, with intervals and tests
    tercet.compare(testset, metrics=[...])                   where systems differ, and is it luck?
    tercet.explain("ter", hypothesis, reference)             why one segment scores as it does
    tercet.rank("rankings.csv", method="trueskill")          systems ranked by people, in clusters
    tercet.agreement("rankings.csv")                         how far the judges agree
    tercet.meta(testset="texts.tsv", judgements="rankings.csv", metrics=[...])   how far metrics agree with people
    tercet.tune("chrf", testset="texts.tsv", judgements="rankings.csv")   the spec that agrees best with people
    tercet.train("beer", testset="texts.tsv", judgements="rankings.csv", model="beer.json")   weights learnt from people
    tercet.run("study.toml", "results")                      a whole metrics task: tables, figures, report
    tercet.retrieval({"A": "a.run"}, "qrels.txt")            what translated queries find

Every verb of the command line is a function of the same name: `score`, `compare`, `explain`, `rank`,
`agreement`, `choose`, `plan`, `meta`, `tune`, `run`, `list`, `show`, `demo`.
Every verb of the command line is a function of the same name: `score`, `explain`, `rank`,
`agreement`, `choose`, `plan`, `meta`, `tune`, `run`, `retrieval`, `list`, `show`, `demo`.
Every verb of the command line is a function of the same name: `score`, `explain`, `rank`,
`agreement`, `choose`, `plan`, `meta`, `tune`, `train`, `run`, `list`, `show`, `demo`.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tercet.comparing.compare import compare
    from tercet.data import (
        Agreement,
        Annotators,
        Comparison,
        Explanation,
        Explanations,
        Judgements,
        MetaEvaluation,
        MetricScores,
        Ranking,
        Retrieval,
        Scores,
        Statistics,
        TestSet,
    )
    from tercet.errors import InputError, MissingExtraError, SpecError, TercetError
    from tercet.explaining import explain
    from tercet.formats import read_judgements, read_scores, read_testset, write_scores
    from tercet.human.agreement import agreement
    from tercet.human.annotators import annotator_page, annotators
    from tercet.learning.training import Training, train
    from tercet.learning.tuning import Tuning, tune
    from tercet.meta import Measure, measure
    from tercet.meta.evaluation import meta
    from tercet.metric import Metric
    from tercet.metrics import metric
    from tercet.ranking import Ranker, ranker
    from tercet.ranking.choose import choose
    from tercet.ranking.plan import plan, propose_next
    from tercet.ranking.rank import head_to_head, rank
    from tercet.report.catalogue import list, show  # noqa: A004
    from tercet.report.study import run
    from tercet.retrieval.evaluation import retrieval
    from tercet.sample import demo
    from tercet.scoring import score
    from tercet.study import Study, read_study
    from tercet.text import tokenizer

# Loaded when first asked for, so that the command line answers at once.
_HOME = {
    "Agreement": "data",
    "Annotators": "data",
    "Comparison": "data",
    "Explanation": "data",
    "Explanations": "data",
    "InputError": "errors",
    "Judgements": "data",
    "Measure": "meta",
    "MetaEvaluation": "data",
    "Metric": "metric",
    "MetricScores": "data",
    "MissingExtraError": "errors",
    "Ranker": "ranking",
    "Ranking": "data",
    "Retrieval": "data",
    "Scores": "data",
    "SpecError": "errors",
    "Statistics": "data",
    "Study": "study",
    "TercetError": "errors",
    "TestSet": "data",
    "Training": "learning.training",
    "Tuning": "learning.tuning",
    "agreement": "human.agreement",
    "annotator_page": "human.annotators",
    "annotators": "human.annotators",
    "choose": "ranking.choose",
    "compare": "comparing.compare",
    "demo": "sample",
    "explain": "explaining",
    "head_to_head": "ranking.rank",
    "list": "report.catalogue",
    "measure": "meta",
    "meta": "meta.evaluation",
    "metric": "metrics",
    "plan": "ranking.plan",
    "propose_next": "ranking.plan",
    "rank": "ranking.rank",
    "ranker": "ranking",
    "read_judgements": "formats",
    "read_scores": "formats",
    "read_study": "study",
    "read_testset": "formats",
    "retrieval": "retrieval.evaluation",
    "run": "report.study",
    "score": "scoring",
    "show": "report.catalogue",
    "tokenizer": "text",
    "train": "learning.training",
    "tune": "learning.tuning",
    "write_scores": "formats",
}

__version__ = "0.1.0"
__all__ = [
    "Agreement",
    "Annotators",
    "Comparison",
    "Explanation",
    "Explanations",
    "InputError",
    "Judgements",
    "Measure",
    "MetaEvaluation",
    "Metric",
    "MetricScores",
    "MissingExtraError",
    "Ranker",
    "Ranking",
    "Retrieval",
    "Scores",
    "SpecError",
    "Statistics",
    "Study",
    "TercetError",
    "TestSet",
    "Training",
    "Tuning",
    "__version__",
    "agreement",
    "annotator_page",
    "annotators",
    "choose",
    "compare",
    "demo",
    "explain",
    "head_to_head",
    "list",
    "measure",
    "meta",
    "metric",
    "plan",
    "propose_next",
    "rank",
    "ranker",
    "read_judgements",
    "read_scores",
    "read_study",
    "read_testset",
    "retrieval",
    "run",
    "score",
    "show",
    "tokenizer",
    "train",
    "tune",
    "write_scores",
]


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # `tercet.metric` stays the function when the module of that name is imported
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tercet' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"tercet.{_HOME[name]}"), name)
    globals()[name] = found
    return found


sys.modules[__name__].__class__ = _Package
