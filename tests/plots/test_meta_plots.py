"""The figures of meta-evaluation: what is drawn where, names that do not overlap, and the same bytes every time."""

from __future__ import annotations

import itertools
import math
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import Calibration, MetricTests, Scatter, TopCurve
from tercet.errors import InputError
from tercet.plots import (
    calibration_curve,
    save,
    scatter,
    significance_matrix,
    top_n_curves,
)
from tercet.plots.calibration import MOST
from tercet.plots.canvas import drawing
from tercet.plots.labels import CLEAR, MARKER, beside_points, extent, spread
from tests.conftest import at_most
from tests.plots.test_plots import HEADERS, KINDS, luminance, texts

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

NAN = math.nan


def cloud(names: list[str], **more: Any) -> Scatter:
    """Systems in a crowd and one far off, with intervals."""
    rng = np.random.default_rng(len(names))
    gold, scores = rng.normal(0, 0.1, len(names)), rng.normal(20, 1, len(names))
    gold[-1], scores[-1] = -2, 3
    given: dict[str, Any] = {
        "outliers": (*[False] * (len(names) - 1), True),
        "gold_low": tuple(gold - 0.1),
        "gold_high": tuple(gold + 0.1),
        "score_low": tuple(scores - 1),
        "score_high": tuple(scores + 2),
        "agreement": 0.91,
    }
    return Scatter("de-en", "BLEU", tuple(names), tuple(gold), tuple(scores), **{**given, **more})


def points(names: list[str]) -> Figure:
    return scatter(cloud(names), regression=True)


def curves(names: list[str]) -> Figure:
    return top_n_curves([TopCurve("de-en", "pearson", m, (4, 5, 6), (0.1, i / 50, 0.9)) for i, m in enumerate(names)])


def matrix(names: list[str]) -> Figure:
    n = len(names)
    p = np.where(np.tri(n, dtype=bool), 0.99, 0.01)
    return significance_matrix(MetricTests("de-en", "system", "pearson", "williams", tuple(names), p))


FIGURES: dict[str, Callable[[list[str]], Figure]] = {"points": points, "curves": curves, "matrix": matrix}
CALIBRATION = Calibration("de-en", "bl$u_1", np.array([0.0, 0.5, 2.0]), np.array([0.4, 0.6, 0.3]), best=0.5)


def calibrated(_: list[str]) -> Figure:
    return calibration_curve(CALIBRATION)


@pytest.mark.parametrize("suffix", KINDS)
def test_figures_are_written_twice_alike(suffix: str, tmp_path: pathlib.Path) -> None:
    for draw in (*FIGURES.values(), calibrated):
        pages = set()
        for k in range(2):
            save(draw(["a", "b", "c"]), tmp_path / f"{k}{suffix}")
            pages.add((tmp_path / f"{k}{suffix}").read_bytes())
        assert len(pages) == 1
        assert pages.pop().startswith(HEADERS[suffix])


@pytest.mark.thorough
def test_another_process_writes_the_same_and_never_imports_pyplot(tmp_path: pathlib.Path) -> None:
    program = (
        "import sys, tests.plots.test_meta_plots as t, tests.plots.test_plots as others\n"
        "for name, draw in (others.FIGURES | t.FIGURES).items():\n"
        "    for suffix in t.HEADERS: t.save(draw(['a', 'b', 'c', 'd']), f'{sys.argv[1]}/{name}{suffix}')\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    found = []
    for seed in "1", "2":
        folder = tmp_path / seed
        folder.mkdir()
        command = [sys.executable, "-c", program, str(folder)]
        assert subprocess.check_output(command, text=True, env={**os.environ, "PYTHONHASHSEED": seed}) == "False\n"
        found.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(found[0]) == 18
    assert [name for name in found[0] if found[0][name] != found[1][name]] == []


# where names go


def overlapping(one: Any, other: Any) -> bool:
    return bool(one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])


place = st.tuples(st.floats(0, 300), st.floats(0, 240))


@at_most(40)  # it takes a while to look at every place
@given(st.lists(st.tuples(place, st.floats(5, 160)), min_size=1, max_size=12))
def test_no_two_names_overlap_nor_do_names_and_points(given: list[tuple[tuple[float, float], float]]) -> None:
    where = np.array([xy for xy, _ in given])
    sizes = [(width, 8.4) for _, width in given]
    placed = beside_points(where, sizes, 300, 240)
    boxes = [(p.x, p.y, p.x + w, p.y + h) for p, (w, h) in zip(placed, sizes, strict=True)]
    assert not any(overlapping(a, b) for a, b in itertools.combinations(boxes, 2))
    reach = MARKER - CLEAR
    spots = [(x - reach, y - reach, x + reach, y + reach) for x, y in where.tolist()]
    assert not any(overlapping(box, spot) for box in boxes for spot in spots)


