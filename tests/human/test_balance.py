"""Whether judges saw the same systems, and what is said where they did not."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.data import Assessments
from tercet.human.balance import groups_of, linked, without_judges
from tests.ranking.build import assessments

QUALITY = {"A": 80.0, "B": 60.0, "C": 40.0, "D": 20.0}


def judged(shares: dict[str, str], strict: dict[str, float], n: int = 30) -> Assessments:
    """Judges by the systems that they saw in turn, each score what the system is worth, with a little noise."""
    rng, numbers = np.random.default_rng(1), itertools.count()
    rows = [
        (judge, system, str(next(numbers)), QUALITY[system] - strict[judge] + rng.normal(0, 5))
        for judge, systems in shares.items()
        for system, _ in zip(itertools.cycle(systems), range(n), strict=False)
    ]
    return assessments(rows)


def notes_of(judgements: Assessments, method: str) -> str:
    """What the ranking says of it."""
    return " ".join(tercet.rank(judgements, method=method).notes)


@pytest.mark.parametrize("method", ["da", "da(standardize=median)", "esa"])
def test_groups_that_no_judge_links_are_told(method: str) -> None:
    apart = judged({"one": "AB", "two": "CD"}, {"one": 60.0, "two": 0.0})
    assert "No judge saw systems of two of these groups: A, B; C, D." in notes_of(apart, method)
    order = [r.system for r in tercet.rank(apart, method=method)]
    assert order.index("C") < order.index("B")  # which is wrong, and nothing in the scores says so


@pytest.mark.parametrize("method", ["da", "esa"])
def test_nothing_is_told_where_judges_saw_all_systems_or_are_linked(method: str) -> None:
    for shares in ({"one": "ABCD", "two": "ABCD"}, {"one": "AB", "two": "BC", "three": "CD"}):
        alike = judged(shares, {"one": 5.0, "two": 0.0, "three": 0.0})
        assert "No judge saw" not in notes_of(alike, method)
    assert "Judges did not" not in notes_of(judged({"one": "ABCD", "two": "ABCD"}, {"one": 5.0, "two": 0.0}), method)


def test_systems_that_z_scores_turn_round_are_told() -> None:
    """C is the worst of what one judge saw, and the best of what the other did."""
    skewed = judged({"one": "AAAB", "two": "BCCCCDDD"}, {"one": 0.0, "two": 0.0}, n=80)
    order = [r.system for r in tercet.rank(skewed, method="da")]
    assert order.index("C") < order.index("B")
    assert "the order turns round: B above C" in notes_of(skewed, "da")
    assert "Judges did not" not in notes_of(skewed, "esa")  # both are equally strict


def test_strict_judges_turn_raw_scores_round() -> None:
    skewed = judged({"one": "AAAAAAAB", "two": "ABBBBBBB"}, {"one": 50.0, "two": 0.0}, n=80)
    assert "the order turns round: A above B" in notes_of(skewed, "esa")


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 100)), min_size=2, max_size=40))
def test_parts_of_systems_are_those_of_least_squares(rows: list[tuple[int, int, int]]) -> None:
    data = assessments([(f"j{j}", f"s{s}", str(i), float(x)) for i, (j, s, x) in enumerate(rows)])
    n = len(data.systems)
    design = np.zeros((len(rows), n + len(data.judges)))
    design[np.arange(len(rows)), data.system] = 1
    design[np.arange(len(rows)), n + data.judge] = 1
    wanted = np.linalg.lstsq(design, data.score, rcond=None)[0][:n]
    found, link = without_judges(data, data.score), linked(data, data.score)
    for a, b in itertools.combinations(range(n), 2):
        if link[a, b]:
            assert found[a] - found[b] == pytest.approx(wanted[a] - wanted[b], abs=1e-8)
    seen = {s: {j for j, t, _ in rows if f"s{t}" == s} for s in data.systems}
    for group in groups_of(link, data.systems):
        others = [s for s in data.systems if s not in group]
        assert not any(seen[s] & seen[t] for s in group for t in others)
