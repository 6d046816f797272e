"""Tercet: a workbench for machine-translation evaluation.

    tercet.metric("chrf").corpus(hypotheses, references)     one number
    tercet.metric("chrf").segments(hypotheses, references)   one number a segment
    tercet.tokenizer("13a")("Hello, world!")                 tokens
    tercet.score(systems, references, metrics=[...])         systems × metrics, with intervals and tests
    tercet.rank("rankings.csv", method="trueskill")          systems ranked by people, in clusters
    tercet.agreement("rankings.csv")                         how far the judges agree

Every verb of the command line is a function of the same name: `score`, `rank`,
`agreement`, `choose`, `plan`, `list`, `show`, `demo`.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tercet.data import Agreement, Annotators, Judgements, Ranking, Scores, Statistics, TestSet
    from tercet.errors import InputError, MissingExtraError, SpecError, TercetError
    from tercet.formats import read_judgements, read_testset
    from tercet.human.agreement import agreement
    from tercet.human.annotators import annotator_page, annotators
    from tercet.metric import Metric
    from tercet.metrics import metric
    from tercet.ranking import Ranker, ranker
    from tercet.ranking.choose import choose
    from tercet.ranking.plan import plan, propose_next
    from tercet.ranking.rank import head_to_head, rank
    from tercet.report.catalogue import list, show  # noqa: A004
    from tercet.sample import demo
    from tercet.scoring import score
    from tercet.text import tokenizer

# Loaded when first asked for, so that the command line answers at once.
_HOME = {
    "Agreement": "data",
    "Annotators": "data",
    "InputError": "errors",
    "Judgements": "data",
    "Metric": "metric",
    "MissingExtraError": "errors",
    "Ranker": "ranking",
    "Ranking": "data",
    "Scores": "data",
    "SpecError": "errors",
    "Statistics": "data",
    "TercetError": "errors",
    "TestSet": "data",
    "agreement": "human.agreement",
    "annotator_page": "human.annotators",
    "annotators": "human.annotators",
    "choose": "ranking.choose",
    "demo": "sample",
    "head_to_head": "ranking.rank",
    "list": "report.catalogue",
    "metric": "metrics",
    "plan": "ranking.plan",
    "propose_next": "ranking.plan",
    "rank": "ranking.rank",
    "ranker": "ranking",
    "read_judgements": "formats",
    "read_testset": "formats",
    "score": "scoring",
    "show": "report.catalogue",
    "tokenizer": "text",
}

__version__ = "0.1.0"
__all__ = [
    "Agreement",
    "Annotators",
    "InputError",
    "Judgements",
    "Metric",
    "MissingExtraError",
    "Ranker",
    "Ranking",
    "Scores",
    "SpecError",
    "Statistics",
    "TercetError",
    "TestSet",
    "__version__",
    "agreement",
    "annotator_page",
    "annotators",
    "choose",
    "demo",
    "head_to_head",
    "list",
    "metric",
    "plan",
    "propose_next",
    "rank",
    "ranker",
    "read_judgements",
    "read_testset",
    "score",
    "show",
    "tokenizer",
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
