"""The signature of `meta`: every choice that moved a number, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import tercet
from tercet.options import settings
from tercet.options.agreeing import MetaOptions
from tercet.sample import judgements
from tests.agreeing.small import BAD, ERRORS, FEW, GOOD, HUMAN, TEXTS, WHOLE

SIGNED: dict[str, tuple[dict[str, Any], str]] = {
    "metrics": ({"metrics": ["chrf", "ter"]}, "metrics:chrf+ter"),
    "names of metrics": ({"metrics": {"mine": "chrf(beta=3)"}}, "metrics:mine=chrf(beta=3)"),
    "aggregate": ({"aggregate": "rms"}, "aggregate:rms"),
    "level": ({"level": "segment", "gold": None}, "level:segment"),
    "measures": ({"measures": ["pearson", "spearman"]}, "measures:pearson+spearman"),
    "gold": ({"gold": "expected-wins"}, "gold:expected-wins"),
    "unit": ({"unit": "task"}, "unit:task"),
    "on_skip": ({"on_skip": "pair"}, "on_skip:pair"),
    "without": ({"without": ["cedar"]}, "without:cedar"),
    "references": ({"references": True}, "references:true"),
    "interval": ({"interval": "systems"}, "interval:systems"),
    "samples": ({"samples": 50}, "samples:50"),
    "seed": ({"seed": 7}, "seed:7"),
    "test": ({"test": "perm-system"}, "test:perm-system"),
    "draws": ({"test": "perm-system", "draws": 60}, "draws:60"),
    "alpha": ({"alpha": 0.1}, "alpha:0.1"),
    "correction": ({"correction": "holm"}, "correction:holm"),
    "common": ({"common": True}, "common:true"),
    "names": ({"names": {"amber": "amber"}}, "names:amber=amber"),
}
UNSIGNED = {"testset", "judgements", "scores", "human", "testset_format", "judgements_format", "scores_format", "pair"}
# of files, a mark that moves no number, of documents, of nobody, what is kept for the next run, where work is done
ELSEWHERE = {"lower", "reference_free", "judged", "threads", "progress", "cache", "engine", "trusted_network"}


def test_every_option_of_meta_is_signed_or_known_not_to_be() -> None:
    options = {option.name for option in settings(MetaOptions)}
    assert options == {*SIGNED, *UNSIGNED, *ELSEWHERE} - {"names of metrics"}


@pytest.mark.parametrize(("options", "fact"), SIGNED.values(), ids=SIGNED)
def test_what_moves_a_number_is_in_the_signature(options: dict[str, Any], fact: str) -> None:
    plain = tercet.meta(**WHOLE, **FEW)
    found = tercet.meta(**WHOLE | FEW | options)
    assert fact in found.signature.split("|")
    assert fact not in plain.signature.split("|")


def test_a_signature_says_what_was_used_and_nothing_else() -> None:
    options = WHOLE | FEW | {"measures": ["pearson", "spearman"], "metrics": ["chrf", "bleu"], "draws": 50}
    facts = dict(fact.split(":", 1) for fact in tercet.meta(**options).signature.split("|")[1:])
    assert facts["interval"] == "fisher+systems"
    assert facts["test"] == "williams+perm-system"
    assert (facts["unit"], facts["draws"]) == ("segment", "50")
    bare = tercet.meta(scores=[HUMAN, GOOD, BAD]).signature
    assert bare.partition("|tercet:")[0] == (
        "meta|scores:good+bad|level:system|measures:pearson|gold:HUMAN|interval:fisher|test:williams|alpha:0.05"
    ), "nothing is drawn"
    alone = tercet.meta(scores=[HUMAN, GOOD], interval="none").signature
    assert "interval:none|test:none|tercet" in alone
    assert "lower:errors" in tercet.meta(scores=[HUMAN, GOOD, ERRORS], lower=["errors"]).signature


def test_a_segment_is_signed_with_the_gold_of_segments() -> None:
    people = judgements("en-de", "da")
    found = tercet.meta(testset=TEXTS, judgements=people, metrics=["chrf"], level="segment", gold="darr", **FEW)
    assert "|gold:darr|interval:items|" in found.signature
