"""What `meta` refuses, and what it says then."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import tercet
from tercet.errors import InputError
from tercet.sample import judgements
from tests.agreeing.small import BAD, GOOD, HUMAN, TEXTS, beside, scores

REFUSED = {
    "neither": ({}, "Give a test set"),
    "both": ({"testset": TEXTS, "scores": [GOOD]}, "what people think"),
    "no people": ({"scores": [GOOD]}, "what people think"),
    "no people for texts": ({"testset": TEXTS}, "what people think"),
    "unknown measure": ({"scores": [HUMAN, GOOD], "measures": "peerson"}, "no measure"),
    "unknown lower": ({"scores": [HUMAN, GOOD], "lower": ["ter"]}, "no scores of ter"),
    "unknown reference-free": (
        {"scores": [HUMAN, GOOD], "reference_free": ["qe"]},
        "no scores of qe, which is to look at no reference",
    ),
    "reference-free of texts": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "reference_free": ["bleu"]},
        "reference_free does nothing without scores",
    ),
    "draws of judgements that are drawn": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "metrics": ["bleu", "chrf"], "test": "judgements"}
        | {"samples": 40, "draws": 50},
        "draws does nothing with the test judgements",
    ),
    "unknown without": ({"scores": [HUMAN, GOOD], "without": ["Z"]}, "no system Z"),
    "level of a measure": ({"scores": [HUMAN, GOOD], "measures": "acc-eq"}, "not a measure of the system level"),
    "level of scores": ({"scores": [HUMAN, GOOD], "level": "segment"}, "segment level"),
    "groups of systems": ({"scores": [HUMAN, GOOD], "measures": "pearson(group=item)"}, "one score a system"),
    "alpha": ({"scores": [HUMAN, GOOD], "alpha": 2.0}, "alpha must be a number between 0 and 1"),
    "level": ({"scores": [HUMAN, GOOD], "level": "word"}, "level must be one of"),
    "pearson of rankings": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "level": "segment", "measures": "pearson"},
        "no scores of segments",
    ),
    "darr of rankings": (
        {
            "testset": TEXTS,
            "judgements": judgements("en-de"),
            "level": "segment",
            "gold": "darr",
            "measures": "kendall(variant=darr)",
        },
        "has rankings, not scores",
    ),
    "judgements of segments": (
        {
            "testset": TEXTS,
            "judgements": judgements("en-de", "da"),
            "level": "segment",
            "interval": "judgements",
            "measures": "pearson",
        },
        "no interval by judgements",
    ),
    "no metric": ({"testset": TEXTS, "judgements": judgements("en-de"), "metrics": []}, "no metric"),
    "no measure": ({"scores": [HUMAN, GOOD], "measures": []}, "no measure"),
    "scored and not judged": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "human": HUMAN, "samples": 40},
        "have A, B, C, D, E, F, which nobody judged",
    ),
    "scored on other names": (
        {"testset": TEXTS, "human": scores("HUMAN", [1.0, 2.0]), "names": {"A": "nobody"}},
        "not in the test set",
    ),
    "name of nobody in both": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "human": HUMAN, "names": {"Z": "amber"}},
        "Z=amber names a system that is not in the judgements",
    ),
    "lower of texts": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "lower": ["bleu"]},
        "lower does nothing without scores",
    ),
    "metrics of scores": ({"scores": [HUMAN, GOOD], "metrics": ["bleu"]}, "need texts"),
    "another pair": ({"testset": TEXTS, "judgements": judgements("en-de"), "pair": "de-en"}, "nothing of de-en"),
    "comparisons for pearson": ({"testset": TEXTS, "judgements": judgements("en-de"), "gold": "pairs"}, "needs scores"),
    "scores for comparisons": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "gold": "trueskill", "level": "segment"},
        "needs comparisons",
    ),
    "comparisons of systems": ({"scores": [HUMAN, GOOD], "measures": "kendall(variant=wmt14)"}, "on segments"),
    "a ranker of scores": ({"scores": [HUMAN, GOOD], "gold": "trueskill"}, "people's scores are given"),
    "items of systems": ({"scores": [HUMAN, GOOD], "interval": "items"}, "no interval by items"),
    "both of systems": ({"scores": [HUMAN, GOOD], "interval": "both"}, "no interval by both"),
    "fisher of accuracy": (
        {"scores": [HUMAN, GOOD], "interval": "fisher", "measures": "accuracy"},
        "no interval by fisher",
    ),
    "correction": ({"scores": [HUMAN, GOOD], "correction": "bonferroni"}, "correction must be one of"),
    "on_skip": ({"scores": [HUMAN, GOOD], "on_skip": "all"}, "on_skip must be one of"),
    "judged": ({"scores": [HUMAN, GOOD], "judged": 2}, "judged must be a number from 0 to 1"),
    "unit": ({"testset": TEXTS, "judgements": judgements("en-de"), "unit": "word"}, "not 'word'"),
    "unit of segments": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "level": "segment", "unit": "segment"},
        "these are segments",
    ),
    "unit of scores": ({"scores": [HUMAN, GOOD], "unit": "task"}, "without judgements"),
    "computed and submitted": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "scores": [beside("chrf")], "metrics": ["chrf"]},
        "chrf is computed, and stands in the files as well",
    ),
    "scores of another pair": (
        {"testset": TEXTS, "judgements": judgements("en-de"), "scores": [beside("x", "de-en")]},
        "no language pair in common. scores has de-en; judgements has en-de",
    ),
    "scores of some pairs": (
        {"testset": TEXTS, "human": beside("HUMAN"), "scores": [beside("x", "de-en"), beside("x", "cs-en")]},
        "nothing says which of them the texts are of",
    ),
    "name of nobody": ({"scores": [HUMAN, GOOD], "names": {"Z": "A"}}, "no system Z"),
    "several scores of people": ({"scores": [GOOD], "human": [GOOD, BAD]}, "several scores of people"),
    "several directions of people": (
        {"testset": TEXTS, "human": [scores("HUMAN", [1.0, 2.0], direction=d) for d in ("de-en", "en-de")]},
        "are of de-en, en-de",
    ),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_said(options: Any, message: str) -> None:
    with pytest.raises(tercet.TercetError, match=message):
        tercet.meta(**options)


def test_segments_must_be_those_of_the_texts() -> None:
    others = dataclasses.replace(TEXTS, segments=tuple(f"x{s}" for s in TEXTS.segments))
    with pytest.raises(InputError, match="judges segment"):
        tercet.meta(testset=others, judgements=judgements("en-de"), metrics=["chrf"])