def test_a_name_without_neighbours_is_right_beside_its_point() -> None:
    (alone,) = beside_points(np.array([[100.0, 100.0]]), [(40.0, 8.0)], 300, 240)
    assert alone.lead is None
    assert alone.x == pytest.approx(105)
    assert alone.y + 4 == pytest.approx(100)
    (edge,) = beside_points(np.array([[290.0, 100.0]]), [(40.0, 8.0)], 300, 240)
    assert edge.x + 40 == pytest.approx(285)


def test_points_on_one_spot_all_get_their_names() -> None:
    placed = beside_points(np.full((30, 2), 150.0), [(60.0, 8.0)] * 30, 300, 240)
    boxes = [(p.x, p.y, p.x + 60, p.y + 8) for p in placed]
    assert not any(overlapping(a, b) for a, b in itertools.combinations(boxes, 2))
    assert sum(p.lead is None for p in placed) < 5


@given(st.lists(st.floats(-50, 50), max_size=9), st.floats(0.1, 10))
def test_spread_is_the_nearest_that_keeps_the_distance(wanted: list[float], gap: float) -> None:
    found = spread(wanted, gap, -1e9, 1e9)
    order = np.argsort(wanted, kind="stable")
    moved = np.array(wanted)[order] - gap * np.arange(len(wanted))
    best = scipy.optimize.isotonic_regression(moved).x + gap * np.arange(len(wanted)) if wanted else []
    assert np.array(found)[order] == pytest.approx(best, abs=1e-9)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=9))
def test_spread_stays_within_bounds(wanted: list[float]) -> None:
    found = sorted(spread(wanted, 2, -8, 8))
    assert found[0] >= -8
    assert found[-1] <= 8 + 1e-9
    assert all(b - a >= 2 - 1e-9 for a, b in itertools.pairwise(found))


