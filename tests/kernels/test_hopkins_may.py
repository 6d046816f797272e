"""The model of Hopkins and May: exact where nothing is left to chance, in distribution where something is."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.oracles import hopkins_may
from tests.oracles.hopkins_may import Judged, Segment

Floats = npt.NDArray[np.float64]
qualities = st.floats(-3, 3)
USUAL: dict[str, Any] = {
    "n_systems": 4, "iterations": 12, "burn_in": 4, "radius": 0.5, "sigma_0": 1.0, "sigma_a": 0.5, "sigma_obs": 1.0,
    "last_only": False, "resample": "none", "runs": 1, "first_run": 0, "seed": 3, "threads": 2,
}  # fmt: skip
STILL = {"sigma_0": 0.0, "sigma_a": 0.0, "sigma_obs": 0.0}


def columns(segments: list[Segment]) -> dict[str, Any]:
    """Pairs in columns; tasks are shared out so that those of a segment do not lie together."""
    rows = []
    task = 0
    for place in range(max(map(len, segments))):
        for s, segment in enumerate(segments):
            if place < len(segment):
                rows += [(*pair, task, 10 * s - 7) for pair in segment[place]]
                task += 2
    names = ("left", "right", "outcome", "task", "segment")
    return {name: np.array(column, np.int64) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def fitted(segments: list[Segment], **options: Any) -> Floats:
    """What the kernel finds: (runs, systems)."""
    return kernels.hopkins_may(**columns(segments), **USUAL | options)


@given(qualities, qualities, st.integers(0, 2), st.floats(0, 2))
def test_adjusting_is_the_oracle(one: float, other: float, outcome: int, radius: float) -> None:
    found = kernels.hm_adjust(one, other, outcome, radius)
    assert found == pytest.approx(hopkins_may.adjust(one, other, outcome, radius), abs=1e-12)
    assert sum(found) == pytest.approx(one + other, abs=1e-12)


def judged(n: int) -> st.SearchStrategy[Judged]:
    """A pair of different systems."""
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 2)).filter(lambda p: p[0] != p[1])
    return pairs.map(lambda p: Judged(*p))


@given(
    st.lists(st.lists(judged(4), min_size=1, max_size=6), min_size=1, max_size=6),
    st.integers(1, 8),
    st.floats(0, 2),
    st.booleans(),
)
def test_without_noise_or_choice_it_is_the_oracle(
    tasks: list[list[Judged]], iterations: int, radius: float, last_only: bool
) -> None:
    segments = [[task] for task in tasks]
    burn_in = iterations // 2
    options = {"iterations": iterations, "burn_in": burn_in, "radius": radius, "last_only": last_only}
    found = fitted(segments, runs=2, **options, **STILL)
    nobody = random.Random(0)  # noqa: S311
    wanted = hopkins_may.run(segments, 4, iterations, burn_in, radius, (0, 0, 0), last_only, nobody)
    np.testing.assert_allclose(found, [wanted, wanted], rtol=0, atol=1e-12)


def made_up(n: int, segments: int, seed: int) -> list[Segment]:
    """Segments with one to three tasks, in which lower numbers tend to be better."""
    rng = random.Random(seed)  # noqa: S311
    out: list[Segment] = []
    for _ in range(segments):
        segment: Segment = []
        for _ in range(rng.randrange(1, 4)):
            shown = rng.sample(range(n), 3)
            rank = {i: round(i / 2 + rng.gauss(0, 1)) for i in shown}
            pairs = [(a, b) for k, a in enumerate(shown) for b in shown[k + 1 :]]
            segment.append([Judged(a, b, 0 if rank[a] < rank[b] else 1 if rank[a] == rank[b] else 2) for a, b in pairs])
        out.append(segment)
    return out


@pytest.mark.thorough
@pytest.mark.parametrize("last_only", [False, True])
@pytest.mark.parametrize("unit", ["none", "pair", "task", "segment"])
def test_runs_are_distributed_as_those_of_the_oracle(unit: str, last_only: bool) -> None:
    segments, rng = made_up(4, 10, 7), random.Random(8)  # noqa: S311
    found = fitted(segments, runs=3000, resample=unit, last_only=last_only)
    wanted = np.array(
        [
            hopkins_may.run(hopkins_may.resampled(segments, unit, rng), 4, 12, 4, 0.5, (1.0, 0.5, 1.0), last_only, rng)
            for _ in range(400)
        ]
    )
    error = np.sqrt(np.nanvar(wanted, axis=0) / len(wanted) + np.nanvar(found, axis=0) / len(found))
    assert (np.abs(np.nanmean(wanted, axis=0) - np.nanmean(found, axis=0)) < 5 * error).all()
    for ours, theirs in zip(found.T, wanted.T, strict=True):
        assert scipy.stats.ks_2samp(ours, theirs).pvalue > 1e-4


def test_units_are_drawn_whole() -> None:
    """Two segments of one task each; without noise the means tell which segments, tasks or pairs a run has had."""
    first, second = [[Judged(0, 1, 0)]], [[Judged(2, 3, 0), Judged(2, 3, 0)]]
    chances = {"segment": (0.25, 0.25), "task": (0.25, 0.25), "pair": ((2 / 3) ** 3, (1 / 3) ** 3)}
    for unit, (no_first, no_second) in chances.items():
        found = fitted([first, second], resample=unit, runs=4000, iterations=1, burn_in=0, **STILL)
        assert set(np.unique(found[:, ::2][~np.isnan(found[:, ::2])])) == {0.25}
        for j, chance in ((0, no_first), (1, no_first), (2, no_second), (3, no_second)):
            unseen = int(np.isnan(found[:, j]).sum())
            assert scipy.stats.binomtest(unseen, len(found), chance).pvalue > 1e-4


def test_a_segment_counts_as_often_as_it_was_drawn() -> None:
    """In one of three segments the first system is better: without noise its mean tells how often that was drawn."""
    segments = [[[Judged(0, 1, outcome)]] for outcome in (0, 2, 2)]
    found = fitted(segments, n_systems=2, resample="segment", runs=4000, iterations=1, burn_in=0, **STILL)[:, 0]
    times = np.round((found / 0.25 + 1) * 1.5).astype(int)
    np.testing.assert_allclose(found, 0.25 * (times / 1.5 - 1), atol=1e-12)
    chances = scipy.stats.binom.pmf(range(4), 3, 1 / 3)
    assert scipy.stats.chisquare(np.bincount(times, minlength=4), 4000 * chances).pvalue > 1e-4


def test_a_task_is_chosen_as_often_as_it_was_drawn() -> None:
    """One of three tasks of a segment favours the first system; two iterations of a run have the same sample."""
    segment = [[Judged(0, 1, outcome)] for outcome in (0, 2, 2)]
    found = fitted([segment], n_systems=2, resample="task", runs=40_000, iterations=2, burn_in=0, **STILL)[:, 0]
    twice = sum(scipy.stats.binom.pmf(k, 3, 1 / 3) * (k / 3) ** 2 for k in range(4))
    assert scipy.stats.binomtest(int((found == 0.25).sum()), len(found), twice).pvalue > 1e-4


def test_a_system_nobody_saw_has_no_score() -> None:
    found = fitted([[[Judged(0, 1, 0), Judged(1, 3, 1)]]], runs=5)
    assert np.isnan(found[:, 2]).all()
    assert np.isfinite(found[:, [0, 1, 3]]).all()
    nothing: dict[str, Any] = {name: np.zeros(0, np.int64) for name in ("left", "right", "outcome", "task", "segment")}
    for unit in ("none", "pair", "task", "segment"):
        assert np.isnan(kernels.hopkins_may(**nothing, **USUAL | {"resample": unit, "runs": 3})).all()


TAIL = 3.6541528853610088  # beyond this, normal numbers are drawn in another way


@pytest.mark.thorough
def test_noise_is_normal() -> None:
    """Pairs that nothing moves show the normal numbers as they are drawn: twenty million, in bins like its steps."""
    pairs = [[[Judged(2 * i, 2 * i + 1, 1) for i in range(100)]]]
    bare = {"n_systems": 200, "iterations": 1, "burn_in": 0, "radius": 1e9, "sigma_0": 0.0}
    norm, edges = scipy.stats.norm, np.linspace(-4.2, 4.2, 841)
    seen, beyond, products = np.zeros(842), [], []
    for first in range(0, 100_000, 20_000):
        found = fitted(pairs, sigma_a=1.0, sigma_obs=0.0, runs=20_000, first_run=first, **bare)
        seen += np.bincount(np.clip(np.floor((found.ravel() + 4.2) * 100), -1, 840).astype(int) + 1, minlength=842)
        beyond.append(found[np.abs(found) > TAIL])
        products.append(float(np.mean(found[:, :-1] * found[:, 1:])))
    chances = np.diff(norm.cdf([-np.inf, *edges, np.inf]))
    assert scipy.stats.chisquare(seen, chances * seen.sum()).pvalue > 1e-4
    assert abs(np.mean(products)) < 5 / math.sqrt(seen.sum())
    tail = np.concatenate(beyond)
    assert scipy.stats.binomtest(len(tail), int(seen.sum()), 2 * norm.sf(TAIL)).pvalue > 1e-4
    assert scipy.stats.binomtest(int((tail > 0).sum()), len(tail)).pvalue > 1e-4
    shares = norm.sf(np.abs(tail)) / norm.sf(TAIL)
    assert abs(shares.mean() - 0.5) < 4 / math.sqrt(12 * len(shares))
    assert scipy.stats.kstest(shares, "uniform").pvalue > 1e-4
    both = fitted(pairs, sigma_a=0.3, sigma_obs=0.4, runs=500, **bare)
    assert scipy.stats.kstest(both.ravel(), "norm", args=(0, 0.5)).pvalue > 1e-4


def test_first_guesses_are_centred() -> None:
    """Without noise on top, a tie within the radius leaves the first means as they are: their sum is 0."""
    pairs = [[[Judged(0, 1, 1), Judged(1, 2, 1)]]]
    options = {"n_systems": 3, "radius": 1e9, "sigma_a": 0.0, "sigma_obs": 0.0, "sigma_0": 2.0}
    found = fitted(pairs, runs=20_000, **options)
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-12)
    assert scipy.stats.kstest(found[:, 0], "norm", args=(0, 2 * math.sqrt(2 / 3))).pvalue > 1e-4


@pytest.mark.parametrize("unit", ["none", "pair", "task", "segment"])
def test_runs_depend_on_nothing_but_their_number(unit: str) -> None:
    segments = made_up(4, 9, 2)

    def some(runs: int, **more: Any) -> Any:
        return fitted(segments, runs=runs, resample=unit, **more).tolist()

    alone = some(20, threads=1)
    assert some(20, threads=2) == alone
    assert some(20, threads=5) == alone
    assert some(12) + some(8, first_run=12) == alone
    assert some(20, seed=4) != alone
    assert len({str(row) for row in alone}) == 20
    assert some(0) == []


COLUMNS = {"left": [0, 1], "right": [1, 2], "outcome": [0, 2], "task": [0, 0], "segment": [5, 5]}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"left": [0]}, "one length"),
        ({"segment": [5, 5, 5]}, "one length"),
        ({"left": [0, 4]}, "not there"),
        ({"right": [-1, 2]}, "not there"),
        ({"right": [0, 2]}, "itself"),
        ({"outcome": [0, 3]}, "outcome"),
        ({"task": [1, 0]}, "fall"),
        ({"segment": [5, 6]}, "within a segment"),
        ({"n_systems": 0}, "system"),
        ({"iterations": 0}, "iteration"),
        ({"burn_in": -1}, "burn-in"),
        ({"burn_in": 12}, "burn-in"),
        ({"radius": -0.1}, "radius"),
        ({"sigma_0": -1.0}, "deviation"),
        ({"sigma_a": math.nan}, "deviation"),
        ({"sigma_obs": math.inf}, "deviation"),
        ({"resample": "document"}, "document"),
        ({"runs": -1}, "runs"),
    ],
    ids=str,
)
def test_wrong_input_is_refused(changed: dict[str, Any], said: str) -> None:
    options = COLUMNS | USUAL | changed
    arrays: dict[str, Any] = {name: np.array(options.pop(name), np.int64) for name in COLUMNS}
    with pytest.raises(ValueError, match=said):
        kernels.hopkins_may(**arrays, **options)


@pytest.mark.parametrize(("outcome", "radius"), [(3, 0.5), (-1, 0.5), (0, -0.5), (0, math.nan)])
def test_wrong_adjustments_are_refused(outcome: int, radius: float) -> None:
    with pytest.raises(ValueError, match=r"outcome|radius"):
        kernels.hm_adjust(0.0, 0.0, outcome, radius)
