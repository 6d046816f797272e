"""Tercet: a workbench for machine-translation evaluation.

    tercet.metric("chrf").corpus(hypotheses, references)     one number
    tercet.metric("chrf").segments(hypotheses, references)   one number a segment
    tercet.tokenizer("13a")("Hello, world!")                 tokens
    tercet.score(systems, references, metrics=[...])         systems × metrics, with intervals and tests

Every verb of the command line is a function of the same name: `score`, `list`, `show`, `demo`.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tercet.data import Scores, Statistics, TestSet
    from tercet.errors import InputError, MissingExtraError, SpecError, TercetError
    from tercet.formats import read_testset
    from tercet.metric import Metric
    from tercet.metrics import metric
    from tercet.report.catalogue import list, show  # noqa: A004
    from tercet.sample import demo
    from tercet.scoring import score
    from tercet.text import tokenizer

# Loaded when first asked for, so that the command line answers at once.
_HOME = {
    "InputError": "errors",
    "Metric": "metric",
    "MissingExtraError": "errors",
    "Scores": "data",
    "SpecError": "errors",
    "Statistics": "data",
    "TercetError": "errors",
    "TestSet": "data",
    "demo": "sample",
    "list": "report.catalogue",
    "metric": "metrics",
    "read_testset": "formats",
    "score": "scoring",
    "show": "report.catalogue",
    "tokenizer": "text",
}

__version__ = "0.1.0"
__all__ = [
    "InputError",
    "Metric",
    "MissingExtraError",
    "Scores",
    "SpecError",
    "Statistics",
    "TercetError",
    "TestSet",
    "__version__",
    "demo",
    "list",
    "metric",
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
