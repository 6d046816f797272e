"""Explanations: one layout, painted as SVG for pages and by matplotlib for print."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import tercet
from tercet.plots.explained import COLOURS
from tercet.report.html.pictures import picture

SVG = "{http://www.w3.org/2000/svg}"
METRICS = {
    "n-grams of words": "bleu",
    "n-grams of characters": "chrf",
    "edits": "ter",
    "matches": "meteor-lecture(modules=exact+stem)",
    "a grid": "per",
}


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_a_figure_has_the_words_boxes_and_colours_of_the_svg(metric: str) -> None:
    from matplotlib.colors import to_hex

    found = tercet.explain(metric, ["on Monday the cats sat on a mat", "a cat"], "the cat sat on the mat on Monday")
    (ax,) = found.plot().axes
    root = ElementTree.fromstring(picture(found))  # noqa: S314 - our own
    assert [t.get_text() for t in ax.texts] == ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]
    boxes = [box.attrib for box in root.iter(f"{SVG}rect") if "x" in box.attrib]
    assert [to_hex(patch.get_facecolor()) for patch in ax.patches] == [COLOURS[box["class"]] for box in boxes]
    places = [(patch.get_x(), patch.get_y()) for patch in ax.patches]  # type: ignore[attr-defined]
    assert places == [pytest.approx((float(box["x"]), float(box["y"])), abs=0.06) for box in boxes]


def test_reference_words_stand_down_in_both() -> None:
    found = tercet.explain("per", "b a", "a b c")
    (ax,) = found.plot().axes
    down = [t.get_text() for t in ax.texts if t.get_horizontalalignment() == "right" and not t.get_rotation()]
    across = [t.get_text() for t in ax.texts if t.get_rotation()]
    assert (down, across) == (["a", "b", "c"], ["b", "a"])
