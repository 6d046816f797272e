"""TrueSkill: single matches against the package of that name, whole runs against everything that they can lead to."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.spatial
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles import trueskill

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def ints(values: Any) -> Ints:
    """An array of whole numbers."""
    return np.array(values, dtype=np.int64)


means, variances = st.floats(-2, 2), st.floats(0.01, 4)


@st.composite
def free_for_alls(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[int]]:
    """Players and their ranks, with ties."""
    n = draw(st.integers(2, 8))
    players = draw(st.lists(st.tuples(means, variances), min_size=n, max_size=n))
    return players, draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n))


def rated(players: Any, ranks: Any, beta: float, margin: float) -> list[tuple[float, float]]:
    """The kernel's beliefs after one match."""
    mu, variance = np.array(players, dtype=float).T.copy()
    found = kernels.trueskill_rate(mu, variance, ints(ranks), beta, margin)
    return list(zip(*(values.tolist() for values in found), strict=True))


@given(free_for_alls(), st.floats(0.3, 50), st.floats(0.05, 1.5))
def test_a_match_is_rated_as_by_the_package(
    match: tuple[list[tuple[float, float]], list[int]], beta: float, margin: float
) -> None:
    players, ranks = match
    wanted = trueskill.rate(tuple(players), ranks, beta, margin * beta)
    np.testing.assert_allclose(rated(players, ranks, beta, margin * beta), wanted, rtol=1e-9, atol=1e-9)


