"""Every option that can move a number is in the signature of the verb that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import MetricScores, TagColumns, WordTags
from tercet.options import settings
from tercet.sample import campaign, judgements

TEXTS = campaign("en-de")
RUNS = {"A": {"q1": {"d1": 2.0, "d2": 1.0}}, "B": {"q1": {"d1": 1.0, "d2": 2.0}}}
QRELS = {"q1": {"d2": 1, "d1": 2}}
QUERIES = {"q1": "a cat"}
SEARCHED = {"runs": dict.fromkeys("ABC", QUERIES), "ceiling": QUERIES, "collection": {"d1": "a cat", "d2": "a dog"}}
LENGTHS = np.array([[float(len(text)) for text in texts.strings] for texts in TEXTS.systems.values()])
TESTED = {"testset": TEXTS, "metrics": ["chrf"], "paired": "bootstrap", "samples": 200}
EXCHANGED = {"paired": "randomization", "samples": 1000}

TAGS = WordTags({"mt": TagColumns(((("OK", "Omission"),),))})
TAGGED = {"level": "word", "predictions": {"a": TAGS}, "gold": TAGS}
RATED = {"predictions": {"a": [0.1, 0.4, 0.2], "b": [0.3, 0.1, 0.9]}, "gold": [0.1, 0.5, 0.3]}
MARKED, SPANNED = judgements("en-de", "mqm"), judgements("en-de", "esa")
PEOPLE, SCORED = judgements("en-de"), judgements("en-de", "da")
HUMAN = MetricScores("HUMAN", "", "segment", tuple(TEXTS.systems), tuple(TEXTS.segments), LENGTHS)
LEARNT = {"testset": TEXTS, "judgements": PEOPLE, "folds": 2}
SYSTEMS = {"level": "system", "objective": "pearson"}
PEOPLE_CHANGED: dict[str, dict[str, Any]] = {
    "objective": {"objective": "pair-accuracy"},
    "folds": {"folds": 3},
    "without": {"without": ["ember"]},
    "references": {"references": True},
    "on_skip": {"on_skip": "pair"},
    "seed": {"seed": 1},
    "names": {"names": {"amber": "amber"}},
    "lower": {"lower": True, "judgements": None, "human": HUMAN, "objective": "pearson"},
}

# a call of each verb, and for each option that can move a number another value, with what must be said beside it
VERBS: dict[str, tuple[dict[str, Any], dict[str, dict[str, Any]]]] = {
    "score": (
        TESTED,
        {
            "metrics": {"metrics": ["ter"]},
            "level": {"level": "segment", "paired": None, "samples": 1000},
            "ci": {"ci": True, "paired": None, "samples": 1000},
            "paired": EXCHANGED,
            "baseline": {"baseline": "cedar"},
            "samples": {"samples": 201},
            "trials": {"trials": 201, **EXCHANGED},
            "seed": {"seed": 1},
            "unit": {"unit": "document"},
            "correction": {"correction": "bh"},
            "compat": {"compat": True},
            "aggregate": {"aggregate": "rms"},
            "resampling": {"resampling": "streamed"},
        },
    ),
    "compare": (
        TESTED,
        {
            "metrics": {"metrics": ["ter"]},
            "paired": {"paired": "randomization"},
            "baseline": {"baseline": "cedar"},
            "samples": {"samples": 201},
            "trials": {"trials": 201, "paired": "randomization"},
            "seed": {"seed": 1},
            "unit": {"unit": "document"},
            "correction": {"correction": "bh"},
            "tokenize": {"tokenize": "char"},
            "corpus": {"corpus": ["a text of its own"]},
            "facets": {"facets": ["ember"]},
        },
    ),
    "explain": (
        {"metric": "chrf", "testset": TEXTS, "segment": TEXTS.segments[0], "systems": ["amber"]},
        {"metric": {"metric": "chrf(beta=3)"}},
    ),
    "retrieval": (
        {"runs": RUNS, "qrels": QRELS, "trials": 40},
        {
            "metrics": {"metrics": ["chrf"], **SEARCHED},
            "ceiling": {"ceiling": RUNS["A"]},
            "baseline": {"baseline": "B"},
            "test": {"test": "t-test", "trials": 10_000},
            "trials": {"trials": 41},
            "seed": {"seed": 1},
            "complete": {"complete": False},
            "relevant": {"relevant": 2},
        },
    ),
    "tune": (
        {**LEARNT, "metric": "chrf", "parameters": "beta=1:2:1", "samples": 40},
        {
            "metric": {"metric": "chrf(char_order=4)"},
            "level": {**SYSTEMS, "judgements": SCORED},
            "gold": {"gold": "expected-wins", **SYSTEMS},
            "parameters": {"parameters": "beta=1:3:1"},
            "search": {"search": "refine"},
            "samples": {"samples": 41, **SYSTEMS},
            "unit": {"unit": "pair", "gold": "expected-wins", **SYSTEMS},
            "judged": {"judged": 0.5, "level": "document", "objective": "pearson", "judgements": SCORED},
            **PEOPLE_CHANGED,
        },
    ),
    "train": (
        {**LEARNT, "kind": "combine", "metrics": ["chrf", "ter"], "strengths": [1]},
        {
            "kind": {"kind": "beer"},
            "metrics": {"metrics": ["chrf", "wer"]},
            "learner": {"learner": "logistic"},
            "strengths": {"strengths": [2]},
            "gold": {"gold": "darr", "judgements": SCORED},
            **PEOPLE_CHANGED,
        },
    ),
    "qe_evaluate": (
        {**RATED, "level": "sentence", "samples": 40},
        {
            "level": TAGGED,
            "higher": {"higher": True},
            "scale": {"scale": 100.0},
            "order": {"order": "score"},
            "compat": {"compat": True},
            "granularity": {"granularity": "binary", **TAGGED},
            "replace": {"replace": {"Omission": "Addition"}, **TAGGED},
            "baseline": {"baseline": "b"},
            "alpha": {"alpha": 0.1},
            "samples": {"samples": 201},
            "seed": {"seed": 1},
        },
    ),
    "qe_labels": (
        {"kind": "hter", "target": ["a b"], "post_edits": ["b a"]},
        {
            "kind": {"kind": "tags"},
            "shifts": {"shifts": False},
            "case_sensitive": {"case_sensitive": True},
            "capped": {"capped": False},
            "bounds": {"bounds": (0.5,), "kind": "effort"},
            "cutoff": {"cutoff": 2.0, "kind": "time", "times": [1.0]},
            "scale": {"scale": 2.0, "kind": "time", "times": [1.0]},
            "granularity": {"granularity": "given", "kind": "tags"},
            "threshold": {"threshold": 50.0, "kind": "error-free", "judgements": SPANNED, "system": "amber"},
        },
    ),
}
# What is given is held in test_signed_inputs.py; the others are who does the work, and how files are read.
OF_CAMPAIGNS = {"qe_evaluate": {"kind", "system"}}  # held in tests/campaigns, where there are some
GIVEN = {
    *("hypotheses", "references", "testset", "sources", "documents", "num_refs", "source", "segment", "systems"),
    "max_tokens",  # which refuses, and never moves a number
    *("runs", "qrels", "collection", "testset_format", "pair", "threads", "progress", "cache", "engine"),
    *("trusted_network", "resume"),
    *("judgements", "human", "judgements_format", "scores_format", "model", "parses", "vectors", "encoder"),
    *("predictions", "gold", "target", "post_edits", "times", "training", "typology", "gaps", "system"),
}


def signature(verb: str, call: dict[str, Any]) -> str:
    """All that a verb signs."""
    function: Callable[..., Any] = getattr(tercet, verb)
    answer = function(**call)
    records = "" if verb != "score" else "".join(dict.fromkeys(r.signature for r in answer))
    metrics = "" if verb != "compare" else "".join(m.signature for m in answer.metrics)
    return f"{answer.signature}{records}{metrics}"


CASES = [(verb, option) for verb, (_, others) in VERBS.items() for option in others]


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_another_value_or_is_given(verb: str) -> None:
    """An option that is added is held here, or named among what is given."""
    function: Any = getattr(tercet, verb)
    held = set(VERBS[verb][1]) | OF_CAMPAIGNS.get(verb, set())
    assert {s.name for s in settings(function.options)} - GIVEN == held - GIVEN


@pytest.mark.parametrize(("verb", "option"), CASES)
def test_another_value_is_another_signature(verb: str, option: str) -> None:
    """Beside the option itself only what it needs is changed, on both sides."""
    call, others = VERBS[verb]
    beside = {name: value for name, value in others[option].items() if name != option}
    usual = call if option in call else {**call, **beside}
    assert signature(verb, {**call, **others[option]}) != signature(verb, usual)
    assert signature(verb, usual) == signature(verb, usual)


def test_labels_of_another_system_are_signed() -> None:
    calls = [{"kind": "mqm", "judgements": MARKED, "system": system} for system in ("amber", "birch")]
    assert len({signature("qe_labels", call) for call in calls}) == 2
