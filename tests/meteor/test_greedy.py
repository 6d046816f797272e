"""METEOR's first matcher, stage by stage; and M-BLEU and M-TER, which rewrite what was matched."""

from __future__ import annotations

import pytest

import tercet
from tercet.errors import SpecError
from tercet.metrics.meteor.greedy import pairs
from tercet.metrics.meteor.rewritten import MBleu, MTer


def known(*words: str, same: str | None = None) -> dict[str, frozenset[object]]:
    """What words are known by: themselves, or all by one key."""
    return {word: frozenset({same or word}) for word in words}


def test_an_earlier_stage_is_not_taken_back() -> None:
    """`banks` goes to the same word at once, though `bank` has then nothing; all stages at once would match both."""
    exact, stem = known("bank", "banks"), known("bank", "banks", same="bank")
    assert pairs(["bank", "banks"], ["banks"], [exact, stem]) == [(1, 0)]
    assert pairs(["bank", "banks"], ["banks", "bank"], [exact, stem]) == [(0, 1), (1, 0)]


def test_of_equal_words_the_one_that_crosses_least() -> None:
    same = known("a", "b")
    assert pairs(["b", "a"], ["a", "b", "a"], [same]) == [(0, 1), (1, 2)]
    assert pairs([], ["a"], [same]) == pairs(["a"], [], [same]) == []


def test_both_searches_agree_where_words_occur_once() -> None:
    hyps, refs = ["a dog runs over there", ""], ["over there some dogs ran", "x"]
    both = [tercet.metric(f"meteor-lecture(search={search})").segments(hyps, refs) for search in ("beam", "greedy")]
    assert both[0].tolist() == both[1].tolist()


def test_greedy_loses_where_all_at_once_wins() -> None:
    hyp, ref = "the cat the mat", "mat the cat on the"
    beam, greedy = (tercet.metric(f"meteor-lecture(search={s}, modules=exact)") for s in ("beam", "greedy"))
    assert greedy.segments([hyp], [ref])[0] <= beam.segments([hyp], [ref])[0]
    found = greedy.explain(hyp, ref)
    assert {match.kind for match in found.matches} == {"greedy"}
    with pytest.raises(SpecError, match="beam where paraphrases are matched"):
        tercet.metric("meteor-lecture(search=greedy, modules=exact+paraphrase)")


def test_matched_words_are_read_as_the_reference_has_them() -> None:
    hyp, ref = "the dogs were running fast", "the dog was running fast"
    assert MTer().segments([hyp], [ref])[0] < tercet.metric("ter").segments([hyp], [ref])[0]
    assert MBleu().segments([hyp], [ref])[0] > tercet.metric("bleu").segments([hyp], [ref])[0]
    assert MBleu().segments([ref], [ref])[0] == pytest.approx(100)
    assert "Read as: the dog was running fast" in MTer().explain(hyp, ref).notes


def test_with_exact_matches_alone_they_are_bleu_and_ter() -> None:
    hyps, refs = ["a small dog sat here", "no"], ["a small cat sat down here", "yes"]
    assert MTer(modules=("exact",)).corpus(hyps, refs) == tercet.metric("ter").corpus(hyps, refs)
    assert MBleu(modules=("exact",)).corpus(hyps, refs) == tercet.metric("bleu").corpus(hyps, refs)


def test_the_reference_that_shares_most_words_is_followed() -> None:
    metric = MBleu(effective_order=True)
    both = metric.segments(["two dogs slept"], [["cats", "two dogs sleep"]])[0]
    assert both == metric.segments(["two dogs slept"], ["two dogs sleep"])[0] == pytest.approx(100)
