"""The language of a Moses metric is written once, wherever it was given."""

from __future__ import annotations

import pytest

import tercet

HYP, REF = ["bzw. Karl"], ["bzw. Otto"]


@pytest.mark.parametrize(
    "spec",
    [
        "wer(language=de)",
        'wer(tokenize="moses(escape=false)", language=de)',
        'wer(tokenize="moses(escape=false, language=de)")',
        'wer(tokenize="moses(language=de)")',
        'wer(tokenize="moses(language=de)", language=de)',
    ],
)
def test_german_rules_are_used_and_said(spec: str) -> None:
    metric = tercet.metric(spec)
    assert metric.corpus(HYP, REF) == 50
    assert metric.parameters()["language"] == "de"
    assert "language" not in metric.parameters()["tokenize"]
    assert tercet.metric(str(metric)) == metric


def test_two_languages_are_refused() -> None:
    with pytest.raises(tercet.SpecError, match="language must be the tokenizer's, en"):
        tercet.metric('wer(tokenize="moses(language=en)", language=de)')


@pytest.mark.parametrize("language", ["DE", "german", "de-AT", ""])
def test_what_is_no_code_is_refused(language: str) -> None:
    for spec in (f'wer(language="{language}")', f'moses-bleu(tokenize=moses(language="{language}"))'):
        with pytest.raises(tercet.SpecError, match="a code of two or three letters"):
            tercet.metric(spec)


def test_a_language_without_a_list_takes_the_english_one() -> None:
    assert tercet.tokenizer("moses(language=tlh)")("Mr. Worf") == ["Mr.", "Worf"]
