"""Punctuation normalisation: each rule, what is left alone, that twice is once, and how metrics take it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tercet
from tercet.data import Batch, References, Texts
from tercet.text import both_sides
from tercet.text.punctuation import punct

RULES = {
    "curly and low quotes": ("„so“ and “so” and ‟so", '"so" and "so" and "so'),
    "doubled apostrophes": ("''so'' and ``so´´", '"so" and "so"'),
    "three apostrophes": ("'''so", "\"'so"),
    "single quotes": ("‘a’ ‚b‛ ‹c› d´e `f", "'a' 'b' 'c' d'e 'f"),
    "French guillemets": ("Il a dit : « oui ».", 'Il a dit: "oui".'),
    "guillemets in brackets": ("(« oui »)", '("oui")'),
    "German guillemets": ("das »Wort« ist", 'das "Wort" ist'),
    "Swiss guillemets": ("das «Wort» ist", 'das "Wort" ist'),
    "dashes": ("a – b — c − d ― e ‐ f\u2011g", "a - b - c - d - e - f-g"),
    "ellipsis": ("so …", "so..."),
    "spaces": ("2\u00a0mg\u2009bis\u202f3\u3000mg", "2 mg bis 3 mg"),
    "runs of spaces": ("  a   b ", "a b"),
    "before punctuation": ("a , b . c ; d : e ! f ? g ) h", "a, b. c; d: e! f? g) h"),
    "in brackets": ("( a ) (  b)", "(a) (b)"),
    "percent": ("5 % von 7\u00a0%", "5% von 7%"),
    "full width": ("Ａ１（ｂ）！％＂｀", "A1(b)!%\"'"),
    "zero width": ("a\u200bb\u200c\u200d\ufeffc\u2060 '\u200b'", 'abc "'),
}
ALONE = ["2,5 mg", "1.000,5", "a, b", "3-4", "don't", "a\tb", "日本語。", "हिन्दी में।", ""]
MARKS = "\"'`´‘’‚“”„«»‹› \u00a0\u2009\u3000\u200b\ufeff-–—−….,;:!?()%（）！％＇＂ab1"


@pytest.mark.parametrize(("given_", "wanted"), RULES.values(), ids=RULES)
def test_a_rule(given_: str, wanted: str) -> None:
    assert punct(given_) == wanted


@pytest.mark.parametrize("text", ALONE)
def test_what_is_left_alone(text: str) -> None:
    assert punct(text) == text


@given(st.one_of(st.text(alphabet=MARKS, max_size=20), st.text(max_size=30)))
@example("' \u200b'")
@example("« ' »'")
def test_twice_is_once(text: str) -> None:
    once = punct(text)
    assert punct(once) == once


@given(st.text(alphabet=MARKS, max_size=20))
def test_nothing_is_left_of_what_is_replaced(text: str) -> None:
    found = punct(text)
    assert found.isascii()
    assert "''" not in found
    assert "  " not in found
    assert not any(f" {mark}" in found for mark in ",.;:!?)%")
    assert "( " not in found


def test_none_is_the_text_itself_and_punct_is_made_once() -> None:
    batch = Batch(Texts(("a …",)), References.of(["b –"]))
    hyps, refs = both_sides(batch, "none")
    assert hyps is batch.hypotheses
    assert batch.references is not None
    assert refs is batch.references.texts
    first, second = both_sides(batch, "punct"), both_sides(batch, "punct")
    assert [list(side) for side in first] == [["a..."], ["b -"]]
    assert first[0] is second[0]
    assert first[1] is second[1]


METRICS = ("bleu", "ter", "moses-ter", "moses-bleu", "sentbleu", "wer", "cder", "per")


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_with_it_scores_as_one_on_normalised_text(name: str) -> None:
    hyps = ["« Oui » , dit-il …", "Es war „gut“ – sehr gut !", "nothing to do here at all"]
    refs = ['"Oui", dit-il...', 'Es war "gut" - sehr gut!', "nothing to be done here at all"]
    with_it, without = tercet.metric(f"{name}(normalize=punct)"), tercet.metric(name)
    assert with_it.corpus(hyps, refs) == without.corpus([punct(h) for h in hyps], [punct(r) for r in refs])
    assert with_it.corpus(hyps, refs) != without.corpus(hyps, refs)
    assert with_it.corpus(refs, hyps) == without.corpus([punct(r) for r in refs], [punct(h) for h in hyps])


def test_the_signature_says_so() -> None:
    scores = tercet.score({"a": ["x"]}, ["x"], metrics=["bleu", "bleu(normalize=punct)", "cder(normalize=punct)"])
    assert ["|normalize:punct|" in r.signature for r in scores] == [False, True, True]
    assert "|normalize:none|" in next(iter(scores)).signature


def test_an_unknown_pipeline_is_refused() -> None:
    with pytest.raises(tercet.SpecError, match="normalize"):
        tercet.metric("bleu(normalize=everything)")
