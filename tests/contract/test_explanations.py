"""Every registered metric explains its own score, in every variant of its options."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

import tercet
from tercet.data import Array, Batch, Factor
from tercet.errors import MissingExtraError, TercetError
from tercet.metric_base import Card, Metric
from tercet.metrics import METRICS
from tests.conftest import absent
from tests.contract import explanation_checks, metric_checks
from tests.contract.variants import variants


@pytest.mark.parametrize("check", explanation_checks.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", [*METRICS, *METRICS.aliases])
def test_a_metric_explains_its_score(name: str, check: Callable[[Metric], None]) -> None:
    try:
        check(METRICS.make(name))
    except MissingExtraError as error:
        absent(f"{name} needs something that is not installed: {error}")


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*METRICS])
def test_other_options_explain_theirs(name: str) -> None:
    for one in variants(METRICS.make(name)):
        for hyp, refs in explanation_checks.CASES[4:14]:
            try:
                score = metric_checks.segments(one, [hyp], [refs])[0]
            except TercetError:
                continue  # an option names a file or a package that is not there: no score, no explanation
            found = explanation_checks.explained(one, hyp, refs)
            assert found.score == score, str(one)
            for _, factor in [] if found.formula is None else found.formula.walk():
                explanation_checks.check_factor(factor)


WITH_NGRAMS = ["bleu", "mteval-bleu", "moses-bleu", "sentbleu", "nist", "chrf", "chrf++", "chrf-original"]
WITH_EDITS = ["ter", "moses-ter", "wer", "cder", "terp(setting=ter)"]
WITH_MATCHES = [*WITH_EDITS, "per"]


@pytest.mark.parametrize("name", [*WITH_NGRAMS, *WITH_MATCHES])
def test_the_kind_of_explanation(name: str) -> None:
    found = tercet.metric(name).explain("the cat sat down", ["a dog sat", "the black cat sat"])
    assert found.formula is not None
    assert bool(found.ngrams) == (name in WITH_NGRAMS)
    assert (found.edits is not None) == (name in WITH_EDITS)
    assert bool(found.matches) == (name in WITH_MATCHES)
    assert all(not label.startswith("statistic ") for label, _ in found.statistics)


@pytest.mark.parametrize("name", ["bleu", "moses-bleu", "mteval-bleu"])
def test_the_n_grams_of_bleu_are_its_matches(name: str) -> None:
    for hyp, refs in explanation_checks.CASES:
        found = tercet.metric(name).explain(hyp, refs)
        statistics = dict(found.statistics)
        for each in found.ngrams[0].orders:
            assert each.matched == statistics[f"matches {each.order}"]
            assert each.hypothesis == statistics[f"total {each.order}"]


@pytest.mark.parametrize("name", ["chrf++", "chrf(lowercase=true)", "chrf(whitespace=true)", "chrf-original"])
def test_the_n_grams_of_chrf_are_its_matches(name: str) -> None:
    for hyp, refs in explanation_checks.CASES:
        found = tercet.metric(name).explain(hyp, refs)
        numbers = [value for _, value in found.statistics]
        orders = [each for table in found.ngrams for each in table.orders]
        assert [float(each.reference) for each in orders] == numbers[1::3]
        assert [float(each.matched) for each in orders] == numbers[2::3]


def test_the_information_of_nist_is_that_of_its_n_grams() -> None:
    metric = tercet.metric("nist")
    for hyp, refs in explanation_checks.CASES:
        found = metric.explain(hyp, refs)
        statistics = dict(found.statistics)
        for each in found.ngrams[0].orders:
            told = sum((n.weight or 0) * n.matched for n in each.ngrams)
            assert told == pytest.approx(statistics[f"information {each.order}"], abs=1e-9)


def test_what_was_learnt_from_a_test_set_counts() -> None:
    metric = tercet.metric("nist")
    refs = metric_checks.REFERENCES
    batch = metric.batch(metric_checks.OUTPUTS, refs)
    for i, (hyp, ref) in enumerate(zip(metric_checks.OUTPUTS, refs, strict=True)):
        found = metric.explain(hyp, ref, learnt=batch.learnt)
        assert found.score == metric.score(metric.statistics(batch))[i]
        assert found.score != metric.explain(hyp, ref).score


@dataclasses.dataclass(frozen=True)
class Plain(Metric):
    """A metric that says nothing of itself."""

    name = "plain"
    card = Card("Plain", "Lengths.", "none", "any", "none")

    def statistics(self, batch: Batch) -> Array:
        """[characters, words]"""
        import numpy as np

        return np.array([[float(len(text)), float(len(text.split()))] for text in batch.hypotheses])

    def score(self, stats: Array) -> Array:
        """Characters a word."""
        return stats[..., 0] / stats[..., 1]


def test_a_metric_that_says_nothing_still_tells_its_statistics() -> None:
    found = Plain().explain("ab cd", "x")
    assert found.score == 2.5
    assert found.statistics == (("statistic 1", 5.0), ("statistic 2", 2.0))
    assert (found.formula, found.matches, found.ngrams, found.edits) == (None, (), (), None)


def test_a_wrong_number_is_seen() -> None:
    """The checks themselves can fail."""
    wrong = Factor("score", 3.0, "product", (Factor("a", 2.0), Factor("b", 2.0)))
    with pytest.raises(AssertionError):
        explanation_checks.check_factor(wrong)
    with pytest.raises(AssertionError):
        explanation_checks.check_factor(Factor("score", 0.0, "rule", (Factor("a", 2.0),)))
