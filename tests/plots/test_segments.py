"""Segments as points, as density and as histograms; the same names in several columns."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import numpy as np
import pytest

import tercet
from tercet.agreeing.evaluate import beside_people
from tercet.data import Ranked, Ranking, SegmentScores
from tercet.errors import InputError
from tercet.plots import save, score_histograms, segment_scatter, side_by_side
from tercet.plots.results import rankings_figure
from tercet.sample import campaign, judgements


def made(n: int, *, higher: bool = True) -> SegmentScores:
    random = np.random.default_rng(7)
    gold = random.normal(70, 10, n)
    return beside_people("de-en", "m", gold, gold / 2 + random.normal(0, 4, n), higher, 0.8)


def test_few_segments_are_points_and_many_are_cells_that_hold_them_all() -> None:
    few = segment_scatter(made(50)).axes[0]
    assert len(few.lines[0].get_xdata()) == 50  # type: ignore[arg-type]
    many = segment_scatter(made(5000)).axes[0]
    (cells,) = many.collections
    held = cells.get_array()
    assert held is not None
    assert np.nansum(np.ma.filled(held, 0)) == 5000
    assert "5000 segments" in [t.get_text() for t in many.texts]
    assert many.get_title("right") == "r = .800"


def test_better_is_to_the_right() -> None:
    left, right = segment_scatter(made(20, higher=False)).axes[0].get_xlim()
    assert left > right


@pytest.mark.parametrize("draw", [segment_scatter, score_histograms])
def test_nothing_is_refused(draw: Callable[[SegmentScores], object]) -> None:
    with pytest.raises(InputError, match="no segment"):
        draw(made(0))


def test_a_histogram_counts_every_segment() -> None:
    data = made(700)
    for ax, values in zip(score_histograms(data).axes, (data.scores, data.gold), strict=True):
        (steps,) = ax.patches
        assert sum(steps.get_data().values) == 700  # type: ignore[attr-defined]
        assert ax.lines[0].get_xdata()[0] == pytest.approx(np.median(values))  # type: ignore[index]


def test_meta_has_the_scores_of_segments_where_people_gave_some() -> None:
    texts, people = campaign("en-de"), judgements("en-de", "da")
    found = tercet.meta(
        testset=texts, judgements=people, level="segment", measures=["pearson"], metrics=["chrf", "ter"]
    )
    chrf, ter = found.segments
    assert (chrf.higher_is_better, ter.higher_is_better) == (True, False)
    own = {s.metric: s for s in found.scores}
    assert set(np.round(chrf.scores, 9)) <= set(np.round(np.asarray(own["chrf"].values).ravel(), 9))
    assert len(chrf.gold) == len(chrf.scores) == len(ter.scores) > 100
    assert chrf.agreement == pytest.approx(np.corrcoef(chrf.gold, chrf.scores)[0, 1])
    assert ter.agreement == pytest.approx(-np.corrcoef(ter.gold, ter.scores)[0, 1])
    ranked = tercet.meta(testset=texts, judgements=judgements("en-de"), level="segment", metrics="chrf")
    assert ranked.segments == (), "comparisons are no scores"


def test_names_are_joined_across_columns() -> None:
    columns = [("x", {"a": 3.0, "b": 2.0, "c": 1.0}), ("y", {"c": 3.0, "b": 2.0, "a": 1.0}), ("z", {"a": 1.0})]
    ax = side_by_side(columns).axes[0]
    lines = [line for line in ax.lines if line.get_marker() == "None"]
    ends = [tuple(np.round(line.get_ydata(), 1).tolist()) for line in lines]  # type: ignore[arg-type]
    assert ends == [(0, 2), (1, 1), (2, 0), (2, 0)]
    assert len({line.get_color() for line in lines}) == 2, "what moves far is dark"
    with pytest.raises(InputError, match="side by side"):
        side_by_side(columns[:1])


def test_rankers_and_years_side_by_side(tmp_path: pathlib.Path) -> None:
    def ranking(*systems: str) -> Ranking:
        records = tuple(Ranked(s, 1.0 / i, i, i, i) for i, s in enumerate(systems, 1))
        return Ranking(records, "rank", "de-en")

    rankings = {"one": ranking("a", "b"), "two": ranking("b", "a"), "three": ranking("a", "b")}
    save(rankings_figure(rankings), tmp_path / "r.svg")
    save(side_by_side([("2014", {"a": 0.9, "b": 0.8}), ("2015", {"a": 0.7, "b": 0.8})]), tmp_path / "y.svg")
    for name, words in (("r.svg", ("one", "three", "de-en")), ("y.svg", ("2014", "2015"))):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert all(f">{word}<" in text for word in words)
