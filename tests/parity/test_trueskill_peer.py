"""TrueSkill's runs have the distribution that the PyPI package `trueskill` has, driven by the same loop."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
import scipy.stats
from benchmarks.people import pairs_of, peer_run

from tercet.human.pairs import counts
from tercet.ranking.base import Sampling
from tercet.ranking.trueskill import TrueSkill
from tests.ranking.build import pairs

WINS = [[0, 20, 25, 30], [14, 0, 18, 22], [9, 12, 0, 19], [5, 9, 13, 0]]
TIES = [[0, 6, 5, 3], [6, 0, 8, 4], [5, 8, 0, 7], [3, 4, 7, 0]]
RUNS = 150


@pytest.mark.thorough
def test_means_have_the_same_distribution() -> None:
    data = pairs(WINS, TIES)
    wins, ties = counts(data)
    ours = TrueSkill().fit(data, Sampling(samples=20 * RUNS, seed=1, unit="pair")).sampled
    total = len(data) + 1
    theirs = np.array([peer_run(wins, ties, total, total, seed) for seed in range(RUNS)])
    for system in range(len(data.systems)):
        a, b = ours[:, system], theirs[:, system]
        spread = np.sqrt(a.var() / len(a) + b.var() / len(b))
        assert abs(a.mean() - b.mean()) < 4 * spread
        assert scipy.stats.ks_2samp(a, b).pvalue > 0.001
        assert 0.8 < a.std() / b.std() < 1.25


def test_means_of_a_real_campaign_are_the_same(shared: pathlib.Path) -> None:
    """eng-ces of WMT15, whose full runs would take the peer half a minute each: shorter runs, with their beta."""
    data = pairs_of("eng-ces")
    wins, ties = counts(data)
    updates, runs = 1500, 24
    ours = TrueSkill(updates=updates).fit(data, Sampling(samples=1000, seed=2, unit="pair", threads=2)).sampled
    theirs = np.array([peer_run(wins, ties, updates, updates, seed) for seed in range(runs)])
    gap = ours.mean(axis=0) - theirs.mean(axis=0)
    error = np.sqrt(ours.var(axis=0) / len(ours) + theirs.var(axis=0) / runs)
    assert (np.abs(gap) < 4 * error).all()
    assert 0.75 < ours.std(axis=0).mean() / theirs.std(axis=0).mean() < 1.33
