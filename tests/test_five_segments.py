"""Five better segments among many equal ones have p = 2/32 by randomisation, whatever rounding does to sums."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tercet import scoring, stats
from tercet.data import TestSet
from tercet.errors import MissingExtraError
from tercet.metrics import METRICS
from tests.conftest import absent

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "barked", "house", "green", "tea", "we", "like", "late"]
EXACT, TRIALS = 2 / 32, 3000
NO_REFERENCE = {"lm", "lm-perplexity"}  # these like some of the five less


def damaged(text: str, rng: random.Random) -> str:
    """One word another, one lost."""
    words = text.split()
    words[rng.randrange(len(words) - 1)] = rng.choice(WORDS)
    words.pop(rng.randrange(len(words) - 1))
    return " ".join(words)


@pytest.fixture(scope="module")
def testset() -> TestSet:
    rng = random.Random(3)  # noqa: S311
    references = [" ".join(rng.choices(WORDS, k=rng.randint(4, 14))) + " ." for _ in range(300)]
    base = [damaged(text, rng) for text in references]
    better = list(base)
    for i in rng.sample(range(len(base)), 5):
        better[i] = references[i]
    return TestSet.of({"base": base, "better": better}, references, sources=references)


@pytest.mark.parametrize("name", [name for name in METRICS if name not in NO_REFERENCE])
def test_rounding_does_not_decide(name: str, testset: TestSet) -> None:
    try:
        metric = METRICS.make(name)
        rows = scoring.statistics(testset, metric).rows
    except MissingExtraError as error:
        absent(f"{name} needs something that is not installed: {error}")
    p = stats.paired_randomization(rows[0], rows[1:], metric.score, TRIALS, np.random.default_rng(1))[0]
    swaps = np.random.default_rng(1).integers(2, size=(TRIALS, len(testset)), dtype=bool)
    five = swaps[:, (rows[0] != rows[1]).any(axis=1)].sum(axis=1)
    assert p == (np.isin(five, (0, 5)).sum() + 1) / (TRIALS + 1)
    assert p == pytest.approx(EXACT, abs=4 * (EXACT * (1 - EXACT) / TRIALS) ** 0.5)