def test_names_of_many_systems_do_not_overlap_when_drawn() -> None:
    """By what matplotlib says that it draws, not by our own reckoning."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    names = [f"system-{i:02d}-{'x' * (i % 9)}" for i in range(40)]
    figure = scatter(cloud(names))
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    shown: list[Text] = [t for t in figure.axes[0].texts if t.get_text() in names]
    assert len(shown) == 40
    boxes = [t.get_window_extent(renderer).extents for t in shown]
    shrunk = [(x0 + 0.5, y0 + 0.5, x1 - 0.5, y1 - 0.5) for x0, y0, x1, y1 in boxes]
    assert not any(overlapping(a, b) for a, b in itertools.combinations(shrunk, 2))


def test_the_room_of_a_name_is_about_what_it_takes() -> None:
    with drawing():
        assert extent("在线", 8)[0] >= 16
    assert extent("iii", 8)[0] < extent("mmm", 8)[0]
    assert extent("a" * 40, 8)[0] == pytest.approx(40 * extent("a", 8)[0], rel=0.1)


# scatter


def test_ellipses_are_as_wide_and_high_as_the_intervals() -> None:
    from matplotlib.patches import Ellipse

    data = Scatter(
        "de-en",
        "m",
        ("a", "b"),
        (1.0, 2.0),
        (10.0, 20.0),
        (False, False),
        (0.5, 1.8),
        (1.7, 2.1),
        (9.0, NAN),
        (12.0, NAN),
    )
    ax = scatter(data).axes[0]
    (ellipse,) = (patch for patch in ax.patches if isinstance(patch, Ellipse))
    assert (ellipse.get_width(), ellipse.get_height()) == pytest.approx((3.0, 1.2))
    assert ellipse.get_center() == pytest.approx((10.5, 1.1))
    assert ellipse.angle == 0
    bars = [
        line for line in ax.lines if line.get_transform() == ax.transData and len(np.asarray(line.get_xdata())) == 2
    ]
    spans = [(list(np.asarray(b.get_xdata())), list(np.asarray(b.get_ydata()))) for b in bars]
    assert ([20.0, 20.0], [1.8, 2.1]) in spans


def test_better_is_to_the_right() -> None:
    given = ("de-en", "TER", ("a", "b"), (1.0, 2.0), (60.0, 50.0), (False, False))
    (left, right), (wrong, way) = (
        scatter(Scatter(*given, higher_is_better=h)).axes[0].get_xlim() for h in (False, True)
    )
    assert left > right
    assert wrong < way
    assert "lower is better" in scatter(Scatter(*given, higher_is_better=False)).axes[0].get_xlabel()


def test_lines_are_least_squares_with_and_without_outliers(tmp_path: pathlib.Path) -> None:
    x, y = (1.0, 2.0, 3.0, 4.0, 9.0), (1.1, 1.9, 3.2, 3.9, -5.0)
    figure = scatter(Scatter("", "m", tuple("abcde"), y, x, (False,) * 4 + (True,)), regression=True)
    lines = {str(line.get_label()): line for line in figure.axes[0].lines}
    for name, n in (("all systems", 5), ("without outliers", 4)):
        xs, ys = (np.asarray(values, dtype=float) for values in lines[name].get_data())
        slope, start = np.polyfit(x[:n], y[:n], 1)
        assert ys == pytest.approx(start + slope * xs)
        assert (xs[0], xs[-1]) == (1.0, x[n - 1])
    assert {"outlier", "system", "all systems", "without outliers"} <= set(texts(figure, tmp_path / "a.svg"))
    assert lines["outlier"].get_marker() != lines["system"].get_marker()
    assert list(np.asarray(lines["outlier"].get_xdata())) == [9.0]


def test_systems_without_a_score_are_named_and_not_drawn() -> None:
    figure = scatter(Scatter("", "m", ("a", "b", "c"), (1.0, NAN, 2.0), (1.0, 2.0, NAN), (False, True, False)))
    ax = figure.axes[0]
    assert [t.get_text() for t in ax.texts] == ["a"]
    assert ax.get_xlabel().endswith("not shown, as a score is missing: b, c")


def test_the_correlation_is_written(tmp_path: pathlib.Path) -> None:
    assert "r = −.250" in texts(scatter(cloud(["a", "b"], agreement=-0.25)), tmp_path / "a.svg")
    assert not any(t.startswith("r =") for t in texts(scatter(cloud(["a", "b"], agreement=NAN)), tmp_path / "b.svg"))


def test_one_system_and_a_metric_that_is_constant() -> None:
    scatter(Scatter("", "m", ("a",), (1.0,), (5.0,), (False,)), regression=True)
    figure = scatter(Scatter("", "m", ("a", "b"), (1.0, 2.0), (5.0, 5.0), (False, False)), regression=True)
    assert "all systems" not in [line.get_label() for line in figure.axes[0].lines]


# curves


def test_metrics_of_interest_are_in_colour_and_differ_without_it() -> None:
    given = [TopCurve("de-en", "pearson", f"m{i}", (4, 5), (0.1, i / 10)) for i in range(9)]
    ax = top_n_curves(given, highlight=["m1", "m3", "m8"]).axes[0]
    drawn = [line for line in ax.lines if line.get_transform() == ax.transData and line.get_zorder() > 1]
    coloured = [line for line in drawn if line.get_zorder() > 2]
    assert len(drawn) == 9
    assert len({(line.get_marker(), str(line.get_linestyle())) for line in coloured}) == len(coloured) == 3
    assert len({line.get_color() for line in drawn if line not in coloured}) == 1
    weights = {t.get_text(): t.get_fontweight() for t in ax.texts}
    assert {name for name, weight in weights.items() if weight == "bold"} == {"m1", "m3", "m8"}


def test_the_best_five_are_in_colour_if_none_are_named() -> None:
    values = [0.3, NAN, 0.9, 0.8, 0.1, 0.7, 0.6]
    given = [TopCurve("", "pearson", f"m{i}", (4, 5), (0.0, v)) for i, v in enumerate(values)]
    given[1] = TopCurve("", "pearson", "m1", (4, 5), (NAN, NAN))
    ax = top_n_curves(given).axes[0]
    assert {t.get_text() for t in ax.texts if t.get_fontweight() == "bold"} == {"m0", "m2", "m3", "m5", "m6"}
    assert "m1 (n/a)" in [t.get_text() for t in ax.texts]


def test_names_stand_in_the_order_of_the_ends_and_apart() -> None:
    given = [TopCurve("", "pearson", f"m{i}", (4, 5), (0.0, 0.9 + i / 1000)) for i in range(30)]
    ax = top_n_curves(given).axes[0]
    heights = [t.get_position()[1] * ax.figure.get_size_inches()[1] * 72 for t in ax.texts]  # type: ignore[union-attr]
    assert [t.get_text() for t in ax.texts] == [f"m{i}" for i in range(30)]
    assert min(np.diff(heights)) > 8


def test_bands_are_drawn_where_they_are_given() -> None:
    with_band = TopCurve("", "pearson", "a", (4, 5), (0.5, 0.6), (0.1, 0.2), (0.8, 0.9))
    ax = top_n_curves([with_band, TopCurve("", "pearson", "b", (4, 5), (0.5, 0.6))]).axes[0]
    assert len(ax.collections) == 1
    assert ax.get_ylim()[0] < 0.1


def test_curves_that_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="no curve to draw"):
        top_n_curves([])
    with pytest.raises(InputError, match="There is no curve of x"):
        top_n_curves([TopCurve("", "pearson", "a", (4,), (0.5,))], highlight=["x"])


# significance


def shades(p: Any, alpha: float = 0.05) -> dict[tuple[int, int], Any]:
    """The colours of the cells that have one, by row and column."""
    from matplotlib.patches import Rectangle

    n = len(p)
    tests = MetricTests("", "system", "pearson", "williams", tuple("abcdef"[:n]), np.array(p), alpha)
    ax = significance_matrix(tests).axes[0]
    cells = [c for c in ax.patches if isinstance(c, Rectangle) and not c.get_hatch()]
    return {(round(c.get_y() + 0.5), round(c.get_x() + 0.5)): np.array(c.get_facecolor()[:3]) for c in cells}


def test_cells_are_coloured_where_the_row_is_better_darker_for_smaller_p() -> None:
    found = shades(
        [[NAN, 0.04, 0.009, 0.0009], [0.96, NAN, 0.051, 0.2], [0.991, 0.949, NAN, 0.5], [0.9991, 0.8, 0.5, NAN]]
    )
    assert set(found) == {(0, 1), (0, 2), (0, 3)}
    light = [luminance(found[0, k]) for k in (1, 2, 3)]
    assert 0.75 > light[0] > 2 * light[1] > 4 * light[2]


def test_the_level_is_that_of_the_tests() -> None:
    p = [[NAN, 0.04, 0.009], [0.96, NAN, 0.0009], [0.991, 0.9991, NAN]]
    assert set(shades(p, 0.01)) == {(0, 2), (1, 2)}
    assert set(shades(p, 0.1)) == {(0, 1), (0, 2), (1, 2)}


def test_what_is_not_defined_is_hatched_and_winners_are_bold(tmp_path: pathlib.Path) -> None:
    p = np.array([[NAN, NAN, 0.01], [NAN, NAN, 0.5], [0.99, 0.5, NAN]])
    figure = significance_matrix(MetricTests("de-en", "segment", "kendall", "bootstrap", ("a", "b", "c"), p))
    ax = figure.axes[0]
    assert sum(patch.get_hatch() is not None for patch in ax.patches) == 2
    assert [t.get_fontweight() for t in ax.get_yticklabels()] == ["bold", "bold", "normal"]
    found = texts(figure, tmp_path / "a.svg")
    assert {"p ≤ .05", "p ≤ .01", "p ≤ .001", "not defined", "(segment level, kendall, bootstrap)"} <= set(found)


def test_tables_that_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="no metric"):
        significance_matrix(MetricTests("", "system", "pearson", "williams", (), np.empty((0, 0))))
    with pytest.raises(InputError, match=r"shape \(1, 2\)"):
        significance_matrix(MetricTests("", "system", "pearson", "williams", ("a",), np.zeros((1, 2))))


# calibration


def test_the_best_epsilon_is_marked(tmp_path: pathlib.Path) -> None:
    figure = calibration_curve(CALIBRATION)
    markers = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert [tuple(np.asarray(v).tolist() for v in m.get_data()) for m in markers] == [([0.5], [0.6])]
    found = texts(figure, tmp_path / "a.svg")
    assert {"best: .600 at ε = 0.5", "bl$u_1, de-en"} <= set(found)


def test_a_long_curve_is_thinned_and_keeps_its_best(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(1)
    epsilon = np.sort(rng.exponential(size=100_000))
    accuracy = rng.uniform(0.3, 0.4, len(epsilon))
    accuracy[31_415] = 0.9
    figure = calibration_curve(Calibration("", "m", epsilon, accuracy, float(epsilon[31_415])))
    xs, ys = (np.asarray(v, dtype=float) for v in figure.axes[0].lines[0].get_data())
    assert len(xs) <= 2 * (MOST + 2)
    assert (xs[0], xs[-1]) == (epsilon[0], epsilon[-1])
    assert ys.max() == 0.9
    assert (np.diff(xs) >= 0).all()
    save(figure, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size < 50_000


def test_a_curve_that_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="There are 0 values of epsilon"):
        calibration_curve(Calibration("", "m", np.array([]), np.array([]), 0.0))
    with pytest.raises(InputError, match="1 values of epsilon and 2 of accuracy"):
        calibration_curve(Calibration("", "m", np.array([0.0]), np.array([0.5, 0.6]), 0.0))


def test_a_metric_has_one_colour_in_several_figures() -> None:
    def colours(best: str, palette: tuple[str, ...]) -> dict[str, Any]:
        names = ("a", "b", "c", "d", "e", "f")
        lines = [TopCurve("de-en", "pearson", m, (4, 5), (0.1, 0.9 if m == best else 0.5)) for m in names]
        figure = top_n_curves(lines, highlight={best, "c"}, palette=palette)
        return {text.get_text(): text.get_color() for text in figure.axes[0].texts}

    one, other = (colours(best, ("a", "b", "c")) for best in ("a", "b"))
    assert one["c"] == other["c"]
    assert one["a"] != one["c"] != other["b"] != one["a"]
