"""Pages of quality estimation in a browser: what to look at first, and what can be published."""

from __future__ import annotations

import dataclasses
import math

import pytest

from tercet.data.quality_answers import QualityPredictions, SegmentQuality
from tercet.report.html.decision import decision_page
from tercet.report.html.quality import quality_page
from tests.browser.conftest import Open, seen_by_axe
from tests.plots.test_costs import DECISION

TEXTS = ("यह एक परीक्षण है ।", "你好，世界。", "שלום עולם", "", "word " * 10_000, "<b>not bold</b>")
TAGGED = tuple(
    SegmentQuality(
        i, i / 8, max(i / 8 - 0.2, 0), i / 8 + 0.2, text, text, tags=tuple((w, "BAD", 0.9) for w in text.split())
    )
    for i, text in enumerate(TEXTS, 1)
)


PREDICTED = QualityPredictions(TAGGED, higher=False, coverage=0.9, signature="qe-predict")  # in several scripts


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("which", ["decide", "predict"])
def test_the_page_keeps_to_itself(visit: Open, which: str, width: int, scheme: str) -> None:
    text = decision_page(DECISION) if which == "decide" else quality_page(PREDICTED)
    opened = visit(text, width, color_scheme=scheme)
    assert opened.complaints == []
    assert len(opened.requests) == 1  # the page itself
    assert opened.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    dark = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, dark[4:-1].split(", "))) < 200) == (scheme == "dark")
    barriers = seen_by_axe(visit(text, width, color_scheme=scheme, bypass_csp=True).page).barriers
    assert barriers == []


def test_points_of_the_cost_curve_can_be_asked(visit: Open) -> None:
    page = visit(decision_page(DECISION)).page
    for plot, told in zip(
        page.locator("figure.chart .plot").all(), ("cost a segment: 2.500", "published and not good: 0 %"), strict=True
    ):
        plot.focus()
        page.keyboard.press("ArrowRight")
        assert page.locator("#tip.on").inner_text().splitlines() == ["10 % published", told]


def test_a_threshold_that_publishes_nothing_is_drawn(visit: Open) -> None:
    nothing = dataclasses.replace(DECISION, publish=-math.inf, shares=(("publish", 0.0), ("full edit", 1.0)))
    opened = visit(decision_page(nothing))
    assert opened.complaints == []
    assert "nothing" in opened.page.locator("#costs").inner_text()
