"""Intervals of kappa and alpha: segments are drawn, each with all that was said of it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import Assessments
from tercet.errors import InputError
from tercet.human import draws
from tercet.sample import judgements
from tercet.stats.resampling import expanded_interval
from tests.human.build import Row, build_assessments
from tests.oracles.draws import segment_draws
from tests.ranking.build import rankings


def scored(segments: int, seed: int) -> Assessments:
    """Two judges who score three systems; what they think of a segment they share."""
    rng = np.random.default_rng(seed)
    segment, system, judge = (grid.ravel() for grid in np.indices((segments, 3, 2)))
    hard = rng.normal(size=segments)[segment] + rng.normal(size=(segments, 3))[segment, system]
    score = 50 + 10 * hard + 10 * rng.normal(size=len(segment))
    names = tuple(map(str, range(segments)))
    return Assessments("", ("A", "B", "C"), names, ("x", "y"), judge, system, segment, np.zeros_like(judge), score)


@pytest.mark.thorough
def test_intervals_cover() -> None:
    """Half of what varies is the judges' own: alpha is 2/3 where endless segments are judged."""
    truth, runs, held = 2 / 3, 40, 0
    assert tercet.agreement(scored(20_000, 0)).of("alpha").kappa == pytest.approx(truth, abs=0.01)
    for seed in range(1, runs + 1):
        record = tercet.agreement(scored(60, seed), ci=True, samples=100).of("alpha")
        assert record.low is not None
        assert record.high is not None
        held += record.low <= truth <= record.high
    assert held >= 34, "of 40; with .95, fewer happen once in 300 times"


@pytest.mark.parametrize(
    ("protocol", "options"),
    [("rankings", {}), ("rankings", {"kappa": "fleiss"}), ("rankings", {"by": "judges"}), ("mqm", {})],
)
def test_every_coefficient_has_an_interval(protocol: str, options: dict[str, str]) -> None:
    data = judgements("en-de", protocol)
    found = tercet.agreement(data, ci=True, samples=40, **options)  # type: ignore[arg-type]
    plain = tercet.agreement(data, **options)  # type: ignore[arg-type]
    assert [r.kappa for r in found] == [r.kappa for r in plain]
    for record in found:
        defined = record.kappa is not None and not np.isnan(record.kappa)
        assert (record.low is not None) == defined
        if record.low is not None and record.high is not None and record.comparable > 100:
            assert record.low < (record.kappa or 0) < record.high
    assert "|bs:40|seed:12345|unit:segment|" in found.signature
    assert "bs:" not in plain.signature
    assert tercet.agreement(data, ci=True, samples=40, seed=1, **options).records != found.records  # type: ignore[arg-type]


def test_a_draw_has_whole_segments() -> None:
    """Each drawn segment is one of the file with all its tasks, under a name of its own."""
    data = judgements("en-de")
    (draw,) = segment_draws(data, 1, 7)  # type: ignore[arg-type]
    assert len(draw.segments) == len(np.unique(data.segment))  # type: ignore[attr-defined]
    whole = sorted(np.bincount(data.segment).tolist())  # type: ignore[attr-defined]
    assert set(np.bincount(draw.segment).tolist()) <= set(whole)


def test_few_repeats_have_wider_intervals() -> None:
    """The same figures of the same draws reach further where they come from few segments."""
    values = np.random.default_rng(1).normal(size=1000)
    spans = [high - low for low, high in (expanded_interval(values, n) for n in (3, 10, 30, 1000))]
    assert spans == sorted(spans, reverse=True)
    assert expanded_interval(values, 1) == (values.min(), values.max())
    assert spans[-1] == pytest.approx(2 * 1.96, abs=0.2)


def test_draws_are_of_intervals() -> None:
    with pytest.raises(InputError, match=r"seed does nothing without ci\. Add ci=True, or leave out seed\."):
        tercet.agreement(judgements("en-de"), seed=1)


CROWDED = rankings(  # judges who repeat themselves, ties, and segments that only some judged
    *(
        f"{i} {judge}: A={1 + (i * k) % 3} B={1 + (i + k) % 3} C={1 + (i * i + k) % 3} D=2"
        for k, judge in enumerate(("ana", "ben", "turk1", "turk2", "ana", "turk1"))
        for i in range(9)
        if (i + k) % 4
    )
)
SCORED = build_assessments(
    [
        Row(judge, system, str(i), float((7 * i + 3 * k + len(system)) % 5))
        for k, judge in enumerate(("ana", "ben", "turk1"))
        for system in ("a", "bb")
        for i in range(8)
        if (i + k) % 5
    ]
)
GROUPS = {"crowd": "turk*", "others": "*"}
KAPPAS: list[dict[str, Any]] = [
    {"kappa": kappa, "weighting": weighting, "by": by} | ({"groups": GROUPS} if by == "groups" else {})
    for kappa, weighting in (
        ("wmt", "none"), ("cohen", "none"), ("cohen", "linear"), ("cohen", "quadratic"), ("fleiss", "none"),
        ("fleiss", "quadratic"),
    )
    for by in ("all", "judges", "groups")
]  # fmt: skip
DEMO = [("en-de", "rankings"), ("en-de", "mqm"), ("en-de", "esa"), ("en-de", "da")]


@pytest.mark.parametrize(
    ("data", "options"),
    [
        *((judgements(pair, protocol), {}) for pair, protocol in DEMO),
        (judgements("en-de"), {"compat": True}),
        (judgements("en-de"), {"expand": True, "on_skip": "task", "references": False}),
        *((CROWDED, options) for options in KAPPAS),
        (CROWDED, {"compat": True}),
        *((SCORED, options) for options in KAPPAS if options["kappa"] != "wmt" or options["by"] == "all"),
    ],
)
def test_sums_give_what_a_recount_of_every_draw_gives(
    data: Any, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(values: Any, units: int) -> tuple[float, float]:
        return tuple(np.sort(values)[[len(values) // 20, -1 - len(values) // 20]].tolist())

    monkeypatch.setattr(draws, "expanded_interval", ends)
    figures: dict[Any, list[float]] = defaultdict(list)
    for draw in segment_draws(data, 60, 3):
        for r in tercet.agreement(draw, **options):
            if r.kappa is not None and not np.isnan(r.kappa):
                figures[r.kind, r.first, r.second].append(r.kappa)
    checked = 0
    for r in tercet.agreement(data, ci=True, samples=60, seed=3, **options):
        counted = figures[r.kind, r.first, r.second]
        if r.kappa is None or np.isnan(r.kappa) or not counted:
            assert (r.low, r.high) == (None, None)
            continue
        assert (r.low, r.high) == pytest.approx(ends(np.array(counted), 0), abs=1e-12)
        checked += 1
    assert checked
