"""One decision: p-values against their definition, and intervals that never contradict them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.errors import InputError
from tercet.options.groups import Correction
from tercet.sample import campaign, judgements
from tercet.stats.correction import adjusted, benjamini_hochberg, holm, level_before, require_draws
from tercet.stats.decision import decide, decide_by_spread, p_values
from tercet.stats.rounding import reaches, signs

Array = npt.NDArray[np.float64]
ALPHA = 0.05
CORRECTIONS: list[Correction] = ["none", "holm", "bh"]
VALUES = st.one_of(st.sampled_from([0.0, 0.1, 0.2, 0.1 + 0.2, 0.3, 1.0]), st.floats(-5, 5), st.just(float("nan")))


@st.composite
def questions(draw: st.DrawFn) -> tuple[Array, Array]:
    """Differences and what chance makes of them, with ties, nothing at all, and what is not defined."""
    n, draws = draw(st.integers(1, 6)), draw(st.sampled_from([5, 19, 20, 40, 99, 100]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    chance = np.abs(rng.normal(size=(n, draws)) * draw(st.sampled_from([0.0, 0.01, 0.5, 2.0])))
    if draw(st.booleans()):
        chance = chance.round(1)
    if draw(st.booleans()):
        chance[rng.random(chance.shape) < 0.05] = np.nan
    return np.array(draw(st.lists(VALUES, min_size=n, max_size=n))), chance


@given(questions(), st.sampled_from(CORRECTIONS))
def test_an_interval_leaves_out_0_exactly_where_p_is_below_the_level(
    given_: tuple[Array, Array], correction: Correction
) -> None:
    differences, chance = given_
    p, low, high = decide(differences, chance, 1.0, correction, ALPHA)
    known = ~np.isnan(differences)
    assert (np.isnan(p) == ~known).all()
    assert (np.isnan(low) == ~known).all()
    sure = p[known] < ALPHA
    assert (((low > 0) | (high < 0))[known] == sure).all()
    assert (low[known] <= differences[known]).all()
    assert (differences[known] <= high[known]).all()
    assert (p[known] > 0).all()


@given(
    st.lists(st.tuples(VALUES, st.sampled_from([0.0, 1e-9, 0.1, 0.15, 1.0, float("nan")])), min_size=1, max_size=8),
    st.sampled_from(CORRECTIONS),
)
def test_so_does_an_interval_by_a_standard_error(given_: list[tuple[float, float]], correction: Correction) -> None:
    differences, spread = np.array(given_).T
    p, low, high = decide_by_spread(differences, spread, np.full(len(spread), 9.0), correction, ALPHA)
    known = ~np.isnan(differences + spread)
    assert (np.isnan(p) == ~known).all()
    assert (((low > 0) | (high < 0))[known] == (p < ALPHA)[known]).all()
    assert (low[known] <= differences[known]).all()
    assert (differences[known] <= high[known]).all()


@given(questions())
def test_p_is_the_share_of_chance_that_is_as_large(given_: tuple[Array, Array]) -> None:
    differences, chance = given_
    for p, d, own in zip(p_values(differences, chance), differences.tolist(), chance.tolist(), strict=True):
        extreme = sum(not c < abs(d) - 1e-12 for c in own)
        assert np.isnan(p) if np.isnan(d) else p == (extreme + 1) / (len(own) + 1)


@given(questions())
def test_the_interval_is_every_difference_that_the_test_does_not_tell_from_the_observed(
    given_: tuple[Array, Array],
) -> None:
    """A little inside the bounds p is not below the level, a little outside it is."""
    differences, chance = given_
    if chance.shape[1] < 20:
        return  # nothing is significant with fewer
    chance = np.nan_to_num(chance)
    far = np.where(np.isnan(differences), 9.0, differences) + 20.0  # no bound is moved to 0
    _, low, high = decide(far, chance, 1.0, "none", ALPHA)
    for d, own, bounds in zip(far, chance, zip(low, high, strict=True), strict=True):
        for bound in bounds:
            for step, sure in ((-1e-6, False), (1e-6, True)):
                distance = abs(bound - d) + step
                if distance >= 0:
                    assert (p_values(np.array([distance]), own[None])[0] < ALPHA) == sure


@given(st.lists(st.one_of(st.floats(0.0001, 1), st.sampled_from([0.01, 0.02, 0.05])), min_size=1, max_size=12),
       st.sampled_from(CORRECTIONS))  # fmt: skip
def test_one_level_for_p_values_as_they_were_tells_apart_what_the_correction_does(
    p: list[float], correction: Correction
) -> None:
    level = level_before(p, correction, ALPHA)
    assert ((np.array(p) < level) == (adjusted(p, correction) < ALPHA)).all()


def test_corrections_are_those_of_scipy_and_leave_out_what_is_not_defined() -> None:
    from scipy.stats import false_discovery_control

    p = np.random.default_rng(1).random(40) ** 3
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))
    nan = float("nan")
    for correct in (holm, benjamini_hochberg):
        told = correct([nan, 0.01, nan, 0.04, 0.03])
        assert np.isnan(told[[0, 2]]).all()
        assert told[[1, 3, 4]].tolist() == correct([0.01, 0.04, 0.03]).tolist()
        assert correct([]).tolist() == []


def test_corrections_are_those_of_statsmodels() -> None:
    """statsmodels 0.15: multipletests(p, method="holm") and method="fdr_bh"."""
    p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205]
    assert holm(p) == pytest.approx([0.008, 0.056, 0.234, 0.234, 0.234, 0.234, 0.234, 0.234])
    by_rank = [0.008, 0.032, 0.0672, 0.0672, 0.0672, 0.08, 0.592 / 7, 0.205]
    assert benjamini_hochberg(p) == pytest.approx(by_rank)


def test_rounding_is_relative_to_the_size_of_the_scores() -> None:
    assert reaches(30.0 + 1e-12, 30.0 + 2e-11, scale=30.0)
    assert not reaches(0.5, 0.5 + 2e-11)
    assert signs([1e-11, -1e-11], scale=30.0).tolist() == [0, 0]
    assert signs([1e-11, -1e-11]).tolist() == [1, -1]


def test_a_correction_that_no_p_survives_is_refused() -> None:
    """The least p of 1000 draws is 1 of 1001, and Holm multiplies it by the number of tests."""
    require_draws(50, 1000, "--samples", "holm", 0.05)
    require_draws(5000, 1000, "--samples", "bh", 0.05)
    require_draws(5000, 1000, "--samples", "none", 0.05)
    with pytest.raises(
        InputError, match=r"No p of 1000 draws can be below 0\.05 after the correction of 51 tests by Holm"
    ) as caught:
        require_draws(51, 1000, "--samples", "holm", 0.05)
    assert "--samples 1020" in str(caught.value.hint)
    require_draws(51, 1020, "--samples", "holm", 0.05)


@pytest.mark.parametrize("correction", ["none", "holm", "bh"])
@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.1])
def test_draws_are_refused_exactly_where_nothing_can_be_significant(
    correction: Any, one_sided: bool, alpha: float
) -> None:
    """The most significant that tests can be: all at the least p, or of every two one-sided ones one of them."""
    for tests, draws in itertools.product((2, 6, 12), range(1, 320)):
        p = np.full(tests, 1 / (draws + 1))
        p[tests // 2 :] = 1.0 if one_sided else p[0]
        least = adjusted(p, correction).min()
        can = bool(least <= alpha if one_sided else least < alpha)
        if abs(least - alpha) < 1e-12 and correction != "none":
            continue  # as products are rounded
        if can:
            require_draws(tests, draws, "--draws", correction, alpha, one_sided=one_sided)
            continue
        with pytest.raises(InputError) as caught:
            require_draws(tests, draws, "--draws", correction, alpha, one_sided=one_sided)
        enough = int(str(caught.value.hint).split()[2].strip(".,"))
        require_draws(tests, enough, "--draws", correction, alpha, one_sided=one_sided)
        with pytest.raises(InputError):
            require_draws(tests, enough - 1, "--draws", correction, alpha, one_sided=one_sided)


@pytest.mark.parametrize("alpha", [1e-18, 5e-300])
def test_a_level_that_no_draws_reach_is_told_how_many_it_would_take(alpha: float) -> None:
    with pytest.raises(InputError, match="the least of them is 1 of 1001") as caught:
        require_draws(3, 1000, "--draws", "none", alpha)
    assert 1 / (int(str(caught.value.hint).split()[2]) + 1) < alpha


@pytest.mark.parametrize("alpha", [0.0, 1.0, np.nan, -1.0])
def test_a_level_lies_between_0_and_1(alpha: float) -> None:
    with pytest.raises(InputError, match="has a level of"):
        require_draws(3, 1000, "--draws", "none", alpha)


def test_verbs_want_as_many_draws_as_a_star_needs_and_sacrebleu_does_not() -> None:
    texts: Any = {"testset": campaign("en-de"), "metrics": ["chrf"]}
    few: Any = {"paired": "randomization", "trials": 19}
    for verb in (tercet.score, tercet.compare):
        with pytest.raises(InputError, match=r"No p of 19 draws can be below 0\.05.*--trials 20 or more"):
            verb(**texts, **few, correction="none")
    with pytest.raises(InputError, match=r"after the correction of 4 tests by Holm.*--trials 80 or more"):
        tercet.score(**texts, **few)
    tercet.score(**texts, paired="randomization", trials=80)
    assert tercet.score(**texts, **few, compat=True).records[1].p_value is not None
    people: Any = {"testset": campaign("en-de"), "judgements": judgements("en-de"), "metrics": ["chrf", "ter"]}
    with pytest.raises(InputError, match=r"No p of 18 draws can be at most 0\.05.*--draws 19 or more"):
        tercet.meta(**people, level="segment", draws=18)
    assert tercet.meta(**people, level="segment", draws=19).tests
