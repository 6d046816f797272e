"""The cost curve of decisions: its layout, and both painters of it."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

from tercet.data.quality_answers import CostPoint, Decided, QualityDecision
from tercet.errors import InputError
from tercet.plots.costs import cost_curve, cost_layout
from tercet.report.html.decision import decision_page

CURVE = (
    CostPoint(0.1, 0.1, 0.0, 0.0, 2.5),
    CostPoint(0.2, 0.5, 0.05, 0.1, 1.25),
    CostPoint(0.4, 1.0, 0.4, 0.4, 4.0),
)
SHARES = (("publish", 0.3), ("light edit", 0.4), ("full edit", 0.3))
DECISION = QualityDecision(
    publish=0.15,
    light=0.3,
    good_label=0.1,
    light_label=0.3,
    risk=0.05,
    among="all",
    shares=SHARES,
    wrong=(("publish", 0.01), ("light edit", 0.02)),
    curve=CURVE,
    segments=(),
    higher=False,
    signature="qe-decide|...",
    notes=("A note.",),
)


def test_the_layout_has_percentages_the_cheapest_point_and_the_chosen_one() -> None:
    layout = cost_layout(DECISION)
    assert layout.costs == ((10.0, 2.5), (50.0, 1.25), (100.0, 4.0))
    assert layout.wrong == ((10.0, 0.0), (50.0, 5.0), (100.0, 40.0))
    assert (layout.cheapest, layout.chosen) == (1, 30.0)
    assert layout.cheapest_told == "cheapest: 1.250, up to 0.200"
    assert layout.chosen_told == "risk 5 %: up to 0.150"
    for axis, points in ((layout.cost, layout.costs), (layout.share, layout.wrong)):
        assert all(axis.span[0] <= value <= axis.span[1] for _, value in points)


def test_higher_labels_run_the_other_way() -> None:
    turned = tuple(dataclasses.replace(point, threshold=-point.threshold) for point in CURVE[::-1])
    layout = cost_layout(dataclasses.replace(DECISION, higher=True, curve=turned, publish=math.inf))
    assert layout.costs == cost_layout(DECISION).costs
    assert layout.cheapest_told == "cheapest: 1.250, from -0.200"
    assert layout.chosen_told == "risk 5 %: from nothing"


def test_both_painters_draw_the_same_points() -> None:
    above, below = cost_curve(DECISION).axes
    assert [tuple(point) for point in np.asarray(above.lines[0].get_xydata())] == list(cost_layout(DECISION).costs)
    assert [tuple(point) for point in np.asarray(below.lines[0].get_xydata())] == list(cost_layout(DECISION).wrong)
    page = decision_page(DECISION)
    paths = re.findall(r'<g class="line c0 on"><path class="stroke" d="M([^"]+)"', page)
    assert [path.count("L") + 1 for path in paths] == [3, 3]
    first, last = (tuple(map(float, place.split())) for place in (paths[0].split("L")[0], paths[0].split("L")[-1]))
    assert first[0] == pytest.approx(44 + 0.1 * 364, abs=0.06)
    assert last[0] == pytest.approx(44 + 364, abs=0.06)
    assert last[1] < first[1]  # dearer is higher


def test_the_page_lists_segments_and_is_safe() -> None:
    entries = tuple(Decided(i, "publish" if i % 2 else "full edit", 0.1 * i) for i in range(1, 5))
    page = decision_page(dataclasses.replace(DECISION, segments=entries, notes=("<script>x</script>",)))
    assert "Of 4 segments: publish 2, light edit 0, full edit 2." in page
    assert "<script>x" not in page
    assert "Segments" not in decision_page(DECISION)


def test_nothing_to_draw_is_said() -> None:
    with pytest.raises(InputError, match="no cost curve"):
        cost_layout(dataclasses.replace(DECISION, curve=()))
