"""Tests keep their level and intervals their coverage, by simulation; and the page shows what was recorded."""

from __future__ import annotations

import dataclasses
import pathlib

import numpy as np
import pytest
from replication import calibration, calibration_systems
from replication.calibration_figures import Figure, Setting, failures, markdown, pooled, recorded, write
from scipy.stats import binom

from tests.conftest import ROOT

QUICK = [design for design in calibration.designs() if design.quick]


@pytest.mark.thorough
@pytest.mark.parametrize("design", QUICK, ids=lambda design: design.name)
def test_no_default_loses_its_level(design: calibration.Design, shared: pathlib.Path) -> None:
    """Seeds are fixed. Of 500 p-values a test that rejects at .10 in place of .05 fails with a probability of .96."""
    figures = design.run(quick=True)
    assert any(figure.promised for figure in figures)
    assert failures(figures) == []


def test_a_test_that_lost_its_level_is_seen(shared: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """sacreBLEU's bootstrap, which in effect is one-sided, as if it were the default."""
    one_sided = ("paired bootstrap", "default", {"paired": "bootstrap", "compat": True})
    monkeypatch.setattr(calibration_systems, "TESTS", (one_sided,))
    figures = calibration_systems.null(400, np.random.default_rng(1), True, spec="chrf", n=100)
    assert any("paired bootstrap: level" in failure for failure in failures(figures))


def figure(hits: int, runs: int, quantity: str = "level", nominal: float = 0.05) -> Figure:
    return Figure("score", "texts", "200", "test", "default", quantity, nominal, hits, runs)  # type: ignore[arg-type]


def test_a_share_has_the_binomial_interval_of_its_runs() -> None:
    low, high = figure(50, 1000).bounds
    assert (binom.sf(49, 1000, low), binom.cdf(50, 1000, high)) == pytest.approx((0.005, 0.005))
    assert figure(0, 100).bounds == pytest.approx((0.0, 1 - 0.005**0.01))
    assert figure(100, 100).bounds == pytest.approx((0.005**0.01, 1.0))


def test_verdicts() -> None:
    assert [figure(hits, 1000).verdict for hits in (10, 50, 100)] == ["careful", "holds", "NO"]
    assert [figure(h, 1000, "coverage", 0.95).verdict for h in (900, 950, 990)] == ["NO", "holds", "careful"]
    assert figure(900, 1000, "power").verdict == ""


def test_a_default_that_overclaims_is_told() -> None:
    assert failures([figure(50, 1000)]) == []
    [told] = failures([figure(120, 1000)])
    assert "level .120 [.095, .149], nominal 0.05" in told


def test_a_test_that_cannot_hold_is_seen() -> None:
    p = np.random.default_rng(1).uniform(0, 0.5, 500)  # rejects twice as often as it says
    assert failures(Setting("score", "texts", "200").tests("bad", "default", p)) != []
    assert failures(Setting("score", "texts", "200").tests("good", "default", 2 * p)) == []


def test_what_is_written_down_is_read_again(tmp_path: pathlib.Path) -> None:
    figures = [figure(50, 1000), figure(940, 1000, "coverage", 0.95)]
    write({"first": figures, "second": figures[:1]}, tmp_path / "figures.tsv")
    assert recorded(tmp_path / "figures.tsv") == {"first": figures, "second": figures[:1]}


def test_a_row_has_level_and_coverage_side_by_side() -> None:
    figures = [figure(120, 1000), figure(12, 1000, nominal=0.01), figure(940, 1000, "coverage", 0.95)]
    assert markdown(figures).splitlines() == [
        "| level 0.05 | level 0.01 | coverage 0.95 | runs |",
        "| --- | --- | --- | --- |",
        "| **.120 [.095, .149]** | .012 [.005, .024] | .940 [.918, .958] | 1000 |",
    ]
    other = dataclasses.replace(figures[0], n="1000")
    assert markdown([figures[0], other]).splitlines()[0] == "| n | level 0.05 | runs |"


def test_sizes_and_metrics_of_systems_are_taken_together() -> None:
    one = dataclasses.replace(figure(10, 100), data="texts, bleu")
    other = dataclasses.replace(figure(2, 300), data="texts, ter", n="1000")
    assert [(f.data, f.n, f.hits, f.runs) for f in pooled([one, other])] == [("texts", "all", 12, 400)]
    of_metrics = [dataclasses.replace(f, verb="meta") for f in (one, other)]
    assert [(f.data, f.hits) for f in pooled(of_metrics)] == [("texts, bleu", 10), ("texts, ter", 2)]


def test_the_page_shows_what_was_recorded() -> None:
    designs = recorded()
    assert list(designs) == [design.name for design in calibration.designs()]
    figures = [figure for made in designs.values() for figure in made]
    assert failures(figures) == []
    page = (ROOT / "docs" / "guide" / "significance.md").read_text(encoding="utf-8")
    assert calibration.rewritten(page, figures) == page
    assert [name for name, table in calibration.tables(figures).items() if table not in page] == []
