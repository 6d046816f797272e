"""One layout, two painters: what matplotlib draws and what the page draws stand at the same places."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from tercet.data import Calibration, MetricTests, Scatter, TopCurve
from tercet.plots import calibration_curve, scatter, significance_matrix, top_n_curves
from tercet.plots.layout import calibration_layout, lines_layout, scatter_layout, thinned
from tercet.plots.significance import COLOURS
from tercet.report.html import (
    Block,
    Report,
    Section,
    calibration_block,
    matrix_block,
    page,
    scatter_block,
    top_curve_block,
)

SCATTER = Scatter(
    "de-en", "TER", ("a", "b", "c", "d"), (0.3, -0.2, 0.1, float("nan")), (0.4, 0.7, 0.5, 0.6),
    (False, True, False, False),
    (0.2, -0.3, 0.0, 0.0), (0.4, -0.1, 0.2, 0.0), (0.35, 0.6, 0.45, 0.5), (0.45, 0.8, 0.55, 0.7), False, -0.9,
)  # fmt: skip
CURVES = [TopCurve("de-en", "pearson", m, (4, 5, 6), (v, v + 0.1, 0.9)) for m, v in (("one", 0.1), ("two", -0.3))]


def drawn(block: Block) -> tuple[str, dict[str, object]]:
    """The figure of a page, and its data."""
    text = page(Report("r", (), (Section("s", "s", blocks=(block,)),)))
    found = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S)
    assert found
    charts = json.loads(found[1])["charts"]
    return text.split("<main")[1], charts[0] if charts else {}


def labels(text: str, axis: str) -> list[str]:
    """The ticks of an axis of the page."""
    (group,) = re.findall(rf'<g class="grid {axis}">(.*?)</g>', text)
    return re.findall(r">([^<]+)</text>", group)


@pytest.mark.parametrize(
    ("figure", "block"),
    [
        (scatter(SCATTER), scatter_block([SCATTER])),
        (top_n_curves(CURVES), top_curve_block(CURVES)),
    ],
    ids=["scatter", "top-n"],
)
def test_limits_and_ticks_are_the_same_in_both(figure: object, block: Block) -> None:
    ax = figure.axes[0]  # type: ignore[attr-defined]
    text, chart = drawn(block)
    x = chart["x"] if "x" in chart else chart["views"][0]["x"]  # type: ignore[index]
    assert ax.get_xlim() == pytest.approx(x)
    assert ax.get_ylim() == pytest.approx(chart["y"])
    assert [t.get_text() for t in ax.get_xticklabels()] == labels(text, "xs")
    assert [t.get_text() for t in ax.get_yticklabels()] == labels(text, "ys")


def test_a_scatter_knows_who_is_missing_and_which_way_is_better() -> None:
    layout = scatter_layout(SCATTER)
    assert [p.system for p in layout.points] == ["a", "b", "c"]
    assert layout.missing == ("d",)
    assert layout.x.place(0.4) > layout.x.place(0.7), "lower is better"
    assert [p.outlier for p in layout.points] == [False, True, False]


def test_names_of_lines_stand_apart_in_the_order_of_the_ends() -> None:
    many = [TopCurve("", "r", f"m{i}", (4, 5), (0.0, 0.9 + i / 1000)) for i in range(10)]
    gone = TopCurve("", "r", "gone", (4, 5), (float("nan"), float("nan")))
    layout = lines_layout([*many, gone], "x", "y", 0.05)
    assert layout.ends[-1] is None
    assert min(np.diff(layout.names[:-1])) >= 0.05 - 1e-12
    assert all(0 <= height <= 1 for height in layout.names)


def test_a_thinned_curve_keeps_its_ends_its_extremes_and_the_best() -> None:
    random = np.random.default_rng(5)
    epsilon, accuracy = np.sort(random.uniform(size=5000)), random.uniform(size=5000)
    kept = thinned(epsilon, accuracy, 1234, 100)
    assert len(kept) <= 104
    assert {0, 1234, 4999, int(accuracy.argmin()), int(accuracy.argmax())} <= set(kept)
    assert thinned(epsilon[:90], accuracy[:90], 3, 100) == list(range(90))


def test_the_same_lines_are_in_colour_in_both() -> None:
    values = {"a": 0.1, "b": 0.9, "c": 0.3, "d": 0.8, "e": 0.7, "f": 0.2, "g": 0.6}
    curves = [TopCurve("de-en", "pearson", m, (4, 5), (0.5, v)) for m, v in values.items()]
    bold = {t.get_text() for t in top_n_curves(curves).axes[0].texts if t.get_fontweight() == "bold"}
    text, _ = drawn(top_curve_block(curves))
    lines = re.findall(r'<g class="line c\d d\d( on)?">', text)
    assert bold == {m for m, on in zip(values, lines, strict=True) if on} == {"b", "c", "d", "e", "g"}
    assert re.findall(r'<g class="line c\d d\d( on)?">', drawn(top_curve_block(curves, ["a"]))[0]) == [" on", *[""] * 6]


def test_the_best_of_a_calibration_is_the_same_in_both() -> None:
    epsilon = np.linspace(0, 2, 3000)
    data = Calibration("", "m", epsilon, 1 - (epsilon - 0.4) ** 2, float(epsilon[600]))
    _, chart = drawn(calibration_block([data]))
    view = chart["views"][0]  # type: ignore[index]
    layout = calibration_layout(data, 600)
    assert view["e"][view["best"]] == pytest.approx(layout.epsilon[layout.best], abs=1e-3)
    (marked,) = [line for line in calibration_curve(data).axes[0].lines if line.get_marker() == "o"]
    assert marked.get_xdata() == pytest.approx([layout.epsilon[layout.best]])


def test_a_calibration_has_the_steps_the_axes_and_the_words_of_one_layout() -> None:
    data = Calibration("de-en", "m", np.array([0.0, 0.5, 2.0]), np.array([0.4, 0.6, 0.3]), best=0.5)
    layout = calibration_layout(data, 100)
    ax = calibration_curve(data).axes[0]
    text, chart = drawn(calibration_block([data]))
    assert [v.tolist() for v in layout.corners] == [[0.0, 0.5, 0.5, 2.0, 2.0], [0.4, 0.4, 0.6, 0.6, 0.3]]
    assert ax.lines[0].get_xydata().tolist() == np.column_stack(layout.corners).tolist()  # type: ignore[union-attr]
    (path,) = re.findall(r'class="stroke" d="M([^"]*)"', text)
    across = [float(point.split()[0]) for point in path.replace("h0", "").split("L")]
    assert across == sorted(across)
    assert len(set(across)) == 3
    assert ax.get_ylim() == layout.y.span == tuple(chart["y"])  # type: ignore[arg-type]
    assert [t.get_text() for t in ax.get_yticklabels()] == labels(text, "ys")
    assert (ax.get_xlabel(), ax.get_ylabel()) == (layout.x.name, layout.y.name)
    assert layout.x.name in text
    assert layout.y.name in text
    assert [t.get_text() for t in ax.texts] == ["best: .600 at ε = 0.5"]
    assert "Best: .600 at ε = 0.5" in text


def test_a_calibration_without_numbers_is_said_to_be_none() -> None:
    nothing = Calibration("", "m", np.array([np.nan]), np.array([np.nan]), np.nan)
    layout = calibration_layout(nothing, 100)
    assert (layout.best, layout.told, [len(v) for v in layout.corners]) == (-1, "not defined", [0, 0])
    assert not calibration_curve(nothing).axes[0].texts
    assert "Not defined." in drawn(calibration_block([nothing]))[0]


def test_winners_and_what_is_not_defined_are_the_same_in_both() -> None:
    nan = np.nan
    p = np.array([[nan, nan, 0.01, nan], [nan, nan, 0.5, nan], [0.99, 0.5, nan, nan], [nan] * 4])
    tests = MetricTests("", "segment", "kendall", "bootstrap", ("a", "b", "c", "d"), p)
    text, _ = drawn(matrix_block(tests))
    ax = significance_matrix(tests).axes[0]
    bold = {t.get_text() for t in ax.get_yticklabels() if t.get_fontweight() == "bold"}
    assert bold == set(re.findall(r"<b><bdi>(\w)</bdi></b>", text)) == {"a", "b"}, "d was not tested at all"
    assert text.count('<td class="hatched"') == sum(patch.get_hatch() is not None for patch in ax.patches) == 8
    assert '<span class="key hatched">not defined</span>' in text


def test_shades_are_the_same_in_both() -> None:
    p = np.array([[np.nan, 0.03, 0.004, 0.0005], *np.full((3, 4), 0.9)])
    tests = MetricTests("", "system", "pearson", "williams", ("a", "b", "c", "d"), p)
    text, _ = drawn(matrix_block(tests))
    assert re.findall(r'<td class="p(\d)"', text) == ["1", "2", "3"]
    cells = [patch for patch in significance_matrix(tests).axes[0].patches if patch.get_linewidth() == 0]
    from matplotlib.colors import to_hex

    assert [to_hex(cell.get_facecolor()) for cell in cells] == list(COLOURS[1:])
