"""What holds for every figure: names are text, stay as they are if XML can hold them, and are on the page."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tercet.plots import save
from tests.plots import test_meta_plots, test_plots
from tests.plots.test_plots import NAMES, texts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = test_plots.FIGURES | test_meta_plots.FIGURES


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
@pytest.mark.parametrize("n", [1, 5, 25])
def test_names_are_text(draw: Callable[[list[str]], Figure], n: int, tmp_path: pathlib.Path) -> None:
    names = (NAMES + [f"system-{i}" for i in range(20)])[:n]
    assert set(names) <= set(texts(draw(names), tmp_path / "a.svg"))


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_what_no_xml_may_hold_is_replaced(draw: Callable[[list[str]], Figure], tmp_path: pathlib.Path) -> None:
    assert {"a\ufffdb", "c\ufffd"} <= set(texts(draw(["a\x01b", "c\udc80"]), tmp_path / "a.svg"))


@pytest.mark.thorough
@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_everything_fits_on_the_page(draw: Callable[[list[str]], Figure], tmp_path: pathlib.Path) -> None:
    """The outermost pixels are white: nothing is cut off."""
    from matplotlib.image import imread

    save(draw([f"{name}{i}" for i in range(4) for name in NAMES]), tmp_path / "a.png")
    pixels = imread(tmp_path / "a.png")
    assert all((edge == 1).all() for edge in (pixels[:5], pixels[-5:], pixels[:, :5], pixels[:, -5:]))
    assert pixels.min() < 0.2
