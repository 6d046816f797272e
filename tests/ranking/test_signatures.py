"""What moves a number of `rank`, `choose`, `plan` and `agreement` stands in its signature."""

from __future__ import annotations

from typing import Any

import pytest

import tercet
from tercet.options import settings
from tercet.sample import judgements

# move no number
STILL = {"judgements", "judgements_format", "pair", "testset", "testset_format", "names", "threads", "progress"}
RANKED, SCORED, MARKED = (judgements("en-de", protocol) for protocol in ("rankings", "da", "mqm"))
FEW = {"samples": 40}
OTHERS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {  # input, options, and other values
    "rank": (
        RANKED,
        {**FEW, "method": "expected-wins"},
        {"samples": 41, "seed": 1, "confidence": 0.9, "unit": "task", "method": "others", "compat": True,
         "on_skip": "pair", "references": True},
    ),
    "choose": (
        RANKED,
        {"folds": 2, "methods": ("expected-wins", "others")},
        {"folds": 3, "seed": 1, "methods": ("others",), "on_skip": "pair", "references": True},
    ),
    "plan": (
        None,
        {"campaigns": 2, "samples": 10, "budget": 80},
        {"campaigns": 3, "samples": 11, "budget": 90, "seed": 1, "systems": 3, "gap": 0.2, "method": "others",
         "ties": 0.1, "size": 2, "confidence": 0.9, "power": 0.5},
    ),
    "agreement": (
        RANKED,
        {},
        {"compat": True, "expand": True, "on_skip": "task", "references": False, "kappa": "cohen",
         "weighting": "linear", "by": "judges", "groups": {"two": "judge[12]"}, "ci": True, "samples": 41, "seed": 1},
    ),
}  # fmt: skip

NEEDED: dict[str, dict[str, Any]] = {  # what an option makes sense with only
    "size": {"systems": 3},
    "weighting": {"kappa": "cohen"},
    "agreement samples": {"ci": True, "samples": 40},
    "agreement seed": {"ci": True, "samples": 40},
    "groups": {"by": "groups", "groups": {"one": "judge1"}},
}


@pytest.mark.parametrize("verb", OTHERS)
def test_a_signature_changes_with_every_option_that_moves_a_number(verb: str) -> None:
    data, plain, others = OTHERS[verb]
    function: Any = getattr(tercet, verb)
    names = {option.name for option in settings(function.options)} - STILL - {"weights"}
    assert set(others) == names
    for name, value in others.items():
        more = NEEDED.get(name, {}) | NEEDED.get(f"{verb} {name}", {})
        changed = function(data, **{**plain, **more, name: value}).signature
        assert changed != function(data, **{**plain, **more}).signature, name


@pytest.mark.parametrize("verb", [tercet.agreement, tercet.annotators])
def test_weights_of_errors_are_signed(verb: Any) -> None:
    assert verb(MARKED).signature != verb(MARKED, weights="Major:1 Minor:1").signature


def test_options_of_a_ranker_are_signed() -> None:
    one, other = (tercet.rank(SCORED, method=m, samples=40).signature for m in ("da", "da(standardize=none)"))
    assert one != other
