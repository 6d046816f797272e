"""Documents that are drawn are few, and so may segments be: what they say is stretched."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

import tercet
from tercet.data import TestSet
from tercet.stats.resampling import MANY, expanded_interval, few_units, paired_bootstrap

LINES = [f"the {a} {b} sat on the {a} mat" for a in ("red", "old", "wet", "far") for b in ("cat", "dog", "hen", "cow")]


@pytest.mark.parametrize("n", [2, 5, 20, 300])
def test_the_stretch_is_students(n: int) -> None:
    assert few_units(n) == pytest.approx(np.sqrt(n / (n - 1)) * t.ppf(0.975, n - 1) / norm.ppf(0.975))


def test_more_chance_is_a_larger_p() -> None:
    rng = np.random.default_rng(1)
    base, system = rng.normal(0, 1, 1000), rng.normal(0, 1, 1000) + 2
    p = [paired_bootstrap(base, system, 2.0, stretched=stretch)[0] for stretch in (1.0, few_units(20), few_units(5))]
    assert p == sorted(p)
    assert p[0] < p[1] < p[2]
    assert paired_bootstrap(base, system, 2.0, stretched=9.0, compat=True) == paired_bootstrap(
        base, system, 2.0, compat=True
    ), "sacreBLEU's is sacreBLEU's"


@pytest.mark.parametrize("verb", ["score", "compare"])
@pytest.mark.parametrize("n", [99, 100])
def test_documents_and_few_segments_are_stretched(verb: str, n: int) -> None:
    """A document a line: the same draws, once as segments and once as documents."""
    lines = [LINES[i % len(LINES)] for i in range(n)]
    worse = [line[: 10 + i % 20] for i, line in enumerate(lines)]
    texts = TestSet.of({"a": lines, "b": worse}, lines, documents=tuple(map(str, range(n))))

    def told(unit: str) -> tuple[float, float, float]:
        if verb == "compare":
            found = tercet.compare(testset=texts, metrics=["chrf"], unit=unit)  # type: ignore[arg-type]
            score = next(s for s in found.scores if s.system == "b")
            return score.low, score.high, float(found.tests[0].p[0, 1])
        _, record = tercet.score(testset=texts, metrics=["chrf"], paired="bootstrap", unit=unit)  # type: ignore[arg-type]
        assert record.low is not None
        assert record.high is not None
        assert record.p_value is not None
        return record.low, record.high, record.p_value

    low, high, p = told("segment")
    wider = told("document")
    if n < MANY:
        assert wider == (low, high, p)
    else:
        assert wider[0] < low < high < wider[1]
        assert wider[2] >= p


def test_an_interval_is_stretched_as_far() -> None:
    draws = np.sort(np.random.default_rng(2).normal(size=100_000))
    low, high = expanded_interval(draws, 20)
    assert (low, high) == pytest.approx((-1.96 * few_units(20), 1.96 * few_units(20)), abs=0.05)