@given(st.tuples(means, variances), st.tuples(means, variances), st.floats(0.01, 50), st.floats(0.05, 2), st.booleans())
def test_two_players_are_rated_in_closed_form(
    one: tuple[float, float], other: tuple[float, float], beta: float, margin: float, tied: bool
) -> None:
    wanted = trueskill.rate_pair(one, other, tied, beta, margin)
    np.testing.assert_allclose(rated([one, other], [1, 1 if tied else 2], beta, margin), wanted, rtol=1e-9, atol=1e-9)
    turned = rated([other, one], [1, 1] if tied else [2, 1], beta, margin)
    np.testing.assert_allclose(turned[::-1], wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("ranks", [[2, 1], [1, 1], [3, 2, 1], [1, 1, 1], [2, 1, 1]])
@pytest.mark.parametrize("apart", [30.0, 1e3, 1e8])
@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_a_result_that_was_impossible(ranks: list[int], apart: float, margin: float) -> None:
    """The better player lost: beliefs stay numbers, and what was apart comes together."""
    players = [(apart * (len(ranks) - i), 0.25) for i in range(len(ranks))]
    found = rated(players, ranks, 0.5, margin)
    assert np.isfinite(found).all()
    assert all(0 < variance <= 0.25 for _, variance in found)
    assert found[0][0] - found[-1][0] < players[0][0] - players[-1][0]
    if ranks == [
        2,
        1,
    ]:  # c is 1: the difference of performances, to which a system gives a quarter, must be what it cannot be
        assert found[0][0] == pytest.approx(players[0][0] - 0.25 * (apart + margin), rel=1e-2)


THREE = trueskill.found_by_both([[0, 3, 5], [1, 0, 2], [2, 4, 0]], [[0, 2, 0], [2, 0, 1], [0, 1, 0]])
NO_TIES = [[0] * 4 for _ in range(4)]
# the first and the third never met, nobody the last
CHAIN = trueskill.found_by_both([[0, 3, 0, 0], [1, 0, 2, 0], [0, 2, 0, 0], [0, 0, 0, 0]], NO_TIES)
# whoever comes first finds judgements of its own
APIECE = [
    [[0, 0, 0], [3, 2, 1], [0, 0, 4]],
    [[5, 0, 1], [0, 0, 0], [1, 1, 2]],
    [[0, 1, 0], [2, 1, 1], [0, 0, 0]],
]
SETTINGS = {  # sigma, beta, draw margin
    "as at WMT": (0.5, 40.0, 18.0),
    "near": (0.5, 0.5, 0.2),
    "no margin": (0.5, 3.0, 0.0),
    "apart": (60.0, 1.0, 0.5),
    "far apart": (2000.0, 1.0, 0.5),
    "between": (0.5, 2.0, 0.9),
    "loose": (3.0, 1.0, 0.5),
}


def runs(counts: trueskill.Found, order: Any, updates: int, number: int, setting: str, **options: Any) -> Floats:
    """What runs end with: (runs, systems, 2)."""
    sigma, beta, margin = SETTINGS[setting]
    given = {"first_run": 0, "seed": 1, "adaptive": True, "resample": False, "threads": 2} | options
    found = kernels.trueskill_runs(
        ints(counts), ints(order), updates, number, sigma=sigma, beta=beta, draw_margin=margin, **given
    )
    return np.stack(found, axis=-1)


def assert_as_often(found: Floats, leaves: dict[trueskill.Beliefs, float]) -> None:
    """Every run ends with something that is possible, and with each thing about as often as is probable."""
    values = np.array(list(leaves)).reshape(len(leaves), -1)
    rows = found.reshape(len(found), -1)
    scale = 1 + np.abs(values).max(axis=0)
    nearest = scipy.spatial.KDTree(values / scale).query(rows / scale, p=np.inf)[1]
    np.testing.assert_allclose(rows / scale, values[nearest] / scale, rtol=0, atol=1e-11)
    # Ends that rounding makes one, and those that are rare, are counted together.
    _, same = np.unique(np.round(values / scale, 9), axis=0, return_inverse=True)
    chances = np.bincount(same, weights=list(leaves.values()))
    counts = np.bincount(same[nearest], minlength=len(chances))
    rare = chances * len(rows) < 5
    wanted = np.append(chances[~rare], chances[rare].sum()) * len(rows)
    seen = np.append(counts[~rare], counts[rare].sum())
    if wanted[-1] < 5:
        assert seen[-1] <= 30
        wanted, seen = wanted[:-1], seen[:-1]
    assert len(wanted) > 1
    assert scipy.stats.chisquare(seen, wanted * seen.sum() / wanted.sum()).pvalue > 1e-4


def start(n: int, setting: str) -> trueskill.Beliefs:
    """Nothing is known."""
    return ((0.0, SETTINGS[setting][0] ** 2),) * n


@pytest.mark.thorough
@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_runs_end_as_they_can(setting: str, adaptive: bool, order: list[int]) -> None:
    _, beta, margin = SETTINGS[setting]
    step = trueskill.pair_step(THREE, order, adaptive, beta, margin)
    leaves = trueskill.leaves(step, start(3, setting), 4)
    found = runs(THREE, order, 4, 4000, setting, adaptive=adaptive)
    assert_as_often(found, leaves)


@pytest.mark.parametrize("setting", ["as at WMT", "near", "apart"])
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_whoever_comes_first_draws_from_its_own_judgements(setting: str, order: list[int]) -> None:
    step = trueskill.pair_step(APIECE, order, True, *SETTINGS[setting][1:])
    leaves = trueskill.leaves(step, start(3, setting), 4)
    assert_as_often(runs(APIECE, order, 4, 4000, setting), leaves)


@pytest.mark.parametrize("adaptive", [True, False])
def test_systems_meet_only_those_they_were_judged_with(adaptive: bool) -> None:
    order = [0, 1, 2, 3]
    step = trueskill.pair_step(CHAIN, order, adaptive, *SETTINGS["near"][1:])
    leaves = trueskill.leaves(step, start(4, "near"), 4)
    found = runs(CHAIN, order, 4, 4000, "near", adaptive=adaptive)
    assert_as_often(found, leaves)
    assert (found[:, 3] == [0.0, 0.25]).all()


@pytest.mark.parametrize("setting", ["as at WMT", "near"])
def test_long_runs_of_one_result_are_exact(setting: str) -> None:
    """Nothing is left to chance where one system always wins: the series near the margin does not drift."""
    _, beta, margin = SETTINGS[setting]
    winner, loser = start(2, setting)
    for _ in range(300):
        winner, loser = trueskill.rate_pair(winner, loser, False, beta, margin)
    found = runs(trueskill.found_by_both([[0, 7], [0, 0]], NO_TIES), [0, 1], 300, 3, setting)
    np.testing.assert_allclose(found, [[winner, loser]] * 3, rtol=1e-12)


def test_resampled_runs_end_as_they_can() -> None:
    """Two judgements, one for each system: a sample has both, or one of them twice."""
    leaves: dict[trueskill.Beliefs, float] = {}
    for first, chance in ((2, 0.25), (1, 0.5), (0, 0.25)):
        counts = trueskill.found_by_both([[0, first], [2 - first, 0]], NO_TIES)
        step = trueskill.pair_step(counts, [0, 1], True, *SETTINGS["near"][1:])
        for end, probability in trueskill.leaves(step, start(2, "near"), 3).items():
            leaves[end] = leaves.get(end, 0) + chance * probability
    found = runs(trueskill.found_by_both([[0, 1], [1, 0]], NO_TIES), [0, 1], 3, 4000, "near", resample=True)
    assert_as_often(found, leaves)


@pytest.mark.parametrize("adaptive", [True, False])
def test_means_of_runs_are_those_of_the_oracle(adaptive: bool) -> None:
    rng, n = random.Random(5), 5  # noqa: S311
    wins = [[0 if i == j else rng.randrange(1, 30) for j in range(n)] for i in range(n)]
    ties = [[0 if i == j else 3 + (i * j) % 4 for j in range(n)] for i in range(n)]
    counts = trueskill.found_by_both(wins, ties)
    step = trueskill.pair_step(counts, [3, 1, 4, 0, 2], adaptive, *SETTINGS["between"][1:])
    wanted = np.array([trueskill.run(step, start(n, "between"), 120, rng) for _ in range(150)])
    found = runs(counts, [3, 1, 4, 0, 2], 120, 2000, "between", adaptive=adaptive)
    error = np.sqrt(wanted.var(axis=0) / len(wanted) + found.var(axis=0) / len(found))
    assert (np.abs(wanted.mean(axis=0) - found.mean(axis=0)) < 5 * error).all()
    ratio = found[..., 0].std(axis=0) / wanted[..., 0].std(axis=0)
    assert ((ratio > 0.7) & (ratio < 1.4)).all()


def test_nothing_judged_and_nothing_to_do() -> None:
    none = [[[0, 0, 0]] * 2] * 2
    for options in ({"adaptive": True}, {"adaptive": False}, {"resample": True}):
        assert runs(none, [0, 1], 5, 2, "near", **options).tolist() == [[[0, 0.25]] * 2] * 2
    assert runs(THREE, [0, 1, 2], 0, 2, "near").tolist() == [[[0, 0.25]] * 3] * 2
    assert runs(THREE, [0, 1, 2], 5, 0, "near").shape == (0, 3, 2)


SETS = [(0, 1, 3), (1, 2, 3), (0, 2, 3)]
RANKINGS = [[(1, 2, 3), (2, 1, 2)], [(1, 1, 2)], [(3, 2, 1), (1, 2, 3), (1, 1, 1)]]
APART = [(2, 3, 4), (0, 1, 2), (0, 3, 4)]  # some of these never meet, and nobody the last
APART_RANKINGS = [[(1, 2, 3)], [(2, 2, 1), (1, 2, 3)], [(3, 1, 2)]]
PAIR_SETS = [(1, 2), (0, 1)]
PAIR_RANKINGS = [[(1, 2), (1, 2), (2, 1), (1, 1)], [(1, 2), (4, 1)]]


def match_runs(
    sets: Any, rankings: Any, order: Any, updates: int, number: int, setting: str = "near", **options: Any
) -> Floats:
    """What runs over matches of several end with."""
    sigma, beta, margin = SETTINGS[setting]
    starts = np.cumsum([0, *map(len, rankings)])
    ranks = ints([ranks for found in rankings for ranks in found])
    given = {"first_run": 0, "seed": 1, "threads": 2} | options
    found = kernels.trueskill_matches(
        ints(sets), starts, ranks, len(order), ints(order), updates, number, sigma=sigma, beta=beta, draw_margin=margin,
        **given,
    )  # fmt: skip
    return np.stack(found, axis=-1)


@pytest.mark.parametrize(
    ("sets", "rankings", "n", "updates"),
    [(SETS, RANKINGS, 4, 3), (APART, APART_RANKINGS, 6, 3), (PAIR_SETS, PAIR_RANKINGS, 4, 4)],
)
@pytest.mark.parametrize("setting", ["near", "as at WMT", "loose"])
def test_matches_end_as_they_can(sets: Any, rankings: Any, n: int, updates: int, setting: str) -> None:
    order = [2, 0, 3, 1, 5, 4][:n]
    step = trueskill.match_step(sets, rankings, order, *SETTINGS[setting][1:])
    leaves = trueskill.leaves(step, start(n, setting), updates)
    assert_as_often(match_runs(sets, rankings, order, updates, 4000, setting), leaves)


def test_sets_that_are_hardly_ever_drawn_are_played() -> None:
    """Of 91 390 sets of four opponents ten are stored: where drawing fails, any of them is taken."""
    sets = [(0, *range(i, i + 4)) for i in range(1, 41, 4)]
    found = match_runs(sets, [[(1, 2, 3, 4, 5)]] * 10, list(range(41))[::-1], 1, 2000)
    assert (found[:, 0, 0] > 0).all()
    lost = (found[:, 1:, 0] != 0).reshape(-1, 10, 4).sum(axis=2)
    assert (lost.max(axis=1) == 4).all()
    assert (lost.sum(axis=1) == 4).all()
    assert scipy.stats.chisquare((lost == 4).sum(axis=0)).pvalue > 1e-4


@pytest.mark.parametrize("options", [{"adaptive": True}, {"adaptive": False}, {"resample": True}, {"matches": True}])
def test_runs_depend_on_nothing_but_their_number(options: dict[str, bool]) -> None:
    def some(number: int, **more: Any) -> Any:
        if "matches" in options:
            return match_runs(SETS, RANKINGS, [0, 1, 2, 3], 50, number, **more).tolist()
        return runs(THREE, [0, 1, 2], 50, number, "near", **options, **more).tolist()

    alone = some(20, threads=1)
    assert some(20, threads=1) == alone
    assert some(20, threads=2) == alone
    assert some(20, threads=5) == alone
    assert some(12) + some(8, first_run=12) == alone
    assert some(20, seed=2) != alone
    assert len({str(row) for row in alone}) == 20


GOOD: dict[str, Any] = {
    "found": [[[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [0, 0, 0]]], "names_order": [0, 1], "updates": 1, "runs": 1,
    "first_run": 0, "seed": 0, "sigma": 0.5, "beta": 1.0, "draw_margin": 0.1, "adaptive": True, "resample": False,
    "threads": 1,
}  # fmt: skip
BAD: list[tuple[dict[str, Any], str]] = [
    ({"found": [[[0, 0, 0], [1, -1, 1]], [[1, -1, 1], [0, 0, 0]]]}, "negative"),
    ({"found": [[[0, 0, 0], [2**62, 0, 2**62]], [[2**62, 0, 2**62], [0, 0, 0]]]}, "huge"),
    ({"found": [[[0, 0, 0], [2**52, 0, 2**52]], [[2**52, 0, 2**52], [0, 0, 0]]]}, "huge"),
    ({"found": [[[1, 0, 1], [1, 1, 1]], [[1, 1, 1], [0, 0, 0]]]}, "itself"),
    ({"found": [[[0, 0, 0], [1, 1, 1]], [[0, 0, 0], [0, 0, 0]]]}, "both systems, or none"),
    ({"found": [[[0, 0, 0], [1, 1, 2]], [[1, 1, 1], [0, 0, 0]]], "resample": True}, "symmetric"),
    ({"found": [[[0, 0, 0], [1, 2, 1]], [[1, 1, 1], [0, 0, 0]]], "adaptive": False}, "symmetric"),
    ({"found": [[[0, 0, 0]] * 3] * 2}, "square"),
    ({"found": [[[0, 0]] * 2] * 2}, "three outcomes"),
    ({"found": [[[0, 0, 0]]], "names_order": [0]}, "two systems"),
    ({"names_order": [0, 0]}, "every place once"),
    ({"names_order": [0, 2]}, "every place once"),
    ({"names_order": [0]}, "one place a system"),
    ({"updates": -1}, "updates"),
    ({"runs": -1}, "runs"),
    ({"runs": 2**40}, "runs"),
    ({"first_run": -1}, "runs"),
    ({"sigma": 0.0}, "sigma"),
    ({"sigma": math.nan}, "sigma"),
    ({"beta": 0.0}, "beta"),
    ({"beta": math.inf}, "beta"),
    ({"draw_margin": -0.1}, "margin"),
]


@pytest.mark.parametrize(("changed", "said"), BAD, ids=str)
def test_wrong_counts_and_settings_are_refused(changed: dict[str, Any], said: str) -> None:
    options = GOOD | changed
    arrays: dict[str, Any] = {name: ints(options.pop(name)) for name in ("found", "names_order")}
    with pytest.raises(ValueError, match=said):
        kernels.trueskill_runs(**arrays, **options)


@pytest.mark.parametrize(
    ("sets", "starts", "ranks", "said"),
    [
        ([[0, 1, 3]], [0, 1], [[1, 2, 3]], "not there"),
        ([[-1, 1, 2]], [0, 1], [[1, 2, 3]], "not there"),
        ([[0, 2, 1]], [0, 1], [[1, 2, 3]], "must rise"),
        ([[0, 1, 1]], [0, 1], [[1, 2, 3]], "must rise"),
        ([[0, 1, 2], [0, 1, 2]], [0, 1, 2], [[1, 2, 3], [1, 2, 3]], "twice"),
        ([[0, 1, 2]], [0, 0], [[1, 2, 3]], "no ranking"),
        ([[0, 1, 2]], [0, 2], [[1, 2, 3]], "starts"),
        ([[0, 1, 2]], [0], [[1, 2, 3]], "one start a set"),
        ([[0, 1, 2]], [0, 1], [[1, 2]], "one size"),
        ([[0]], [0, 1], [[1]], "two systems"),
    ],
)
def test_wrong_sets_are_refused(sets: Any, starts: Any, ranks: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        kernels.trueskill_matches(
            ints(sets), ints(starts), ints(ranks), 3, ints([0, 1, 2]), 1, 1, 0, 0, 0.5, 1.0, 0.1, 1
        )


@pytest.mark.parametrize(
    ("mu", "variance", "ranks", "said"),
    [
        ([0.0], [1.0], [1], "two players"),
        ([0.0, 0.0], [1.0], [1, 2], "two players"),
        ([0.0, 0.0], [1.0, 1.0], [1], "two players"),
        ([0.0, math.nan], [1.0, 1.0], [1, 2], "mean"),
        ([0.0, 0.0], [1.0, 0.0], [1, 2], "variance"),
    ],
)
def test_wrong_players_are_refused(mu: Any, variance: Any, ranks: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        kernels.trueskill_rate(np.array(mu), np.array(variance), ints(ranks), 1.0, 0.1)


@given(
    st.lists(st.tuples(means, variances), min_size=2, max_size=5),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), max_size=20),
)
def test_matches_are_followed_one_by_one(players: list[tuple[float, float]], told: list[tuple[int, int, int]]) -> None:
    n = len(players)
    matches = [(a % n, b % n, outcome) for a, b, outcome in told if a % n != b % n]
    wanted = list(players)
    for a, b, outcome in matches:
        one, other = (b, a) if outcome == 2 else (a, b)
        wanted[one], wanted[other] = trueskill.rate_pair(wanted[one], wanted[other], outcome == 1, 1.0, 0.3)
    mu, variance = np.array(players, dtype=float).T.copy()
    left, right, outcomes = ints(matches).reshape(-1, 3).T.copy()
    found = kernels.trueskill_follow(mu, variance, left, right, outcomes, 1.0, 0.3)
    np.testing.assert_allclose(np.array(found).T, wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("match", "said"),
    [((0, 2, 1), "not there"), ((-1, 0, 1), "not there"), ((0, 1, 3), "outcome"), ((1, 1, 0), "themselves")],
)
def test_matches_that_cannot_be_are_refused(match: tuple[int, int, int], said: str) -> None:
    left, right, outcome = (ints([value]) for value in match)
    with pytest.raises(ValueError, match=said):
        kernels.trueskill_follow(np.zeros(2), np.ones(2), left, right, outcome, 1.0, 0.1)
    with pytest.raises(ValueError, match="two players and an outcome"):
        kernels.trueskill_follow(np.zeros(2), np.ones(2), left, right, ints([]), 1.0, 0.1)


def test_a_margin_of_a_million_betas_is_refused() -> None:
    with pytest.raises(ValueError, match="draw margin"):
        kernels.trueskill_rate(np.zeros(2), np.ones(2), np.array([1, 2]), 1e-3, 1e4)
