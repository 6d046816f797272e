"""A mistake of another package is said to be that package's, wherever its code is called."""

from __future__ import annotations

import dataclasses
import pathlib
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import formats
from tercet.agreeing.base import Draws, Found, Measure
from tercet.agreeing.gold import Comparing, Gold
from tercet.data import Array
from tercet.errors import PluginError
from tercet.metric_base import Card
from tercet.plugins import Plugins
from tercet.sample import campaign, judgements
from tercet.text import PythonTokenizer

CARD = Card("Theirs", "Of another package.", "none", "none", "none")


def agreement(measure: Measure, **asked: Any) -> tercet.MetaEvaluation:
    data: dict[str, Any] = {"testset": campaign("en-de"), "judgements": judgements("en-de")}
    return tercet.meta(**data, measures=measure, **{"metrics": ["chrf", "bleu"], "samples": 40, **asked})


@dataclasses.dataclass(frozen=True)
class Theirs(Measure):
    """A measure with no more than `found`."""

    name = "theirs"
    card = CARD

    def found(self, gold: Gold, metric: Array) -> Found:
        """How many scores there are."""
        return Found(float(np.nanmean(metric)), metric.size)


@dataclasses.dataclass(frozen=True)
class OnlyDistinct(Theirs):
    """Fails where a system was drawn twice."""

    def found(self, gold: Gold, metric: Array) -> Found:
        """As above."""
        if len(set(gold.systems)) < len(gold.systems):
            raise ValueError("doubled")
        return super().found(gold, metric)


@dataclasses.dataclass(frozen=True)
class Flat(Theirs):
    """Forgets the metrics."""

    def resampled(self, gold: Gold, metrics: Array, draws: Draws) -> Array:
        """Of all at once."""
        return np.zeros(draws.samples)


@dataclasses.dataclass(frozen=True)
class Lopsided(Theirs):
    """One p for two metrics."""

    def permuted(self, gold: Gold, metrics: Array, figures: Sequence[Found], draws: Draws) -> Array:
        """Of one."""
        return np.zeros((1, 1))


@dataclasses.dataclass(frozen=True)
class Invented(Theirs):
    """Names an interval that there is not."""

    def intervals(self, gold: Gold) -> Any:
        """Nonsense."""
        return ("nonsense",)


@dataclasses.dataclass(frozen=True)
class Untested(Theirs):
    """Leaves, in place of naming tests."""

    def tests(self, gold: Gold) -> Any:
        """Nothing."""
        sys.exit(3)


@pytest.mark.parametrize(
    ("measure", "asked", "told"),
    [
        (OnlyDistinct(), {"interval": "systems"}, "fails in its method found: ValueError: doubled"),
        (OnlyDistinct(), {"interval": "none", "test": "boot-system"}, "method found: ValueError: doubled"),
        (Flat(), {"interval": "systems"}, r"gives the shape \(40,\) from its method resampled"),
        (Flat(), {"interval": "none", "test": "boot-system"}, r"the shape \(1000,\) from its method resampled"),
        (Lopsided(), {"test": "perm-system"}, r"gives the shape \(1, 1\) from its method permuted"),
        (Invented(), {}, r"gives \('nonsense',\) from its method intervals"),
        (Untested(), {}, "fails in its method tests: SystemExit: 3"),
    ],
)
def test_a_measure(measure: Measure, asked: dict[str, Any], told: str) -> None:
    with pytest.raises(PluginError, match=told):
        agreement(measure, **asked)


@dataclasses.dataclass(frozen=True)
class Agreeing(Measure):
    """Share of comparisons in which a metric prefers what people prefer, counted by hand."""

    name = "agreeing"
    card = CARD
    levels = ("segment",)
    takes = "pairs"

    def found(self, gold: Gold, metric: Array) -> Found:
        """Those without a tie."""
        pairs = gold.comparisons
        gap = metric[pairs.left, pairs.segment] - metric[pairs.right, pairs.segment]
        decided = pairs.outcome != 1
        hits = (np.sign(gap) == 1 - pairs.outcome)[decided & ~np.isnan(gap)]
        return Found(float(hits.mean()), len(hits))


def test_a_measure_of_comparisons_needs_no_more_than_found() -> None:
    """In `meta` and as what is tuned for; its value before tuning is that of `meta`."""
    (record,) = agreement(Agreeing(), level="segment", metrics="chrf", interval="items")
    assert record.low is not None
    assert record.low <= record.value
    asked: dict[str, Any] = {"testset": campaign("en-de"), "judgements": judgements("en-de"), "folds": 2}
    tuned = tercet.tune("chrf", parameters=["beta=1:3:1"], level="segment", objective=Agreeing(), **asked)
    whole = tuned.record("all")
    assert (whole.default, whole.n) == (record.value, record.n)


@dataclasses.dataclass(frozen=True)
class Listing(Comparing):
    """Gives a list in place of comparisons."""

    name = "listing"
    card = CARD

    def pairs(self, judgements: Any, asked: Any) -> Any:
        """None."""
        return []


def test_a_gold() -> None:
    with pytest.raises(PluginError, match="gives a list from its method pairs"):
        agreement(Agreeing(), gold=Listing(), level="segment")


@dataclasses.dataclass(frozen=True)
class Cutter(PythonTokenizer):
    """Gives what it is told to."""

    name = "cutter"
    summary = "theirs"
    gives = "nothing"

    def split(self, text: str) -> Any:
        """A fault, if there is none such."""
        return {"number": 3, "text": text, "numbers": [1, 2]}[self.gives]


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        ("nothing", "fails in its method split: KeyError: 'nothing'"),
        ("number", "fails in its method split: TypeError"),
        ("numbers", "fails in its method split: TypeError"),
        ("text", "gives a str from its method split"),
    ],
)
def test_a_tokenizer(gives: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cutter, "gives", gives)
    with pytest.raises(PluginError, match=told):
        Cutter()("a b")


def broken_format(**methods: Any) -> types.ModuleType:
    module = types.ModuleType("their_format")
    vars(module).update(suffixes=(".theirs",), **methods)
    return module


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        ({"read": lambda path: 3}, "their_format gives a int from its method read"),
        ({"read": lambda path: 1 / 0}, "their_format fails in its method read: ZeroDivisionError"),
        (
            {"read": None, "read_parts": lambda path, size: iter([3])},
            "gives a int among parts from its method read_parts",
        ),
        ({"read": None, "read_parts": lambda path, size: 3}, "fails in its method read_parts: TypeError"),
    ],
)
def test_a_format(methods: dict[str, Any], told: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = broken_format(**methods)
    form = formats.Format("their_format", "theirs", (".theirs",), "read" if methods["read"] else None,
                          "read_parts" if "read_parts" in methods else None)  # fmt: skip
    monkeypatch.setattr(formats, "_chosen", lambda path, name: (form, module))
    with pytest.raises(PluginError, match=told):
        formats.read_testset(tmp_path / "a.theirs")


def test_a_module_that_leaves_when_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """`sys.exit` there ends nothing but the import."""

    class Entry:
        name, value, dist = "leaving", "leaving:Thing", None

        def load(self) -> None:
            sys.exit(3)

    monkeypatch.setattr("tercet.plugins._installed", lambda group: (Entry(),))
    with pytest.raises(PluginError, match=r"The metric 'leaving' of leaving cannot be imported .*: SystemExit: 3"):
        Plugins("metric", "tercet.metrics", ()).load("leaving")
